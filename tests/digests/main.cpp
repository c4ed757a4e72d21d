// Computes a fixed set of inputs and compares digests of the outputs with those in a file. They are
// the same with every compiler, on every machine, with every instruction set.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "digests/golden_file.hpp"
#include "digests/groups.hpp"
#include "kernels/target.hpp"

namespace {

namespace kernels = halfulp::kernels;

constexpr std::string_view usage =
    "usage: halfulp_digests [--target TARGET] ACTION\n"
    "  --check FILE    compare with FILE; name what differs\n"
    "  --update FILE   write FILE\n"
    "  --detail GROUP  print the digest of each computation of a line of that file\n"
    "  --targets       print the targets (instruction sets) of this processor, best first\n"
    "TARGET is one of these. Without it, --check takes one after the other, the others the best.\n";

constexpr std::string_view golden_header =
    "# Digests of outputs, which every machine must reproduce. tests/digests makes them:\n"
    "# operator, input type, output type, layouts, FNV-1a of all outputs.\n";

constexpr int differences_shown = 20;

// True if nothing differs.
bool check_target(digests::digest_table golden) {
  int differences = 0;
  const auto differs = [&](std::string_view name, std::string_view why) {
    if (++differences <= differences_shown) fmt::print("{}: {}\n", name, why);
  };
  std::size_t compared = 0;
  for (const digests::group& group : digests::all_groups()) {
    const std::string name = group.name();
    const auto expected = golden.extract(name);
    if (expected.empty()) {
      differs(name, "is not in the file");
      continue;
    }
    const std::uint64_t digest = group.digest();
    ++compared;
    if (digest != expected.mapped()) {
      differs(name, fmt::format("{}, expected {}", digests::digest_text(digest),
                                digests::digest_text(expected.mapped())));
    }
  }
  for (const auto& [name, digest] : golden) differs(name, "is in the file, but not computed");
  fmt::print("{}: {} digests compared, {} differences\n",
             kernels::target_name(kernels::current_target()), compared, differences);
  return differences == 0;
}

int check(const std::string& path, std::span<const std::int64_t> targets) {
  const digests::digest_table golden = digests::read_golden_file(path);
  bool same = true;
  for (const std::int64_t target : targets) {
    kernels::use_target(target);
    same = check_target(golden) && same;
  }
  return same ? 0 : 1;
}

int update(const std::string& path) {
  std::ofstream file(path);
  file << golden_header;
  for (const digests::group& group : digests::all_groups()) {
    file << group.name() << ' ' << digests::digest_text(group.digest()) << '\n';
  }
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written");
  return 0;
}

int show_detail(std::string_view name) {
  for (const digests::group& group : digests::all_groups()) {
    if (group.name() != name) continue;
    group.digest([](const std::string& computation, std::uint64_t digest) {
      fmt::print("{} {}\n", computation, digests::digest_text(digest));
    });
    return 0;
  }
  throw std::runtime_error(fmt::format("{}: no such group", name));
}

int show_targets() {
  for (const std::int64_t target : kernels::supported_targets()) {
    fmt::print("{}\n", kernels::target_name(target));
  }
  return 0;
}

std::int64_t target_from_name(std::string_view name) {
  for (const std::int64_t target : kernels::supported_targets()) {
    if (kernels::target_name(target) == name) return target;
  }
  throw std::runtime_error(
      fmt::format("--target: \"{}\" is none of this processor's, which --targets lists", name));
}

int run(std::span<const std::string> arguments) {
  std::vector<std::int64_t> targets = kernels::supported_targets();
  if (arguments.size() > 2 && arguments[0] == "--target") {
    targets = {target_from_name(arguments[1])};
    kernels::use_target(targets.front());
    arguments = arguments.subspan(2);
  }
  if (arguments.size() == 1 && arguments[0] == "--targets") return show_targets();
  if (arguments.size() == 2) {
    if (arguments[0] == "--check") return check(arguments[1], targets);
    if (arguments[0] == "--update") return update(arguments[1]);
    if (arguments[0] == "--detail") return show_detail(arguments[1]);
  }
  fmt::print(stderr, "{}", usage);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& problem) {
    fmt::print(stderr, "halfulp_digests: error: {}\n", problem.what());
    return 1;
  }
}
