"""One grammar for both readers of ARFF; lines, sparse rows, weights, dates and their messages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.files import write_arff as write
from hypothesis import example, given, settings
from hypothesis import strategies as st

from streameval.base.errors import DataError
from streameval.streams.readers import arff, arff_rows, blocks
from streameval.streams.readers.arff import read_arff

HEADER = (
    "@relation r\n@attribute x real\n@attribute k {a,b b,c-1,ä}\n"
    "@attribute d date yyyy-MM-dd\n@attribute c {u,v}\n@data\n"
).encode()


def outcome(path: Path, fast: bool, block: int = 1 << 22, lines: int = 1 << 20) -> str:
    """Digest of the stream, or the error message."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arff_rows, "_BLOCK", block)
        patch.setattr(blocks, "BLOCK", lines)
        if not fast:
            patch.setattr(arff._Reader, "read_blocks", lambda _: None)
        try:
            return read_arff(path, name="s").digest
        except DataError as error:
            return str(error)


#: What pyarrow and Python read in different ways, or might.
NUMBERS = [
    "0", "-0", "+1", "1.", ".5", ".", "1e", "1e5", "1E+05", "1e999", "1e-999", "5e-324", "1_000",
    "nan", "NaN(1)", "-inf", "Infinity", "0x10", "0x1p3", "1d", "1f", "00012", "1,5", "-",
    "9007199254740993", "0.1", "true", "null", "NULL", "N/A", "#N/A", "1" * 400, "1" * 5000,
    "1." + "0" * 800 + "1", "\u0661", "1\x0b", "\x0c1", "1\xa0", "1\x00", "1\u2028", "1\x85",
    "\ufeff1", "- 1", "1 2", "",
]  # fmt: skip
TEXTS = ["a", "b b", "b  b", "c-1", "ä", "A", "", "a\x00", "\x0ba", "a\xa0", "\u2028", "null", "NA"]
DATES = ["2001-02-03", "2001-2-3", "2001-02-30", "0001-01-01", "9999-12-31", "0000-01-01", "2001"]
BLANKS = ["", "", "", " ", "\t", " \t "]
ENDS = ["\n", "\r", "\r\n", "\n\n", "\r\r\n", "\n \n"]


def cells(*likely: str, odd: list[str]) -> st.SearchStrategy[str]:
    # Mostly what can be read: one odd cell refuses the file.
    cell = st.sampled_from([*likely, "?"] * 12 + odd)
    return st.builds(lambda left, text, right: left + text + right, PAD, cell, PAD)


PAD = st.sampled_from(BLANKS)
ROW = st.tuples(
    cells("1", "-2.5e3", odd=NUMBERS),
    cells("a", "b b", "c-1", "ä", odd=TEXTS),
    cells("1970-01-02", "2024-02-29", odd=DATES),
    st.sampled_from(["u", "v", " u", "v\t"]),
)
SPECIALS = [*(bytes([b]) for b in b"\n\r,?\x00\t \x0b\x0c\x1a\x85\xff1-e_.{}%'\""), b"\xef\xbb\xbf"]
CUT = st.tuples(st.integers(0, 400), st.integers(0, 3), st.sampled_from([b"", b"", *SPECIALS]))


@settings(max_examples=400)
@given(
    rows=st.lists(ROW, min_size=1, max_size=8),
    end=st.sampled_from(ENDS),
    padding=st.sampled_from(["", "", ",", " , "]),
    last=st.booleans(),
    cuts=st.lists(CUT, max_size=2),
    block=st.sampled_from([24, 40, 100, 1 << 22]),
    length=st.sampled_from([1, 30, 70, 1 << 20]),
)
@example(
    rows=[("1", "a", "?", "u")], end="\r", padding="", last=True, cuts=[], block=1 << 22, length=9
)
@example(
    rows=[("1", "a", "?", "u")],
    end="\n",
    padding="",
    last=1,
    cuts=[(0, 0, b"\xef\xbb\xbf")],
    block=99,
    length=9,
)
def test_blocks_of_lines_are_read_as_the_definition_says(
    tmp_path_factory, rows, end, padding, last, cuts, block, length
):
    lines = [",".join(row) + padding for row in rows]
    body = (end.join(lines) + end * last).encode()
    for at, removed, insert in cuts:
        body = body[:at] + insert + body[at + removed :]
    path = write(tmp_path_factory.mktemp("arff"), HEADER + body)
    assert outcome(path, True, block, length) == outcome(path, False)


@pytest.mark.parametrize(
    "body",
    [
        "1,a,?,u\r?,b b,1970-01-02,v\r",
        "1,a,?,u\r\n?,b b,1970-01-02,v",
        "\r\n1,a,?,u\n\r\r\n? , b b,\t1970-01-02,v\t",
        "1,a,?,u,\n?,b b,1970-01-02,v,\n",
        "1,a,?,u, \n?,b b,1970-01-02,v,",
    ],
)
def test_line_ends_padding_and_closing_commas_keep_the_fast_reader(tmp_path, monkeypatch, body):
    path = write(tmp_path, HEADER + body.encode())
    slow = outcome(path, False)

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(arff, "read_lines", refuse)
    stream = read_arff(path, name="s")
    np.testing.assert_array_equal(stream.X, [[1, 0, np.nan], [np.nan, 1, 86400]])
    assert stream.digest == slow


