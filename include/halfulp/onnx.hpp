// halfulp: ONNX models made of the norm operators. The C++ interface.
// SPDX-License-Identifier: Apache-2.0
//
// A model may hold, in any order: ReduceL1, ReduceL2, ReduceSumSquare and LpNormalization, computed
// as halfulp.hpp says; Identity; Constant; Cast between the eight types; and calls of its own
// functions, which are inlined. docs/onnx.md has every rule, docs/security.md what is guaranteed of
// hostile files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfulp/halfulp.hpp"
#include "halfulp/types.hpp"

namespace halfulp::onnx {

// One axis of a shape that is not all known: an extent; or a symbol, which stands for one extent
// wherever the model has it; or neither.
struct dimension {
  std::optional<std::int64_t> extent = {};
  std::string symbol = {};
};

// What is known of a tensor of the graph before it runs.
struct value_info {
  std::string name;
  // Empty where nothing says it, or for a type that is none of ours; `stored_type` then says which
  // ("STRING", "sequence"), if the model does.
  std::optional<dtype> type = {};
  std::string stored_type = {};
  std::optional<std::vector<dimension>> shape = {};  // empty: not even the rank is known
};

// Functions are inlined: their nodes stand where the call stood, and the names of what is inside
// begin with that of the call and a slash.
struct node_info {
  std::string name;  // may be empty
  std::string domain;
  std::string op_type;
  // The version that the model's opset import selects; of an operator that is not supported, the
  // opset that is imported for its domain (0 if none is).
  std::int64_t version = 0;
  bool supported = true;
  std::vector<std::string> inputs;  // an empty name where an optional input is left out
  std::vector<value_info> outputs;
  std::vector<std::string> attributes;  // "keepdims=0", in the order of the model
};

struct initializer_info {
  value_info value;
  std::size_t bytes = 0;
  std::string location = {};  // of external data, as the model has it; else empty
};

struct opset_import {
  std::string domain;  // "" is ONNX's own
  std::int64_t version = 0;
};

struct model_info {
  std::int64_t ir_version = 0;
  std::string producer;  // name and version, as far as the model has them
  std::string graph;     // its name
  std::vector<opset_import> opset_imports;
  std::vector<value_info> inputs;  // those that a caller feeds; some may have an initializer, too
  std::vector<initializer_info> initializers;
  std::vector<node_info> nodes;  // each after those whose outputs it reads
  std::vector<value_info> outputs;
};

// Reads a model's structure and infers types and shapes as far as they are known. Unlike model, it
// takes operators and types that are not supported, reads no external data, and does not compare
// initializers with what the graph states of them. Throws error as model does for everything else.
HALFULP_API model_info inspect(const std::string& path);

// A tensor of the caller's, for one of the graph's inputs. Its name and data must outlive the call.
struct named_view {
  std::string_view name;
  const_view view;
};

// A model that was read and checked: run it as often as you like, from many threads at once. Copies
// share one immutable state.
class HALFULP_API model {
 public:
  // Reads the file and all external data of its initializers, and checks everything that needs no
  // input: structure, operators, versions, attributes, types, and shapes as far as they are known.
  // Throws error(io) where the system refuses, error(invalid_file) for what is no valid model,
  // error(out_of_memory), and the codes of halfulp::plan for a node that breaks its operator's
  // rules. Every message names the file and the node, tensor or byte that is wrong.
  // "-" is standard input, which is in no folder and so has no external data.
  explicit model(const std::string& path);

  // The same for a model in memory, which is copied. `name` stands for the file in messages. There
  // is no folder for external data, so that is an error.
  explicit model(std::span<const std::byte> bytes, std::string_view name = "model");

  // What a caller must or may feed, and what run() can return, in the order of the graph.
  const std::vector<value_info>& inputs() const noexcept;
  const std::vector<value_info>& outputs() const noexcept;

  // Computes the named outputs, or all of them where `outputs` is empty, and returns them in that
  // order. An input that has an initializer may be left out. Views may have any strides and need no
  // alignment. What no requested output depends on is not computed; a tensor inside the graph is
  // freed once nothing reads it any more.
  //
  // Before anything is computed, names, types and shapes are checked, those inside the graph as far
  // as axes are known by then. Throws error(invalid_argument) for names and for values that an
  // operator does not take (axes, elements that a Cast cannot convert), error(unsupported_type),
  // error(invalid_shape), error(invalid_file) for tensors of too many axes in all, and
  // error(out_of_memory), and what options.pool throws.
  //
  // `options` is for each of the norm operators, which run one after the other; its statistics are
  // those of all of them: the most threads, and sums.
  std::vector<tensor> run(std::span<const named_view> inputs,
                          std::span<const std::string_view> outputs = {},
                          const run_options& options = {}) const;

 private:
  struct state;
  std::shared_ptr<const state> state_;
};

}  // namespace halfulp::onnx
