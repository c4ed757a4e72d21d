// The header of .npy files: what is accepted, and what is refused with which words.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "io/support/files.hpp"
#include "io/support/npy_file.hpp"

namespace halfulp::io::test {
namespace {

const std::string two_floats = bytes_of<float>({1.5f, -2.25f});

class npy : public testing::Test {
 protected:
  std::string file(std::string_view dictionary, std::string_view data = two_floats, int major = 1,
                   int minor = 0) const {
    write_file(path, npy_file(dictionary, data, major, minor));
    return path;
  }
  void expect_two_floats(std::string_view dictionary) const {
    SCOPED_TRACE(dictionary);
    const loaded_tensor tensor = read_tensor(file(dictionary));
    EXPECT_EQ(tensor.layout.type, dtype::float32);
    EXPECT_EQ(tensor.layout.shape, std::vector<std::int64_t>{2});
    EXPECT_EQ(elements_of(tensor), two_floats);
  }
  void expect_refused_header(std::string_view dictionary,
                             std::initializer_list<std::string_view> parts) const {
    SCOPED_TRACE(dictionary);
    expect_refused(file(dictionary), parts);
  }

  temporary_folder folder;
  const std::string path = folder / "x.npy";
};

TEST_F(npy, accepts_every_way_to_write_the_header) {
  for (const char* dictionary : {
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }  \n",
           "{'descr':'<f4','fortran_order':False,'shape':(2,)}",
           "  { \"shape\" : ( 2 , ) ,\t'fortran_order' : True , \"descr\" : \"<f4\" , } \r\n",
           "{'shape': (2L,), 'descr': '<f4', 'fortran_order': False}",
           "{'descr': '=f4', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '|f4', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': 'f4', 'fortran_order': False, 'shape': (2,)}",
       }) {
    expect_two_floats(dictionary);
  }
}

TEST_F(npy, reads_shapes) {
  const std::pair<const char*, std::vector<std::int64_t>> shapes[] = {
      {"(2, 1)", {2, 1}}, {"(2,1,)", {2, 1}}, {"(1L, 2L)", {1, 2}}, {"(1, 1, 2)", {1, 1, 2}}};
  for (const auto& [text, shape] : shapes) {
    SCOPED_TRACE(text);
    EXPECT_EQ(read_tensor(file(std::string("{'descr': '<f4', 'fortran_order': False, 'shape': ") +
                               text + "}"))
                  .layout.shape,
              shape);
  }
}

TEST_F(npy, refuses_broken_dictionaries) {
  const std::string rest = ", 'fortran_order': False, 'shape': (2,)}";
  expect_refused_header("", {"x.npy: the header ends where '{' should be"});
  expect_refused_header("[]", {"the header has '[]' at character 0 where '{' should be"});
  expect_refused_header("{'descr': '<f4'" + rest + "x", {"'x'", "nothing more"});
  expect_refused_header("{'descr': '<f4'" + rest + std::string(3, '\0'),
                        {R"('\x00\x00\x00')", "nothing more"});
  expect_refused_header("{'descr': '<f4' 'fortran_order': False, 'shape': (2,)}",
                        {"',' should be"});
  expect_refused_header("{'descr' '<f4'" + rest, {"':' should be"});
  expect_refused_header("{,'descr': '<f4'" + rest, {"a string should be"});
  expect_refused_header("{'descr': '<f4',," + rest.substr(1), {"a string should be"});
  expect_refused_header("{'descr': '<f4\"" + rest, {"',' should be"});
  expect_refused_header("{'descr': \"<f4'" + rest, {"a string that ends"});
  expect_refused_header("{'descr", {"a string that ends"});
  expect_refused_header("{'descr': '\\x3cf4'" + rest, {"a string without escapes"});
  expect_refused_header("{'descr': <f4" + rest, {"a string should be"});
  expect_refused_header("{'descr': [('a', '<f4')" + rest, {"a closing bracket"});
  expect_refused_header("{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}", {"True or False"});
  expect_refused_header("{'descr': '<f4', 'fortran_order': true, 'shape': (2,)}",
                        {"True or False"});
}

TEST_F(npy, refuses_missing_double_and_unknown_keys) {
  expect_refused_header("{'fortran_order': False, 'shape': (2,)}", {"no key 'descr'"});
  expect_refused_header("{'descr': '<f4', 'shape': (2,)}", {"no key 'fortran_order'"});
  expect_refused_header("{'descr': '<f4', 'fortran_order': False}", {"no key 'shape'"});
  expect_refused_header("{}", {"no key"});
  expect_refused_header("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'descr': '<f4'}",
                        {"the key 'descr' twice"});
  expect_refused_header("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'a\nb': 1}",
                        {"unknown key 'a\\x0ab'"});
}

TEST_F(npy, refuses_hostile_shapes) {
  const auto expect_shape = [&](const std::string& shape,
                                std::initializer_list<std::string_view> parts) {
    expect_refused_header("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}",
                          parts);
  };
  expect_shape("2", {"'(' should be"});
  expect_shape("[2]", {"'(' should be"});
  expect_shape("(2)", {"',' should be"});
  expect_shape("(,)", {"an extent should be"});
  expect_shape("(2,,)", {"an extent should be"});
  expect_shape("(2.0,)", {"',' should be"});
  expect_shape("(+2,)", {"an extent should be"});
  expect_shape("(0x2,)", {"',' should be"});
  expect_shape("(2LL,)", {"',' should be"});
  expect_shape("(-2,)", {"an extent that is negative"});
  expect_shape("(-0,)", {"an extent that is negative"});
  expect_shape("(9223372036854775808,)", {"an extent that is too large"});
  expect_shape("(" + std::string(300, '9') + ",)", {"an extent that is too large"});
  expect_shape("(9223372036854775807,)", {"the shape (9223372036854775807,) is too large"});
  expect_shape("(2305843009213693952,)", {"is too large"});  // 2^61 floats have 2^63 bytes
  expect_shape("(2305843009213693951,)", {"ends within its data: 8 of 9223372036854775804 bytes"});
  expect_shape("(4294967296, 4294967296)", {"is too large"});
  expect_shape("(1099511627776,)", {"ends within its data: 8 of 4398046511104 bytes"});
  expect_shape("(3,)", {"ends within its data: 8 of 12 bytes"});
  expect_shape("(1,)", {"has 4 bytes after the data"});
  expect_shape("(0,)", {"has 8 bytes after the data"});

  std::string axes;
  for (int i = 0; i < 64; ++i) axes += "1,";
  expect_shape("(2," + axes + ")", {"more than 64 axes"});
  // No element at all, whatever the others are.
  const loaded_tensor none = read_tensor(
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 0, 7)}", ""));
  EXPECT_EQ(none.layout.shape, (std::vector<std::int64_t>{9223372036854775807, 0, 7}));
}

