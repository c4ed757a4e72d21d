// SPDX-License-Identifier: Apache-2.0
#include "onnx/read_model.hpp"

#include "base/error.hpp"
#include "io/checks.hpp"
#include "io/tensor_proto_schema.hpp"

namespace halfulp::onnx {

namespace {

// A message of two bytes in a file takes some hundred in memory. So that a file does not take many
// times its size, the nodes, names, attributes, tensors and axes of a model are counted. The
// largest models have some hundred thousand.
constexpr std::size_t most_parts = std::size_t{1} << 21;

// Attributes are looked up one by one. No operator has as many.
constexpr std::size_t most_attributes = 100;

class model_reader {
 public:
  explicit model_reader(const model_source& source) : source_(source) {}

  model_proto read();

 private:
  template <typename T>
  T& add_part(std::vector<T>& to, T part, const field& field) {
    if (++parts_ > most_parts) {
      source_.fail_at(field.at(),
                      fmt::format("the model has more than {} nodes, names, attributes, tensors "
                                  "and axes, the most that are allowed",
                                  most_parts));
    }
    return to.emplace_back(std::move(part));
  }

  opset_import read_opset_import(byte_span message);
  graph_proto read_graph(byte_span message);
  function_proto read_function(byte_span message);
  node_proto read_node(const field& at, byte_span message);
  attribute_proto read_attribute(byte_span message);
  std::size_t raw_bytes_of(byte_span message);
  void expect_few_attributes(std::size_t count, const field& f);
  tensor_message read_tensor(byte_span message);
  std::string_view read_sparse_name(byte_span message);
  value_info read_value_info(byte_span message);
  void read_type(byte_span message, value_info& value);
  void read_tensor_type(byte_span message, value_info& value);
  std::vector<dimension> read_shape(byte_span message);
  dimension read_dimension(byte_span message);

