// Constant.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/shape.hpp"
#include "io/tensor_proto.hpp"
#include "onnx/operation.hpp"

namespace halfulp::onnx {

namespace {

class constant : public operation {
 public:
  explicit constant(io::loaded_tensor tensor) : tensor_(std::move(tensor)) {}

  fact infer(std::span<const fact* const>) const override {
    return fact_of(tensor_.layout, tensor_.data);
  }

  // Never needed: the elements are known.
  void run(std::span<const fact* const>, std::byte*) const override {}

 private:
  io::loaded_tensor tensor_;
};

constexpr std::int64_t first_with_all_types = 9;
constexpr std::int64_t first_with_numbers = 12;

template <typename T>
io::loaded_tensor tensor_of(std::span<const T> values, std::vector<std::int64_t> shape) {
  io::loaded_tensor tensor;
  tensor.layout = {dtype_of<T>, std::move(shape), {}};
  tensor.layout.strides = c_strides(tensor.layout.shape, sizeof(T));
  tensor.storage = allocate_buffer(values.size_bytes());
  if (!values.empty()) std::memcpy(tensor.storage.get(), values.data(), values.size_bytes());
  tensor.data = tensor.storage.get();
  return tensor;
}

template <typename T>
io::loaded_tensor vector_of(const std::vector<T>& values) {
  return tensor_of(std::span(values), {static_cast<std::int64_t>(values.size())});
}

template <typename T>
io::loaded_tensor scalar_of(T value) {
  return tensor_of(std::span<const T>(&value, 1), {});
}

io::loaded_tensor read_value(const operation_request& request, const attribute& attribute) {
  const model_source& source = request.source;
  if (attribute.name == "value") {
    return io::tensor_proto::decode(read_tensor(source, attribute),
                                    name_of(request) + ": attribute value");
  }
  if (request.version >= first_with_numbers) {
    if (attribute.name == "value_int") return scalar_of(read_integer(source, attribute));
    if (attribute.name == "value_ints") return vector_of(read_integers(source, attribute));
    if (attribute.name == "value_float") return scalar_of(read_real(source, attribute));
    if (attribute.name == "value_floats") return vector_of(read_reals(source, attribute));
  }
  if (attribute.name == "sparse_value" || attribute.name.starts_with("value_string")) {
    fail(errc::unsupported_type, "{}: attribute {} is not supported", name_of(request),
         printable(attribute.name));
  }
  fail_attribute(request, attribute);
}

}  // namespace

std::unique_ptr<operation> make_constant(const operation_request& request) {
  if (request.attributes.size() != 1) {
    fail(errc::invalid_argument, "{}: has {} attributes; it takes one, its value", name_of(request),
         request.attributes.size());
  }
  io::loaded_tensor tensor = read_value(request, request.attributes.front());
  if (request.version < first_with_all_types && !is_float(tensor.layout.type)) {
    fail(errc::unsupported_type, "{}: its value has type {}, which this version does not take",
         name_of(request), halfulp::name_of(tensor.layout.type));
  }
  require_type(name_of(request), request.version, "its value", tensor.layout.type);
  return std::make_unique<constant>(std::move(tensor));
}

}  // namespace halfulp::onnx
