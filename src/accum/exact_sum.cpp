// SPDX-License-Identifier: Apache-2.0
#include "accum/exact_sum.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <type_traits>

#include "base/memory_access.hpp"

namespace halfulp {

namespace {

// The working form while a long run is added: one bin for each exponent field, which takes the
// significands (or their squares) of the elements with that exponent as plain integers. A bin has
// room for `capacity` terms; then the bins are emptied into the limbs.
template <float_element T, power P>
struct exponent_bins {
  using format = float_format<T>;
  static constexpr int bin_bits = static_cast<int>(P) * format::precision;
  using bin = std::conditional_t<(bin_bits > 48), uint128, std::uint64_t>;
  static constexpr int spare_bits = 8 * static_cast<int>(sizeof(bin)) - bin_bits;
  static constexpr std::int64_t capacity = std::int64_t{1} << std::min(spare_bits, 40);
  static constexpr std::size_t fields = std::size_t{1} << format::exponent_bits;

  // Field 0 (subnormals) has the unit of field 1; the last field is NaN and infinity.
  static constexpr int shift_of(std::size_t field) {
    return static_cast<int>(P) * (field == 0 ? 0 : static_cast<int>(field) - 1);
  }
};

// The same for doubles, which have so many exponents that one bin for each would not pay: bins for
// every 32 bits of the sum. A term is cut into parts of 32 bits, whose sums are kept apart until
// the end: that keeps them independent of each other. Bins have room for 2^30 terms at least.
template <power P>
class digit_bins {
 public:
  static constexpr std::size_t limb_count = exact_sum<double, P>::limb_count;
  static constexpr std::int64_t capacity = std::int64_t{1} << 30;

  // Adds a significand, or its square, times 2^shift.
  void add(std::uint64_t significand, unsigned shift) noexcept {
    const std::size_t digit = shift / 32;
    shift %= 32;
    if constexpr (P == power::abs) {
      add_word(digit, significand, shift, 0);
    } else {
      const uint128 square = uint128{significand} * significand;
      add_word(digit, low_word(square), shift, 0);
      add_word(digit, high_word(square), shift, 2);
    }
  }

  // Takes what is in `other`.
  void merge(const digit_bins& other) noexcept {
    for (std::size_t part = 0; part < parts; ++part) {
      for (std::size_t i = 0; i < digits; ++i) bins_[part][i] += other.bins_[part][i];
    }
  }

  limbs<limb_count> value() const noexcept {
    limbs<limb_count> sum;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      std::uint64_t digit = carry;
      for (std::size_t part = 0; part < std::min(parts, i + 1); ++part) {
        digit += bins_[part][i - part];
      }
      sum.words[i / 2] |= (digit & low_half) << (i % 2 * 32);
      carry = digit >> 32;
    }
    return sum;
  }

 private:
  static constexpr std::size_t digits = 2 * limb_count;
  static constexpr std::size_t parts = P == power::abs ? 3 : 5;
  static constexpr std::uint64_t low_half = 0xffffffff;

  void add_word(std::size_t digit, std::uint64_t word, unsigned shift, std::size_t part) noexcept {
    bins_[part][digit] += (word << shift) & low_half;
    bins_[part + 1][digit] += (word >> (32 - shift)) & low_half;
    bins_[part + 2][digit] += (word >> 1) >> (63 - shift);
  }

  std::array<std::array<std::uint64_t, digits>, parts> bins_{};
};

// Below this many elements, clearing and emptying the bins would cost more than the carries that
// they save.
template <float_element T, power P>
constexpr std::int64_t shortest_binned_run =
    std::same_as<T, double> ? 32 : static_cast<std::int64_t>(exponent_bins<T, P>::fields) / 2;

constexpr std::uint64_t magnitude(std::int32_t x) noexcept {
  return x < 0 ? 0 - static_cast<std::uint32_t>(x) : static_cast<std::uint32_t>(x);
}
constexpr std::uint64_t magnitude(std::int64_t x) noexcept {
  return x < 0 ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
}
constexpr std::uint64_t magnitude(std::uint32_t x) noexcept { return x; }
constexpr std::uint64_t magnitude(std::uint64_t x) noexcept { return x; }

template <power P>
constexpr uint128 term(std::uint64_t magnitude) noexcept {
  return P == power::abs ? uint128{magnitude} : uint128{magnitude} * magnitude;
}

}  // namespace

template <element T, power P>
void exact_sum<T, P>::add_one_by_one(const std::byte* data, std::int64_t count,
                                     std::int64_t stride) noexcept
  requires float_element<T>
{
  using format = float_format<T>;
  for (; count > 0; --count, data += stride) {
    const T x = load<T>(data);
    if (is_nan(x)) {
      nan_ = true;
    } else if (is_infinite(x)) {
      infinity_ = true;
    } else {
      const decomposed d = decompose(x);
      sum_.add_shifted(term<P>(d.significand),
                       static_cast<int>(P) * (d.exponent - format::min_exponent));
    }
  }
}

