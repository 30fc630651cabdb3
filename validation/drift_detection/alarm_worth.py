"""What the alarms of drift detectors are worth to a learner on each stream."""

from __future__ import annotations

import pandas as pd

from drift_detection import WORTH, AlarmWorthSettings
from streameval.evaluation import alarm_worth as evaluation
from streameval.items.inputs import StreamInput
from streameval.protocols.prequential import prequential


def study(given: StreamInput[AlarmWorthSettings]) -> dict[str, pd.DataFrame]:
    """Return the worth of each detector's alarms, the errors over a window, and the alarms.

    ``alarms`` are those of the first run, as numbers of predictions before.
    """
    chosen, stream = given.settings, given.labelled_stream
    (learner,) = given.learners().values()
    found = evaluation.alarm_worth(
        stream,
        prequential(len(stream)),
        learner,
        chosen.detectors,
        runs=chosen.runs,
        key=("alarm worth", chosen.seed, given.name),
    )
    worth = pd.DataFrame(evaluation.worth_rows(found), columns=list(WORTH))
    curves = pd.DataFrame(evaluation.error_curves(found, chosen.window, chosen.points))
    shown = [name for name in curves if name in set(worth["detector"])]
    errors = curves.melt("instance", shown, "name", "error")
    alarms = [
        pd.DataFrame({"detector": name, "instance": one.alarms + 1})
        for name, one in found.by_detector.items()
    ]
    return {"worth": worth, "errors": errors, "alarms": pd.concat(alarms, ignore_index=True)}
