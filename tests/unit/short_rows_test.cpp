// Rows of a few elements, from elements to results at once: what the kernels call certain is right,
// and of ordinary data that is nearly all. SPDX-License-Identifier: Apache-2.0
#include "kernels/short_rows.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/element_dispatch.hpp"
#include "kernels/stream.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/construct.hpp"
#include "numerics/support/draw.hpp"
#include "numerics/support/type_parameter.hpp"
#include "unit/support/guarded_array.hpp"
#include "unit/support/targets.hpp"

namespace halfulp {
namespace {

using oracle::bits;
using oracle::character;
using oracle::operation;
using oracle::question;
using oracle::random_source;

constexpr std::int64_t at_once = kernels::short_rows_at_once;

power power_of(operation op) { return op == operation::l1 ? power::abs : power::square; }
root root_of(operation op) { return op == operation::l2 ? root::yes : root::no; }

// Rows of `length` elements, one after the other.
struct rows_of_bits {
  std::int64_t length;
  std::vector<bits> elements;

  std::span<const bits> row(std::int64_t j) const {
    const auto n = static_cast<std::size_t>(length);
    return std::span(elements).subspan(static_cast<std::size_t>(j) * n, n);
  }
};

// Checks every block that is said to be certain, on each target; returns the least share of them.
template <typename T>
double certain_share(operation op, const rows_of_bits& rows, std::int64_t blocks) {
  const dtype type = dtype_of<T>;
  const question asked{op, type, type};
  const auto count = static_cast<std::size_t>(blocks * at_once);
  guarded_array<T> x(rows.elements.size()), memory(count + 32);
  for (std::size_t i = 0; i < x.size(); ++i) oracle::store(type, rows.elements[i], x.data() + i);
  double least = 1;
  on_each_target([&] {
    const auto kernel = kernels::short_row_kernels_of<T>().of(power_of(op), root_of(op));
    if (kernel == nullptr) return;
    for (const bool stream : {false, true}) {
      // Aligned, and up to the guard.
      T* const out = stream ? memory.data() : memory.last(count).data();
      std::memset(memory.data(), 0x33, memory.size() * sizeof(T));
      std::vector<std::uint8_t> open(static_cast<std::size_t>(blocks), 7);
      const bool all = kernel(x.data(), blocks, rows.length, out, stream, open.data());
      kernels::end_stream();
      const auto open_blocks = std::count(open.begin(), open.end(), 1);
      ASSERT_EQ(std::count(open.begin(), open.end(), 0), blocks - open_blocks);
      ASSERT_EQ(all, open_blocks == 0);
      least = std::min(least, 1 - static_cast<double>(open_blocks) / static_cast<double>(blocks));
      for (std::int64_t j = 0; j < blocks * at_once; ++j) {
        if (open[static_cast<std::size_t>(j / at_once)] != 0) continue;
        const bits got = oracle::load(type, out + j);
        const std::vector<bits> hint{got};
        const auto known = oracle::without_arithmetic(asked, rows.row(j));
        const bits expected =
            known.empty() ? oracle::by_midpoints(asked, rows.row(j), hint).front() : known.front();
        ASSERT_EQ(got, expected) << text_of(asked) << " of " << oracle::text_of(type, rows.row(j))
                                 << ", row " << j << " of " << rows.length
                                 << (stream ? ", around caches" : "");
      }
      for (T* v = memory.begin(); v != memory.end(); ++v) {
        if (v >= out && v < out + count) continue;
        T untouched;
        std::memset(&untouched, 0x33, sizeof(T));
        ASSERT_EQ(oracle::load(type, v), oracle::load(type, &untouched));
      }
    }
  });
  return least;
}

double certain_share(dtype type, operation op, const rows_of_bits& rows, std::int64_t blocks) {
  return dispatch(type, float_types{}, [&]<typename T>(std::type_identity<T>) {
    return certain_share<T>(op, rows, blocks);
  });
}

class short_rows : public testing::TestWithParam<dtype> {
 protected:
  const dtype type = GetParam();

