// The fields and element types of ONNX's TensorProto, from onnx/onnx.proto.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <protozero/types.hpp>
#include <string_view>

#include "halfulp/types.hpp"

namespace halfulp::io::tensor_proto {

using wire = protozero::pbf_wire_type;

// The numbers of TensorProto's fields.
namespace field {
inline constexpr std::uint32_t dims = 1;
inline constexpr std::uint32_t data_type = 2;
inline constexpr std::uint32_t segment = 3;
inline constexpr std::uint32_t float_data = 4;
inline constexpr std::uint32_t int32_data = 5;
inline constexpr std::uint32_t string_data = 6;
inline constexpr std::uint32_t int64_data = 7;
inline constexpr std::uint32_t name = 8;
inline constexpr std::uint32_t raw_data = 9;
inline constexpr std::uint32_t double_data = 10;
inline constexpr std::uint32_t uint64_data = 11;
inline constexpr std::uint32_t external_data = 13;
inline constexpr std::uint32_t data_location = 14;
}  // namespace field

// The fields of StringStringEntryProto.
namespace entry_field {
inline constexpr std::uint32_t key = 1;
inline constexpr std::uint32_t value = 2;
}  // namespace entry_field

// TensorProto.DataLocation.
namespace data_location {
inline constexpr std::int32_t standard = 0;
inline constexpr std::int32_t external = 1;
}  // namespace data_location

struct field_rule {
  std::uint32_t number;
  std::string_view name;
  wire type;
  bool packable;  // a repeated scalar, which may come length-delimited as well
};

inline constexpr field_rule field_rules[] = {
    {field::dims, "dims", wire::varint, true},
    {field::data_type, "data_type", wire::varint, false},
    {field::segment, "segment", wire::length_delimited, false},
    {field::float_data, "float_data", wire::fixed32, true},
    {field::int32_data, "int32_data", wire::varint, true},
    {field::string_data, "string_data", wire::length_delimited, false},
    {field::int64_data, "int64_data", wire::varint, true},
    {field::name, "name", wire::length_delimited, false},
    {field::raw_data, "raw_data", wire::length_delimited, false},
    {field::double_data, "double_data", wire::fixed64, true},
    {field::uint64_data, "uint64_data", wire::varint, true},
    {field::external_data, "external_data", wire::length_delimited, false},
    {field::data_location, "data_location", wire::varint, false},
};

inline const field_rule* find_rule(std::uint32_t number) {
  const auto found = std::find_if(std::begin(field_rules), std::end(field_rules),
                                  [&](const field_rule& rule) { return rule.number == number; });
  return found == std::end(field_rules) ? nullptr : found;
}

// TensorProto.DataType. `data_field` is where elements are that are not raw.
struct type_rule {
  std::int32_t number;
  std::string_view name;
  std::optional<dtype> type = {};
  std::uint32_t data_field = 0;
};

inline constexpr type_rule type_rules[] = {
    {1, "FLOAT", dtype::float32, field::float_data},
    {2, "UINT8"},
    {3, "INT8"},
    {4, "UINT16"},
    {5, "INT16"},
    {6, "INT32", dtype::int32, field::int32_data},
    {7, "INT64", dtype::int64, field::int64_data},
    {8, "STRING"},
    {9, "BOOL"},
    {10, "FLOAT16", dtype::float16, field::int32_data},
    {11, "DOUBLE", dtype::float64, field::double_data},
    {12, "UINT32", dtype::uint32, field::uint64_data},
    {13, "UINT64", dtype::uint64, field::uint64_data},
    {14, "COMPLEX64"},
    {15, "COMPLEX128"},
    {16, "BFLOAT16", dtype::bfloat16, field::int32_data},
    {17, "FLOAT8E4M3FN"},
    {18, "FLOAT8E4M3FNUZ"},
    {19, "FLOAT8E5M2"},
    {20, "FLOAT8E5M2FNUZ"},
    {21, "UINT4"},
    {22, "INT4"},
    {23, "FLOAT4E2M1"},
    {24, "FLOAT8E8M0"},
    {25, "UINT2"},
    {26, "INT2"},
    {27, "FLOAT6E2M3"},
    {28, "FLOAT6E3M2"},
};

inline const type_rule* find_type(std::int64_t number) {
  const auto found = std::find_if(std::begin(type_rules), std::end(type_rules),
                                  [&](const type_rule& rule) { return rule.number == number; });
  return found == std::end(type_rules) ? nullptr : found;
}

}  // namespace halfulp::io::tensor_proto
