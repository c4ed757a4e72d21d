// Normalises word embeddings and prints, for some words, the norm before and after and the nearest
// other words.
// SPDX-License-Identifier: Apache-2.0
//
//     word_neighbours EMBEDDINGS WORDS WORD...
//
// EMBEDDINGS is a tensor file with a float32 row for each line of the text file WORDS.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "halfulp/halfulp.hpp"
#include "matrix.hpp"

namespace {

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be opened", path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<float> row_norms(const float_matrix& matrix) {
  const halfulp::tensor norms =
      halfulp::reduce_l2(matrix.view(), {.axes = std::vector<std::int64_t>{-1}, .keepdims = 0});
  const auto elements = norms.elements<float>();
  return {elements.begin(), elements.end()};
}

float_matrix normalised_rows(const float_matrix& matrix) {
  const halfulp::tensor unit = halfulp::lp_normalization(matrix.view(), {.axis = -1, .p = 2});
  const auto elements = unit.elements<float>();
  return {matrix.rows, matrix.columns, {elements.begin(), elements.end()}};
}

struct neighbour {
  double similarity;
  std::size_t row;
};

// The `count` rows most similar to `row`, best first. Once rows are normalised, the cosine of the
// angle between two of them is their dot product.
std::vector<neighbour> nearest_rows(const float_matrix& unit, std::size_t row, std::size_t count) {
  std::vector<neighbour> others;
  for (std::size_t other = 0; other < unit.rows; ++other) {
    if (other == row) continue;
    double dot = 0;
    for (std::size_t i = 0; i < unit.columns; ++i) {
      dot += double{unit.row(row)[i]} * double{unit.row(other)[i]};
    }
    others.push_back({dot, other});
  }
  std::ranges::sort(others, std::ranges::greater(), &neighbour::similarity);
  others.resize(std::min(count, others.size()));
  return others;
}

std::vector<std::size_t> rows_of(std::span<char* const> chosen,
                                 const std::vector<std::string>& words) {
  std::vector<std::size_t> rows;
  for (const std::string word : chosen) {
    const auto found = std::ranges::find(words, word);
    if (found == words.end()) throw std::runtime_error(fmt::format("no embedding of {}", word));
    rows.push_back(static_cast<std::size_t>(found - words.begin()));
  }
  return rows;
}

void print_neighbours(const float_matrix& embeddings, const std::vector<std::string>& words,
                      const std::vector<std::size_t>& chosen) {
  const float_matrix unit = normalised_rows(embeddings);
  const std::vector<float> before = row_norms(embeddings);
  const std::vector<float> after = row_norms(unit);

  fmt::print("{:<11}{:<13}{:<13}{}\n", "word", "norm before", "and after",
             "nearest words, by cosine similarity");
  for (const std::size_t row : chosen) {
    fmt::print("{:<11}{:<#13}{:<#11}", words[row], before[row], after[row]);
    for (const neighbour& near : nearest_rows(unit, row, 3)) {
      fmt::print("  {:<11} {:.2f}", words[near.row], near.similarity);
    }
    fmt::print("\n");
  }
  fmt::print("all {} rows: norms from {:#} to {:#} before, from {:#} to {:#} after\n",
             embeddings.rows, std::ranges::min(before), std::ranges::max(before),
             std::ranges::min(after), std::ranges::max(after));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("usage: word_neighbours EMBEDDINGS WORDS WORD...\n", stderr);
    return 2;
  }
  try {
    const float_matrix embeddings = read_matrix(argv[1]);
    const std::vector<std::string> words = read_lines(argv[2]);
    if (words.size() != embeddings.rows) {
      throw std::runtime_error(fmt::format("{}: has {} lines, but {} has {} rows", argv[2],
                                           words.size(), argv[1], embeddings.rows));
    }
    const auto chosen = std::span(argv, static_cast<std::size_t>(argc)).subspan(3);
    print_neighbours(embeddings, words, rows_of(chosen, words));
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "word_neighbours: error: %s\n", failure.what());
    return 1;
  }
  return 0;
}
