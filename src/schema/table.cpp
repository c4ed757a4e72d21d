// SPDX-License-Identifier: Apache-2.0
#include "schema/table.hpp"

#include <array>
#include <cmath>

#include "base/error.hpp"

namespace halfulp::schema {

namespace {

constexpr type_set reduction_types_1{dtype::float16, dtype::float32, dtype::float64, dtype::int32,
                                     dtype::int64,   dtype::uint32,  dtype::uint64};
constexpr type_set reduction_types_13 = all_types;
constexpr type_set normalization_types_1{dtype::float16, dtype::float32, dtype::float64};
constexpr type_set normalization_types_22{dtype::bfloat16, dtype::float16, dtype::float32,
                                          dtype::float64};

constexpr attribute_rule keepdims{
    .name = "keepdims",
    .value = &options::keepdims,
    .default_value = 1,
    .lowest = 0,
    .highest = 1,
    .ranged_by_rank = false,
    .meaning = "1 keeps each reduced axis with extent 1, 0 drops it."};
constexpr attribute_rule noop_with_empty_axes{
    .name = "noop_with_empty_axes",
    .value = &options::noop_with_empty_axes,
    .default_value = 0,
    .lowest = 0,
    .highest = 1,
    .ranged_by_rank = false,
    .meaning =
        "Where axes is absent or empty: 0 reduces all axes, 1 reduces none, so that each "
        "element is a slice of its own."};
constexpr attribute_rule axis{.name = "axis",
                              .value = &options::axis,
                              .default_value = -1,
                              .lowest = 0,
                              .highest = 0,
                              .ranged_by_rank = true,
                              .meaning = "The axis along which to normalise."};
constexpr attribute_rule p{.name = "p",
                           .value = &options::p,
                           .default_value = 2,
                           .lowest = 1,
                           .highest = 2,
                           .ranged_by_rank = false,
                           .meaning = "The order of the norm."};

constexpr std::array reduction_attributes_1{keepdims};
constexpr std::array reduction_attributes_18{keepdims, noop_with_empty_axes};
constexpr std::array normalization_attributes{axis, p};

constexpr std::int64_t unbounded = newest_opset + 1;

constexpr op_version reduction(halfulp::op op, std::int64_t since, std::int64_t until) {
  return {.op = op,
          .since = since,
          .until = until,
          .types = since < 13 ? reduction_types_1 : reduction_types_13,
          .axes = since < 18 ? axes_place::attribute : axes_place::input,
          .attributes = since < 18 ? std::span<const attribute_rule>(reduction_attributes_1)
                                   : std::span<const attribute_rule>(reduction_attributes_18),
          .input_name = "data",
          .output_name = "reduced",
          .axes_range_stated = since >= 11};
}

constexpr op_version normalization(std::int64_t since, std::int64_t until) {
  return {.op = op::lp_normalization,
          .since = since,
          .until = until,
          .types = since < 22 ? normalization_types_1 : normalization_types_22,
          .axes = axes_place::none,
          .attributes = normalization_attributes,
          .input_name = "input",
          .output_name = "output",
          .axes_range_stated = true};
}

constexpr std::array rows{
    reduction(op::reduce_l1, 1, 11),
    reduction(op::reduce_l1, 11, 13),
    reduction(op::reduce_l1, 13, 18),
    reduction(op::reduce_l1, 18, unbounded),
    reduction(op::reduce_l2, 1, 11),
    reduction(op::reduce_l2, 11, 13),
    reduction(op::reduce_l2, 13, 18),
    reduction(op::reduce_l2, 18, unbounded),
    reduction(op::reduce_sum_square, 1, 11),
    reduction(op::reduce_sum_square, 11, 13),
    reduction(op::reduce_sum_square, 13, 18),
    reduction(op::reduce_sum_square, 18, unbounded),
    normalization(1, 22),
    normalization(22, unbounded),
};

// The ranges of each operator cover the opsets 1 to newest_opset without gap or overlap.
constexpr bool ranges_are_complete() {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool first = i == 0 || rows[i - 1].op != rows[i].op;
    const bool last = i + 1 == rows.size() || rows[i + 1].op != rows[i].op;
    if (rows[i].since >= rows[i].until) return false;
    if (rows[i].since != (first ? 1 : rows[i - 1].until)) return false;
    if (last && rows[i].until != unbounded) return false;
  }
  return true;
}
static_assert(ranges_are_complete());

struct op_name {
  halfulp::op op;
  std::string_view name;
  element_map map;  // for lp_normalization that of p = 2
  finish_map finish;
};

// Indexed by op.
constexpr std::array op_names{
    op_name{op::reduce_l1, "ReduceL1", element_map::abs, finish_map::identity},
    op_name{op::reduce_l2, "ReduceL2", element_map::square, finish_map::sqrt},
    op_name{op::reduce_sum_square, "ReduceSumSquare", element_map::square, finish_map::identity},
    op_name{op::lp_normalization, "LpNormalization", element_map::square, finish_map::normalize},
};
static_assert([] {
  for (std::size_t i = 0; i < op_names.size(); ++i) {
    if (static_cast<std::size_t>(op_names[i].op) != i) return false;
  }
  return true;
}());

const op_name& entry(op op) noexcept { return op_names[static_cast<std::size_t>(op)]; }

// The attributes of all versions.
constexpr std::array all_attributes{keepdims, noop_with_empty_axes, axis, p};

// `given` is one of all_attributes.
void check_attribute(const op_version& row, const attribute_rule& given, const options& options) {
  const std::int64_t value = options.*given.value;
  const attribute_rule* rule = find_attribute(row, given.name);
  if (rule == nullptr) {
    if (value == halfulp::options{}.*given.value) return;
    fail(errc::invalid_argument, "{}: there is no attribute {} in this version (given: {})",
         name_of(row), given.name, value);
  }
  // The rank decides about `axis`: the plan knows it.
  if (rule->ranged_by_rank || (value >= rule->lowest && value <= rule->highest)) return;
  fail(errc::invalid_argument, "{}: attribute {} is {}, allowed are {} and {}", name_of(row),
       given.name, value, rule->lowest, rule->highest);
}

[[noreturn]] void fail_no_axes(const op_version& row) {
  fail(errc::invalid_argument,
       "{}: axes are given, but this operator takes one axis (attribute axis)", name_of(row));
}

void check_eps(const op_version& row, double eps, finish_map finish) {
  if (eps == 0) return;
  if (finish != finish_map::normalize) {
    fail(errc::invalid_argument, "{}: there is no eps in this operator (given: {})", name_of(row),
         eps);
  }
  if (!(eps > 0) || !std::isfinite(eps)) {
    fail(errc::invalid_argument, "{}: eps is {}, allowed are finite numbers from 0 on",
         name_of(row), eps);
  }
}

dtype resolve_output_type(const op_version& row, const request& request, finish_map finish) {
  const dtype input = request.input_type;
  const dtype output = request.options.output_type.value_or(input);
  const bool allowed = is_float(output) || (!is_float(input) && finish != finish_map::normalize);
  if (allowed) return output;
  fail(errc::unsupported_type,
       "{}: output type {} is not supported for input type {} (allowed: {})", name_of(row),
       halfulp::name_of(output), halfulp::name_of(input), list_types(normalization_types_22));
}

}  // namespace

