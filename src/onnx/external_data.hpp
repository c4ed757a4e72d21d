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
#include <tuple>
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

  // That the file lies where it may and has `size` bytes from the offset on.
  void check(const io::tensor_proto::external_reference& reference, std::uint64_t size,
             const std::string& label);

  // The same, and reads them. Two tensors with one place share their memory; tensors that overlap
  // in another way are an error, so that a model takes no more memory than its files have.
  std::shared_ptr<const buffer> read(const io::tensor_proto::external_reference& reference,
                                     std::uint64_t size, const std::string& label);

 private:
  struct opened {
    io::descriptor fd;
    dev_t device;
    ino_t inode;
    std::uint64_t file_size;
  };
  opened open(const io::tensor_proto::external_reference& reference, std::uint64_t size,
              const std::string& label) const;

  using file_key = std::pair<dev_t, ino_t>;
  using range_key = std::tuple<file_key, std::uint64_t, std::uint64_t>;
  std::string folder_;                // of the model as named, where locations start
  std::vector<std::string> allowed_;  // the real paths of the folders that data may be in
  std::map<file_key, std::uint64_t> bytes_read_;
  std::map<range_key, std::shared_ptr<const buffer>> shared_;
};

}  // namespace halfulp::onnx
