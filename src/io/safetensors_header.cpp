// SPDX-License-Identifier: Apache-2.0
#include "io/safetensors_header.hpp"

#include <fmt/ranges.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "io/checks.hpp"

namespace halfulp::io::safetensors {

namespace {

using nlohmann::json;

constexpr std::string_view metadata_key = "__metadata__";

// Receives the parser's events. The header has a fixed shape, so the state says what may come next
// and nothing can be nested deeper.
class header_handler final : public nlohmann::json_sax<json> {
 public:
  explicit header_handler(std::string_view label) : label_(label) {}

  std::vector<entry> take() { return std::move(entries_); }

  bool start_object(std::size_t) override {
    if (state_ == state::start) {
      state_ = state::tensors;
    } else if (state_ == state::tensors) {
      keys_.clear();
      if (tensor_ == metadata_key) {
        state_ = state::metadata;
      } else {
        state_ = state::tensor;
        entries_.emplace_back().name = tensor_;
      }
    } else {
      fail_here("an object");
    }
    return true;
  }

  bool key(string_t& name) override {
    const bool outer = state_ == state::tensors;
    if (!(outer ? tensors_ : keys_).insert(name).second) {
      fail(errc::invalid_file, "{}: the header has the key '{}' twice", label_, printable(name));
    }
    if (state_ == state::tensor && name != "dtype" && name != "shape" && name != "data_offsets") {
      fail(errc::invalid_file, "{}: tensor '{}' has the unknown key '{}'", label_,
           printable(tensor_), printable(name));
    }
    (outer ? tensor_ : field_) = std::move(name);
    return true;
  }

  bool end_object() override {
    if (state_ == state::tensor) {
      if (keys_.size() != 3) {
        fail(errc::invalid_file, "{}: tensor '{}' lacks dtype, shape or data_offsets", label_,
             printable(tensor_));
      }
      state_ = state::tensors;
    } else {
      state_ = state_ == state::metadata ? state::tensors : state::end;
    }
    return true;
  }

  bool string(string_t& value) override {
    if (state_ == state::tensor && field_ == "dtype") {
      entries_.back().dtype = std::move(value);
    } else if (state_ != state::metadata) {
      fail_here("a string");
    }
    return true;
  }

  bool start_array(std::size_t) override {
    if (state_ != state::tensor || field_ == "dtype") fail_here("an array");
    state_ = field_ == "shape" ? state::shape : state::offsets;
    offsets_ = 0;
    return true;
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (state_ == state::shape) {
      add_extent(value);
    } else if (state_ == state::offsets && offsets_ < 2) {
      (offsets_++ == 0 ? entries_.back().begin : entries_.back().end) = value;
    } else {
      fail_here("a number");
    }
    return true;
  }

  bool end_array() override {
    if (state_ == state::offsets && offsets_ != 2) fail_here("too short an array");
    state_ = state::tensor;
    return true;
  }

  bool number_integer(number_integer_t) override { fail_here("a negative number"); }
  bool number_float(number_float_t, const string_t&) override {
    fail_here("a number that is no integer or too large");
  }
  bool null() override { fail_here("null"); }
  bool boolean(bool) override { fail_here("a boolean"); }
  bool binary(binary_t&) override { fail_here("binary data"); }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    fail(errc::invalid_file, "{}: the header is no JSON, or a damaged one, at its byte {}", label_,
         position);
  }

 private:
  enum class state { start, tensors, metadata, tensor, shape, offsets, end };

  void add_extent(std::uint64_t extent) {
    std::vector<std::int64_t>& shape = entries_.back().shape;
    if (shape.size() == max_rank) {
      fail(errc::invalid_file, "{}: tensor '{}' has more than {} axes, the most that are allowed",
           label_, printable(tensor_), max_rank);
    }
    if (extent > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      fail_here("too large a number");
    }
    shape.push_back(static_cast<std::int64_t>(extent));
  }

  [[noreturn]] void fail_here(std::string_view found) const {
    switch (state_) {
      case state::metadata:
        fail(errc::invalid_file, "{}: the header's {} has {} as '{}'; only strings are allowed",
             label_, metadata_key, found, printable(field_));
      case state::tensor:
      case state::shape:
      case state::offsets:
        fail(errc::invalid_file,
             "{}: tensor '{}' has {} in its {}; a dtype is a string, a shape an array of numbers, "
             "data_offsets an array of two",
             label_, printable(tensor_), found, field_);
      default:
        fail(errc::invalid_file, "{}: the header has {} where an object should be", label_, found);
    }
  }

  std::string_view label_;
  state state_ = state::start;
  std::string tensor_, field_;     // the keys around the current value
  std::set<std::string> tensors_;  // all names so far
  std::set<std::string> keys_;     // the current object's keys so far
  int offsets_ = 0;                // of the current data_offsets
  std::vector<entry> entries_;
};

}  // namespace

std::vector<entry> parse_header(std::string_view text, std::string_view label) {
  // The parser would pass over a byte order mark, and take a NUL for the end.
  if (!text.starts_with('{') || text.find('\0') != std::string_view::npos) {
    fail(errc::invalid_file, "{}: is no safetensors file: the header is no JSON object", label);
  }
  header_handler handler(label);
  json::sax_parse(text, &handler);
  return handler.take();
}

std::string format_header(const entry& tensor, std::string_view label) {
  if (tensor.name == metadata_key) {
    fail(errc::invalid_file, "{}: a tensor cannot have the name {}", label, metadata_key);
  }
  std::string name;
  try {
    name = json(tensor.name).dump();
  } catch (const json::type_error&) {
    fail(errc::invalid_file, "{}: the tensor's name '{}' is no UTF-8", label,
         printable(tensor.name));
  }
  return fmt::format(R"({{{}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}}}})", name,
                     tensor.dtype, fmt::join(tensor.shape, ","), tensor.begin, tensor.end);
}

}  // namespace halfulp::io::safetensors
