// Tensors beside the model, and every way out of its folder.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "io/support/files.hpp"
#include "model/support/running.hpp"

namespace halfulp::onnx::test {
namespace {

namespace fs = std::filesystem;

const std::vector<float> weights = {1, 2, 3, 4};

std::string model_with(const std::vector<message>& initializers) {
  model_parts parts{.nodes = {}, .inputs = {}, .outputs = {}, .initializers = initializers};
  for (std::size_t i = 0; i < initializers.size(); ++i) {
    const std::string n = std::to_string(i);
    parts.nodes.push_back(node("ReduceL1", {"w" + n}, {"y" + n}));
    parts.outputs.push_back(message().text(1, "y" + n));
  }
  return to_bytes(parts);
}

message weight(const entries& where, int number = 0, std::int64_t count = 4) {
  return external_tensor("w" + std::to_string(number), float32_type, {count}, where);
}

class external_data : public testing::Test {
 protected:
  external_data() {
    for (const char* name : {"models", "models/sub", "elsewhere"}) fs::create_directory(at(name));
    io::test::write_file(at("models/w.bin"), raw_bytes(weights));
    io::test::write_file(at("models/sub/w.bin"), raw_bytes(weights));
    io::test::write_file(at("elsewhere/w.bin"), raw_bytes(weights));
  }

  std::string at(std::string_view name) const { return folder_ / name; }

  void write_model(const std::vector<message>& initializers) {
    io::test::write_file(at("models/m.onnx"), model_with(initializers));
  }

  void expect_sums(const std::vector<float>& sums, const std::string& path) {
    const std::vector<tensor> results = model(path).run({});
    ASSERT_EQ(results.size(), sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) expect_tensor<float>(results[i], {1}, {sums[i]});
  }

  void expect_refused(const entries& where, std::initializer_list<std::string_view> parts,
                      errc code = errc::invalid_file, std::int64_t count = 4) {
    write_model({weight(where, 0, count)});
    io::test::expect_error(
        code, [&] { model(at("models/m.onnx")); }, parts);
    // Also where nothing reads the tensor.
    io::test::write_file(
        at("models/m.onnx"),
        to_bytes({.nodes = {node("Constant", {}, {"y"}, "", {integer_attribute("value_int", 1)})},
                  .inputs = {},
                  .outputs = {message().text(1, "y")},
                  .initializers = {weight(where, 0, count)}}));
    io::test::expect_error(
        code, [&] { model(at("models/m.onnx")); }, parts);
  }

