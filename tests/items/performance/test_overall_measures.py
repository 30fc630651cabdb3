"""The table of all learners: one column per measure."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streameval.items.performance.tables import wide_measures

TITLES = {"no_change": "No-Change", "majority": "Majority", "hoeffding_tree": "Hoeffding tree"}
SHOWN = ("accuracy", "kappa_temporal", "mcc")


def test_the_wide_table_keeps_every_learner_and_undefined_values():
    values = {"accuracy": (0.85, 0.58, 0.79), "kappa_temporal": (0.0, -1.9, -0.42)}
    values |= {"kappa": (0.7, 0.0, 0.57), "mcc": (np.nan,) * 3}
    rows = [
        ("elec2", False, name, measure, value)
        for measure, numbers in values.items()
        for name, value in zip(TITLES, numbers, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=["stream", "simulated", "learner", "measure", "value"])
    wide = wide_measures(frame, SHOWN, TITLES)
    assert wide["learner"].tolist() == ["No-Change", "Majority", "Hoeffding tree"]
    assert wide["mcc"].isna().all()
    assert wide["kappa_temporal"].tolist() == [0.0, -1.9, -0.42]
    assert list(wide.columns) == ["stream", "simulated", "learner", *SHOWN]