  const model_source& source_;
  std::size_t parts_ = 0;
};

// A name that a message must have.
void require_name(const model_source& source, byte_span message, std::string_view name,
                  std::string_view what) {
  if (name.empty()) source.fail_at(message.data(), std::string(what) + " is missing or empty");
}

opset_import model_reader::read_opset_import(byte_span message) {
  opset_import result;
  for_each_field(source_, message, "OperatorSetIdProto", [&](field& f) {
    switch (f.number()) {
      case 1:
        result.domain = canonical_domain(f.text());
        break;
      case 2:
        result.version = f.integer();
        break;
    }
  });
  return result;
}

// The bytes of raw_data in a tensor, which are used where they are, however many.
std::size_t model_reader::raw_bytes_of(byte_span message) {
  std::size_t bytes = 0;
  for_each_field(source_, message, "TensorProto", [&](field& f) {
    if (f.number() == io::tensor_proto::field::raw_data) bytes += f.message().size();
  });
  return bytes;
}

attribute_proto model_reader::read_attribute(byte_span message) {
  attribute_proto result;
  result.message = message;
  result.weight = message.size();
  for_each_field(source_, message, "AttributeProto", [&](field& f) {
    switch (f.number()) {
      case 1:
        result.name = f.text();
        break;
      case 5:
        result.weight -= raw_bytes_of(f.message());
        break;
      case 21:
        result.reference = f.text();
        break;
    }
  });
  require_name(source_, message, result.name, "the name of an attribute");
  return result;
}

void model_reader::expect_few_attributes(std::size_t count, const field& f) {
  if (count <= most_attributes) return;
  source_.fail_at(
      f.at(),
      fmt::format("there are more than {} attributes, the most that are allowed", most_attributes));
}

node_proto model_reader::read_node(const field& at, byte_span message) {
  node_proto result;
  for_each_field(source_, message, "NodeProto", [&](field& f) {
    switch (f.number()) {
      case 1:
        add_part(result.inputs, f.text(), f);
        break;
      case 2:
        add_part(result.outputs, f.text(), f);
        break;
      case 3:
        result.name = f.text();
        break;
      case 4:
        result.op_type = f.text();
        break;
      case 5:
        add_part(result.attributes, read_attribute(f.message()), f);
        expect_few_attributes(result.attributes.size(), f);
        break;
      case 7:
        result.domain = canonical_domain(f.text());
        break;
      case 8:
        result.overload = f.text();
        break;
    }
  });
  result.weight = message.size();
  for (const attribute_proto& attribute : result.attributes) {
    result.weight -= attribute.message.size() - attribute.weight;
  }
  if (result.op_type.empty()) source_.fail_at(at.at(), "the op_type of a node is missing or empty");
  if (result.outputs.empty()) {
    source_.fail_at(at.at(), fmt::format("the node '{}' ({}) has no output", printable(result.name),
                                         printable(result.op_type)));
  }
  return result;
}

tensor_message model_reader::read_tensor(byte_span message) {
  tensor_message result{{}, message};
  for_each_field(source_, message, "TensorProto", [&](field& f) {
    if (f.number() == io::tensor_proto::field::name) result.name = f.text();
  });
  require_name(source_, message, result.name, "the name of an initializer");
  return result;
}

// A SparseTensorProto has the name of its values.
std::string_view model_reader::read_sparse_name(byte_span message) {
  std::string_view name;
  for_each_field(source_, message, "SparseTensorProto", [&](field& f) {
    if (f.number() == 1) name = read_tensor(f.message()).name;
  });
  require_name(source_, message, name, "the name of a sparse initializer");
  return name;
}

dimension model_reader::read_dimension(byte_span message) {
  dimension result;
  for_each_field(source_, message, "Dimension", [&](field& f) {
    // The two are one `oneof`: the last counts.
    switch (f.number()) {
      case 1: {
        const std::int64_t extent = f.integer();
        // Old exporters write -1 for what is not known.
        if (extent < -1) {
          source_.fail_at(f.at(), fmt::format("a shape has the negative extent {}", extent));
        }
        result = {};
        if (extent >= 0) result.extent = extent;
        break;
      }
      case 2:
        result = {{}, std::string(f.text())};
        break;
    }
  });
  return result;
}

std::vector<dimension> model_reader::read_shape(byte_span message) {
  std::vector<dimension> shape;
  for_each_field(source_, message, "TensorShapeProto", [&](field& f) {
    if (f.number() != 1) return;
    if (shape.size() == io::max_rank) {
      source_.fail_at(
          f.at(),
          fmt::format("a shape has more than {} axes, the most that are allowed", io::max_rank));
    }
    add_part(shape, read_dimension(f.message()), f);
  });
  return shape;
}

void model_reader::read_tensor_type(byte_span message, value_info& value) {
  for_each_field(source_, message, "TypeProto.Tensor", [&](field& f) {
    switch (f.number()) {
      case 1: {
        const std::int64_t number = f.integer();
        if (number == 0) break;
        const io::tensor_proto::type_rule* rule = io::tensor_proto::find_type(number);
        if (rule == nullptr) {
          source_.fail_at(f.at(), fmt::format("the unknown element type {}", number));
        }
        value.type = rule->type;
        value.stored_type = rule->type ? std::string_view() : rule->name;
        break;
      }
      case 2:
        value.shape = read_shape(f.message());
        break;
    }
  });
}

void model_reader::read_type(byte_span message, value_info& value) {
  for_each_field(source_, message, "TypeProto", [&](field& f) {
    switch (f.number()) {
      case 1:
        read_tensor_type(f.message(), value);
        break;
      // What is inside of these nests without end, and is nothing that could be computed.
      case 4:
        value.stored_type = "sequence";
        break;
      case 5:
        value.stored_type = "map";
        break;
      case 7:
        value.stored_type = "opaque";
        break;
      case 8:
        value.stored_type = "sparse tensor";
        break;
      case 9:
        value.stored_type = "optional";
        break;
    }
  });
}

value_info model_reader::read_value_info(byte_span message) {
  value_info result;
  for_each_field(source_, message, "ValueInfoProto", [&](field& f) {
    switch (f.number()) {
      case 1:
        result.name = f.text();
        break;
      case 2:
        read_type(f.message(), result);
        break;
    }
  });
  require_name(source_, message, result.name, "the name of a value");
  return result;
}

graph_proto model_reader::read_graph(byte_span message) {
  graph_proto result;
  for_each_field(source_, message, "GraphProto", [&](field& f) {
    switch (f.number()) {
      case 1:
        add_part(result.nodes, read_node(f, f.message()), f);
        break;
      case 2:
        result.name = f.text();
        break;
      case 5:
        add_part(result.initializers, read_tensor(f.message()), f);
        break;
      case 11:
        add_part(result.inputs, read_value_info(f.message()), f);
        break;
      case 12:
        add_part(result.outputs, read_value_info(f.message()), f);
        break;
      case 13:
        add_part(result.values, read_value_info(f.message()), f);
        break;
      case 15:
        add_part(result.sparse_initializers, read_sparse_name(f.message()), f);
        break;
    }
  });
  return result;
}

function_proto model_reader::read_function(byte_span message) {
  function_proto result;
  for_each_field(source_, message, "FunctionProto", [&](field& f) {
    switch (f.number()) {
      case 1:
        result.name = f.text();
        break;
      case 4:
        add_part(result.inputs, f.text(), f);
        break;
      case 5:
        add_part(result.outputs, f.text(), f);
        break;
      case 6:
        add_part(result.attributes, f.text(), f);
        expect_few_attributes(result.attributes.size(), f);
        break;
      case 7:
        add_part(result.nodes, read_node(f, f.message()), f);
        break;
      case 9:
        add_part(result.opset_imports, read_opset_import(f.message()), f);
        break;
      case 10:
        result.domain = canonical_domain(f.text());
        break;
      case 11:
        add_part(result.defaults, read_attribute(f.message()), f);
        expect_few_attributes(result.defaults.size(), f);
        break;
      case 13:
        result.overload = f.text();
        break;
    }
  });
  require_name(source_, message, result.name, "the name of a function");
  return result;
}

model_proto model_reader::read() {
  model_proto result;
  bool has_graph = false;
  byte_span graph;
  for_each_field(source_, source_.content(), "ModelProto", [&](field& f) {
    switch (f.number()) {
      case 1:
        result.ir_version = f.integer();
        break;
      case 2:
        result.producer_name = f.text();
        break;
      case 3:
        result.producer_version = f.text();
        break;
      case 7:
        // protobuf would merge the two.
        if (has_graph) source_.fail_at(f.at(), "the model has a second graph");
        has_graph = true;
        graph = f.message();
        break;
      case 8:
        add_part(result.opset_imports, read_opset_import(f.message()), f);
        break;
      case 25:
        add_part(result.functions, read_function(f.message()), f);
        break;
    }
  });
  if (!has_graph) {
    fail(errc::invalid_file, "{}: is no ONNX model: it has no graph", source_.label());
  }
  if (result.ir_version < oldest_ir_version || result.ir_version > newest_ir_version) {
    fail(errc::invalid_file, "{}: has ir_version {}; supported are {} to {}", source_.label(),
         result.ir_version, oldest_ir_version, newest_ir_version);
  }
  result.graph = read_graph(graph);
  return result;
}

}  // namespace

model_proto read_model(const model_source& source) { return model_reader(source).read(); }

}  // namespace halfulp::onnx
