// TensorProto messages, made field by field.
// SPDX-License-Identifier: Apache-2.0
#include "io/tensor_proto.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>

#include "io/support/files.hpp"

namespace halfulp::io::test {
namespace {

// Numbers of TensorProto.DataType and of the fields.
constexpr int float_type = 1, int32_type = 6, int64_type = 7, float16_type = 10, double_type = 11,
              uint32_type = 12, uint64_type = 13, bfloat16_type = 16;

class message : public protozero::pbf_writer {
 public:
  message() : protozero::pbf_writer(text_) {}
  message(const message&) = delete;
  message& operator=(const message&) = delete;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string with(int data_type, const std::vector<std::int64_t>& dims,
                 const std::function<void(protozero::pbf_writer&)>& add) {
  message result;
  for (const std::int64_t extent : dims) result.add_int64(1, extent);
  result.add_int32(2, data_type);
  add(result);
  return result.text();
}

std::span<const std::byte> as_message(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string decoded(const std::string& text) {
  return elements_of(tensor_proto::decode(as_message(text), "t"));
}

void expect_invalid(const std::string& text, std::initializer_list<std::string_view> parts) {
  expect_error(
      errc::invalid_file, [&] { tensor_proto::decode(as_message(text), "t"); }, parts);
  expect_error(
      errc::invalid_file, [&] { tensor_proto::describe(as_message(text), "t"); }, parts);
}

template <typename T>
void add_packed(protozero::pbf_writer& writer, int field, const std::vector<T>& values) {
  const auto tag = static_cast<protozero::pbf_tag_type>(field);
  if constexpr (std::is_same_v<T, float>)
    writer.add_packed_float(tag, values.begin(), values.end());
  if constexpr (std::is_same_v<T, double>)
    writer.add_packed_double(tag, values.begin(), values.end());
  if constexpr (std::is_same_v<T, std::int32_t>) {
    writer.add_packed_int32(tag, values.begin(), values.end());
  }
  if constexpr (std::is_same_v<T, std::int64_t>) {
    writer.add_packed_int64(tag, values.begin(), values.end());
  }
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    writer.add_packed_uint64(tag, values.begin(), values.end());
  }
}

TEST(tensor_proto, raw_data_is_used_where_it_lies) {
  const std::string elements = bytes_of<float>({1.5f, -2.25f});
  const std::string text = with(float_type, {2}, [&](auto& m) { m.add_bytes(9, elements); });
  const loaded_tensor tensor = tensor_proto::decode(as_message(text), "t");
  EXPECT_EQ(tensor.storage, nullptr);
  EXPECT_EQ(tensor.data, as_message(text).data() + text.size() - elements.size());
  EXPECT_EQ(elements_of(tensor), elements);
}

TEST(tensor_proto, fields_may_be_packed_or_not_and_in_pieces) {
  const std::string expected = bytes_of<float>({1, 2, 3, 4, 5});
  message m;
  m.add_float(4, 1);
  add_packed<float>(m, 4, {2, 3});
  add_packed<std::int64_t>(m, 1, {5, 1});
  m.add_int64(1, 1);
  m.add_float(4, 4);
  m.add_int32(2, float_type);
  add_packed<float>(m, 4, {});
  add_packed<float>(m, 4, {5});
  const loaded_tensor tensor = tensor_proto::decode(as_message(m.text()), "t");
  EXPECT_EQ(tensor.layout.shape, (std::vector<std::int64_t>{5, 1, 1}));
  EXPECT_EQ(elements_of(tensor), expected);
}

TEST(tensor_proto, each_type_has_its_field) {
  EXPECT_EQ(decoded(with(double_type, {2},
                         [](auto& m) {
                           m.add_double(10, 1.5);
                           add_packed<double>(m, 10, {-2.25});
                         })),
            bytes_of<double>({1.5, -2.25}));
  const std::vector<std::int32_t> int32s = {1, -1, INT32_MIN, INT32_MAX};
  EXPECT_EQ(decoded(with(int32_type, {4}, [&](auto& m) { add_packed(m, 5, int32s); })),
            bytes_of(int32s));
  const std::vector<std::int64_t> int64s = {1, -1, INT64_MIN, INT64_MAX};
  EXPECT_EQ(decoded(with(int64_type, {4},
                         [&](auto& m) {
                           for (const std::int64_t x : int64s) m.add_int64(7, x);
                         })),
            bytes_of(int64s));
  const std::vector<std::uint64_t> uint64s = {0, 1, UINT64_MAX};
  EXPECT_EQ(decoded(with(uint64_type, {3}, [&](auto& m) { add_packed(m, 11, uint64s); })),
            bytes_of(uint64s));
  EXPECT_EQ(decoded(with(uint32_type, {2},
                         [](auto& m) {
                           add_packed<std::uint64_t>(m, 11, {7, 0xffffffff});
                         })),
            bytes_of<std::uint32_t>({7, 0xffffffff}));
  for (const int type : {float16_type, bfloat16_type}) {
    EXPECT_EQ(decoded(with(type, {3},
                           [](auto& m) {
                             add_packed<std::int32_t>(m, 5, {0, 0x3c00, 0xffff});
                           })),
              bytes_of<std::uint16_t>({0, 0x3c00, 0xffff}));
  }
}

TEST(tensor_proto, nan_payloads_survive) {
  const std::string elements = bytes_of<std::uint32_t>({0x7f800001, 0xffc12345});
  EXPECT_EQ(decoded(with(float_type, {2},
                         [&](auto& m) {
                           m.add_fixed32(4, 0x7f800001);
                           m.add_fixed32(4, 0xffc12345);
                         })),
            elements);
}

TEST(tensor_proto, the_last_scalar_counts) {
  message m;
  m.add_int32(2, double_type);
  m.add_string(8, "first");
  m.add_bytes(9, "thrown away");
  m.add_int32(2, float_type);
  m.add_string(8, "second");
  m.add_bytes(9, bytes_of<float>({1.5f}));
  const loaded_tensor tensor = tensor_proto::decode(as_message(m.text()), "t");
  EXPECT_EQ(tensor.layout.type, dtype::float32);
  EXPECT_EQ(tensor.name, "second");
  EXPECT_EQ(elements_of(tensor), bytes_of<float>({1.5f}));
}

TEST(tensor_proto, unknown_fields_are_skipped) {
  EXPECT_EQ(decoded(with(float_type, {1},
                         [](auto& m) {
                           m.add_string(12, "a doc string");
                           m.add_uint64(15, UINT64_MAX);
                           m.add_fixed32(17, 1);
                           m.add_fixed64(536870911, 1);
                           m.add_bytes(16, std::string(1000, '\xff'));
                           m.add_float(4, 1.5f);
                         })),
            bytes_of<float>({1.5f}));
}

TEST(tensor_proto, elements_belong_in_the_field_of_their_type) {
  const std::pair<int, const char*> types[] = {
      {float_type, "float_data"},   {double_type, "double_data"},  {int32_type, "int32_data"},
      {int64_type, "int64_data"},   {uint32_type, "uint64_data"},  {uint64_type, "uint64_data"},
      {float16_type, "int32_data"}, {bfloat16_type, "int32_data"},
  };
  const std::pair<const char*, std::function<void(protozero::pbf_writer&)>> fields[] = {
      {"float_data", [](auto& m) { m.add_float(4, 1); }},
      {"int32_data", [](auto& m) { m.add_int32(5, 1); }},
      {"string_data", [](auto& m) { m.add_bytes(6, "1"); }},
      {"int64_data", [](auto& m) { m.add_int64(7, 1); }},
      {"double_data", [](auto& m) { m.add_double(10, 1); }},
      {"uint64_data", [](auto& m) { m.add_uint64(11, 1); }},
  };
  for (const auto& [type, own] : types) {
    for (const auto& [field, add] : fields) {
      SCOPED_TRACE(testing::Message() << type << " in " << field);
      if (std::string_view(field) == own) {
        EXPECT_NO_THROW(decoded(with(type, {1}, add)));
        expect_invalid(with(type, {1},
                            [&](auto& m) {
                              add(m);
                              m.add_bytes(9, "");
                            }),
                       {"in raw_data and in", field});
      } else {
        expect_invalid(with(type, {1}, add), {field, own});
      }
    }
  }
}

TEST(tensor_proto, refuses_a_wrong_number_of_elements) {
  const auto raw = [](std::size_t bytes) {
    return [bytes](protozero::pbf_writer& m) { m.add_bytes(9, std::string(bytes, 'x')); };
  };
  expect_invalid(with(float_type, {2, 3}, raw(23)), {"has 23 bytes of elements; the shape (2,3)"});
  expect_invalid(with(float_type, {2, 3}, raw(28)), {"needs 24"});
  expect_invalid(with(float_type, {}, raw(0)), {"needs 4"});
  expect_invalid(with(float_type, {}, [](auto&) {}), {"has 0 bytes"});
  expect_invalid(with(float_type, {0}, raw(4)), {"needs 0"});
  expect_invalid(with(float_type, {2}, [](auto& m) { m.add_float(4, 1); }), {"has 4 bytes"});
  EXPECT_EQ(decoded(with(float_type, {0, 5}, [](auto&) {})), "");
}

TEST(tensor_proto, refuses_hostile_dims) {
  const auto nothing = [](protozero::pbf_writer&) {};
  expect_invalid(with(float_type, {-1}, nothing), {"the shape (-1,) has a negative extent"});
  expect_invalid(with(float_type, {INT64_MIN, 0}, nothing), {"negative extent"});
  expect_invalid(with(float_type, {INT64_MAX}, nothing), {"is too large"});
  expect_invalid(with(float_type, {1LL << 32, 1LL << 32}, nothing), {"is too large"});
  expect_invalid(with(float_type, {1LL << 60}, nothing), {"needs 4611686018427387904"});
  expect_invalid(with(float_type, std::vector<std::int64_t>(65, 1), nothing),
                 {"more than 64 dims"});
  // Shapes of other types are checked as well.
  expect_invalid(with(2, {-1}, nothing), {"negative extent"});
}

TEST(tensor_proto, refuses_values_outside_of_a_type) {
  const auto refuse = [](const std::string& text, std::initializer_list<std::string_view> parts) {
    expect_error(
        errc::invalid_file, [&] { tensor_proto::decode(as_message(text), "t"); }, parts);
  };
  for (const int type : {float16_type, bfloat16_type}) {
    for (const std::int32_t value : {-1, 0x10000, INT32_MAX, INT32_MIN}) {
      refuse(with(type, {1}, [&](auto& m) { m.add_int32(5, value); }),
             {"int32_data", "at most 0xffff"});
    }
  }
  refuse(with(uint32_type, {1}, [](auto& m) { m.add_uint64(11, 1ULL << 32); }),
         {"0x100000000", "uint64_data", "at most 0xffffffff"});
}

TEST(tensor_proto, refuses_data_that_is_elsewhere_or_in_parts) {
  const auto refuse = [](const std::function<void(protozero::pbf_writer&)>& add,
                         std::string_view part) {
    expect_invalid(with(float_type, {1},
                        [&](auto& m) {
                          m.add_bytes(9, "1234");
                          add(m);
                        }),
                   {part});
  };
  refuse([](auto& m) { m.add_bytes(3, ""); }, "one segment");
  refuse([](auto& m) { m.add_bytes(13, ""); }, "external_data");
  refuse([](auto& m) { m.add_int32(14, 1); }, "data_location EXTERNAL");
  EXPECT_EQ(decoded(with(float_type, {1},
                         [](auto& m) {
                           m.add_int32(14, 0);
                           m.add_bytes(9, "1234");
                         })),
            "1234");
}

TEST(tensor_proto, refuses_wrong_wire_types) {
  const auto nothing = [](protozero::pbf_writer&) {};
  const std::string start = with(float_type, {0}, nothing);
  for (const int field : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14}) {
    for (const int wire : {0, 1, 2, 5}) {
      const bool scalar = field == 2 || field == 14;
      const bool text = field == 3 || field == 6 || field == 8 || field == 9 || field == 13;
      const int own = field == 4 ? 5 : field == 10 ? 1 : text ? 2 : 0;
      if (wire == own || (wire == 2 && !scalar)) continue;
      message m;
      const auto tag = static_cast<protozero::pbf_tag_type>(field);
      if (wire == 0) m.add_uint64(tag, 0);
      if (wire == 1) m.add_fixed64(tag, 0);
      if (wire == 2) m.add_bytes(tag, "");
      if (wire == 5) m.add_fixed32(tag, 0);
      expect_invalid(start + m.text(), {"is no ONNX TensorProto", fmt::format("field {} ", field),
                                        fmt::format("wire type {}", wire)});
    }
  }
}

TEST(tensor_proto, refuses_unknown_types) {
  const auto nothing = [](protozero::pbf_writer&) {};
  expect_invalid("", {"t: is no ONNX TensorProto", "no data_type"});
  expect_invalid(with(0, {}, nothing), {"no data_type"});
  expect_invalid(with(29, {}, nothing), {"unknown data_type 29"});
  expect_invalid(with(-1, {}, nothing), {"unknown data_type -1"});
}

TEST(tensor_proto, refuses_malformed_messages) {
  const std::string start = with(float_type, {1}, [](auto&) {});
  const std::string elements = "1234";
  EXPECT_EQ(decoded(start + "\x4a\x04" + elements), elements);
  for (const std::vector<std::uint8_t>& end : std::initializer_list<std::vector<std::uint8_t>>{
           {0x4a},                                                              // no length
           {0x4a, 0x05},                                                        // too long
           {0x4a, 0xff, 0xff, 0xff, 0xff, 0x0f},                                // 2^32 - 1
           {0x4a, 0x84, 0x80, 0x80, 0x80, 0x10},                                // 2^32 + 4
           {0x4a, 0x84, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01},  // 2^63 + 4
           {0x4a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
            0x04},                                // eleven bytes
           {0xca, 0x80, 0x80, 0x80, 0x10, 0x04},  // field 9 + 2^29, no field at all
           {0x00, 0x04},                          // field 0
           {0x4b},                                // a group
           {0x4c},                                // the end of one
           {0x4e},                                // a wire type that does not exist
           {0x22, 0x03, 0x00, 0x00, 0x80},        // packed floats of three bytes
           {0x08},                                // no value
           {0x0a, 0x01, 0x80},                    // a varint that goes on past its field
           {0x78},                                // an unknown field without its value
           {0x7a, 0x80, 0x80, 0x80, 0x80, 0x20},  // an unknown field of 2^33 bytes
       }) {
    SCOPED_TRACE(testing::PrintToString(end));
    const std::string broken = start + bytes_of(end);
    expect_invalid(broken, {"is no ONNX TensorProto"});
    expect_invalid(broken + elements, {"is no ONNX TensorProto"});
  }
}

TEST(tensor_proto, writes_within_the_limit_only) {
  const temporary_folder folder;
  const std::string path = folder / "x.pb";
  write_file(path, "old");
  // Less dims, data_type, name, and the tag and length of raw_data.
  const std::int64_t most = 0x7fffffff - (6 + 2 + 3 + 6);
  EXPECT_NO_THROW(tensor_writer(path, dtype::float16, {most / 2}, "x"));
  for (const std::int64_t extent : {most / 2 + 1, std::int64_t{1} << 30, std::int64_t{1} << 40}) {
    expect_error(errc::invalid_file, [&] { tensor_writer(path, dtype::float16, {extent}, "x"); },
                 {"x.pb: would have", "more than the 2147483647 of a protobuf message"});
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"x.pb"});
}

TEST(tensor_proto, refuses_files_above_the_limit_at_once) {
  const temporary_folder folder;
  const std::string path = folder / "x.pb";
  write_file(path, "");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 31);  // takes no space
  expect_refused(path, {"has 2147483648 bytes, more than the 2147483647 of a protobuf message"});
}

}  // namespace
}  // namespace halfulp::io::test
