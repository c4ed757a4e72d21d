# SPDX-License-Identifier: Apache-2.0
"""Random valid models, each made together with the values of all of its tensors.

A node is tried on tensors that are there already; if evaluate.py finds that it breaks a rule of its
operator, it is dropped and another one tried. So no rule is written down here a second time.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper

import evaluate
import exact
import random_values
import storage

FUNCTION_DOMAIN = "test.functions"
NEWEST_IR_VERSION = max(release[1] for release in helper.VERSION_TABLE)
MOST_ELEMENTS = 60

# Parts of names: what is no name of a file, or means something to a shell, a format string or JSON.
ODD_NAMES = ["x", "../up", "/abs", "a b", "имя", "数", "q'\"", "$(a)", "%s{}", "c:d", "\\n", "#"]
# These, the command line could not tell from its own marks.
ODD_INNER_NAMES = ["-x", "a=b", "new\nline", "\t", "\x1b[1m"]


class Maker:
    def __init__(self, rng, folder):
        self.rng = rng
        self.opset = int(rng.integers(1, evaluate.NEWEST_OPSET + 1))
        self.ir_version = int(
            rng.integers(evaluate.oldest_ir_version(self.opset), NEWEST_IR_VERSION + 1)
        )
        self.external = storage.ExternalFile(folder, self.pick(["w", "sub/w.bin", "w w.data"]))
        self.values = {}  # of each tensor, by name
        self.inputs, self.initializers, self.nodes, self.functions = [], [], [], []
        self.results = []  # names of what nodes give
        self.fed = {}
        self.name_count = 0

    def pick(self, choices):
        return choices[self.rng.integers(len(choices))]

    def chance(self, probability):
        return self.rng.random() < probability

    def new_name(self, inner=False):
        self.name_count += 1
        return f"{self.pick(ODD_NAMES + (ODD_INNER_NAMES if inner else []))}{self.name_count}"

    def random_shape(self):
        shape = []
        for _ in range(self.rng.integers(6)):
            room = MOST_ELEMENTS // max(1, int(np.prod(shape)))
            shape.append(int(self.pick([0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 17])))
            if shape[-1] > room:
                shape[-1] = 1
        return shape

    @staticmethod
    def symbol(extent):
        return f"n{extent}"

    def declared_shape(self, shape):
        """Each extent as itself, as a symbol that stands for it everywhere, or left open."""
        forms = [[extent, extent, self.symbol(extent), None] for extent in shape]
        return [self.pick(form) for form in forms]

    def value_info(self, name):
        array = self.values[name]
        element_type = evaluate.ELEMENT_TYPES[evaluate.name_of(array.dtype)]
        return helper.make_tensor_value_info(name, element_type, self.declared_shape(array.shape))

    # Tensors that no node gives.

    def add_input(self, array, name=None):
        name = name or self.new_name()
        self.values[name] = self.fed[name] = array
        self.inputs.append(name)
        return name

    def add_initializer(self, array):
        # Before IR version 4, each initializer is the default of an input.
        is_default = self.ir_version < 4 or self.chance(0.2)
        name = self.new_name(inner=not is_default)
        store = self.pick([storage.raw, storage.typed, self.external.add])
        self.initializers.append(store(name, array))
        self.values[name] = (
            array if store == self.external.add else storage.load(self.initializers[-1])
        )
        if is_default and self.chance(0.5):
            self.add_input(random_values.random_array(self.rng, array.dtype, array.shape), name)
        elif is_default:
            self.inputs.append(name)
        return name

    def add_source(self):
        dtype = exact.DTYPES[self.pick([*exact.DTYPES])]
        array = random_values.random_array(self.rng, dtype, self.random_shape())
        self.pick([self.add_input, self.add_initializer])(array)

    # Nodes.

    def try_node(self, node):
        """Appends the node if it is valid."""
        functions = {(f.domain, f.name, f.overload): f for f in self.functions}
        try:
            evaluate.run_node(node, self.values, self.opset, functions)
        except (evaluate.Invalid, exact.CastError):
            return False
        self.nodes.append(node)
        self.results += [name for name in node.output if name]
        return True

    def make_node(self, operator, inputs, **attributes):
        node_name = self.pick(["", self.new_name(inner=True)])
        # As attributes, since an empty list does not tell its type.
        lists = {name: value for name, value in attributes.items() if isinstance(value, list)}
        scalars = {name: value for name, value in attributes.items() if name not in lists}
        node = helper.make_node(operator, inputs, [self.new_name()], name=node_name, **scalars)
        for name, value in lists.items():
            node.attribute.append(
                onnx.AttributeProto(name=name, type=onnx.AttributeProto.INTS, ints=value)
            )
        return node

    def some(self, **attributes):
        """A random part of the attributes: the others keep their defaults."""
        return {name: value for name, value in attributes.items() if self.chance(0.6)}

    def random_axes(self, rank):
        axes = self.rng.permutation(rank)[: self.rng.integers(rank + 1)]
        return [int(axis) - (rank if self.chance(0.4) else 0) for axis in axes]

    def add_axes(self, axes):
        """A tensor of axes, known before the run or only then."""
        array = np.array(axes, np.int64)
        form = self.rng.integers(4)
        if form == 0:
            return self.add_input(array)
        if form == 1:
            # An input's default may be fed with anything, so this is none.
            name = self.new_name(inner=True)
            self.initializers.append(self.pick([storage.raw, storage.typed])(name, array))
            self.values[name] = array
            return name
        if form == 2:
            node = self.make_node("Constant", [], value_ints=axes)
        else:
            narrow = self.add_input(array.astype(np.int32))
            node = self.make_node("Cast", [narrow], to=TensorProto.INT64)
        assert self.try_node(node)
        return node.output[0]

    def reduction(self):
        data = self.pick([*self.values])
        operator = self.pick(evaluate.REDUCTIONS)
        axes = self.random_axes(self.values[data].ndim)
        keepdims = int(self.rng.integers(2))
        if self.opset < 18:
            return self.make_node(operator, [data], **self.some(axes=axes, keepdims=keepdims))
        noop = int(self.rng.integers(2))
        optional = self.pick([[self.add_axes(axes)], [""], []])
        attributes = self.some(keepdims=keepdims, noop_with_empty_axes=noop)
        return self.make_node(operator, [data, *optional], **attributes)

    def normalization(self):
        data = self.pick([*self.values])
        rank = max(1, self.values[data].ndim)
        attributes = self.some(
            axis=int(self.rng.integers(-rank, rank)), p=int(self.rng.integers(1, 3))
        )
        return self.make_node("LpNormalization", [data], **attributes)

    def cast_target(self):
        name = self.pick([*exact.DTYPES])
        number = evaluate.ELEMENT_TYPES[name]
        return number if self.opset >= 6 else TensorProto.DataType.Name(number)

    def cast(self):
        return self.make_node("Cast", [self.pick([*self.values])], to=self.cast_target())

    def identity(self):
        return self.make_node("Identity", [self.pick([*self.values])])

    def constant(self):
        if self.opset >= 12 and self.chance(0.5):
            forms = [{"value_int": -3}, {"value_ints": [0, 5]}, {"value_ints": []}]
            floats = [{"value_float": 0.5}, {"value_floats": np.array([1.5, -2])}]
            return self.make_node("Constant", [], **self.pick(forms + floats))
        dtype = exact.DTYPES[self.pick([*exact.DTYPES])]
        array = random_values.random_array(self.rng, dtype, self.random_shape())
        store = self.pick([storage.raw, storage.typed])
        return self.make_node("Constant", [], value=store("", array))

    # Functions.

    def add_function(self):
        """A chain of nodes on the input x, whose attributes are the caller's."""
        rank_keepers = ["LpNormalization", "Identity", "Cast"]
        nodes, current = [], "x"
        for number in range(self.rng.integers(1, 5)):
            output = self.pick(["t{}", "x.{}", "тело {}"]).format(number)
            called = self.pick(self.functions) if self.functions and self.chance(0.4) else None
            operator = self.pick(evaluate.REDUCTIONS + rank_keepers)
            if called:
                others = [""] * len(called.output[1:])
                node = self.make_call(called, [current, "axes"], [output, *others])
                node.attribute.extend(self.references(called.attribute))
            elif operator in evaluate.REDUCTIONS:
                inputs = [current, "axes"] if self.opset >= 18 and self.chance(0.5) else [current]
                node = helper.make_node(operator, inputs, [output])
                node.attribute.extend(self.references(["keepdims"]))
                if self.opset < 18 and self.chance(0.5):
                    node.attribute.extend(self.references(["axes"]))
            else:
                node = helper.make_node(operator, [current], [output])
                own = {"LpNormalization": ["p", "axis"], "Cast": ["to"]}.get(operator, [])
                node.attribute.extend(self.references(own))
            nodes.append(node)
            current = output
        used = {a.ref_attr_name for node in nodes for a in node.attribute}
        with_default = {name for name in used if self.ir_version >= 9 and self.chance(0.5)}
        function = helper.make_function(
            FUNCTION_DOMAIN,
            self.pick(["f", "ReduceL1", "g g"]) + str(len(self.functions)),
            ["x", "axes"],
            [current] if len(nodes) == 1 else [current, nodes[0].output[0]],
            nodes,
            self.function_imports(),
            attributes=sorted(used - with_default),
            attribute_protos=[self.random_attribute(name) for name in sorted(with_default)],
        )
        if self.ir_version >= 10 and self.chance(0.3):
            function.overload = self.pick(["o", "1"])
        self.functions.append(function)

    def function_imports(self):
        """An opset of the function's own, under which all operators have the model's versions."""
        opsets = [
            opset
            for opset in range(1, evaluate.NEWEST_OPSET + 1)
            if all(
                evaluate.since_version(operator, opset)
                == evaluate.since_version(operator, self.opset)
                for operator in evaluate.OPERATORS
            )
        ]
        return [helper.make_opsetid("", self.pick(opsets)), helper.make_opsetid(FUNCTION_DOMAIN, 1)]

    @staticmethod
    def references(names):
        kinds = {"axes": onnx.AttributeProto.INTS}
        for name in names:
            attribute = onnx.AttributeProto(name=name, ref_attr_name=name)
            attribute.type = kinds.get(name, onnx.AttributeProto.INT)
            yield attribute

    def random_attribute(self, name):
        choices = {
            "axes": [[0], [-1], [0, -1]],
            "keepdims": [0, 1],
            "p": [1, 2],
            "axis": [0, -1],
            "to": [*evaluate.ELEMENT_TYPES.values()],
        }
        return helper.make_attribute(name, self.pick(choices[name]))

    @staticmethod
    def make_call(function, inputs, outputs):
        return helper.make_node(
            function.name, inputs, outputs, domain=function.domain, overload=function.overload
        )

    def call(self):
        function = self.pick(self.functions)
        data = self.pick([*self.values])
        inputs = [data, *self.pick([[], [""]])]
        if self.opset >= 18 and self.chance(0.5):
            inputs[1:] = [self.add_axes(self.random_axes(self.values[data].ndim))]
        others = [self.pick(["", self.new_name()]) for _ in function.output[1:]]
        node_outputs = [self.new_name(), *others]
        node = self.make_call(function, inputs, node_outputs)
        # A Cast needs its "to", whose default there may be none.
        names = set(function.attribute) | {a.name for a in function.attribute_proto}
        required = set(function.attribute) & {"to"}
        given = required | {name for name in names if self.chance(0.6)}
        node.attribute.extend(self.random_attribute(name) for name in sorted(given))
        return node

    # The whole.

    def fill(self, node_count):
        for _ in range(self.rng.integers(2, 6)):
            self.add_source()
        # Functions are there from IR version 8 on; Cast's `to` can be referred to from opset 6 on.
        if self.ir_version >= 8 and self.opset >= 6:
            for _ in range(self.rng.integers(4)):
                self.add_function()
        makers = [self.reduction, self.reduction, self.normalization, self.normalization]
        makers += [self.cast, self.identity, self.constant]
        makers += [self.call] * (3 if self.functions else 0)
        while len(self.nodes) < node_count:
            self.try_node(self.pick(makers)())

    def model(self):
        """The model, its nodes in an order in which each comes after those that it reads."""
        outputs = [name for name in self.results if self.chance(0.6)] or [self.results[-1]]
        outputs += [name for name in self.inputs if self.chance(0.1)]
        # The package cannot infer the output's type of Cast-1, so that all are declared there.
        share = 1 if self.opset < 6 else 0.3
        inner = [name for name in self.results if name not in outputs and self.chance(share)]
        graph = helper.make_graph(
            self.nodes,
            "random",
            [self.value_info(name) for name in self.inputs],
            [self.value_info(name) for name in outputs],
            self.initializers,
            value_info=[self.value_info(name) for name in inner],
        )
        imports = [helper.make_opsetid(self.pick(["", "ai.onnx"]), self.opset)]
        if self.functions:
            imports.append(helper.make_opsetid(FUNCTION_DOMAIN, 1))
        return helper.make_model(
            graph, opset_imports=imports, ir_version=self.ir_version, functions=self.functions
        )
