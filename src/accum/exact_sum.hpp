// The exact sum of |x| or x^2 over any number of elements: a superaccumulator.
// SPDX-License-Identifier: Apache-2.0
//
// The stored form is canonical: one unsigned integer in units of the smallest subnormal (of its
// square for squares; of 1 for integers), beside flags for NaN and infinity. Equal sums are equal
// objects, whatever the order and the splits they came from, and merging is an addition.
//
// Widths. A term is below 2^W units, W = (max_exponent + precision - min_exponent) for |x| and
// twice that for x^2; `headroom` more bits make room for 2^63 terms.
//
//   type       |x|: W, limbs    x^2: W, limbs
//   float16     40,  2           80,  3
//   bfloat16   261,  6          522, 10
//   float32    277,  6          554, 10
//   float64   2098, 34         4196, 67
//   32 bits     32,  2           64,  2
//   64 bits     64,  2          128,  3
#pragma once

#include <cstddef>
#include <cstdint>

#include "accum/limbs.hpp"
#include "accum/power.hpp"
#include "base/float_format.hpp"

namespace halfulp {

template <element T, power P>
constexpr int term_bits() {
  constexpr int factor = static_cast<int>(P);
  if constexpr (float_element<T>) {
    using format = float_format<T>;
    return factor * (format::max_exponent + format::precision - format::min_exponent);
  } else {
    return factor * 8 * static_cast<int>(sizeof(T));
  }
}

template <element T, power P>
class exact_sum {
 public:
  static constexpr int headroom = 63;
  static constexpr std::size_t limb_count =
      static_cast<std::size_t>((term_bits<T, P>() + headroom + 63) / 64);
  static_assert(limb_count <= max_limbs);

  // Adds the `count` elements at data, data + stride, ... (bytes, any alignment and sign).
  void add(const std::byte* data, std::int64_t count, std::int64_t stride) noexcept;

  // Adds what `other` holds.
  void merge(const exact_sum& other) noexcept {
    sum_ += other.sum_;
    nan_ |= other.nan_;
    infinity_ |= other.infinity_;
  }

  bool has_nan() const noexcept { return nan_; }
  bool has_infinity() const noexcept { return infinity_; }

  // The sum of the finite terms. Refers to this object.
  dyadic value() const noexcept { return {sum_.words, unit_exponent()}; }
  const limbs<limb_count>& integer() const noexcept { return sum_; }

  static constexpr int unit_exponent() {
    if constexpr (float_element<T>) {
      return static_cast<int>(P) * float_format<T>::min_exponent;
    } else {
      return 0;
    }
  }

  bool operator==(const exact_sum&) const = default;

 private:
  void add_one_by_one(const std::byte* data, std::int64_t count, std::int64_t stride) noexcept
    requires float_element<T>;
  void add_binned(const std::byte* data, std::int64_t count, std::int64_t stride) noexcept
    requires float_element<T>;
  void add_integers(const std::byte* data, std::int64_t count, std::int64_t stride) noexcept
    requires integer_element<T>;

  limbs<limb_count> sum_;
  bool nan_ = false;
  bool infinity_ = false;
};

}  // namespace halfulp
