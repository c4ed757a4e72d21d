// The floating-point environment that the kernels' proofs assume.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace halfulp {

// While it lives, this thread has another floating-point environment; by default the standard one,
// which rounds to nearest even, keeps subnormals (no flush-to-zero, no denormals-are-zero) and
// traps nothing. Afterwards everything is as before, exception flags included.
class fp_environment {
 public:
#if defined(__x86_64__)
  using state = unsigned;
  static constexpr state standard = 0x1f80;  // MXCSR: all exceptions masked, the rest 0
#elif defined(__aarch64__)
  struct state {
    std::uint64_t control, status;
  };
  static constexpr state standard = {0, 0};
#else
#error "halfulp knows the floating-point environment of x86-64 and AArch64 only"
#endif

  explicit fp_environment(state wanted = standard) noexcept : saved_(current()) { set(wanted); }
  ~fp_environment() { set(saved_); }
  fp_environment(const fp_environment&) = delete;
  fp_environment& operator=(const fp_environment&) = delete;

  static state current() noexcept {
#if defined(__x86_64__)
    return _mm_getcsr();
#else
    state s;
    asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(s.control), "=r"(s.status)::"memory");
    return s;
#endif
  }

 private:
  static void set(state s) noexcept {
#if defined(__x86_64__)
    _mm_setcsr(s);
#else
    asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" ::"r"(s.control), "r"(s.status) : "memory");
#endif
  }

  state saved_;
};

}  // namespace halfulp
