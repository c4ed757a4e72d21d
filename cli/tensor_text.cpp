// SPDX-License-Identifier: Apache-2.0
#include "tensor_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "array_text.hpp"
#include "base/shape.hpp"
#include "element_text.hpp"
#include "output.hpp"

namespace halfulp::cli {

std::string to_text(const tensor_layout& layout, const std::byte* elements) {
  return fmt::format("{} {}\n{}\n", name_of(layout.type), format_shape(layout.shape),
                     format_array(layout.type, layout.shape, elements));
}

void write_json_members(const tensor_layout& layout, const std::byte* elements) {
  constexpr std::size_t chunk = 1 << 16;
  const std::size_t size = size_of(layout.type);
  // The shape is that of a tensor in memory.
  const std::byte* const end = elements + element_count(layout.shape, size).value_or(0) * size;
  std::string text = fmt::format(R"("type":"{}","shape":[{}],"values":[)", name_of(layout.type),
                                 fmt::join(layout.shape, ","));
  for (const std::byte* element = elements; element != end; element += size) {
    if (element != elements) text += ',';
    append_json_element(text, layout.type, element);
    if (text.size() >= chunk) {
      write_output(text);
      text.clear();
    }
  }
  write_output(text + "]");
}

}  // namespace halfulp::cli