@pytest.mark.parametrize("mark", ["\u2028", "\x0b", "\x0c", "\x85", "\x1c"])
@pytest.mark.parametrize("fast", [True, False])
def test_other_separators_do_not_end_a_line(tmp_path, mark, fast):
    header = f"@attribute 'x{mark}y' real\n@attribute c {{u{mark},v}}\n@data\n"
    path = write(tmp_path, f"{header}1,u{mark}\n2,v\n")
    assert len(outcome(path, fast)) == 64
    stream = read_arff(path)
    assert stream.schema.attributes[0].name == f"x{mark}y"
    assert (stream.schema.classes, stream.y.tolist()) == ((f"u{mark}", "v"), [0, 1])


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_lines_are_counted_whatever_ends_them(tmp_path, end):
    lines = ["% comment", "@relation r", "", "@attribute x real", "@attribute c {u,v}", "@data"]
    for rows, number in [
        (["1,u", "", "% no", "x,v"], 10),
        (["1,u", "", "2,u", "x,v"], 10),
        (["{0 1}", "{0 x}"], 8),
    ]:
        path = write(tmp_path, end.join([*lines, *rows]))
        with pytest.raises(DataError, match=f"line {number}: attribute 'x': .*found 'x'"):
            read_arff(path)
    for wrong, number in [(["1,u", "\xe9,v"], 8), (["1,u", "", "2,\xff"], 9)]:
        path = write(tmp_path, end.join([*lines, *wrong]).encode("latin-1"))
        with pytest.raises(DataError, match=f"line {number}: expected UTF-8"):
            read_arff(path)
    path = write(tmp_path, end.join([*lines[:4], "@attribute c {u,u}", *lines[5:]]))
    with pytest.raises(DataError, match=r"line 5: .*'u' is declared 2 times"):
        read_arff(path)


def test_the_file_as_moa_writes_it(tmp_path):
    text = "@relation g\n\n@attribute x numeric\n@attribute class {class1,class2}\n\n@data\n\n"
    path = write(tmp_path, f"{text}0.5,class1,\n?,class2,\n")
    stream = read_arff(path)
    np.testing.assert_array_equal(stream.X, [[0.5], [np.nan]])
    assert stream.y.tolist() == [0, 1]
    assert len(read_arff(write(tmp_path, f"{text}1,class1, % one\n2,'class2',\n"))) == 2
    # The comma may follow the last value only, and nothing may follow the comma.
    for row in ["1,class1,,", "1,class1,?", "1,class1,x"]:
        path = write(tmp_path, f"{text}2,class1,\n{row}\n")
        with pytest.raises(DataError, match=r"line 9: .*2 values.* found"):
            read_arff(path)
    with pytest.raises(DataError, match=r"line 8: attribute 'class': expected .*, found ''"):
        read_arff(write(tmp_path, f"{text}1,\n"))


def numeric(folder: Path, row: str, declared: str = "{a,b}") -> list[list[float]]:
    text = f"@attribute x real\n@attribute k {declared}\n@attribute y real\n@data\n{row}\n"
    stream = read_arff(write(folder, text))
    return [[*x, y] for x, y in zip(stream.X.tolist(), stream.y.tolist(), strict=True)]


@pytest.mark.parametrize(
    "row", ["1,a,2,{0.5}", "1, a, 2 , { 3 } % half", "{0 1, 2 2}, {0.5}", "{0 1} {2},"]
)
def test_instance_weights_are_refused_with_the_reason(tmp_path, row):
    with pytest.raises(DataError, match=r"line 5: .*weight \{.*once.*[Rr]emove"):
        numeric(tmp_path, row)


def test_what_looks_like_a_weight_in_quotes_is_a_value(tmp_path):
    assert numeric(tmp_path, "1,'{0.5}',2", "{a,'{0.5}'}") == [[1, 1, 2]]
    assert numeric(tmp_path, "{1 '}, {0.5}', 2 2}", "{a,'}, {0.5}'}") == [[0, 1, 2]]
    with pytest.raises(DataError, match=r"3 values.* found 4"):
        numeric(tmp_path, "1,a,2,'{0.5}'")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{0 1, 0 2}", "a column number that occurs twice"),
        ("{0 1} 2", "text after the closing brace: ' 2'"),
        ("{0 1, 1 'a}", "no '<column number> <value>' at \" 1 'a}\""),
        ("{-1 1}", "no '<column number> <value>'"),
        ("{0 1", "no closing brace"),
        ("1, 'a,2", "a quote that is not closed"),
        ("1,\xa0a,2", "'k': expected one of a, b, found '.xa0a'"),
        ("1,a,two", "'y': expected a number, found 'two'"),
        ("1,a", "3 values.* found 2"),
        ("{0 1, 3 2}", "expected column numbers 0 to 2, found 3"),
    ],
)
def test_bad_rows_are_named_with_their_line(tmp_path, row, message):
    with pytest.raises(DataError, match=f"line 5: .*{message}"):
        numeric(tmp_path, row)


