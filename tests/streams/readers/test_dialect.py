"""How CSV files are written is found, said in one line, and can be named instead."""

from __future__ import annotations

import codecs
import csv
import io
import warnings

import numpy as np
import pytest
from helpers.files import write
from hypothesis import given
from hypothesis import strategies as st

import streameval as se
from streameval.base.errors import ConfigError, DataError
from streameval.streams.readers import dialect
from streameval.streams.readers.csv_file import read_csv
from streameval.streams.readers.table import StreamWarning

ROWS = [["size", "colour", "y"], ["1.5", "grün", "no"], ["2.25", "red", "yes"], ["3", "red", "no"]]
#: Separator, decimal sign, encoding, what is written first, and what is said.
WRITTEN = [
    (",", ".", "utf-8", b"", ""),
    (",", ".", "utf-8", codecs.BOM_UTF8, ""),
    (";", ".", "utf-8", b"", "semicolons between values (--separator)"),
    ("\t", ".", "utf-8", b"", "tabs between values (--separator)"),
    ("|", ".", "utf-8", b"", "bars between values (--separator)"),
    (";", ",", "utf-8", b"", "semicolons between values (--separator), decimal commas (--decimal)"),
    (",", ",", "utf-8", b"", "decimal commas (--decimal)"),
    (",", ".", "cp1252", b"", "the encoding cp1252 (--encoding)"),
    (",", ".", "latin-1", b"", "the encoding cp1252 (--encoding)"),
    (",", ".", "utf-16-le", codecs.BOM_UTF16_LE, "the encoding UTF-16 (--encoding)"),
    (",", ".", "utf-16-be", codecs.BOM_UTF16_BE, "the encoding UTF-16 (--encoding)"),
    (",", ".", "utf-16-le", b"", "the encoding UTF-16-LE (--encoding)"),
    (",", ".", "utf-16-be", b"", "the encoding UTF-16-BE (--encoding)"),
    (",", ".", "utf-32", b"", "the encoding UTF-32 (--encoding)"),
]
_ALL = ", ".join([WRITTEN[5][-1], WRITTEN[7][-1]])
WRITTEN.append((";", ",", "cp1252", b"", _ALL))


def written(rows, separator=",", decimal=".", encoding="utf-8", mark=b""):
    file = io.StringIO()
    rows = [[cell.replace(".", decimal) for cell in row] for row in rows]
    csv.writer(file, delimiter=separator, lineterminator="\n").writerows(rows)
    return mark + file.getvalue().encode(encoding)


def quietly(path, target, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StreamWarning)
        return se.read(path, target, **options)


def check(stream):
    np.testing.assert_array_equal(stream.X, [[1.5, 0], [2.25, 1], [3, 1]])
    assert [a.name for a in stream.schema.attributes] == ["size", "colour"]
    assert stream.schema.attributes[1].values == ("grün", "red")
    assert [stream.schema.classes[code] for code in stream.y] == ["no", "yes", "no"]


@pytest.mark.parametrize(("separator", "decimal", "encoding", "mark", "said"), WRITTEN)
def test_what_is_found_is_said_in_one_line(tmp_path, separator, decimal, encoding, mark, said):
    path = write(tmp_path, written(ROWS, separator, decimal, encoding, mark))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check(se.read(path, "y"))
    assert [str(w.message) for w in caught] == [f"{path}: read with {said}."] * bool(said)
    # What is named is not said.
    check(se.read(path, "y", separator=separator, decimal=decimal, encoding=encoding))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        # A comma alone may be one for thousands only where commas separate the values too.
        ('x,y\n"1,234",a\n"5,678",b\n', None),
        ("x;y\n1,234;a\n5,678;b\n", [1.234, 5.678]),
        # Numbers with points elsewhere: a comma is no decimal sign.
        ("x;z;y\n1,5;0.5;a\n2,5;1.5;b\n", None),
        ("x;y\n-,5;a\n1,5e3;b\n", [-0.5, 1500]),
    ],
)
def test_decimal_commas(tmp_path, text, numbers):
    stream = quietly(write(tmp_path, text), "y")
    assert (stream.schema.attributes[0].values is None) == (numbers is not None)
    if numbers is not None:
        np.testing.assert_array_equal(stream.X[:, 0], numbers)


