"""Error rates of tests over streams: how often learners that are equal are said to differ.

``python validation/calibration/over_streams.py FOLDER`` simulates all cells, and how well the
number of streams that are needed is known, and writes ``over_streams.csv`` and
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

#: A cell: how differences are drawn, the number of streams and of learners, what is decided, the
#: studies, and in which proportion of them the decision is false, with its exact 95 % interval.
COLUMNS = ("law", "streams", "learners", "decision", "studies", "false", "low", "high")
#: Streams at hand, studies, the number of streams needed by very many, and the ratio to it.
RATIOS = ("streams", "studies", "needed", "low", "middle", "high")
RATIO_STUDIES = 300
#: Studies of a cell, and of one of the Bayesian test, whose weights are drawn so often.
STUDIES, BAYESIAN_STUDIES, WEIGHTS = 4000, 1000, 2000
STREAMS = (6, 8, 10, 15, 30)
#: Other learners of a study with a control, which Holm's correction is for, and the studies.
OTHERS = {6: STUDIES, 39: STUDIES // 4}
LEARNERS = (3, 10, 40)
#: Half of the rope; differences have a standard deviation of 1 unless a law says otherwise.
ROPE = 1.0
#: Probability from which on the Bayesian test decides.
SURE = 0.95

Draw = Callable[[np.random.Generator, tuple[int, ...]], Floats]


def _tied(draws: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    rounded: Floats = np.round(draws.standard_normal(shape))
    return rounded


def _generators(draws: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Scores on pairs of streams, each pair from one generator: correlation 0.5 within a pair."""
    shared = draws.standard_normal((*shape[:-1], -(-shape[-1] // 2)))
    both: Floats = np.repeat(shared, 2, axis=-1)[..., : shape[-1]] + draws.standard_normal(shape)
    return both


#: Scores, or differences, of equal learners, shape (..., streams).
LAWS: dict[str, Draw] = {
    "normal": lambda draws, shape: draws.standard_normal(shape),
    "heavy tails": lambda draws, shape: draws.standard_t(2, shape),
    "ties": _tied,
    "skewed": lambda draws, shape: draws.exponential(1.0, shape) - np.log(2.0),
    "two streams of each generator": _generators,
}
#: Differences of learners at the end of the rope, in standard deviations of the rope.
EDGES = {"end of the rope, alike": 0.2, "end of the rope": 0.5}
SPREADS = {"equal, spread within the rope": 0.5, "equal, spread beyond the rope": 5.0}


def row(law: str, streams: int, learners: int, decision: str, false: Any) -> dict[str, Any]:
    """The row of a cell from whether each study is false."""
    flags = np.asarray(false, dtype=bool)
    rate = proportion_interval(int(flags.sum()), flags.size)
    cell = (law, streams, learners, decision, flags.size, *rate)
    return dict(zip(COLUMNS, cell, strict=True))


def pair_rates(law: str, streams: int) -> Iterator[dict[str, Any]]:
    """Yield the cells of two learners, and of a control and several others."""
    draws = generator("over streams", law, streams)
    differences = LAWS[law](draws, (STUDIES, streams))
    for name in ("streams_wilcoxon", "streams_sign"):
        yield row(law, streams, 2, name, TESTS[name](differences).p_value <= LEVEL)
    ends = hodges_lehmann(differences)
    yield row(law, streams, 2, "interval", (ends.low > 0) | (ends.high < 0))
    # Scores: each other learner is compared with the same control.
    for others, studies in OTHERS.items():
        scores = LAWS[law](draws, (studies, others + 1, streams))
        against = scores[:, :1] - scores[:, 1:]
        p_values = TESTS["streams_wilcoxon"](against).p_value
        adjusted = np.array([holm(study) for study in p_values])
        yield row(law, streams, others + 1, "holm", (adjusted <= LEVEL).any(axis=1))
        ends = hodges_lehmann(against, 1.0 - LEVEL / others)
        missed = ((ends.low > 0) | (ends.high < 0)).any(axis=1)
        yield row(law, streams, others + 1, "interval", missed)


def rank_test_rates(law: str, streams: int, learners: int) -> Iterator[dict[str, Any]]:
    """Yield the cells of Friedman's and Nemenyi's tests."""
    draws = generator("mean ranks", law, streams, learners)
    gap = nemenyi_critical_difference(learners, streams)
    by_friedman, by_nemenyi = [], []
    for _ in range(STUDIES // 2):
        result = TESTS["friedman"](LAWS[law](draws, (learners, streams)).T)
        by_friedman.append(result.p_value <= LEVEL)
        by_nemenyi.append(np.ptp(result.details["mean_ranks"]) >= gap * (1 - 1e-12))
    yield row(law, streams, learners, "friedman", by_friedman)
    yield row(law, streams, learners, "nemenyi", by_nemenyi)


def bayesian(law: str, streams: int) -> Iterator[dict[str, Any]]:
    """Yield the cells of the Bayesian test: better, and practically equal, where neither is so."""
    draws = generator("bayesian over streams", law, streams)
    edge, spread = law in EDGES, {**EDGES, **SPREADS}[law]
    differences = ROPE * (edge + spread * draws.standard_normal((BAYESIAN_STUDIES, streams)))
    weights = draws.dirichlet([PRIOR_WEIGHT, *[1.0] * streams], WEIGHTS)
    sure = np.zeros((BAYESIAN_STUDIES, 3), bool)
    for study, values in enumerate(differences):
        largest = region_probabilities(weights, [0.0, *values], ROPE).argmax(axis=1)
        sure[study] = np.bincount(largest, minlength=3) >= SURE * WEIGHTS
    yield row(law, streams, 2, "better", sure[:, 0] | sure[:, 2])
    if edge:
        yield row(law, streams, 2, "practically equal", sure[:, 1])


def calibration_cells() -> Iterator[dict[str, Any]]:
    """Yield all cells."""
    for law in LAWS:
        for streams in STREAMS:
            yield from pair_rates(law, streams)
    for law in ("normal", "ties", "two streams of each generator"):
        for streams in (3, 5, 10, 30):
            for learners in LEARNERS:
                yield from rank_test_rates(law, streams, learners)
    for law in (*EDGES, *SPREADS):
        for streams in (6, 8, 12, 20):
            yield from bayesian(law, streams)


def ratios(streams: int) -> dict[str, Any]:
    """Ratio of the number of streams needed to its value with very many streams at hand.

    Differences are normal, the difference to see is 0.6 of their standard deviation. `low` and
    `high` are the ratios below and above which 5 % of the studies are.
    """
    draws, shift = generator("streams needed", streams), 0.6
    many = streams_needed(LAWS["normal"](generator("streams needed", 0), (10_000,)), shift)
    few = [
        streams_needed(LAWS["normal"](draws, (streams,)), shift) / many
        for _ in range(RATIO_STUDIES)
    ]
    low, middle, high = np.quantile(few, [0.05, 0.5, 0.95]).tolist()
    return dict(zip(RATIOS, (streams, RATIO_STUDIES, many, low, middle, high), strict=True))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    pd.DataFrame(calibration_cells(), columns=[*COLUMNS]).to_csv(
        folder / "over_streams.csv", index=False
    )
    known = map(ratios, (5, *STREAMS))
    pd.DataFrame(known, columns=[*RATIOS]).to_csv(folder / "streams_needed.csv", index=False)
