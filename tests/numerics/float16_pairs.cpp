// All unordered pairs of float16 magnitudes through ReduceL1 and ReduceL2, checked in integers.
// SPDX-License-Identifier: Apache-2.0
//
//   float16_pairs STRIDE     every STRIDE-th magnitude with all that are not below it; 1 for all
//
// A finite magnitude is X units of 2^-24. The output Y of an exact result R is right iff R lies
// between the midpoints to Y's neighbours, and on one of them only if Y is even. With twice the
// midpoints as integers, L = Y_before + Y and H = Y + Y_after, that is
//
//   L <= 2 (A + B) <= H          for ReduceL1
//   L^2 <= 4 (A^2 + B^2) <= H^2  for ReduceL2, in less than 86 bits
//
// Infinity takes the place of the value after the largest finite one, 2^16.
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "halfulp/halfulp.hpp"

namespace {

__extension__ using uint128 = unsigned __int128;

constexpr std::uint16_t infinity = 0x7c00;

// In units of 2^-24.
std::uint64_t value_of(std::uint16_t pattern) {
  const std::uint64_t field = pattern >> 10, fraction = pattern & 0x3ff;
  return field == 0 ? fraction : (fraction | 0x400) << (field - 1);
}

// Twice the midpoints around an output: below infinity everything, above it nothing is too far.
struct neighbourhood {
  explicit neighbourhood(std::uint16_t y)
      : low(y == 0 ? 0 : value_of(static_cast<std::uint16_t>(y - 1)) + value_of(y)),
        high(y == infinity ? std::uint64_t{1} << 42
                           : value_of(y) + value_of(static_cast<std::uint16_t>(y + 1))),
        even(y % 2 == 0) {}
  std::uint64_t low, high;
  bool even;
};

bool encloses(uint128 low, uint128 twice, uint128 high, bool even) {
  return even ? low <= twice && twice <= high : low < twice && twice < high;
}

class checker {
 public:
  checker() {
    for (std::uint16_t y = 0; y <= infinity; ++y) {
      values_.push_back(value_of(y));
      neighbourhoods_.emplace_back(y);
    }
  }

  // All pairs of `first` and a magnitude that is not below it, as rows or as columns of two.
  bool check(std::uint16_t first, bool columns) {
    const std::int64_t count = infinity - first;
    pairs_.resize(static_cast<std::size_t>(2 * count));
    for (std::int64_t i = 0; i < count; ++i) {
      const auto second = halfulp::float16::from_bits(static_cast<std::uint16_t>(first + i));
      pairs_[static_cast<std::size_t>(columns ? i : 2 * i)] = halfulp::float16::from_bits(first);
      pairs_[static_cast<std::size_t>(columns ? count + i : 2 * i + 1)] = second;
    }
    std::vector<std::int64_t> shape{count, 2};
    if (columns) shape = {2, count};
    const auto view = halfulp::view_of(std::span<const halfulp::float16>(pairs_), shape);
    halfulp::options options;
    options.axes = {{columns ? 0 : 1}};
    const halfulp::tensor sums = halfulp::reduce_l1(view, options);
    const halfulp::tensor roots = halfulp::reduce_l2(view, options);
    const auto sum = sums.elements<halfulp::float16>();
    const auto root = roots.elements<halfulp::float16>();
    if (sum.size() != static_cast<std::size_t>(count) || root.size() != sum.size()) {
      std::printf("the output has another size\n");
      return false;
    }
    bool right = true;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto second = static_cast<std::uint16_t>(first + i);
      const auto at = static_cast<std::size_t>(i);
      right &= check_l1(first, second, sum[at].bits);
      right &= check_l2(first, second, root[at].bits);
    }
    return right;
  }

 private:
  bool check_l1(std::uint16_t a, std::uint16_t b, std::uint16_t y) const {
    if (y <= infinity) {
      const neighbourhood& n = neighbourhoods_[y];
      if (encloses(n.low, 2 * (values_[a] + values_[b]), n.high, n.even)) return true;
    }
    return report("ReduceL1", a, b, y);
  }

  bool check_l2(std::uint16_t a, std::uint16_t b, std::uint16_t y) const {
    if (y <= infinity) {
      const neighbourhood& n = neighbourhoods_[y];
      const uint128 squares = uint128{values_[a]} * values_[a] + uint128{values_[b]} * values_[b];
      if (encloses(uint128{n.low} * n.low, 4 * squares, uint128{n.high} * n.high, n.even)) {
        return true;
      }
    }
    return report("ReduceL2", a, b, y);
  }

  static bool report(const char* op, std::uint16_t a, std::uint16_t b, std::uint16_t y) {
    static int reports = 0;
    if (++reports <= 20) std::printf("%s of %04x and %04x is not %04x\n", op, a, b, y);
    return false;
  }

  std::vector<std::uint64_t> values_;
  std::vector<neighbourhood> neighbourhoods_;
  std::vector<halfulp::float16> pairs_;
};

}  // namespace

int main(int argc, char** argv) {
  const long stride = argc == 2 ? std::strtol(argv[1], nullptr, 10) : 0;
  if (stride < 1) {
    std::fprintf(stderr, "usage: float16_pairs STRIDE\n");
    return 2;
  }
  checker all;
  bool right = true;
  std::uint64_t pairs = 0;
  for (long first = 0; first < infinity; first += stride) {
    const auto magnitude = static_cast<std::uint16_t>(first);
    right &= all.check(magnitude, (first / stride) % 2 == 1);
    pairs += infinity - magnitude;
  }
  std::printf("%" PRIu64 " pairs: %s\n", pairs, right ? "every output is right" : "WRONG outputs");
  return right ? 0 : 1;
}
