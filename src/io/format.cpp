// SPDX-License-Identifier: Apache-2.0
#include "io/format.hpp"

#include <utility>

#include "io/npy.hpp"
#include "io/safetensors.hpp"
#include "io/tensor_proto_file.hpp"

namespace halfulp::io {

namespace {

constexpr format all_formats[] = {
    {".npy", false, npy::read, npy::inspect, npy::prepare},
    {".pb", false, tensor_proto::read, tensor_proto::inspect, tensor_proto::prepare},
    {".safetensors", true, safetensors::read, safetensors::inspect, safetensors::prepare},
};

}  // namespace

std::span<const format> formats() noexcept { return all_formats; }

element_writer header_then_elements(std::string header, std::size_t bytes) {
  return [header = std::move(header), bytes](output_file& out, const std::byte* elements) {
    out.write(std::as_bytes(std::span(header)));
    out.write({elements, bytes});
  };
}

}  // namespace halfulp::io
