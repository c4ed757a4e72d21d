// The rounding test of quotients: what it is certain of is the exact quotient, and no element
// hides what another one leaves open.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "accum/certificate.hpp"
#include "accum/exact_quotient.hpp"
#include "kernels/quotient.hpp"
#include "kernels/stream.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/construct.hpp"
#include "numerics/support/draw.hpp"
#include "numerics/support/random_source.hpp"
#include "unit/support/float128.hpp"
#include "unit/support/guarded_array.hpp"
#include "unit/support/targets.hpp"

namespace halfulp {
namespace {

using oracle::random_source;

template <typename T>
std::vector<T> elements(const std::vector<oracle::bits>& patterns) {
  std::vector<T> x;
  for (const oracle::bits b : patterns) {
    x.push_back(from_bits<T>(static_cast<typename float_format<T>::bits_type>(b)));
  }
  return x;
}

// One norm's reciprocal.
struct reciprocal {
  double a = 0, b = 0;
  float h = 0, low = 0, high = 0;
  double error = 0;
};

// A slice with its norm, exactly and as the kernels get it.
template <typename T>
struct divided {
  std::vector<T> x;
  exact_divisor exact;
  reciprocal approximate;
};

template <typename T, typename Out, power P>
divided<T> divided_by(const std::vector<T>& x, const exact_divisor& exact, double hi, double lo,
                      double bound) {
  const kernels::norm_sums sums{&hi, &lo, bound, 0};
  reciprocal r;
  r.error = sums.reciprocal_error(P);
  constexpr auto index = static_cast<std::size_t>(P) - 1;
  EXPECT_TRUE((kernels::quotient_kernels_of<T, Out>().reciprocate[index](
      sums, 1, {&r.a, &r.b, &r.h, &r.low, &r.high})));
  return {x, exact, r};
}

// By the norm, off by up to `bound`, where the kernels are given one.
template <typename T, power P, typename Out>
std::optional<divided<T>> divided_by_norm(const std::vector<T>& x, double bound,
                                          random_source& random) {
  exact_sum<T, P> sum;
  sum.add(reinterpret_cast<const std::byte*>(x.data()), std::ssize(x), sizeof(T));
  if (sum.has_nan() || sum.has_infinity() || bit_width(sum.value().limbs) == 0) return {};
  float128 s = to_float128(sum.value());
  // The kernels take what is in the pair range after it was rounded.
  if (s < 2 * pair_range_lowest || s > pair_range_highest / 2) return {};
  s *= 1 + static_cast<float128>(bound) * (random.unit() - 0.5);
  const auto hi = static_cast<double>(s);
  return divided_by<T, Out, P>(x, exact_divisor(sum.value(), static_cast<int>(P)), hi,
                               static_cast<double>(s - hi), bound);
}

template <typename T, typename Out>
std::optional<divided<T>> divided_by_norm(const std::vector<T>& x, int p, double bound,
                                          random_source& random) {
  return p == 1 ? divided_by_norm<T, power::abs, Out>(x, bound, random)
                : divided_by_norm<T, power::square, Out>(x, bound, random);
}

template <typename T, typename Out>
divided<T> divided_by_eps(const std::vector<T>& x, double eps) {
  return divided_by<T, Out, power::abs>(x, exact_divisor(eps), eps, 0, 0);
}

template <typename T, typename Out>
Out exact_quotient(const exact_divisor& divisor, T x) {
  return with_sign(divisor.quotient<Out>(decompose(x)), is_negative(x));
}

// Memory for as many elements as any test divides, mapped once.
template <typename T, typename Out>
struct guarded_memory {
  static constexpr std::size_t most = 200;
  guarded_array<T> x{most};
  guarded_array<Out> y{most};
  guarded_array<double> a{most}, b{most};
  guarded_array<float> h{most}, low{most}, high{most};
};

// Elements with a reciprocal each, null where they have none, all of them right before guards. Only
// one object at a time.
template <typename T, typename Out>
class division {
 public:
  division(const std::vector<T>& x, const std::vector<const divided<T>*>& divisors)
      : divisors_(divisors) {
    static guarded_memory<T, Out> memory;
    const std::size_t n = x.size();
    x_ = memory.x.last(n);
    y_ = memory.y.last(n);
    a_ = memory.a.last(n);
    b_ = memory.b.last(n);
    h_ = memory.h.last(n);
    low_ = memory.low.last(n);
    high_ = memory.high.last(n);
    for (std::size_t i = 0; i < n; ++i) {
      x_[i] = x[i];
      const reciprocal r = divisors[i] == nullptr ? reciprocal{} : divisors[i]->approximate;
      a_[i] = r.a;
      b_[i] = r.b;
      h_[i] = r.h;
      low_[i] = r.low;
      high_[i] = r.high;
      error_ = std::max(error_, r.error);
    }
  }

