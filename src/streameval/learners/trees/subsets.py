"""Random attribute subsets of leaves, drawn when a leaf first learns.

MOA has two methods. The first rejects attributes that were drawn before, and its trees never use
the last attribute drawn. The second draws from the remaining attributes.
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

    size: int  # attributes to draw for a leaf; 0 if leaves observe all and draw nothing
    from_rest: bool  # MOA's second method; otherwise the first, see the module
    random: Integers  # (t, 3) the generator of each tree, see `java_random`
    left: Integers  # (m,) scratch: attributes not drawn yet
    wanted: Flags  # (m,) scratch: attributes to observe

    @property
    def observed(self) -> int | None:
        """Number of attributes that a leaf observes; None for all."""
        if self.size == 0:
            return None
        return self.size if self.from_rest else self.size - 1


def make(size: int, from_rest: bool, attributes: int, keys: list[int]) -> Subsets:
    """State for draws of `size` attributes; `keys` has the seed of each tree."""
    return Subsets(
        size,
        from_rest,
        np.array([java_random.java_random(key) for key in keys], dtype=np.int64).reshape(
            -1, java_random.STATE_SIZE
        ),
        np.zeros(attributes, dtype=np.int64),
        np.zeros(attributes, dtype=np.bool_),
    )


def seeds_of(trees: int, differ: bool, seed: int) -> list[int]:
    """Seeds of trees: 1 for all, as in MOA, or different seeds if they shall `differ`."""
    if not differ:
        return [1] * trees
    return [int(key) for key in seeds.generator("attributes", seed).integers(2**48, size=trees)]


def root_subsets(schema: Schema, seeds: list[int]) -> Subsets:
    """Subsets of about √m of m attributes; `seeds` has the seed of each tree."""
    attributes = len(schema.n_values)
    size = min(math.isqrt(attributes + 1), attributes)
    return make(size, False, attributes, seeds)


#: How the number of attributes that leaves draw is specified.
SubspaceMode = Literal["percentage", "sqrt", "sqrt_inverse", "size"]


def subspace_size(attributes: int, mode: str, subspace: float) -> int:
    """Number of attributes that a leaf draws.

    Parameters
    ----------
    attributes : int
        Number of attributes.
    mode : {"percentage", "sqrt", "sqrt_inverse", "size"}
        A percentage of the attributes, round(√m) + 1, m less that number, or a fixed number.
    subspace : float
        The percentage or the number.
    """
    root = math.sqrt(attributes)
    size = {
        "percentage": attributes * (subspace / 100.0),
        "sqrt": math.floor(root + 0.5) + 1.0,
        "sqrt_inverse": attributes - math.floor(root + 1.5),
        "size": subspace,
    }[mode]
    return min(max(math.floor(size + 0.5), 1), attributes)


#: Leaves observe all attributes.
ALL = make(0, True, 0, [])


@subkernel
def restart_draws(subsets: Subsets, tree: int, key: int) -> None:
    """Restart the draws of a tree with this seed."""
    if subsets.size > 0:
        java_random.reseed(subsets.random[tree], key)


@subkernel
def copy_draws(subsets: Subsets, source: int, target: int) -> None:
    """Copy the generator of tree `source` to tree `target`."""
    if subsets.size > 0:
        subsets.random[target, java_random.SEED] = subsets.random[source, java_random.SEED]


@subkernel
def draw_subset(subsets: Subsets, tree: int, stats: Statistics, slot: int) -> None:
    """Draw the attributes of a leaf of a tree."""
    random = subsets.random[tree]
    subsets.wanted[:] = False
    if subsets.from_rest:
        _draw_from_rest(subsets, random)
    else:
        _draw_with_rejection(subsets, random)
    class_statistics.choose(stats, slot, subsets.wanted)


@subkernel
def _draw_from_rest(subsets: Subsets, random: Integers) -> None:
    left, n = subsets.left, subsets.left.shape[0]
    for i in range(n):
        left[i] = i
    for _ in range(subsets.size):
        place = java_random.next_int(random, n)
        subsets.wanted[left[place]] = True
        n -= 1
        for i in range(place, n):
            left[i] = left[i + 1]


@subkernel
def _draw_with_rejection(subsets: Subsets, random: Integers) -> None:
    attribute = 0
    for _ in range(subsets.size):
        attribute = java_random.next_int(random, subsets.wanted.shape[0])
        while subsets.wanted[attribute]:
            attribute = java_random.next_int(random, subsets.wanted.shape[0])
        subsets.wanted[attribute] = True
    subsets.wanted[attribute] = False
