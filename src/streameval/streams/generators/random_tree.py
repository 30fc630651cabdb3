"""Random decision trees as concepts, with the draws of MOA's `RandomTreeGenerator`."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, NamedTuple

import numpy as np
from msgspec import Meta

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.errors import ConfigError
from streameval.base.params import Proportion, Seed, Whole
from streameval.compiled.java_random import java_random, next_double, next_int
from streameval.compiled.kernels import allocating_kernel
from streameval.streams.generators.generator import Draw, Generator
from streameval.streams.stream import Attribute, Schema

#: Value of `Tree.attribute` for a leaf.
LEAF = -1
#: Maximum expected number of nodes, to limit memory.
MAX_NODES = 1e7
#: Maximum depth, to limit recursion.
MAX_DEPTH = 1000


class Tree(NamedTuple):
    """A decision tree over nominal attributes, which come first, and numeric attributes.

    Arrays have one entry per node. The children of a node are adjacent: one per value of a nominal
    attribute; for a numeric attribute, first the values below the threshold, then all others.
    """

    attribute: Codes  # `LEAF` for leaves
    threshold: Floats  # only for numeric attributes
    child: Codes  # index of the first child
    label: Codes  # only for leaves


@dataclass
class _TreeBuilder:
    """A tree under construction, drawn node by node in MOA's order, depth first."""

    parameters: RandomTree
    random: Integers
    attribute: list[int] = field(default_factory=list)
    threshold: list[float] = field(default_factory=list)
    child: list[int] = field(default_factory=list)
    label: list[int] = field(default_factory=list)

    def add_nodes(self, count: int) -> int:
        """Append nodes and return the index of the first."""
        first = len(self.attribute)
        self.attribute += [LEAF] * count
        self.threshold += [0.0] * count
        self.child += [0] * count
        self.label += [0] * count
        return first

    def draw_is_leaf(self, level: int) -> bool:
        """Draw whether a node of this level is a leaf."""
        if level >= self.parameters.depth:
            return True
        return (
            level >= self.parameters.first_leaf
            and self.parameters.leaf_fraction >= 1.0 - next_double(self.random)  # as in MOA
        )

    def grow(
        self,
        node: int,
        level: int,
        candidates: list[int],
        low: tuple[float, ...],
        high: tuple[float, ...],
    ) -> None:
        """Draw a node and its subtree.

        `candidates` are the nominal attributes on which no ancestor splits; `low` and `high` bound
        the numeric attributes in this node.
        """
        if self.draw_is_leaf(level):
            self.label[node] = next_int(self.random, self.parameters.classes)
            return
        if not candidates and not low:
            raise ConfigError(
                f"Generator random_tree: a branch has used up all {self.parameters.nominal} "
                f"nominal attributes at level {level} of {self.parameters.depth}, and there are no "
                "numeric attributes. Set a smaller depth or more attributes."
            )
        choice = next_int(self.random, len(candidates) + len(low))
        if choice < len(candidates):
            self.attribute[node] = candidates[choice]
            self.child[node] = self.add_nodes(self.parameters.values)
            others = candidates[:choice] + candidates[choice + 1 :]
            for child in range(self.child[node], self.child[node] + self.parameters.values):
                self.grow(child, level + 1, others, low, high)
            return
        i = choice - len(candidates)
        cut = (high[i] - low[i]) * next_double(self.random) + low[i]
        self.attribute[node] = self.parameters.nominal + i
        self.threshold[node] = cut
        self.child[node] = self.add_nodes(2)
        below, above = self.child[node], self.child[node] + 1
        self.grow(below, level + 1, candidates, low, (*high[:i], cut, *high[i + 1 :]))
        self.grow(above, level + 1, candidates, (*low[:i], cut, *low[i + 1 :]), high)

    def tree(self) -> Tree:
        """Draw the tree."""
        root, numeric = self.add_nodes(1), self.parameters.numeric
        self.grow(root, 0, list(range(self.parameters.nominal)), (0.0,) * numeric, (1.0,) * numeric)
        return Tree(
            np.array(self.attribute, dtype=np.int32),
            np.array(self.threshold),
            np.array(self.child, dtype=np.int32),
            np.array(self.label, dtype=np.int32),
        )