  // Whether the kernel is certain; then every quotient whose element has a reciprocal is right.
  bool by_each(const kernels::quotient_traffic& traffic = {}) {
    return checked(kernels::quotient_kernels_of<T, Out>().by_each, traffic);
  }
  bool by_one(const kernels::quotient_traffic& traffic = {}) {
    return checked(kernels::quotient_kernels_of<T, Out>().by_one, traffic);
  }

 private:
  bool checked(typename kernels::quotient_kernels<T, Out>::function kernel,
               const kernels::quotient_traffic& traffic) {
    const bool certain =
        kernel(x_.data(), y_.data(), static_cast<std::int64_t>(x_.size()),
               {a_.data(), b_.data(), h_.data(), low_.data(), high_.data(), error_,
                kernels::least_divided(a_.data(), h_.data(), static_cast<std::int64_t>(a_.size()))},
               traffic);
    if (traffic.stream) kernels::end_stream();
    if (!certain) return false;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (divisors_[i] == nullptr) continue;
      const Out expected = exact_quotient<T, Out>(divisors_[i]->exact, x_[i]);
      EXPECT_EQ(to_bits(y_[i]), to_bits(expected)) << "element " << i << " of " << x_.size();
    }
    return true;
  }

  std::span<T> x_;
  std::span<Out> y_;
  std::span<double> a_, b_;
  std::span<float> h_, low_, high_;
  std::vector<const divided<T>*> divisors_;
  double error_ = 0;
};

template <typename T, typename Out>
bool certain_by_one(const divided<T>& slice, const std::vector<T>& x,
                    const kernels::quotient_traffic& traffic = {}) {
  return division<T, Out>(x, std::vector(x.size(), &slice)).by_one(traffic);
}

// Any number of the slice's elements, and each of them alone.
template <typename T, typename Out>
void expect_right(const divided<T>& slice, random_source& random) {
  std::vector<T> some(random.once_in(4) ? 64 * (1 + random.below(3)) : 1 + random.below(200));
  for (T& v : some) v = random.any_of(slice.x);
  certain_by_one<T, Out>(slice, some, {random.between(0, 1) * 4096, random.once_in(2)});
  for (const T v : slice.x) certain_by_one<T, Out>(slice, {v});
}

// Slices with something to say about rounding, each divided by its norm or by eps.
template <typename T, typename Out>
std::vector<divided<T>> hard_slices(random_source& random) {
  std::vector<divided<T>> slices;
  for (const int p : {1, 2}) {
    const oracle::question question{oracle::operation::normalize, dtype_of<T>, dtype_of<Out>, p};
    std::vector<std::vector<oracle::bits>> found;
    found.push_back(oracle::draw(random.any_of(oracle::characters(dtype_of<T>)), dtype_of<T>,
                                 1 + random.below(20), random));
    if (auto slice = oracle::quotient_at_boundary(question, random)) found.push_back(*slice);
    if (auto slice = oracle::exact_quotient(question, random)) found.push_back(*slice);
    const double bound = std::ldexp(
        1.0, -static_cast<int>(random.any_of(std::vector{104, 104, 90, 60, 50, 41, 40, 30})));
    for (const auto& slice : found) {
      if (auto d = divided_by_norm<T, Out>(elements<T>(slice), p, bound, random)) {
        slices.push_back(*d);
      }
    }
    if (const auto ties = oracle::quotients_by_eps(question, random)) {
      if (in_pair_range(ties->eps)) {
        slices.push_back(divided_by_eps<T, Out>(elements<T>(ties->slice), ties->eps));
      }
    }
  }
  return slices;
}

template <typename T, typename Out>
void try_hard_slices() {
  on_each_target([] {
    random_source random(41);
    for (int i = 0; i < oracle::scaled(100); ++i) {
      const auto slices = hard_slices<T, Out>(random);
      for (const auto& slice : slices) expect_right<T, Out>(slice, random);
      if (slices.empty()) continue;

      // Elements of all of them side by side, and such without a reciprocal, which may be anything.
      std::vector<T> x(1 + random.below(200));
      std::vector<const divided<T>*> divisors(x.size());
      const std::uint64_t without = random.once_in(2) ? 0 : 1 + random.below(40);
      for (std::size_t k = 0; k < x.size(); ++k) {
        if (without != 0 && random.once_in(without)) {
          x[k] =
              elements<T>(oracle::draw(oracle::character::any_pattern, dtype_of<T>, 1, random))[0];
        } else {
          divisors[k] = &random.any_of(slices);
          x[k] = random.any_of(divisors[k]->x);
        }
      }
      division<T, Out>(x, divisors).by_each({0, random.once_in(2)});
    }
  });
}

// Of well-known norms and ordinary elements nearly every quotient is certain.
template <typename T, typename Out>
void expect_mostly_certain() {
  on_each_target([] {
    random_source random(42);
    int certain = 0, tried = 0;
    for (std::size_t n = 1; n <= 200; ++n) {
      const auto x = elements<T>(oracle::draw(oracle::character::normal, dtype_of<T>, n, random));
      const auto slice = divided_by_norm<T, Out>(x, 2, 0x1p-100, random);
      ASSERT_TRUE(slice.has_value());
      certain += certain_by_one<T, Out>(*slice, x) ? 1 : 0;
      certain += division<T, Out>(x, std::vector(n, &*slice)).by_each() ? 1 : 0;
      tried += 2;
    }
    EXPECT_GE(certain, tried * 9 / 10);
  });
}

// An element whose quotient by 2 is a midpoint of Out, where T has one.
template <typename T, typename Out>
std::optional<T> tie_by_two() {
  if constexpr (float_format<T>::min_exponent <= float_format<Out>::min_exponent) {
    return static_cast<T>(std::ldexp(3.0, float_format<Out>::min_exponent));
  } else if constexpr (float_format<T>::precision > float_format<Out>::precision) {
    return static_cast<T>(std::ldexp(1.0, float_format<Out>::precision) + 1);
  }
  return {};
}

// A tie at every place, alone and with NaN or infinity, which has no reciprocal, before and after
// it. Zeros keep their signs beside it.
template <typename T, typename Out>
void expect_ties_seen() {
  const std::optional<T> tie = tie_by_two<T, Out>();
  const T one = static_cast<T>(1.0), zero = from_bits<T>(0);
  const std::vector<T> plain{one, with_sign(one, true), zero, with_sign(zero, true)};
  const divided<T> by_two = divided_by_eps<T, Out>(plain, 2);
  on_each_target([&] {
    random_source random(43);
    for (std::size_t n = 1; n <= 200; ++n) {
      std::vector<T> x(n);
      for (T& v : x) v = random.any_of(plain);
      std::vector<const divided<T>*> divisors(n, &by_two);
      EXPECT_TRUE((division<T, Out>(x, divisors).by_one()));
      EXPECT_TRUE((division<T, Out>(x, divisors).by_each()));
      if (!tie) continue;
      for (int i = 0; i < 10; ++i) {
        const std::size_t at = random.below(n), other = random.below(n);
        const T kept = x[at], other_kept = x[other];
        x[at] = with_sign(*tie, random.once_in(2));
        EXPECT_FALSE((division<T, Out>(x, divisors).by_one()));
        EXPECT_FALSE((division<T, Out>(x, divisors).by_each()));
        if (other != at) {
          x[other] = random.once_in(2) ? quiet_nan<T>() : infinity<T>();
          divisors[other] = nullptr;
          EXPECT_FALSE((division<T, Out>(x, divisors).by_each()));
          divisors[other] = &by_two;
        }
        x[other] = other_kept;
        x[at] = kept;
      }
    }
  });
}

// Norms known so badly that the ends of a quotient could lie on both sides of zero.
TEST(quotients_of_doubles, zeros_keep_their_signs_whatever_the_error) {
  const double one_and_a_bit = 1, bit = 0x1p-53;
  constexpr auto index = static_cast<std::size_t>(power::abs) - 1;
  on_each_target([&] {
    const auto& kernels = kernels::quotient_kernels_of<double, double>();
    for (const double bound : {0x1p-100, 0x1p-62, 0x1p-58, 0x1p-54, 0x1p-50, 0x1p-40}) {
      const kernels::norm_sums sums{&one_and_a_bit, &bit, bound, 0};
      reciprocal r;
      ASSERT_TRUE(kernels.reciprocate[index](sums, 1, {&r.a, &r.b, &r.h, &r.low, &r.high}));
      const kernels::reciprocals divisor{&r.a,
                                         &r.b,
                                         &r.h,
                                         &r.low,
                                         &r.high,
                                         sums.reciprocal_error(power::abs),
                                         kernels::least_divided(&r.a, &r.h, 1)};
      const std::vector<double> x(40, -0.0);
      std::vector<double> y(x.size(), 1);
      if (!kernels.by_one(x.data(), y.data(), std::ssize(x), divisor, {})) continue;
      for (const double v : y) EXPECT_EQ(to_bits(v), to_bits(-0.0)) << "bound " << bound;
    }
  });
}

template <typename T, typename Out>
struct types {
  using input = T;
  using output = Out;
};
template <typename Types>
class quotients : public testing::Test {};
using pairs =
    testing::Types<types<bfloat16, bfloat16>, types<bfloat16, float16>, types<bfloat16, float>,
                   types<bfloat16, double>, types<float16, bfloat16>, types<float16, float16>,
                   types<float16, float>, types<float16, double>, types<float, bfloat16>,
                   types<float, float16>, types<float, float>, types<float, double>,
                   types<double, bfloat16>, types<double, float16>, types<double, float>,
                   types<double, double>>;
TYPED_TEST_SUITE(quotients, pairs);

TYPED_TEST(quotients, certain_ones_are_right) {
  try_hard_slices<typename TypeParam::input, typename TypeParam::output>();
}
TYPED_TEST(quotients, are_mostly_certain) {
  expect_mostly_certain<typename TypeParam::input, typename TypeParam::output>();
}
TYPED_TEST(quotients, ties_are_not_hidden) {
  expect_ties_seen<typename TypeParam::input, typename TypeParam::output>();
}

}  // namespace
}  // namespace halfulp
