// The two terms a norm sums.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace halfulp {

enum class power : int { abs = 1, square = 2 };

}  // namespace halfulp
