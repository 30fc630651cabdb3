"""Estimates of accuracy against a hold-out of the current concept (Bifet et al. 2015, Figure 4).

The hold-out consists of fresh instances that learners predict at certain times and do not learn.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.errors import error_prefix
from streameval.base.seeds import generator
from streameval.items.inputs import StreamInput
from streameval.items.performance import HOLD_OUT, HoldoutSettings
from streameval.items.performance.reference_distances import (
    curves,
    distances,
    predictions_until_full,
    running_accuracies,
)
from streameval.learners.learner import Classifier
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import insert_test_predictions
from streameval.streams.making import synthesise
from streameval.streams.registry import GeneratorSpec
from streameval.streams.stream import Stream


class Correctness(NamedTuple):
    """Whether the predictions of a learner are correct."""

    on_stream: Flags  # (n,), for the stream's instances, each predicted before it is learnt
    held_out: Flags  # (q, s), for the s fresh instances of each of q tests


def study(stream_input: StreamInput[HoldoutSettings]) -> dict[str, pd.DataFrame]:
    """Estimates of each learner's accuracy, its accuracy on fresh instances, and the distances.

    Distances are means over the tests at which all windows are full.
    """
    settings = stream_input.settings
    spec = replace(stream_input.generator, rows=settings.instances or stream_input.generator.rows)
    n = spec.rows or 0  # never 0: generators must declare rows
    predictions_until_full(settings.windows, n, stream_input.name)
    times = times_of_tests(n, settings.tests)
    stream = synthesise(spec)
    fresh = fresh_sample(spec, times, settings.fresh, settings.seed)
    parts: list[tuple[pd.DataFrame, ...]] = []
    for name, learner in stream_input.learners().items():
        correctness = run_with_tests(learner, stream, fresh, times, settings.seed)
        parts.append(learner_frames(name, correctness, times, settings.windows))
        stream_input.announce(f"{name}: {settings.tests} tests of {settings.fresh} fresh instances")
    frames = (pd.concat(part, ignore_index=True) for part in zip(*parts, strict=True))
    return dict(zip(("following", "distances", "closer"), frames, strict=True))


def times_of_tests(n: int, n_tests: int) -> Integers:
    """The number of instances before each test: evenly spaced numbers, the last one `n`.

    There are at most as many tests as instances, and none before the first instance.
    """
    n_tests = min(n_tests, n)
    times: Integers = n * np.arange(1, n_tests + 1) // n_tests
    return times


def run_with_tests(
    learner: Classifier, stream: Stream, fresh: Stream, times: Integers, seed: int = 1
) -> Correctness:
    """Run a learner over a stream, interrupted by tests on fresh instances that it does not learn.

    Test i is after ``times[i]`` instances of the stream. `fresh` has the instances of all tests in
    order, the same number for each.
    """
    joined = replace(
        stream,
        X=np.concatenate((stream.X, fresh.X)),
        y=np.concatenate((stream.y, fresh.y)),
    )
    rows = np.arange(len(stream), len(joined)).reshape(len(times), -1)
    tape, is_test = insert_test_predictions(prequential(len(stream)), times, rows)
    correct = learner.run(joined, tape, seed).label == joined.y[tape.predict_rows]
    return Correctness(correct[~is_test], correct[is_test].reshape(rows.shape))


def learner_frames(
    learner: str, correctness: Correctness, times: Integers, windows: tuple[int, ...]
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """The frames ``following``, ``distances`` and ``closer`` of a learner.

    The column ``floor`` of the distances is the `noise_floor` over the tests with full windows.
    """
    accuracies = running_accuracies(correctness.on_stream, windows)
    at_tests = {name: values[times - 1] for name, values in accuracies.items()}
    held_out_accuracies = correctness.held_out.mean(axis=1)
    points = curves(learner, {HOLD_OUT: held_out_accuracies, **at_tests}, times)
    is_full = times >= max(windows)
    at_full_tests = {name: values[is_full] for name, values in at_tests.items()}
    reference = held_out_accuracies[is_full]
    n = len(correctness.on_stream)
    distance_frame, closer = distances(learner, at_full_tests, reference, n)
    floor = noise_floor(reference, correctness.held_out.shape[1])
    return points, distance_frame.assign(tests=int(is_full.sum()), floor=floor), closer


def noise_floor(accuracies: Floats, size: int) -> float:
    """The mean distance of accuracies over `size` independent instances to the true accuracies.

    For an accuracy h, h (1 - h) / (size - 1) is an unbiased estimate of its variance. The accuracy
    is about normal, and the mean absolute deviation of a normal variable is its standard deviation
    times the root of 2 / pi.
    """
    errors = np.sqrt(accuracies * (1 - accuracies) / (size - 1))
    return float(np.sqrt(2 / np.pi) * errors.mean())


def fresh_sample(spec: GeneratorSpec, times: Integers, size: int, seed: int) -> Stream:
    """New instances from the concepts of a stream at given times, `size` for each time, in order.

    An instance of time t is drawn like row t of the stream, but by other random numbers. During a
    transition it comes from the new concept with the probability that the new concept has at t. One
    call for
    all times is faster than a call for each, as the generator has to run along the stream only
    once.
    """
    fresh_seed = int(generator("fresh", spec.id, seed).integers(2**63))
    source = spec.make()
    with error_prefix(f"Stream {spec.id!r}"):
        source.stream(1)  # refuses wrong parameters even if the sample does not use them
        stream = source.draw_from_concepts(spec.rows or 0, np.repeat(times, size), fresh_seed)
    return replace(stream, name=f"{spec.id}:fresh:{seed}", source=spec.title)
