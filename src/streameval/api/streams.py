"""Streams from files, from the registry, from tables in memory, and from generators."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streameval.api.arguments import check_text
from streameval.base import settings
from streameval.base.errors import ConfigError, DataError, excerpt, some, warn_caller
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

    Numbers, dates, times and truth values are numeric attributes, all other texts nominal ones.
    The target is a class, whatever it looks like, unless `numeric_target` is true.

    Parameters
    ----------
    path : str or Path
        ``.arff``, KEEL's ``.dat``, ``.csv``, ``.tsv``, ``.data`` or ``.txt`` (with a header), each
        also in ``.gz``, ``.bz2``, ``.xz`` or ``.zip``; or ``.parquet``, or a folder of such parts
        of a table, which are read in the order of their names.
    target : str, optional
        The column to predict; of an ARFF file by default the one its header names, or the last.
    drop : iterable of str
        Columns to leave out.
    nominal : iterable of str
        Columns whose numbers are names, such as postal codes.
    numeric : iterable of str
        Columns that must be numbers.
    missing : iterable of str
        Texts that stand for a missing value instead of ``?``, nothing, ``NA``, ``NaN``, ``nan``. A
        number does so in any spelling: ``-999`` for ``-999.0``.
    time : str, optional
        Column with the arrival time of each instance: numbers, or dates like 2020-01-31 12:30:00.
        It sorts the rows, and is no input. Rows keep their numbers (`Stream.file_rows`).
    label_time : str, optional
        Column with the arrival time of each label; empty if the label has not arrived. It is no
        input. `evaluate` makes each label known at this time.
    group : str, optional
        Column with the entity of each row, such as a machine, if rows of several entities are
        interleaved; it stays an input. No-Change, Majority, the previous target and seasonal
        baselines then use the same entity, and intervals allow for dependence within entities. See
        `Stream.grouped`.
    header : bool
        False: the first row of a CSV file has no names; the columns are ``x1``, ``x2``, ...
    skip_rows : int
        Number of rows below the header of a CSV file that are no data, such as a row of units.
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
        The rows in the order of the file, or of `time`, named as the file. What a named pipe or
        ``/dev/stdin`` delivers is copied into a temporary folder first.

    Raises
    ------
    StreamevalError
        If the file is not what it should be.

    Warns
    -----
    StreamWarning
        If an evaluation would be pointless or costly, or a CSV file is written unusually.

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
    options: dict[str, Any] = {"target": target, "drop": drop, "nominal": nominal}
    options |= {"numeric": numeric, "missing": missing, "time": time, "label_time": label_time}
    options |= {"separator": separator, "decimal": decimal, "encoding": encoding}
    options |= {"thousands": thousands, "member": member}
    options |= {"numeric_target": numeric_target, "header": header}
    options["skip_rows"] = skip_rows
    from streameval.streams.readers.any_file import read_any  # loads pyarrow

    return _grouped(read_any(path, **arguments_of(read, options)), group)


def _check_one_target(target: Any, frame: Any) -> None:
    """Refuse several targets; a column of pandas may be called by a tuple."""
    is_column = str(target) in map(str, getattr(frame, "columns", ()))
    if isinstance(target, list | tuple) and not is_column:
        names = some([*target])
        raise ConfigError(
            f"target: expected one column, found several ({names}). Evaluate each target by "
            "itself, and leave the others out of the inputs (drop)."
        )


def _grouped(stream: Stream, group: str | None) -> Stream:
    return stream if group is None else stream.grouped(check_text(group, "group"))


def load(name: str) -> Stream:
    """Load a stream of the registry, or a variant of it.

    Most real streams are in the package, as ``streameval streams`` says; others are downloaded when
    they are used for the first time. A raw file that is there comes first: in the folder of raw
    files, which is ``resources/raw`` of a project and elsewhere in the user's cache, or in the
    folder that the environment variable ``STREAMEVAL_DATA`` names, from which it is copied. The
    registry is ``config/streams.yaml`` of the working folder, elsewhere the package's own.

    Parameters
    ----------
    name : str
        An id that ``streameval streams`` lists. Behind it ``:shuffled:SEED`` permutes the
        instances, ``:temporal:SEED`` does so within classes and keeps the order of the labels,
        ``:blocks:SEED:SIZE`` permutes blocks. ``:relabelled:SEED:DRIFTS:WIDTH`` permutes the
        instances and injects so many drifts at equal distances: two classes exchange their labels;
        with ``:permuted`` inputs take each other's places, with ``:reweighted`` classes exchange
        their frequencies.

    Returns
    -------
    Stream
        The stream, named by its id.

    Raises
    ------
    StreamevalError
        If there is no such stream, or its file cannot be had.

    Warns
    -----
    StreamWarning
        If inputs are left out that are known only after an instance has arrived.

    Examples
    --------
    >>> import streameval as se
    >>> se.load("markov_ozone:shuffled:1")
    <Stream 'markov_ozone:shuffled:1': 2,536 instances, 72 numeric attributes, 2 classes of 'class'>
    """
    spec = stream_spec(check_text(name, "name"))
    return variant(_at_arrival(spec, _original(spec)), split_name(name)[1])


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

    Numbers, dates, times, durations and truth values are numeric attributes; texts and categories
    are nominal ones. Missing values (NaN, None, NA, NaT, and the texts that stand for them in
    files) stay missing; an instance without a label is predicted, neither scored nor learnt. The
    index is no input; predictions in a series of pandas are matched by it.

    Parameters
    ----------
    frame : pandas.DataFrame, or another frame with Arrow's interface
        The rows in stream order; of polars or PyArrow, too. It is not changed.
    target : str
        The column to predict; its values are the classes, in sorted order.
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
        If there is no such column, or a column cannot be an attribute.

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
    texts = () if missing is None else names_of(missing, "missing")
    options: dict[str, Any] = {"missing": texts} if texts else {}
    options |= {"drop": drop, "nominal": nominal, "numeric": numeric}
    options |= {"numeric_target": numeric_target}
    options |= {"time": time, "label_time": label_time, "name": name}
    return _grouped(_of_frame(frame, target, options), group)


def _of_frame(
    frame: Any, target: str, options: Mapping[str, Any], takes_missing: bool = True
) -> Stream:
    """Make a stream from a frame, with warnings; see `warn_about`."""
    from streameval.streams.readers.frame import read_frame

    stream = read_frame(frame, target, **arguments_of(read_frame, options))
    warn_about(stream, takes_missing=takes_missing)
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
    X : array-like of shape (n, m), or a frame as for `from_pandas`
        Inputs in stream order; NaN is missing.
    y : array-like of shape (n,)
        Labels: numbers, texts or truth values, in the order of `X`.
    names : sequence of str, optional
        Names of the columns, by default those of the frame, or ``x0``, ``x1``, ...
    nominal : iterable of str
        Columns whose numbers are names.
    target : str, optional
        What to call the labels; by default ``class``, or ``target`` if they are numbers.
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
        If the shapes contradict each other, or `X` and `y` have one index in different orders.

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
            else [f"x{place}" for place in range(inputs.shape[1])]
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
        raise ConfigError(f"{target!r} is the name of an input. Give another one as target.")
    name = name_of(name, "name")
    nominal = names_of(nominal, "nominal")
    frame = inputs.set_axis([*names], axis=1)
    frame.insert(len(names), target, labels)
    options = {"nominal": nominal, "numeric_target": numeric_target, "name": name}
    stream = _of_frame(frame, target, options, takes_missing=False)
    stream = with_index(stream, X)
    _refuse_other_order(stream, X, y)
    return stream


def _refuse_other_order(stream: Stream, X: Any, y: Any) -> None:
    """Refuse labels whose index has the values of the inputs' index in another order."""
    import pandas as pd

    if not isinstance(X, pd.DataFrame) or not isinstance(y, pd.Series):
        return
    if stream.rows_of_source.rows_of(y.index, "y") is not None:
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
        ``random_rbf_drift``, ``random_tree`` and ``concept_drift`` draw as MOA does; ``markov``
        has labels of a given persistence, ``planes`` a numeric target.
    rows : int
        Number of instances.
    seed : int
        Equal seeds give equal streams.
    **parameters
        What differs from the generator's defaults; see `streameval.streams.generators`.

    Returns
    -------
    Stream
        The stream, named as the generator.

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
    words = ", ".join(f"{key} {value}" for key, value in all_parameters.items())
    fields: dict[str, Any] = {"rows": rows, "generator": generator, "parameters": all_parameters}
    return synthesise(GeneratorSpec(id=str(generator), title=f"{generator}, {words}", **fields))


