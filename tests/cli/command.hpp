// Running the built command in a folder of its own, and the files it reads and writes there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "halfulp/types.hpp"

namespace halfulp::test {

struct outcome {
  int status;  // of the exit; a signal would be 128 and its number, as in a shell
  std::string out, err;
};

// Runs the command with standard input from the file `input`.
outcome halfulp(const std::vector<std::string>& arguments, const std::string& input = "/dev/null");

// Runs a script with sh, in which "$halfulp" is the command.
outcome shell(const std::string& script);

std::string read_file(const std::string& path);
void write_file(const std::string& path, std::string_view content);

// npy format 1.0, written here so that the tests share no code with what they test. `descr` and
// `shape` are Python literals without quotes: "<f4", "(2, 3)".
std::string npy_header(std::string_view descr, std::string_view shape, bool fortran_order = false);

template <typename T>
std::string bytes_of(const std::vector<T>& elements) {
  std::string bytes(elements.size() * sizeof(T), '\0');
  if (!elements.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

template <typename T>
constexpr std::string_view npy_descr;
template <>
inline constexpr std::string_view npy_descr<bfloat16> = "<V2";
template <>
inline constexpr std::string_view npy_descr<float16> = "<f2";
template <>
inline constexpr std::string_view npy_descr<float> = "<f4";
template <>
inline constexpr std::string_view npy_descr<double> = "<f8";
template <>
inline constexpr std::string_view npy_descr<std::int32_t> = "<i4";
template <>
inline constexpr std::string_view npy_descr<std::int64_t> = "<i8";
template <>
inline constexpr std::string_view npy_descr<std::uint32_t> = "<u4";
template <>
inline constexpr std::string_view npy_descr<std::uint64_t> = "<u8";

template <typename T>
std::string npy(std::string_view shape, const std::vector<T>& elements) {
  return npy_header(npy_descr<T>, shape) + bytes_of(elements);
}

// Each test runs in a new, empty folder.
class command_test : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

 private:
  std::filesystem::path start_, folder_;
};

// Nothing on standard output, one line on standard error that starts as promised and contains
// `culprit`, and the exit status.
void expect_failure(const outcome& got, int status, std::string_view culprit);

// Exactly this on standard output, nothing on standard error, status 0.
void expect_output(const outcome& got, std::string_view out);

}  // namespace halfulp::test
