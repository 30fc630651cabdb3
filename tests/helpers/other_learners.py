"""Learners inside others, in plain Python and of other tools, which nothing is compiled for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from helpers import foreign_models
from helpers.every_learner import CLASSIFIERS
from streameval.learners.adapters.one_by_one import CustomLearner
from streameval.learners.adapters.river import RiverLearner
from streameval.learners.adapters.sklearn import SklearnLearner
from streameval.learners.bayes.ddm import DDMRandom
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.knn import KNN
from streameval.learners.learner import Learner
from streameval.learners.predictions import Predictions
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.learners.wrappers.prediction_augmented import PredictionAugmented
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.tape import LEARN, PREDICT, Tape


@dataclass(frozen=True)
class Foreign(Learner):
    """A learner in plain Python, which looks at the rows of a stream one by one."""

    name: ClassVar[str] = "foreign"
    reference: ClassVar[str] = "none"

    def run(self, stream, tape, seed=1, *, scores=False, progress=None):
        """Answer the class of the nearest instance in the first input; score by nearness."""
        predicted, shares, learnt = [], [], {}
        for row, op, weight in zip(tape.row, tape.op, tape.weight, strict=True):
            x = np.nan_to_num(stream.X[row, 0])
            if op & PREDICT:
                near = np.full(stream.n_classes, 1e-9)
                for value, label in learnt.items():
                    near[label] = max(near[label], 1 / (1 + abs(value - x)))
                predicted.append(near.argmax())
                shares.append(near / near.sum())
            if op & LEARN and weight > 0:
                learnt[x] = stream.y[row]
            if progress is not None:
                progress(1)
        return Predictions(
            tape.predict_rows,
            np.array(predicted, np.int16),
            stream.n_classes,
            np.array(shares, np.float32).reshape(-1, stream.n_classes) if scores else None,
            size={"instances": len(learnt)},
        )


WRAPPED = [
    TemporallyAugmented(HoeffdingTree(20, 0.5, 0.5), 2, 1),
    TemporallyAugmented(Foreign(), start="first_class"),
    TemporalCorrection(NaiveBayes(), 0.1),
    TemporalCorrection(Foreign(), 0.1, 2),
    TemporalCorrection(TemporallyAugmented(NaiveBayes()), 0.1),
    TemporallyAugmented(
        TemporalCorrection(
            next(learner for learner in CLASSIFIERS if isinstance(learner, DDMRandom)), 0.1
        )
    ),
    PredictionAugmented(NaiveBayes()),
    PredictionAugmented(KNN(3, 20), older=True),
    TemporalCorrection(PredictionAugmented(NaiveBayes()), 0.1),
]

TREE = {"river.tree.HoeffdingTreeClassifier": {"grace_period": 20, "delta": 0.5, "tau": 0.5}}
#: Models of other tools, by the sort of each.
MODELS = {
    "plain": CustomLearner(foreign_models.Frequencies),
    "river": RiverLearner(TREE),
    "river_forest": RiverLearner(
        {"river.ensemble.BaggingClassifier": {"model": TREE, "n_models": 2}}
    ),
    # Learns counts: exactly the same from a block as from its instances one by one.
    "sklearn": SklearnLearner("sklearn.naive_bayes.BernoulliNB"),
    "sklearn_shuffled": SklearnLearner(
        {"sklearn.linear_model.SGDClassifier": {"loss": "log_loss"}}
    ),
}


def medley(n: int, events: int, seed: int) -> Tape:
    """A tape of all kinds of events, with weights 0, 1 and 2."""
    rng = np.random.default_rng(seed)
    return Tape(
        rng.integers(0, n, events), rng.choice([1, 2, 3], events), rng.integers(0, 3, events)
    )