def stream_spec(name: str) -> StreamSpec:
    """Registry entry of a stream, or of the stream behind a variant.

    Raises ConfigError if there is no such stream, or no such variant.
    """
    from streameval.streams.registry import find_spec, load_registry

    key, rearranged = split_name(name)
    registry = load_registry()
    if key not in registry and os.path.exists(name):  # noqa: PTH110, it takes names of any length
        raise ConfigError(
            f"{excerpt(name)!r}: expected an id of the registry. For a file, or a folder of "
            "Parquet parts, use read()."
        )
    spec = find_spec(registry, key)
    check_variant(key, rearranged)
    return spec


def _original(spec: StreamSpec) -> Stream:
    from streameval.streams.making import convert, synthesise
    from streameval.streams.raw.fetch import fetch, mirror_folder
    from streameval.streams.registry import FileSpec, GeneratorSpec

    if isinstance(spec, GeneratorSpec):
        return synthesise(spec)
    if not isinstance(spec, FileSpec):
        raise ConfigError(f"Stream {spec.id!r} is neither read nor generated.")
    with notebook.without_tqdm_advice():
        import pooch
    in_project = Path("config", "streams.yaml").is_file()  # if not, in the user's cache
    folder = settings.RAW if in_project else Path(pooch.os_cache("streameval")) / "raw"
    return convert(spec, fetch(spec, folder, mirror_folder(), progress=sys.stderr.isatty()))


def _at_arrival(spec: StreamSpec, stream: Stream) -> Stream:
    """The stream without inputs that become known after the prediction."""
    known_at = getattr(spec, "known_at", {})
    if not known_at:
        return stream
    from streameval.streams.later_inputs import split_later_inputs

    later = some([f"{name} (from {when} on)" for name, when in known_at.items()])
    warn_caller(
        f"Left out are inputs of {spec.id!r} that are known only after an instance has arrived: "
        f"{later}. Only studies use them, in items with the setting known_at.",
        StreamWarning,
    )
    return split_later_inputs(stream, known_at)[0]
