// Fuzz target: an ONNX model, which is inspected, read and, where its tensors are small, run.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/shape.hpp"
#include "fuzz/support/model_seeds.hpp"
#include "fuzz/support/property.hpp"
#include "halfulp/onnx.hpp"
#include "io/support/files.hpp"
#include "io/support/memory_file.hpp"

namespace halfulp::fuzz {
namespace {

using onnx::model;
using onnx::model_info;
using onnx::value_info;

constexpr std::size_t largest_content = 65536;

// A run is for reaching code, not for work.
constexpr std::int64_t largest_volume = 4096;

const io::test::memory_file& memory() {
  static const io::test::memory_file file;
  return file;
}

// What the library may find wrong in a model that is there.
bool is_about_content(errc code) {
  return code == errc::invalid_file || code == errc::invalid_argument ||
         code == errc::unsupported_type || code == errc::invalid_shape;
}

std::optional<model> read(std::string_view content) {
  try {
    return model(std::as_bytes(std::span(content)), "the model");
  } catch (const error& problem) {
    require_message(problem, "the model");
    require(is_about_content(problem.code()), "only the content can be wrong", problem.what());
    return {};
  }
}

std::optional<model_info> inspect(std::string_view content) {
  memory().replace(content);
  const std::string path = memory().path();
  try {
    return onnx::inspect(path);
  } catch (const error& problem) {
    require_message(problem, path);
    require(is_about_content(problem.code()), "only the content can be wrong", problem.what());
    return {};
  }
}

// A model whose tensors may lie in files beside it: there is one, and a folder around both.
void read_with_files(std::string_view content) {
  static const io::test::temporary_folder around;
  static const std::string path = [] {
    std::filesystem::create_directory(around / "models");
    io::test::write_file(around / "secret", std::string(64, 's'));
    io::test::write_file(around / (std::string("models/") + external_file), std::string(64, 'w'));
    return around / "models/m.onnx";
  }();
  io::test::write_file(path, content);
  try {
    const model read(path);
  } catch (const error& problem) {
    require_message(problem, path);
  }
}

// The elements of the extents that are known, none taken for zero: no node makes more of a tensor
// than that.
bool is_small(const value_info& value) {
  if (!value.shape) return true;
  std::int64_t volume = 1;
  for (const onnx::dimension& dimension : *value.shape) {
    const std::int64_t extent = std::max<std::int64_t>(dimension.extent.value_or(1), 1);
    if (extent > largest_volume) return false;
    volume *= extent;
    if (volume > largest_volume) return false;
  }
  return true;
}

bool is_small(const model_info& info) {
  constexpr std::size_t most_nodes = 200;
  const auto all_small = [](const std::vector<value_info>& values) {
    return std::all_of(values.begin(), values.end(),
                       [](const value_info& value) { return is_small(value); });
  };
  return info.nodes.size() <= most_nodes && all_small(info.inputs) && all_small(info.outputs) &&
         std::all_of(info.nodes.begin(), info.nodes.end(),
                     [&](const onnx::node_info& node) { return all_small(node.outputs); }) &&
         std::all_of(info.initializers.begin(), info.initializers.end(),
                     [](const onnx::initializer_info& one) { return is_small(one.value); });
}

// Elements that an input may have: those of `plain` any Cast takes, and they are axes.
double element_at(std::size_t index, bool plain) {
  if (plain) return static_cast<double>(index % 3);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double special[] = {-1, 0.3, infinity, -0.0, 65504, 1e-8, 1e39, -infinity, std::nan("")};
  return special[index % std::size(special)];
}

template <typename T>
void fill(tensor& tensor, bool plain) {
  std::size_t index = 0;
  for (T& element : tensor.elements<T>()) {
    const double value = element_at(index++, plain);
    if constexpr (std::numeric_limits<T>::is_integer) {
      element = plain ? static_cast<T>(value) : static_cast<T>(std::int64_t{-2} << index % 63);
    } else {
      element = static_cast<T>(value);
    }
  }
}

void fill(tensor& tensor, bool plain) {
  switch (tensor.layout().type) {
    case dtype::bfloat16:
      return fill<bfloat16>(tensor, plain);
    case dtype::float16:
      return fill<float16>(tensor, plain);
    case dtype::float32:
      return fill<float>(tensor, plain);
    case dtype::float64:
      return fill<double>(tensor, plain);
    case dtype::int32:
      return fill<std::int32_t>(tensor, plain);
    case dtype::int64:
      return fill<std::int64_t>(tensor, plain);
    case dtype::uint32:
      return fill<std::uint32_t>(tensor, plain);
    case dtype::uint64:
      return fill<std::uint64_t>(tensor, plain);
  }
}

// A tensor that fits what the graph says of its input. Symbols and unknown extents become small.
tensor make_input(const value_info& value, std::map<std::string, std::int64_t>& symbols,
                  bool plain) {
  std::vector<std::int64_t> shape;
  if (!value.shape) shape = {2, 3};
  for (const onnx::dimension& dimension : value.shape.value_or(std::vector<onnx::dimension>())) {
    const auto next = static_cast<std::int64_t>(symbols.size() % 3 + 1);
    if (dimension.extent) {
      shape.push_back(*dimension.extent);
    } else if (dimension.symbol.empty()) {
      shape.push_back(2);
    } else {
      shape.push_back(symbols.try_emplace(dimension.symbol, next).first->second);
    }
  }
  tensor made({require_value(value.type, "the type of an input is known", value.name),
               std::move(shape),
               {}});
  fill(made, plain);
  return made;
}

bool are_same(const tensor& a, const tensor& b) {
  return a.layout().type == b.layout().type && a.layout().shape == b.layout().shape &&
         std::memcmp(a.data(), b.data(), a.element_count() * size_of(a.layout().type)) == 0;
}

void check_output(const value_info& declared, const tensor& found) {
  require(!declared.type || *declared.type == found.layout().type, "an output has its type");
  if (!declared.shape) return;
  const std::vector<std::int64_t>& shape = found.layout().shape;
  require(declared.shape->size() == shape.size(), "an output has its rank");
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    require((*declared.shape)[axis].extent.value_or(shape[axis]) == shape[axis],
            "an output has its extents");
  }
}

std::optional<std::vector<tensor>> run(const model& model, std::span<const onnx::named_view> inputs,
                                       std::span<const std::string_view> outputs = {}) {
  try {
    return model.run(inputs, outputs);
  } catch (const error& problem) {
    require_message(problem, {});
    require(is_about_content(problem.code()), "only elements and shapes can be wrong",
            problem.what());
    return {};
  }
}

// Whether it ran.
bool check_run(const model& model, bool plain) {
  std::map<std::string, std::int64_t> symbols;
  std::vector<tensor> fed;
  for (const value_info& input : model.inputs()) fed.push_back(make_input(input, symbols, plain));
  std::vector<onnx::named_view> views;
  for (std::size_t i = 0; i < fed.size(); ++i) {
    views.push_back({model.inputs()[i].name, {fed[i].data(), fed[i].layout()}});
  }
  const std::optional<std::vector<tensor>> results = run(model, views);
  if (!results) return false;
  const std::vector<value_info>& outputs = model.outputs();
  require(results->size() == outputs.size(), "there is a result for each output");
  for (std::size_t i = 0; i < outputs.size(); ++i) check_output(outputs[i], (*results)[i]);
  if (outputs.empty()) return true;
  // The order of the inputs has no influence, nor has what else is computed.
  std::reverse(views.begin(), views.end());
  const std::string_view last[] = {outputs.back().name};
  const std::optional<std::vector<tensor>> again = run(model, views, last);
  require(again && again->size() == 1 && are_same((*again)[0], results->back()),
          "one output alone is the same");
  return true;
}

void require_same_names(const std::vector<value_info>& a, const std::vector<value_info>& b) {
  require(std::equal(a.begin(), a.end(), b.begin(), b.end(),
                     [](const value_info& x, const value_info& y) {
                       return x.name == y.name && x.type == y.type;
                     }),
          "inspecting lists what a model has");
}

// Whether it ran with elements that most operators take.
bool check_content(std::string_view content) {
  if (content.find("location") != std::string_view::npos) read_with_files(content);
  const std::optional<model_info> listed = inspect(content);
  const std::optional<model> found = read(content);
  if (!found) return false;
  const model_info& info = require_value(listed, "what can be read can be inspected");
  require(std::all_of(info.nodes.begin(), info.nodes.end(),
                      [](const onnx::node_info& node) { return node.supported; }),
          "a model that is read has supported nodes only");
  require_same_names(info.inputs, found->inputs());
  require_same_names(info.outputs, found->outputs());
  if (!is_small(info)) return false;
  check_run(*found, false);
  return check_run(*found, true);
}

}  // namespace
}  // namespace halfulp::fuzz

// Functions and their names are those that libFuzzer calls.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  using namespace halfulp::fuzz;
  // A target that refuses everything would find nothing.
  for (const model_seed& seed : model_seeds()) {
    require(check_content(seed.content) == seed.runs, "the seeds run", seed.name);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace halfulp::fuzz;
  if (size > largest_content) return -1;
  check_content({reinterpret_cast<const char*>(data), size});
  return 0;
}
// NOLINTEND(readability-identifier-naming)
