"""Streams from files, from the registry, from tables in memory, and from generators."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streameval.api.arguments import check_text
from streameval.base import settings
from streameval.base.errors import ConfigError, DataError, excerpt, listing, warn_caller
from streameval.base.values import arguments_of, flag_of, name_of, names_of
from streameval.streams.readers.suspicion import warn_about
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import Stream
from streameval.streams.variants import check_variant, split_name, variant
from streameval.view import notebook

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

    from streameval.streams.registry import StreamSpec


def read(
    path: str | Path,
    target: str | None = None,
    *,
    drop: Iterable[str] = (),
    nominal: Iterable[str] = (),
    numeric: Iterable[str] = (),
    missing: Iterable[str] = (),
    time: str | None = None,
    label_time: str | None = None,
    group: str | None = None,
    header: bool = True,
    skip_rows: int = 0,
    separator: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    member: str | None = None,
    encoding: str | None = None,
    numeric_target: bool = False,
) -> Stream:
    """Read a stream from a file: ARFF, CSV or Parquet.

    Columns of numbers, dates, times or truth values are numeric attributes; all others are nominal.
    The target is a class, even if it looks like a number, unless `numeric_target` is true.

    Parameters
    ----------
    path : str or Path
        ``.arff``, KEEL's ``.dat``, ``.csv``, ``.tsv``, ``.data`` or ``.txt`` (with a header), also
        compressed as ``.gz``, ``.bz2``, ``.xz`` or ``.zip``; or ``.parquet``; or a folder of
        Parquet files, the parts of one table in the order of their names.
    target : str, optional
        The column to predict. For an ARFF file the default is the target that its header names,
        else the last column.
    drop : iterable of str
        Columns to leave out.
    nominal : iterable of str
        Columns whose numbers are names, such as postal codes.
    numeric : iterable of str
        Columns that must be numbers.
    missing : iterable of str
        Texts that stand for a missing value; by default ``?``, an empty text, ``NA``, ``NaN`` and
        ``nan``. A number covers its other spellings: ``-999`` also stands for ``-999.0``.
    time : str, optional
        Column with the arrival time of each instance: numbers, or dates like 2020-01-31 12:30:00.
        Rows are sorted by it, and keep their numbers (`Stream.file_rows`). It is not an input.
    label_time : str, optional
        Column with the arrival time of each label; empty if the label has not arrived. It is not an
        input. `evaluate` uses each label from this time on.
    group : str, optional
        Column with the entity of each row, such as a machine, if rows of several entities are
        interleaved. It stays an input. No-Change, Majority, the previous target and seasonal
        baselines then use earlier labels of the same entity, and intervals allow for dependence
        within entities. See `Stream.grouped`.
    header : bool
        Whether the first row of a CSV file has the names of the columns; otherwise they are called
        ``x1``, ``x2``, ...
    skip_rows : int
        Number of rows below the header of a CSV file to skip, such as a row of units.
    separator : str, optional
        The separator of values in a CSV file: ``,`` ``;`` ``|`` or tab; detected by default.
    decimal : str, optional
        The decimal sign of a CSV file: ``.`` or ``,``; detected by default.
    thousands : str, optional
        The sign between groups of digits in a CSV file, as in 1,234.5: ``,`` ``.`` ``'`` or a
        blank; by default none.
    member : str, optional
        The file to read from a zip archive with several files; hidden files and texts such as a
        README are ignored.
    encoding : str, optional
        The encoding of a CSV file, such as utf-16 or cp1252; detected by default.
    numeric_target : bool
        Whether the target is a number to predict, instead of a class.

    Returns
    -------
    Stream
        The rows in the order of the file, or of `time`. The stream is named after the file. A named
        pipe or ``/dev/stdin`` is copied into a temporary folder first.

    Raises
    ------
    StreamevalError
        If the file cannot be read, or does not suit the arguments.

    Warns
    -----
    StreamWarning
        If an evaluation would be pointless or costly, or a CSV file has an unusual format.

    Examples
    --------
    >>> from pathlib import Path
    >>> lines = ["size,colour,y", "1,red,no", "3,blue,yes", "2,red,no"]
    >>> _ = Path("my.csv").write_text(chr(10).join(lines))
    >>> import streameval as se
    >>> se.read("my.csv", target="y")
    <Stream 'my': 3 instances, 1 numeric and 1 nominal attribute, 2 classes of 'y'>
    >>> se.read("my.csv", target="size", numeric_target=True)
    <Stream 'my': 3 instances, 2 nominal attributes, numeric target 'size'>
    """
    if not isinstance(path, str | Path):
        raise ConfigError(f"path: expected a file, found {excerpt(repr(path), 60)}.")
    options = {
        "target": target,
        "drop": drop,
        "nominal": nominal,
        "numeric": numeric,
        "missing": missing,
        "time": time,
        "label_time": label_time,
        "separator": separator,
        "decimal": decimal,
        "encoding": encoding,
        "thousands": thousands,
        "member": member,
        "numeric_target": numeric_target,
        "header": header,
        "skip_rows": skip_rows,
    }
    from streameval.streams.readers.any_file import read_any  # loads pyarrow

    return _grouped(read_any(path, **arguments_of(read, options)), group)


def _check_one_target(target: Any, frame: Any) -> None:
    """Raise ConfigError for a list of targets; the name of a pandas column may be a tuple."""
    is_column = str(target) in map(str, getattr(frame, "columns", ()))
    if isinstance(target, list | tuple) and not is_column:
        names = listing([*target])
        raise ConfigError(
            f"target: expected one column, found several ({names}). Evaluate each target "
            "separately, and leave the others out of the inputs (drop)."
        )


def _grouped(stream: Stream, group: str | None) -> Stream:
    return stream if group is None else stream.grouped(check_text(group, "group"))


def load(name: str) -> Stream:
    """Load a stream of the registry, or a variant of it.

    Most real streams are part of the package (``streameval streams`` lists them). Others are
    downloaded at their first use. A raw file is searched for, in this order, in

    - the folder of raw files: ``resources/raw`` in a project, otherwise in the user's cache;
    - the folder named by the environment variable ``STREAMEVAL_DATA``, from which it is copied;
    - the package, or the address in the registry.

    The registry is ``config/streams.yaml`` of the working folder, if present, otherwise the
    package's own.

    Parameters
    ----------
    name : str
        An id that ``streameval streams`` lists, or a variant, which is an id followed by

        - ``:shuffled:SEED``: instances in random order;
        - ``:temporal:SEED``: random order within each class, with the labels in their old order;
        - ``:blocks:SEED:SIZE``: blocks of instances in random order;
        - ``:relabelled:SEED:DRIFTS:WIDTH``: random order, with `DRIFTS` drifts at equal distances,
          at each of which two classes exchange their labels;
        - ``:permuted:SEED:DRIFTS:WIDTH``: the same, but inputs exchange their columns;
        - ``:reweighted:SEED:DRIFTS:WIDTH``: the same, but classes exchange their frequencies.

    Returns
    -------
    Stream
        The stream, named after its id.

    Raises
    ------
    StreamevalError
        If the stream is unknown, or its file is missing and cannot be downloaded.

    Warns
    -----
    StreamWarning
        If inputs are left out because they are known only after an instance has arrived.

    Examples
    --------
    >>> import streameval as se
    >>> se.load("markov_ozone:shuffled:1")
    <Stream 'markov_ozone:shuffled:1': 2,536 instances, 72 numeric attributes, 2 classes of 'class'>
    """
    spec = stream_spec(check_text(name, "name"))
    return variant(_inputs_on_arrival(spec, _make_stream(spec)), split_name(name)[1])


def from_pandas(
    frame: pd.DataFrame | Any,
    target: str,
    *,
    drop: Iterable[str] = (),
    nominal: Iterable[str] = (),
    numeric: Iterable[str] = (),
    missing: Iterable[str] = (),
    time: str | None = None,
    label_time: str | None = None,
    group: str | None = None,
    numeric_target: bool = False,
    name: str = "DataFrame",
) -> Stream:
    """Make a stream from a data frame.

    Numbers, dates, times, durations and truth values become numeric attributes; texts and
    categories become nominal attributes. Missing values (NaN, None, NA, NaT, and the texts that
    stand for them in files) stay missing. An instance without a label is predicted, but not scored
    or learnt. The index is not an input; it matches predictions in a pandas series to rows.

    Parameters
    ----------
    frame : pandas.DataFrame, or another data frame with Arrow's interface
        Rows in stream order, for example a data frame of polars or PyArrow. It is not changed.
    target : str
        The column to predict. Its values are the classes, in sorted order.
    drop, nominal, numeric, missing : iterable of str
        As for `read`.
    time, label_time, group
        As for `read`.
    numeric_target : bool
        Whether the target is a number to predict, instead of a class.
    name : str
        Name of the stream.

    Returns
    -------
    Stream
        A copy of the data.

    Raises
    ------
    StreamevalError
        If a column is unknown or cannot be an attribute.

    Warns
    -----
    StreamWarning
        As for `read`.

    Examples
    --------
    >>> import pandas as pd
    >>> import streameval as se
    >>> frame = pd.DataFrame({"size": [1.5, None, 3], "colour": ["red", "blue", "red"]})
    >>> se.from_pandas(frame.assign(y=[True, False, True]), target="y")
    <Stream 'DataFrame': 3 instances, 1 numeric and 1 nominal attribute, 2 classes of 'y'>
    """
    _check_one_target(target, frame)
    missing_texts = () if missing is None else names_of(missing, "missing")
    # read_frame has other default texts, so an empty argument is not passed on.
    options: dict[str, Any] = {"missing": missing_texts} if missing_texts else {}
    options |= {"drop": drop, "nominal": nominal, "numeric": numeric}
    options |= {"numeric_target": numeric_target}
    options |= {"time": time, "label_time": label_time, "name": name}
    return _grouped(_read_with_warnings(frame, target, options), group)


def _read_with_warnings(
    frame: Any, target: str, options: Mapping[str, Any], *, has_missing_option: bool = True
) -> Stream:
    """Make a stream from a data frame; for the warnings see `warn_about`."""
    from streameval.streams.readers.frame import read_frame

    stream = read_frame(frame, target, **arguments_of(read_frame, options))
    warn_about(stream, has_missing_option=has_missing_option)
    return stream


def from_arrays(
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    nominal: Iterable[str] = (),
    target: str | None = None,
    numeric_target: bool = False,
    name: str = "arrays",
) -> Stream:
    """Make a stream from a matrix of inputs and their labels.

    Parameters
    ----------
    X : array-like of shape (n, m), or data frame as for `from_pandas`
        Inputs in stream order; NaN is a missing value.
    y : array-like of shape (n,)
        Labels: numbers, texts or truth values, in the order of `X`.
    names : sequence of str, optional
        Names of the columns; by default those of the data frame, or ``x0``, ``x1``, ...
    nominal : iterable of str
        Columns whose numbers are names.
    target : str, optional
        Name of the target; by default ``class``, or ``target`` if `numeric_target` is true.
    numeric_target : bool
        Whether the labels are numbers to predict, instead of classes.
    name : str
        Name of the stream.

    Returns
    -------
    Stream
        A copy of the data; see `from_pandas`.

    Raises
    ------
    StreamevalError
        If the shapes contradict each other, or `X` and `y` have the same index in different orders.

    Examples
    --------
    >>> import streameval as se
    >>> se.from_arrays([[0.1, 2], [0.3, 1], [0.2, 2]], ["no", "yes", "no"])
    <Stream 'arrays': 3 instances, 2 numeric attributes, 2 classes of 'class'>
    """
    from streameval.streams.readers.frame import as_frame, with_index

    numeric_target = flag_of(numeric_target, "numeric_target")
    inputs, labels = as_frame(X), as_frame(y, "y").iloc[:, 0]
    if names is not None:
        names = names_of(names, "names")
    else:
        names = (
            list(inputs.columns)
            if hasattr(X, "columns")
            else [f"x{j}" for j in range(inputs.shape[1])]
        )
    if len(labels) != len(inputs) or len(names) != inputs.shape[1]:
        raise DataError(
            f"Expected as many rows of X as labels y, and as many names as columns; found X of "
            f"shape {inputs.shape}, {len(labels):,} labels and {len(names):,} names."
        )
    if target is None:
        target = "target" if numeric_target else "class"
    target = name_of(target, "target")
    if target in names:
        raise ConfigError(f"{target!r} is the name of an input. Give another name as target.")
    name = name_of(name, "name")
    nominal = names_of(nominal, "nominal")
    frame = inputs.set_axis([*names], axis=1)
    frame.insert(len(names), target, labels)
    options = {"nominal": nominal, "numeric_target": numeric_target, "name": name}
    stream = _read_with_warnings(frame, target, options, has_missing_option=False)
    stream = with_index(stream, X)
    _check_index_order(stream, X, y)
    return stream


def _check_index_order(stream: Stream, X: Any, y: Any) -> None:
    """Raise DataError if `y` has the index of `X` in another order."""
    import pandas as pd

    if not isinstance(X, pd.DataFrame) or not isinstance(y, pd.Series):
        return
    # None: `y` has the index of `X`, or its index has no label of `X`; both match by order.
    if stream.source_rows_or_all.rows_of_index(y.index, "y") is not None:
        raise DataError(
            "Expected X and y in one order, found that their indices have the same labels in "
            "different orders. Give y.loc[X.index], or reset both indices where the rows already "
            "match (reset_index(drop=True))."
        )


def generate(generator: str, /, rows: int, seed: int = 1, **parameters: Any) -> Stream:
    """Generate a synthetic stream.

    Parameters
    ----------
    generator : str
        ``sea``, ``agrawal``, ``led``, ``led_drift``, ``hyperplane``, ``random_rbf``,
        ``random_rbf_drift``, ``random_tree`` and ``concept_drift`` are generators of MOA.
        ``markov`` has labels with a given persistence, ``planes`` a numeric target.
    rows : int
        Number of instances.
    seed : int
        Seed; the same seed gives the same stream.
    **parameters
        Non-default parameters of the generator; see `streameval.streams.generators`.

    Returns
    -------
    Stream
        The stream, named after the generator.

    Raises
    ------
    StreamevalError
        If the generator or a parameter is unknown, missing or out of range.

    Examples
    --------
    >>> import streameval as se
    >>> se.generate("sea", rows=1000, function=2)
    <Stream 'sea': 1,000 instances, 3 numeric attributes, 2 classes of 'class'>
    """
    from streameval.streams.making import synthesise
    from streameval.streams.registry import GeneratorSpec

    all_parameters = {"seed": seed, **parameters}
    parameter_text = ", ".join(f"{key} {value}" for key, value in all_parameters.items())
    title = f"{generator}, {parameter_text}"
    spec = GeneratorSpec(
        id=str(generator), title=title, rows=rows, generator=generator, parameters=all_parameters
    )
    return synthesise(spec)


def stream_spec(name: str) -> StreamSpec:
    """Registry entry of a stream, or of the stream that a variant is made from.

    Raises ConfigError if the stream or the variant is unknown.
    """
    from streameval.streams.registry import find_spec, load_registry

    key, variant_text = split_name(name)
    registry = load_registry()
    # os.path, as Path.exists raises an error if a name is too long
    if key not in registry and os.path.exists(name):  # noqa: PTH110
        raise ConfigError(
            f"{excerpt(name)!r}: expected an id of the registry. For a file, or a folder of "
            "Parquet parts, use read()."
        )
    spec = find_spec(registry, key)
    check_variant(key, variant_text)
    return spec


def _make_stream(spec: StreamSpec) -> Stream:
    """Stream of a registry entry, read from its file or generated."""
    from streameval.streams.making import convert, synthesise
    from streameval.streams.raw.fetch import fetch, mirror_folder
    from streameval.streams.registry import FileSpec, GeneratorSpec

    if isinstance(spec, GeneratorSpec):
        return synthesise(spec)
    if not isinstance(spec, FileSpec):
        raise ConfigError(f"Stream {spec.id!r} has neither a file nor a generator.")
    with notebook.without_tqdm_advice():
        import pooch
    in_project = Path("config", "streams.yaml").is_file()
    folder = settings.RAW if in_project else Path(pooch.os_cache("streameval")) / "raw"
    return convert(spec, fetch(spec, folder, mirror_folder(), progress=sys.stderr.isatty()))


def _inputs_on_arrival(spec: StreamSpec, stream: Stream) -> Stream:
    """Stream without the inputs that become known only after the prediction."""
    known_at = getattr(spec, "known_at", {})
    if not known_at:
        return stream
    from streameval.streams.later_inputs import split_later_inputs

    later = listing([f"{name} (from {time} on)" for name, time in known_at.items()])
    warn_caller(
        f"Inputs of {spec.id!r} are left out, as they are known only after an instance has "
        f"arrived: {later}. Items of a study can use them, with the setting known_at.",
        StreamWarning,
    )
    return split_later_inputs(stream, known_at)[0]
