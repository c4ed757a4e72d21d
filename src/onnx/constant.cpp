// Constant.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/shape.hpp"
#include "onnx/operation.hpp"
#include "schema/table.hpp"

namespace halfulp::onnx {

namespace {

class constant_tensor : public operation {
 public:
  explicit constant_tensor(initializer tensor) : tensor_(std::move(tensor)) {}

  fact infer(std::span<const fact* const> /*inputs*/) const override {
    return known_value(tensor_.known);
  }

 private:
  initializer tensor_;
};

// Numbers that are an attribute.
template <typename T>
class constant_list : public operation {
 public:
  constant_list(std::vector<T> values, std::vector<std::int64_t> shape)
      : values_(std::move(values)), layout_{dtype_of<T>, std::move(shape), {}} {
    layout_.strides = c_strides(layout_.shape, sizeof(T));
    values_.reserve(1);  // so that an empty list has an address, too
  }

  fact infer(std::span<const fact* const> /*inputs*/) const override {
    return fact_of(layout_, reinterpret_cast<const std::byte*>(values_.data()));
  }

 private:
  std::vector<T> values_;
  tensor_layout layout_;
};

constexpr std::int64_t first_with_all_types = 9;
constexpr std::int64_t first_with_numbers = 12;

template <typename T>
std::unique_ptr<operation> vector_of(std::vector<T> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return std::make_unique<constant_list<T>>(std::move(values), std::vector{count});
}

template <typename T>
std::unique_ptr<operation> scalar_of(T value) {
  return std::make_unique<constant_list<T>>(std::vector{value}, std::vector<std::int64_t>{});
}

std::unique_ptr<operation> tensor_of(const operation_request& request, byte_span message) {
  initializer tensor = load_initializer(message, name_of(request) + ": attribute value",
                                        request.external, request.wanted);
  if (!tensor.known) {
    fail(errc::unsupported_type, "{}: its value has type {}; supported are {}", name_of(request),
         tensor.info.value.stored_type, schema::list_types(schema::all_types));
  }
  if (request.version < first_with_all_types && !is_float(tensor.known->type)) {
    fail(errc::unsupported_type, "{}: its value has type {}, which this version does not take",
         name_of(request), halfulp::name_of(tensor.known->type));
  }
  require_type(name_of(request), request.version, "its value", tensor.known->type);
  return std::make_unique<constant_tensor>(std::move(tensor));
}

}  // namespace

std::unique_ptr<operation> make_constant(const operation_request& request) {
  if (request.attributes.size() != 1) {
    fail(errc::invalid_argument, "{}: has {} attributes; it takes one, its value", name_of(request),
         request.attributes.size());
  }
  const model_source& source = request.source;
  const attribute& attribute = request.attributes.front();
  if (attribute.name == "value") return tensor_of(request, read_tensor(source, attribute));
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

}  // namespace halfulp::onnx
