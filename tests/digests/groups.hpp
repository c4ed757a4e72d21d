// What is computed and digested.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "digests/layouts.hpp"
#include "halfulp/halfulp.hpp"

namespace digests {

// Called with each computation of a group: its name and the digest of its output alone.
using observer = std::function<void(const std::string& name, std::uint64_t digest)>;

// One operator on one type, with all layouts of a group and all families of data: a line of the
// golden file.
struct group {
  halfulp::op op;
  std::int64_t p;  // of LpNormalization
  bool with_eps;
  bool in_place;
  halfulp::dtype input;
  halfulp::dtype output;
  const layout_group* layouts;

  // "ReduceL1 float32 float64 mixed"
  std::string name() const;
  // Of all outputs: their shapes, and their memory with what lies between the elements.
  std::uint64_t digest(const observer& observe = {}) const;
};

std::vector<group> all_groups();

}  // namespace digests
