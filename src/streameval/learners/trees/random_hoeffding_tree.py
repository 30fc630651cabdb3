"""The random Hoeffding tree: each leaf observes a random subset of the attributes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from streameval.learners.trees import subsets
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.learners.trees.subsets import Subsets
from streameval.streams.stream import Schema


@dataclass(frozen=True)
class RandomHoeffdingTree(HoeffdingTree):
    """Hoeffding tree whose leaves observe random attributes, with the predictions of MOA.

    Leaves draw their attributes when they first learn; neither Naive Bayes nor a split can use
    the others. Of `m` attributes a leaf draws ⌊√(m + 1)⌋ distinct ones and, as in MOA, never uses
    the last of them: with one or two attributes it has none. The
    parameters are those of `HoeffdingTree`; the seed of a run is that of the draws, MOA's is 1.

    References
    ----------
    Breiman (2001), Random forests; Bifet et al. (2010), MOA: Massive Online Analysis.
    """

    name: ClassVar[str] = "random_hoeffding_tree"
    reference: ClassVar[str] = "Breiman (2001); Bifet et al. (2010)"

    def _subsets(self, schema: Schema, seed: int) -> Subsets:
        return root_subsets(schema, [seed])


def root_subsets(schema: Schema, seeds: list[int]) -> Subsets:
    """Return subsets of about the square root of the attributes for trees with these seeds."""
    attributes = len(schema.n_values)
    drawn = min(math.isqrt(attributes + 1), attributes)
    return subsets.make(drawn, False, attributes, seeds)