@allocating_kernel
def _fill(X: Floats, y: Codes, random: Integers, tree: Tree, nominal: int, values: int) -> None:
    for t in range(len(y)):
        for j in range(X.shape[1]):
            X[t, j] = next_int(random, values) if j < nominal else next_double(random)
        node = 0
        while tree.attribute[node] != LEAF:
            j = tree.attribute[node]
            if j < nominal:
                node = tree.child[node] + int(X[t, j])
            elif X[t, j] < tree.threshold[node]:
                node = tree.child[node]
            else:
                node = tree.child[node] + 1
        y[t] = tree.label[node]


@dataclass(frozen=True)
class RandomTree(Generator):
    """Classes that are the leaf labels of a random decision tree.

    `start` raises ConfigError if a branch of the tree runs out of attributes.

    Parameters
    ----------
    tree_seed, seed : int
        Seeds of the tree and of the instances.
    classes : int
        Number of classes, at least 2.
    nominal, numeric : int
        Numbers of attributes. Nominal attributes come first, then numeric ones on [0, 1), uniform.
    values : int
        Number of values of each nominal attribute, at least 2.
    depth : int
        Level at which all nodes are leaves; the root is level 0.
    first_leaf : int
        First level, from the root, at which a node may be a leaf.
    leaf_fraction : float
        Probability that a node is a leaf, from `first_leaf` to `depth` - 1.

    References
    ----------
    Domingos, Hulten (2000), Mining high-speed data streams, section 4.1. Draws: MOA 24.07,
    ``generators.RandomTreeGenerator``.
    """

    tree_seed: Seed = 1
    seed: Seed = 1
    classes: Annotated[int, Meta(ge=2)] = 2
    nominal: Whole = 5
    numeric: Whole = 5
    values: Annotated[int, Meta(ge=2)] = 5
    depth: Whole = 5
    first_leaf: Whole = 3
    leaf_fraction: Proportion = 0.15

    name = "random_tree"

    def _check_combination(self) -> None:
        if not self.nominal + self.numeric:
            raise self._parameter_error(
                "expected an attribute, found nominal and numeric 0.", "nominal"
            )
        # Upper bound on the expected number of nodes: all branches use nominal attributes first.
        level_nodes = nodes = 1.0
        for level in range(min(self.depth, MAX_DEPTH)):
            inner_fraction = 1 - self.leaf_fraction * (level >= self.first_leaf)
            level_nodes *= (self.values if level < self.nominal else 2) * inner_fraction
            nodes += level_nodes
        if nodes > MAX_NODES or self.depth > MAX_DEPTH:
            raise ConfigError(
                f"Generator random_tree: a tree of depth {self.depth} would have up to "
                f"{nodes:.1g} nodes, more than {MAX_NODES:.0e}. Set a smaller depth or a larger "
                "leaf_fraction."
            )

    def _schema(self) -> Schema:
        """Names and kinds of the columns, as in MOA."""
        names = tuple(f"value{i + 1}" for i in range(self.values))
        return Schema(
            tuple(Attribute(f"nominal{i + 1}", names) for i in range(self.nominal))
            + tuple(Attribute(f"numeric{i + 1}") for i in range(self.numeric)),
            classes=tuple(f"class{i + 1}" for i in range(self.classes)),
        )

    def _start(self, n: int) -> Draw:
        tree = _TreeBuilder(self, java_random(self.tree_seed)).tree()
        random, nominal, values = java_random(self.seed), self.nominal, self.values
        fill = partial(_fill, random=random, tree=tree, nominal=nominal, values=values)
        source = f"random tree generator, tree seed {self.tree_seed}, seed {self.seed}"
        return self._make_draw(fill, self._schema(), source)
