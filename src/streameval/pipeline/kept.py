"""Predictions that are still valid when one of the learners, or none of them, has changed.

All learners run over a stream in one job. Beside the costs of each stands a key: a digest of all
that its predictions follow from. When the job runs again, learners whose key is the same do not.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from streameval.csv_tables import read_csv
from streameval.errors import DataError
from streameval.learners.registry import LearnerSpec
from streameval.pipeline.entries import entries
from streameval.sources import digest
from streameval.studies.prediction_files import read_predictions
from streameval.studies.prediction_table import PLACES, PredictionTable

#: The column of the costs with the keys.
KEY = "key"


def keys(
    rows: Mapping[str, Mapping[str, Any]], script: Path, files: Iterable[str], *about: str
) -> dict[str, str]:
    """Return the key of each learner.

    Parameters
    ----------
    rows : mapping of str to mapping
        The learners, as `LearnerSpec.recipe` gives them.
    script : Path
        The script that runs them; its sources count, of learners those of each alone.
    files : iterable of str
        Other files that learners read: code of one's own, predictions. They count for all.
    *about : str
        What else predictions follow from: the stream's digest, the protocol.
    """
    shared = hashlib.sha256(json.dumps(about).encode())
    for file in sorted(files):
        shared.update(Path(file).read_bytes())
    found = {}
    for name, row in rows.items():
        sha = shared.copy()
        sha.update(json.dumps(row, sort_keys=True).encode())
        sha.update(digest(script, entries=entries([LearnerSpec(**row)])).encode())
        found[name] = sha.hexdigest()
    return found


def still_valid(
    predictions: str, costs: str, wanted: Mapping[str, str]
) -> tuple[PredictionTable | None, pd.DataFrame]:
    """Return the predictions of an earlier run with the same keys, and what they took.

    Parameters
    ----------
    predictions, costs : str
        Their files, which may be missing, damaged, or without keys.
    wanted : mapping of str to str
        The learners with their `keys`.
    """
    nothing = pd.DataFrame(columns=["learner", KEY])
    try:
        old, spent = read_predictions(predictions), read_csv(costs)
    except DataError:
        return None, nothing
    if KEY not in spent:
        return None, nothing
    same = [wanted.get(name) == key for name, key in zip(spent["learner"], spent[KEY], strict=True)]
    kept = spent[same]
    labels = {name: old.predicted[name] for name in kept["learner"] if name in old.predicted}
    return replace(old, predicted=labels), kept[kept["learner"].isin([*labels])]


def together(old: PredictionTable, new: PredictionTable, order: Iterable[str]) -> PredictionTable:
    """Return the predictions of two runs over the same tape, of learners in an order.

    Raises
    ------
    DataError
        If they are not for the same labels.
    """
    same = [np.array_equal(old.true, new.true)]
    same += [np.array_equal(getattr(old, one), getattr(new, one)) for one in PLACES]
    if not all(same):
        raise DataError(
            f"Predictions for {new.stream}: those of an earlier run are for other instances. "
            "Delete the file and run again."
        )
    found = {**old.predicted, **new.predicted}
    return replace(new, predicted={name: found[name] for name in order if name in found})
