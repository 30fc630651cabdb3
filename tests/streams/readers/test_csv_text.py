"""Records, lines and quotes of CSV files, and messages for files that are none."""

from __future__ import annotations

import csv
from contextlib import contextmanager, nullcontext

import numpy as np
import pytest
from fuzzing.inputs import compare
from helpers.files import write
from hypothesis import given
from hypothesis import strategies as st
from naive.readers import RefusedError
from naive.readers import read_csv as read_literally

from streameval.base.errors import ConfigError, DataError
from streameval.streams.readers import blocks, csv_columns, csv_text
from streameval.streams.readers.csv_file import read_csv

#: Nearly no room: records of any length lie across blocks and segments.
SMALL = 16


@contextmanager
def small_blocks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK", SMALL)
        patch.setattr(csv_columns, "MIN_BLOCK_BYTES", SMALL)
        patch.setattr(csv_columns, "_MAX_BLOCK_BYTES", 400)
        patch.setattr(csv_text, "SEGMENT", SMALL // 2)
        yield


@pytest.fixture(params=[small_blocks, nullcontext])
def any_blocks(request):
    with request.param():
        yield


def labels_of(stream):
    return [stream.schema.classes[code] for code in stream.y]


def test_line_ends_in_quotes_stay_whole_wherever_blocks_end(tmp_path):
    r"""pyarrow reads \r and \n apart where one block ends with the one and the next begins so."""
    for shift in range(20):
        text = f'x,c\n{"1" * (shift + 1)},"' + "a\r\n" * 40 + '"\n' + '2,"b\r\nc"\n' * 100
        with small_blocks():
            stream = read_csv(write(tmp_path, text), "c")
        assert stream.schema.classes == ("a\r\n" * 40, "b\r\nc")


#: What files are made of, and what they are mangled with.
_WORDS = "1 2.5 -3 +.5 1e400 9007199254740993 0x1F 1_0 inf nan ? NA true a ; é ١ 12:30 24:00"
_DATES = "2020-01-02 2020-01-02T03:04:05.25Z 2020-02-30 0001-01-01T00:00:00+01:30"
_MARKS = [
    "", " ", " ?", "\t", " False", "b c", "\ufeff", "\0", "\r", "\n", "\x0b", "\u2028", "k" * 50,
]  # fmt: skip
_QUOTED = ['"a,b"', '"x\ny"', '"q""q"', '"', '5" d', ' "s"']
PARTS = st.sampled_from([*_WORDS.split(), *_DATES.split(), *_MARKS, *_QUOTED])


@st.composite
def mangled(draw):
    """Bytes of a file of few values, unchanged or with a few bytes changed."""
    m, end = draw(st.integers(1, 3)), draw(st.sampled_from(["\n", "\r\n", "\r"]))
    kinds = [draw(st.lists(PARTS, min_size=1, max_size=3)) for _ in range(m)]
    labels = st.sampled_from(["u", "v", '"w"'])
    rows = draw(st.lists(st.tuples(*map(st.sampled_from, kinds), labels), max_size=6))
    names = [*(f"x{j}" for j in range(m)), "c"]
    content = bytearray("".join(",".join(row) + end for row in [names, *rows]).encode())
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        at = draw(st.integers(0, len(content)))
        content[at : at + draw(st.integers(0, 3))] = draw(PARTS).encode()
    return bytes(content)


@pytest.mark.filterwarnings("ignore::streameval.streams.readers.table.StreamWarning")
@given(mangled(), st.sampled_from([small_blocks, nullcontext]))
def test_mangled_files_give_what_they_hold_or_one_message(tmp_path_factory, content, blocks):
    path = write(tmp_path_factory.mktemp("mangled"), content)
    try:
        reading = read_literally(content, "c", separator=",")
    except RefusedError:
        reading = None
    try:
        with blocks():
            stream = read_csv(path, "c", separator=",")
    except DataError as error:
        # A blank before a quote is text for the standard library; here it is refused.
        assert reading is None or "directly after its comma" in str(error)  # noqa: PT017
        assert len(str(error)) < 2000  # noqa: PT017
        return
    assert reading is not None
    compare(stream, reading)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # A quote that is never closed, in the middle, at the end, in the header.
        ('x,c\n1,u\n2,"v\n3,u\n', "line 3: expected a closing quote, found none .* here: '\"v"),
        ('x,c\n1,"u\n2"\n\n2,v\n3,"', "line 6: expected a closing quote"),
        ('x,c\n"1\n\n2","v\n3,u\n', "line 4: expected a closing quote"),
        # One that is closed by the next: text stands behind it.
        ('x,c\n1,"u\n2,"v"\n', r"line 3: expected a comma .* opened in line 2"),
        ('x,c\n1,"u"v\n', r"line 2: expected a comma or the end .* closing quote, found 'v"),
        ('x,c\n1, "u"\n', "line 2: expected a quote directly after its comma, found a blank"),
        # Rows with more or fewer values: the line where they start.
        ("x,c\n\n\n1,u,2\n", "line 4: .*2 values.* found 3: .*'1,u,2'"),
        ('x,c\n"1\n2",u\n3\n', "line 4: .*2 values.* found 1"),
        ('x,"c"\r1,u\r3\r', "line 3: .*2 values.* found 1"),
        ("x,c\n1,u\n   \n", "line 3: .*2 values.* found 1"),
        # No table.
        ("", "found an empty file"),
        (" \n\t\n \n", "found an empty file"),
        ("x,c\n", "rows .*found none"),
        (
            "x c\n1 u\n",
            "line 1: expected values separated by commas, .* or bars, found blanks: 'x c'",
        ),
        ('"x\r\n\x1b[2J",b\n1,?\n', r"The columns are x\\r\\n\\x1b\[2J, b\."),
        ("x,c\n1,\n2,?\n", r"expected labels \('c'\), found none"),
        ("x,x,c\n1,2,3\n", "'x' occurs 2 times"),
        # A text with characters of UTF-8 elsewhere is not of another encoding.
        (b"x,c\n1,\xc3\xa9\n2,\xe9\n", "line 3: .*UTF-8.* the byte 0xe9"),
        (b"x,c\n1,2,3\n\n1,\xc3\xa9\xff\n", "line 4: .*UTF-8.* the byte 0xff"),
        (b"x,c\n\xc3\xa9,u\r\r1,\xc3", "line 4: .*UTF-8.* the byte 0xc3"),
        (b"x,c\n1,u\n2,\x81\n", "line 3: expected cp1252 text, found the byte 0x81"),
        (b"x,c\n1,u\0\n", "line 2: expected text, found a zero byte"),
        ("x,c\n1,u\n".encode("utf-16") + b"u", "line 3: .*UTF-16.* the byte"),
        ("ж,c\n1,u\n".encode("utf-16-le"), "line 1: expected text, found a zero byte"),
    ],
)
def test_one_message_with_the_line(tmp_path, any_blocks, text, message):
    with pytest.raises(DataError, match=message) as caught:
        read_csv(write(tmp_path, text), "c")
    assert len(str(caught.value)) < 2000


