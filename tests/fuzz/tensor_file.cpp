// Fuzz target: a tensor file of the format HALFULP_FUZZ_FORMAT, which is its ending.
// SPDX-License-Identifier: Apache-2.0
//
// The content is read in every way the library has, and the ways must agree; what was read is
// written in every format and read back. All of it takes place in memory.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/support/pipe.hpp"
#include "fuzz/support/property.hpp"
#include "io/format.hpp"
#include "io/support/files.hpp"
#include "io/support/memory_file.hpp"

namespace halfulp::fuzz {
namespace {

using io::file_info;
using io::format;
using io::loaded_tensor;
using io::tensor_info;

// Larger inputs teach nothing, and a pipe holds whatever a smaller one becomes.
constexpr std::size_t largest_content = 16384;

const format& format_with(std::string_view ending) {
  return *std::find_if(io::formats().begin(), io::formats().end(),
                       [&](const format& row) { return row.ending == ending; });
}

const format& tested = format_with(HALFULP_FUZZ_FORMAT);

const io::test::memory_file& memory() {
  static const io::test::memory_file file;
  return file;
}

std::optional<loaded_tensor> read(const format& row, const std::string& path,
                                  const io::request& request) {
  return attempt(path, [&] {
    io::input_file in(path);
    return row.read(in, request);
  });
}

std::optional<file_info> inspect(const format& row, const std::string& path,
                                 const io::request& request) {
  return attempt(path, [&] {
    io::input_file in(path);
    return row.inspect(in, request);
  });
}

// The same content from what does not tell its size. Safetensors files must.
void check_piped(std::string_view content, const io::request& request,
                 const std::optional<loaded_tensor>& tensor,
                 const std::optional<file_info>& listed) {
  if (tested.named_tensors) return;
  const auto piped = [&](const auto& action) {
    pipe channel;
    channel.write(content);
    const std::string path = channel.output_path();
    channel.end_input();
    return action(tested, path, request);
  };
  const std::optional<loaded_tensor> again = piped(read);
  require(again.has_value() == tensor.has_value(), "a pipe reads like a file");
  if (again && tensor) {
    require(io::test::elements_of(*again) == io::test::elements_of(*tensor),
            "a pipe has the elements of the file");
  }
  require(piped(inspect).has_value() == listed.has_value(), "a pipe is inspected like a file");
}

// Whether the elements are where the file's information says.
void check_place(std::string_view content, const tensor_info& info, const loaded_tensor* tensor) {
  if (info.data_offset == 0) return;  // in typed fields
  require(
      info.data_offset <= content.size() && info.data_bytes <= content.size() - info.data_offset,
      "elements lie inside the file");
  if (tensor == nullptr || info.big_endian || info.data_bytes == 0) return;
  require(std::memcmp(tensor->data, content.data() + info.data_offset, info.data_bytes) == 0,
          "elements are those at the offset");
}

void require_same(const loaded_tensor& a, const loaded_tensor& b) {
  require(a.layout.type == b.layout.type, "the type is the same");
  require(a.layout.shape == b.layout.shape, "the shape is the same");
  require(io::test::elements_of(a) == io::test::elements_of(b), "the elements are the same");
}

// Writes the tensor in each format and reads that.
void check_written(const loaded_tensor& tensor) {
  const std::string elements = io::test::elements_of(tensor);
  for (const format& row : io::formats()) {
    pipe channel;
    const std::string path = channel.input_path();
    const std::optional<std::string> content = attempt(path, [&] {
      const io::element_writer write = row.prepare(
          {tensor.layout.type, tensor.layout.shape, tensor.name, elements.size()}, path);
      io::output_file out(path);
      write(out, reinterpret_cast<const std::byte*>(elements.data()));
      out.commit();
      return channel.take();
    });
    if (!content) {
      require(row.named_tensors && !tested.named_tensors,
              "only a name that is no text can forbid a format");
      continue;
    }
    memory().replace(*content);
    // npy does not say that elements are bfloat16.
    const io::request request{{}, tensor.layout.type};
    const std::optional<loaded_tensor> found = read(row, memory().path(), request);
    const loaded_tensor& again = require_value(found, "what is written can be read", row.ending);
    require_same(tensor, again);
    if (row.ending != ".npy") require(again.name == tensor.name, "the name is the same");
    require(inspect(row, memory().path(), request).has_value(), "what is written can be inspected");
  }
}

// One tensor that inspecting listed, and reading may have returned.
void check_tensor(std::string_view content, const tensor_info& info,
                  const std::optional<loaded_tensor>& tensor) {
  check_place(content, info, tensor ? &*tensor : nullptr);
  if (!tensor) {
    // Only reading them shows that elements in typed fields are beyond the range of their type.
    require(!info.type || info.data_offset == 0, "what is listed with a type can be read",
            info.stored_type);
    return;
  }
  require(info.type == tensor->layout.type, "inspecting gives the type");
  require(info.shape == tensor->layout.shape, "inspecting gives the shape");
  require(info.name == tensor->name, "inspecting gives the name");
}

void check_content(std::string_view content, std::optional<dtype> declared) {
  memory().replace(content);
  const std::string path = memory().path();
  const std::optional<file_info> listed = inspect(tested, path, {{}, declared});
  std::optional<loaded_tensor> tensor = read(tested, path, {{}, declared});
  check_piped(content, {{}, declared}, tensor, listed);
  if (!listed) {
    // Inspecting checks the declared type of all tensors of a file, reading that of the one.
    require(!tensor, "what can be read can be inspected");
    return;
  }
  if (tested.named_tensors) {
    const bool has_one = listed->tensors.size() == 1 && listed->tensors[0].type;
    require(tensor.has_value() == has_one, "a tensor that is the only one needs no name");
    for (const tensor_info& info : listed->tensors) {
      std::optional<loaded_tensor> picked = read(tested, path, {info.name, declared});
      check_tensor(content, info, picked);
      if (picked) tensor = std::move(picked);
    }
  } else {
    check_tensor(content, listed->tensors.at(0), tensor);
  }
  if (tensor) check_written(*tensor);
}

}  // namespace
}  // namespace halfulp::fuzz

// Functions and their names are those that libFuzzer calls.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  using namespace halfulp;
  // A target that refuses everything would find nothing.
  const std::vector<float> elements = {1, 2, 3};
  io::loaded_tensor tensor;
  tensor.layout = {dtype::float32, {3}, {4}};
  tensor.data = reinterpret_cast<const std::byte*>(elements.data());
  fuzz::check_written(tensor);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace halfulp;
  if (size > fuzz::largest_content) return -1;
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  fuzz::check_content(content, {});
  fuzz::check_content(content, dtype::bfloat16);
  return 0;
}
// NOLINTEND(readability-identifier-naming)
