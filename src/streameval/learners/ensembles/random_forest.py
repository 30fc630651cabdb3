"""An online random forest: online bagging of random Hoeffding trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streameval.learners.ensembles.bagging import OnlineBagging
from streameval.learners.trees.random_hoeffding_tree import root_subsets
from streameval.learners.trees.subsets import Subsets, seeds_of
from streameval.streams.stream import Schema


@dataclass(frozen=True)
class RandomForest(OnlineBagging):
    """Online bagging of random Hoeffding trees, with the predictions of MOA's OzaBag of them.

    The parameters are those of `OnlineBagging` and `HoeffdingTree`; see `RandomHoeffdingTree`
    for the attributes that leaves observe.

    Parameters
    ----------
    own_draws : bool
        Each tree draws its attributes with a seed of its own, derived from that of the run. In
        MOA all start from seed 1: the roots observe the same attributes, and trees differ only
        by the weights of the instances.

    References
    ----------
    Breiman (2001), Random forests; Oza and Russell (2001), Online bagging and boosting.
    """

    own_draws: bool = False

    name: ClassVar[str] = "random_forest"
    reference: ClassVar[str] = "Breiman (2001); Oza and Russell (2001)"

    def _subsets(self, schema: Schema, seed: int) -> Subsets:
        return root_subsets(schema, seeds_of(self.members, self.own_draws, seed))
