// SPDX-License-Identifier: Apache-2.0
#include "digests/values.hpp"

#include <array>

#include "digests/random_bits.hpp"

namespace digests {
namespace {

using halfulp::dtype;

// A statement draws one random number: the order of evaluation within an expression is the
// compiler's choice.

random_bits random_of_slice(const data_request& request, const data_place& place) {
  return random_bits(request.seed + place.slice * 0xd1342543de82ef95);
}
random_bits random_of(const data_request& request, const data_place& place) {
  return random_bits(random_of_slice(request, place).word() + place.position * 0xaf251af3b0f025b5);
}

// In (-1, 1), evenly: multiples of 2^-precision.
std::uint64_t uniform(const data_request& request, const data_place& place) {
  const encoding& type = request.input;
  random_bits random = random_of(request, place);
  const std::uint64_t significand = random.bits(type.precision());
  return type.encode(random.sign(), significand, -type.precision());
}

// Any finite number.
std::uint64_t patterns(const data_request& request, const data_place& place) {
  const encoding& type = request.input;
  random_bits random = random_of(request, place);
  const std::uint64_t fraction = random.bits(type.fraction_bits);
  const auto exponent = static_cast<int>(random.below(static_cast<unsigned>(type.top_exponent())));
  return type.assemble(random.sign(), exponent, fraction);
}

// Whole numbers: sums are ties as soon as they have a bit more than the type.
std::uint64_t integers(const data_request& request, const data_place& place) {
  random_bits random = random_of(request, place);
  const std::uint64_t magnitude = random.below(101);
  return request.input.encode(random.sign(), magnitude, 0);
}

// Small integers times a scale of the slice, as weights are quantised.
std::uint64_t quantised(const data_request& request, const data_place& place) {
  random_bits of_slice = random_of_slice(request, place);
  const std::uint64_t scale = 1 + 2 * of_slice.below(3);
  const int exponent = -2 - static_cast<int>(of_slice.below(6));
  random_bits random = random_of(request, place);
  const std::uint64_t magnitude = random.bits(5) * scale;
  return request.input.encode(random.sign(), magnitude, exponent);
}

// Exponents over the middle half of the range, where squares are in range too.
std::uint64_t wide(const data_request& request, const data_place& place) {
  const encoding& type = request.input;
  random_bits random = random_of(request, place);
  const int reach = type.bias() / 2;
  const int exponent =
      static_cast<int>(random.below(2 * static_cast<unsigned>(reach))) - reach + type.bias();
  const std::uint64_t fraction = random.bits(type.fraction_bits);
  return type.assemble(random.sign(), exponent, fraction);
}

// Subnormal numbers, and some of the smallest normal ones.
std::uint64_t subnormal(const data_request& request, const data_place& place) {
  const encoding& type = request.input;
  random_bits random = random_of(request, place);
  const std::uint64_t fraction = random.bits(type.fraction_bits);
  const int exponent = random.once_in(16) ? 1 : 0;
  return type.assemble(random.sign(), exponent, fraction);
}

// The two highest exponents: sums overflow.
std::uint64_t large(const data_request& request, const data_place& place) {
  const encoding& type = request.input;
  random_bits random = random_of(request, place);
  const std::uint64_t fraction = random.bits(type.fraction_bits);
  const int exponent = type.top_exponent() - 2 + static_cast<int>(random.bits(1));
  return type.assemble(random.sign(), exponent, fraction);
}

// The result is the middle between two numbers of the output type in a third of the slices, and
// off it by what one far element brings in the others.
std::uint64_t midpoints(const data_request& request, const data_place& place) {
  const encoding& type = request.input;
  const int target = request.output.precision();
  random_bits of_slice = random_of_slice(request, place);
  const bool negative = random_of(request, place).sign();
  const bool far = !of_slice.once_in(3);
  const bool farthest = of_slice.sign();
  const auto far_element = [&] {
    return !far       ? type.assemble(negative, 0, 0)
           : farthest ? type.assemble(negative, 0, 1)
                      : type.encode(negative, 1, -2 * target);
  };
  // Below: the elements whose sum, or sum of squares, is 1.xxx and half a unit of the output, or
  // whose norm is an odd multiple of half a unit (5m of 3m and 4m).
  switch (request.computed) {
    case measure::sum:
      if (place.position == 0) {
        const std::uint64_t fraction = of_slice.bits(type.fraction_bits);
        return type.assemble(negative, type.bias(), fraction);
      }
      if (place.position == 1) return type.encode(negative, 1, -target);
      break;
    case measure::sum_of_squares: {
      // The first square is below 2 and has no more bits than the output.
      const int bits = (target < type.precision() ? target : type.precision()) / 2 - 2;
      if (place.position == 0) {
        const std::uint64_t one = std::uint64_t{1} << (bits + 1);
        return type.encode(negative, one + of_slice.bits(bits) / 2, -bits - 1);
      }
      // One square of half a unit, or two of a quarter.
      const int pieces = target % 2 == 0 ? 1 : 2;
      if (place.position <= static_cast<std::uint64_t>(pieces)) {
        return type.encode(negative, 1, -(target + 1) / 2);
      }
      break;
    }
    case measure::root_of_squares: {
      const int bits = (target < type.precision() ? target : type.precision()) - 2;
      // Odd, and large enough for 5m to have one bit more than the output.
      const std::uint64_t m = of_slice.bits(bits) | std::uint64_t{7} << (bits - 3) | 1;
      if (place.position < 2) return type.encode(negative, (3 + place.position) * m, -bits - 2);
      break;
    }
  }
  return place.position == 3 ? far_element() : type.assemble(negative, 0, 0);
}

// Ordinary numbers and, now and then, one that is not finite or at an end of the range.
std::uint64_t special(const data_request& request, const data_place& place) {
  const encoding& type = request.input;
  random_bits random = random_of(request, place);
  if (!random.once_in(64)) return uniform(request, place);
  const bool negative = random.sign();
  switch (random.below(5)) {
    case 0:
      return type.assemble(negative, type.top_exponent(), 0);
    case 1:
      return type.assemble(negative, type.top_exponent(), 1 + random.below(type.fraction_mask()));
    case 2:
      return type.assemble(negative, type.top_exponent() - 1, type.fraction_mask());
    case 3:
      return type.assemble(negative, 0, 1);
    default:
      return type.assemble(negative, 0, 0);
  }
}

// Zeros of both signs, and now and then the smallest number.
std::uint64_t zeros(const data_request& request, const data_place& place) {
  const encoding& type = request.input;
  random_bits random = random_of(request, place);
  const std::uint64_t fraction = random.once_in(200) ? 1 : 0;
  return type.assemble(random.sign(), 0, fraction);
}

// The integer types. Bits above an element's are cut off where it is stored.

std::uint64_t any_integer(const data_request& request, const data_place& place) {
  return random_of(request, place).word();
}

// -100 to 100; the unsigned types take the absolute value.
std::uint64_t small_integer(const data_request& request, const data_place& place) {
  random_bits random = random_of(request, place);
  const std::uint64_t value = random.below(101);
  return request.input.has_sign && random.sign() ? 0 - value : value;
}

// Any number of bits.
std::uint64_t wide_integer(const data_request& request, const data_place& place) {
  random_bits random = random_of(request, place);
  const auto bits = static_cast<unsigned>(request.input.bits);
  return random.bits(1 + static_cast<int>(random.below(bits)));
}

// Powers of two and what is beside them, the ends of the range among them.
std::uint64_t extreme_integer(const data_request& request, const data_place& place) {
  random_bits random = random_of(request, place);
  const auto bits = static_cast<unsigned>(request.input.bits);
  const std::uint64_t power = std::uint64_t{1} << random.below(bits);
  return power + random.below(3) - 1;
}

// Zeros, and now and then a one.
std::uint64_t zero_integer(const data_request& request, const data_place& place) {
  return random_of(request, place).once_in(200) ? 1 : 0;
}

constexpr std::array float_families = {
    data_family{"uniform", uniform},   data_family{"patterns", patterns},
    data_family{"integers", integers}, data_family{"quantised", quantised},
    data_family{"wide", wide},         data_family{"subnormal", subnormal},
    data_family{"large", large},       data_family{"midpoints", midpoints},
    data_family{"special", special},   data_family{"zeros", zeros},
};
constexpr std::array integer_families = {
    data_family{"any", any_integer},    data_family{"small", small_integer},
    data_family{"wide", wide_integer},  data_family{"extremes", extreme_integer},
    data_family{"zeros", zero_integer},
};

}  // namespace

std::span<const data_family> families_of(dtype type) {
  if (halfulp::is_float(type)) return float_families;
  return integer_families;
}

}  // namespace digests
