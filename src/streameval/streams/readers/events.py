"""Reading event files with delayed labels.

Each instance has a line without label at the time of its prediction, and a second line with its
label once the label is known, as in the continuous re-evaluation code of Grzenda, Gomes and Bifet,
*Delayed labelling evaluation for data streams*, Data Mining and Knowledge Discovery, 2020.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Floats, Integers
from streameval.base.errors import DataError, excerpt
from streameval.streams.readers.arff import read_arff_table
from streameval.streams.readers.table import EncodedTable, check_row_count, stream_of_rows
from streameval.streams.stream import NEVER, Stream

#: Larger whole numbers are not exact as doubles, so different ids may become equal.
_EXACT = 2.0**53


def read_events(
    path: str | Path,
    target: str | None = None,
    drop: Iterable[str] = (),
    name: str | None = None,
    *,
    instance_id: str = "instanceId",
    time_stamp: str = "timeStamp",
    numeric: Iterable[str] = (),
    member: str | None = None,
) -> Stream:
    """Read an ARFF file of unlabelled and labelled events.

    Parameters
    ----------
    path, drop, name, numeric, member
        As for `streameval.streams.readers.arff.read_arff`.
    target : str, optional
        The attribute to predict, by default the attribute just before `instance_id`.
    instance_id, time_stamp : str
        The attributes with the id of an instance and with the time, whole numbers in the unit of
        the file.

    Returns
    -------
    Stream
        The instances in the order of their unlabelled lines, with ``time`` and ``label_time``.
        If a label never arrives, ``label_time`` is `NEVER` and ``y`` is `NO_LABEL`, or NaN.

    Raises
    ------
    DataError
        If a label has no instance, an instance or label occurs twice, time goes backwards, or the
        two lines of an instance differ in an attribute.
    """
    path = Path(path)
    # The default target is the attribute before the id; if there is none, the id itself, which is
    # refused below.
    table = read_arff_table(
        path, target, drop, numeric=numeric, member=member, default_target_before=instance_id
    )
    names = table.names
    for required in (instance_id, time_stamp):
        if required not in names:
            raise DataError(
                f"{path}: expected an attribute {excerpt(required)!r}, found "
                f"{excerpt(', '.join(names[-5:]))} at the end. If it is not an event file, read it "
                "as plain ARFF."
            )
    check_row_count(table)
    id_column, time_column = names.index(instance_id), names.index(time_stamp)
    label_column = names.index(target) if target else id_column - 1
    if label_column < 0 or label_column in (id_column, time_column):
        raise DataError(
            f"{path}: expected a target other than {excerpt(instance_id)!r} and "
            f"{excerpt(time_stamp)!r}, and before {excerpt(instance_id)!r} if none is named, found "
            "none. Name the target."
        )
    ids, times = _whole_numbers(table, id_column), _whole_numbers(table, time_column)
    steps_back = np.flatnonzero(np.diff(times) < 0)
    if steps_back.size:
        row = int(steps_back[0]) + 1
        _fail(
            table,
            row,
            f"expected a time of at least {times[row - 1]}, found {times[row]}. Sort the lines.",
        )
    is_labelled = ~np.isnan(table.columns[label_column])
    first_rows, label_rows = np.flatnonzero(~is_labelled), np.flatnonzero(is_labelled)
    instance = _instances_of_labels(table, ids, first_rows, label_rows)
    for j, column in enumerate(table.columns):
        if j not in (label_column, id_column, time_column):
            _check_equal(
                table, j, column[first_rows[instance]], column[label_rows], label_rows, ids
            )
    label, label_time = np.full(len(first_rows), np.nan), np.full(len(first_rows), NEVER)
    label[instance] = table.columns[label_column][label_rows]
    label_time[instance] = times[label_rows]
    return stream_of_rows(
        table,
        label_column,
        first_rows,
        label,
        name,
        (id_column, time_column),
        times[first_rows],
        label_time,
    )


def _fail(table: EncodedTable, row: int, message: str) -> NoReturn:
    raise DataError(f"{table.origin.place_of(row)}: {message}")


def _whole_numbers(table: EncodedTable, j: int) -> Integers:
    values = table.columns[j]
    name = excerpt(table.names[j])
    if table.attributes[j].is_nominal:
        raise DataError(
            f"{table.origin.path}: expected a numeric attribute {name!r}, found nominal values. "
            f"Declare it numeric, or read its texts as numbers (numeric=[{name!r}] in Python, "
            f"numeric: [{name!r}] in the registry)."
        )
    wrong = np.flatnonzero(~(np.abs(values) < _EXACT) | (values != np.floor(values)))
    if wrong.size:
        row = int(wrong[0])
        expected = f"expected a whole number in {name!r}, below 2^53 in size"
        value = "a missing value" if np.isnan(values[row]) else repr(float(values[row]))
        _fail(table, row, f"{expected}, found {value}. Correct the line.")
    return values.astype(np.int64)


def _instances_of_labels(
    table: EncodedTable,
    ids: Integers,
    first_rows: NDArray[np.intp],
    label_rows: NDArray[np.intp],
) -> NDArray[np.intp]:
    """Index in `first_rows`, the unlabelled lines, of the instance of each row with a label."""
    order = np.argsort(ids[first_rows], kind="stable")
    sorted_ids = ids[first_rows][order]
    _check_unique(table, ids, first_rows, "without label")
    _check_unique(table, ids, label_rows, "with its label")
    position = np.searchsorted(sorted_ids, ids[label_rows])
    is_known = position < len(sorted_ids)
    is_known[is_known] = sorted_ids[position[is_known]] == ids[label_rows][is_known]
    instance = np.zeros(len(label_rows), dtype=np.intp)
    instance[is_known] = order[position[is_known]]
    if len(first_rows):
        is_known &= first_rows[instance] < label_rows
    if not is_known.all():
        row = int(label_rows[~is_known][0])
        _fail(
            table,
            row,
            f"expected an earlier line without label for instance {ids[row]}, found none. Add a "
            "line whose label is ?.",
        )
    return instance


def _check_unique(table: EncodedTable, ids: Integers, rows: NDArray[np.intp], kind: str) -> None:
    """Refuse an id that occurs in two of the `rows`; messages call them by their `kind`."""
    _, firsts = np.unique(ids[rows], return_index=True)
    if len(firsts) < len(rows):
        row = int(np.delete(rows, firsts)[0])
        _fail(table, row, f"instance {ids[row]} occurs a second time {kind}. Ids must be unique.")


def _check_equal(
    table: EncodedTable,
    j: int,
    first_values: Floats,
    label_values: Floats,
    label_rows: NDArray[np.intp],
    ids: Integers,
) -> None:
    """Refuse an attribute whose values on the first and the labelled line of an instance differ."""
    both_missing = np.isnan(first_values) & np.isnan(label_values)
    differ = np.flatnonzero((first_values != label_values) & ~both_missing)
    if differ.size:
        k = int(differ[0])
        row = int(label_rows[k])
        first, second = (
            _value_text(table, j, float(values[k])) for values in (first_values, label_values)
        )
        _fail(
            table,
            row,
            f"instance {ids[row]}: attribute {excerpt(table.names[j])!r} was {first} on "
            f"its first line and is {second} here. The two lines must agree.",
        )


def _value_text(table: EncodedTable, j: int, value: float) -> str:
    if np.isnan(value):
        return "a missing value"
    texts = table.attributes[j].values
    return repr(value) if texts is None else repr(excerpt(texts[int(value)]))
