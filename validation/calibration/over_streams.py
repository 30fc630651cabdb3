"""Error rates of tests over streams: how often equal learners are declared different.

``python validation/calibration/over_streams.py FOLDER`` simulates all cells and writes
``over_streams.csv``. It also simulates estimates of the number of streams needed, and writes
``streams_needed.csv``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from streameval.base.arrays import Floats
from streameval.base.seeds import generator
from streameval.evaluation.error_simulation import proportion_interval
from streameval.significance.bayesian_signed_rank import PRIOR_WEIGHT, region_probabilities
from streameval.significance.friedman import nemenyi_critical_difference
from streameval.significance.hodges_lehmann import hodges_lehmann
from streameval.significance.holm import holm
from streameval.significance.registry import TESTS
from streameval.significance.significance_test import LEVEL
from streameval.significance.streams_needed import streams_needed

#: Columns of a cell: law of the differences, numbers of streams and of learners, kind of decision,
#: number of studies, and the proportion of studies with a false decision, with its exact 95 %
#: interval.
COLUMNS = ("law", "streams", "learners", "decision", "studies", "false", "low", "high")
#: Columns of ``streams_needed.csv``, see `ratio_row`.
RATIO_COLUMNS = ("streams", "studies", "needed", "low", "middle", "high")
#: Number of studies for each ratio.
RATIO_STUDIES = 300
#: Number of studies of a cell.
STUDIES = 4000
#: Number of studies of a cell of the tests on ranks.
RANK_STUDIES = STUDIES // 2
#: Number of studies of a cell of the Bayesian test.
BAYESIAN_STUDIES = 1000
#: Number of random weights of the Bayesian test.
WEIGHTS = 2000
#: Numbers of streams of tests of pairs, of tests on ranks, and of the Bayesian test.
STREAMS = (6, 8, 10, 15, 30)
RANK_STREAMS = (3, 5, 10, 30)
BAYESIAN_STREAMS = (6, 8, 12, 20)
#: Number of studies by the number of learners that are compared with a control.
STUDIES_BY_N_OTHERS = {6: STUDIES, 39: STUDIES // 4}
#: Numbers of learners.
LEARNERS = (3, 10, 40)
#: Half width of the region of practical equivalence (rope).
ROPE = 1.0
#: The Bayesian test decides if the probability of a region is at least this.
DECISION_PROBABILITY = 0.95

Draw = Callable[[np.random.Generator, tuple[int, ...]], Floats]


def _tied(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    rounded: Floats = np.round(rng.standard_normal(shape))
    return rounded


def _paired_streams(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Scores on pairs of streams, each pair from one generator: correlation 0.5 within a pair."""
    shared = rng.standard_normal((*shape[:-1], -(-shape[-1] // 2)))
    scores: Floats = np.repeat(shared, 2, axis=-1)[..., : shape[-1]] + rng.standard_normal(shape)
    return scores


#: Scores, or differences, of equal learners, shape (..., streams).
LAWS: dict[str, Draw] = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "heavy tails": lambda rng, shape: rng.standard_t(2, shape),
    "ties": _tied,
    "skewed": lambda rng, shape: rng.exponential(1.0, shape) - np.log(2.0),  # the median is 0
    "two streams of each generator": _paired_streams,
}
#: Standard deviations of differences whose mean is at the end of the rope, in units of `ROPE`; with
#: the smaller one, streams are alike.
AT_EDGE = {"end of the rope, alike": 0.2, "end of the rope": 0.5}
#: Standard deviations of differences whose mean is 0, in units of `ROPE`.
EQUAL_SPREADS = {"equal, spread within the rope": 0.5, "equal, spread beyond the rope": 5.0}


def row(law: str, streams: int, learners: int, decision: str, is_false: Any) -> dict[str, Any]:
    """The row of a cell; `is_false` says whether the decision of each study is false."""
    flags = np.asarray(is_false, dtype=bool)
    rate = proportion_interval(int(flags.sum()), flags.size)
    cell = (law, streams, learners, decision, flags.size, *rate)
    return dict(zip(COLUMNS, cell, strict=True))


def pair_rates(law: str, streams: int) -> Iterator[dict[str, Any]]:
    """Yield the cells of two learners, and of a control against several other learners."""
    rng = generator("over streams", law, streams)
    differences = LAWS[law](rng, (STUDIES, streams))
    for name in ("streams_wilcoxon", "streams_sign"):
        yield row(law, streams, 2, name, TESTS[name](differences).p_value <= LEVEL)
    interval = hodges_lehmann(differences)
    yield row(law, streams, 2, "interval", (interval.low > 0) | (interval.high < 0))
    # Each other learner is compared with the same control.
    for others, studies in STUDIES_BY_N_OTHERS.items():
        scores = LAWS[law](rng, (studies, others + 1, streams))
        differences = scores[:, :1] - scores[:, 1:]
        p_values = TESTS["streams_wilcoxon"](differences).p_value
        adjusted = np.array([holm(study) for study in p_values])
        yield row(law, streams, others + 1, "holm", (adjusted <= LEVEL).any(axis=1))
        interval = hodges_lehmann(differences, 1.0 - LEVEL / others)
        missed = ((interval.low > 0) | (interval.high < 0)).any(axis=1)
        yield row(law, streams, others + 1, "interval", missed)


def rank_test_rates(law: str, streams: int, learners: int) -> Iterator[dict[str, Any]]:
    """Yield the cells of Friedman's and Nemenyi's tests."""
    rng = generator("mean ranks", law, streams, learners)
    critical_difference = nemenyi_critical_difference(learners, streams)
    by_friedman, by_nemenyi = [], []
    for _ in range(RANK_STUDIES):
        result = TESTS["friedman"](LAWS[law](rng, (learners, streams)).T)
        by_friedman.append(result.p_value <= LEVEL)
        range_of_ranks = np.ptp(result.details["mean_ranks"])
        by_nemenyi.append(range_of_ranks >= critical_difference * (1 - 1e-12))  # for rounding
    yield row(law, streams, learners, "friedman", by_friedman)
    yield row(law, streams, learners, "nemenyi", by_nemenyi)


def bayesian_rates(law: str, streams: int) -> Iterator[dict[str, Any]]:
    """Yield the cells of the Bayesian test: false decisions "better" and "practically equal"."""
    rng = generator("bayesian_rates over streams", law, streams)
    is_at_edge, spread = law in AT_EDGE, {**AT_EDGE, **EQUAL_SPREADS}[law]
    mean = 1.0 if is_at_edge else 0.0
    differences = ROPE * (mean + spread * rng.standard_normal((BAYESIAN_STUDIES, streams)))
    weights = rng.dirichlet([PRIOR_WEIGHT, *[1.0] * streams], WEIGHTS)
    is_decided = np.zeros((BAYESIAN_STUDIES, 3), bool)  # below, in and above the rope
    for study, values in enumerate(differences):
        # The prior is a difference of 0.
        largest = region_probabilities(weights, [0.0, *values], ROPE).argmax(axis=1)
        is_decided[study] = np.bincount(largest, minlength=3) >= DECISION_PROBABILITY * WEIGHTS
    yield row(law, streams, 2, "better", is_decided[:, 0] | is_decided[:, 2])
    if is_at_edge:
        yield row(law, streams, 2, "practically equal", is_decided[:, 1])


def calibration_cells() -> Iterator[dict[str, Any]]:
    """Yield all cells."""
    for law in LAWS:
        for streams in STREAMS:
            yield from pair_rates(law, streams)
    for law in ("normal", "ties", "two streams of each generator"):
        for streams in RANK_STREAMS:
            for learners in LEARNERS:
                yield from rank_test_rates(law, streams, learners)
    for law in (*AT_EDGE, *EQUAL_SPREADS):
        for streams in BAYESIAN_STREAMS:
            yield from bayesian_rates(law, streams)


def ratio_row(streams: int) -> dict[str, Any]:
    """Row with quantiles of the estimated number of streams needed, relative to its true value.

    An estimate is computed from `streams` streams, the true value (`needed`) from 10,000 streams.
    Differences are normal, and the difference to detect is 0.6 standard deviations. `low`,
    `middle` and `high` are the 5 %, 50 % and 95 % quantiles over studies.
    """
    rng, shift = generator("streams needed", streams), 0.6
    needed = streams_needed(LAWS["normal"](generator("streams needed", 0), (10_000,)), shift)
    estimates = [
        streams_needed(LAWS["normal"](rng, (streams,)), shift) / needed
        for _ in range(RATIO_STUDIES)
    ]
    low, middle, high = np.quantile(estimates, [0.05, 0.5, 0.95]).tolist()
    return dict(
        zip(RATIO_COLUMNS, (streams, RATIO_STUDIES, needed, low, middle, high), strict=True)
    )


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    pd.DataFrame(calibration_cells(), columns=[*COLUMNS]).to_csv(
        folder / "over_streams.csv", index=False
    )
    rows = map(ratio_row, (5, *STREAMS))
    pd.DataFrame(rows, columns=[*RATIO_COLUMNS]).to_csv(folder / "streams_needed.csv", index=False)