def test_points_are_no_decimal_signs_beside_commas(tmp_path):
    path = write(tmp_path, "x;z;y\n1,5;1.234;a\n2,5;5.678;b\n")
    stream = quietly(path, "y", separator=";", decimal=",")
    assert stream.schema.attributes[0].values is None
    assert stream.schema.attributes[1].values == ("1.234", "5.678")
    with pytest.raises(DataError, match=r"line 2: expected numbers .*'z', found .*1\.234"):
        se.read(path, "y", separator=";", decimal=",", numeric=["z"])


@given(
    st.lists(
        st.one_of(
            st.integers(-(10**9), 10**9), st.integers(-(10**11), 10**11).map(lambda n: n / 100)
        ),
        min_size=1,
        max_size=8,
    ),
    st.sampled_from([",.", ".,", "'.", "',", " ,", " ."]),
    st.sampled_from(["-", "−"]),
    st.sampled_from(";\t,"),
)
def test_grouped_digits_are_read_as_they_are_meant(
    tmp_path_factory, numbers, signs, minus, separator
):
    mark, decimal = signs
    table = str.maketrans({",": mark, ".": decimal, "-": minus})
    rows = "".join(f'"{format(n, ",").translate(table)}"{separator}u\n' for n in numbers)
    path = write(tmp_path_factory.mktemp("a"), f"x{separator}y\n{rows}")
    stream = quietly(path, "y", thousands=mark, separator=separator, decimal=decimal)
    np.testing.assert_array_equal(stream.X[:, 0], numbers)


@pytest.mark.parametrize(
    ("separator", "values", "is_asked"),
    [
        (";", ["12,345", "3,456", "7"], True),
        (",", ["12.345", "3.456", "7"], True),
        # One number that can be read in one way only decides for all of them.
        (";", ["12,345", "3,45", "7"], False),
        (";", ["12,345", "0,456", "7"], False),
        (",", ["12.345", "1234.456", "7"], False),
    ],
)
def test_both_readings_of_three_digits_are_said(tmp_path, separator, values, is_asked):
    path = write(tmp_path, "\n".join([f"x{separator}y", *(f"{v}{separator}u" for v in values)]))
    sign = "," if separator == ";" else "."
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        se.read(path, "y")
        said = " ".join(str(w.message) for w in caught)
        caught.clear()
        se.read(path, "y", separator=separator, decimal=sign)
        assert not any("--thousands" in str(w.message) for w in caught)
    both = f"are read as 12.345, with a decimal {'comma' if sign == ',' else 'point'}"
    assert (both in said and "so 12345 may be meant" in said) == is_asked


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("x;y\n1.234.567;a\n12.345;b\n", "--thousands '.'"),
        ("x;z;y\n1.234;3,5;a\n12.345;4,5;b\n", "--thousands '.'"),
        ('x,y\n"1,234.5",a\n12,b\n', "--thousands ','"),
        ("x,y\n1'000,a\n12,b\n", '--thousands "\'"'),
        ("x;y\n1 234,5;a\n12\u202f345,25;b\n", "--thousands ' '"),
        ('x,y\n"-1,094.21",a\n512.34,b\n', "--thousands ','"),
        ("x,y\n(1.5),a\n3.25,b\n", None),
        ("x,y\n1.5D+00,a\n3.25,b\n", None),
    ],
)
def test_numbers_in_another_form_are_named(tmp_path, text, advice):
    path = write(tmp_path, text)
    with pytest.warns(StreamWarning) as caught:
        assert se.read(path, "y").schema.attributes[0].values is not None
    (said,) = (str(w.message) for w in caught if "look like numbers" in str(w.message))
    assert "look like numbers or dates: x (" in said
    assert advice in said if advice else "--thousands" not in said


def test_rows_decide_on_the_separator_not_the_header(tmp_path):
    # By commas the header has two names, and each row one value.
    text = "temp, outside;hum, %;y\n1;2;a\n3;4;b\n"
    stream = quietly(write(tmp_path, text), "y")
    assert [a.name for a in stream.schema.attributes] == ["temp, outside", "hum, %"]


@pytest.mark.parametrize(
    ("first_line", "target", "options"),
    [
        ("temp, outside;y\n", "y", {}),
        ("", "x2", {"header": False}),
        ("", "y", {"header": False, "names": ["x", "y"]}),
    ],
)
def test_several_separators_that_fit_are_refused(tmp_path, first_line, target, options):
    path = write(tmp_path, first_line + "1,5;a\n2,5;b\n")
    expected = r"commas \(2 values\) or semicolons \(2 values\) could separate.*--separator ';'"
    with pytest.raises(DataError, match=expected):
        read_csv(path, target, **options)
    stream = read_csv(path, target, separator=";", decimal=",", **options)
    np.testing.assert_array_equal(stream.X, [[1.5], [2.5]])


