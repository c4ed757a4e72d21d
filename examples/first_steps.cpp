// The L2 norms of the rows of a matrix, and the rows divided by them.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <iostream>
#include <limits>
#include <vector>

#include "halfulp/halfulp.hpp"

int main() {
  const std::vector<float> elements = {3, 4, 12, 0.1F, 0.2F, 0.3F};
  std::cout.precision(std::numeric_limits<float>::max_digits10);
  try {
    const halfulp::const_view matrix = halfulp::view_of<float>(elements, {2, 3});

    const halfulp::tensor norms =
        halfulp::reduce_l2(matrix, {.axes = std::vector<std::int64_t>{-1}, .keepdims = 0});
    std::cout << "norms:";
    for (const float norm : norms.elements<float>()) std::cout << ' ' << norm;

    const halfulp::tensor unit = halfulp::lp_normalization(matrix, {.axis = -1, .p = 2});
    std::cout << "\nnormalised:";
    for (const float element : unit.elements<float>()) std::cout << ' ' << element;
    std::cout << '\n';
  } catch (const halfulp::error& failure) {
    std::cerr << "first_steps: error: " << failure.what() << '\n';
    return 1;
  }
  return 0;
}
