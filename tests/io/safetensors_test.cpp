// The header of .safetensors files, and picking tensors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "io/support/files.hpp"
#include "io/support/npy_file.hpp"

namespace halfulp::io::test {
namespace {

class safetensors : public testing::Test {
 protected:
  void file(std::string_view header, std::string_view data = "") const {
    write_file(path, little_endian(header.size(), 8) + std::string(header) + std::string(data));
  }
  void expect_refused_header(std::string_view header, std::string_view data,
                             std::initializer_list<std::string_view> parts) const {
    SCOPED_TRACE(header);
    file(header, data);
    expect_refused(path, parts);
  }
  // `fields` is what stands in the object of the only tensor, "w".
  void expect_refused_tensor(const std::string& fields,
                             std::initializer_list<std::string_view> parts) const {
    expect_refused_header("{\"w\":{" + fields + "}}", "12345678", parts);
  }

  temporary_folder folder;
  const std::string path = folder / "x.safetensors";
};

const std::string two_tensors = R"({"b.c:d":{"dtype":"I32","shape":[],"data_offsets":[4,8]},)"
                                R"("a":{"data_offsets":[0,4],"shape":[2],"dtype":"F16"}})";

TEST_F(safetensors, picks_a_tensor_by_name) {
  file(two_tensors, "12345678");
  const loaded_tensor a = read_tensor(path + ":a");
  EXPECT_EQ(a.layout.type, dtype::float16);
  EXPECT_EQ(a.layout.shape, std::vector<std::int64_t>{2});
  EXPECT_EQ(elements_of(a), "1234");
  const loaded_tensor b = read_tensor(path + ":b.c:d");
  EXPECT_EQ(b.name, "b.c:d");
  EXPECT_EQ(elements_of(b), "5678");
  expect_error(errc::invalid_file, [&] { read_tensor(path); },
               {"has 2 tensors", "x.safetensors:NAME", "a, b.c:d"});
  for (const char* name : {":", ":b", ":a ", ":a:", ":__metadata__"}) {
    expect_error(errc::invalid_file, [&] { read_tensor(path + name); }, {"has no tensor"});
    expect_error(errc::invalid_file, [&] { inspect_tensors(path + name); }, {"has no tensor"});
  }
}

TEST_F(safetensors, lists_tensors_in_the_order_of_their_data) {
  file(two_tensors, "12345678");
  const file_info info = inspect_tensors(path);
  ASSERT_EQ(info.tensors.size(), 2u);
  EXPECT_EQ(info.tensors[0].name, "a");
  EXPECT_EQ(info.tensors[0].data_offset, 8 + two_tensors.size());
  EXPECT_EQ(info.tensors[1].name, "b.c:d");
  EXPECT_EQ(info.tensors[1].data_offset, 8 + two_tensors.size() + 4);
}

TEST_F(safetensors, accepts_white_space_metadata_and_odd_names) {
  file(
      "{ \"__metadata__\" : { \"a\" : \"1\", \"b\\u0000\" : \"\" } ,\n\"\" : { \"dtype\" : \"U32\","
      " \"shape\" : [ 1 ] , \"data_offsets\" : [ 0 , 4 ] } }      ",
      "1234");
  EXPECT_EQ(elements_of(read_tensor(path)), "1234");
  EXPECT_EQ(elements_of(read_tensor(path + ":")), "1234");
  file(R"({"\u00e9\"\n":{"dtype":"U32","shape":[1],"data_offsets":[0,4]}})", "1234");
  EXPECT_EQ(read_tensor(path + ":\xc3\xa9\"\n").name, "\xc3\xa9\"\n");
  expect_error(errc::invalid_file, [&] { read_tensor(path + ":x\n"); },
               {"no tensor 'x\\x0a'", "\xc3\xa9\"\\x0a"});
}

TEST_F(safetensors, empty_tensors_share_offsets) {
  file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
       R"("b":{"dtype":"F32","shape":[0,7],"data_offsets":[0,0]},)"
       R"("c":{"dtype":"F32","shape":[0],"data_offsets":[4,4]}})",
       "1234");
  for (const char* name : {":b", ":c"}) EXPECT_EQ(elements_of(read_tensor(path + name)), "");
  EXPECT_EQ(elements_of(read_tensor(path + ":a")), "1234");
}