std::span<const op_version> table() noexcept { return rows; }

const op_version& find(op op, std::int64_t opset) {
  if (opset < 1 || opset > newest_opset) {
    fail(errc::invalid_argument, "{}: opset {} is not known (known: 1 to {})", name_of(op), opset,
         newest_opset);
  }
  for (const op_version& row : rows) {
    if (row.op == op && opset >= row.since && opset < row.until) return row;
  }
  fail(errc::invalid_argument, "{}: no version for opset {}", name_of(op), opset);
}

std::string name_of(const op_version& row) {
  return fmt::format("{}-{}", halfulp::name_of(row.op), row.since);
}

const attribute_rule* find_attribute(const op_version& row, std::string_view name) noexcept {
  for (const attribute_rule& rule : row.attributes) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

std::string list_types(const type_set& types) {
  std::string list;
  for (const dtype type : all_dtypes) {
    if (!types.contains(type)) continue;
    if (!list.empty()) list += ", ";
    list += halfulp::name_of(type);
  }
  return list;
}

computation resolve(const request& request) {
  const options& options = request.options;
  const op_version& row = find(request.op, options.opset);
  if (!row.types.contains(request.input_type)) {
    fail(errc::unsupported_type,
         "{}: the input '{}' has type {}, which this version does not take (allowed: {})",
         name_of(row), row.input_name, halfulp::name_of(request.input_type), list_types(row.types));
  }
  for (const attribute_rule& attribute : all_attributes) {
    check_attribute(row, attribute, options);
  }
  if (row.axes == axes_place::none && options.axes) fail_no_axes(row);

  const op_name& names = entry(request.op);
  check_eps(row, options.eps, names.finish);
  return {
      .row = &row,
      .map = names.finish == finish_map::normalize && options.p == 1 ? element_map::abs : names.map,
      .finish = names.finish,
      .input_type = request.input_type,
      .output_type = resolve_output_type(row, request, names.finish),
      .eps = options.eps};
}

void check_axes_place(const op_version& row, axes_place from) {
  if (from == axes_place::none || from == row.axes) return;
  if (row.axes == axes_place::none) fail_no_axes(row);
  if (from == axes_place::attribute) {
    fail(errc::invalid_argument, "{}: axes is an input in this version, given as an attribute",
         name_of(row));
  }
  fail(errc::invalid_argument, "{}: axes is an attribute in this version, given as an input",
       name_of(row));
}

}  // namespace halfulp::schema

namespace halfulp {

std::string_view name_of(op op) noexcept { return schema::entry(op).name; }

op op_from_name(std::string_view name) {
  std::string known;
  for (const auto& entry : schema::op_names) {
    if (entry.name == name) return entry.op;
    if (!known.empty()) known += ", ";
    known += entry.name;
  }
  fail(errc::invalid_argument, "operator '{}' is not known (known: {})", printable(name), known);
}

}  // namespace halfulp