 private:
  io::test::temporary_folder folder_;
};

TEST_F(external_data, is_found_from_everywhere) {
  write_model({weight({{"location", "w.bin"}}),
               weight({{"location", "sub/w.bin"}, {"offset", "4"}, {"length", "12"}}, 1, 3),
               weight({{"location", "./w.bin"}, {"checksum", "0"}, {"length", "16"}}, 2)});
  expect_sums({10, 9, 10}, at("models/m.onnx"));
  const fs::path start = fs::current_path();
  fs::current_path(at("models"));
  expect_sums({10, 9, 10}, "m.onnx");
  fs::current_path(at("elsewhere"));
  expect_sums({10, 9, 10}, "../models/m.onnx");
  fs::current_path(start);
}

TEST_F(external_data, a_download_cache_of_links_works) {
  fs::create_directory(at("blobs"));
  fs::create_directory(at("snapshot"));
  write_model({weight({{"location", "w.bin"}})});
  fs::rename(at("models/m.onnx"), at("blobs/0123"));
  fs::rename(at("models/w.bin"), at("blobs/4567"));
  fs::create_symlink("../blobs/0123", at("snapshot/m.onnx"));
  fs::create_symlink("../blobs/4567", at("snapshot/w.bin"));
  expect_sums({10}, at("snapshot/m.onnx"));
  // The folder itself may be a link.
  fs::create_directory_symlink("snapshot", at("current"));
  expect_sums({10}, at("current/m.onnx"));
}

TEST_F(external_data, links_inside_of_the_folder_are_followed) {
  fs::create_symlink("sub/w.bin", at("models/link.bin"));
  fs::create_directory_symlink("sub", at("models/folder"));
  write_model({weight({{"location", "link.bin"}}), weight({{"location", "folder/w.bin"}}, 1)});
  expect_sums({10, 10}, at("models/m.onnx"));
}

TEST_F(external_data, no_way_leads_out_of_the_folder) {
  fs::create_symlink("../elsewhere/w.bin", at("models/link.bin"));
  fs::create_symlink("link.bin", at("models/chain.bin"));
  fs::create_directory_symlink("../elsewhere", at("models/folder"));
  fs::create_directory_symlink(".", at("models/here"));
  for (const std::string location :
       {"../elsewhere/w.bin", "sub/../../elsewhere/w.bin", "sub/../w.bin", "..", "link.bin",
        "chain.bin", "folder/w.bin", "here/folder/w.bin"}) {
    expect_refused({{"location", location}}, {"m.onnx", "initializer 'w0'", location});
  }
  expect_refused({{"location", at("models/w.bin")}}, {"no path inside of the model's folder"});
  expect_refused({{"location", "/etc/passwd"}}, {"/etc/passwd", "no path inside"});
  expect_refused({{"location", ""}}, {"no path inside"});
  expect_refused({{"location", std::string("w.bin\0x", 7)}}, {"w.bin\\x00x", "no path inside"});
}

// A folder whose name begins like the model's is not inside of it.
TEST_F(external_data, a_folder_of_a_similar_name_is_another_one) {
  fs::create_directory(at("models2"));
  io::test::write_file(at("models2/w.bin"), raw_bytes(weights));
  fs::create_symlink("../models2/w.bin", at("models/link.bin"));
  expect_refused({{"location", "link.bin"}}, {"leads out of the model's folder"});
}

TEST_F(external_data, what_is_no_regular_file_is_not_touched) {
  ASSERT_EQ(::mkfifo(at("models/pipe").c_str(), 0600), 0);  // opening it would wait
  expect_refused({{"location", "pipe"}}, {"pipe", "no regular file"});
  expect_refused({{"location", "sub"}}, {"sub", "no regular file"});
  expect_refused({{"location", "."}}, {"'.'"});
  fs::create_symlink("/dev/zero", at("models/zero"));
  expect_refused({{"location", "zero"}}, {"leads out of the model's folder"});
}

TEST_F(external_data, sizes_and_offsets_lie_in_the_file) {
  expect_refused({{"location", "w.bin"}}, {"20 bytes", "byte 0", "has 16"}, errc::invalid_file, 5);
  expect_refused({{"location", "w.bin"}, {"offset", "1"}}, {"byte 1 of 'w.bin'"});
  expect_refused({{"location", "w.bin"}, {"offset", "17"}}, {"byte 17"});
  expect_refused({{"location", "w.bin"}, {"offset", "18446744073709551615"}},
                 {"byte 18446744073709551615"});
  expect_refused({{"location", "w.bin"}, {"offset", "18446744073709551616"}},
                 {"18446744073709551616", "no size in bytes"});
  for (const std::string text : {"-1", "+1", " 1", "1 ", "0x1", "1.0", "", "one"}) {
    expect_refused({{"location", "w.bin"}, {"offset", text}}, {"offset", "no size in bytes"});
    expect_refused({{"location", "w.bin"}, {"length", text}}, {"length", "no size in bytes"});
  }
  expect_refused({{"location", "w.bin"}, {"length", "12"}}, {"length 12", "needs 16"});
  expect_refused({{"location", "w.bin"}}, {"(-4,)", "negative"}, errc::invalid_file, -4);
  expect_refused({{"location", "w.bin"}}, {"too large"}, errc::invalid_file, 1LL << 62);
}

TEST_F(external_data, entries_are_known_and_come_once) {
  expect_refused({{"location", "w.bin"}, {"basepath", "/"}}, {"basepath", "known are"});
  expect_refused({{"location", "w.bin"}, {"location", "w.bin"}}, {"location twice"});
  expect_refused({{"offset", "0"}}, {"no location"});
  expect_refused({{"location", "none.bin"}}, {"none.bin", "No such file"}, errc::io);
  const message both = external_tensor("w0", float32_type, {4}, {{"location", "w.bin"}});
  message with_raw = both;
  with_raw.text(9, raw_bytes(weights));
  message with_typed = both;
  with_typed.real(4, 1);
  message not_external = tensor_header("w0", float32_type, {4});
  not_external.nested(13, message().text(1, "location").text(2, "w.bin"));
  for (const auto& [initializer, culprit] :
       {std::pair{with_raw, "raw_data"},
        {with_typed, "float_data"},
        {not_external, "data_location is not EXTERNAL"},
        {tensor_header("w0", float32_type, {4}).integer(14, 2), "unknown data_location 2"}}) {
    write_model({initializer});
    io::test::expect_error(errc::invalid_file, [&] { model(at("models/m.onnx")); },
                           {"w0", culprit});
  }
}

// Or a small model could take the memory of its data again and again.
TEST_F(external_data, tensors_share_a_place_or_have_their_own) {
  write_model(
      {weight({{"location", "w.bin"}, {"length", "16"}}), weight({{"location", "w.bin"}}, 1)});
  expect_sums({10, 10}, at("models/m.onnx"));
  write_model({weight({{"location", "w.bin"}}, 0, 2),
               weight({{"location", "./w.bin"}, {"offset", "8"}}, 1, 2)});
  expect_sums({3, 7}, at("models/m.onnx"));
  fs::create_symlink("w.bin", at("models/same.bin"));
  // The later one begins inside of the earlier one, contains it, lies in it, or has its beginning.
  for (const auto& [offset, count] :
       {std::pair{"8", 2}, std::pair{"0", 3}, std::pair{"0", 4}, std::pair{"4", 1}}) {
    write_model({weight({{"location", "w.bin"}, {"offset", "4"}}, 0, 2),
                 weight({{"location", "same.bin"}, {"offset", offset}}, 1, count)});
    io::test::expect_error(errc::invalid_file, [&] { model(at("models/m.onnx")); },
                           {"w1", "overlap another"});
  }
}

TEST_F(external_data, may_be_that_of_a_constant) {
  const message tensor = external_tensor("", float32_type, {4}, {{"location", "w.bin"}});
  io::test::write_file(
      at("models/m.onnx"),
      to_bytes({.nodes = {node("Constant", {}, {"c"}, "", {tensor_attribute("value", tensor)}),
                          node("ReduceL1", {"c"}, {"y"})},
                .inputs = {},
                .outputs = {message().text(1, "y")}}));
  expect_sums({10}, at("models/m.onnx"));
  EXPECT_EQ(inspect(at("models/m.onnx")).outputs.at(0).shape->at(0).extent, 1);
  std::filesystem::remove(at("models/w.bin"));
  io::test::expect_error(errc::io, [&] { model(at("models/m.onnx")); },
                         {"Constant-13: attribute value", "w.bin"});
  EXPECT_NO_THROW(inspect(at("models/m.onnx")));
}

TEST_F(external_data, needs_a_folder) {
  const std::string bytes = model_with({weight({{"location", "w.bin"}})});
  io::test::expect_error(errc::invalid_file, [&] { model{as_span(bytes)}; },
                         {"w0", "in no folder"});
}

TEST_F(external_data, is_not_read_for_inspection) {
  write_model({weight({{"location", "none.bin"}})});
  const model_info info = inspect(at("models/m.onnx"));
  EXPECT_EQ(info.initializers.at(0).location, "none.bin");
  EXPECT_EQ(info.initializers.at(0).bytes, 16u);
  EXPECT_EQ(info.nodes.at(0).outputs.at(0).shape->at(0).extent, 1);
}

}  // namespace
}  // namespace halfulp::onnx::test
