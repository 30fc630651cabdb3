"""Random decision trees as concepts, with the draws of MOA's `RandomTreeGenerator`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.compiled.java_random import java_random, next_double, next_int
from streameval.compiled.kernels import generating
from streameval.errors import ConfigError
from streameval.streams.generators.recipe import (
    Draw,
    Generator,
    check_integers,
    check_range,
    check_seeds,
)
from streameval.streams.stream import Attribute, Schema, Stream

LEAF = -1

#: Larger trees are refused: they would take too much memory or time.
MAX_NODES, MAX_DEPTH = 1e7, 1000


class Tree(NamedTuple):
    """A decision tree over nominal attributes, which come first, and numeric attributes.

    The children of a node are adjacent: one per nominal value, or two, below the threshold and
    from it on. All arrays have the shape (nodes,); the root is node 0.
    """

    attribute: NDArray[np.int32]
    threshold: NDArray[np.float64]
    child: NDArray[np.int32]
    label: NDArray[np.int32]


@dataclass
class _Growth:
    """A growing tree, drawn node by node in MOA's order, depth first."""

    random: NDArray[np.int64]
    classes: int
    nominal: int
    values: int
    depth: int
    first_leaf: int
    leaf_fraction: float
    attribute: list[int] = field(default_factory=list)
    threshold: list[float] = field(default_factory=list)
    child: list[int] = field(default_factory=list)
    label: list[int] = field(default_factory=list)

    def add(self, count: int) -> int:
        """Append nodes and return the number of the first."""
        first = len(self.attribute)
        self.attribute += [LEAF] * count
        self.threshold += [0.0] * count
        self.child += [0] * count
        self.label += [0] * count
        return first

    def is_leaf(self, level: int) -> bool:
        """Draw whether a node of this level is a leaf."""
        if level >= self.depth:
            return True
        return level >= self.first_leaf and self.leaf_fraction >= 1.0 - next_double(self.random)

    def grow(
        self,
        node: int,
        level: int,
        candidates: list[int],
        low: tuple[float, ...],
        high: tuple[float, ...],
    ) -> None:
        """Draw a node and its subtree.

        `candidates` are the nominal attributes that no ancestor splits on; `low` and `high` are
        the bounds of the numeric attributes at this node.
        """
        if self.is_leaf(level):
            self.label[node] = next_int(self.random, self.classes)
            return
        if not candidates and not low:
            raise ConfigError(
                f"Generator random_tree: a branch has used up all {self.nominal} nominal "
                f"attributes at level {level} of {self.depth}, and there are no numeric ones. "
                "Set a smaller depth or more attributes."
            )
        choice = next_int(self.random, len(candidates) + len(low))
        if choice < len(candidates):
            self.attribute[node] = candidates[choice]
            self.child[node] = self.add(self.values)
            left = candidates[:choice] + candidates[choice + 1 :]
            for child in range(self.child[node], self.child[node] + self.values):
                self.grow(child, level + 1, left, low, high)
            return
        i = choice - len(candidates)
        cut = (high[i] - low[i]) * next_double(self.random) + low[i]
        self.attribute[node] = self.nominal + i
        self.threshold[node] = cut
        self.child[node] = self.add(2)
        below, above = self.child[node], self.child[node] + 1
        self.grow(below, level + 1, candidates, low, (*high[:i], cut, *high[i + 1 :]))
        self.grow(above, level + 1, candidates, (*low[:i], cut, *low[i + 1 :]), high)

    def tree(self, numeric: int) -> Tree:
        """Draw the tree."""
        root = self.add(1)
        self.grow(root, 0, list(range(self.nominal)), (0.0,) * numeric, (1.0,) * numeric)
        return Tree(
            np.array(self.attribute, dtype=np.int32),
            np.array(self.threshold),
            np.array(self.child, dtype=np.int32),
            np.array(self.label, dtype=np.int32),
        )


@generating
def _fill(
    X: NDArray[np.float64],
    y: NDArray[np.int32],
    random: NDArray[np.int64],
    tree: Tree,
    nominal: int,
    values: int,
) -> None:
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