TEST_F(safetensors, a_file_may_have_no_tensor) {
  file("{}");
  EXPECT_TRUE(inspect_tensors(path).tensors.empty());
  expect_error(errc::invalid_file, [&] { read_tensor(path); }, {"has no tensor"});
  expect_error(errc::invalid_file, [&] { read_tensor(path + ":a"); },
               {"has no tensor 'a'; it has none"});
}

TEST_F(safetensors, types_that_are_none_of_ours_do_not_hinder_others) {
  file(R"({"a":{"dtype":"F4","shape":[3,2],"data_offsets":[0,3]},)"
       R"("b":{"dtype":"TYPE_OF_2040","shape":[9],"data_offsets":[3,4]},)"
       R"("c":{"dtype":"F32","shape":[],"data_offsets":[4,8]}})",
       "12345678");
  EXPECT_EQ(elements_of(read_tensor(path + ":c")), "5678");
  EXPECT_EQ(inspect_tensors(path).tensors[1].stored_type, "TYPE_OF_2040");
  expect_error(errc::invalid_file, [&] { read_tensor(path + ":a"); },
               {"tensor 'a': holds elements of type F4"});
  expect_error(errc::invalid_file, [&] { read_tensor(path + ":b"); }, {"type TYPE_OF_2040"});
}

TEST_F(safetensors, refuses_wrong_sizes_and_offsets) {
  const std::string f32 = R"("dtype":"F32",)";
  expect_refused_tensor(f32 + R"("shape":[2],"data_offsets":[0,7])", {"tensor 'w' has 7 bytes"});
  expect_refused_tensor(f32 + R"("shape":[3],"data_offsets":[0,8])",
                        {"the shape (3,) of type F32"});
  expect_refused_tensor(R"("dtype":"F4","shape":[15],"data_offsets":[0,8])", {"has 8 bytes"});
  expect_refused_tensor(R"("dtype":"F6_E2M3","shape":[3],"data_offsets":[0,2])", {"has 2 bytes"});
  expect_refused_tensor(f32 + R"("shape":[1],"data_offsets":[4,8])",
                        {"[4,8]", "byte 0 comes next"});
  expect_refused_tensor(f32 + R"("shape":[1],"data_offsets":[0,4])",
                        {"has 4 bytes after the data"});
  expect_refused_tensor(f32 + R"("shape":[3],"data_offsets":[0,12])",
                        {"ends at byte 12 of the data, which has 8"});
  expect_refused_tensor(f32 + R"("shape":[1],"data_offsets":[8,4])", {"[8,4]"});
  expect_refused_tensor(f32 + R"("shape":[2],"data_offsets":[0,18446744073709551615])",
                        {"ends at byte 18446744073709551615"});
  expect_refused_tensor(f32 + R"("shape":[4611686018427387904],"data_offsets":[0,0])",
                        {"has 0 bytes"});
  expect_refused_tensor(f32 + R"("shape":[4294967296,4294967296],"data_offsets":[0,0])",
                        {"is too large"});
  expect_refused_tensor(R"("dtype":"NEW","shape":[4294967296,4294967296],"data_offsets":[0,8])",
                        {"is too large"});
  expect_refused_header(R"({"a":{"dtype":"U32","shape":[2],"data_offsets":[0,8]},)"
                        R"("b":{"dtype":"U32","shape":[1],"data_offsets":[4,8]}})",
                        "12345678", {"tensor 'b'", "[4,8]", "byte 8 comes next"});
  expect_refused_header(R"({"a":{"dtype":"U32","shape":[1],"data_offsets":[0,4]},)"
                        R"("b":{"dtype":"U32","shape":[1],"data_offsets":[8,12]}})",
                        "123456789012", {"tensor 'b'", "byte 4 comes next"});
  expect_refused_header("{}", "1", {"has 1 bytes after the data"});
}

