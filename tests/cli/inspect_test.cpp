// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace halfulp::test {
namespace {

using inspect_test = command_test;
using json = nlohmann::json;

std::string safetensors(const std::string& header, const std::string& data) {
  std::string length(8, '\0');
  length[0] = static_cast<char>(header.size() & 0xff);
  length[1] = static_cast<char>(header.size() >> 8);
  return length + header + data;
}

TEST_F(inspect_test, npy) {
  write_file("x.npy", npy<float>("(2, 3)", {1, 2, 3, 4, 5, 6}));
  expect_output(halfulp({"inspect", "x.npy"}),
                "npy 1.0, 1 tensor\n"
                "name  type     shape  stored  order  byte order  offset  bytes\n"
                "-     float32  (2,3)  <f4     C      little      128     24\n");
  write_file("f.npy", npy_header(">u8", "(2, 1)", true) + std::string(16, '\0'));
  expect_output(halfulp({"inspect", "f.npy"}),
                "npy 1.0, 1 tensor\n"
                "name  type    shape  stored  order    byte order  offset  bytes\n"
                "-     uint64  (2,1)  >u8     Fortran  big         128     16\n");
}

TEST_F(inspect_test, npy_on_standard_input) {
  write_file("x.npy", npy<double>("()", {1}));
  const outcome got = halfulp({"inspect", "-"}, "x.npy");
  EXPECT_EQ(got.status, 0);
  EXPECT_NE(got.out.find("float64  ()"), std::string::npos) << got.out;
}

TEST_F(inspect_test, declared_type) {
  write_file("v.npy", npy<bfloat16>("(1,)", {bfloat16(1.0)}));
  EXPECT_NE(halfulp({"inspect", "v.npy"}).out.find("-     -     (1,)   <V2"), std::string::npos);
  EXPECT_NE(halfulp({"inspect", "v.npy", "--type", "bfloat16"}).out.find("bfloat16  (1,)   <V2"),
            std::string::npos);
}

TEST_F(inspect_test, safetensors) {
  write_file("m.safetensors",
             safetensors(R"({"weight":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
                         R"("mask":{"dtype":"BOOL","shape":[3],"data_offsets":[8,11]}})",
                         std::string(11, '\0')));
  const outcome got = halfulp({"inspect", "m.safetensors"});
  EXPECT_EQ(got.err, "");
  EXPECT_EQ(got.status, 0);
  EXPECT_EQ(got.out,
            "safetensors, 2 tensors\n"
            "name    type     shape  stored  order  byte order  offset  bytes\n"
            "weight  float32  (2,1)  F32     C      little      127     8\n"
            "mask    -        (3,)   BOOL    C      little      135     3\n");
}

TEST_F(inspect_test, names_cannot_steer_the_terminal) {
  write_file("m.safetensors",
             safetensors(R"({"a\u001b[2J\nb":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})",
                         std::string(4, '\0')));
  const outcome got = halfulp({"inspect", "m.safetensors"});
  EXPECT_EQ(got.status, 0) << got.err;
  EXPECT_NE(got.out.find("a\\x1b[2J\\x0ab  float32"), std::string::npos) << got.out;
  EXPECT_EQ(std::count(got.out.begin(), got.out.end(), '\n'), 3);
  const auto parsed = json::parse(halfulp({"inspect", "m.safetensors", "--json"}).out);
  EXPECT_EQ(parsed["tensors"][0]["name"], "a\x1b[2J\nb");
}

TEST_F(inspect_test, tensor_proto) {
  // dims 2, data_type FLOAT, then raw_data, or float_data packed.
  const std::string head("\x08\x02\x10\x01", 4);
  const std::string elements = bytes_of<float>({1, 2});
  write_file("raw.pb", head + "\x4a\x08" + elements);
  write_file("typed.pb", head + "\x22\x08" + elements);
  const auto raw = json::parse(halfulp({"inspect", "raw.pb", "--json"}).out);
  EXPECT_EQ(raw,
            json::parse(R"({"format": "TensorProto", "tensors": [{"name": "", "type": "float32",
                                 "stored_type": "FLOAT", "shape": [2], "order": "C",
                                 "byte_order": "little", "offset": 6, "bytes": 8}]})"));
  const auto typed = json::parse(halfulp({"inspect", "typed.pb", "--json"}).out);
  EXPECT_EQ(typed["tensors"][0]["offset"], nullptr);
  EXPECT_NE(halfulp({"inspect", "typed.pb"}).out.find("little      -       "), std::string::npos);
}

TEST_F(inspect_test, json_has_null_for_foreign_types) {
  write_file("b.npy", npy_header("|b1", "(3,)") + std::string(3, '\0'));
  const auto got = json::parse(halfulp({"inspect", "b.npy", "--json"}).out);
  EXPECT_EQ(got["format"], "npy 1.0");
  EXPECT_EQ(got["tensors"][0]["type"], nullptr);
  EXPECT_EQ(got["tensors"][0]["stored_type"], "|b1");
}

TEST_F(inspect_test, failures) {
  write_file("short.npy", npy_header("<f4", "(3,)") + "1234");
  expect_failure(halfulp({"inspect", "short.npy"}), 1, "short.npy");
  expect_failure(halfulp({"inspect", "missing.npy"}), 1, "missing.npy");
  expect_failure(halfulp({"inspect", "x.txt"}), 1, "x.txt");
}

}  // namespace
}  // namespace halfulp::test
