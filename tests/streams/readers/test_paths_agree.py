"""Files read block by block and as a whole: the same streams, warnings and messages."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fuzzing.files import make_case
from fuzzing.inputs import compare, wrapped
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import readers as literal

from streameval.base import matrices
from streameval.base.errors import DataError, StreamevalError
from streameval.streams.readers import arff, blocks, csv_file, parquet_file, texts
from streameval.streams.readers.any_file import read_any
from streameval.streams.readers.content import Source
from streameval.streams.readers.csv_file import read_csv
from streameval.streams.readers.dialect import decimal_of
from streameval.streams.readers.frame import read_frame
from streameval.streams.readers.parquet_file import read_parquet
from streameval.streams.readers.parquet_parts import ParquetParts


@contextmanager
def read_whole():
    """Read each file by the reader that looks at all of it."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (arff, csv_file, parquet_file):
            patch.setattr(module._Reader, "read_blocks", lambda _: None)
        yield


@pytest.mark.parametrize("most", [1, 1 << 12])
def test_texts_that_a_group_of_rows_lists_and_that_do_not_occur_are_no_values(
    tmp_path, most, monkeypatch
):
    # As rare texts are in most rows that are decoded together.
    path = tmp_path / "rare.parquet"
    q = ["u", "v", None, "u"] * 50
    q[100] = "rare"
    pq.write_table(
        pa.table({"p": range(200), "q": q, "c": [*"xyxx"] * 50}), path, row_group_size=150
    )
    monkeypatch.setattr(parquet_file, "_MAX_DICTIONARY", most)
    (schema, *_), _ = assert_agree(read_parquet, path, "c")[0]
    assert schema.attributes[1].values == ("rare", "u", "v")
    parts = ParquetParts.of(Source.of_table(path))
    assert parquet_file._dictionary_columns(parts, ["p", "q", "c"]) == ["q", "c"]


@pytest.mark.parametrize("options", [{"numeric": ["p"]}, {"time": "p"}])
def test_unused_categories_are_not_read_as_numbers(tmp_path, options):
    numbers = pd.Categorical([*"1235"] * 9, [*"123x5"])
    frame = pd.DataFrame({"p": numbers, "q": 1.5, "c": [*"uvvu"] * 9})
    path = tmp_path / "a.parquet"
    frame.to_parquet(path)
    (about, _), _ = assert_agree(read_any, path, "c", **options)
    assert about[0].classes == ("u", "v")
    assert read_frame(frame, "c", **options).X.shape == (36, 1 + ("numeric" in options))
    with pytest.raises(DataError, match="expected rows of data"):
        read_frame(frame[:0], "c", **options)


def test_dates_that_are_names_are_not_expected_in_order(tmp_path):
    days = pd.to_datetime([f"2024-01-{1 + i * 7 % 28:02}" for i in range(28)])
    path = tmp_path / "a.parquet"
    pd.DataFrame({"p": days, "q": days, "x": range(28), "c": [*"uvvv"] * 7}).to_parquet(path)
    _, remarks = assert_agree(read_parquet, path, "c", nominal=["p"])
    assert [" 'q' go back" in remark for remark in remarks] == [True]


@pytest.mark.parametrize("short", ["p", "c"])
def test_columns_of_parquet_that_end_early_are_not_filled_up(tmp_path, short, monkeypatch):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"p": range(200), "q": range(200), "c": [*"xyxx"] * 50}), path)
    expected, blocks_of = outcome(read_parquet, path, "c"), parquet_file._blocks
    whole = []

    def some(file, origin, wanted, *rest):
        blocks = [*blocks_of(file, origin, wanted, *rest)]
        return blocks[: -1 if short in wanted else None]

    def read_whole(reading):
        whole.append(reading)
        return read(reading)

    read = parquet_file._Reader.read_whole
    monkeypatch.setattr(parquet_file, "_blocks", some)
    monkeypatch.setattr(parquet_file._Reader, "read_whole", read_whole)
    for size in (1, 200, 1 << 20):
        with in_blocks(size):
            assert outcome(read_parquet, path, "c") == expected
    assert len(whole) == 3


def test_a_wide_table_is_decoded_some_columns_at_a_time(tmp_path):
    # Of each column Arrow keeps a page and a list of values, 2 MB and more: here 60 MB in all.
    path, draws = tmp_path / "wide.parquet", np.random.default_rng(1)
    columns = {f"x{j}": draws.random(150_000) for j in range(24)}
    pq.write_table(pa.table({**columns, "c": [*"xyxxx"] * 30_000}), path)
    code = (
        "import sys, pyarrow\n"
        "from streameval.streams.readers.parquet_file import read_parquet\n"
        "read_parquet(sys.argv[1], 'c')\n"
        "print(pyarrow.default_memory_pool().max_memory())"
    )
    most = int(subprocess.check_output([sys.executable, "-c", code, path], text=True))
    assert most < 20e6


