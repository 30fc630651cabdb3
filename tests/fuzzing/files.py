"""Drawing files for the fuzz test: tables, how they are written, and how they are mangled."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from naive.readers import MISSING, Cell, Reading, read_arff_body, read_csv

#: Texts that are hard on a reader. None is a number, a date, a truth value or missing.
TEXTS = (
    "a", "b", "Z", "é", "中文", "a b", "x,y", 'say "x"', "it's", "50%", "{x}", "a\\b", "two\nlines",
    "cr\rhere", "both\r\nends", "tab\there", "#", "@data", "% no comment", "null", "-", "1a",
    "1_000", "12:99", "2020-13-01", "yes", "a;b", "\U0001f600", "None", "nan!", "x" * 300,
)  # fmt: skip
_ORDINARY = TEXTS[:6]
_NUMBERS = (0.0, -0.0, 1.0, -1.5, 1e-300, 1e300, 3.14159, 2.0**53 + 2, 1e19, 0.1, -7e-5)
#: What is put into files that are to be mangled.
_SPECIAL = (
    b'"', b"'", b",", b"\r", b"\n", b"\r\n", b"\x00", b"?", b" ? ", b"{", b"}", b"%", b"\\", b"\t",
    b" ", b"\xff", b"\xef\xbb\xbf", b"\xc3\xa9", b"1e999", b"nan", b"inf", b"-", b"0x1p3", b",,",
    b"\xe2\x80\xa8", b'""', b"\n\n", b"@data\n", b"1_0", b"NA", b"true", b"2020-01-01", b"{0 1}",
    b",{0.5}", b"9" * 30,
)  # fmt: skip
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Case:
    """A file that the package is to read.

    Parameters
    ----------
    ending, wrapper : str
        Ending of its name, and what the file is packed into.
    body : bytes
        Its content.
    target : str or None
        The column to predict; of YAML what it is for.
    is_mangled : bool
        Whether the file is no longer what was written.
    expected : Reading, optional
        What it says, if it was not mangled.
    oracle : callable, optional
        Reads the content, where there is an independent reader of it.
    options : dict
        Options of the reader.
    harm : int
        Where the wrapper is damaged: a byte from its end, cut off there if it is even; 0 nowhere.
    """

    ending: str
    wrapper: str
    body: bytes
    target: str | None
    is_mangled: bool = False
    expected: Reading | None = None
    oracle: Callable[[bytes], Reading] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    harm: int = 0

    @property
    def is_for_registry(self) -> bool:
        """Whether it needs an option that only rows of the registry have."""
        return not {"names", "header", "first"}.isdisjoint(self.options)


@dataclass(frozen=True)
class Column:
    """A column: what kind its cells are of, and the cells."""

    name: str
    kind: str
    cells: list[Cell]


def make_case(rng: random.Random) -> Case:
    """Draw a file; half of them are mangled."""
    n = rng.choice((1, 2, 3, rng.randint(1, 60)))
    wrapper = rng.choice(("", "", "", "gz", "xz", "zip", "gz.gz", "gz+gz"))
    columns = [_column(rng, f"c{j}", n) for j in range(rng.randint(1, 5))]
    texts = rng.sample(TEXTS, rng.randint(1, 4))
    labels = [rng.choice(texts) for _ in range(n)]
    make = rng.choice((_csv, _csv, _arff, _arff, _parquet))
    case: Case = make(rng, columns, labels, wrapper)
    if case.wrapper and rng.random() < 0.1:
        return replace(case, is_mangled=True, harm=rng.randint(1, 200))
    return _mangled(rng, case) if rng.random() < 0.5 else case


def _column(rng: random.Random, name: str, n: int) -> Column:
    kind = rng.choice(("number", "number", "integer", "text", "truth", "date", "moment", "time"))
    missing = rng.choice((0.0, 0.0, 0.2, 1.0 if rng.random() < 0.2 else 0.5))
    texts = rng.sample(TEXTS, rng.randint(1, len(TEXTS)))
    draw: dict[str, Callable[[], Cell]] = {
        "number": lambda: rng.choice((*_NUMBERS, rng.gauss(0, 1), rng.uniform(-1e6, 1e6))),
        "integer": lambda: float(rng.randint(-1000, 1000)),
        "text": lambda: rng.choice(texts),
        "truth": lambda: float(rng.randint(0, 1)),
        "date": lambda: 86_400.0 * rng.randint(-20_000, 40_000),
        "moment": lambda: float(rng.randint(-(10**9), 4 * 10**9)),
        "time": lambda: float(rng.randint(0, 86_399)),
    }
    cells = [None if rng.random() < missing else draw[kind]() for _ in range(n)]
    return Column(name, kind, cells)


def _reading(columns: list[Column], labels: list[str], classes: list[str] | None) -> Reading:
    return Reading(
        [column.name for column in columns],
        # Without a single cell nothing says that a column is one of texts.
        [column.cells for column in columns],
        labels,
        classes or sorted({*labels}),
    )


def _shown(rng: random.Random, kind: str, cell: float) -> str:
    """Return one of the spellings of a number, by the kind of its column."""
    moment = _EPOCH + timedelta(seconds=cell if kind in ("date", "moment", "time") else 0)
    match kind:
        case "truth":
            return rng.choice(
                ("false", "False", "FALSE") if cell == 0 else ("true", "True", "TRUE")
            )
        case "date":
            return f"{moment:%Y-%m-%d}"
        case "moment":
            return f"{moment:%Y-%m-%d}{rng.choice(' T')}{moment:%H:%M:%S}"
        case "time":
            return f"{moment:%H:%M:%S}"
        case "integer":
            return rng.choice((str(int(cell)), str(int(cell)), f"{cell:.1f}", f"{cell:.3e}"))
    return repr(cell)


# --- CSV ----------------------------------------------------------------------------------


def _csv(rng: random.Random, columns: list[Column], labels: list[str], wrapper: str) -> Case:
    end = rng.choice(("\n", "\n", "\r\n", "\r"))
    quoted, padded, blank = (rng.choice((0.0, 0.0, 0.3)) for _ in range(3))
    place = rng.randint(0, len(columns))
    options = _options(rng, [column.name for column in columns], len(labels))
    missing = options.get("missing", MISSING)

    def spelt(kind: str, value: Cell) -> str:
        if value is None:
            return rng.choice(missing)
        if not isinstance(value, float):
            return value
        return _shown(rng, kind, value) + (zone(value) if kind == "moment" else "")

    def zone(value: float) -> str:
        return "" if value % 2 else rng.choice(("", "Z", "+00:00", "-0000"))

    def cell(text: str) -> str:
        if rng.random() < quoted or any(mark in text for mark in ',"\n\r'):
            return '"' + text.replace('"', '""') + '"'
        padding = rng.choice((" ", "\t", "  ")) if rng.random() < padded else ""
        return padding + text + rng.choice(("", padding))

    texts = [[spelt(column.kind, value) for value in column.cells] for column in columns]
    table = [[column.name, *cells] for column, cells in zip(columns, texts, strict=True)]
    table.insert(place, ["the target", *labels])
    lines = []
    for row in [*zip(*table, strict=True)][not options.get("header", True) :]:
        # A line of blanks alone would be a row of one column.
        lines.append(",".join(map(cell, row)))
        lines += [""] * (rng.random() < blank)
    body = end.join(lines) + end * rng.randint(0, 1)
    head = rng.choice((b"", b"", b"\xef\xbb\xbf"))
    ending = rng.choice(("csv", "csv", "data", "txt", "CSV"))
    target, first = "the target", options.get("first", len(labels))
    if "header" in options and "names" not in options:
        target = f"x{place + 1}"
        columns = [replace(c, name=f"x{j + 1 + (j >= place)}") for j, c in enumerate(columns)]
    elif "names" in options:
        options["names"].insert(place, target)
    if numeric := [c.name for c in columns if c.kind in ("number", "integer")]:
        options |= rng.choice(({}, {"numeric": numeric[:1]}))
    if rng.random() < 0.2:
        j = rng.randrange(len(columns))
        options["nominal"] = [name := columns[j].name]
        options.pop("numeric", None)
        names = [None if v is None else t for v, t in zip(columns[j].cells, texts[j], strict=True)]
        columns[j] = Column(name, "text", [*names])
    if len(columns) > 1 and rng.random() < 0.2:
        dropped = columns.pop(rng.randrange(len(columns)))
        options["drop"] = [dropped.name]
    columns = [Column(c.name, c.kind, c.cells[:first]) for c in columns]
    expected, oracle = _reading(columns, labels[:first], None), partial(read_csv, target=target)
    return Case(
        *(ending, wrapper, head + body.encode(), target, False, expected),
        *(partial(oracle, **options), options),
    )


def _options(rng: random.Random, names: list[str], n: int) -> dict[str, Any]:
    """Draw options that say how a file is to be written; half of the files need none."""
    options: dict[str, Any] = {}
    if rng.random() < 0.5:
        return options
    if rng.random() < 0.3:
        options["missing"] = ("n/a", "-999999", " - - ")
    if rng.random() < 0.3:
        options["first"] = rng.randint(1, n)
    if rng.random() < 0.3:
        options["header"] = False
    if rng.random() < 0.3:
        options["names"] = [*names]
    return options


# --- ARFF ---------------------------------------------------------------------------------

_PATTERN = "%Y-%m-%d %H:%M:%S"


def _arff(rng: random.Random, columns: list[Column], labels: list[str], wrapper: str) -> Case:
    end = rng.choice(("\n", "\n", "\r\n", "\r"))
    trailing = rng.random() < 0.2
    simple = rng.random() < 0.5  # no quotes anywhere: the fast path
    sparse = not simple and rng.random() < 0.4
    if simple:
        columns = [_without_hard_texts(rng, column) for column in columns]
        known = dict(zip(dict.fromkeys(labels), "pqrstu", strict=False))
        labels = [known[label] for label in labels]
    declared: list[tuple[str, Any]] = []
    for column in columns:
        kind: Any = "numeric"
        if column.kind == "moment":
            kind = _PATTERN
        elif column.kind == "text":
            kind = _values(rng, [c for c in column.cells if isinstance(c, str)])
        declared.append((column.name, kind))
    declared.append(("the target", _values(rng, labels)))
    head = ["% a comment", "@relation 'a b'", ""]
    for name, kind in declared:
        if kind == "numeric":
            shown = rng.choice(("numeric", "REAL", "integer"))
        elif kind == _PATTERN:
            shown = 'date "yyyy-MM-dd HH:mm:ss"'
        else:
            shown = "{" + rng.choice((",", ", ")).join(map(_arff_quoted, kind)) + "}"
        head.append(f"{rng.choice(('@attribute', '@ATTRIBUTE'))} {_arff_quoted(name)} {shown}")
    head.append(rng.choice(("@data", "@DATA")))

    def text(kind: str, value: Cell) -> str:
        if value is None:
            return "?"
        if isinstance(value, str):
            return _arff_quoted(value)
        if kind != "moment":
            return repr(value)
        moment = f"{_EPOCH + timedelta(seconds=value):{_PATTERN}}"
        return moment if simple else f'"{moment}"'

    lines = []
    for row in zip(*(c.cells for c in columns), labels, strict=True):
        cells = [
            text(kind, v) for kind, v in zip([*(c.kind for c in columns), ""], row, strict=True)
        ]
        if sparse and rng.random() < 0.5:
            first = [kind if isinstance(kind, str) else kind[0] for _, kind in declared]
            kept = [
                f"{j} {cell}"
                for j, (cell, value) in enumerate(zip(cells, row, strict=True))
                if value is None or value != (0.0 if isinstance(declared[j][1], str) else first[j])
                or str(value) == "-0.0" or first[j] == _PATTERN
            ]  # fmt: skip
            lines.append("{" + ", ".join(kept) + "}")
            continue
        pad = rng.choice(("", "", " ", "\t"))
        lines.append(f"{pad},{pad}".join(cells) + "," * trailing)
        if not simple and rng.random() < 0.1:
            lines.append(rng.choice(("", "% a comment", "   ")))
    header = (end.join(head) + end).encode()
    body = (end.join(lines) + end * rng.randint(0, 1)).encode()
    expected = _reading(columns, labels, [*declared[-1][1]])

    def oracle(content: bytes) -> Reading:
        return read_arff_body(content.removeprefix(header), declared)

    ending = rng.choice(("arff", "arff", "ARFF"))
    return Case(ending, wrapper, header + body, None, False, expected, oracle)


def _without_hard_texts(rng: random.Random, column: Column) -> Column:
    if column.kind != "text":
        return column
    cells = [None if cell is None else rng.choice(_ORDINARY) for cell in column.cells]
    return Column(column.name, column.kind, [*cells])


def _values(rng: random.Random, texts: list[str]) -> list[str]:
    values = sorted({*texts, *rng.sample(_ORDINARY, 1)})
    rng.shuffle(values)
    return values


def _arff_quoted(text: str) -> str:
    if text.isalnum() and text.isascii():
        return text
    for mark, escape in (("\\", r"\\"), ("'", r"\'"), ("\n", r"\n"), ("\r", r"\r"), ("\t", r"\t")):
        text = text.replace(mark, escape)
    return f"'{text}'"


# --- Parquet ------------------------------------------------------------------------------


def _parquet(rng: random.Random, columns: list[Column], labels: list[str], wrapper: str) -> Case:
    arrays = {column.name: _array(rng, column) for column in columns}
    label = pa.array(labels)
    arrays["the target"] = rng.choice(
        (label, label.dictionary_encode(), label.cast("large_string"))
    )
    file = io.BytesIO()
    pq.write_table(pa.table(arrays), file, compression=rng.choice(("zstd", "snappy", "none")))
    expected = _reading(columns, labels, None)
    return Case("parquet", "", file.getvalue(), "the target", False, expected)


def _texts(rng: random.Random, made: pa.Array) -> pa.Array:
    return rng.choice((made, made.dictionary_encode(), made.cast("large_string")))


def _array(rng: random.Random, column: Column) -> pa.Array:
    cells: list[Any] = [*column.cells]
    match column.kind:
        case "text":
            if rng.random() < 0.3:
                cells = [rng.choice((None, "?", " NA ", "")) if c is None else c for c in cells]
            return _texts(rng, pa.array(cells, pa.string()))
        case "truth":
            return pa.array([None if c is None else bool(c) for c in cells], pa.bool_())
        case "integer":
            kind = rng.choice((pa.int16(), pa.int64(), pa.float32(), pa.decimal128(25, 2)))
            whole = pa.array([None if c is None else int(c) for c in cells], pa.int64())
            return whole.cast(kind)
        case "date":
            days = pa.array([None if c is None else int(c // 86_400) for c in cells], pa.int32())
            return days.cast(pa.date32())
        case "moment":
            unit = rng.choice(("s", "ms", "us", "ns"))
            seconds = pa.array([None if c is None else int(c) for c in cells], pa.int64())
            return seconds.cast(pa.timestamp("s")).cast(
                pa.timestamp(unit, rng.choice((None, "UTC")))
            )
        case "time":
            seconds = pa.array([None if c is None else int(c) for c in cells], pa.int32())
            return seconds.cast(pa.time32("s")).cast(rng.choice((pa.time32("ms"), pa.time64("us"))))
    as_nan = rng.random() < 0.5
    return pa.array([np.nan if c is None and as_nan else c for c in cells], pa.float64())


# --- mangling -----------------------------------------------------------------------------


def _mangled(rng: random.Random, case: Case) -> Case:
    body, oracle = bytearray(case.body), case.oracle
    # Where a header is, the oracle knows it from the table: mostly it is left as it is.
    start = 0
    if case.ending.lower() == "arff":
        start = re.search(rb"(?i)@data(\r\n|\r|\n)", case.body).end()  # type: ignore[union-attr]
        if rng.random() < 0.2:
            start, oracle = 0, None
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(min(start, len(body)), len(body))
        size = rng.choice((1, 1, 2, rng.randint(1, 30)))
        match rng.randint(0, 5):
            case 0 if at < len(body):
                body[at] ^= 1 << rng.randint(0, 7)
            case 1:
                del body[at : at + size]
            case 2:
                body[at:at] = body[at : at + size]
            case 3 | 0:
                body[at:at] = rng.choice(_SPECIAL)
            case 4:
                del body[at:]
            case 5:
                body[at : at + size] = rng.choice(_SPECIAL)
    if bytes(body) == case.body:
        return case
    return replace(case, body=bytes(body), is_mangled=True, expected=None, oracle=oracle)
