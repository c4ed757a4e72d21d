// Plans with enough work to be shared out, their data, and what one thread gives.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "halfulp/halfulp.hpp"

namespace halfulp::test {

struct work {
  std::string name;  // operator, type and shape, for messages
  plan computation;
  bool in_place;  // run() may also be given its input as output
  std::vector<std::byte> input;
  std::vector<std::byte> expected;
};

// `elements` at least, of all tiers where the type has them.
work make_work(op op, dtype type, std::vector<std::int64_t> shape, const options& options,
               std::uint64_t seed);

// Every operator, type and kind of layout.
std::vector<work> make_all_work();

// Some of it, for tests that do a lot with each.
std::vector<work> make_some_work();

std::vector<std::byte> run(const work& work, const run_options& options);

// Adds a test failure unless the bits are those of one thread; out of place, and in place where
// that is allowed.
void expect_same_bits(const work& work, const run_options& options);

}  // namespace halfulp::test
