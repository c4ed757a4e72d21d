// Makes the inputs that the fuzz targets start from: fuzz_seeds TESTS_DATA FOLDER
// SPDX-License-Identifier: Apache-2.0
//
// FOLDER/TARGET holds a target's seeds, FOLDER/TARGET.list their names, with commas, as libFuzzer's
// -seed_inputs takes them.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <protozero/pbf_writer.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/support/model_seeds.hpp"
#include "io/tensor_proto_schema.hpp"

namespace {

namespace fs = std::filesystem;
namespace field = halfulp::io::tensor_proto::field;

class seed_folder {
 public:
  seed_folder(const fs::path& all, std::string_view target)
      : path_(all / target), list_(all / (std::string(target) + ".list")) {
    fs::create_directories(path_);
  }

  // Every file of `folder` with this ending.
  void copy(const fs::path& folder, std::string_view ending) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() != ending) continue;
      const fs::path copied = path_ / entry.path().filename();
      fs::copy_file(entry.path(), copied, fs::copy_options::overwrite_existing);
      names_.push_back(copied.string());
    }
    if (names_.empty()) throw std::runtime_error("no seeds in " + folder.string());
  }

  void add(std::string_view name, std::string_view content) {
    const fs::path path = path_ / name;
    write(path, content);
    names_.push_back(path.string());
  }

  void finish() {
    std::sort(names_.begin(), names_.end());
    std::string list;
    for (const std::string& name : names_) list += (list.empty() ? "" : ",") + name;
    write(list_, list);
  }

 private:
  static void write(const fs::path& path, std::string_view content) {
    std::ofstream out(path, std::ios::binary);
    out << content;
    out.close();
    if (!out) throw std::runtime_error("cannot write " + path.string());
  }

  fs::path path_, list_;
  std::vector<std::string> names_;
};

template <typename Write>
std::string message(Write write) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  write(writer);
  return bytes;
}

// What the files of the tests leave out: fields that a writer may pack, or split.
void add_tensor_protos(seed_folder& seeds) {
  const std::vector<std::int64_t> dims = {2, 1};
  seeds.add("packed_dims.pb", message([&](protozero::pbf_writer& tensor) {
              tensor.add_packed_int64(field::dims, dims.begin(), dims.end());
              tensor.add_int32(field::data_type, 1);
              tensor.add_string(field::raw_data, std::string(8, '\x40'));
            }));
  seeds.add("unpacked_elements.pb", message([](protozero::pbf_writer& tensor) {
              tensor.add_int64(field::dims, 2);
              tensor.add_int32(field::data_type, 16);
              tensor.add_int32(field::int32_data, 0x3f80);
              tensor.add_int32(field::int32_data, 0xffff);
            }));
  seeds.add("two_packed_runs.pb", message([&](protozero::pbf_writer& tensor) {
              tensor.add_int64(field::dims, 4);
              tensor.add_int32(field::data_type, 7);
              for (int run = 0; run < 2; ++run) {
                tensor.add_packed_int64(field::int64_data, dims.begin(), dims.end());
              }
            }));
  seeds.add("segment.pb", message([](protozero::pbf_writer& tensor) {
              tensor.add_int32(field::data_type, 1);
              tensor.add_message(field::segment, message([](protozero::pbf_writer& segment) {
                                   segment.add_int64(1, 0);
                                   segment.add_int64(2, 1);
                                 }));
            }));
}

void make_seeds(const fs::path& data, const fs::path& folder) {
  seed_folder npy(folder, "npy");
  npy.copy(data / "io", ".npy");
  npy.finish();
  seed_folder tensor_proto(folder, "tensor_proto");
  tensor_proto.copy(data / "io", ".pb");
  add_tensor_protos(tensor_proto);
  tensor_proto.finish();
  seed_folder safetensors(folder, "safetensors");
  safetensors.copy(data / "io", ".safetensors");
  safetensors.finish();
  seed_folder model(folder, "model");
  for (const halfulp::fuzz::model_seed& seed : halfulp::fuzz::model_seeds()) {
    model.add(seed.name + ".onnx", seed.content);
  }
  model.finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: fuzz_seeds TESTS_DATA FOLDER\n", stderr);
    return 2;
  }
  try {
    make_seeds(argv[1], argv[2]);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "fuzz_seeds: %s\n", problem.what());
    return 1;
  }
  return 0;
}
