"""Effect on the accuracy of a learner of resets at the alarms of drift detectors."""

from __future__ import annotations

import pandas as pd

from drift_detection import WORTH, AlarmWorthSettings
from streameval.evaluation import alarm_worth as evaluation
from streameval.items.inputs import StreamInput
from streameval.protocols.prequential import prequential


def study(stream_input: StreamInput[AlarmWorthSettings]) -> dict[str, pd.DataFrame]:
    """The effect of resets at each detector's alarms, the error rates in a window, and the alarms.

    ``alarms`` has the alarms of the first run. ``instance`` is the number of the instance after
    which the alarm is raised, from 1.
    """
    settings, stream = stream_input.settings, stream_input.labelled_stream
    (learner,) = stream_input.learners().values()
    result = evaluation.alarm_worth(
        stream,
        prequential(len(stream)),
        learner,
        settings.detectors,
        n_runs=settings.runs,
        seed_key=("alarm worth", settings.seed, stream_input.name),
    )
    worth = pd.DataFrame(evaluation.worth_rows(result), columns=list(WORTH))
    curves = pd.DataFrame(evaluation.error_curves(result, settings.window, settings.points))
    # Curves of the controls and of Majority are not drawn.
    names = [name for name in curves if name in set(worth["detector"])]
    errors = curves.melt("instance", names, "name", "error")
    alarms = [
        pd.DataFrame({"detector": name, "instance": detector.alarms + 1})
        for name, detector in result.by_detector.items()
    ]
    return {"worth": worth, "errors": errors, "alarms": pd.concat(alarms, ignore_index=True)}
