// The caller's floating-point environment: no influence on the bits, and left as it was.
// SPDX-License-Identifier: Apache-2.0
#include <fenv.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "numerics/support/check.hpp"
#include "numerics/support/construct.hpp"
#include "numerics/support/draw.hpp"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace oracle {
namespace {

// Slices that another rounding mode or flushed subnormals would spoil, with what is right.
struct example {
  question asked;
  std::vector<bits> slice;
  std::vector<bits> expected;
};

std::vector<example> examples() {
  std::vector<example> all;
  random_source random(61);
  for (const dtype input : all_types) {
    for (const question& asked : questions_of(input)) {
      for (int i = 0; i < scaled(30); ++i) {
        std::vector<bits> slice;
        if (i % 3 == 0 && asked.op != operation::normalize) {
          slice = reduction_at_boundary(asked, random).value_or(std::vector<bits>{1});
        } else {
          const character kind =
              i % 3 == 1 ? character::subnormal : random.any_of(characters(input));
          slice = draw(kind, input, 1 + random.below(100), random);
        }
        all.push_back({asked, slice, answer(asked, slice)});
      }
    }
  }
  return all;
}

// plan::run between two switches of the environment, with nothing of the test in between that
// computes in floating point.
class under {
 public:
  under(std::string name, std::function<void()> enter) : name_(std::move(name)), enter_(enter) {}

  void check(const std::vector<example>& all) const {
    for (const example& e : all) {
      halfulp::options options;
      options.output_type = e.asked.output;
      options.p = e.asked.p;
      const std::vector<std::byte> input = pack(e.asked.input, e.slice);
      const halfulp::plan plan(op_of(e.asked.op),
                               {e.asked.input, {static_cast<std::int64_t>(e.slice.size())}, {}},
                               options);
      std::vector<std::byte> output(e.expected.size() * bytes_of(e.asked.output));

      fenv_t outside;
      ASSERT_EQ(fegetenv(&outside), 0);
      enter_();
      const state before = read();
      plan.run(input.data(), output.data());
      const state after = read();
      ASSERT_EQ(fesetenv(&outside), 0);

      ASSERT_EQ(after, before) << name_ << ": " << text_of(e.asked);
      ASSERT_EQ(output, pack(e.asked.output, e.expected))
          << name_ << ": " << text_of(e.asked) << " of " << text_of(e.asked.input, e.slice);
    }
  }

 private:
  struct state {
    int rounding, exceptions;
    unsigned control;  // SSE's control and status word, where there is one
    bool operator==(const state&) const = default;
  };
  friend std::ostream& operator<<(std::ostream& out, const state& s) {
    return out << fmt::format("rounding {}, exceptions {:#x}, control {:#x}", s.rounding,
                              s.exceptions, s.control);
  }
  static state read() {
    state now{fegetround(), fetestexcept(FE_ALL_EXCEPT), 0};
#if defined(__SSE2__)
    now.control = _mm_getcsr();
#endif
    return now;
  }

  std::string name_;
  std::function<void()> enter_;
};

class environment : public testing::Test {
 protected:
  static const std::vector<example>& all() {
    static const std::vector<example> made = examples();
    return made;
  }
};

TEST_F(environment, every_rounding_mode) {
  under("to nearest", [] { fesetround(FE_TONEAREST); }).check(all());
  under("upward", [] { fesetround(FE_UPWARD); }).check(all());
  under("downward", [] { fesetround(FE_DOWNWARD); }).check(all());
  under("toward zero", [] { fesetround(FE_TOWARDZERO); }).check(all());
}

TEST_F(environment, exception_flags_stay_as_they_are) {
  under("no flag", [] { feclearexcept(FE_ALL_EXCEPT); }).check(all());
  under("inexact set", [] {
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_INEXACT);
  }).check(all());
  under("all set", [] { feraiseexcept(FE_ALL_EXCEPT); }).check(all());
}

#if defined(__SSE2__)
TEST_F(environment, flushed_subnormals) {
  under("FTZ and DAZ", [] { _mm_setcsr(_mm_getcsr() | 0x8040); }).check(all());
  under("FTZ, DAZ and upward", [] {
    fesetround(FE_UPWARD);
    _mm_setcsr(_mm_getcsr() | 0x8040);
  }).check(all());
}
#endif

#if defined(__GLIBC__) && defined(__x86_64__)
TEST_F(environment, enabled_traps_do_not_fire) {
  under("traps", [] {
    feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(FE_DIVBYZERO | FE_INEXACT | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW);
  }).check(all());
}
#endif

}  // namespace
}  // namespace oracle
