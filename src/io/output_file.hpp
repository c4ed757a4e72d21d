// An output that appears whole or not at all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "io/descriptor.hpp"

namespace halfulp::io {

// The path as messages name it; "-" is standard output.
std::string output_label(const std::string& path);

// What is written goes to a new file in the folder of the target, which commit() renames over it.
// Symlinks are followed first, also one to a file that does not exist yet; an existing file's mode
// is kept. A pipe, a device or standard output ("-") is written straight.
//
// Every function throws error(io) when the system refuses; the target is then as it was.
class output_file {
 public:
  explicit output_file(const std::string& path);
  ~output_file();  // without commit(): removes the new file
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void write(std::span<const std::byte> bytes);
  void commit();

 private:
  void create_temporary(int mode);
  template <typename F>
  int take_name(const F& create);

  std::string label_;
  descriptor fd_;
  std::string target_;     // where links lead; empty if written straight
  std::string temporary_;  // the new file's name, if it has one yet; removed unless renamed
};

}  // namespace halfulp::io
