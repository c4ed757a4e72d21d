// SPDX-License-Identifier: Apache-2.0
#include "schema/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace halfulp::schema {
namespace {

std::vector<dtype> members(const type_set& types) {
  std::vector<dtype> list;
  for (const dtype type : all_dtypes) {
    if (types.contains(type)) list.push_back(type);
  }
  return list;
}

bool takes_integers(const op_version& row) {
  const auto types = members(row.types);
  return !std::all_of(types.begin(), types.end(), [](dtype type) { return is_float(type); });
}

// The maps that this version computes when p, if it has one, is as given.
computation maps_of(const op_version& row, std::optional<std::int64_t> p) {
  request request{.op = row.op, .input_type = dtype::float32, .options = {}};
  request.options.opset = row.since;
  if (p) request.options.p = *p;
  return resolve(request);
}

std::string_view sum_of(element_map map) { return map == element_map::abs ? "sum |x|" : "sum x^2"; }

std::string formula(const computation& maps) {
  switch (maps.finish) {
    case finish_map::identity:
      return fmt::format("RN({})", sum_of(maps.map));
    case finish_map::sqrt:
      return fmt::format("RN(sqrt({}))", sum_of(maps.map));
    case finish_map::normalize:
      break;
  }
  return maps.map == element_map::abs ? fmt::format("RN(x / N), N = {}", sum_of(maps.map))
                                      : fmt::format("RN(x / N), N = sqrt({})", sum_of(maps.map));
}

std::string summary(const computation& maps) {
  const std::string_view terms =
      maps.map == element_map::abs ? "the absolute values" : "the squares";
  switch (maps.finish) {
    case finish_map::identity:
      return fmt::format("Reduces a tensor along axes to the sum of {} of its elements.", terms);
    case finish_map::sqrt:
      return fmt::format(
          "Reduces a tensor along axes to the square root of the sum of {} of its elements.",
          terms);
    case finish_map::normalize:
      break;
  }
  return "Divides every element of a tensor by the norm N of its slice along one axis.";
}

std::string range_by_rank(const op_version& row) {
  return fmt::format("[-r, r-1] where r is the rank of {}", row.input_name);
}

std::string range_of(const op_version& row, const attribute_rule& rule) {
  if (rule.ranged_by_rank) return range_by_rank(row);
  return rule.highest - rule.lowest == 1 ? fmt::format("{} or {}", rule.lowest, rule.highest)
                                         : fmt::format("[{}, {}]", rule.lowest, rule.highest);
}

std::string axes_meaning(const op_version& row) {
  std::string text =
      "The axes to reduce; negative ones count from the back. Absent or empty: all of them";
  if (const attribute_rule* noop = find_attribute(row, "noop_with_empty_axes")) {
    text += fmt::format(", or none where {} is 1", noop->name);
  }
  text += '.';
  if (!row.axes_range_stated) {
    text += " ONNX states no range in this version; the one here is that of later versions.";
  }
  return text;
}

std::vector<std::string> guarantees(const op_version& row, finish_map finish) {
  std::vector<std::string> list;
  list.emplace_back(
      "Each floating-point result is the exact value of the formula on the stored elements, "
      "rounded once (RN) to the output type: to nearest, ties to even. The error is at most half a "
      "unit in the last place, subnormal results are not flushed, and past the largest finite "
      "value the result is Inf.");
  if (takes_integers(row)) {
    list.emplace_back(finish == finish_map::sqrt
                          ? "Each integer result is the floor of the exact value, modulo 2^n for a "
                            "type of n bits (the ONNX reference takes the root of a sum that has "
                            "already wrapped)."
                          : "Each integer result is the exact value modulo 2^n for a type of n "
                            "bits.");
  }
  if (finish == finish_map::normalize) {
    list.emplace_back(
        "A NaN in a slice makes all of the slice NaN. Else an Inf makes finite elements 0 with "
        "their sign and infinite ones NaN. A zero norm gives +0 for every element.");
  } else {
    list.emplace_back("A NaN in a slice gives NaN, else an Inf gives Inf. An empty slice gives 0.");
  }
  return list;
}

std::vector<std::string> beyond_onnx(const op_version& row, finish_map finish) {
  std::vector<std::string> list;
  list.emplace_back(takes_integers(row)
                        ? "The output may have another type than the input: any floating-point "
                          "type, and from integers any type. There is still one rounding."
                        : "The output may have another floating-point type than the input. There "
                          "is still one rounding.");
  if (finish == finish_map::normalize) {
    list.emplace_back(
        "eps, default 0, finite and not negative: RN(x / max(N, eps)). A zero norm still gives "
        "+0.");
  }
  return list;
}

void compare_types(const op_version& older, const op_version& newer, std::vector<change>& out) {
  std::vector<std::string_view> added, removed;
  for (const dtype type : members(newer.types)) {
    if (!older.types.contains(type)) added.push_back(name_of(type));
  }
  for (const dtype type : members(older.types)) {
    if (!newer.types.contains(type)) removed.push_back(name_of(type));
  }
  if (!added.empty()) {
    out.push_back({change_kind::types_added, "T",
                   fmt::format("added types: {}", fmt::join(added, ", ")), false});
  }
  if (!removed.empty()) {
    out.push_back({change_kind::types_removed, "T",
                   fmt::format("removed types: {}", fmt::join(removed, ", ")), true});
  }
}

void compare_axes(const op_version& older, const op_version& newer, std::vector<change>& out) {
  if (older.axes == axes_place::attribute && newer.axes == axes_place::input) {
    out.push_back({change_kind::attribute_became_input, "axes",
                   "the attribute became an optional input of type int64", true});
  }
  if (!older.axes_range_stated && newer.axes_range_stated) {
    out.push_back(
        {change_kind::range_stated, "axes",
         fmt::format("range stated: {}; negative axes count from the back", range_by_rank(newer)),
         false});
  }
}

void compare_attributes(const op_version& older, const op_version& newer,
                        std::vector<change>& out) {
  for (const attribute_rule& rule : newer.attributes) {
    const std::string name(rule.name);
    const std::string range = range_of(newer, rule);
    const attribute_rule* before = find_attribute(older, rule.name);
    if (before == nullptr) {
      out.push_back(
          {change_kind::attribute_added, name,
           fmt::format("attribute added: default {}, range {}", rule.default_value, range), false});
      continue;
    }
    if (before->default_value != rule.default_value) {
      out.push_back(
          {change_kind::default_changed, name,
           fmt::format("default changed from {} to {}", before->default_value, rule.default_value),
           true});
    }
    if (const std::string range_before = range_of(older, *before); range_before != range) {
      const bool wider = !before->ranged_by_rank && !rule.ranged_by_rank &&
                         rule.lowest <= before->lowest && before->highest <= rule.highest;
      out.push_back({change_kind::range_changed, name,
                     fmt::format("range changed from {} to {}", range_before, range), !wider});
    }
  }
  for (const attribute_rule& rule : older.attributes) {
    if (find_attribute(newer, rule.name) == nullptr) {
      out.push_back(
          {change_kind::attribute_removed, std::string(rule.name), "attribute removed", true});
    }
  }
}

}  // namespace

