"""The `Stream` contract: one data set in stream order, in arrays that compiled learners read."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.errors import ConfigError, DataError, excerpt
from streameval.base.matrices import select_rows
from streameval.base.values import NEVER as NEVER  # re-exported
from streameval.base.values import check_integer, date_text, name_of
from streameval.streams.source_rows import SourceRows

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

    from streameval.streams.groups import Groups

#: A row or an array of rows.
R = TypeVar("R", bound="int | NDArray[np.integer[Any]]")

#: Code in ``Stream.y`` of a label that is missing or has not arrived.
NO_LABEL = -1
#: Default of `Stream.smoothing`: averages over about the last 1,000 instances.
SMOOTHING = 0.001
#: Maximum number of classes, since labels of `Predictions` are int16.
MAX_CLASSES = 32_767


@dataclass(frozen=True)
class Attribute:
    """An input column; readers also describe the target by an `Attribute`.

    Parameters
    ----------
    name : str
        Name in the source.
    values : tuple of str, optional
        The values of a nominal attribute, in the order of their codes 0, 1, ...; None for a
        numeric attribute.
    sorted_by_name : bool
        True if the values are sorted by their texts, since no order was declared.
    missing_texts : tuple of str
        For a target, the texts that were taken for missing labels by default.
    """

    name: str
    values: tuple[str, ...] | None = None
    sorted_by_name: bool = field(default=False, compare=False, repr=False)
    missing_texts: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @property
    def is_nominal(self) -> bool:
        """True if the column holds codes of `values` rather than numbers."""
        return self.values is not None


#: Values of ``Stream.unlabelled_kind``: missing in the source, not arrived yet, or both occur.
MISSING = "missing"
NOT_ARRIVED = "not_arrived"
MIXED = "missing_or_not_arrived"


def unlabelled_reason(kind: str, labels: int) -> str:
    """Predicate that says why a number of labels are unknown, such as "are missing"."""
    are, have = ("are", "have") if labels > 1 else ("is", "has")
    reasons = {MISSING: f"{are} missing", NOT_ARRIVED: f"{have} not arrived"}
    return reasons.get(kind, f"{are} missing or {have} not arrived")


@dataclass(frozen=True)
class Schema:
    """Names and kinds of the columns of a stream.

    Parameters
    ----------
    attributes : tuple of Attribute
        The columns of ``Stream.X``, in order.
    target : str
        Name of the target column.
    classes : tuple of str, optional
        Class names in the order of their codes; None for a numeric target.
    sorted_by_name : bool
        True if the classes are sorted by name, since no order was declared. Then the order affects
        no prediction, see `streameval.learners.class_order`.
    """

    attributes: tuple[Attribute, ...]
    target: str = "class"
    classes: tuple[str, ...] | None = None
    sorted_by_name: bool = field(default=False, compare=False, repr=False)

    @property
    def n_attributes(self) -> int:
        """Number of input columns."""
        return len(self.attributes)

    @property
    def n_classes(self) -> int:
        """Number of declared classes; 0 for a numeric target."""
        return len(self.classes) if self.classes is not None else 0

    @property
    def n_values(self) -> Integers:
        """Number of values per attribute, shape (m,); 0 marks a numeric attribute."""
        return np.array([len(a.values) if a.values else 0 for a in self.attributes], dtype=np.int64)

    def to_json(self) -> str:
        """Canonical JSON text of the schema."""
        content = {
            "attributes": [[a.name, a.values] for a in self.attributes],
            "target": self.target,
            "classes": self.classes,
            # Only written if true: `Stream.digest` hashes this text, and must not change.
            **({"spelt": True} if self.sorted_by_name else {}),
        }
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Schema:
        """Schema from the JSON text that `to_json` wrote."""
        content = json.loads(text)
        attributes = tuple(
            Attribute(name, None if values is None else tuple(values))
            for name, values in content["attributes"]
        )
        classes = content["classes"]
        return cls(
            attributes,
            content["target"],
            None if classes is None else tuple(classes),
            sorted_by_name=content.get("spelt", False),
        )


@dataclass(frozen=True)
class Stream:
    """A data set in stream order.

    Parameters
    ----------
    X : ndarray of float64, shape (n, m), C order
        Inputs: NaN for a missing value, the code for a nominal value.
    y : ndarray, shape (n,)
        int32 class codes, or float64 targets if the schema declares no classes; `NO_LABEL` or NaN
        if the label is missing or its ``label_time`` is `NEVER`.
    schema : Schema
        Names and kinds of the columns.
    name : str
        Identifier, as in the registry.
    source : str
        Origin in words.
    time, label_time : ndarray of int64, shape (n,), optional
        When an instance and its label become known (delayed labels).
    ticks : int
        Number of time units in a second if times are dates, counted from 1970-01-01 UTC; 0 if they
        are not dates.
    smoothing : float
        Weight of the newest instance in moving averages of class proportions and measures; the
        registry has a weight for each of its streams.
    source_rows : SourceRows, optional
        Row of each instance in the file or frame, to match predictions of other systems; None if
        the instances are all rows, in order. See `file_rows`.
    groups : Groups, optional
        The entities, such as machines, whose instances are interleaved; see `grouped`.
    zone : str
        Time zone in which times are shown: a name, or an offset such as ``+02:00``; "" if the
        source has no time zone.
    missing_label_texts : str
        Remark for messages: which texts of the source were taken for missing labels, and which
        option to give if such a text is a class.
    unlabelled_kind : str
        Reason why some instances have no label: `MISSING`; `NOT_ARRIVED` according to label times;
        or `MIXED`. A missing label never arrives, whatever its time.

    Raises
    ------
    DataError
        If the arrays contradict each other or the schema.
    """

    X: Floats
    y: NDArray[Any]
    schema: Schema
    name: str = "stream"
    source: str = ""
    time: Integers | None = None
    label_time: Integers | None = None
    ticks: int = 0
    smoothing: float = SMOOTHING
    source_rows: SourceRows | None = field(default=None, repr=False, compare=False)
    missing_label_texts: str = field(default="", repr=False, compare=False)
    zone: str = field(default="", repr=False, compare=False)
    groups: Groups | None = field(default=None, repr=False, compare=False)
    unlabelled_kind: str = field(default="", repr=False, compare=False)
    #: Cache of `digest`, a list as the class is frozen. It is no parameter, so `replace` makes an
    #: empty one.
    _digest: list[str] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Writable, since compiled kernels would be compiled again for read-only arrays.
        X = np.require(self.X, np.float64, ["C", "W"])
        has_classes = self.schema.classes is not None
        y = np.require(self.y, np.int32 if has_classes else np.float64, ["C", "W"])
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", y)
        if X.ndim != 2 or y.ndim != 1 or len(X) != len(y):
            raise DataError(
                f"Stream {self.name!r}: expected X of shape (n, m) and y of shape (n,), "
                f"found {X.shape} and {y.shape}."
            )
        if X.shape[1] != self.schema.n_attributes:
            raise DataError(
                f"Stream {self.name!r}: expected {self.schema.n_attributes} columns of X, one per "
                f"attribute of the schema, found {X.shape[1]}."
            )
        if len(y) == 0:
            raise DataError(
                f"Stream {self.name!r}: expected instances, found none. Check the file and its "
                "filters."
            )
        for times in (self.time, self.label_time):
            if times is not None and times.shape != y.shape:
                raise DataError(
                    f"Stream {self.name!r}: expected time stamps of shape {y.shape}, one per "
                    f"instance, found {times.shape}."
                )
        for what, part in (("groups", self.groups), ("rows of the file", self.source_rows)):
            if part is not None and len(part) != len(y):
                raise DataError(
                    f"Stream {self.name!r}: expected {what} of {len(y):,} instances, found {what} "
                    f"of {len(part):,}."
                )
        if self.label_time is not None:
            not_arrived = self.label_time == NEVER
            if not_arrived.any():
                y = np.where(not_arrived, y.dtype.type(NO_LABEL if has_classes else np.nan), y)
                object.__setattr__(self, "y", y)
        if has_classes:
            self._check_classes()
        self._describe_unlabelled()

    def _describe_unlabelled(self) -> None:
        """Set the reason why labels are missing, and the times of missing labels to `NEVER`."""
        unlabelled = ~self.labelled
        if not unlabelled.any():
            return
        kind = self.unlabelled_kind or MISSING
        if self.label_time is not None:
            missing = unlabelled & (self.label_time != NEVER)
            if not self.unlabelled_kind and not np.array_equal(missing, unlabelled):
                kind = MIXED if missing.any() else NOT_ARRIVED
            if missing.any():
                label_time = np.where(missing, np.int64(NEVER), self.label_time)
                object.__setattr__(self, "label_time", label_time)
        object.__setattr__(self, "unlabelled_kind", kind)

    def _check_classes(self) -> None:
        k = self.schema.n_classes
        if k > MAX_CLASSES:
            raise DataError(
                f"Stream {self.name!r}: expected at most {MAX_CLASSES:,} classes, found {k:,}."
            )
        if self.y.min() < NO_LABEL or self.y.max() >= k:
            row = int(np.flatnonzero((self.y < NO_LABEL) | (self.y >= k))[0])
            raise DataError(
                f"Stream {self.name!r}: expected class codes 0..{k - 1}, or {NO_LABEL} where a "
                f"label is missing, found {int(self.y[row])} at row {row} ({k} classes declared)."
            )

    def __len__(self) -> int:
        return len(self.y)

    def __repr__(self) -> str:
        nominal = sum(attribute.is_nominal for attribute in self.schema.attributes)
        numeric = self.schema.n_attributes - nominal
        counts = {"numeric": numeric, "nominal": nominal}
        kinds = " and ".join(f"{n:,} {kind}" for kind, n in counts.items() if n) or "no"
        n_last_kind = nominal or numeric  # number of the kind next to the word "attribute"
        target = repr(excerpt(self.schema.target))
        labels = f"{self.n_classes:,} class{'es' * (self.n_classes != 1)} of {target}"
        return (
            f"<Stream {excerpt(self.name)!r}: {len(self):,} instance{'s' * (len(self) != 1)}, "
            f"{kinds} attribute{'s' * (n_last_kind != 1)}, "
            + (labels if self.schema.classes is not None else f"numeric target {target}")
            + self.date_range_text
            + ">"
        )

    @property
    def date_range_text(self) -> str:
        """Dates of the first and last arrival, ", 2025-01-01 to ..."; "" without dates."""
        if self.time is None or not self.ticks:
            return ""
        ends = (int(end(self.time)) / self.ticks for end in (np.min, np.max))
        first, last = (date_text(seconds, self.zone) for seconds in ends)
        return f", {first} to {last}" + f" ({self.zone})" * bool(self.zone)

    def head(self, rows: int = 5) -> pd.DataFrame:
        """First instances as a data frame, with the names of values and classes.

        Parameters
        ----------
        rows : int
            Number of instances.
        """
        import pandas as pd

        rows = check_integer(rows, "rows", least=0)
        names_and_values = [*((a.name, a.values) for a in self.schema.attributes)]
        names_and_values.append((self.schema.target, self.schema.classes))
        arrays = [*self.X[:rows].T, self.y[:rows]]
        columns = [
            column if values is None else [values[int(x)] if x >= 0 else None for x in column]
            for (_, values), column in zip(names_and_values, arrays, strict=True)
        ]
        names = [name for name, _ in names_and_values]
        # By number first, since names may occur twice.
        return pd.DataFrame(dict(enumerate(columns))).set_axis(names, axis=1)

    @property
    def n_classes(self) -> int:
        """Number of declared classes."""
        return self.schema.n_classes

    @property
    def labelled(self) -> Flags:
        """Mask of the instances with labels, shape (n,)."""
        mask: Flags = ~np.isnan(self.y) if self.schema.classes is None else self.y != NO_LABEL
        return mask

    @property
    def n_unlabelled(self) -> int:
        """Number of instances without labels; they are predicted, but not scored or learnt."""
        return len(self) - int(np.count_nonzero(self.labelled))

    @property
    def unlabelled_text(self) -> str:
        """Statement such as "3 labels have not arrived"; "" if all instances are labelled."""
        n_missing = self.n_unlabelled
        if not n_missing:
            return ""
        reason = unlabelled_reason(self.unlabelled_kind, n_missing)
        labels = f"label{'s' * (n_missing > 1)} {reason}"
        return f"{n_missing:,} {labels}" + f" ({self.missing_label_texts})" * bool(
            self.missing_label_texts
        )

    def with_labels(self) -> Stream:
        """Stream of the labelled instances; the stream itself if all are labelled."""
        return self.take(np.flatnonzero(self.labelled)) if self.n_unlabelled else self

    @property
    def file_rows(self) -> Integers:
        """Row of the file or frame of each instance, from 0, shape (n,).

        A stream that is sorted by time, shuffled or cut keeps these numbers. They identify
        instances in results and in predictions of other systems.

        Examples
        --------
        >>> import pandas as pd
        >>> import streameval as se
        >>> frame = pd.DataFrame({"day": [3, 1, 2], "x": [0.3, 0.1, 0.2], "y": [1, 0, 0]})
        >>> stream = se.from_pandas(frame, "y", time="day")
        >>> stream.X.ravel(), stream.file_rows
        (array([0.1, 0.2, 0.3]), array([1, 2, 0]))
        """
        return self.source_rows_or_all.row_number

    def file_row_of(self, instances: R) -> R | Integers:
        """Row of the file or frame of some instances, given by their places in the stream."""
        return instances if self.source_rows is None else self.source_rows.row_number[instances]

    @property
    def source_rows_or_all(self) -> SourceRows:
        """`source_rows`, or all rows in their order if it is None."""
        return self.source_rows or SourceRows(np.arange(len(self)), len(self))

    def grouped(self, by: str | ArrayLike) -> Stream:
        """Stream of several entities, such as machines, whose instances are interleaved.

        Learners are not affected. The baselines No-Change, Majority, previous target and seasonal
        predict from labels of the same entity, and confidence intervals allow for dependence among
        all instances of an entity.

        Parameters
        ----------
        by : str or array-like
            Name of the input with the entities, nominal or whole numbers, which stays an input; or
            a value for each row of the file or frame, in its order (see `file_rows`). A part of a
            file may also have a value for each instance. A pandas series is matched by its index.

        Raises
        ------
        ConfigError, DataError
            If there is no such input, a value is missing, or all values differ.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.from_arrays([[1, 0.5], [2, 0.1], [1, 0.4], [2, 0.2]], [0, 1, 0, 1])
        >>> stream.grouped("x0").groups.names
        ('1', '2')
        """
        from streameval.streams.groups import make_groups

        inputs = [(attribute.name, attribute.values) for attribute in self.schema.attributes]
        groups = make_groups(self.X, inputs, by, self.name, self.source_rows_or_all)
        return replace(self, groups=groups)

    @property
    def digest(self) -> str:
        """SHA-256 of schema and arrays; it depends on the content only, not on the file."""
        if not self._digest:
            sha = hashlib.sha256(self.schema.to_json().encode())
            for array in (self.X, self.y, self.time, self.label_time):
                if array is None:
                    sha.update(b"none")
                    continue
                sha.update(f"{array.shape}{array.dtype.str}".encode())
                sha.update(np.ascontiguousarray(array).data)
            if self.groups is not None:
                from streameval.streams.groups import codes_by_appearance

                sha.update(self.groups.column.encode())
                # The order of `groups.names` has no influence on results.
                sha.update(codes_by_appearance(self.groups.code)[0].data)
            self._digest.append(sha.hexdigest())
        return self._digest[0]

    def first(self, rows: int) -> Stream:
        """Stream of the instances that arrive first, in the order of this stream.

        Parameters
        ----------
        rows : int
            Number of instances, at least 1. A shorter stream is returned unchanged. Without times,
            the arrays of the result are views.
        """
        if check_integer(rows, "rows") >= len(self):
            return self
        if self.time is None:
            return self.take(slice(rows))
        return self.take(np.sort(np.argsort(self.time, kind="stable")[:rows]))

    def take(self, rows: NDArray[np.intp] | slice, name: str | None = None) -> Stream:
        """Stream of the given rows, in the given order.

        Parameters
        ----------
        rows : ndarray of int or slice
            Row numbers of this stream, from 0; a number may occur more than once. The result keeps
            `file_rows`.
        name : str, optional
            Name of the result, by default the name of this stream.

        Raises
        ------
        ConfigError
            If there is no such row.
        """
        try:
            indices = np.arange(len(self))[rows]
        except (IndexError, TypeError, ValueError, OverflowError):
            indices = None
        if indices is None or indices.ndim != 1:
            raise ConfigError(
                f"rows: expected an array or a slice of row numbers below {len(self):,}, found "
                f"{excerpt(repr(rows), 60)}."
            )
        columns = columns_at(self, rows)
        if self.source_rows is None:
            columns["source_rows"] = self.source_rows_or_all.select(rows)
        name = self.name if name is None else name_of(name, "name")
        X = select_rows(
            self.X, rows if isinstance(rows, slice) else indices
        )  # a slice gives a view
        return replace(self, X=X, name=name, **columns)


def columns_at(stream: Stream, rows: NDArray[Any] | slice) -> dict[str, Any]:
    """Fields of a stream at some rows, except the inputs, as arguments of `dataclasses.replace`.

    Parameters
    ----------
    stream : Stream
        The n instances.
    rows : ndarray of int or bool, or slice
        A row may occur more than once.

    Returns
    -------
    dict
        The fields of a stream that have a value for each instance, other than ``X``.
    """
    arrays = {name: getattr(stream, name) for name in ("y", "time", "label_time")}
    columns: dict[str, Any] = {
        name: None if array is None else array[rows] for name, array in arrays.items()
    }
    for name in ("groups", "source_rows"):
        column = getattr(stream, name)
        columns[name] = None if column is None else column.select(rows)
    return columns