  template <typename F>
  void for_each_kernel(const F& f) {
    for (const operation op : oracle::reductions) {
      for (std::int64_t length = 2; length <= kernels::longest_short_row; ++length) f(op, length);
    }
  }
};

TEST_P(short_rows, of_ordinary_numbers_are_certain) {
  for_each_kernel([&](operation op, std::int64_t length) {
    constexpr std::int64_t blocks = 24;
    random_source random(71);
    const auto count = static_cast<std::size_t>(blocks * at_once * length);
    const rows_of_bits rows{length, draw(character::normal, type, count, random)};
    EXPECT_GE(certain_share(type, op, rows, blocks), 0.6) << length;
  });
}

TEST_P(short_rows, of_every_character) {
  random_source random(72);
  for_each_kernel([&](operation op, std::int64_t length) {
    for (const character kind : oracle::characters(type)) {
      if (!oracle::sampled(random)) continue;
      const auto count = static_cast<std::size_t>(2 * at_once * length);
      certain_share(type, op, {length, draw(kind, type, count, random)}, 2);
    }
  });
}

// One character's rows among another one's, NaN and infinity among them.
TEST_P(short_rows, of_mixed_characters) {
  random_source random(73);
  for_each_kernel([&](operation op, std::int64_t length) {
    const auto n = static_cast<std::size_t>(length);
    for (int i = 0; i < oracle::scaled(20); ++i) {
      const character usual = random.any_of(oracle::characters(type));
      const character odd = random.any_of(oracle::characters(type));
      rows_of_bits rows{length, draw(usual, type, 3 * at_once * n, random)};
      for (std::uint64_t count = random.below(4); count > 0; --count) {
        const auto row = draw(odd, type, n, random);
        std::copy(
            row.begin(), row.end(),
            rows.elements.begin() + static_cast<std::ptrdiff_t>(random.below(3 * at_once) * n));
      }
      certain_share(type, op, rows, 3);
    }
  });
}

// Rows whose results are midpoints or next to them: each block has as many as can be had.
TEST_P(short_rows, at_boundaries) {
  random_source random(74);
  for_each_kernel([&](operation op, std::int64_t length) {
    const auto n = static_cast<std::size_t>(length);
    for (int i = 0; i < oracle::scaled(20); ++i) {
      const character around = random.any_of(
          std::vector{character::normal, character::small_integers, character::subnormal});
      rows_of_bits rows{length, draw(around, type, at_once * n, random)};
      for (std::size_t j = 0; j < at_once; ++j) {
        const auto row = reduction_at_boundary({op, type, type}, random);
        if (!row || row->size() > n || random.once_in(4)) continue;
        const auto to = rows.elements.begin() + static_cast<std::ptrdiff_t>(j * n);
        std::fill(to, to + length, 0);
        std::copy(row->begin(), row->end(), to);
      }
      certain_share(type, op, rows, 1);
    }
  });
}

double value_of(dtype type, bits pattern) {
  const oracle::element e = oracle::decode(type, pattern);
  return std::ldexp(static_cast<double>(e.mantissa), e.exponent);
}

// n elements whose sum is a midpoint or a few last places of what it is added in beside it, most of
// them fractions of such a place, whose rounding errors lead across the midpoint.
std::vector<bits> sum_beside_midpoint(dtype type, std::size_t n, random_source& random) {
  const int digits = oracle::format_of(type).precision;
  const int added_in = type == dtype::float32 ? 53 : 24;
  const auto exponent = static_cast<int>(random.between(0, 12));
  const double power = std::ldexp(1.0, exponent);
  const double place = std::ldexp(power, 1 - added_in);
  const double half = std::ldexp(power, -digits);
  std::vector<bits> row;
  double target = static_cast<double>(random.between(-4, 4)) * place;
  for (std::size_t i = 4; i < n; ++i) {
    const double fraction = static_cast<double>(random.between(0, 7)) / 8 * place;
    row.push_back(oracle::truncated(type, fraction));
    target -= value_of(type, row.back());
  }
  // The rest from the top down: the leading element first, then what it lacks.
  const auto odd = static_cast<double>(2 * random.below(std::uint64_t{1} << (digits - 2)) + 1);
  const bits leading = oracle::truncated(type, power + (odd - 1) * half);
  row.push_back(leading);
  double rest = power + odd * half - value_of(type, leading) + target;
  for (int i = 0; i < 3; ++i) {
    row.push_back(rest > 0 ? oracle::truncated(type, rest) : 0);
    rest -= value_of(type, row.back());
  }
  random.shuffle(row);
  return row;
}

TEST_P(short_rows, of_sums_beside_midpoints) {
  if (type == dtype::float64) return;  // its sums come in pairs
  random_source random(75);
  for (std::int64_t length = 5; length <= kernels::longest_short_row; ++length) {
    const auto n = static_cast<std::size_t>(length);
    for (int i = 0; i < oracle::scaled(400); ++i) {
      rows_of_bits rows{length, std::vector<bits>(at_once * n, 0)};
      const auto row = sum_beside_midpoint(type, n, random);
      std::copy(row.begin(), row.end(),
                rows.elements.begin() + static_cast<std::ptrdiff_t>(random.below(at_once) * n));
      certain_share(type, operation::l1, rows, 1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(of_type, short_rows, testing::ValuesIn(oracle::float_types),
                         oracle::name_of_parameter);

}  // namespace
}  // namespace halfulp
