"""ARFF: grammar, the two readers, messages."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.files import write_arff as write

from streameval.base.errors import ConfigError, DataError
from streameval.streams.readers.any_file import read_any
from streameval.streams.readers.arff import read_arff
from streameval.streams.readers.arff_dates import date_format, parse_date


def test_target_drop_and_keep(tmp_path):
    text = (
        "@attribute x real\n@attribute k {a,b}\n@attribute n integer\n@attribute c {u,v}\n@data\n"
    )
    path = write(tmp_path, text + "1,a,3,v\n2,a,4,u\n")
    stream = read_arff(path, "x", drop=["k"], name="mine")
    assert (stream.schema.classes, stream.y.dtype, stream.name) == (None, np.float64, "mine")
    np.testing.assert_array_equal(stream.y, [1, 2])
    assert [a.name for a in stream.schema.attributes] == ["n", "c"]
    kept = read_arff(path, keep=["n", "x"])
    assert [a.name for a in kept.schema.attributes] == ["x", "n"]


def test_date_patterns():
    assert date_format("dd/MMM/yy 'o''clock' HH:mm:ss.SSS") == "%d/%b/%y o'clock %H:%M:%S.%f"
    assert parse_date("01:30 +0100", date_format("hh:mm Z")) == parse_date("00:30", "%H:%M")
    assert parse_date("01.02.69", date_format("dd.MM.yy")) == -334 * 86400
    assert parse_date("01.02.68", date_format("dd.MM.yy")) > 0
    assert parse_date("0001-01-01 +1400", date_format("yyyy-MM-dd Z")) == -62135647200


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("yyyy-MM-dd HH:mm:ss z", "2020-01-31 13:30:00 CET"),
        ("yyyy-MM-dd HH:mm:ss z", "2020-01-31 04:30:00 GMT-08:00"),
        ("EEE MMM dd HH:mm:ss zzz yyyy", "Fri Jan 31 07:30:00 EST 2020"),
        ("yyyy-MM-dd'T'HH:mm:ssZ", "2020-01-31T14:30:00+0200"),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "2020-01-31T12:30:00Z"),
    ],
)
def test_dates_with_the_zones_of_java(tmp_path, monkeypatch, pattern, text):
    # strptime takes the names of the zone that the machine is in: IST is of India or Ireland.
    monkeypatch.setattr("time.tzname", ("CET", "IST"))
    head = f'@relation r\n@attribute d date "{pattern}"\n@attribute c {{u,v}}\n@data\n'
    for quote in ("", '"'):  # block by block, and line by line
        stream = read_arff(write(tmp_path, f"{head}{quote}{text}{quote},u\n?,v\n"))
        assert stream.X[0, 0] == 1_580_473_800  # date -u -d 2020-01-31T12:30 +%s
    with pytest.raises(DataError, match=r"line 5: .*expected a date like .*(UTC|\+0000)"):
        read_arff(write(tmp_path, f"{head}2020-01-31T12:30:00 IST,u\n"))


def test_texts_of_the_target_are_classes(tmp_path):
    rows = ["2,neg", "1,pos", "3,?", "0,neg", "5,amb", ""]
    head = "@relation r\n@attribute x real\n@attribute class string\n@data\n"
    for text in ("\n".join(rows), "\n".join(rows).replace("pos", "'pos'")):
        path = write(tmp_path, head + text)
        stream = read_any(path)
        assert stream.schema.classes == ("amb", "neg", "pos")
        assert stream.y.tolist() == [1, 2, -1, 1, 0]
        assert stream.digest == read_any(path, nominal=["class"]).digest
    with pytest.raises(DataError, match=r"line 6: .*'class': expected a text, found ''"):
        read_arff(write(tmp_path, head + "1,neg\n2,\n"))
    with pytest.raises(DataError, match=r"line 5: expected all values, .*, found '\{0 1\}'"):
        read_arff(write(tmp_path, head + "{0 1}\n"))


def test_texts_and_numbers_may_be_names(tmp_path):
    head = "@relation r\n@attribute s string\n@attribute id real\n@attribute c {v,u}\n@data\n"
    ids = [2**60, 2**60 + 1, 2**60]
    rows = "".join(f"{s},{i},{c}\n" for s, i, c in zip("bab", ids, "uvu", strict=True))
    path = write(tmp_path, head + rows)
    stream = read_any(path, nominal=["s", "id", "c"])
    assert [a.values for a in stream.schema.attributes] == [("a", "b"), (str(ids[0]), str(ids[1]))]
    assert stream.X.tolist() == [[1, 0], [0, 1], [1, 0]]
    assert stream.schema.classes == ("v", "u")  # as declared
    assert read_arff(path, "id", nominal=["s"]).schema.classes is None
    assert read_any(path, "id", nominal=["s", "id"]).schema.classes == tuple(map(str, ids[:2]))


def test_string_attributes_are_refused_dropped_or_read_as_numbers(tmp_path):
    text = "@relation r\n@attribute s string\n@attribute x real\n@attribute c {a,b}\n@data\n"
    path = write(tmp_path, text + "960507,1,a\n")
    with pytest.raises(DataError, match=r"'s' is of type string.*drop=\['s'\].*numeric=\['s'\]"):
        read_arff(path)
    assert read_arff(path, drop=["s"]).X.tolist() == [[1.0]]
    assert read_arff(path, numeric=["s"]).X.tolist() == [[960507.0, 1.0]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a line @data, found the end"),
        ("@relation r\n@data\n1\n", "expected columns, found none"),
        ("@attribute x real\n@attribute c {a,b}\n@data\n\n", "rows .*found none"),
        ("@attribute c {a,b}\n@data\na\n", "no input column is left"),
    ],
)
def test_bad_headers(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        read_arff(write(tmp_path, text))


FIRST = "@attribute mood {calm,loud}\n@attribute x real\n@attribute key {a,b}\n"
ROWS = "@data\nloud,1,a\ncalm,2,b\nloud,3,b\n"


@pytest.mark.parametrize(
    ("text", "target"),
    [
        (f"@relation 'music: -C 1'\n{FIRST}{ROWS}", "mood"),
        (f"@relation 'music: -V 2 -C -1'\n{FIRST}{ROWS}", "key"),
        (f"@relation music-weka.filters.SMOTE-C0-K5\n{FIRST}{ROWS}", "key"),
        (f"@relation music\n{FIRST}@inputs x, key\n@outputs mood\n{ROWS}", "mood"),
        (f"@relation music\n{FIRST}@output mood\n{ROWS}", "mood"),
        (f"@relation music\n{FIRST}{ROWS}", "key"),
    ],
)
def test_the_header_may_name_the_target(tmp_path, text, target):
    path = write(tmp_path, text, "a.dat")
    for stream in (read_arff(path), read_any(path)):
        assert stream.schema.target == target
        codes = [1, 0, 1] if target == "mood" else [0, 1, 1]
        assert stream.y.tolist() == codes
    assert read_any(path, "mood").schema.target == "mood"


def test_several_targets_of_the_header_must_be_chosen_from(tmp_path):
    path = write(tmp_path, f"@relation 'music: -C 2'\n{FIRST}{ROWS}")
    with pytest.raises(DataError, match=r"found 2 in the header: mood, x.*--target.*--drop"):
        read_any(path)
    assert read_any(path, "mood", drop=["x"]).y.tolist() == [1, 0, 1]


@pytest.mark.parametrize("mark", ["\t", " ", "  \t"])
def test_values_between_blanks_are_those_between_commas(tmp_path, mark):
    rows = [["1.5", "a", "yes"], ["?", "b", "no"], ["NaN", "?", "no"]]
    head = "@relation r\n@attribute x real\n@attribute c {a,b}\n@attribute y {no,yes}\n@data\n"
    read = {
        separator: read_arff(
            write(tmp_path, head + "\n".join(map(separator.join, rows)) + " % end\n")
        )
        for separator in (mark, ",")
    }
    assert read[mark].digest == read[","].digest
    np.testing.assert_array_equal(read[mark].X, [[1.5, 0], [np.nan, 1], [np.nan, np.nan]])


def test_names_of_columns_are_checked_before_rows_are_read(tmp_path):
    path = write(
        tmp_path,
        "@attribute t real\n@attribute x real\n@attribute c {a,b}\n@data\n1,2,a\n2,no number,b\n",
    )
    for options, message in [
        ({"time": "z"}, "no column 'z'"),
        ({"time": "t", "label_time": "z"}, "no column 'z'"),
        ({"time": "t", "drop": ["t"]}, "no column 't'"),
        ({"time": "c"}, "different columns as target, time"),
        ({"label_time": "t"}, "needs the option time too"),
        ({"drop": ["z"]}, r"no column 'z'\. .*t, x, c"),
        ({"drop": ["c"]}, "target 'c' cannot be dropped"),
        ({"numeric": ["z"]}, "no column 'z'"),
        ({"nominal": ["z"]}, "no column 'z'"),
        ({"nominal": ["t"], "numeric": ["t"]}, "'t' to be nominal or numeric, found both"),
        ({}, "line 6"),
    ]:
        with pytest.raises((DataError, ConfigError), match=message):
            read_arff(path, **options)