def test_a_first_line_that_names_the_separator(tmp_path):
    path = write(tmp_path, "sep=|\nx|c\n1|u\n2|v|w\n")
    with pytest.raises(DataError, match=r"line 4: .*2 values.* found 3: '2\|v\|w'"):
        quietly(path, "c")
    stream = quietly(write(tmp_path, "sep=:\nx:c\n1:u\n2:v\n"), "c")
    np.testing.assert_array_equal(stream.X, [[1], [2]])
    with pytest.raises(DataError, match="table, found one line"):
        quietly(write(tmp_path, "sep=;\n"), "c")
    with pytest.raises(DataError, match="table, found comments only"):
        quietly(write(tmp_path, "# a\n# b\n"), "c")


def test_lines_of_other_encodings(tmp_path):
    text = "x,c\né,u\n\n" + "1,u\n" * 3 + "2\n"
    for encoding in ("utf-16", "utf-16-be", "utf-32", "cp1252"):
        with pytest.raises(DataError, match="line 7: expected 2 values"):
            quietly(write(tmp_path, text.encode(encoding)), "c")
    path = write(tmp_path, "x,c\n1,ж\n".encode("cp1251"))
    assert quietly(path, "c", encoding="cp1251").schema.classes == ("ж",)
    with pytest.raises(DataError, match=r"line 2: .*ascii.* 0xe6"):
        se.read(path, "c", encoding="ascii")
    with pytest.raises(DataError, match=r"line 2:.* UTF-8.* 0xe6"):
        se.read(path, "c", encoding="utf-8")


def test_a_long_file_is_decided_by_its_first_stretch(tmp_path, monkeypatch):
    monkeypatch.setattr(dialect, "SAMPLE_BYTES", 40)
    # The part ends within a row, which does not count.
    text = "x;y\n" + "1,5;a\n" * 50 + '"2";b\n'
    stream = quietly(write(tmp_path, text), "y")
    assert stream.X[:, 0].tolist() == [1.5] * 50 + [2]


def test_the_first_rows_of_a_file_of_another_encoding(tmp_path):
    path = write(tmp_path, b"x,c\n1,u\n2,v\n3,\xe9\n4,\x81\n")
    assert len(read_csv(path, "c", first=2)) == 2
    with pytest.warns(StreamWarning, match="cp1252"):
        assert read_csv(path, "c", first=3).schema.classes == ("u", "v", "é")
    with pytest.raises(DataError, match=r"line 5:.* cp1252.* 0x81"):
        read_csv(path, "c", first=4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"separator": "ab"}, "expected one character .*, found 'ab'"),
        ({"separator": "é"}, "expected one character"),
        ({"decimal": ";"}, "expected a point or a comma, found ';'"),
        ({"thousands": ";"}, "--thousands.: expected a point, a comma, ' or a blank, found ';'"),
        ({"thousands": ",", "decimal": ","}, "another mark than the decimal sign"),
        ({"encoding": "klingon"}, "expected a text encoding .*, found 'klingon'"),
        ({"encoding": 5}, "expected a text encoding"),
    ],
)
def test_options_are_checked(tmp_path, options, message):
    with pytest.raises(ConfigError, match=message):
        se.read(write(tmp_path, "x,y\n1,a\n2,b\n"), "y", **options)


@pytest.mark.parametrize(
    "blank", ["\xa0", "\u2009", "\u3000", "\u200b", "\ufeff", "\u2060", "\x1f"]
)
def test_what_cannot_be_seen_is_a_blank(tmp_path, blank):
    text = "x,_z,y\n_,a_,u\n1_,_a,v\n2,_\xa0,u_\n"
    path = write(tmp_path, text.replace("_", blank))
    stream = se.read(path, "y")
    np.testing.assert_array_equal(stream.X, [[np.nan, 0], [1, 0], [2, np.nan]])
    assert [(a.name, a.values) for a in stream.schema.attributes] == [("x", None), ("z", ("a",))]
    assert stream.schema.classes == ("u", "v")
    assert se.read(path, "x").labelled.tolist() == [False, True, True]
