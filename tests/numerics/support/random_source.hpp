// Random numbers that are the same with every standard library.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace oracle {

class random_source {
 public:
  explicit random_source(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t word() { return engine_(); }
  // In [0, count). What the modulo favours does not matter here.
  std::uint64_t below(std::uint64_t count) { return word() % count; }
  // In [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }
  // True once in `count` times.
  bool once_in(std::uint64_t count) { return below(count) == 0; }
  // In [0, 1).
  double unit() { return static_cast<double>(word() >> 11) * 0x1p-53; }

  template <typename T>
  const T& any_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }
  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace oracle