def test_sparse_rows(tmp_path):
    assert numeric(tmp_path, "{ 0 1 , 1 'b' ,} % {like this}") == [[1, 1, 0]]
    text = "@attribute d date 'dd.MM.yy HH:mm'\n@attribute x real\n@data\n{1 5}\n"
    assert read_arff(write(tmp_path, text)).X.tolist() == [[0.0]]


def test_nominal_values_whose_texts_are_numbers(tmp_path):
    text = "@attribute k {1.5,20}\n@attribute c {u,v}\n@data\n20,u\n{1 v}\n"
    path = write(tmp_path, text)
    assert read_arff(path).X.tolist() == [[1.0], [0.0]]
    stream = read_arff(path, numeric=["k"])
    assert stream.X.tolist() == [[20.0], [1.5]]
    assert stream.schema.attributes[0].values is None
    path.write_bytes(path.read_bytes().replace(b"20,u", b"\x1b,u"))
    with pytest.raises(DataError, match=r"expected one of 1\.5, 20, found '.{1,2}x1b'"):
        read_arff(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("@attribute x date 'yyyy-MM", "a quote that is not closed"),
        ("@attribute x date 'yyyy', 'MM'", "text after the date pattern"),
        ("@attribute x date ''", "an empty date pattern"),
        ("@attribute x date 'yyyy-MM MM'", "the same part twice"),
        ("@attribute x date 'YYYY'", "'YYYY'"),
        ("@attribute x {a,b} {0.5}", "a weight after the braces"),
        ("@attribute x real {0.5}", "weights are not supported"),
        ("@attribute x {a,b} c", "text after the braces"),
        ("@attribute x {}", "an empty set of values"),
        ("@attribute x {a, 'b}", "braces"),
        ("@attribute x relational", "of type 'relational', and tables inside a table are not"),
        ("@attribute x {a,,b}", "an empty value"),
        ("@attribute x", "type 'nothing'"),
        ("@attribute", "no attribute name"),
        ("@data 1,2", "@relation.*@data, found '@data 1,2'"),
        ("@attribute y real", "'y' .*2 times, first in line 1"),
    ],
)
def test_headers_that_cannot_be_read(tmp_path, line, message):
    text = f"@attribute y real\n{line}\n@attribute c {{u,v}}\n@data\n1,2,u\n"
    with pytest.raises(DataError, match=rf"a\.arff, line 2: .*{message}"):
        read_arff(write(tmp_path, text))


def test_headers_that_can(tmp_path):
    text = (
        "\ufeff@RELATION\tr\n@ATTRIBUTE\t'x\ty'  REAL[0, 1] % range\n"
        "@attribute  k\t{ 'a} % b' , b c,\"it's\", '?', '' } % {comment}\n"
        "@attribute d Date % iso\n@attribute c{u,v,}\n  @Data% comment\n"
        "1,'a} % b',1970-01-01T00:00:01,u\n?,'?',?,v\n0,?,?,u\n0,'',?,u\n"
    )
    stream = read_arff(write(tmp_path, text))
    assert [a.name for a in stream.schema.attributes] == ["x\ty", "k", "d"]
    assert stream.schema.attributes[1].values == ("a} % b", "b c", "it's", "?", "")
    nan = np.nan
    np.testing.assert_array_equal(stream.X, [[1, 0, 1], [nan, 3, nan], [0, nan, nan], [0, 4, nan]])


def test_one_encoding_for_the_whole_header(tmp_path):
    # The second line is UTF-8 by chance, the third is not: all of it is Latin-1.
    text = "@relation r\n@attribute \xc3\xa9 real\n@attribute c {\xe9,v}\n@data\n1,\xe9\n"
    stream = read_arff(write(tmp_path, text.encode("latin-1")))
    assert stream.schema.attributes[0].name == "\xc3\xa9"
    with pytest.raises(DataError, match="expected UTF-8 text, found UTF-16"):
        read_arff(write(tmp_path, text.encode("utf-16")))


@pytest.mark.parametrize(
    "text",
    [
        f"@attribute x real\n@attribute c {{u,v}}\n@data\n{'9' * 10**5}x,u\n",
        f"@attribute {'x' * 10**5} {'y' * 10**5}\n@attribute c {{u,v}}\n@data\nx,u\n",
        f"@attribute x date '{'yyyy' * 10**5}'\n@attribute c {{u,v}}\n@data\nx,u\n",
        f"@attribute x real\n@attribute c {{u,v}}\n@data\n{'1,' * 10**5}\n",
        f"@attribute x real\n@attribute c {{u,v}}\n@data\n{{{'1' * 10**5} 1}}\n",
        f"{'x' * 10**5}\n",
    ],
)
def test_messages_stay_short(tmp_path, text):
    with pytest.raises(DataError) as error:
        read_arff(write(tmp_path, text))
    assert len(str(error.value)) < 2000
