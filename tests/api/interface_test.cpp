// Names, element types, views and tensors of the public interface.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

#include "api/support/expect_error.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/draw.hpp"

namespace oracle {
namespace {

using halfulp::errc;
using halfulp::op;

TEST(names, of_types) {
  for (const dtype type : all_types) {
    EXPECT_EQ(halfulp::name_of(type), text_of(type));
    EXPECT_EQ(halfulp::dtype_from_name(text_of(type)), type);
    EXPECT_EQ(halfulp::size_of(type), bytes_of(type));
    EXPECT_EQ(halfulp::is_float(type), is_floating(type));
  }
  for (const char* name : {"", "float", "Float32", "float32 ", "double", "int8"}) {
    EXPECT_EQ(halfulp::dtype_from_name(name), std::nullopt) << name;
  }
}

TEST(names, of_operators) {
  EXPECT_EQ(halfulp::name_of(op::reduce_l1), "ReduceL1");
  EXPECT_EQ(halfulp::name_of(op::reduce_l2), "ReduceL2");
  EXPECT_EQ(halfulp::name_of(op::reduce_sum_square), "ReduceSumSquare");
  EXPECT_EQ(halfulp::name_of(op::lp_normalization), "LpNormalization");
  for (const op each :
       {op::reduce_l1, op::reduce_l2, op::reduce_sum_square, op::lp_normalization}) {
    EXPECT_EQ(halfulp::op_from_name(halfulp::name_of(each)), each);
  }
  for (const char* name : {"", "reducel1", "ReduceL3", "ReduceL1 ", "Reduce\nL1"}) {
    expect_error(errc::invalid_argument,
                 {"ReduceL1", "ReduceL2", "ReduceSumSquare", "LpNormalization"},
                 [&] { halfulp::op_from_name(name); });
  }
}

TEST(names, version) { EXPECT_EQ(halfulp::version(), "0.1.0"); }

template <typename T>
void check_every_pattern(dtype type) {
  for (std::uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const T x = T::from_bits(static_cast<std::uint16_t>(pattern));
    const element parts = decode(type, pattern);
    const auto wide = static_cast<double>(x);
    ASSERT_EQ(wide == static_cast<double>(static_cast<float>(x)), !std::isnan(wide));
    if (parts.kind == element::kind::nan) {
      ASSERT_TRUE(std::isnan(wide));
      ASSERT_EQ(T(wide).bits, format_of(type).quiet_nan());
      continue;
    }
    if (parts.kind == element::kind::infinite) {
      ASSERT_EQ(wide, parts.negative ? -INFINITY : INFINITY);
    } else {
      ASSERT_EQ(std::abs(wide), std::ldexp(static_cast<double>(parts.mantissa), parts.exponent));
      ASSERT_EQ(std::signbit(wide), parts.negative);
    }
    ASSERT_EQ(T(wide).bits, pattern);
  }
}

TEST(element_types, every_16_bit_pattern) {
  check_every_pattern<halfulp::float16>(dtype::float16);
  check_every_pattern<halfulp::bfloat16>(dtype::bfloat16);
}

// Rounding a double is the L1 norm of one element, but for the sign.
template <typename T>
void check_rounding(dtype type) {
  const question asked{operation::l1, dtype::float64, type};
  const float_format& format = format_of(type);
  random_source random(91);
  const auto check = [&](bits x) {
    const double value = std::bit_cast<double>(x);
    const bits sign = !std::isnan(value) && std::signbit(value) ? format.sign_bit() : 0;
    const bits right = by_mpfr(asked, std::vector{x}).front() | sign;
    ASSERT_EQ(T(value).bits, right) << value;
    const int mode = std::fegetround();
    std::fesetround(FE_UPWARD);
    const T upward(value);
    std::fesetround(mode);
    ASSERT_EQ(upward.bits, right) << value;
  };
  for (int i = 0; i < scaled(20000); ++i) {
    // Anywhere, and at a midpoint or next to it.
    check(random.word());
    const element y = decode_magnitude(format, random.below(format.infinity()));
    const bits midpoint =
        encode(format_of(dtype::float64), random.once_in(2), 2 * y.mantissa + 1, y.exponent - 1);
    check(midpoint - 1);
    check(midpoint);
    check(midpoint + 1);
  }
}

TEST(element_types, doubles_are_rounded_once) {
  check_rounding<halfulp::float16>(dtype::float16);
  check_rounding<halfulp::bfloat16>(dtype::bfloat16);
}

TEST(tensors, own_aligned_elements_in_c_order) {
  const halfulp::tensor t({dtype::float64, {3, 5, 7}, {1, 2, 3}});
  EXPECT_EQ(t.element_count(), 105u);
  EXPECT_EQ(t.layout().type, dtype::float64);
  EXPECT_EQ(t.layout().shape, (std::vector<std::int64_t>{3, 5, 7}));
  EXPECT_EQ(t.layout().strides, (std::vector<std::int64_t>{280, 56, 8}));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(t.data()) % 64, 0u);
  EXPECT_EQ(t.elements<double>().size(), 105u);
  EXPECT_EQ(t.elements<double>().data(), t.data());
  expect_error(errc::unsupported_type, {"float64", "float32"}, [&] { t.elements<float>(); });
  expect_error(errc::unsupported_type, {"float64", "int64"}, [&] { t.elements<std::int64_t>(); });
}

TEST(tensors, of_any_shape_that_is_one) {
  EXPECT_EQ(halfulp::tensor({dtype::int32, {}, {}}).element_count(), 1u);
  EXPECT_EQ(halfulp::tensor({dtype::int32, {4, 0}, {}}).element_count(), 0u);
  for (const auto& shape :
       std::vector<std::vector<std::int64_t>>{{-1},
                                              {0, -1},
                                              {std::int64_t{1} << 62},
                                              {std::int64_t{1} << 32, std::int64_t{1} << 31}}) {
    expect_error(errc::invalid_shape, {}, [&] { halfulp::tensor({dtype::int32, shape, {}}); });
  }
}

// AddressSanitizer's operator new ends the program instead of throwing.
#if defined(__has_feature)
#define HAS_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER 1
#else
#define HAS_ADDRESS_SANITIZER 0
#endif
#if !HAS_ADDRESS_SANITIZER
TEST(tensors, too_large_for_any_memory) {
  EXPECT_THROW(halfulp::tensor({dtype::bfloat16, {std::int64_t{1} << 60}, {}}), std::bad_alloc);
}
#endif

TEST(views, count_their_elements) {
  const std::vector<std::int32_t> data{1, 2, 3, 4, 5, 6};
  const halfulp::const_view view = halfulp::view_of(std::span(data), {2, 3});
  EXPECT_EQ(view.data, data.data());
  EXPECT_EQ(view.layout.type, dtype::int32);
  EXPECT_EQ(view.layout.shape, (std::vector<std::int64_t>{2, 3}));
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{
           {7}, {2, 2}, {}, {0}, {-2, -3}, {std::int64_t{1} << 62, 6}}) {
    expect_error(errc::invalid_shape, {}, [&] { halfulp::view_of(std::span(data), shape); });
  }
}

TEST(conveniences, are_compute_by_name) {
  const std::vector<float> data{3, -4};
  const halfulp::const_view view = halfulp::view_of(std::span(data), {2});
  EXPECT_EQ(halfulp::reduce_l1(view).elements<float>()[0], 7);
  EXPECT_EQ(halfulp::reduce_l2(view).elements<float>()[0], 5);
  EXPECT_EQ(halfulp::reduce_sum_square(view).elements<float>()[0], 25);
  EXPECT_EQ(halfulp::lp_normalization(view, {.p = 1}).elements<float>()[0], 3.0f / 7);
  EXPECT_EQ(halfulp::lp_normalization(view).elements<float>()[1], -0.8f);
}

}  // namespace
}  // namespace oracle
