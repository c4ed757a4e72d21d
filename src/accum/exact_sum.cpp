// SPDX-License-Identifier: Apache-2.0
#include "accum/exact_sum.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <array>
#include <concepts>

#include "base/memory_access.hpp"

namespace halfulp {

namespace {

// The working form while a long run is added: a bin for every `bin_step` bits of the sum. A term is
// cut into pieces of `piece_bits` and shifted to where the bin below its lowest bit begins; its
// pieces go to every `bins_per_piece`-th bin from there on.
constexpr int bin_step = 16;
constexpr int piece_bits = 32;
constexpr std::size_t bins_per_piece = piece_bits / bin_step;

// Elements taken apart into exponents and significands.
template <float_element T, power P>
class element_block {
 public:
  static constexpr std::size_t size = 64;

  // Takes apart `count` elements, at most `size`; what is left of the block is zero. Returns
  // whether all are finite; others count as some finite ones, unless they are left out.
  bool take_apart(const std::byte* data, std::int64_t count, std::int64_t stride) noexcept {
    if (count == std::int64_t{size} && stride == std::int64_t{sizeof(T)}) return take_apart(data);
    std::array<T, size> copy{};
    for (std::int64_t i = 0; i < count; ++i) {
      copy[static_cast<std::size_t>(i)] = load<T>(data + i * stride);
    }
    return take_apart(reinterpret_cast<const std::byte*>(copy.data()));
  }

  void leave_out(std::size_t i) noexcept { low_[i] = high_[i] = 0; }

  // The significand of element i is high * 2^32 + low; its term, that to the power of P, times
  // 2^(bin_step * bin + shift) units, with shift < bin_step.
  static constexpr bool has_high = std::same_as<T, double>;
  std::uint64_t low(std::size_t i) const noexcept { return low_[i]; }
  std::uint64_t high(std::size_t i) const noexcept { return high_[i]; }
  std::uint32_t bin(std::size_t i) const noexcept { return bin_[i]; }
  std::uint32_t shift(std::size_t i) const noexcept { return shift_[i]; }

 private:
  using format = float_format<T>;
  using words = std::array<std::uint32_t, size>;

  static constexpr int low_bits = has_high ? 32 : 0;
  static constexpr int fraction_bits = format::fraction_bits - low_bits;
  static constexpr std::uint32_t implicit_bit = std::uint32_t{1} << fraction_bits;
  static constexpr auto magnitude_mask =
      static_cast<std::uint32_t>(format::magnitude_mask >> low_bits);
  static constexpr std::uint32_t exponents_per_bin = bin_step / static_cast<std::uint32_t>(P);

  // Compilers make vector code of this, also for processors of which they know nothing: the length
  // is known, the words have 32 bits, and no two shifts of a vector differ.
  bool take_apart(const std::byte* data) noexcept {
    words& upper = has_high ? high_ : low_;
    std::uint32_t seen = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const auto bits = to_bits(load<T>(data + i * sizeof(T)));
      const auto magnitude = static_cast<std::uint32_t>(bits >> low_bits) & magnitude_mask;
      const std::uint32_t field = magnitude >> fraction_bits;
      // Field 0 (subnormals) has the unit of field 1, and no implicit bit.
      const std::uint32_t exponent = field - std::uint32_t{field != 0};
      if constexpr (has_high) low_[i] = static_cast<std::uint32_t>(bits);
      upper[i] = magnitude - (exponent << fraction_bits);
      bin_[i] = exponent / exponents_per_bin;
      shift_[i] = exponent % exponents_per_bin * static_cast<std::uint32_t>(P);
      seen |= magnitude + implicit_bit;  // carries for the last field, that of NaN and infinity
    }
    return (seen & (magnitude_mask + 1)) == 0;
  }

  words low_, high_, bin_, shift_;
};

// A term brings a bin no more than one piece, below 2^piece_bits * 2^(bin_step - 1). So `capacity`
// terms stay below 2^64 in a bin, those of all turns together.
template <float_element T, power P>
class sum_bins {
 public:
  using block = element_block<T, P>;
  static constexpr std::int64_t capacity = std::int64_t{1} << (64 - piece_bits - (bin_step - 1));
  static constexpr std::size_t limb_count = exact_sum<T, P>::limb_count;

  // Adds the first `count` elements of a block that ends in zeros.
  void add(const block& elements, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; i += turns) {
      for (std::size_t turn = 0; turn < turns; ++turn) add(elements, i + turn, bins_[turn]);
    }
  }

