"""Answers on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from streameval.files import written_aside
from streameval.studies.evaluation import Answers

_CLASSES = b"streameval.n_classes"


def write_answers(answers: Answers, path: str | Path) -> None:
    """Write answers as Parquet: a column ``true``, and one of labels per learner."""
    columns = {"true": answers.true, **answers.predicted}
    table = pa.table({name: pa.array(np.asarray(labels)) for name, labels in columns.items()})
    table = table.replace_schema_metadata({_CLASSES: str(answers.n_classes)})
    with written_aside(Path(path)) as part:
        pq.write_table(table, part, compression="zstd")


def read_answers(path: str | Path) -> Answers:
    """Read what `write_answers` wrote."""
    table = pq.read_table(path)
    labels = {name: table[name].to_numpy() for name in table.column_names}
    true = labels.pop("true")
    return Answers(true, labels, int(table.schema.metadata[_CLASSES]))
