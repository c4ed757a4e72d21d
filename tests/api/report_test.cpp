// Cases reduced from public bug reports on other implementations: tests/data/reports.json.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "api/support/expect_error.hpp"
#include "numerics/support/check.hpp"
#include "schema/table.hpp"

namespace oracle {
namespace {

using nlohmann::json;

const std::vector<json>& cases() {
  static const std::vector<json> all = [] {
    std::ifstream file(HALFULP_TEST_DATA "/reports.json");
    return json::parse(file).at("cases").get<std::vector<json>>();
  }();
  return all;
}

double number(const json& value) {
  if (!value.is_string()) return value.get<double>();
  const auto text = value.get<std::string>();
  if (text == "nan") return std::nan("");
  if (text == "inf") return INFINITY;
  if (text == "-inf") return -INFINITY;
  if (text == "-0.0") return -0.0;
  throw std::runtime_error("not a number: " + text);
}

bits pattern(dtype type, const json& value) {
  if (is_floating(type)) return encode(type, number(value));
  const std::uint64_t word = value.is_number_unsigned()
                                 ? value.get<std::uint64_t>()
                                 : static_cast<std::uint64_t>(value.get<std::int64_t>());
  return word & (~bits{0} >> (64 - width_of(type)));
}

dtype type_of(const json& tensor) {
  const auto name = tensor.at("type").get<std::string>();
  for (const dtype type : all_types) {
    if (name == text_of(type)) return type;
  }
  throw std::runtime_error("not a type: " + name);
}

// A tensor as bytes: some cases have tens of millions of elements of one value.
struct stored_tensor {
  explicit stored_tensor(const json& from)
      : layout{type_of(from), from.at("shape").get<std::vector<std::int64_t>>(), {}} {
    const std::size_t size = bytes_of(layout.type);
    bytes.resize(element_count(layout.shape) * size);
    const bool filled = from.contains("fill");
    const json& values = from.at(filled ? "fill" : "values");
    const bits one = filled ? pattern(layout.type, values) : 0;
    for (std::size_t i = 0; i * size < bytes.size(); ++i) {
      store(layout.type, filled ? one : pattern(layout.type, values.at(i)),
            bytes.data() + i * size);
    }
  }
  halfulp::tensor_layout layout;
  std::vector<std::byte> bytes;
};

halfulp::options options_of(const json& report) {
  halfulp::options options;
  options.opset = report.at("opset").get<std::int64_t>();
  for (const auto& [name, value] : report.at("attributes").items()) {
    if (name == "axes") {
      options.axes = value.get<std::vector<std::int64_t>>();
    } else if (name == "keepdims") {
      options.keepdims = value.get<std::int64_t>();
    } else if (name == "noop_with_empty_axes") {
      options.noop_with_empty_axes = value.get<std::int64_t>();
    } else if (name == "axis") {
      options.axis = value.get<std::int64_t>();
    } else if (name == "p") {
      options.p = value.get<std::int64_t>();
    } else {
      throw std::runtime_error("not an attribute: " + name);
    }
  }
  const json& inputs = report.at("inputs");
  if (inputs.contains("axes")) {
    options.axes = inputs.at("axes").at("values").get<std::vector<std::int64_t>>();
  }
  return options;
}

// Where a node of this case would have its axes.
halfulp::schema::axes_place axes_from(const json& report) {
  using halfulp::schema::axes_place;
  if (report.at("inputs").contains("axes")) return axes_place::input;
  return report.at("attributes").contains("axes") ? axes_place::attribute : axes_place::none;
}

// Cases about where axes may be, which only a node can get wrong: a call just has axes.
bool is_about_the_place_of_axes(const json& report) {
  const bool before_18 = report.at("opset").get<std::int64_t>() < 18;
  return (before_18 && axes_from(report) == halfulp::schema::axes_place::input) ||
         (!before_18 && axes_from(report) == halfulp::schema::axes_place::attribute);
}

class reports : public testing::TestWithParam<std::size_t> {
 protected:
  const json& report = cases().at(GetParam());
};

TEST_P(reports, as_a_call) {
  if (is_about_the_place_of_axes(report)) return;
  const halfulp::op op = halfulp::op_from_name(report.at("op").get<std::string>());
  const stored_tensor input(report.at("inputs").at("data"));
  const halfulp::const_view view{input.bytes.data(), input.layout};
  const json& expect = report.at("expect");
  if (expect.contains("error")) {
    try {
      halfulp::compute(op, view, options_of(report));
      ADD_FAILURE() << "no error";
    } catch (const halfulp::error& error) {
      expect_one_line(error.what(), expect.at("error").get<std::vector<std::string>>());
    }
    return;
  }
  const stored_tensor right(expect.at("output"));
  const halfulp::tensor output = halfulp::compute(op, view, options_of(report));
  EXPECT_EQ(output.layout().type, right.layout.type);
  EXPECT_EQ(output.layout().shape, right.layout.shape);
  const auto* data = static_cast<const std::byte*>(output.data());
  EXPECT_EQ(
      std::vector<std::byte>(data, data + output.element_count() * bytes_of(output.layout().type)),
      right.bytes);
}

// The rules that need no shape, with the axes where the node has them.
TEST_P(reports, as_a_node) {
  const halfulp::op op = halfulp::op_from_name(report.at("op").get<std::string>());
  const halfulp::options options = options_of(report);
  if (is_about_the_place_of_axes(report)) {
    try {
      check_axes_place(halfulp::schema::find(op, options.opset), axes_from(report));
      ADD_FAILURE() << "no error";
    } catch (const halfulp::error& error) {
      EXPECT_EQ(error.code(), halfulp::errc::invalid_argument);
      expect_one_line(error.what(),
                      report.at("expect").at("error").get<std::vector<std::string>>());
    }
  } else if (report.at("expect").contains("output")) {
    const halfulp::dtype input_type = type_of(report.at("inputs").at("data"));
    EXPECT_EQ(halfulp::name_of(halfulp::schema::resolve({op, input_type, options}).output_type),
              report.at("expect").at("output").at("type").get<std::string>());
  }
}

INSTANTIATE_TEST_SUITE_P(reduced, reports, testing::Range(std::size_t{0}, cases().size()),
                         [](const testing::TestParamInfo<std::size_t>& number) {
                           auto name = cases().at(number.param).at("id").get<std::string>();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(report_cases, are_all_there) {
  EXPECT_EQ(cases().size(), 49u);
  EXPECT_EQ(std::count_if(cases().begin(), cases().end(), is_about_the_place_of_axes), 3);
}

}  // namespace
}  // namespace oracle
