// SPDX-License-Identifier: Apache-2.0
#include "onnx/run.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/list_text.hpp"
#include "base/machine_memory.hpp"
#include "base/shape.hpp"
#include "exec/parallel.hpp"
#include "onnx/convert.hpp"
#include "onnx/infer.hpp"

namespace halfulp::onnx {

namespace {

// One run. First the extents of all tensors are inferred, as far as axes are known, so that what is
// wrong shows before anything is computed; then node after node is run.
class runner {
 public:
  runner(const program& program, const run_options& options)
      : program_(program), graph_(program.graph()), options_(options) {}

  std::vector<tensor> run(std::span<const named_view> inputs,
                          std::span<const std::string_view> outputs) {
    known_ = program_.known;
    symbols_ = program_.symbols;
    live_bytes_ = program_.bytes;
    find_outputs(outputs);
    find_needed();
    feed(inputs);
    infer_all();
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (is_needed_[i]) run_node(i);
    }
    std::vector<tensor> results;
    results.reserve(outputs_.size());
    for (const value_id id : outputs_) results.push_back(take(id));
    return results;
  }

  // Of all nodes that ran.
  const run_statistics& statistics() const noexcept { return statistics_; }

 private:
  void find_outputs(std::span<const std::string_view> names);
  void find_needed();
  void feed(std::span<const named_view> inputs);
  void feed_one(value_id id, const named_view& input);
  void infer_all();
  void run_node(std::size_t index);
  std::shared_ptr<tensor> allocate(const tensor_layout& layout, const std::string& name);
  void release(value_id id);
  tensor take(value_id id);

  fact infer(std::size_t index) {
    return infer_node(graph_, graph_.nodes[index], *program_.operations[index], known_, symbols_,
                      program_.label());
  }

  void add(const run_statistics& of_node) noexcept {
    statistics_.threads = std::max(statistics_.threads, of_node.threads);
    statistics_.parts += of_node.parts;
    if (!of_node.target.empty()) statistics_.target = of_node.target;
    statistics_.fast += of_node.fast;
    statistics_.extracted += of_node.extracted;
    statistics_.exact += of_node.exact;
  }

  const program& program_;
  const graph& graph_;
  const run_options& options_;
  run_statistics statistics_;
  symbol_table symbols_;
  std::vector<value_id> outputs_;
  std::vector<bool> is_needed_;         // of each node
  std::vector<std::uint32_t> readers_;  // of each value: needed nodes and outputs still to come
  std::vector<fact> known_;
  std::vector<std::shared_ptr<tensor>> owners_;  // of values whose elements this run made
  std::size_t live_bytes_ = 0;                   // of the model and of all owners
};

std::string list_names(const std::vector<value_info>& values) {
  if (values.empty()) return "none";
  return list_first(values, 10, [](const value_info& value) { return printable(value.name); });
}

void runner::find_outputs(std::span<const std::string_view> names) {
  if (names.empty()) {
    outputs_ = graph_.outputs;
    return;
  }
  for (const std::string_view name : names) {
    const auto found = std::find_if(graph_.outputs.begin(), graph_.outputs.end(),
                                    [&](value_id id) { return graph_.values[id].name == name; });
    if (found == graph_.outputs.end()) {
      fail(errc::invalid_argument, "{}: has no output '{}'; it has {}", program_.label(),
           printable(name), list_names(program_.outputs));
    }
    if (std::find(outputs_.begin(), outputs_.end(), *found) != outputs_.end()) {
      fail(errc::invalid_argument, "{}: the output '{}' is named twice", program_.label(),
           printable(name));
    }
    outputs_.push_back(*found);
  }
}

// The nodes that the outputs depend on, and how often each value is read by them.
void runner::find_needed() {
  is_needed_.assign(graph_.nodes.size(), false);
  readers_.assign(graph_.values.size(), 0);
  owners_.resize(graph_.values.size());
  for (const value_id id : outputs_) ++readers_[id];
  for (std::size_t i = graph_.nodes.size(); i-- > 0;) {
    const node& node = graph_.nodes[i];
    is_needed_[i] = readers_[node.outputs.front()] != 0;
    if (!is_needed_[i]) continue;
    for (const value_id id : node.inputs) {
      if (id != none) ++readers_[id];
    }
  }
}

void runner::feed(std::span<const named_view> inputs) {
  std::vector<bool> is_fed(graph_.values.size());
  for (const named_view& input : inputs) {
    const auto found = std::find_if(graph_.inputs.begin(), graph_.inputs.end(), [&](value_id id) {
      return graph_.values[id].name == input.name;
    });
    if (found == graph_.inputs.end()) {
      fail(errc::invalid_argument, "{}: has no input '{}'; it has {}", program_.label(),
           printable(input.name), list_names(program_.inputs));
    }
    if (is_fed[*found]) {
      fail(errc::invalid_argument, "{}: the input '{}' is given twice", program_.label(),
           printable(input.name));
    }
    is_fed[*found] = true;
    feed_one(*found, input);
  }
  for (const value_id id : graph_.inputs) {
    if (is_fed[id]) continue;
    const value& value = graph_.values[id];
    if (value.initializer == none) {
      fail(errc::invalid_argument, "{}: the input '{}' is missing", program_.label(),
           printable(value.name));
    }
    known_[id] = merge(value, known_value(program_.initializers[value.initializer].known), symbols_,
                       program_.label());
  }
}

void runner::feed_one(value_id id, const named_view& input) {
  tensor_layout layout = input.view.layout;
  const std::size_t size = size_of(layout.type);
  const std::optional<std::size_t> count = element_count(layout.shape, size);
  if (!count) {
    fail(errc::invalid_shape, "{}: the input '{}' has shape {}, which is negative or too large",
         program_.label(), printable(input.name), format_shape(layout.shape));
  }
  if (layout.strides.empty()) layout.strides = c_strides(layout.shape, size);
  if (layout.strides.size() != layout.shape.size()) {
    fail(errc::invalid_shape, "{}: the input '{}' has {} strides for {} axes", program_.label(),
         printable(input.name), layout.strides.size(), layout.shape.size());
  }
  // An empty tensor may have no address, but its elements are known all the same.
  static constexpr std::byte nowhere{};
  const auto* elements = static_cast<const std::byte*>(input.view.data);
  if (elements == nullptr) {
    if (*count != 0) {
      fail(errc::invalid_argument, "{}: the input '{}' has elements, but no data", program_.label(),
           printable(input.name));
    }
    elements = &nowhere;
  }
  known_[id] = merge(graph_.values[id], fact_of(layout, elements), symbols_, program_.label());
}

void runner::infer_all() {
  axis_counter axes;
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    if (!is_needed_[i]) continue;
    fact& output = known_[graph_.nodes[i].outputs.front()];
    output = infer(i);
    axes.add(output, program_.label());
  }
}