def test_messages_stay_short(tmp_path):
    long = "y" * 100_000
    many = ",".join(f"column_{j}_{'z' * 50}" for j in range(5000))
    for text, target in [
        (f"x,c\n1,u,{long}\n", "c"),
        (f'x,c\n1,"{long}\n', "c"),
        (f"{many}\n", "c"),
        (f"{long},c\n1,?\n", "c"),
        (f"{long},{long},c\n1,2,3\n", "c"),
        (f"x,{long}\n1,?\n", long),
        (f"x,{long}\n1,?\n", "z" * 100_000),
    ]:
        with pytest.raises(DataError) as caught:
            read_csv(write(tmp_path, text), target)
        assert len(str(caught.value)) < 2000
    for option in ("numeric", "nominal", "drop"):
        with pytest.raises(DataError) as caught:
            read_csv(write(tmp_path, f"x,y,c\n{long},1,u\n"), "c", **{option: long})
        assert len(str(caught.value)) < 2000


def test_the_header_is_a_record(tmp_path):
    text = '\ufeff\n"a, b","c\r\nd","e\rf", g ,\n1,2,3,u,5\n'
    stream = read_csv(write(tmp_path, text), "g")
    assert [a.name for a in stream.schema.attributes] == ["a, b", "c\r\nd", "e\rf", "x5"]
    np.testing.assert_array_equal(stream.X, [[1, 2, 3, 5]])
    named = read_csv(write(tmp_path, text), "t", names=["p", "q", "r", "t", "s"])
    np.testing.assert_array_equal(named.X, stream.X)
    assert len(read_csv(write(tmp_path, '"1\n",u\n"2",v\n'), "x2", header=False)) == 2


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_value_longer_than_a_block(tmp_path, quote):
    rows = [f"{quote}{'k' * 9_000_000}{quote},u", *(f"{i % 7},v" for i in range(30_000))]
    stream = read_csv(write(tmp_path, "x,c\n" + "\n".join(rows) + "\n"), "c")
    assert len(stream) == 30_001
    assert len(stream.schema.attributes[0].values[-1]) == 9_000_000
    assert csv.field_size_limit() == 131_072


def test_the_first_rows(tmp_path):
    text = '\ufeff"x\ny",c\n\n1,"u\n"\r2,v\n3,"w\n4,x,y\n'
    path = write(tmp_path, text.encode() + b"\xff")
    stream = read_csv(path, "c", first=2)
    assert labels_of(stream) == ["u\n", "v"]
    np.testing.assert_array_equal(stream.X, [[1], [2]])
    with pytest.raises(DataError, match="line 7: expected a closing quote"):
        read_csv(path, "c", first=3)
    short = write(tmp_path, "1,u\n2,v\n")
    assert len(read_csv(short, "x2", header=False, first=2)) == 2
    with pytest.raises(DataError, match="first 3 rows, found 2"):
        read_csv(short, "x2", header=False, first=3)
    with pytest.raises(ConfigError, match=r"'first': .*above 0, found"):
        read_csv(short, "x2", header=False, first=0)


def test_numbers_and_single_texts_in_options(tmp_path):
    """As YAML gives them: ``classes: [1, 2]``, ``drop: a``."""
    path = write(tmp_path, "a,b,c\n1,2,1\n1,2,2\n")
    stream = read_csv(path, "c", drop="a", classes=[2, 1], missing="?", nominal="b")
    assert labels_of(stream) == ["1", "2"]
    assert [a.name for a in stream.schema.attributes] == ["b"]
    assert len(read_csv(path, "c", missing=7)) == 2
    assert len(read_csv(write(tmp_path, "1,2\n3,4\n"), 1)) == 1
    for options in ({"classes": [True, "n"]}, {"drop": None}, {"nominal": True}):
        with pytest.raises(ConfigError, match=r"expected a name, found .*quotes"):
            read_csv(path, "c", **options)
