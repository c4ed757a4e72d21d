// From a dtype at run time to a C++ type at compile time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

#include "halfulp/types.hpp"

namespace halfulp {

template <typename... Types>
struct type_list {};

using float_types = type_list<bfloat16, float16, float, double>;
using integer_types = type_list<std::int32_t, std::int64_t, std::uint32_t, std::uint64_t>;
using element_types = type_list<bfloat16, float16, float, double, std::int32_t, std::int64_t,
                                std::uint32_t, std::uint64_t>;

// Calls f(std::type_identity<T>{}) for the T of the list whose dtype is `type`, and returns what it
// returns. The caller has made sure that the list has it.
template <typename First, typename... Rest, typename F>
decltype(auto) dispatch(dtype type, type_list<First, Rest...>, F&& f) {
  if constexpr (sizeof...(Rest) == 0) {
    return std::forward<F>(f)(std::type_identity<First>{});
  } else {
    if (type == dtype_of<First>) return std::forward<F>(f)(std::type_identity<First>{});
    return dispatch(type, type_list<Rest...>{}, std::forward<F>(f));
  }
}

}  // namespace halfulp
