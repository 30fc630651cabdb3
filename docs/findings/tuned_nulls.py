"""Simulate tuning on streams on which all settings of a learner are equally good."""

from __future__ import annotations

import math

import numpy as np
import scipy

from calibration.verdict_laws import SEPARATION, NearestMean
from streameval.base.seeds import generator
from streameval.evaluation.verdict_words import BEATS, LOSES_TO
from streameval.evaluation.verdicts import judge_pair
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Attribute, Schema, Stream

#: A setting of the learner is the input that it reads; the rival reads one more.
WAYS = ("rest", "prefix", "whole")


def stream_of(n, settings, dependence, *key):
    """Stream of two classes, with an input for each setting and for the rival."""
    draws = generator("tuned nulls", n, settings, str(dependence), *key)
    y = draws.integers(0, 2, n)
    kept = draws.random(n) < dependence
    kept[0] = False
    y = y[np.maximum.accumulate(np.where(kept, 0, np.arange(n)))]
    noise = draws.normal(size=(n, settings + 1))
    noise[1:] *= math.sqrt(1.0 - dependence**2)
    noise = scipy.signal.lfilter([1.0], [1.0, -dependence], noise, axis=0)
    schema = Schema(tuple(Attribute(f"x{i}") for i in range(settings + 1)), classes=("a", "b"))
    return Stream(y[:, None] * SEPARATION + noise, y.astype(np.int32), schema, name="nulls")


def right_of(stream):
    """Whether predictions of each setting, and last of the rival, are correct, (n, k + 1)."""
    tape = prequential(len(stream))
    learners = [NearestMean(i) for i in range(stream.schema.n_attributes)]
    return np.column_stack([learner.run(stream, tape).label == stream.y for learner in learners])


def verdicts_of(right, prefix):
    """Whether the verdict is for the best setting or its rival, by the way of judging.

    The best setting of the prefix is judged on the rest, or on the prefix itself; or the best one
    of the whole stream on the whole stream.
    """
    parts = {
        "rest": (slice(prefix), slice(prefix, None)),
        "prefix": (slice(prefix), slice(prefix)),
        "whole": (slice(None), slice(None)),
    }
    is_false = {}
    for way, (chooses, judges) in parts.items():
        best = int(right[chooses, :-1].mean(axis=0).argmax())
        gap = right[judges, best].astype(float) - right[judges, -1]
        is_false[way] = judge_pair(("first", "second"), gap, 0.0).verdict in (BEATS, LOSES_TO)
    return is_false


def rates(n, settings, dependence, streams, prefix=0.2):
    """Proportion of streams with a false verdict, by the way of judging."""
    verdicts = [
        verdicts_of(right_of(stream_of(n, settings, dependence, seed)), int(prefix * n))
        for seed in range(100, 100 + streams)
    ]
    return {way: float(np.mean([verdict[way] for verdict in verdicts])) for way in WAYS}
