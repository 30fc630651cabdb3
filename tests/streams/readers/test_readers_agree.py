"""Any table that is written as CSV and Parquet is read as it was written, alike by both."""

from __future__ import annotations

import datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from streameval.streams.readers.csv_file import read_csv
from streameval.streams.readers.parquet_file import read_parquet

BLANKS = st.sampled_from(["", " ", "\t ", "  "])
ANY = st.text('ab,"\n\r\t \x0b\x1d0é', max_size=6)
TEXT_TYPES = [
    *(pa.string(), pa.large_string(), pa.string_view()),
    pa.dictionary(pa.int32(), pa.string()),
]


@st.composite
def columns(draw, n):
    """CSV texts, an Arrow array, and the values that both represent (None: missing)."""
    kinds = ["number", "whole", "unsigned", "truth", "moment", "time", "text"]
    kind = draw(st.sampled_from(kinds))
    if kind == "text":
        cells = draw(st.lists(ANY.map(lambda s: "k" + s + "k"), min_size=n, max_size=n))
        values = [None if draw(st.integers(0, 4)) == 0 else cell for cell in cells]
        return values, pa.array(values, draw(st.sampled_from(TEXT_TYPES))), values
    element, arrow, text, number = {
        "number": (st.floats(allow_nan=False, allow_infinity=False), pa.float64(), repr, float),
        "whole": (st.integers(-(2**63), 2**63 - 1), pa.int64(), str, float),
        "unsigned": (st.integers(0, 2**64 - 1), pa.uint64(), str, float),
        "truth": (st.booleans(), pa.bool_(), lambda v: str(v).lower(), float),
        "moment": (
            st.datetimes(),
            pa.timestamp("us"),
            lambda v: v.isoformat(" "),
            lambda v: (v - datetime.datetime(1970, 1, 1)) / datetime.timedelta(seconds=1),
        ),
        "time": (
            st.times(),
            pa.time64("us"),
            lambda v: v.isoformat(),
            lambda v: datetime.timedelta(
                hours=v.hour, minutes=v.minute, seconds=v.second, microseconds=v.microsecond
            ).total_seconds(),
        ),
    }[kind]
    values = draw(st.lists(st.none() | element, min_size=n, max_size=n))
    texts = [None if v is None else draw(BLANKS) + text(v) + draw(BLANKS) for v in values]
    return texts, pa.array(values, arrow), [np.nan if v is None else number(v) for v in values]


@st.composite
def tables(draw):
    n = draw(st.integers(1, 8))
    return n, draw(st.lists(columns(n), min_size=1, max_size=3))


def quoted(draw, text):
    """A CSV value, quoted where necessary, otherwise at random."""
    if text is None:
        text = draw(BLANKS) + draw(st.sampled_from(["", "?", "NA", "NaN"])) + draw(BLANKS)
    needed = any(mark in text for mark in ',"\n\r')
    return '"' + text.replace('"', '""') + '"' if needed or draw(st.booleans()) else text


@given(tables(), st.sampled_from(["\n", "\r\n", "\r"]), st.data())
def test_whatever_is_written_is_read(tmp_path_factory, table, end, data):
    n, content = table
    folder = tmp_path_factory.mktemp("rule")
    rows = [
        ",".join([*(quoted(data.draw, texts[i]) for texts, _, _ in content), f"c{i % 2}"])
        for i in range(n)
    ]
    blank = [end * data.draw(st.integers(0, 2)) for _ in rows]
    header = ",".join([*(f"x{j}" for j in range(len(content))), "c"])
    text = header + end + "".join(row + end + gap for row, gap in zip(rows, blank, strict=True))
    (folder / "a.csv").write_bytes(text.encode())
    labels = [f"c{i % 2}" for i in range(n)]
    arrays = {f"x{j}": array for j, (_, array, _) in enumerate(content)}
    pq.write_table(pa.table({**arrays, "c": labels}), folder / "a.parquet")
    streams = [read_csv(folder / "a.csv", "c"), read_parquet(folder / "a.parquet", "c")]
    for stream in streams:
        assert [stream.schema.classes[code] for code in stream.y] == labels
        for j, (_, _, expected) in enumerate(content):
            values = stream.schema.attributes[j].values
            if any(isinstance(value, str) for value in expected):
                codes = stream.X[:, j]
                got = [None if code != code else values[int(code)] for code in codes]
                assert got == expected
            else:
                assert values is None
                np.testing.assert_array_equal(stream.X[:, j], np.array(expected, float))
    assert streams[0].digest == streams[1].digest
