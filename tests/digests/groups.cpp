// SPDX-License-Identifier: Apache-2.0
#include "digests/groups.hpp"

#include <array>
#include <cstddef>
#include <cstring>

#include "digests/encoding.hpp"
#include "digests/fnv.hpp"
#include "digests/values.hpp"

namespace digests {
namespace {

using halfulp::dtype;
using halfulp::op;

constexpr std::array types = {dtype::bfloat16, dtype::float16, dtype::float32, dtype::float64,
                              dtype::int32,    dtype::int64,   dtype::uint32,  dtype::uint64};
constexpr std::array reductions = {op::reduce_l1, op::reduce_l2, op::reduce_sum_square};

// What memory holds where nothing is written.
constexpr auto untouched = std::byte{0xa5};

struct element_place {
  std::size_t offset;
  data_place data;
};

// Every element in C order: where its first byte is, its slice, and its number there.
std::vector<element_place> element_places(const layout_case& layout, const placement& memory) {
  const std::size_t rank = layout.shape.size();
  std::vector<bool> reduced(rank);
  for (const std::int64_t axis : layout.axes) {
    reduced[axis < 0 ? rank + static_cast<std::size_t>(axis) : static_cast<std::size_t>(axis)] =
        true;
  }
  std::vector<element_place> places = {{memory.origin, {0, 0}}};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const auto extent = static_cast<std::uint64_t>(layout.shape[axis]);
    std::vector<element_place> finer;
    finer.reserve(places.size() * extent);
    for (const auto& [offset, data] : places) {
      for (std::uint64_t i = 0; i < extent; ++i) {
        // Unsigned numbers that wrap are right for negative strides, too.
        const std::size_t at = offset + i * static_cast<std::size_t>(memory.strides[axis]);
        finer.push_back({at, reduced[axis] ? data_place{data.slice, data.position * extent + i}
                                           : data_place{data.slice * extent + i, data.position}});
      }
    }
    places = std::move(finer);
  }
  return places;
}

measure measure_of(const group& group) {
  switch (group.op) {
    case op::reduce_l1:
      return measure::sum;
    case op::reduce_l2:
      return measure::root_of_squares;
    case op::reduce_sum_square:
      return measure::sum_of_squares;
    case op::lp_normalization:
      break;
  }
  return group.p == 1 ? measure::sum : measure::root_of_squares;
}

halfulp::options options_of(const group& group, const layout_case& layout, std::uint64_t seed) {
  halfulp::options options;
  options.output_type = group.output;
  if (group.op == op::lp_normalization) {
    options.axis = layout.axes.front();
    options.p = group.p;
    constexpr std::array eps = {0x1p-1000, 0x1p-140, 0x1p-20, 0.75};
    if (group.with_eps) options.eps = eps[seed % eps.size()];
  } else {
    options.axes = layout.axes;
    options.keepdims = static_cast<std::int64_t>(seed % 2);
    options.noop_with_empty_axes = 1;
  }
  return options;
}

bool fits(const group& group, const layout_case& layout) {
  return group.op != op::lp_normalization || layout.axes.size() == 1;
}

std::uint64_t digest_of(std::string_view text) {
  fnv digest;
  digest.add(text);
  return digest.value();
}

}  // namespace

std::string group::name() const {
  std::string name(name_of(op));
  if (op == op::lp_normalization) name += p == 1 ? "(p=1" : "(p=2";
  if (op == op::lp_normalization) name += with_eps ? ",eps)" : ")";
  name += ' ';
  name += name_of(input);
  name += ' ';
  name += name_of(output);
  name += ' ';
  name += layouts->name;
  return name;
}

std::uint64_t group::digest(const observer& observe) const {
  fnv all;
  const std::size_t input_size = size_of(input);
  const std::size_t output_size = size_of(output);
  for (const layout_case& layout : layouts->cases) {
    if (!fits(*this, layout)) continue;
    const placement from = place(layout.shape, input_size, layout.input);
    const std::vector<element_place> places = element_places(layout, from);
    for (const data_family& family : families_of(input)) {
      const std::string label = name() + ' ' + layout.name() + ' ' + std::string(family.name);
      const std::uint64_t seed = digest_of(label);
      std::vector<std::byte> memory(from.bytes, untouched);
      const data_request request = {encoding_of(input), encoding_of(output), measure_of(*this),
                                    seed};
      for (const element_place& at : places) {
        const std::uint64_t bits = family.element(request, at.data);
        std::memcpy(&memory[at.offset], &bits, input_size);  // little-endian, as everything here
      }

      const halfulp::tensor_layout shape = {input, layout.shape, from.strides};
      const halfulp::options options = options_of(*this, layout, seed);
      const std::vector<std::int64_t> extents = halfulp::plan(op, shape, options).output().shape;
      const placement to = place(extents, output_size, layout.output);
      const halfulp::plan plan(op, shape, options, to.strides);
      std::vector<std::byte> apart(in_place ? 0 : to.bytes, untouched);
      std::vector<std::byte>& result = in_place ? memory : apart;
      plan.run(&memory[from.origin], &result[to.origin]);

      fnv digest;
      for (const std::int64_t extent : extents) digest.add(static_cast<std::uint64_t>(extent));
      digest.add(result);
      if (observe) observe(label, digest.value());
      all.add(digest.value());
    }
  }
  return all.value();
}

std::vector<group> all_groups() {
  std::vector<group> groups;
  for (const op reduction : reductions) {
    for (const dtype type : types) {
      for (const layout_group& layouts : layout_groups()) {
        groups.push_back({reduction, 0, false, false, type, type, &layouts});
      }
      for (const dtype output : types) {
        if (output == type || (is_float(type) && !is_float(output))) continue;
        groups.push_back({reduction, 0, false, false, type, output, &mixed_layouts()});
      }
    }
  }
  for (const std::int64_t p : {1, 2}) {
    for (const dtype type : types) {
      if (!is_float(type)) continue;
      for (const layout_group& layouts : layout_groups()) {
        if (layouts.name == "alternating") continue;  // of several axes, which it does not have
        groups.push_back({op::lp_normalization, p, false, false, type, type, &layouts});
      }
      groups.push_back({op::lp_normalization, p, false, true, type, type, &in_place_layouts()});
      groups.push_back({op::lp_normalization, p, true, false, type, type, &mixed_layouts()});
      for (const dtype output : types) {
        if (output == type || !is_float(output)) continue;
        groups.push_back({op::lp_normalization, p, false, false, type, output, &mixed_layouts()});
      }
    }
  }
  return groups;
}

}  // namespace digests
