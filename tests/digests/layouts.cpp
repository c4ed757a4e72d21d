// SPDX-License-Identifier: Apache-2.0
#include "digests/layouts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <numeric>

namespace digests {
namespace {

using shape_list = std::vector<std::vector<std::int64_t>>;

// Where vectors of 2 to 64 elements, and blocks of a few of them, begin and end.
constexpr std::array<std::int64_t, 23> short_extents = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 47, 48, 63, 64, 65, 96};

std::vector<std::int64_t> all_axes(std::size_t rank) {
  std::vector<std::int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

std::vector<layout_case> along(const std::vector<std::int64_t>& axes, const shape_list& shapes) {
  std::vector<layout_case> cases;
  for (const auto& shape : shapes) cases.push_back({shape, axes});
  return cases;
}

void append(std::vector<layout_case>& cases, const std::vector<layout_case>& more) {
  cases.insert(cases.end(), more.begin(), more.end());
}

std::vector<layout_case> rows() {
  return along({-1}, {{9, 100},
                      {17, 127},
                      {5, 128},
                      {7, 129},
                      {3, 255},
                      {5, 257},
                      {4, 768},
                      {3, 1023},
                      {9, 1025},
                      {2, 2049},
                      {5, 4096},
                      {3, 16411},
                      {2, 33001}});
}

std::vector<layout_case> short_rows() {
  std::vector<layout_case> cases;
  for (const std::int64_t extent : short_extents) {
    for (const std::int64_t rows : {3, 70, 261}) cases.push_back({{rows, extent}, {-1}});
  }
  return cases;
}

std::vector<layout_case> columns() {
  std::vector<layout_case> cases;
  for (const std::int64_t extent : short_extents) {
    for (const std::int64_t rows : {2, 3, 5, 17, 40}) cases.push_back({{rows, extent}, {0}});
  }
  append(cases, along({0}, {{7, 100},
                            {5, 255},
                            {4, 256},
                            {6, 257},
                            {9, 515},
                            {3, 2050},
                            {1025, 19},
                            {2051, 8},
                            {4100, 3}}));
  return cases;
}

std::vector<layout_case> batched_columns() {
  return along({1}, {{3, 5, 7},
                     {2, 33, 65},
                     {5, 4, 16},
                     {4, 3, 257},
                     {2, 1030, 3},
                     {7, 16, 31},
                     {70, 2, 9},
                     {130, 3, 2},
                     {6, 40, 64}});
}

std::vector<layout_case> whole() {
  std::vector<layout_case> cases;
  for (const std::int64_t extent : short_extents) cases.push_back({{extent}, {0}});
  append(cases, along({0}, {{100}, {255}, {256}, {257}, {1000}, {1025}, {4099}, {16411}, {70001}}));
  return cases;
}

std::vector<layout_case> alternating() {
  std::vector<layout_case> cases = along({0, 2}, {{5, 6, 7}, {3, 33, 40}, {20, 3, 65}});
  append(cases, along({1, 3}, {{3, 5, 4, 9}, {2, 7, 3, 33}}));
  append(cases, along({0, 2}, {{3, 5, 4, 9}, {4, 3, 8, 16}}));
  append(cases, along({0, 1}, {{6, 7, 20}}));
  append(cases, along({1, 2}, {{6, 7, 20}}));
  append(cases, along(all_axes(3), {{6, 7, 20}}));
  append(cases, along({2}, {{3, 1, 50, 1}}));
  return cases;
}

std::vector<layout_case> with_storage(std::span<const storage> ways) {
  std::vector<layout_case> bases = along({1}, {{37, 67}, {261, 3}, {5, 9, 17}, {3, 2, 33}});
  append(bases, along({0}, {{67, 37}, {40, 3}, {9, 130}, {300}}));
  append(bases, along({-1}, {{4, 9, 20}}));
  std::vector<layout_case> cases;
  for (const storage& way : ways) {
    for (layout_case base : bases) {
      base.input = way;
      cases.push_back(base);
    }
  }
  return cases;
}

std::vector<layout_case> strided() {
  constexpr std::array ways = {
      storage{.transposed = true},
      storage{.reversed = true},
      storage{.gap = 2},
      storage{.transposed = true, .reversed = true, .gap = 1},
  };
  return with_storage(ways);
}

std::vector<layout_case> unaligned() {
  constexpr std::array ways = {
      storage{.misalignment = 1},
      storage{.transposed = true, .misalignment = 3},
      storage{.gap = 1, .misalignment = 1},
  };
  return with_storage(ways);
}

std::vector<layout_case> repeated() {
  std::vector<layout_case> cases;
  for (const int axis : {0, 1}) {
    for (const std::int64_t reduced : {0, 1}) {
      append(cases, along({reduced}, {{9, 40}, {40, 9}, {3, 66}, {5, 4, 6}}));
    }
    for (layout_case& c : cases) {
      if (c.input.repeated_axis < 0) c.input.repeated_axis = axis;
    }
  }
  return cases;
}

std::vector<layout_case> scattered_output() {
  constexpr std::array ways = {
      storage{.transposed = true},
      storage{.reversed = true},
      storage{.gap = 1},
      storage{.misalignment = 1},
  };
  std::vector<layout_case> cases;
  for (const storage& way : ways) {
    for (const std::int64_t axis : {0, 1, 2}) {
      for (layout_case c : along({axis}, {{5, 9, 17}, {33, 3, 4}})) {
        c.output = way;
        cases.push_back(c);
      }
    }
  }
  return cases;
}

std::vector<layout_case> edges() {
  std::vector<layout_case> cases = along({0}, {{1}, {0}, {0, 3}, {1, 1, 1}, {1, 70}});
  append(cases, along({1}, {{3, 0}, {70, 1}}));
  append(cases, along({}, {{}, {3, 70}}));
  return cases;
}

std::string text_of(std::string_view which, const storage& storage) {
  std::string text;
  if (storage.transposed) text += " transposed";
  if (storage.reversed) text += " reversed";
  if (storage.gap != 0) text += fmt::format(" gap {}", storage.gap);
  if (storage.misalignment != 0) text += fmt::format(" off by {}", storage.misalignment);
  if (storage.repeated_axis >= 0) text += fmt::format(" repeated axis {}", storage.repeated_axis);
  return text.empty() ? text : fmt::format(" {}{}", which, text);
}

}  // namespace

std::string layout_case::name() const {
  return fmt::format("({}) axes ({}){}{}", fmt::join(shape, ","), fmt::join(axes, ","),
                     text_of("input", input), text_of("output", output));
}

const std::vector<layout_group>& layout_groups() {
  static const std::vector<layout_group> groups = {
      {"rows", rows()},         {"short-rows", short_rows()},
      {"columns", columns()},   {"batched-columns", batched_columns()},
      {"whole", whole()},       {"alternating", alternating()},
      {"strided", strided()},   {"unaligned", unaligned()},
      {"repeated", repeated()}, {"scattered-output", scattered_output()},
      {"edges", edges()},
  };
  return groups;
}

const layout_group& mixed_layouts() {
  static const layout_group group = [] {
    std::vector<layout_case> cases =
        along({-1}, {{5, 257}, {3, 1025}, {261, 2}, {70, 3}, {70, 4}, {37, 16}, {20, 33}, {2, 64}});
    append(cases, along({0}, {{4099}, {17, 65}, {5, 257}, {40, 3}, {1025, 2}}));
    append(cases, along({1}, {{2, 33, 17}, {33, 3, 4}}));
    cases.push_back({{9, 67}, {1}, {.transposed = true}});
    cases.push_back({{67, 9}, {0}, {.reversed = true, .gap = 1, .misalignment = 1}});
    cases.push_back({{9, 40}, {0}, {.repeated_axis = 1}});
    cases.push_back({{5, 9, 17}, {1}, {}, {.transposed = true, .gap = 1, .misalignment = 1}});
    return layout_group{"mixed", cases};
  }();
  return group;
}

const layout_group& in_place_layouts() {
  static const layout_group group = [] {
    std::vector<layout_case> cases =
        along({-1}, {{5, 257}, {3, 1025}, {261, 2}, {70, 3}, {70, 8}, {20, 33}, {2, 20011}});
    append(cases, along({0}, {{4099}, {17, 65}, {5, 257}, {40, 3}, {1025, 2}}));
    append(cases, along({1}, {{2, 33, 17}, {33, 3, 4}}));
    append(cases, with_storage(std::array{storage{.transposed = true, .gap = 1},
                                          storage{.reversed = true, .misalignment = 1}}));
    for (layout_case& c : cases) c.output = c.input;
    return layout_group{"in-place", cases};
  }();
  return group;
}

placement place(const std::vector<std::int64_t>& shape, std::size_t element_size,
                const storage& storage) {
  const std::size_t rank = shape.size();
  const auto size = static_cast<std::int64_t>(element_size);
  std::vector<std::int64_t> strides(rank);
  std::int64_t stride = size * (1 + storage.gap);
  std::int64_t origin = storage.misalignment;
  std::int64_t last = 0;  // of the element farthest from the origin
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t axis = storage.transposed ? i : rank - 1 - i;
    if (static_cast<int>(axis) == storage.repeated_axis) continue;
    const std::int64_t reach = shape[axis] > 0 ? (shape[axis] - 1) * stride : 0;
    strides[axis] = storage.reversed ? -stride : stride;
    if (storage.reversed) origin += reach;
    last += reach;
    stride *= shape[axis];
  }
  return {strides, static_cast<std::size_t>(storage.misalignment + last + size),
          static_cast<std::size_t>(origin)};
}

}  // namespace digests
