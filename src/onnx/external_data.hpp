// Tensors whose elements lie in a file beside the model, confined to its folder.
// SPDX-License-Identifier: Apache-2.0
//
// Format: onnx, docs/ExternalData.md.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "io/descriptor.hpp"
#include "io/tensor_proto.hpp"

namespace halfulp::onnx {

// The external data of one model. Each function throws error(io) where the system refuses and
// error(invalid_file) for the rest, starting with `label`.
class external_data {
 public:
  // `model` is the path of the model's file; empty for a model that has none.
  explicit external_data(const std::string& model);

  // That the file lies where it may and has `size` bytes from the offset on, which overlap no other
  // tensor's unless they are the same: so a model takes no more memory than its files have.
  void check(const io::tensor_proto::external_reference& reference, std::uint64_t size,
             const std::string& label);

  // The same, and reads them. Two tensors with one place share their memory.
  std::shared_ptr<const buffer> read(const io::tensor_proto::external_reference& reference,
                                     std::uint64_t size, const std::string& label);

  // Of all that was read.
  std::uint64_t bytes_read() const noexcept { return bytes_read_; }

 private:
  using file_key = std::pair<dev_t, ino_t>;
  struct opened {
    io::descriptor fd;
    file_key key;
  };
  opened open(const io::tensor_proto::external_reference& reference, std::uint64_t size,
              const std::string& label);
  void claim(const file_key& file, std::uint64_t begin, std::uint64_t end,
             const std::string& label);

  // A range of bytes in a file, and what was read of it.
  struct range {
    std::uint64_t end;
    std::shared_ptr<const buffer> content = {};
  };
  std::string folder_;                // of the model as named, where locations start
  std::vector<std::string> allowed_;  // the real paths of the folders that data may be in
  std::map<std::pair<file_key, std::uint64_t>, range> ranges_;  // by where they begin
  std::uint64_t bytes_read_ = 0;
};

}  // namespace halfulp::onnx
