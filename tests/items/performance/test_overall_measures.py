"""The table of all learners: one column per measure."""

from __future__ import annotations

import numpy as np

from streameval.evaluation.predictions import PredictionTable
from streameval.items.performance.show import wide_measures


def test_the_wide_table_keeps_every_learner_and_undefined_values():
    true = np.array([0, 0, 0, 1], dtype=np.int32)
    labels = {"majority": [0, 0, 0, 0], "other": [0, 0, 0, 1], "no_change": [0, 0, 0, 0]}
    predicted = {name: np.array(values, dtype=np.int16) for name, values in labels.items()}
    learners, measures = ["other", "no_change", "majority"], ["mcc", "accuracy", "macro_f1"]
    wide = wide_measures(PredictionTable(true, predicted, 2), learners, measures)
    assert wide["learner"].tolist() == learners
    assert list(wide.columns) == ["learner", *measures]
    assert wide["accuracy"].tolist() == [1.0, 0.75, 0.75]
    assert wide["mcc"].isna().tolist() == [False, True, True]
