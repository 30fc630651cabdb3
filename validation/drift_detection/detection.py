"""Detection of known drifts from the errors of a learner, and false alarms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from drift_detection import DetectionSettings
from drift_detection.measures import (
    DETECTION_MEASURES,
    DetectedDrifts,
    find_drifts,
    mean_over_streams,
)
from streameval.base.seeds import generator
from streameval.detectors.registry import parse
from streameval.evaluation.folds import RANDOM_SEED_LIMIT
from streameval.items.error_rates.type_errors_runs import redrawn_entry
from streameval.items.inputs import StreamInput
from streameval.learners.wrappers.resetting import Resetting
from streameval.protocols.prequential import prequential
from streameval.streams.drifts import CHANGES, Drift, equidistant_drifts, with_drifts
from streameval.streams.making import synthesise
from streameval.streams.stream import Stream
from streameval.streams.variants import shuffled

#: Type of change of a stream with its own, known drifts.
KNOWN_DRIFTS = "own"
#: Type of change of instances in random order: there is no drift.
NO_DRIFT = "none"


class RunStream(NamedTuple):
    """The stream of a run, and its known drifts."""

    stream: Stream
    drifts: tuple[Drift, ...]


def study(stream_input: StreamInput[DetectionSettings]) -> dict[str, pd.DataFrame]:
    """The measures of detection of each run, their means, and the length of a run."""
    settings = stream_input.settings
    (learner,) = stream_input.learners().values()
    detectors = {str(detector): detector for detector in map(parse, settings.detectors)}
    rows: list[dict[str, Any]] = []
    detections: dict[tuple[str, str], list[DetectedDrifts]] = {}
    length = 0
    for run in range(settings.runs):
        for change, (stream, drifts) in _run_streams(stream_input, run):
            length = len(stream)
            tape = prequential(length)
            for name, detector in detectors.items():
                rng = generator("detection", settings.seed, stream_input.name, change, name, run)
                seed = int(rng.integers(RANDOM_SEED_LIMIT))
                result = Resetting(learner, detector).run(stream, tape, seed)
                alarms = result.alarms.changes
                detected = find_drifts(alarms, drifts, length, settings.tolerance)
                detections.setdefault((change, name), []).append(detected)
                row = {"change": change, "detector": name, "run": run, "instances": length}
                accuracy = float(np.mean(result.label == stream.y))
                values = {
                    key: measure.function(detected) for key, measure in DETECTION_MEASURES.items()
                }
                rows.append({**row, "alarms": len(alarms), "accuracy": accuracy, **values})
        stream_input.announce(f"run {run + 1} of {settings.runs}")
    summary = [
        {
            "change": change,
            "detector": name,
            "measure": key,
            **mean_over_streams(runs, key)._asdict(),
        }
        for (change, name), runs in detections.items()
        for key in DETECTION_MEASURES
    ]
    size = {"instances": [length], "simulated": [stream_input.simulated]}
    return {
        "runs": pd.DataFrame(rows),
        "summary": pd.DataFrame(summary),
        "size": pd.DataFrame(size),
    }


def _run_streams(
    stream_input: StreamInput[DetectionSettings], run: int
) -> Iterator[tuple[str, RunStream]]:
    """Yield the type of change and the stream of a run, for each type.

    A generator with known drifts has its own drifts only. Otherwise drifts are injected.
    """
    settings, spec = stream_input.settings, stream_input.spec
    rng = generator("detection", settings.seed, stream_input.name, "order", run)
    seed = int(rng.integers(RANDOM_SEED_LIMIT))
    if spec is None:
        stream = stream_input.labelled_stream.first(settings.instances)
    else:
        # `synthesise` refuses a generator without a number of rows.
        entry = redrawn_entry(spec, min(settings.instances, spec.rows or 0), run)
        stream, known_drifts = synthesise(entry), entry.known_drifts()
        if known_drifts:
            yield KNOWN_DRIFTS, RunStream(stream, known_drifts)
            return
    yield NO_DRIFT, RunStream(shuffled(stream, seed), ())
    drifts = equidistant_drifts(len(stream), settings.drifts)
    for change in CHANGES:
        yield change, RunStream(with_drifts(stream, change, drifts, seed), drifts)
