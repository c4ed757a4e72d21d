// The floating-point environment that the kernels' proofs assume.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace halfulp {

// While it lives, this thread rounds to nearest even, keeps subnormals (no flush-to-zero, no
// denormals-are-zero) and traps nothing. Afterwards everything is as before, exception flags
// included.
class fp_environment {
 public:
  fp_environment() noexcept : saved_(get()) { set(standard); }
  ~fp_environment() { set(saved_); }
  fp_environment(const fp_environment&) = delete;
  fp_environment& operator=(const fp_environment&) = delete;

 private:
#if defined(__x86_64__)
  using word = unsigned;
  static constexpr word standard = 0x1f80;  // MXCSR: all exceptions masked, the rest 0
  static word get() noexcept { return _mm_getcsr(); }
  static void set(word w) noexcept { _mm_setcsr(w); }
#elif defined(__aarch64__)
  struct word {
    std::uint64_t control, status;
  };
  static constexpr word standard = {0, 0};
  static word get() noexcept {
    word w;
    asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(w.control), "=r"(w.status)::"memory");
    return w;
  }
  static void set(word w) noexcept {
    asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" ::"r"(w.control), "r"(w.status) : "memory");
  }
#else
#error "halfulp knows the floating-point environment of x86-64 and AArch64 only"
#endif

  word saved_;
};

}  // namespace halfulp
