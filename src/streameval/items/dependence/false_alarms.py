"""Accuracy under false alarms of drift (Žliobaitė et al. 2015, Section 6.9, Figure 7)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streameval.base.seeds import generator
from streameval.evaluation.folds import SEEDS
from streameval.items.dependence import FALSE_ALARMS, FalseAlarmsSettings
from streameval.items.inputs import StreamInput
from streameval.learners.baselines import NoChange
from streameval.learners.bayes.ddm import DDMNaiveBayes, DDMRandom
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.learner import Classifier
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Stream
from streameval.streams.variants import variant

#: The orders of a stream over which learners run; but for the first one, each seed makes its own.
ORDERS = ("original", "temporal", "shuffled")


def study(stream_input: StreamInput[FalseAlarmsSettings]) -> dict[str, pd.DataFrame]:
    """The accuracy of Naive Bayes with random restarts.

    `probability` is that of an alarm at a step, once the warm-up since the last one is over.
    """
    stream, seeds = stream_input.labelled_stream, stream_input.settings.seeds
    tape = prequential(len(stream))
    fixed: dict[str, Classifier] = {
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
                (order, seed, name, np.nan, _accuracy(played, learner.run(played, tape).label))
                for name, learner in plain.items()
            ]
            for probability in stream_input.settings.probabilities:
                draws = generator("false alarms", stream.name, order, seed, repr(probability))
                learner = DDMRandom(alarm_probability=probability)
                labels = learner.run(played, tape, int(draws.integers(SEEDS))).label
                rows.append((order, seed, "ddm_random", probability, _accuracy(played, labels)))
            stream_input.announce(f"{order}, seed {seed}")
    return {"false_alarms": pd.DataFrame(rows, columns=list(FALSE_ALARMS))}


def _accuracy(stream: Stream, labels: np.ndarray) -> float:
    return float(np.mean(labels == stream.y))