version_description describe(const op_version& row) {
  version_description out;
  out.op = name_of(row.op);
  out.version = row.since;
  out.last_opset = row.until - 1;

  const computation maps = maps_of(row, {});
  out.summary = summary(maps);
  if (const attribute_rule* p = find_attribute(row, "p")) {
    for (std::int64_t value = p->lowest; value <= p->highest; ++value) {
      out.formulas.push_back(fmt::format("p = {}: {}", value, formula(maps_of(row, value))));
    }
  } else {
    out.formulas.push_back(formula(maps));
  }

  const bool normalizes = maps.finish == finish_map::normalize;
  out.inputs.push_back({std::string(row.input_name), "T", false,
                        normalizes ? "The tensor to normalise." : "The tensor to reduce."});
  out.outputs.push_back(
      {std::string(row.output_name), "T", false,
       normalizes ? "A tensor of the same shape." : "The results, one for each slice."});
  if (row.axes == axes_place::input) {
    out.inputs.push_back({"axes", "int64", true,
                          fmt::format("{} Range {}.", axes_meaning(row), range_by_rank(row))});
  } else if (row.axes == axes_place::attribute) {
    out.attributes.push_back({"axes", "INTS", {}, range_by_rank(row), axes_meaning(row)});
  }
  for (const attribute_rule& rule : row.attributes) {
    out.attributes.push_back({std::string(rule.name), "INT", rule.default_value,
                              range_of(row, rule), std::string(rule.meaning)});
  }
  out.types = members(row.types);
  out.guarantees = guarantees(row, maps.finish);
  out.beyond_onnx = beyond_onnx(row, maps.finish);
  return out;
}

std::vector<change> changes_between(const op_version& older, const op_version& newer) {
  std::vector<change> out;
  compare_types(older, newer, out);
  compare_axes(older, newer, out);
  compare_attributes(older, newer, out);
  return out;
}

}  // namespace halfulp::schema
