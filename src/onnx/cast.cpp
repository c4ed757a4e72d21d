// Cast between the eight types.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "io/tensor_proto_schema.hpp"
#include "onnx/convert.hpp"
#include "onnx/operation.hpp"
#include "schema/table.hpp"

namespace halfulp::onnx {

namespace {

// Attributes that only matter for 8-bit types, and the versions from which on they are there.
constexpr std::int64_t first_with_saturate = 19;
constexpr std::int64_t first_with_round_mode = 24;
constexpr std::array<std::string_view, 3> round_modes{"up", "down", "nearest"};

class cast : public operation {
 public:
  cast(std::string name, std::int64_t version, dtype to)
      : name_(std::move(name)), version_(version), to_(to) {}

  fact infer(std::span<const fact* const> inputs) const override {
    require_type(name_, version_, "the input 'input'", inputs.front()->type);
    return {.type = to_, .shape = inputs.front()->shape, .elements = nullptr, .strides = {}};
  }

  void run(std::span<const fact* const> inputs, std::byte* output,
           const run_options& /*options*/) const override {
    convert(layout_of(*inputs.front()), inputs.front()->elements, to_, output, name_);
  }

 private:
  std::string name_;
  std::int64_t version_;
  dtype to_;
};

using io::tensor_proto::type_rule;

// Version 1 has the type's name, later ones its number.
const type_rule* find_target(const operation_request& request, const attribute& to) {
  if (request.version > 1) return io::tensor_proto::find_type(read_integer(request.source, to));
  const std::string_view name = read_text(request.source, to);
  const auto found =
      std::find_if(std::begin(io::tensor_proto::type_rules), std::end(io::tensor_proto::type_rules),
                   [&](const type_rule& rule) { return rule.name == name; });
  return found == std::end(io::tensor_proto::type_rules) ? nullptr : found;
}

dtype read_target(const operation_request& request, const attribute& to) {
  const type_rule* rule = find_target(request, to);
  if (rule == nullptr || !rule->type) {
    fail(errc::unsupported_type, "{}: attribute {} names {}; supported are {}", name_of(request),
         printable(describe(request.source, to)), rule == nullptr ? "no type" : rule->name,
         schema::list_types(schema::all_types));
  }
  require_type(name_of(request), request.version, "the output 'output'", *rule->type);
  return *rule->type;
}

void check_round_mode(const operation_request& request, const attribute& attribute) {
  const std::string_view mode = read_text(request.source, attribute);
  if (std::find(round_modes.begin(), round_modes.end(), mode) != round_modes.end()) return;
  fail(errc::invalid_argument, "{}: attribute round_mode is '{}', allowed are up, down and nearest",
       name_of(request), printable(mode));
}

void check_saturate(const operation_request& request, const attribute& attribute) {
  const std::int64_t value = read_integer(request.source, attribute);
  if (value == 0 || value == 1) return;
  fail(errc::invalid_argument, "{}: attribute saturate is {}, allowed are 0 and 1",
       name_of(request), value);
}

}  // namespace

std::unique_ptr<operation> make_cast(const operation_request& request) {
  std::optional<dtype> to;
  for (const attribute& attribute : request.attributes) {
    if (attribute.name == "to") {
      to = read_target(request, attribute);
    } else if (attribute.name == "saturate" && request.version >= first_with_saturate) {
      check_saturate(request, attribute);
    } else if (attribute.name == "round_mode" && request.version >= first_with_round_mode) {
      check_round_mode(request, attribute);
    } else {
      fail_attribute(request, attribute);
    }
  }
  if (!to) fail(errc::invalid_argument, "{}: the attribute to is missing", name_of(request));
  return std::make_unique<cast>(name_of(request), request.version, *to);
}

}  // namespace halfulp::onnx
