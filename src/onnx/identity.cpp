// Identity.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "onnx/operation.hpp"

namespace halfulp::onnx {

namespace {

class identity : public operation {
 public:
  identity(std::string name, std::int64_t version) : name_(std::move(name)), version_(version) {}

  // The input itself, elements and all.
  fact infer(std::span<const fact* const> inputs) const override {
    require_type(name_, version_, "the input 'input'", inputs.front()->type);
    return *inputs.front();
  }

 private:
  std::string name_;
  std::int64_t version_;
};

}  // namespace

std::unique_ptr<operation> make_identity(const operation_request& request) {
  if (!request.attributes.empty()) fail_attribute(request, request.attributes.front());
  return std::make_unique<identity>(name_of(request), request.version);
}

}  // namespace halfulp::onnx
