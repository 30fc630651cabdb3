"""Accuracy under false alarms of drift (Žliobaitė et al. 2015, Section 6.9, Figure 7)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streameval.base.seeds import generator
from streameval.evaluation.folds import RANDOM_SEED_LIMIT
from streameval.items.dependence import FALSE_ALARMS, STREAM_ORDERS, FalseAlarmsSettings
from streameval.items.inputs import StreamInput
from streameval.learners.baselines import NoChange
from streameval.learners.bayes.ddm import DDMNaiveBayes, DDMRandom
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.learner import Classifier
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Stream
from streameval.streams.variants import variant


def study(stream_input: StreamInput[FalseAlarmsSettings]) -> dict[str, pd.DataFrame]:
    """The accuracy of Naive Bayes with random resets.

    The column `probability` is the probability of an alarm at an instance. Alarms have a smallest
    distance: see `DDMRandom`.
    """
    stream, seeds = stream_input.labelled_stream, stream_input.settings.seeds
    tape = prequential(len(stream))
    learners_without_alarms: dict[str, Classifier] = {
        "no_change": NoChange(),
        "naive_bayes": NaiveBayes(),
        "ddm_nb": DDMNaiveBayes(),
    }
    rows: list[tuple[str, int, str, float, float]] = []
    for order in STREAM_ORDERS:
        for seed in seeds:
            is_original = order == "original"
            ordered = stream if is_original else variant(stream, f"{order}:{seed}")
            # Learners without random alarms run only once over the original order.
            repeats_run = is_original and seed != seeds[0]
            rows += [
                (order, seed, name, np.nan, _accuracy(ordered, learner.run(ordered, tape).label))
                for name, learner in ({} if repeats_run else learners_without_alarms).items()
            ]
            for probability in stream_input.settings.probabilities:
                rng = generator("false alarms", stream.name, order, seed, repr(probability))
                learner = DDMRandom(alarm_probability=probability)
                labels = learner.run(ordered, tape, int(rng.integers(RANDOM_SEED_LIMIT))).label
                rows.append((order, seed, "ddm_random", probability, _accuracy(ordered, labels)))
            stream_input.announce(f"{order}, seed {seed}")
    return {"false_alarms": pd.DataFrame(rows, columns=list(FALSE_ALARMS))}


def _accuracy(stream: Stream, labels: np.ndarray) -> float:
    return float(np.mean(labels == stream.y))
