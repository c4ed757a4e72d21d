// SPDX-License-Identifier: Apache-2.0
#include "oracle/natural.hpp"

#include <bit>

namespace oracle {

void natural::trim() {
  while (!words_.empty() && words_.back() == 0) words_.pop_back();
}

void natural::add_shifted(std::uint64_t value, std::size_t shift) {
  const std::size_t bit = shift % 32;
  std::size_t at = shift / 32;
  const std::size_t most = at + 4;
  if (words_.size() < most) words_.resize(most);
  const std::uint64_t high = bit == 0 ? 0 : value >> (64 - bit);
  const std::uint64_t low = value << bit;
  std::uint64_t carry = 0;
  const auto add = [&](std::uint64_t part) {
    const std::uint64_t sum = carry + words_[at] + part;
    words_[at] = static_cast<std::uint32_t>(sum);
    carry = sum >> 32;
    ++at;
  };
  add(low & 0xffffffff);
  add(low >> 32);
  add(high);
  while (carry != 0) {
    if (at == words_.size()) words_.push_back(0);
    add(0);
  }
  trim();
}

void natural::add_square_shifted(std::uint64_t value, std::size_t shift) {
  const std::uint64_t low = value & 0xffffffff;
  const std::uint64_t high = value >> 32;
  add_shifted(low * low, shift);
  if (high == 0) return;
  add_shifted(low * high, shift + 33);
  add_shifted(high * high, shift + 64);
}

std::size_t natural::bit_length() const {
  if (words_.empty()) return 0;
  return 32 * (words_.size() - 1) + static_cast<std::size_t>(std::bit_width(words_.back()));
}

std::size_t natural::trailing_zero_bits() const {
  std::size_t at = 0;
  while (words_[at] == 0) ++at;
  return 32 * at + static_cast<std::size_t>(std::countr_zero(words_[at]));
}

std::uint64_t natural::low_64_bits() const {
  std::uint64_t low = words_.empty() ? 0 : words_[0];
  if (words_.size() > 1) low |= std::uint64_t{words_[1]} << 32;
  return low;
}

natural natural::operator<<(std::size_t count) const {
  natural result;
  if (is_zero()) return result;
  const std::size_t bit = count % 32;
  result.words_.resize(count / 32 + words_.size() + 1);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::uint64_t wide = std::uint64_t{words_[i]} << bit;
    result.words_[count / 32 + i] |= static_cast<std::uint32_t>(wide);
    result.words_[count / 32 + i + 1] = static_cast<std::uint32_t>(wide >> 32);
  }
  result.trim();
  return result;
}

natural natural::operator>>(std::size_t count) const {
  natural result;
  const std::size_t skip = count / 32;
  const std::size_t bit = count % 32;
  if (skip >= words_.size()) return result;
  result.words_.resize(words_.size() - skip);
  for (std::size_t i = skip; i < words_.size(); ++i) {
    std::uint64_t wide = words_[i];
    if (i + 1 < words_.size()) wide |= std::uint64_t{words_[i + 1]} << 32;
    result.words_[i - skip] = static_cast<std::uint32_t>(wide >> bit);
  }
  result.trim();
  return result;
}

natural natural::operator*(const natural& other) const {
  natural product;
  if (is_zero() || other.is_zero()) return product;
  product.words_.resize(words_.size() + other.words_.size());
  for (std::size_t i = 0; i < words_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < other.words_.size(); ++j) {
      // At most (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1.
      carry += std::uint64_t{words_[i]} * other.words_[j] + product.words_[i + j];
      product.words_[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product.words_[i + other.words_.size()] = static_cast<std::uint32_t>(carry);
  }
  product.trim();
  return product;
}

std::strong_ordering natural::operator<=>(const natural& other) const {
  if (words_.size() != other.words_.size()) return words_.size() <=> other.words_.size();
  for (std::size_t i = words_.size(); i-- > 0;) {
    if (words_[i] != other.words_[i]) return words_[i] <=> other.words_[i];
  }
  return std::strong_ordering::equal;
}

}  // namespace oracle