template <element T, power P>
void exact_sum<T, P>::add_binned(const std::byte* data, std::int64_t count,
                                 std::int64_t stride) noexcept
  requires(float_element<T> && !std::same_as<T, double>)
{
  using format = float_format<T>;
  using bins = exponent_bins<T, P>;
  std::array<typename bins::bin, bins::fields> bin{};
  while (count > 0) {
    const std::int64_t run = std::min(count, bins::capacity);
    const std::byte* p = data;
    for (std::int64_t i = 0; i < run; ++i, p += stride) {
      const auto bits = to_bits(load<T>(p)) & format::magnitude_mask;
      const auto field = static_cast<std::size_t>(bits >> format::fraction_bits);
      const std::uint64_t significand =
          (bits & format::fraction_mask) | (std::uint64_t{field != 0} << format::fraction_bits);
      bin[field] += static_cast<typename bins::bin>(term<P>(significand));
    }
    auto& special = bin[bins::fields - 1];
    if (special != 0) {
      p = data;
      for (std::int64_t i = 0; i < run; ++i, p += stride) {
        const T x = load<T>(p);
        nan_ |= is_nan(x);
        infinity_ |= is_infinite(x);
      }
      special = 0;
    }
    for (std::size_t field = 0; field < bins::fields; ++field) {
      if (bin[field] == 0) continue;
      sum_.add_shifted(bin[field], bins::shift_of(field));
      bin[field] = 0;
    }
    data += run * stride;
    count -= run;
  }
}

template <element T, power P>
void exact_sum<T, P>::add_by_digits(const std::byte* data, std::int64_t count,
                                    std::int64_t stride) noexcept
  requires std::same_as<T, double>
{
  using format = float_format<T>;
  while (count > 0) {
    // In turns: neighbours often have the same exponent, and an addition to memory waits for the
    // one before. Clearing and adding up more of them would cost more than that.
    std::array<digit_bins<P>, P == power::abs ? 4 : 2> bins;
    const std::int64_t run = std::min(count, digit_bins<P>::capacity);
    const auto add = [&](digit_bins<P>& to) {
      const T x = load<T>(data);
      data += stride;
      const std::uint64_t bits = to_bits(x) & format::magnitude_mask;
      const auto field = static_cast<unsigned>(bits >> format::fraction_bits);
      if (bits >= format::infinity) {
        (is_nan(x) ? nan_ : infinity_) = true;
        return;
      }
      const std::uint64_t normal = field != 0;
      to.add((bits & format::fraction_mask) | (normal << format::fraction_bits),
             static_cast<unsigned>(P) * (field - static_cast<unsigned>(normal)));
    };
    constexpr auto turns = static_cast<std::int64_t>(bins.size());
    for (std::int64_t i = 0; i < run / turns; ++i) {
      for (digit_bins<P>& b : bins) add(b);
    }
    for (std::int64_t i = 0; i < run % turns; ++i) add(bins[0]);
    for (std::size_t i = 1; i < bins.size(); ++i) bins[0].merge(bins[i]);
    sum_ += bins[0].value();
    count -= run;
  }
}

template <element T, power P>
void exact_sum<T, P>::add_integers(const std::byte* data, std::int64_t count,
                                   std::int64_t stride) noexcept
  requires integer_element<T>
{
  uint128 sum = 0;
  std::uint64_t carries = 0;
  for (; count > 0; --count, data += stride) {
    const uint128 t = term<P>(magnitude(load<T>(data)));
    sum += t;
    carries += sum < t;
  }
  sum_.add_shifted(sum, 0);
  sum_.add_shifted(carries, 128);
}

template <element T, power P>
void exact_sum<T, P>::add(const std::byte* data, std::int64_t count, std::int64_t stride) noexcept {
  if constexpr (integer_element<T>) {
    add_integers(data, count, stride);
  } else if (count < shortest_binned_run<T, P>) {
    add_one_by_one(data, count, stride);
  } else if constexpr (std::same_as<T, double>) {
    add_by_digits(data, count, stride);
  } else {
    add_binned(data, count, stride);
  }
}

#define HALFULP_INSTANTIATE(T)             \
  template class exact_sum<T, power::abs>; \
  template class exact_sum<T, power::square>;
HALFULP_INSTANTIATE(bfloat16)
HALFULP_INSTANTIATE(float16)
HALFULP_INSTANTIATE(float)
HALFULP_INSTANTIATE(double)
HALFULP_INSTANTIATE(std::int32_t)
HALFULP_INSTANTIATE(std::int64_t)
HALFULP_INSTANTIATE(std::uint32_t)
HALFULP_INSTANTIATE(std::uint64_t)
#undef HALFULP_INSTANTIATE

}  // namespace halfulp
