// Files for tests: a folder that goes away, contents as strings, errors as they must be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/shape.hpp"
#include "halfulp/types.hpp"
#include "io/tensor_file.hpp"

namespace halfulp::io::test {

// An empty folder of its own, removed with all that is in it.
class temporary_folder {
 public:
  temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "halfulp-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

  // The names of what is in it, sorted.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      all.push_back(entry.path().filename().string());
    }
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  std::filesystem::path path_;
};

inline void write_file(const std::string& path, std::string_view content) {
  std::ofstream out(path, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path);
}

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The file that independent software made.
inline std::string golden_path(std::string_view name) {
  return std::string(HALFULP_TEST_DATA) + "/io/" + std::string(name);
}

// The bytes of `values`, one after another.
template <typename T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// The elements in C order, whatever the strides.
inline std::string elements_of(const loaded_tensor& tensor) {
  const std::vector<std::int64_t>& shape = tensor.layout.shape;
  const std::size_t item_size = size_of(tensor.layout.type);
  const std::size_t count = element_count(shape, item_size).value();
  std::string elements;
  std::vector<std::int64_t> index(shape.size(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      offset += index[axis] * tensor.layout.strides[axis];
    }
    elements.append(reinterpret_cast<const char*>(tensor.data + offset), item_size);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
  return elements;
}

// Calls `action`, which must throw an error of this code whose message has each of `parts` in it
// and nothing that is unfit for a line of text.
inline void expect_error(errc code, const std::function<void()>& action,
                         std::initializer_list<std::string_view> parts) {
  try {
    action();
  } catch (const error& problem) {
    const std::string_view message = problem.what();
    EXPECT_EQ(static_cast<int>(problem.code()), static_cast<int>(code)) << message;
    EXPECT_EQ(printable(message, message.size()), message);
    for (const std::string_view part : parts) {
      EXPECT_NE(message.find(part), std::string_view::npos)
          << "'" << part << "' is not in: " << message;
    }
    return;
  }
  ADD_FAILURE() << "no error, where one should say: " << (parts.size() ? *parts.begin() : "");
}

// read_tensor and inspect_tensors must both refuse the file.
inline void expect_refused(const std::string& where,
                           std::initializer_list<std::string_view> parts) {
  expect_error(
      errc::invalid_file, [&] { read_tensor(where); }, parts);
  expect_error(
      errc::invalid_file, [&] { inspect_tensors(where); }, parts);
}

inline void write_tensor(const std::string& where, dtype type, std::vector<std::int64_t> shape,
                         std::string_view elements, std::string_view name = "output") {
  tensor_writer writer(where, type, std::move(shape), name);
  writer.commit(reinterpret_cast<const std::byte*>(elements.data()));
}

// Descriptors this process has open.
inline std::size_t open_descriptors() {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

}  // namespace halfulp::io::test