def _schema(classes: int, nominal: int, numeric: int, values: int) -> Schema:
    """Return names and kinds of the columns, as in MOA."""
    names = tuple(f"value{i + 1}" for i in range(values))
    return Schema(
        tuple(Attribute(f"nominal{i + 1}", names) for i in range(nominal))
        + tuple(Attribute(f"numeric{i + 1}") for i in range(numeric)),
        classes=tuple(f"class{i + 1}" for i in range(classes)),
    )


def check(
    n: int,
    tree_seed: int,
    seed: int,
    classes: int,
    nominal: int,
    numeric: int,
    values: int,
    depth: int,
    first_leaf: int,
    leaf_fraction: float,
) -> None:
    """Refuse parameters outside their ranges; see `random_tree`."""
    check_integers("random_tree", 1, n=n)
    check_integers("random_tree", 2, classes=classes, values=values)
    check_integers("random_tree", 0, nominal=nominal, numeric=numeric)
    check_integers("random_tree", 1, **{"nominal + numeric": nominal + numeric})
    check_integers("random_tree", 0, depth=depth, first_leaf=first_leaf)
    check_range("random_tree", 0, 1, leaf_fraction=leaf_fraction)
    check_seeds("random_tree", tree_seed=tree_seed, seed=seed)
    width = nodes = 1.0
    for level in range(min(depth, MAX_DEPTH)):
        width *= (values if level < nominal else 2) * (1 - leaf_fraction * (level >= first_leaf))
        nodes += width
    if nodes > MAX_NODES or depth > MAX_DEPTH:
        raise ConfigError(
            f"Generator random_tree: a tree of depth {depth} would have up to {nodes:.1g} nodes, "
            f"more than {MAX_NODES:.0e}. Set a smaller depth or a larger leaf_fraction."
        )


def random_tree(
    n: int,
    tree_seed: int = 1,
    seed: int = 1,
    classes: int = 2,
    nominal: int = 5,
    numeric: int = 5,
    values: int = 5,
    depth: int = 5,
    first_leaf: int = 3,
    leaf_fraction: float = 0.15,
) -> Stream:
    """Return a stream whose classes are the leaves of a random decision tree.

    Parameters
    ----------
    n : int
        Number of instances, at least 1.
    tree_seed, seed : int
        Seeds of the tree and of the instances.
    classes : int
        Number of classes, at least 2.
    nominal, numeric : int
        Numbers of attributes: nominal ones first, then numeric ones uniform on [0, 1).
    values : int
        Values of each nominal attribute, at least 2.
    depth : int
        Level at which all nodes are leaves; the root is level 0.
    first_leaf : int
        Lowest level at which a node may be a leaf.
    leaf_fraction : float
        Probability that a node from that level on is a leaf.

    Returns
    -------
    Stream
        `nominal` + `numeric` attributes, `classes` classes.

    Raises
    ------
    ConfigError
        If a parameter is outside its range, or the tree runs out of attributes.

    References
    ----------
    Domingos, Hulten (2000), Mining high-speed data streams, section 4.1. Draws: MOA 24.07,
    ``generators.RandomTreeGenerator``.
    """
    shape = (classes, nominal, numeric, values, depth, first_leaf, leaf_fraction)
    return start(n, tree_seed, seed, *shape)(n)


def start(
    n: int,
    tree_seed: int,
    seed: int,
    classes: int,
    nominal: int,
    numeric: int,
    values: int,
    depth: int,
    first_leaf: int,
    leaf_fraction: float,
) -> Draw:
    """Return what draws the stream of `random_tree` in pieces."""
    shape = (classes, nominal, numeric, values, depth, first_leaf, leaf_fraction)
    check(n, tree_seed, seed, *shape)
    growth = _Growth(
        java_random(tree_seed), classes, nominal, values, depth, first_leaf, leaf_fraction
    )
    random, tree = java_random(seed), growth.tree(numeric)
    source = f"random tree generator, tree seed {tree_seed}, seed {seed}"
    schema = _schema(classes, nominal, numeric, values)

    def draw(rows: int) -> Stream:
        X, y = np.empty((rows, nominal + numeric)), np.empty(rows, dtype=np.int32)
        _fill(X, y, random, tree, nominal, values)
        return Stream(X, y, schema, name="random_tree", source=source)

    return draw


#: What the registry has.
GENERATOR = Generator(random_tree, check, start)
