"""Drawing files for the fuzz test: tables, how they are written, and how they are mangled."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from naive.readers import Cell, Reading, read_arff_body

from fuzzing.cases import EPOCH, Case, Column, reading
from fuzzing.csv_files import make_csv

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


def make_case(rng: random.Random) -> Case:
    """Draw a file; half of them are mangled."""
    n = rng.choice((1, 2, 3, rng.randint(1, 60)))
    wrapper = rng.choice(("", "", "", "gz", "xz", "zip", "gz.gz", "gz+gz"))
    columns = [_column(rng, f"c{j}", n) for j in range(rng.randint(1, 5))]
    texts = rng.sample(TEXTS, rng.randint(1, 4))
    labels = [rng.choice(texts) for _ in range(n)]
    make = rng.choice((make_csv, make_csv, _arff, _arff, _parquet))
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
            type_text = rng.choice(("numeric", "REAL", "integer"))
        elif kind == _PATTERN:
            type_text = 'date "yyyy-MM-dd HH:mm:ss"'
        else:
            type_text = "{" + rng.choice((",", ", ")).join(map(_arff_quoted, kind)) + "}"
        head.append(f"{rng.choice(('@attribute', '@ATTRIBUTE'))} {_arff_quoted(name)} {type_text}")
    head.append(rng.choice(("@data", "@DATA")))

    def text(kind: str, value: Cell) -> str:
        if value is None:
            return "?"
        if isinstance(value, str):
            return _arff_quoted(value)
        if kind != "moment":
            return repr(value)
        moment = f"{EPOCH + timedelta(seconds=value):{_PATTERN}}"
        return moment if simple else f'"{moment}"'

    lines = []
    for row in zip(*(c.cells for c in columns), labels, strict=True):
        cells = [
            text(kind, v) for kind, v in zip([*(c.kind for c in columns), ""], row, strict=True)
        ]
        if sparse and rng.random() < 0.5:
            first = [kind if isinstance(kind, str) else kind[0] for _, kind in declared]
            sparse_cells = [
                f"{j} {cell}"
                for j, (cell, value) in enumerate(zip(cells, row, strict=True))
                if value is None or value != (0.0 if isinstance(declared[j][1], str) else first[j])
                or str(value) == "-0.0" or first[j] == _PATTERN
            ]  # fmt: skip
            lines.append("{" + ", ".join(sparse_cells) + "}")
            continue
        pad = rng.choice(("", "", " ", "\t"))
        lines.append(f"{pad},{pad}".join(cells) + "," * trailing)
        if not simple and rng.random() < 0.1:
            lines.append(rng.choice(("", "% a comment", "   ")))
    header = (end.join(head) + end).encode()
    body = (end.join(lines) + end * rng.randint(0, 1)).encode()
    expected = reading(columns, labels, [*declared[-1][1]])

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
    arrays["the target"] = _texts(rng, pa.array(labels))
    file = io.BytesIO()
    pq.write_table(pa.table(arrays), file, compression=rng.choice(("zstd", "snappy", "none")))
    expected = reading(columns, labels, None)
    return Case("parquet", "", file.getvalue(), "the target", False, expected)


def _texts(rng: random.Random, values: pa.Array) -> pa.Array:
    return rng.choice((values, values.dictionary_encode(), values.cast("large_string")))


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
