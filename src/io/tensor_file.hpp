// Tensor files: reading, inspecting and writing, whatever the format.
// SPDX-License-Identifier: Apache-2.0
//
// The format follows the ending of the name: .npy, .pb (ONNX TensorProto), .safetensors (where
// "FILE.safetensors:NAME" picks one of its tensors). "-" is standard input or output, as npy.
//
// Every file is hostile until checked: sizes are compared with the bytes that are there before
// anything is allocated. Every error is one line that names the file: error(invalid_argument) for
// an ending that is none of these, error(io) where the system refuses or the file shrinks while it
// is read, error(invalid_file) for what is wrong with the content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"
#include "halfulp/types.hpp"

namespace halfulp::io {

// A tensor in memory: native byte order, strides filled in, `data` at the element whose index is
// all zeros, inside `storage` and not always aligned.
struct loaded_tensor {
  std::string name;  // what the file calls it; may be empty
  tensor_layout layout;
  const std::byte* data = nullptr;
  buffer storage;
};

// What a file says about one of its tensors, without its elements.
struct tensor_info {
  std::string name;         // as above
  std::string stored_type;  // the format's own word: "<f4", "FLOAT", "F32"
  // Empty where the file holds a type that is none of ours, or V2 and no type was declared.
  std::optional<dtype> type;
  std::vector<std::int64_t> shape;
  bool fortran_order = false;
  bool big_endian = false;
  // Of the elements, in bytes from the start of the file. Where typed fields hold them, the offset
  // is 0 and the size the one in memory.
  std::uint64_t data_offset = 0;
  std::uint64_t data_bytes = 0;
};

struct file_info {
  std::string format;  // "npy 1.0", "TensorProto", "safetensors"
  std::vector<tensor_info> tensors;
};

// Reads one tensor. `declared` is the type of elements whose file cannot say it (npy's V2); where
// the file says a type, another declared one is an error. A .safetensors file with several tensors
// needs a NAME, and only that tensor's bytes are read.
loaded_tensor read_tensor(const std::string& where, std::optional<dtype> declared = {});

// The same checks as read_tensor, but for reading the elements: sizes and offsets are validated
// against the file. Types that are none of ours are listed, not refused.
file_info inspect_tensors(const std::string& where, std::optional<dtype> declared = {});

// Writes one tensor so that the file appears whole or not at all: into a new file in the same
// folder, which commit() renames into place. A symlink's target is replaced, an existing file keeps
// its mode. What is no regular file (a pipe, a device, standard output) is written straight.
class tensor_writer {
 public:
  // Opens the output, so that a wrong ending or a missing folder shows before anything is computed.
  explicit tensor_writer(const std::string& where);
  // The same, and prepare().
  tensor_writer(const std::string& where, dtype type, std::vector<std::int64_t> shape,
                std::string_view name);
  ~tensor_writer();  // without commit(): removes the new file
  tensor_writer(tensor_writer&&) noexcept;
  tensor_writer& operator=(tensor_writer&&) noexcept;

  // Says what is to be written. Throws error(invalid_file) for a tensor that the format cannot
  // hold. `name` is what a safetensors or TensorProto file is to call the tensor.
  void prepare(dtype type, std::vector<std::int64_t> shape, std::string_view name);

  // Each throws error(io). write() writes the header and all the elements, which are in C order
  // without gaps, and commit() puts the file in its place: of several files, all can be written
  // before the first one appears.
  void write(const std::byte* elements);
  void commit();
  void commit(const std::byte* elements) {
    write(elements);
    commit();
  }

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace halfulp::io