@contextmanager
def in_blocks(size):
    """Read files in blocks of so many bytes; odd sizes use mapped matrices."""
    with pytest.MonkeyPatch.context() as patch:
        if size % 2:
            for module in (matrices, parquet_file):
                patch.setattr(module, "is_large", lambda size, held=0: True)
        patch.setattr(blocks, "BLOCK", size)
        patch.setattr(texts, "_MAX_TEXTS", -1 if size % 2 else 100)
        patch.setattr(parquet_file, "_ROWS", 1 + size // 20)
        patch.setattr(parquet_file, "_COLUMNS", 1 + size % 3)
        yield


def outcome(read, *words, **options):
    """Outcome of a reader: the bytes of a stream or the error message, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            stream = read(*words, **options)
        except StreamevalError as error:
            result = (type(error), str(error))
        else:
            about = (stream.schema, stream.name, stream.source, stream.ticks, stream.smoothing)
            arrays = (stream.X, stream.y, stream.time, stream.label_time)
            result = about, [None if a is None else (a.dtype, a.shape, a.tobytes()) for a in arrays]
    return result, [str(warning.message) for warning in caught]


def assert_agree(read, *words, sizes=(1, 40, 200, 1 << 20), **options):
    with read_whole():
        expected = outcome(read, *words, **options)
    for size in sizes:
        with in_blocks(size):
            assert outcome(read, *words, **options) == expected, f"blocks of {size} bytes"
    return expected


def test_remarks_have_one_order(tmp_path):
    path = tmp_path / "a.csv"
    days = [f"2024-01-{1 + i * 7 % 28:02}|{i}|{'uv'[i % 3 > 0]}" for i in range(28)]
    path.write_text("\n".join(["day|x|y", *days]))
    _, said = assert_agree(read_any, path, "y")
    assert ["go back" in text for text in said] == [True, False]
    assert "read with bars" in said[1]


@pytest.mark.parametrize("seed", range(8))
def test_generated_and_mangled_files(seed, tmp_path):
    refused = 0
    for number in range(40):
        case = make_case(random.Random(f"{seed}:{number}"))
        name, content = wrapped(case)
        path = tmp_path / name
        path.write_bytes(content)
        read = read_csv if case.is_for_registry else read_any
        target = (case.target or "") if case.is_for_registry else case.target
        result = assert_agree(read, path, target, **case.options)[0]
        refused += isinstance(result[0], type)
        path.unlink()
    assert 3 < refused < 37


#: What pyarrow, Python and the eye read in different ways, or might.
CELLS = st.sampled_from([
    "0", "1", "-1", "2.5", "-0", "-0.0", "+1", "007", "1e5", "1E-400", "1e999", "0x10", "0X1F",
    ".5", "5.", "9007199254740993", "9223372036854775807", "9223372036854775808", "0.1", "9" * 21,
    "0.30000000000000004", "1_0", "1,5", "inf", "-Infinity", "nan", "NaN", "NA", "?", "", " ",
    " ?", "? ", " 1", "1\t", " -1", "-1 ", "true", "FALSE", "2020-01-31", "31/12/2020",
    "03/04/2020", "12:30", "12:30:00.25", "2020-01-31 12:30:00Z", "a", " a", "é", "\u2028",
    "\ufeff1", "\ufeff", "\x00", "x" * 50,
])  # fmt: skip
LIKE = st.sampled_from(["1", "2.5", "-3", "4e2"])
COLUMN = st.sampled_from([CELLS, LIKE, LIKE, st.one_of(*[LIKE] * 9, CELLS)])
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "missing": st.sampled_from([("-1",), ("?", "a"), ("1",)]),
        "numeric": st.just(("p",)),
        "nominal": st.just(("q",)),
        "numeric_target": st.just(True),
        "drop": st.just(("q",)),
        "time": st.just("p"),
        "separator": st.sampled_from([",", ";"]),
        "decimal": st.sampled_from([",", "."]),
        "encoding": st.sampled_from(["utf-8", "cp1252"]),
    },
)


def quoted(draw, text, separator):
    if any(mark in text for mark in ('"', separator, "\n", "\r")) or draw(st.integers(0, 9)) == 0:
        text = '"' + text.replace('"', '""') + '"'
    return draw(st.sampled_from(["", "", "", "", " "])) + text if draw(st.booleans()) else text


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_texts_of_any_kind(tmp_path_factory, data):
    n = data.draw(st.integers(0, 12))
    separator = data.draw(st.sampled_from([",", ",", ";", "\t"]))
    end = data.draw(st.sampled_from(["\n", "\n", "\r\n", "\r", "\n\n"]))
    columns = [data.draw(st.lists(data.draw(COLUMN), min_size=n, max_size=n)) for _ in "pqr"]
    label = st.sampled_from(["u", "v", "1", " u", "a\nb", "", "01/02/2021"])
    columns.append(data.draw(st.lists(label, min_size=n, max_size=n)))
    quote = data.draw(st.booleans())
    rows = [
        separator.join(quoted(data.draw, cell, separator) if quote else cell for cell in row)
        for row in zip(*columns, strict=True)
    ]
    text = end.join([separator.join("pqrc"), *rows]) + end * data.draw(st.integers(0, 1))
    body = text.encode()
    if data.draw(st.integers(0, 9)) == 0:
        at = data.draw(st.integers(0, len(body)))
        body = (
            body[:at] + data.draw(st.sampled_from([b"\xff", b'"', b"\r", b"\n", b","])) + body[at:]
        )
    options = data.draw(OPTIONS)
    if "time" in options and data.draw(st.booleans()):
        options["label_time"] = "r"
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    path.write_bytes(body)
    assert_agree(read_any, path, "c", sizes=(1, 25, 1 << 20), **options)


#: Rows with values in quotes that are missing, numbers, truth values, dates and names without them.
QUOTED = """p|q|r|s|t|u|"c"
1|"?"|"true"|2020-01-31|"a"|1|"1"
"2"|"b"|"false"|"2020-01-31"|a|"0,5"|2
3|c|"true"|2020-01-31|"b|""d""e"|"2"|1
4|"c"|false|2020-01-31|"?"|3|u
"""


@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize("route", ["whole", 1, 30, 1 << 20])
@pytest.mark.filterwarnings("ignore:.*decimal commas")
def test_one_rule_says_on_all_routes_what_quotes_mean(tmp_path, monkeypatch, separator, route):
    body = (QUOTED + QUOTED.split("\n", 1)[1] * 20).replace("|", separator)
    path = tmp_path / "a.csv"
    path.write_text(body)
    other = "read_blocks" if route == "whole" else "read_whole"
    monkeypatch.setattr(csv_file._Reader, other, lambda _: None)
    with in_blocks(1 if route == "whole" else route):
        stream = read_csv(path, "c", separator=separator)
    compare(stream, literal.read_csv(body.encode(), "c", separator=separator))
    assert decimal_of(body.encode(), separator) == ","
    kinds = [attribute.values is not None for attribute in stream.schema.attributes]
    assert kinds == [False, True, False, False, True, False]
    assert "?" not in stream.schema.attributes[1].values
    assert stream.schema.classes == ("1", "2", "u")


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_blank_before_a_quote_is_refused_at_the_start_of_a_block_too(tmp_path, end):
    path = tmp_path / "a.csv"
    path.write_text('p,q,c\n0,0,u\n0,0,u\n "0",0,u' + end)
    kind, said = assert_agree(read_any, path, "c", sizes=(1, 8, 1 << 20))[0]
    assert kind is DataError
    assert "line 4: expected a quote directly after its comma" in said


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["-0", "5", "3"], [0.0, 5.0, 3.0]),  # integers have no negative zero
        (["-0", "0.5", "3"], [-0.0, 0.5, 3.0]),
        (["-0.0", "5", "3"], [-0.0, 5.0, 3.0]),
        (["-0", "0x1", "3"], [0.0, 1.0, 2.0]),  # codes of names, in sorted order
        (["7", "9223372036854775807", "2"], [7.0, 2.0**63, 2.0]),
        (["7", " -1", "2"], [7.0, -1.0, 2.0]),
    ],
)
def test_a_block_cannot_tell_what_the_whole_column_is(tmp_path, cells, expected):
    path = tmp_path / "a.csv"
    path.write_text("p,c\n" + "".join(f"{cell},{'uv'[i % 2]}\n" for i, cell in enumerate(cells)))
    assert_agree(read_csv, path, "c", sizes=(1, 8, 1 << 20))
    assert read_csv(path, "c").X[:, 0].tobytes() == np.array(expected).tobytes()


@pytest.mark.parametrize("late", ["x", "2020-01-31", " ?", "true"])
def test_columns_of_which_only_the_end_is_text_are_read_in_blocks(tmp_path, monkeypatch, late):
    rows = [f"{i / 2},{late if i == 70 else i},{late if i == 90 else 1},{'uv'[i % 2]}"
            for i in range(99)]  # fmt: skip
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["p,q,r,c", *rows]))
    result = assert_agree(read_csv, path, "c")

    def refuse(*_):
        raise AssertionError

    monkeypatch.setattr(csv_file._Reader, "read_whole", refuse)
    with in_blocks(40):
        assert outcome(read_csv, path, "c") == result
    monkeypatch.setattr(csv_file, "_ATTEMPTS", 2)
    with in_blocks(40), pytest.raises(AssertionError):
        read_csv(path, "c")


def test_labels_that_have_not_arrived_are_no_classes(tmp_path):
    rows = ["z,1,5", "b,2,", "a,3,9", "pending,4,", "a,5,7"]
    path = tmp_path / "a.csv"
    path.write_text("c,t,d,x\n" + "\n".join(f"{row},{i}" for i, row in enumerate(rows, 3)))
    (about, _), _ = assert_agree(read_csv, path, "c", time="t", label_time="d")
    assert about[0].classes == ("a", "z")
    numbers = tmp_path / "b.csv"
    numbers.write_text(path.read_text().replace("z,", "1.5,").replace("a,", "2,"))
    options = {"time": "t", "label_time": "d", "numeric_target": True}
    assert_agree(read_csv, numbers, "c", **options)


ARROW = {
    pa.int8(): st.integers(-128, 127),
    pa.uint64(): st.integers(0, 2**64 - 1),
    pa.float32(): st.floats(width=32),
    pa.float64(): st.floats(),
    pa.bool_(): st.booleans(),
    pa.string(): st.text("ab ?é", max_size=3),
    pa.dictionary(pa.int8(), pa.string()): st.sampled_from(["a", "b", "", "?"]),
    pa.dictionary(pa.int8(), pa.int32()): st.sampled_from([3, 5, -1]),
    pa.date32(): st.dates(),
    pa.timestamp("ms", "UTC"): st.integers(-(10**15), 10**15),
    pa.time64("ns"): st.integers(0, 86_399 * 10**9),
    pa.duration("us"): st.integers(-(10**15), 10**15),
    pa.null(): st.none(),
    pa.list_(pa.int8()): st.just([1]),
}


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_tables_of_any_type(tmp_path_factory, data):
    n = data.draw(st.integers(0, 12))
    arrays = {}
    for name in "pqrc":
        kind = data.draw(st.sampled_from([*ARROW]))
        gaps = st.integers(0, 9).map(lambda number: number == 0)
        some = ARROW[kind] if name == "c" else st.one_of(ARROW[kind], ARROW[kind], st.none())
        cells = data.draw(st.lists(some, min_size=n, max_size=n))
        cells = [None if name == "c" and data.draw(gaps) else cell for cell in cells]
        values = pa.array(cells, kind.value_type) if pa.types.is_dictionary(kind) else None
        arrays[name] = pa.array(cells, kind) if values is None else values.dictionary_encode()
    path = tmp_path_factory.mktemp("parquet") / "a.parquet"
    pq.write_table(pa.table(arrays), path, row_group_size=data.draw(st.integers(1, 9)))
    options = data.draw(
        st.fixed_dictionaries(
            {},
            optional={
                "numeric": st.just(("p",)),
                "nominal": st.just(("q",)),
                "numeric_target": st.just(True),
                "time": st.just("r"),
                "missing": st.just(("a",)),
            },
        )
    )
    assert_agree(read_parquet, path, "c", sizes=(1, 60, 1 << 20), **options)


@pytest.mark.parametrize("ending", ["arff", "csv", "parquet"])
def test_a_plain_file_is_never_read_as_a_whole(tmp_path, ending, monkeypatch):
    path = tmp_path / f"a.{ending}"
    table = {
        "p": [0.5, -0.0, None, 7.25] * 50,
        "q": ["u", "v", None, "u"] * 50,
        "c": [*"xyxx"] * 50,
    }
    if ending == "parquet":
        pq.write_table(pa.table(table), path)
    else:
        head = "p,q,c\n" if ending == "csv" else "@attribute p real\n@attribute q {u,v}\n"
        head += "" if ending == "csv" else "@attribute c {x,y}\n@data\n"
        cells = zip(*table.values(), strict=True)
        lines = (",".join("?" if cell is None else str(cell) for cell in row) for row in cells)
        path.write_text(head + "\n".join(lines) + "\n")
    expected = assert_agree(read_any, path, "c")

    def refuse(*_):
        raise AssertionError

    for module in (arff, csv_file, parquet_file):
        monkeypatch.setattr(module._Reader, "read_whole", refuse)
    for size in (1, 40, 1 << 20):
        with in_blocks(size):
            assert outcome(read_any, path, "c") == expected
