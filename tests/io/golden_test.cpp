// Files that numpy, onnx and the safetensors library wrote, and writing the same bytes as they.
// SPDX-License-Identifier: Apache-2.0
#include "io/support/golden.hpp"

#include <gtest/gtest.h>

#include "base/shape.hpp"
#include "io/support/files.hpp"

namespace halfulp::io::test {
namespace {

class every_type : public testing::TestWithParam<dtype> {
 protected:
  static std::string name() { return std::string(name_of(GetParam())); }
  static std::optional<dtype> declared() {
    return GetParam() == dtype::bfloat16 ? std::optional(GetParam()) : std::nullopt;
  }
};

INSTANTIATE_TEST_SUITE_P(golden, every_type, testing::ValuesIn(all_types),
                         [](const auto& test) { return std::string(name_of(test.param)); });

void expect_golden(const loaded_tensor& tensor, dtype type) {
  EXPECT_EQ(tensor.layout.type, type);
  EXPECT_EQ(tensor.layout.shape, golden_shape);
  EXPECT_EQ(elements_of(tensor), golden_elements(type));
}

TEST_P(every_type, reads_npy) {
  const loaded_tensor tensor = read_tensor(golden_path(name() + ".npy"), declared());
  expect_golden(tensor, GetParam());
  EXPECT_EQ(tensor.layout.strides, c_strides(golden_shape, size_of(GetParam())));
  EXPECT_EQ(tensor.name, "");
}

TEST_P(every_type, reads_npy_in_fortran_order_without_transposing) {
  const loaded_tensor tensor = read_tensor(golden_path(name() + "_fortran.npy"), declared());
  expect_golden(tensor, GetParam());
  EXPECT_EQ(tensor.layout.strides, fortran_strides(golden_shape, size_of(GetParam())));
}

TEST_P(every_type, reads_big_endian_npy) {
  if (GetParam() == dtype::bfloat16) GTEST_SKIP() << "has no byte order in npy";
  expect_golden(read_tensor(golden_path(name() + "_big.npy")), GetParam());
}

TEST_P(every_type, reads_raw_tensor_proto) {
  const loaded_tensor tensor = read_tensor(golden_path(name() + "_raw.pb"), GetParam());
  expect_golden(tensor, GetParam());
  EXPECT_EQ(tensor.name, "x");
}

TEST_P(every_type, reads_tensor_proto_with_typed_fields) {
  const loaded_tensor tensor = read_tensor(golden_path(name() + "_typed.pb"));
  expect_golden(tensor, GetParam());
  EXPECT_EQ(tensor.name, "x");
}

TEST_P(every_type, reads_safetensors) {
  const loaded_tensor tensor = read_tensor(golden_path("types.safetensors:" + name()), GetParam());
  expect_golden(tensor, GetParam());
  EXPECT_EQ(tensor.name, name());
}

TEST_P(every_type, writes_the_bytes_of_numpy) {
  const temporary_folder folder;
  write_tensor(folder / "x.npy", GetParam(), golden_shape, golden_elements(GetParam()));
  EXPECT_EQ(read_file(folder / "x.npy"), read_file(golden_path(name() + ".npy")));
}

TEST_P(every_type, writes_the_bytes_of_onnx) {
  const temporary_folder folder;
  write_tensor(folder / "x.pb", GetParam(), golden_shape, golden_elements(GetParam()), "x");
  EXPECT_EQ(read_file(folder / "x.pb"), read_file(golden_path(name() + "_raw.pb")));
}

TEST_P(every_type, survives_every_format_and_shape) {
  const temporary_folder folder;
  const std::vector<std::vector<std::int64_t>> shapes = {
      {}, {3}, {2, 3}, {0, 3}, {3, 0}, {1, 2, 1, 3, 1, 1}, std::vector<std::int64_t>(64, 1)};
  for (const char* file : {"x.npy", "x.pb", "x.safetensors"}) {
    for (const auto& shape : shapes) {
      SCOPED_TRACE(file + format_shape(shape));
      const std::string elements =
          golden_elements(GetParam())
              .substr(0, element_count(shape, 1).value() * size_of(GetParam()));
      write_tensor(folder / file, GetParam(), shape, elements, "a \"name\"");
      const loaded_tensor tensor = read_tensor(folder / file, GetParam());
      EXPECT_EQ(tensor.layout.type, GetParam());
      EXPECT_EQ(tensor.layout.shape, shape);
      EXPECT_EQ(tensor.layout.strides, c_strides(shape, size_of(GetParam())));
      EXPECT_EQ(elements_of(tensor), elements);
      EXPECT_NE(tensor.data, nullptr);
      EXPECT_EQ(tensor.name, file == std::string("x.npy") ? "" : "a \"name\"");
    }
  }
}

TEST(golden, writes_the_bytes_of_safetensors) {
  const temporary_folder folder;
  write_tensor(folder / "x.safetensors", dtype::float32, golden_shape,
               golden_elements(dtype::float32));
  EXPECT_EQ(read_file(folder / "x.safetensors"), read_file(golden_path("one.safetensors")));
}

TEST(golden, one_tensor_of_safetensors_needs_no_name) {
  const loaded_tensor tensor = read_tensor(golden_path("one.safetensors"));
  expect_golden(tensor, dtype::float32);
  EXPECT_EQ(tensor.name, "output");
}

TEST(golden, reads_big_endian_fortran_npy) {
  expect_golden(read_tensor(golden_path("float32_big_fortran.npy")), dtype::float32);
}

TEST(golden, reads_npy_versions_2_and_3) {
  for (const char* version : {"2", "3"}) {
    const std::string path = golden_path(std::string("float32_version") + version + ".npy");
    expect_golden(read_tensor(path), dtype::float32);
    EXPECT_EQ(inspect_tensors(path).format, std::string("npy ") + version + ".0");
  }
}

TEST(golden, reads_scalars_vectors_and_empty_tensors) {
  for (const char* file : {"scalar.npy", "scalar.pb"}) {
    const loaded_tensor scalar = read_tensor(golden_path(file));
    EXPECT_TRUE(scalar.layout.shape.empty());
    EXPECT_EQ(elements_of(scalar), bytes_of<float>({1.5f}));
  }
  const loaded_tensor vector = read_tensor(golden_path("vector.npy"));
  EXPECT_EQ(vector.layout.shape, std::vector<std::int64_t>{3});
  EXPECT_EQ(elements_of(vector), bytes_of<float>({1.5f, -2.25f, 96.0f}));
  for (const char* file : {"empty.npy", "empty.pb"}) {
    EXPECT_EQ(read_tensor(golden_path(file)).layout.shape, (std::vector<std::int64_t>{0, 3}));
  }
}

TEST(golden, refuses_other_types_but_lists_them) {
  struct {
    const char* file;
    const char* stored_type;
    std::uint64_t bytes;
  } const others[] = {{"int16.npy", "<i2", 6},
                      {"structured.npy", "[('a', '<f4'), ('b', '<i4', (2,))]", 24},
                      {"int8.pb", "INT8", 3},
                      {"string.pb", "STRING", 0},
                      {"types.safetensors:int8", "I8", 3},
                      {"types.safetensors:bool", "BOOL", 2}};
  for (const auto& other : others) {
    SCOPED_TRACE(other.file);
    expect_error(errc::invalid_file, [&] { read_tensor(golden_path(other.file)); },
                 {other.stored_type, "supported are bfloat16, float16, float32, float64"});
    const file_info info = inspect_tensors(golden_path(other.file));
    ASSERT_EQ(info.tensors.size(), 1u);
    EXPECT_EQ(info.tensors[0].stored_type, other.stored_type);
    EXPECT_EQ(info.tensors[0].type, std::nullopt);
    EXPECT_EQ(info.tensors[0].data_bytes, other.bytes);
  }
}

TEST(golden, inspects_npy) {
  const file_info info = inspect_tensors(golden_path("float32_big_fortran.npy"));
  EXPECT_EQ(info.format, "npy 1.0");
  ASSERT_EQ(info.tensors.size(), 1u);
  const tensor_info& tensor = info.tensors[0];
  EXPECT_EQ(tensor.stored_type, ">f4");
  EXPECT_EQ(tensor.type, dtype::float32);
  EXPECT_EQ(tensor.shape, golden_shape);
  EXPECT_TRUE(tensor.fortran_order);
  EXPECT_TRUE(tensor.big_endian);
  EXPECT_EQ(tensor.data_offset, 128u);
  EXPECT_EQ(tensor.data_bytes, 24u);
}

TEST(golden, inspects_tensor_proto) {
  const file_info raw = inspect_tensors(golden_path("float32_raw.pb"));
  EXPECT_EQ(raw.format, "TensorProto");
  ASSERT_EQ(raw.tensors.size(), 1u);
  EXPECT_EQ(raw.tensors[0].name, "x");
  EXPECT_EQ(raw.tensors[0].stored_type, "FLOAT");
  EXPECT_EQ(raw.tensors[0].type, dtype::float32);
  EXPECT_EQ(raw.tensors[0].shape, golden_shape);
  EXPECT_EQ(raw.tensors[0].data_offset, 11u);
  EXPECT_EQ(raw.tensors[0].data_bytes, 24u);
  const file_info typed = inspect_tensors(golden_path("bfloat16_typed.pb"));
  EXPECT_EQ(typed.tensors[0].stored_type, "BFLOAT16");
  EXPECT_EQ(typed.tensors[0].data_offset, 0u);
  EXPECT_EQ(typed.tensors[0].data_bytes, 12u);
}

TEST(golden, inspects_safetensors) {
  const std::string path = golden_path("types.safetensors");
  const file_info info = inspect_tensors(path);
  EXPECT_EQ(info.format, "safetensors");
  EXPECT_EQ(info.tensors.size(), 10u);
  const file_info one = inspect_tensors(path + ":bfloat16");
  ASSERT_EQ(one.tensors.size(), 1u);
  EXPECT_EQ(one.tensors[0].name, "bfloat16");
  EXPECT_EQ(one.tensors[0].stored_type, "BF16");
  EXPECT_EQ(one.tensors[0].shape, golden_shape);
  EXPECT_EQ(one.tensors[0].data_bytes, 12u);
  EXPECT_EQ(read_file(path).substr(one.tensors[0].data_offset, 12),
            golden_elements(dtype::bfloat16));
}

TEST(golden, refuses_what_is_no_single_tensor_with_its_data) {
  expect_refused(golden_path("model.pb"), {"model.pb: is no ONNX TensorProto"});
  expect_refused(golden_path("external.pb"), {"external_data"});
}

TEST(golden, several_tensors_need_a_name) {
  expect_error(errc::invalid_file, [] { read_tensor(golden_path("types.safetensors")); },
               {"has 10 tensors", "types.safetensors:NAME", "uint64, int64", ", ..."});
  expect_error(errc::invalid_file, [] { read_tensor(golden_path("types.safetensors:none")); },
               {"has no tensor 'none'", "uint64, int64"});
}

TEST(golden, a_wrong_declared_type_is_an_error) {
  for (const char* file : {"float32.npy", "float32_raw.pb", "types.safetensors:float32"}) {
    const std::string path = golden_path(file);
    expect_golden(read_tensor(path, dtype::float32), dtype::float32);
    const auto expect_mismatch = [](const std::function<void()>& action) {
      expect_error(errc::invalid_file, action, {"not float16"});
    };
    expect_mismatch([&] { read_tensor(path, dtype::float16); });
    expect_mismatch([&] { inspect_tensors(path, dtype::float16); });
  }
}

}  // namespace
}  // namespace halfulp::io::test
