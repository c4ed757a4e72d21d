// Random elements of many characters.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "numerics/support/random_source.hpp"
#include "oracle/format.hpp"

namespace oracle {

enum class character {
  uniform,         // [-1, 1)
  normal,          // a bell around zero
  wide,            // every exponent of the type, finite values only
  window,          // exponents from a narrow window anywhere
  subnormal,       //
  near_overflow,   // the top binades
  any_pattern,     // every bit pattern, so NaN and infinities too
  small_integers,  // whole numbers, some of them zero
  quantised,       // small whole numbers times one scale
  powers_of_two,   //
  dust,            // one large value among values far below its ulp
  one_value,       // one random value, again and again
  limits,          // the ends of the type's range, zeros, ones
};

const std::vector<character>& characters(dtype type);
const char* text_of(character character);

std::vector<bits> draw(character character, dtype type, std::size_t count, random_source& random);

// The value with the bits that the type has no room for cut off.
bits truncated(dtype type, double value);

}  // namespace oracle