void runner::run_node(std::size_t index) {
  const node& node = graph_.nodes[index];
  const value_id output = node.outputs.front();
  // Once more, since axes that nodes computed are there now.
  fact result = infer(index);
  if (result.elements != nullptr) {
    // An input's own elements, or a constant's.
    for (const value_id id : node.inputs) {
      if (id != none && known_[id].elements == result.elements) owners_[output] = owners_[id];
    }
  } else {
    name_node(node, program_.label(), [&] {
      owners_[output] = allocate(layout_of(result), "its output");
      run_statistics of_node;
      program_.operations[index]->run(
          inputs_of(node, known_), static_cast<std::byte*>(owners_[output]->data()),
          {.threads = options_.threads, .pool = options_.pool, .statistics = &of_node});
      add(of_node);
    });
    result =
        fact_of(owners_[output]->layout(), static_cast<const std::byte*>(owners_[output]->data()));
  }
  known_[output] = std::move(result);
  for (const value_id id : node.inputs) {
    if (id != none && --readers_[id] == 0) release(id);
  }
}

// Linux promises more memory than there is and ends the program that uses it, so what is asked for
// is counted. `name` is what messages call the tensor.
std::shared_ptr<tensor> runner::allocate(const tensor_layout& layout, const std::string& name) {
  const std::size_t size = size_of(layout.type);
  const std::size_t free_bytes = machine_memory() - std::min(machine_memory(), live_bytes_);
  const std::size_t count = element_count(layout.shape, size).value_or(free_bytes);
  if (count <= free_bytes / size) {
    try {
      auto made = std::make_shared<tensor>(layout);
      live_bytes_ += count * size;
      return made;
    } catch (const std::bad_alloc&) {  // as below
    }
  }
  fail(errc::out_of_memory, "{}: out of memory for type {} and shape {}", name,
       name_of(layout.type), format_shape(layout.shape));
}

void runner::release(value_id id) {
  if (owners_[id].use_count() == 1) {
    live_bytes_ -= owners_[id]->element_count() * size_of(owners_[id]->layout().type);
  }
  owners_[id].reset();
}

// The run's own tensor where nothing else has it, else a copy.
tensor runner::take(value_id id) {
  if (owners_[id].use_count() == 1) return std::move(*owners_[id]);
  const tensor_layout layout = layout_of(known_[id]);
  const std::string name =
      fmt::format("{}: '{}'", program_.label(), printable(path_of(graph_.values[id])));
  std::shared_ptr<tensor> copy = allocate(layout, name);
  convert(layout, known_[id].elements, layout.type, static_cast<std::byte*>(copy->data()), name);
  owners_[id].reset();  // what else has it may then be the last to have it
  return std::move(*copy);
}

}  // namespace

std::vector<tensor> run(const program& program, std::span<const named_view> inputs,
                        std::span<const std::string_view> outputs, const run_options& options) {
  const parallel checked(options);  // before anything is computed
  runner runner(program, options);
  std::vector<tensor> results = runner.run(inputs, outputs);
  if (options.statistics != nullptr) *options.statistics = runner.statistics();
  return results;
}

}  // namespace halfulp::onnx
