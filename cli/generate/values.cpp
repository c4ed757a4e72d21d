// SPDX-License-Identifier: Apache-2.0
#include "generate/values.hpp"

#include <iterator>

#include "halfulp/halfulp.hpp"
#include "io/format.hpp"

namespace halfulp::cli {
namespace {

constexpr std::string_view model_ending = ".onnx";

constexpr op all_operators[] = {op::reduce_l1, op::reduce_l2, op::reduce_sum_square,
                                op::lp_normalization};
constexpr dtype all_types[] = {dtype::bfloat16, dtype::float16, dtype::float32, dtype::float64,
                               dtype::int32,    dtype::int64,   dtype::uint32,  dtype::uint64};

std::vector<std::string> names_of(const auto& list) {
  std::vector<std::string> out;
  for (const auto& item : list) out.emplace_back(name_of(item));
  return out;
}

std::vector<std::string> tensor_endings() {
  std::vector<std::string> out;
  for (const auto& format : io::formats()) out.emplace_back(format.ending);
  return out;
}

// "0|1"
std::vector<std::string> alternatives(std::string_view value) {
  std::vector<std::string> out;
  if (value.find('|') == std::string_view::npos) return out;
  for (std::size_t bar; (bar = value.find('|')) != std::string_view::npos;) {
    out.emplace_back(value.substr(0, bar));
    value.remove_prefix(bar + 1);
  }
  out.emplace_back(value);
  return out;
}

}  // namespace

value_choices choices_of(std::string_view value, std::string_view description) {
  if (value == "OPERATOR") return {.words = names_of(all_operators)};
  if (value == "TYPE") return {.words = names_of(all_types)};
  if (value.starts_with("MODEL")) return {.endings = {std::string(model_ending)}};
  if (value == "NAME=FILE") return {.endings = tensor_endings(), .after_equals = true};
  if (value == "FILE") {
    auto endings = tensor_endings();
    // A word that takes either says so.
    if (description.find("model") != std::string_view::npos) endings.emplace_back(model_ending);
    return {.endings = std::move(endings)};
  }
  return {.words = alternatives(value)};
}

}  // namespace halfulp::cli
