// SPDX-License-Identifier: Apache-2.0
#include "onnx/operation.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

#include "base/error.hpp"
#include "schema/table.hpp"

namespace halfulp::onnx {

namespace {

// Versions of the operators beside the norms, from the ONNX operator schemas
// (github.com/onnx/onnx, docs/Changelog.md).
constexpr std::array<std::int64_t, 10> cast_versions{1, 6, 9, 13, 19, 21, 23, 24, 25, 28};
constexpr std::array<std::int64_t, 10> constant_versions{1, 9, 11, 12, 13, 19, 21, 23, 24, 25};
constexpr std::array<std::int64_t, 9> identity_versions{1, 13, 14, 16, 19, 21, 23, 24, 25};

// The newest version that is not above the opset.
template <const auto& Versions>
std::int64_t version_in(std::string_view /*name*/, std::int64_t opset) {
  return *std::prev(std::upper_bound(Versions.begin(), Versions.end(), opset));
}

std::int64_t norm_version(std::string_view name, std::int64_t opset) {
  return schema::find(op_from_name(name), opset).since;
}

constexpr supported_operator norm(std::string_view name, std::size_t most_inputs) {
  return {name, 1, most_inputs, norm_version, make_norm};
}

// In the order in which messages list them.
constexpr std::array rows{
    norm("ReduceL1", 2),
    norm("ReduceL2", 2),
    norm("ReduceSumSquare", 2),
    norm("LpNormalization", 1),
    supported_operator{"Cast", 1, 1, version_in<cast_versions>, make_cast},
    supported_operator{"Constant", 0, 0, version_in<constant_versions>, make_constant},
    supported_operator{"Identity", 1, 1, version_in<identity_versions>, make_identity},
};

constexpr std::int64_t first_with_bfloat16 = 13;

}  // namespace

void operation::run(std::span<const fact* const> /*inputs*/, std::byte* /*output*/,
                    const run_options& /*options*/) const {
  throw std::logic_error("an operation that gives its elements is not run");
}

std::span<const supported_operator> operators() noexcept { return rows; }

const supported_operator* find_operator(std::string_view domain, std::string_view name) noexcept {
  if (!domain.empty()) return nullptr;
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

std::unique_ptr<operation> make_operation(const supported_operator& row, const node& node,
                                          const model_source& source, external_data& external,
                                          external_elements wanted) {
  const std::size_t inputs = node.inputs.size();
  const operation_request request{
      source,          row.name, node.opset, row.version(row.name, node.opset),
      node.attributes, inputs,   external,   wanted};
  if (inputs < row.fewest_inputs || inputs > row.most_inputs) {
    fail(errc::invalid_argument, "{}: has {} inputs; it takes {}{}", name_of(request), inputs,
         row.fewest_inputs,
         row.fewest_inputs == row.most_inputs ? "" : fmt::format(" to {}", row.most_inputs));
  }
  for (std::size_t i = 0; i < row.fewest_inputs; ++i) {
    if (node.inputs[i] != none) continue;
    fail(errc::invalid_argument, "{}: input {} is left out, but is not optional", name_of(request),
         i + 1);
  }
  if (node.outputs.size() != 1) {
    fail(errc::invalid_argument, "{}: has {} outputs; it gives 1", name_of(request),
         node.outputs.size());
  }
  return row.make(request);
}

std::string name_of(const operation_request& request) {
  return fmt::format("{}-{}", request.op_type, request.version);
}

void fail_attribute(const operation_request& request, const attribute& attribute) {
  fail(errc::invalid_argument, "{}: there is no attribute {} in this version (given: {})",
       name_of(request), printable(attribute.name), printable(describe(request.source, attribute)));
}

void require_type(const std::string& name, std::int64_t version, std::string_view what,
                  dtype type) {
  if (type != dtype::bfloat16 || version >= first_with_bfloat16) return;
  fail(errc::unsupported_type, "{}: {} has type {}, which this version does not take", name, what,
       halfulp::name_of(type));
}

}  // namespace halfulp::onnx
