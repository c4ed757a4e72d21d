// A version of an operator in words, and what changed between two versions.
// SPDX-License-Identifier: Apache-2.0
//
// Everything is derived from rows of the table; how it is laid out is the front end's business.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/table.hpp"

namespace halfulp::schema {

// A formal input or output. `type` is "T", the type that the version's types constrain, or
// "int64".
struct parameter_description {
  std::string name;
  std::string type;
  bool optional;
  std::string meaning;
};

struct attribute_description {
  std::string name;
  std::string type;                           // ONNX's word: "INT" or "INTS"
  std::optional<std::int64_t> default_value;  // empty where the default is to be absent
  std::string range;                          // "0 or 1", "[-r, r-1] where r is the rank of data"
  std::string meaning;
};

struct version_description {
  std::string op;
  std::int64_t version;
  std::int64_t last_opset;  // the last that selects this version, of those that are known
  std::string summary;
  std::vector<std::string> formulas;  // one, or one for each value of p
  std::vector<parameter_description> inputs, outputs;
  std::vector<attribute_description> attributes;
  std::vector<dtype> types;
  std::vector<std::string> guarantees;   // rounding and special values, a sentence or two each
  std::vector<std::string> beyond_onnx;  // what halfulp takes and ONNX doesn't
};

version_description describe(const op_version& row);

enum class change_kind : std::uint8_t {
  types_added,
  types_removed,
  attribute_added,
  attribute_removed,
  attribute_became_input,
  default_changed,
  range_changed,
  range_stated,  // the documentation gained what implementations did before
};

struct change {
  change_kind kind;
  std::string name;    // "T", or that of the attribute
  std::string detail;  // a clause
  bool breaking;       // a node that was valid may no longer be, or may mean something else
};

// In the order: types, then attributes. Empty if the rows promise the same.
std::vector<change> changes_between(const op_version& older, const op_version& newer);

}  // namespace halfulp::schema