TEST_F(safetensors, refuses_wrong_fields) {
  const std::string good = R"("dtype":"F32","shape":[2],"data_offsets":[0,8])";
  file("{\"w\":{" + good + "}}", "12345678");
  EXPECT_EQ(elements_of(read_tensor(path)), "12345678");
  expect_refused_tensor("", {"tensor 'w' lacks dtype, shape or data_offsets"});
  expect_refused_tensor(R"("dtype":"F32","shape":[2])", {"lacks"});
  expect_refused_tensor(good + R"(,"strides":[4])", {"unknown key 'strides'"});
  expect_refused_tensor(good + R"(,"dtype":"F32")", {"key 'dtype' twice"});
  expect_refused_tensor(R"("dtype":1,"shape":[2],"data_offsets":[0,8])", {"a number in its dtype"});
  expect_refused_tensor(R"("dtype":["F32"],"shape":[2],"data_offsets":[0,8])", {"an array"});
  expect_refused_tensor(R"("dtype":null,"shape":[2],"data_offsets":[0,8])", {"null"});
  expect_refused_tensor(R"("dtype":"F32","shape":2,"data_offsets":[0,8])", {"a number"});
  expect_refused_tensor(R"("dtype":"F32","shape":"2","data_offsets":[0,8])", {"a string"});
  expect_refused_tensor(R"("dtype":"F32","shape":["2"],"data_offsets":[0,8])", {"a string"});
  expect_refused_tensor(R"("dtype":"F32","shape":{"0":2},"data_offsets":[0,8])", {"an object"});
  expect_refused_tensor(R"("dtype":"F32","shape":[[2]],"data_offsets":[0,8])", {"an array"});
  expect_refused_tensor(R"("dtype":"F32","shape":[true],"data_offsets":[0,8])", {"a boolean"});
  expect_refused_tensor(R"("dtype":"F32","shape":[-2],"data_offsets":[0,8])",
                        {"a negative number"});
  expect_refused_tensor(R"("dtype":"F32","shape":[2.0],"data_offsets":[0,8])", {"no integer"});
  expect_refused_tensor(R"("dtype":"F32","shape":[2e0],"data_offsets":[0,8])", {"no integer"});
  expect_refused_tensor(R"("dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,8])",
                        {"too large a number"});
  expect_refused_tensor(R"("dtype":"F32","shape":[18446744073709551616],"data_offsets":[0,8])",
                        {"too large"});
  expect_refused_tensor(R"("dtype":"F32","shape":[1e999],"data_offsets":[0,8])",
                        {"no JSON, or a damaged one"});
  expect_refused_tensor(R"("dtype":"F32","shape":[2],"data_offsets":[0])", {"too short an array"});
  expect_refused_tensor(R"("dtype":"F32","shape":[2],"data_offsets":[])", {"too short an array"});
  expect_refused_tensor(R"("dtype":"F32","shape":[2],"data_offsets":[0,8,8])", {"array of two"});
  expect_refused_tensor(R"("dtype":"F32","shape":[2],"data_offsets":[0,-8])",
                        {"a negative number"});
  std::string axes = "1";
  for (int i = 0; i < 64; ++i) axes += ",1";
  expect_refused_tensor(R"("dtype":"F32","shape":[)" + axes + R"(],"data_offsets":[0,8])",
                        {"tensor 'w' has more than 64 axes"});
}

