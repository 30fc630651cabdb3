"""Which known drifts detectors find by the errors of a learner, and how often they are wrong."""

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
from streameval.evaluation.folds import SEEDS
from streameval.items.error_rates.type_errors_runs import redrawn_entry
from streameval.items.inputs import StreamInput
from streameval.learners.wrappers.resetting import Resetting
from streameval.protocols.prequential import prequential
from streameval.streams.drifts import CHANGES, Drift, equidistant_drifts, with_drifts
from streameval.streams.making import synthesise
from streameval.streams.stream import Stream
from streameval.streams.variants import shuffled

#: The change of a stream whose own drifts are known, and that of one without any.
OWN, NONE = "own", "none"


class Drawn(NamedTuple):
    """The instances of a run, and the drifts in them."""

    stream: Stream
    drifts: tuple[Drift, ...]


def study(stream_input: StreamInput[DetectionSettings]) -> dict[str, pd.DataFrame]:
    """The measures of detection of each run, their means, and the length of a run."""
    chosen = stream_input.settings
    (learner,) = stream_input.learners().values()
    detectors = {str(detector): detector for detector in map(parse, chosen.detectors)}
    rows: list[dict[str, Any]] = []
    detections: dict[tuple[str, str], list[DetectedDrifts]] = {}
    length = 0
    for run in range(chosen.runs):
        for change, stream_draw in _drawn(stream_input, run):
            length = len(stream_draw.stream)
            tape = prequential(length)
            for name, detector in detectors.items():
                draws = generator("detection", chosen.seed, stream_input.name, change, name, run)
                result = Resetting(learner, detector).run(
                    stream_draw.stream, tape, int(draws.integers(SEEDS))
                )
                alarms = result.alarms.changes
                detected = find_drifts(alarms, stream_draw.drifts, length, chosen.tolerance)
                detections.setdefault((change, name), []).append(detected)
                about = {"change": change, "detector": name, "run": run, "instances": length}
                accuracy = float(np.mean(result.label == stream_draw.stream.y))
                values = {key: of.function(detected) for key, of in DETECTION_MEASURES.items()}
                rows.append({**about, "alarms": len(alarms), "accuracy": accuracy, **values})
        stream_input.announce(f"run {run + 1} of {chosen.runs}")
    summary = [
        {
            "change": change,
            "detector": name,
            "measure": key,
            **mean_over_streams(each, key)._asdict(),
        }
        for (change, name), each in detections.items()
        for key in DETECTION_MEASURES
    ]
    size = {"instances": [length], "simulated": [stream_input.simulated]}
    return {
        "runs": pd.DataFrame(rows),
        "summary": pd.DataFrame(summary),
        "size": pd.DataFrame(size),
    }


def _drawn(stream_input: StreamInput[DetectionSettings], run: int) -> Iterator[tuple[str, Drawn]]:
    """Yield the stream of a run for each type of change."""
    chosen, spec = stream_input.settings, stream_input.spec
    seed = int(generator("detection", chosen.seed, stream_input.name, "order", run).integers(SEEDS))
    if spec is None:
        stream = stream_input.labelled_stream.first(chosen.instances)
    else:
        entry = redrawn_entry(spec, min(chosen.instances, spec.rows or 0), run)
        stream, known = synthesise(entry), entry.known_drifts()
        if known:
            yield OWN, Drawn(stream, known)
            return
    yield NONE, Drawn(shuffled(stream, seed), ())
    places = equidistant_drifts(len(stream), chosen.drifts)
    for change in CHANGES:
        yield change, Drawn(with_drifts(stream, change, places, seed), places)
