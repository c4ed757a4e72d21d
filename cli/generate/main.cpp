// halfulp_generate_help FOLDER: writes the manual page and the completions there. Runs while
// halfulp is built. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "application.hpp"
#include "generate/completions.hpp"
#include "generate/help.hpp"
#include "generate/manual.hpp"
#include "halfulp/halfulp.hpp"

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
}

void generate(const std::filesystem::path& folder) {
  using namespace halfulp::cli;
  const command_help command = help_as_data(*make_application());
  std::filesystem::create_directories(folder);
  write(folder / "halfulp.1", make_manual(command, halfulp::version()));
  write(folder / "halfulp", make_bash_completion(command));  // the names that the shells expect
  write(folder / "_halfulp", make_zsh_completion(command));
  write(folder / "halfulp.fish", make_fish_completion(command));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: halfulp_generate_help FOLDER\n", stderr);
    return 2;
  }
  try {
    generate(argv[1]);
  } catch (const std::exception& e) {
    std::fputs(fmt::format("halfulp_generate_help: {}\n", e.what()).c_str(), stderr);
    return 1;
  }
  return 0;
}
