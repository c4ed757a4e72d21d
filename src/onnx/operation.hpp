// What a node computes, and the table of the operators that there are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "halfulp/halfulp.hpp"
#include "onnx/attribute.hpp"
#include "onnx/fact.hpp"
#include "onnx/graph.hpp"
#include "onnx/initializers.hpp"

namespace halfulp::onnx {

// A node's operator with its version and attributes checked. Immutable; has one output. Messages
// start with the operator and version, "Cast-13: ...": the caller knows the node.
class operation {
 public:
  virtual ~operation() = default;

  // What the inputs (null where left out) say of the output. Of the inputs, any may lack extents or
  // elements. Throws error for types, shapes and axes that the operator does not take. If the
  // result has elements, they are an input's or the operation's own, and there is nothing to run.
  virtual fact infer(std::span<const fact* const> inputs) const = 0;

  // Computes the output, whose layout is that of infer() for these inputs, which have elements, in
  // C order, and fills in options.statistics where it has norms to compute. Throws
  // error(invalid_argument) for elements that the operator does not take. Not called where infer()
  // gives the elements itself.
  virtual void run(std::span<const fact* const> inputs, std::byte* output,
                   const run_options& options) const;

 protected:
  operation() = default;
  operation(const operation&) = default;
  operation& operator=(const operation&) = default;
};

// A node as its operator sees it.
struct operation_request {
  const model_source& source;
  std::string_view op_type;
  std::int64_t opset;
  std::int64_t version;
  std::span<const attribute> attributes;
  std::size_t input_count;
  // Of tensors that are attributes.
  external_data& external;
  external_elements wanted;
};

// A row of the table.
struct supported_operator {
  std::string_view name;
  std::size_t fewest_inputs, most_inputs;
  // The version that an opset of ONNX's domain selects.
  std::int64_t (*version)(std::string_view name, std::int64_t opset);
  // Throws error for attributes that this version does not have or allow.
  std::unique_ptr<operation> (*make)(const operation_request&);
};

std::span<const supported_operator> operators() noexcept;

// Null where there is no such operator.
const supported_operator* find_operator(std::string_view domain, std::string_view name) noexcept;

// The operation of a node with the operator of this row. Throws error as the row's `make` does, and
// for a wrong number of inputs or outputs.
std::unique_ptr<operation> make_operation(const supported_operator& row, const node& node,
                                          const model_source& source, external_data& external,
                                          external_elements wanted);

// "Cast-13".
std::string name_of(const operation_request& request);

// Throws error(invalid_argument) that says there is no such attribute in this version.
[[noreturn]] void fail_attribute(const operation_request& request, const attribute& attribute);

// Rows of the table, each in its own file.
std::unique_ptr<operation> make_norm(const operation_request& request);
std::unique_ptr<operation> make_cast(const operation_request& request);
std::unique_ptr<operation> make_identity(const operation_request& request);
std::unique_ptr<operation> make_constant(const operation_request& request);

// Types that were there from the operator's first version on, and from version 13 on (bfloat16).
// Throws error(unsupported_type) where the version doesn't have the type.
void require_type(const std::string& name, std::int64_t version, std::string_view what, dtype type);

}  // namespace halfulp::onnx
