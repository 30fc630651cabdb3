"""Accuracy under false alarms of drift (Žliobaitė et al. 2015, Section 6.9, Figure 7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from streameval.evaluation.folds import SEEDS
from streameval.items.dependence.settings import FALSE_ALARMS, FalseAlarmsSettings
from streameval.items.inputs import StreamInput, silent
from streameval.learners.baselines import NoChange
from streameval.learners.bayes.ddm import DDMNaiveBayes, DDMRandom
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.learner import Learner
from streameval.protocols.prequential import prequential
from streameval.seeds import generator
from streameval.streams.stream import Stream
from streameval.streams.variants import variant

#: The orders of a stream over which learners run; but for the first one, each seed makes its own.
ORDERS = ("original", "temporal", "shuffled")


def study(given: StreamInput[FalseAlarmsSettings]) -> dict[str, pd.DataFrame]:
    """Return the frame of a figure: ``false_alarms``; see `false_alarm_study`."""
    probabilities, seeds = given.settings.probabilities, given.settings.seeds
    return {
        "false_alarms": false_alarm_study(
            given.labelled_stream, probabilities, seeds, given.announce
        )
    }


def false_alarm_study(
    stream: Stream,
    probabilities: Sequence[float],
    seeds: Sequence[int],
    announce: Callable[[str], object] = silent,
) -> pd.DataFrame:
    """Return the accuracy of Naive Bayes with random restarts.

    Parameters
    ----------
    stream : Stream
        The stream; every instance is predicted, then learnt.
    probabilities : sequence of float
        Of an alarm at a step, once the warm-up since the last one is over.
    seeds : sequence of int
        Each gives alarms of its own, and a permutation of its own.
    announce : callable, optional
        Called with a text whenever an order is finished.

    Returns
    -------
    pandas.DataFrame
        Columns variant (of `ORDERS`), seed, learner (no_change, naive_bayes, ddm_nb, ddm_random),
        probability (NaN but for ddm_random), accuracy. The three that draw nothing run
        once for each order of the instances.
    """
    tape = prequential(len(stream))
    fixed: dict[str, Learner] = {
        "no_change": NoChange(),
        "naive_bayes": NaiveBayes(),
        "ddm_nb": DDMNaiveBayes(),
    }
    rows: list[tuple[str, int, str, float, float]] = []
    for order in ORDERS:
        for seed in seeds:
            is_original = order == "original"
            played = stream if is_original else variant(stream, f"{order}:{seed}")
            plain = fixed if not is_original or seed == seeds[0] else {}
            rows += [
                (order, seed, name, np.nan, _accuracy(played, learner.play(played, tape).label))
                for name, learner in plain.items()
            ]
            for probability in probabilities:
                alarms = int(
                    generator("false alarms", stream.name, order, seed, repr(probability)).integers(
                        SEEDS
                    )
                )
                found = DDMRandom(alarm_probability=probability).play(played, tape, alarms)
                rows.append(
                    (order, seed, "ddm_random", probability, _accuracy(played, found.label))
                )
            announce(f"{order}, seed {seed}")
    return pd.DataFrame(rows, columns=list(FALSE_ALARMS))


def _accuracy(stream: Stream, labels: np.ndarray) -> float:
    return float(np.mean(labels == stream.y))