TEST_F(npy, reads_bfloat16_only_if_declared) {
  const std::string elements = bytes_of<std::uint16_t>({0x3fc0, 0xc010});
  for (const char* descr : {"<V2", "|V2", "=V2", "V2"}) {
    const std::string dictionary =
        std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (2,)}";
    file(dictionary, elements);
    const loaded_tensor tensor = read_tensor(path, dtype::bfloat16);
    EXPECT_EQ(tensor.layout.type, dtype::bfloat16);
    EXPECT_EQ(elements_of(tensor), elements);
    expect_error(errc::invalid_file, [&] { read_tensor(path); }, {descr, "--type bfloat16"});
    expect_error(errc::invalid_file, [&] { read_tensor(path, dtype::float16); },
                 {descr, "not float16"});
    EXPECT_EQ(inspect_tensors(path).tensors[0].type, std::nullopt);
    EXPECT_EQ(inspect_tensors(path).tensors[0].data_bytes, 4u);
    EXPECT_EQ(inspect_tensors(path, dtype::bfloat16).tensors[0].type, dtype::bfloat16);
    // The size of two bytes each is checked, declared or not.
    file(dictionary, elements + "x");
    expect_refused(path, {});
  }
}

TEST_F(npy, refuses_other_types) {
  for (const char* descr : {"<i2", "|b1", "<c8", "<U4", "|S3", "|O", "<M8[ns]", "<f16", ">V2",
                            "<V4", "float32", "", "<", "<<f4", "f4<", "\x01", "<F4"}) {
    SCOPED_TRACE(descr);
    file(std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (2,)}");
    expect_error(errc::invalid_file, [&] { read_tensor(path); }, {"elements of type", "supported"});
    const tensor_info info = inspect_tensors(path).tensors[0];
    EXPECT_EQ(info.stored_type, descr);
    EXPECT_EQ(info.data_bytes, 8u);
    expect_error(errc::invalid_file, [&] { inspect_tensors(path, dtype::float32); },
                 {"not float32"});
  }
}

TEST_F(npy, refuses_other_versions_and_other_files) {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}";
  for (const auto& [major, minor] : {std::pair(0, 0), {1, 1}, {2, 5}, {4, 0}, {255, 255}}) {
    expect_refused(file(good, two_floats, major, minor), {"known are 1.0, 2.0 and 3.0"});
  }
  EXPECT_EQ(elements_of(read_tensor(file(good, two_floats, 2))), two_floats);
  EXPECT_EQ(elements_of(read_tensor(file(good, two_floats, 3))), two_floats);
  write_file(path, "PK\x03\x04 this is a zip file");
  expect_refused(path, {"x.npy: is no npy file"});
  write_file(path, "");
  expect_refused(path, {"ends within its header: 0 of 8 bytes"});
}

TEST_F(npy, bounds_the_header) {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}";
  const std::string longest = good + std::string(65535 - good.size(), ' ');
  EXPECT_EQ(elements_of(read_tensor(file(longest))), two_floats);
  EXPECT_EQ(elements_of(read_tensor(file(longest, two_floats, 2))), two_floats);
  expect_refused(file(longest + " ", two_floats, 2), {"has a header of 65536 bytes", "65535"});
  write_file(path, std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12));
  expect_refused(path, {"has a header of 4294967295 bytes"});
  write_file(path, std::string("\x93NUMPY\x01\x00\xff\xff", 10) + good);
  expect_refused(path, {"ends within its header: 55 of 65535 bytes"});
}

}  // namespace
}  // namespace halfulp::io::test
