"""Two learners on the folds of a run: counts and series."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import fold_runs as naive

from streameval.evaluation.folds import SAME_LEARNER, SWAPPED_PREDICTIONS
from streameval.items.error_rates.type_errors_runs import (
    READINGS,
    Alternative,
    compare_folds,
    drift_parts,
    make_alternatives,
    seeds_of_models,
)
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.ensembles.bagging import RandomForest
from streameval.learners.learner import Learner
from streameval.learners.predictions import Predictions
from streameval.protocols.folds import SCHEMES, RandomAllotment
from streameval.protocols.tape import PREDICT
from streameval.streams.generators.sea import Sea


@dataclass(frozen=True)
class Guessing(Learner):
    """Predicts at random, by its seed."""

    name: ClassVar[str] = "guessing"

    def run(self, stream, tape, seed=1, *, scores=False, progress=None):
        """Random labels."""
        rows = tape.row[tape.op & PREDICT > 0]
        labels = np.random.default_rng(seed).integers(2, size=len(rows)).astype(np.int16)
        return Predictions(rows, labels, 2, None, 0.0, 0)


def random_predictions(n, folds, seeds):
    """What two learners at random predict in each fold."""
    draw = lambda which, fold: np.random.default_rng(seeds(which, fold)).integers(2, size=n)  # noqa: E731
    return [[draw(which, fold) for fold in range(folds)] for which in (0, 1)]


@given(
    st.sampled_from([*SCHEMES]),
    st.integers(1, 60),
    st.integers(2, 5),
    st.integers(1, 60),
    st.integers(1, 20),
    st.integers(0, 9),
)
def test_counts_and_series_are_those_of_the_twin(scheme, n, k, end, bins, seed):
    end, bins, stream = min(end, n), min(bins, n), Sea(seed=seed).stream(n)
    folds = SCHEMES[scheme](n, k, allotment=RandomAllotment(("t", seed)))
    seeds = seeds_of_models(("t", seed), by_fold=True)
    lengths = sorted({end, n})
    run = compare_folds(
        stream, folds, [Guessing()] * 2, seeds, key=("t",), lengths=lengths, bins=bins
    )
    first, second = random_predictions(n, k, seeds)
    for r, reading in enumerate(READINGS):
        for place, length in enumerate(lengths):
            expected = naive.counted(folds.weight, stream.y, first, second, reading, length)
            counts = np.array([part[r, 0, place] for part in run.counts])
            assert counts.T.tolist() == [list(map(int, row)) for row in expected]
        expected = naive.binned(folds.weight, stream.y, first, second, reading, bins)
        assert run.series[r, 0] == pytest.approx(expected, abs=1e-6)
    # The readings share the events between them.
    assert run.counts.n_tested.sum(axis=0)[0, -1].tolist() == [n] * k


@pytest.mark.parametrize("scheme", [*SCHEMES])
def test_other_alternatives_change_nothing(scheme):
    stream, key = Sea().stream(400), ("alternatives", scheme)
    folds = SCHEMES[scheme](400, 4, allotment=RandomAllotment(key))
    both = (RandomForest(), NaiveBayes()), seeds_of_models(key, by_fold=True)
    about = make_alternatives([0.05, 0.5], [0.5])
    alone = compare_folds(stream, folds, *both, key=key)
    several = compare_folds(stream, folds, *both, key=key, alternatives=about)
    assert np.array_equal(several.counts.only_first[:, :1], alone.counts.only_first)
    assert np.array_equal(several.series[:, :1], alone.series)


def test_swapping_keeps_who_disagrees_and_forgets_who_is_better():
    """The second learner is much worse; after swapping, neither is."""
    n, key = 4000, ("swap",)
    stream, folds = (
        Sea().stream(n),
        SCHEMES["split_validation"](n, 2, allotment=RandomAllotment(key)),
    )
    both = (NaiveBayes(), Guessing()), seeds_of_models(key, by_fold=True)
    about = [Alternative(SAME_LEARNER), Alternative(SWAPPED_PREDICTIONS)]
    counts = compare_folds(stream, folds, *both, key=key, alternatives=about).counts
    first, second = counts.only_first[:, :, 0], counts.only_second[:, :, 0]
    assert np.array_equal((first + second)[:, 0], (first + second)[:, 1])
    assert (first[:, 0] > 2 * second[:, 0]).all()
    discordant = first[:, 1] + second[:, 1]
    assert (np.abs(first[:, 1] - discordant / 2) < 4 * np.sqrt(discordant) / 2).all()


@pytest.mark.parametrize(
    ("n", "expected"), [(3, [1, 2]), (40, [10, 20, 30]), (80, [20, 21, 40, 41, 60, 61])]
)
def test_drift_follows_the_quarters(n, expected):
    assert np.flatnonzero(drift_parts(n)).tolist() == expected


@pytest.mark.parametrize("by_fold", [True, False])
def test_seeds_differ_by_learner_and_only_own_ones_by_fold(by_fold):
    seeds = seeds_of_models(("s",), by_fold)
    seed_of = {(which, fold): seeds(which, fold) for which in (0, 1) for fold in range(5)}
    assert len(set(seed_of.values())) == (10 if by_fold else 2)
    assert seeds_of_models(("other",), by_fold)(0, 0) != seed_of[0, 0]
