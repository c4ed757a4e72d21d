// SPDX-License-Identifier: Apache-2.0
#include "fuzz/support/model_builder.hpp"

#include <charconv>
#include <protozero/pbf_writer.hpp>

namespace halfulp::fuzz {

namespace {

using protozero::pbf_writer;

template <typename Write>
encoded message(Write write) {
  encoded bytes;
  pbf_writer writer(bytes);
  write(writer);
  return bytes;
}

void add_text(pbf_writer& writer, std::uint32_t field, std::string_view text) {
  if (!text.empty()) writer.add_string(field, text.data(), text.size());
}

void add_all(pbf_writer& writer, std::uint32_t field, const std::vector<std::string>& messages) {
  for (const std::string& message : messages) writer.add_message(field, message);
}

// TensorShapeProto.Dimension.
encoded dimension(std::string_view text) {
  return message([&](pbf_writer& writer) {
    std::int64_t extent = 0;
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (status == std::errc()) {
      writer.add_int64(1, extent);
    } else if (text != "?") {
      add_text(writer, 2, text);
    }
  });
}

// TensorShapeProto.
encoded shape_message(std::string_view text) {
  return message([&](pbf_writer& writer) {
    while (!text.empty()) {
      const std::size_t comma = text.find(',');
      writer.add_message(1, dimension(text.substr(0, comma)));
      text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
  });
}

encoded value_info(std::string_view name, element type, const encoded* shape) {
  return message([&](pbf_writer& writer) {
    add_text(writer, 1, name);
    const encoded tensor_type = message([&](pbf_writer& inner) {
      inner.add_int32(1, type);
      if (shape != nullptr) inner.add_message(2, *shape);
    });
    writer.add_message(2, message([&](pbf_writer& inner) { inner.add_message(1, tensor_type); }));
  });
}

// AttributeProto.AttributeType, which is also what the value's field depends on.
enum attribute_type : int { f = 1, i = 2, s = 3, t = 4, floats = 6, ints = 7 };

template <typename Write>
encoded attribute(std::string_view name, int type, Write write_value) {
  return message([&](pbf_writer& writer) {
    add_text(writer, 1, name);
    write_value(writer);
    writer.add_int32(20, type);
  });
}

template <typename Write>
encoded tensor(std::string_view name, element type, const integers& dims, Write write_elements) {
  return message([&](pbf_writer& writer) {
    for (const std::int64_t extent : dims) writer.add_int64(1, extent);
    writer.add_int32(2, type);
    write_elements(writer);
    add_text(writer, 8, name);
  });
}

}  // namespace

encoded value(std::string_view name, element type, std::string_view shape) {
  const encoded known = shape_message(shape);
  return value_info(name, type, &known);
}

encoded value_without_shape(std::string_view name, element type) {
  return value_info(name, type, nullptr);
}

encoded integer(std::string_view name, std::int64_t value) {
  return attribute(name, i, [&](pbf_writer& writer) { writer.add_int64(3, value); });
}

encoded integer_list(std::string_view name, const integers& values) {
  return attribute(name, ints, [&](pbf_writer& writer) {
    for (const std::int64_t value : values) writer.add_int64(8, value);
  });
}

encoded real(std::string_view name, float value) {
  return attribute(name, f, [&](pbf_writer& writer) { writer.add_float(2, value); });
}

encoded real_list(std::string_view name, const std::vector<float>& values) {
  return attribute(name, floats, [&](pbf_writer& writer) {
    for (const float value : values) writer.add_float(7, value);
  });
}

encoded text(std::string_view name, std::string_view value) {
  return attribute(name, s, [&](pbf_writer& writer) { add_text(writer, 4, value); });
}

encoded attribute_without_value(std::string_view name, int type) {
  return attribute(name, type, [](pbf_writer&) {});
}

encoded tensor_value(std::string_view name, const encoded& tensor) {
  return attribute(name, t, [&](pbf_writer& writer) { writer.add_message(5, tensor); });
}

encoded reference(std::string_view name, std::string_view referred, int type) {
  return attribute(name, type, [&](pbf_writer& writer) { add_text(writer, 21, referred); });
}

encoded raw_tensor(std::string_view name, element type, const integers& dims,
                   std::string_view bytes) {
  return tensor(name, type, dims,
                [&](pbf_writer& writer) { writer.add_bytes(9, bytes.data(), bytes.size()); });
}

encoded external_tensor(std::string_view name, element type, const integers& dims,
                        std::string_view location, std::string_view offset,
                        std::string_view length) {
  return tensor(name, type, dims, [&](pbf_writer& writer) {
    const auto entry = [&](std::string_view key, std::string_view value) {
      writer.add_message(13, message([&](pbf_writer& inner) {
                           add_text(inner, 1, key);
                           add_text(inner, 2, value);
                         }));
    };
    entry("location", location);
    entry("offset", offset);
    entry("length", length);
    writer.add_int32(14, 1);
  });
}

encoded integer_tensor(std::string_view name, element type, const integers& dims,
                       std::uint32_t data_field, const integers& values) {
  return tensor(name, type, dims, [&](pbf_writer& writer) {
    writer.add_packed_int64(data_field, values.begin(), values.end());
  });
}

encoded float_tensor(std::string_view name, const integers& dims,
                     const std::vector<float>& values) {
  return tensor(name, float32, dims, [&](pbf_writer& writer) {
    writer.add_packed_float(4, values.begin(), values.end());
  });
}

encoded double_tensor(std::string_view name, const integers& dims,
                      const std::vector<double>& values) {
  return tensor(name, float64, dims, [&](pbf_writer& writer) {
    writer.add_packed_double(10, values.begin(), values.end());
  });
}

encoded node(const node_text& node) {
  return message([&](pbf_writer& writer) {
    for (const std::string& name : node.inputs) writer.add_string(1, name);
    for (const std::string& name : node.outputs) writer.add_string(2, name);
    add_text(writer, 3, node.name);
    writer.add_string(4, node.op_type);
    add_all(writer, 5, node.attributes);
    add_text(writer, 7, node.domain);
  });
}

encoded opset(std::int64_t version, std::string_view domain) {
  return message([&](pbf_writer& writer) {
    add_text(writer, 1, domain);
    writer.add_int64(2, version);
  });
}

encoded function(const function_text& function) {
  return message([&](pbf_writer& writer) {
    writer.add_string(1, function.name);
    add_all(writer, 4, function.inputs);
    add_all(writer, 5, function.outputs);
    add_all(writer, 6, function.attributes);
    add_all(writer, 7, function.nodes);
    add_all(writer, 9, function.opsets);
    writer.add_string(10, function.domain);
    add_all(writer, 11, function.defaults);
  });
}

encoded model(const model_text& model) {
  const encoded graph = message([&](pbf_writer& writer) {
    add_all(writer, 1, model.nodes);
    writer.add_string(2, "g");
    add_all(writer, 5, model.initializers);
    add_all(writer, 11, model.inputs);
    add_all(writer, 12, model.outputs);
    add_all(writer, 13, model.values);
  });
  return message([&](pbf_writer& writer) {
    writer.add_int64(1, model.ir_version);
    writer.add_string(2, "seed");
    writer.add_message(7, graph);
    add_all(writer, 8, model.opsets);
    add_all(writer, 25, model.functions);
  });
}

}  // namespace halfulp::fuzz
