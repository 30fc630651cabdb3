"""Error detectors and alternate branches of the nodes of an adaptive tree."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Integers
from streameval.compiled import java_random
from streameval.compiled.kernels import inlined, subkernel
from streameval.detectors.adwin import CLOCK
from streameval.detectors.binary_adwin import (
    BinaryAdwinState,
    binary_check,
    binary_copy,
    binary_mean,
    binary_push,
    binary_start,
    binary_window,
)
from streameval.learners.trees import tree
from streameval.learners.trees.tree import NODES, NONE, Pool

#: ADWIN's confidence parameter.
DELTA = 0.002
#: A node and its alternate are compared when both windows are longer than this.
SHORTEST_COMPARISON = 300
#: Confidence parameter of that comparison.
COMPARISON_DELTA = 0.05
#: In MOA each node has a random generator; all generators start with this seed.
SEED = 1
# Entries of `Adaptation.counts`.
ALTERNATES = 0  # number of alternates that were started
REPLACEMENTS = 1  # number of alternates that replaced a branch
SWITCHES = 2  # number of these that were single leaves with a clearly lower error rate
PRUNINGS = 3  # number of alternates that were discarded for a clearly higher error rate


class Adaptation(NamedTuple):
    """Errors, alternates and random generators of `a` nodes, in addition to the pool's fields."""

    parent: Codes  # (a,) parent of a node; NONE for the root
    alternate: Codes  # (a,) leaf that may replace a split node, or NONE
    random: Integers  # (a, 3) generator of the Poisson weights with which a leaf learns
    errors: BinaryAdwinState  # ADWINs of the a nodes: errors of the tree below each node
    worklist: Codes  # (a,) scratch: nodes for further work after `count_errors`, deepest first
    counts: Integers  # (4,) see `ALTERNATES`
    seeds: Integers  # (3,) generator that draws the seeds of `random`
    own_draws: bool  # whether each leaf draws its seed from `seeds`; otherwise all have SEED


def make(nodes: int, seed: int, own_draws: bool) -> Adaptation:
    """State of an empty tree, with room for `nodes`."""
    return Adaptation(
        parent=np.full(nodes, NONE, dtype=np.int32),
        alternate=np.full(nodes, NONE, dtype=np.int32),
        random=np.zeros((nodes, java_random.STATE_SIZE), dtype=np.int64),
        errors=binary_start(nodes),
        worklist=np.zeros(nodes, dtype=np.int32),
        counts=np.zeros(4, dtype=np.int64),
        seeds=java_random.java_random(seed),
        own_draws=own_draws,
    )


def node_fields(adaptation: Adaptation) -> tuple[NDArray[Any], ...]:
    """Fields with one entry per node, except scratch."""
    errors = adaptation.errors[:4]  # the rest is scratch of ADWIN
    return (adaptation.parent, adaptation.alternate, adaptation.random, *errors)


def repack(adaptation: Adaptation, nodes: Integers, room: int) -> Adaptation:
    """Copy the state of n nodes, numbered 0 .. n - 1 in the copy, which has room for `room` nodes.

    `nodes` is in ascending order.
    """
    new, n = make(room, seed=0, own_draws=adaptation.own_draws), len(nodes)
    for field, source in zip(node_fields(new), node_fields(adaptation), strict=True):
        field[:n] = source[nodes]
    for field in (new.parent[:n], new.alternate[:n]):
        field[:] = np.where(field == NONE, NONE, np.searchsorted(nodes, field))
    return new._replace(counts=adaptation.counts, seeds=adaptation.seeds)


@subkernel
def start_draws(adaptation: Adaptation, leaf: int) -> None:
    """Start the generator of the Poisson weights with which a leaf learns."""
    seed = java_random.next_bits(adaptation.seeds, 32) if adaptation.own_draws else SEED
    java_random.reseed(adaptation.random[leaf], seed)


@inlined
def count_errors(adaptation: Adaptation, last: int, is_wrong: bool) -> int:
    """Add a right or wrong prediction to the detectors of the nodes from `last` up to the root.

    Return the number of nodes that need further work, because a check for a cut is due or they have
    alternates. These nodes are written to ``adaptation.worklist``.
    """
    node, n_listed = last, 0
    while node != NONE:
        i: Any = np.uint64(node)
        adaptation.worklist[np.uint64(n_listed)] = node  # overwritten unless counted below
        is_check_due = binary_push(adaptation.errors, i, is_wrong)
        n_listed += is_check_due or adaptation.alternate[i] != NONE
        node = adaptation.parent[i]
    return n_listed


@inlined
def has_more_errors(adaptation: Adaptation, node: int) -> bool:
    """Check a detector for a cut; return True if errors have become more frequent.

    As in ADWIN, a window is checked only after every CLOCK inputs.
    """
    if adaptation.errors.unread[node] >> CLOCK == 0:
        return False
    is_cut, mean_before = binary_check(adaptation.errors, node, DELTA)
    return is_cut and mean_before <= binary_mean(adaptation.errors, node)


@subkernel
def make_alternate(pool: Pool, adaptation: Adaptation, node: int) -> None:
    """Give a split node an empty leaf as its alternate."""
    adaptation.alternate[node] = tree.new_leaf(pool, pool.depth[node])
    adaptation.counts[ALTERNATES] += 1


@inlined
def compare_with_alternate(adaptation: Adaptation, node: int) -> bool:
    """True if the alternate of a node is clearly better; a clearly worse alternate is pruned."""
    alternate: Any = np.int64(adaptation.alternate[node])
    if alternate == NONE:
        return False
    lead = _clear_lead(adaptation.errors, alternate, node)
    if lead > 0:
        adaptation.counts[SWITCHES] += 1
    elif lead < 0:
        adaptation.alternate[node] = NONE
        adaptation.counts[PRUNINGS] += 1
    return lead > 0


@inlined
def _clear_lead(errors: BinaryAdwinState, alternate: int, node: int) -> int:
    """1 if the alternate is clearly better than the node, -1 if clearly worse, otherwise 0."""
    n, n_wrong = binary_window(errors, node)
    alternate_n, alternate_n_wrong = binary_window(errors, alternate)
    if min(n, alternate_n) <= SHORTEST_COMPARISON:
        return 0
    error, alternate_error = n_wrong / n, alternate_n_wrong / alternate_n
    # MOA's bound on the difference of two error rates.
    inverse_size = 1.0 / alternate_n + 1.0 / n
    variance = error * (1.0 - error)
    bound = math.sqrt(2.0 * variance * math.log(2.0 / COMPARISON_DELTA) * inverse_size)
    if bound < error - alternate_error:
        return 1
    return -1 if bound < alternate_error - error else 0


@subkernel
def replace_by_alternate(pool: Pool, adaptation: Adaptation, node: int) -> None:
    """Replace a node by its alternate, which gets the node's number."""
    alternate: Any = np.int64(adaptation.alternate[node])
    tree.copy_node(pool, alternate, node)
    binary_copy(adaptation.errors, alternate, node)
    # Poisson draws store no Gaussian, so the seed is the whole state of the generator.
    adaptation.random[node, java_random.SEED] = adaptation.random[alternate, java_random.SEED]
    adaptation.alternate[node] = NONE
    adaptation.counts[REPLACEMENTS] += 1


@subkernel
def set_parent(pool: Pool, adaptation: Adaptation, parent: int, first: int) -> None:
    """Set the parent of the new nodes, which have the numbers from `first` on."""
    for child in range(first, pool.counters[NODES]):
        adaptation.parent[child] = parent
