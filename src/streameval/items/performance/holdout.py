"""Estimates of accuracy against a hold-out of the current concept (Bifet et al. 2015, Figure 4).

Fresh instances, which are not learnt, are appended to the stream, and predicted at certain times.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.errors import named_in_errors
from streameval.base.seeds import generator
from streameval.items.inputs import StreamInput
from streameval.items.performance import HOLD_OUT, HoldoutSettings, following
from streameval.learners.learner import Classifier
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import add_tests
from streameval.streams.making import synthesise
from streameval.streams.registry import GeneratorSpec
from streameval.streams.stream import Stream


class Tested(NamedTuple):
    """Correctness of the predictions of a learner."""

    correct: Flags  # (n,) of the stream's instances, each predicted before it is learnt
    held_out: Flags  # (q, s) of the fresh instances of each test


def study(stream_input: StreamInput[HoldoutSettings]) -> dict[str, pd.DataFrame]:
    """The estimates of each learner's accuracy, that on fresh instances, and distances.

    Distances are over all tests from which on all windows are full.
    """
    settings = stream_input.settings
    spec = replace(stream_input.generator, rows=settings.instances or stream_input.generator.rows)
    n = spec.rows or 0
    following.require_full(settings.windows, n, stream_input.name)
    times = times_of_tests(n, settings.tests)
    stream = synthesise(spec)
    fresh = fresh_sample(spec, times, settings.fresh, settings.seed)
    parts: list[tuple[pd.DataFrame, ...]] = []
    for name, learner in stream_input.learners().items():
        tested = run_with_tests(learner, stream, fresh, times, settings.seed)
        parts.append(compared(name, tested, times, settings.windows))
        stream_input.announce(f"{name}: {settings.tests} tests of {settings.fresh} fresh instances")
    frames = (pd.concat(part, ignore_index=True) for part in zip(*parts, strict=True))
    return dict(zip(("following", "distances", "closer"), frames, strict=True))


def times_of_tests(n: int, tests: int) -> Integers:
    """Numbers of instances before each test, evenly spaced up to `n`."""
    return np.unique(n * np.arange(1, tests + 1) // tests)


def run_with_tests(
    learner: Classifier, stream: Stream, fresh: Stream, times: Integers, seed: int = 1
) -> Tested:
    """Run a learner over a stream and test it in between on fresh instances, which are not learnt.

    `fresh` are q * s instances, s for each test, which come after `times` instances of the stream.
    """
    both = replace(
        stream,
        X=np.concatenate((stream.X, fresh.X)),
        y=np.concatenate((stream.y, fresh.y)),
        _digest=[],
    )
    rows = np.arange(len(stream), len(both)).reshape(len(times), -1)
    tape, is_test = add_tests(prequential(len(stream)), times, rows)
    correct = learner.run(both, tape, seed).label == both.y[tape.predict_rows]
    return Tested(correct[~is_test], correct[is_test].reshape(rows.shape))


def compared(
    learner: str, tested: Tested, times: Integers, windows: tuple[int, ...]
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """The frames ``following``, ``distances`` and ``closer`` of a learner.

    The column ``floor`` of the distances is the `noise_floor` over the tests that count.
    """
    accuracies = following.running_accuracies(tested.correct, windows)
    at_tests = {name: values[times - 1] for name, values in accuracies.items()}
    truth = tested.held_out.mean(axis=1)
    points = following.curves(learner, {HOLD_OUT: truth, **at_tests}, times)
    counted = times >= max(windows)
    late = {name: values[counted] for name, values in at_tests.items()}
    n = len(tested.correct)
    distances, closer = following.distances(learner, late, truth[counted], n)
    floor = noise_floor(truth[counted], tested.held_out.shape[1])
    return points, distances.assign(tests=int(counted.sum()), floor=floor), closer


def noise_floor(accuracies: Floats, size: int) -> float:
    """The mean distance of accuracies over `size` independent instances to the true ones.

    The variance is estimated without bias by h (1 - h) / (size - 1); the mean absolute deviation of
    a normal variable is its standard deviation times the root of 2 / pi.
    """
    errors = np.sqrt(accuracies * (1 - accuracies) / (size - 1))
    return float(np.sqrt(2 / np.pi) * errors.mean())


def fresh_sample(spec: GeneratorSpec, times: Integers, size: int, seed: int) -> Stream:
    """New instances of the concepts of a stream at given times, rows of it in order.

    One of time t is drawn like row t, by draws of its own, in a transition from the new concept
    with its probability at t. Rows ``i * size`` to ``(i + 1) * size`` are of ``times[i]``. The
    concept is moved once along the stream, so one call with many times is faster.
    """
    fresh_seed = int(generator("fresh", spec.id, seed).integers(2**63))
    source = spec.make()
    with named_in_errors(f"Stream {spec.id!r}"):
        source.stream(1)  # also refuses wrong parameters that the sample does not use
        stream = source.fresh(spec.rows or 0, np.repeat(times, size), fresh_seed)
    return replace(stream, name=f"{spec.id}:fresh:{seed}", source=spec.title, _digest=[])
