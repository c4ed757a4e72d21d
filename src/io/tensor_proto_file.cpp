// SPDX-License-Identifier: Apache-2.0
#include "io/tensor_proto_file.hpp"

#include <utility>

#include "io/checks.hpp"
#include "io/tensor_proto.hpp"
#include "io/wire.hpp"

namespace halfulp::io::tensor_proto {

namespace {

constexpr std::string_view whose = "a protobuf message";

}  // namespace

loaded_tensor read(input_file& in, const request& request) {
  input_file::content content = in.read_rest(largest_message, whose);
  const std::span<const std::byte> message(content.bytes.get(), content.size);
  if (request.declared) {
    check_declared(in.label(), describe(message, in.label()).info, request.declared);
  }
  loaded_tensor tensor = decode(message, in.label());
  if (!tensor.storage) tensor.storage = std::move(content.bytes);
  return tensor;
}

file_info inspect(input_file& in, const request& request) {
  const input_file::content content = in.read_rest(largest_message, whose);
  description found = describe({content.bytes.get(), content.size}, in.label());
  if (found.external) fail_external(in.label());
  check_declared(in.label(), found.info, request.declared);
  return {"TensorProto", {std::move(found.info)}};
}

element_writer prepare(const output_tensor& tensor, const std::string& label) {
  return header_then_elements(
      encode_header(tensor.type, tensor.shape, tensor.name, tensor.bytes, label), tensor.bytes);
}

}  // namespace halfulp::io::tensor_proto