TEST_F(safetensors, refuses_wrong_headers) {
  expect_refused_header("", "", {"the header is no JSON object"});
  expect_refused_header("[]", "", {"the header is no JSON object"});
  expect_refused_header(" {}", "", {"the header is no JSON object"});
  expect_refused_header("\xef\xbb\xbf{}", "", {"the header is no JSON object"});
  expect_refused_header(std::string("{}\0 and more", 12), "", {"the header is no JSON object"});
  expect_refused_header("{", "", {"no JSON, or a damaged one, at its byte"});
  expect_refused_header("{}}", "", {"no JSON"});
  expect_refused_header("{} {}", "", {"no JSON"});
  expect_refused_header("{\"a\"}", "", {"no JSON"});
  expect_refused_header("{'a':{}}", "", {"no JSON"});
  expect_refused_header("{\"\xff\":{}}", "", {"no JSON"});
  expect_refused_header("{\"a\":1}", "", {"a number where an object should be"});
  expect_refused_header(R"({"a":"b"})", "", {"a string where an object should be"});
  expect_refused_header("{\"a\":[]}", "", {"an array where an object should be"});
  expect_refused_header("{\"a\":null}", "", {"null where an object should be"});
  expect_refused_header(R"({"__metadata__":"b"})", "", {"a string where an object should be"});
  expect_refused_header(R"({"__metadata__":{"a":1}})", "", {"__metadata__ has a number as 'a'"});
  expect_refused_header(R"({"__metadata__":{"a":{}}})", "", {"an object as 'a'"});
  expect_refused_header(R"({"__metadata__":{"a":["b"]}})", "", {"an array as 'a'"});
  expect_refused_header(R"({"__metadata__":{"a":"","a":""}})", "", {"key 'a' twice"});
  expect_refused_header(R"({"__metadata__":{},"__metadata__":{}})", "",
                        {"key '__metadata__' twice"});
  expect_refused_header(R"({"w":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)"
                        R"("w":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})",
                        "", {"key 'w' twice"});
}

TEST_F(safetensors, nesting_does_not_exhaust_the_stack) {
  std::string objects;
  std::string arrays = R"({"a":{"shape":)";
  for (int i = 0; i < 1'000'000; ++i) {
    objects += "{\"a\":";
    arrays += '[';
  }
  file(objects);
  expect_refused(path, {"tensor 'a' has the unknown key 'a'"});
  file(arrays);
  expect_refused(path, {"tensor 'a' has an array in its shape"});
}

TEST_F(safetensors, bounds_the_header) {
  write_file(path, "1234567");
  expect_refused(path, {"ends within its header's length: 7 of 8 bytes"});
  write_file(path, little_endian(100'000'001, 8) + "{}");
  expect_refused(path, {"has a header of 100000001 bytes; at most 100000000"});
  write_file(path, little_endian(UINT64_MAX, 8) + "{}");
  expect_refused(path, {"has a header of 18446744073709551615 bytes"});
  write_file(path, little_endian(100'000'000, 8) + "{}");
  expect_refused(path, {"ends within its header: 2 of 100000000 bytes"});
}

TEST_F(safetensors, writes_names_as_json) {
  for (const std::string name : {"plain", "", "a\"b\\c\n\x01", "\xc3\xa9", "x:y.z"}) {
    write_tensor(path, dtype::uint32, {1}, "1234", name);
    EXPECT_EQ(read_tensor(path + ":" + name).name, name);
    // The elements are aligned.
    EXPECT_EQ(inspect_tensors(path).tensors[0].data_offset % 8, 0u);
  }
  write_file(path, "old");
  expect_error(errc::invalid_file, [&] { write_tensor(path, dtype::uint32, {1}, "1234", "\xff"); },
               {"'\\xff' is no UTF-8"});
  expect_error(errc::invalid_file,
               [&] { write_tensor(path, dtype::uint32, {1}, "1234", "__metadata__"); },
               {"cannot have the name __metadata__"});
  EXPECT_EQ(read_file(path), "old");
}

TEST_F(safetensors, must_be_a_regular_file) {
  std::filesystem::create_symlink("/dev/null", path);
  expect_error(errc::io, [&] { read_tensor(path); }, {"is no regular file"});
}

}  // namespace
}  // namespace halfulp::io::test
