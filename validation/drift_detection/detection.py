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
    over_streams,
)
from streameval.base.seeds import generator
from streameval.detectors.registry import parse
from streameval.evaluation.folds import SEEDS
from streameval.items.error_rates.type_errors_runs import drawn_entry
from streameval.items.inputs import StreamInput
from streameval.learners.wrappers.resetting import Resetting
from streameval.protocols.prequential import prequential
from streameval.streams.drifts import CHANGES, Drift, spaced, with_drifts
from streameval.streams.making import synthesise
from streameval.streams.stream import Stream
from streameval.streams.variants import shuffled

#: The change of a stream whose own drifts are known, and that of one without any.
OWN, NONE = "own", "none"


class Drawn(NamedTuple):
    """The instances of a run, and the drifts in them."""

    stream: Stream
    drifts: tuple[Drift, ...]


def study(given: StreamInput[DetectionSettings]) -> dict[str, pd.DataFrame]:
    """Return the measures of detection of each run, their means, and the length of a run."""
    chosen = given.settings
    (learner,) = given.learners().values()
    detectors = {str(one): one for one in map(parse, chosen.detectors)}
    rows: list[dict[str, Any]] = []
    found: dict[tuple[str, str], list[DetectedDrifts]] = {}
    length = 0
    for run in range(chosen.runs):
        for change, drawn in _drawn(given, run):
            length = len(drawn.stream)
            tape = prequential(length)
            for name, detector in detectors.items():
                draws = generator("detection", chosen.seed, given.name, change, name, run)
                made = Resetting(learner, detector).play(
                    drawn.stream, tape, int(draws.integers(SEEDS))
                )
                alarms = made.alarms.changes
                one = find_drifts(alarms, drawn.drifts, length, chosen.tolerance)
                found.setdefault((change, name), []).append(one)
                about = {"change": change, "detector": name, "run": run, "instances": length}
                accuracy = float(np.mean(made.label == drawn.stream.y))
                values = {key: of.function(one) for key, of in DETECTION_MEASURES.items()}
                rows.append({**about, "alarms": len(alarms), "accuracy": accuracy, **values})
        given.announce(f"run {run + 1} of {chosen.runs}")
    summary = [
        {"change": change, "detector": name, "measure": key, **over_streams(each, key)._asdict()}
        for (change, name), each in found.items()
        for key in DETECTION_MEASURES
    ]
    size = {"instances": [length], "simulated": [given.simulated]}
    return {
        "runs": pd.DataFrame(rows),
        "summary": pd.DataFrame(summary),
        "size": pd.DataFrame(size),
    }


def _drawn(given: StreamInput[DetectionSettings], run: int) -> Iterator[tuple[str, Drawn]]:
    """Yield the instances of a run by what changes in them."""
    chosen, spec = given.settings, given.spec
    seed = int(generator("detection", chosen.seed, given.name, "order", run).integers(SEEDS))
    if spec is None:
        stream = given.labelled_stream.first(chosen.instances)
    else:
        entry = drawn_entry(spec, min(chosen.instances, spec.rows or 0), run)
        stream, known = synthesise(entry), entry.known_drifts()
        if known:
            yield OWN, Drawn(stream, known)
            return
    yield NONE, Drawn(shuffled(stream, seed), ())
    places = spaced(len(stream), chosen.drifts)
    for change in CHANGES:
        yield change, Drawn(with_drifts(stream, change, places, seed), places)
