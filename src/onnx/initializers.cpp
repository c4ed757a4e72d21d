// SPDX-License-Identifier: Apache-2.0
#include "onnx/initializers.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/shape.hpp"
#include "io/tensor_proto.hpp"

namespace halfulp::onnx {

initializer load_initializer(byte_span message, const std::string& label, external_data& external,
                             external_elements wanted) {
  const io::tensor_proto::description found = io::tensor_proto::describe(message, label);
  initializer result;
  result.info.value.name = found.info.name;
  result.info.value.type = found.info.type;
  if (!found.info.type) result.info.value.stored_type = found.info.stored_type;
  result.info.value.shape.emplace();
  for (const std::int64_t extent : found.info.shape) {
    result.info.value.shape->push_back({extent, {}});
  }
  result.info.bytes = found.info.data_bytes;
  if (found.external) result.info.location = found.external->location;
  if (!found.info.type) return result;

  if (!found.external) {
    io::loaded_tensor decoded = io::tensor_proto::decode(message, label);
    result.known = fact_of(decoded.layout, decoded.data);
    result.decoded = std::move(decoded.storage);
    return result;
  }
  const tensor_layout layout{*found.info.type, found.info.shape,
                             c_strides(found.info.shape, size_of(*found.info.type))};
  if (wanted == external_elements::check) {
    external.check(*found.external, found.info.data_bytes, label);
  } else if (wanted == external_elements::read) {
    result.external = external.read(*found.external, found.info.data_bytes, label);
  }
  result.known = fact_of(layout, result.external ? result.external->get() : nullptr);
  if (!result.external) result.known->strides.clear();
  return result;
}

}  // namespace halfulp::onnx