  // Adds what is in the bins to `sum`. After that they are of no use.
  void empty_into(limbs<limb_count>& sum) noexcept {
    for (std::size_t turn = 1; turn < turns; ++turn) {
      for (std::size_t i = 0; i < bin_count; ++i) bins_[0][i] += bins_[turn][i];
    }
    for (std::size_t limb = 0; limb < limb_count; ++limb) {
      const std::uint64_t* bin = &bins_[0][bins_per_limb * limb];
      uint128 v = 0;  // stays below 2^(64 + 64 - bin_step + 1)
      for (std::size_t i = 0; i < bins_per_limb; ++i) v += uint128{bin[i]} << (bin_step * i);
      // Most data have few of all exponents.
      if (v != 0) sum.add_shifted(v, static_cast<int>(64 * limb));
    }
  }

 private:
  using format = float_format<T>;
  static constexpr int significant_bits = static_cast<int>(P) * format::precision;

  static constexpr std::size_t bins_per_limb = 64 / bin_step;
  static constexpr std::size_t bin_count = bins_per_limb * limb_count;
  using bins = std::array<std::uint64_t, bin_count>;

  // The highest piece of the largest term has a bin. NaN and infinity, one field above, have the
  // same one or the next.
  static_assert(static_cast<std::size_t>(term_bits<T, P>() - significant_bits) / bin_step + 1 +
                    (significant_bits - 1) / piece_bits * bins_per_piece <
                bin_count);

  // Neighbours often have the same exponent, and an addition to memory waits for the one before.
  // Doubles have more bins to clear and to empty.
  static constexpr std::size_t turns = block::has_high ? 2 : 4;
  static_assert(block::size % turns == 0 && capacity % block::size == 0);

  static void add(const block& elements, std::size_t i, bins& to) noexcept {
    const std::uint32_t shift = elements.shift(i);
    std::uint64_t* bin = to.data() + elements.bin(i);
    if constexpr (P == power::abs) {
      bin[0] += elements.low(i) << shift;
      if constexpr (block::has_high) bin[bins_per_piece] += elements.high(i) << shift;
    } else if constexpr (!block::has_high) {
      add_word<significant_bits>(elements.low(i) * elements.low(i), shift, bin);
    } else {
      const std::uint64_t significand = elements.high(i) << 32 | elements.low(i);
      const uint128 square = uint128{significand} * significand;
      add_word<64>(low_word(square), shift, bin);
      add_word<significant_bits - 64>(high_word(square), shift, bin + 2 * bins_per_piece);
    }
  }

  // Adds the pieces of a word of so many bits.
  template <int bits>
  static void add_word(std::uint64_t word, std::uint32_t shift, std::uint64_t* bin) noexcept {
    constexpr std::uint64_t piece_mask = (std::uint64_t{1} << piece_bits) - 1;
    bin[0] += (word & piece_mask) << shift;
    if constexpr (bits > piece_bits) bin[bins_per_piece] += (word >> piece_bits) << shift;
  }

  std::array<bins, turns> bins_{};
};

// Below this many elements, clearing and emptying the bins would cost more than the carries that
// they save.
template <float_element T>
constexpr std::int64_t shortest_binned_run = std::same_as<T, double> ? 64 : 32;

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
  requires float_element<T>
{
  element_block<T, P> block;
  constexpr auto size = static_cast<std::int64_t>(block.size);
  while (count > 0) {
    sum_bins<T, P> bins;
    for (std::int64_t room = bins.capacity; count > 0 && room > 0; room -= size) {
      const std::int64_t n = std::min(count, size);
      if (!block.take_apart(data, n, stride)) {
        for (std::int64_t i = 0; i < n; ++i) {
          const T x = load<T>(data + i * stride);
          if (!is_nan(x) && !is_infinite(x)) continue;
          (is_nan(x) ? nan_ : infinity_) = true;
          block.leave_out(static_cast<std::size_t>(i));
        }
      }
      data += n * stride;
      count -= n;
      // Elements far apart are cache lines of their own, which no processor foresees across pages.
      if (stride != static_cast<std::int64_t>(sizeof(T))) {
        for (std::int64_t i = 0; i < std::min(count, size); ++i) hwy::Prefetch(data + i * stride);
      }
      bins.add(block, static_cast<std::size_t>(n));
    }
    bins.empty_into(sum_);
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
  } else if (count < shortest_binned_run<T>) {
    add_one_by_one(data, count, stride);
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
