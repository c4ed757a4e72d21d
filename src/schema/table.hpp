// The operator table: one row for each operator and range of opsets.
// SPDX-License-Identifier: Apache-2.0
//
// Facts from the ONNX operator schemas (github.com/onnx/onnx, docs/Changelog.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "halfulp/halfulp.hpp"

namespace halfulp::schema {

// Every element type, in the order of dtype.
inline constexpr std::array all_dtypes{dtype::bfloat16, dtype::float16, dtype::float32,
                                       dtype::float64,  dtype::int32,   dtype::int64,
                                       dtype::uint32,   dtype::uint64};

// A set of element types.
class type_set {
 public:
  template <typename... Types>
  constexpr explicit type_set(Types... types) : bits_((0u | ... | bit(types))) {}
  constexpr bool contains(dtype type) const { return (bits_ & bit(type)) != 0; }

 private:
  static constexpr unsigned bit(dtype type) { return 1u << static_cast<unsigned>(type); }
  unsigned bits_;
};

inline constexpr type_set all_types{dtype::bfloat16, dtype::float16, dtype::float32, dtype::float64,
                                    dtype::int32,    dtype::int64,   dtype::uint32,  dtype::uint64};

// What an operator does to each element before the sum...
enum class element_map : std::uint8_t { abs, square };
// ...and to the sum after it: nothing, the root, or the division of each element by the norm.
enum class finish_map : std::uint8_t { identity, sqrt, normalize };

// Where a node says which axes to reduce.
enum class axes_place : std::uint8_t { attribute, input, none };

// An integer attribute: its default and the values it takes.
struct attribute_rule {
  std::string_view name;
  std::int64_t options::*value;  // where a caller gives it
  std::int64_t default_value;
  std::int64_t lowest, highest;  // both allowed; `ranged_by_rank` replaces them by [-r, r-1]
  bool ranged_by_rank;
  std::string_view meaning;  // one sentence for `describe`
};

struct op_version {
  halfulp::op op;
  std::int64_t since, until;  // opsets in [since, until)
  type_set types;
  axes_place axes;
  std::span<const attribute_rule> attributes;  // the integer ones, in the order of `describe`
  std::string_view input_name, output_name;
  // Whether ONNX's text gives the range [-r, r-1], in which negative axes count from the back.
  // halfulp accepts it in every version.
  bool axes_range_stated;
};

// All rows; the versions of one operator follow each other, oldest first.
std::span<const op_version> table() noexcept;

// The row that `opset` selects. Throws error(invalid_argument) for an opset below 1 or above
// newest_opset.
const op_version& find(op op, std::int64_t opset);

// "ReduceL1-13", the way messages name a version.
std::string name_of(const op_version& row);

// The rule of an attribute, or null where this version has none of that name.
const attribute_rule* find_attribute(const op_version& row, std::string_view name) noexcept;

// "bfloat16, float16, ..." in the order of dtype.
std::string list_types(const type_set& types);

// What a caller or a node gives.
struct request {
  halfulp::op op;
  dtype input_type;
  halfulp::options options;
};

// The maps that a valid request asks for.
struct computation {
  const op_version* row;
  element_map map;
  finish_map finish;
  dtype input_type, output_type;
  double eps;
};

// Checks all that needs no shape: version, types, attributes, eps. Throws error(invalid_argument)
// or error(unsupported_type).
computation resolve(const request& request);

// Throws error(invalid_argument) unless this version has its axes where a node has them. A call,
// whose axes are neither attribute nor input, has no need of this.
void check_axes_place(const op_version& row, axes_place from);

}  // namespace halfulp::schema
