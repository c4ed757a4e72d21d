// Files that are cut, changed or made of noise: an error or a tensor, never a crash.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "io/support/files.hpp"
#include "io/support/golden.hpp"
#include "io/support/memory_file.hpp"

namespace halfulp::io::test {
namespace {

// Golden files, one of each kind of structure.
const std::vector<std::string> samples = {
    "float32.npy",      "bfloat16.npy",   "float64_big.npy",   "float32_version2.npy",
    "scalar.npy",       "structured.npy", "float32_raw.pb",    "float32_typed.pb",
    "float16_typed.pb", "int64_typed.pb", "uint32_typed.pb",   "string.pb",
    "external.pb",      "model.pb",       "types.safetensors", "one.safetensors",
};

std::string ending_of(const std::string& name) {
  return std::filesystem::path(name).extension().string();
}

std::optional<dtype> declared_for(const std::string& name) {
  return name == "bfloat16.npy" ? std::optional(dtype::bfloat16) : std::nullopt;
}

class damage : public testing::Test {
 protected:
  // Reads and inspects the content. Whether it was valid; any exception but an error, and any error
  // of another kind, fails the test.
  bool is_valid(std::string_view content, const std::string& name) {
    const std::string path = folder / std::string("x").append(ending_of(name));
    file.link_to(path);
    file.replace(content);
    bool valid = false;
    const auto attempt = [](const auto& action) {
      try {
        action();
      } catch (const error& problem) {
        EXPECT_EQ(static_cast<int>(problem.code()), static_cast<int>(errc::invalid_file))
            << problem.what();
      } catch (const std::exception& other) {
        ADD_FAILURE() << other.what();
      }
    };
    attempt([&] {
      const loaded_tensor tensor = read_tensor(path, declared_for(name));
      elements_of(tensor);  // every element is there
      valid = true;
    });
    attempt([&] {
      const file_info info = inspect_tensors(path);
      for (const tensor_info& tensor : info.tensors) {
        EXPECT_LE(tensor.data_offset, content.size());
        if (tensor.data_offset != 0) {
          EXPECT_LE(tensor.data_bytes, content.size() - tensor.data_offset);
        }
      }
      if (info.tensors.size() > 1) {
        attempt([&] { elements_of(read_tensor(path + ":" + info.tensors.back().name)); });
      }
    });
    return valid;
  }

  temporary_folder folder;
  memory_file file;
};

TEST_F(damage, a_file_cut_at_any_byte_is_an_error) {
  for (const std::string& name : samples) {
    const std::string whole = read_file(golden_path(name));
    const bool was_valid = is_valid(whole, name);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      SCOPED_TRACE(testing::Message() << name << " cut to " << size);
      const bool valid = is_valid(std::string_view(whole).substr(0, size), name);
      // Some typed fields come before the name, and the message is valid without it.
      const bool only_the_name_is_lost =
          was_valid && whole.ends_with("B\x01x") && size + 3 == whole.size();
      EXPECT_EQ(valid, only_the_name_is_lost);
    }
  }
}

TEST_F(damage, bytes_after_the_end_are_an_error) {
  for (const std::string& name : samples) {
    SCOPED_TRACE(name);
    EXPECT_FALSE(is_valid(read_file(golden_path(name)) + '\0', name));
  }
}

TEST_F(damage, any_byte_changed_never_crashes) {
  for (const std::string& name : samples) {
    const std::string whole = read_file(golden_path(name));
    for (std::size_t at = 0; at < whole.size(); ++at) {
      SCOPED_TRACE(testing::Message() << name << " changed at " << at);
      std::string changed = whole;
      for (int bit = 0; bit < 8; ++bit) {
        changed[at] = static_cast<char>(whole[at] ^ 1 << bit);
        is_valid(changed, name);
      }
      for (const char byte : {'\0', '\xff', '0', '9', '-', '\'', '(', '}', ','}) {
        changed[at] = byte;
        is_valid(changed, name);
      }
    }
  }
}

TEST_F(damage, random_edits_never_crash) {
  std::mt19937_64 random(20240601);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (const std::string& name : samples) {
    const std::string whole = read_file(golden_path(name));
    for (int round = 0; round < 3 * HALFULP_TEST_SCALE; ++round) {
      SCOPED_TRACE(testing::Message() << name << " edit " << round);
      std::string edited = whole;
      for (std::size_t edits = 1 + below(4); edits-- > 0;) {
        const std::size_t at = below(edited.size());
        const std::size_t length = 1 + below(8);
        switch (below(4)) {
          case 0:
            edited.erase(at, length);
            break;
          case 1:
            edited.insert(at, edited.substr(below(edited.size()), length));
            break;
          case 2:
            edited.insert(at, length, static_cast<char>(random()));
            break;
          default:
            for (std::size_t i = at; i < std::min(at + length, edited.size()); ++i) {
              edited[i] = static_cast<char>(random());
            }
        }
        if (edited.empty()) edited.push_back('x');
      }
      is_valid(edited, name);
    }
  }
}

TEST_F(damage, noise_is_refused) {
  std::mt19937_64 random(20240602);
  for (const std::string name : {"x.npy", "x.pb", "x.safetensors"}) {
    for (int i = 0; i < 20 * HALFULP_TEST_SCALE; ++i) {
      SCOPED_TRACE(testing::Message() << name << " noise " << i);
      std::string noise(random() % 300, '\0');
      for (char& byte : noise) byte = static_cast<char>(random());
      // A valid start leads further into the reader.
      std::string start;
      if (name == "x.npy" && i % 2 == 0) start = std::string("\x93NUMPY\x01\0\x20\0{'descr'", 18);
      if (name == "x.pb" && i % 2 == 0) start = "\x08\x02\x10\x01";
      if (name == "x.safetensors" && i % 2 == 0)
        start = std::string("\x40\0\0\0\0\0\0\0{\"a\":", 13);
      EXPECT_FALSE(is_valid(start + noise, name));
    }
  }
}

}  // namespace
}  // namespace halfulp::io::test
