"""Random attribute subsets of leaves, drawn when a leaf first learns.

MOA has two methods. Its random trees draw from all attributes, reject attributes that were drawn
before, and never use the last attribute drawn. Its adaptive random forest draws from the remaining
attributes.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np

from streameval.base import seeds
from streameval.base.arrays import Flags, Integers
from streameval.compiled import java_random
from streameval.compiled.kernels import subkernel
from streameval.learners.bayes import class_statistics
from streameval.learners.bayes.class_statistics import Statistics
from streameval.streams.stream import Schema


class Subsets(NamedTuple):
    """State of the draws among m attributes for the leaves of t trees."""

    size: int  # number of attributes to draw for a leaf; 0 if leaves observe all without a draw
    from_remaining: bool  # draw from the remaining attributes; otherwise with rejection
    random: Integers  # (t, 3) the generator of each tree, see `java_random`
    remaining: Integers  # (m,) scratch: attributes not drawn yet
    is_drawn: Flags  # (m,) scratch: attributes to observe

    @property
    def n_observed(self) -> int | None:
        """Number of attributes that a leaf observes; None for all."""
        if self.size == 0:
            return None
        return self.size if self.from_remaining else self.size - 1


def make(size: int, from_remaining: bool, attributes: int, tree_seeds: list[int]) -> Subsets:
    """State for draws of `size` attributes; `tree_seeds` has the seed of each tree."""
    generators = [java_random.java_random(seed) for seed in tree_seeds]
    return Subsets(
        size,
        from_remaining,
        random=np.array(generators, dtype=np.int64).reshape(-1, java_random.STATE_SIZE),
        remaining=np.zeros(attributes, dtype=np.int64),
        is_drawn=np.zeros(attributes, dtype=np.bool_),
    )


def make_tree_seeds(trees: int, seed: int, *, own_draws: bool) -> list[int]:
    """Seeds of trees, which depend on `seed` if `own_draws`; otherwise 1 for all, as in MOA."""
    if not own_draws:
        return [1] * trees
    rng = seeds.generator("attributes", seed)
    return [int(number) for number in rng.integers(2**48, size=trees)]  # seeds in Java: 48 bits


def square_root_subsets(schema: Schema, tree_seeds: list[int]) -> Subsets:
    """State for draws of ⌊√(m + 1)⌋ of m attributes; `tree_seeds` has the seed of each tree."""
    m = len(schema.n_values)
    size = min(math.isqrt(m + 1), m)
    return make(size, from_remaining=False, attributes=m, tree_seeds=tree_seeds)


#: Names of the rules for the number of attributes that leaves draw; see `subspace_size`.
SubspaceMode = Literal["percentage", "sqrt", "sqrt_inverse", "size"]


def subspace_size(attributes: int, mode: str, subspace: float) -> int:
    """Number of attributes that a leaf draws.

    Parameters
    ----------
    attributes : int
        Number of attributes.
    mode : {"percentage", "sqrt", "sqrt_inverse", "size"}
        A percentage of the m attributes, round(√m) + 1, m - (round(√m) + 1), or a fixed number.
    subspace : float
        The percentage or the fixed number.
    """
    n_sqrt = math.floor(math.sqrt(attributes) + 0.5) + 1
    size = {
        "percentage": attributes * (subspace / 100.0),
        "sqrt": n_sqrt,
        "sqrt_inverse": attributes - n_sqrt,
        "size": subspace,
    }[mode]
    return min(max(math.floor(size + 0.5), 1), attributes)


#: State if leaves observe all attributes.
ALL_ATTRIBUTES = make(size=0, from_remaining=True, attributes=0, tree_seeds=[])


@subkernel
def restart_draws(subsets: Subsets, tree: int, seed: int) -> None:
    """Restart the draws of a tree with a seed."""
    if subsets.size > 0:
        java_random.reseed(subsets.random[tree], seed)


@subkernel
def copy_draws(subsets: Subsets, source: int, target: int) -> None:
    """Copy the generator of tree `source` to tree `target`."""
    if subsets.size > 0:
        subsets.random[target, java_random.SEED] = subsets.random[source, java_random.SEED]


@subkernel
def draw_subset(subsets: Subsets, tree: int, stats: Statistics, slot: int) -> None:
    """Draw the attributes of a leaf of a tree."""
    random = subsets.random[tree]
    subsets.is_drawn[:] = False
    if subsets.from_remaining:
        _draw_from_remaining(subsets, random)
    else:
        _draw_with_rejection(subsets, random)
    class_statistics.choose_attributes(stats, slot, subsets.is_drawn)


@subkernel
def _draw_from_remaining(subsets: Subsets, random: Integers) -> None:
    remaining, n = subsets.remaining, subsets.remaining.shape[0]
    for i in range(n):
        remaining[i] = i
    for _ in range(subsets.size):
        place = java_random.next_int(random, n)
        subsets.is_drawn[remaining[place]] = True
        n -= 1
        for i in range(place, n):
            remaining[i] = remaining[i + 1]


@subkernel
def _draw_with_rejection(subsets: Subsets, random: Integers) -> None:
    attribute = 0
    for _ in range(subsets.size):
        attribute = java_random.next_int(random, subsets.is_drawn.shape[0])
        while subsets.is_drawn[attribute]:
            attribute = java_random.next_int(random, subsets.is_drawn.shape[0])
        subsets.is_drawn[attribute] = True
    subsets.is_drawn[attribute] = False
