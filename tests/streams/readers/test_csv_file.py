"""CSV, Parquet and files by their ending."""

from __future__ import annotations

import re
import shlex
import zipfile
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from helpers.files import write

from streameval.base.errors import ConfigError, DataError
from streameval.streams.columnar import write_stream
from streameval.streams.readers.any_file import read_any
from streameval.streams.readers.csv_file import read_csv
from streameval.streams.readers.parquet_file import read_parquet
from streameval.streams.readers.table import StreamWarning


def test_no_header_names_suffix_and_given_classes(tmp_path):
    path = write(tmp_path, "1,tcp,normal.\n2,udp,smurf.\n")
    stream = read_csv(path, "x3", header=False, strip_label_suffix=".")
    assert stream.schema.classes == ("normal", "smurf")
    assert [a.name for a in stream.schema.attributes] == ["x1", "x2"]
    named = read_csv(
        path, "l", header=False, names=["p", "q", "l"], classes=["smurf.", "normal.", "other."]
    )
    np.testing.assert_array_equal(named.y, [1, 0])
    assert named.n_classes == 3
    with pytest.raises(DataError, match=r"line 2: .*label of 'x3' .*normal\., found"):
        read_csv(path, "x3", header=False, classes=["normal."])
    with pytest.raises(DataError, match=r"4 columns.* found 3"):
        read_csv(path, "c", names=["a", "b", "c", "d"])


def test_labels_that_look_like_numbers_keep_their_spelling(tmp_path):
    # The labels of UCI's ozone file are "0." and "1.".
    stream = read_csv(write(tmp_path, "d,x,c\n1/1/98,?,1.\n1/2/98,3,0.\n"), "c", drop=["d"])
    assert stream.schema.classes == ("0.", "1.")
    np.testing.assert_array_equal(stream.y, [1, 0])
    np.testing.assert_array_equal(stream.X, [[np.nan], [3]])


def test_numeric_target_and_keep(tmp_path):
    path = write(tmp_path, "n,a,b,cnt\n1,2,3,16\n2,3,4,40\n")
    stream = read_csv(path, "cnt", numeric_target=True, keep=["b", "a"])
    assert stream.schema.classes is None
    np.testing.assert_array_equal(stream.y, [16.0, 40.0])
    assert [a.name for a in stream.schema.attributes] == ["a", "b"]


def test_a_measurement_is_no_class(tmp_path):
    rows = "".join(f"{i},{i}.5\n" for i in range(33_000))
    with pytest.raises(DataError, match=r"33,000 distinct values.*regressors.*numeric_target"):
        read_csv(write(tmp_path, "a,c\n" + rows), "c")


def test_any_file_goes_by_its_ending(tmp_path):
    csv = write(tmp_path, "a,c\n1,u\n2,v\n")
    arff = write(tmp_path, "@attribute a real\n@attribute c {u,v}\n@data\n1,u\n2,v\n", "a.arff")
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        archive.write(csv, "inner.csv")
    stream = read_any(csv, "c")
    pq.write_table(pa.table({"a": [1, 2], "c": ["u", "v"]}), tmp_path / "t.parquet")
    write_stream(stream, tmp_path / "s.parquet")
    others = [
        read_any(arff),
        read_any(tmp_path / "z.zip", "c"),
        read_any(tmp_path / "t.parquet", "c"),
        read_any(tmp_path / "s.parquet"),
    ]
    # ARFF declares the order of the classes, which then decides in ties, as in MOA.
    assert {other.digest for other in others[1:]} == {stream.digest} != {others[0].digest}
    assert replace(others[0].schema, sorted_by_name=True) == stream.schema
    declared = replace(others[0], schema=stream.schema)
    assert declared.digest == stream.digest
    with pytest.raises(DataError, match="Name the target"):
        read_any(csv)
    with pytest.raises(DataError, match=r"ending .*found \.doc"):
        read_any(write(tmp_path, "a\n", "a.doc"), "c")


def test_suspicious_files_give_one_warning(tmp_path):
    path = write(tmp_path, "a,b,c\n1,,u\n1,,u\n")
    with pytest.warns(StreamWarning, match="constant columns: a, b; the target 'c'") as caught:
        read_any(path, "c")
    assert len(caught) == 1
    sizes = write(tmp_path, "i,c\n" + "".join(f"{i % 3},{i / 4}\n" for i in range(50)))
    with pytest.warns(StreamWarning, match="'c' .*50 numbers .*classes"):
        read_any(sizes, "c")
    ids = write(tmp_path, "i,c\n" + "".join(f"k{i},{i % 2}\n" for i in range(200)))
    with pytest.warns(StreamWarning, match="distinct text .*: i"):
        read_any(ids, "c")
    many = write(tmp_path, "i,c\n" + "".join(f"{i % 7},k{i % 1001}\n" for i in range(2002)))
    with pytest.warns(StreamWarning, match="'c' has 1,001 classes"):
        read_any(many, "c")


def test_numbers_with_a_few_texts_among_them_are_named(tmp_path, recwarn):
    rows = "".join(f"{i % 6},{i % 3},{i % 2}\n" for i in range(12))
    path = write(tmp_path, f"i,j,c\n{rows}null,2,1\n")
    with pytest.warns(StreamWarning, match=r"nominal .*: i \(null\).*--missing"):
        assert read_any(path, "c").schema.attributes[0].values is not None
    recwarn.clear()
    assert read_any(path, "c", missing=["null"]).schema.attributes[0].values is None
    read_any(path, "c", nominal=["i"])  # somebody has said so
    read_any(write(tmp_path, f"i,j,c\n{rows}a,2,1\nb,2,1\n"), "c")  # as many as not
    head = "@attribute i {0,1,2,3,4,5,null}\n@attribute j real\n@attribute c {0,1}\n@data\n"
    read_any(write(tmp_path, f"{head}{rows}null,2,1\n", "a.arff"))
    assert not recwarn


def test_costly_columns_and_measured_classes_are_named_before_the_run(tmp_path):
    rows = "".join(f"k{i % 1200},{i % 2}\n" for i in range(5000))
    with pytest.warns(StreamWarning, match=r"cost time and memory: i \(1,200\).*--drop") as caught:
        read_any(write(tmp_path, "i,c\n" + rows), "c")
    assert "--numeric" in str(caught[0].message)
    prices = "".join(f"{i % 7},{i % 200}\n" for i in range(1000))
    with pytest.warns(StreamWarning, match="'c' .*200 .*classes"):
        read_any(write(tmp_path, "i,c\n" + prices), "c")
    # A date column in CSV is a number, and costs nothing.
    dates = "".join(sorted(f"20{i % 97:02}-01-{i % 28 + 1:02},{i % 2}\n" for i in range(5000)))
    assert read_any(write(tmp_path, "i,c\n" + dates), "c").schema.attributes[0].values is None


def test_converted_streams_are_what_they_are(tmp_path):
    path = tmp_path / "s.parquet"
    write_stream(read_csv(write(tmp_path, "a,c\n1,u\n2,v\n"), "c"), path)
    stream = read_any(path)
    assert read_any(path, "c").digest == stream.digest
    with pytest.raises(DataError, match=r"target .*'c', not 'a'"):
        read_any(path, "a")
    with pytest.raises(ConfigError, match=r"--drop \('drop'\) does not apply"):
        read_any(path, drop=("a",))
    with pytest.raises(DataError, match=r"'c', .*declared nominal"):
        read_any(path, numeric_target=True)
    numbers = read_csv(write(tmp_path, "a,c\n1,5\n2,6\n"), "c", numeric_target=True)
    write_stream(numbers, path)
    assert read_any(path, numeric_target=True).digest == numbers.digest


def test_names_of_parquet_columns(tmp_path):
    path = tmp_path / "x=1" / "a.parquet"
    path.parent.mkdir()
    table = {"a": [1, 2], "a.b": [{"c": 1}, {"c": 2}], "a.c": [3, 4], "": [5, 6], "c": [0, 1]}
    pq.write_table(pa.table(table), path)
    stream = read_parquet(path, "c", drop="a.b")
    assert [a.name for a in stream.schema.attributes] == ["a", "a.c", ""]
    np.testing.assert_array_equal(stream.X, [[1, 3, 5], [2, 4, 6]])


def test_an_empty_cell_is_missing_whatever_else_is(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b,c\n1,,u\n-,x,v\n,y,u\n", encoding="utf-8")
    stream = read_csv(path, "c", missing=["-"])
    assert stream.schema.attributes[0].values is None
    assert np.isnan(stream.X[:, 0]).tolist() == [False, True, True]
    assert stream.schema.attributes[1].values == ("x", "y")
    path.write_text("a,c\n1,u\n2,\n3,v\n", encoding="utf-8")
    assert read_csv(path, "c", missing=["-"]).labelled.tolist() == [True, False, True]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_comments_above_the_header_are_skipped(tmp_path, end):
    lines = ["# made by logger 3", "#", "a,c", "1,u", "2,v"]
    stream = read_csv(write(tmp_path, end.join([*lines, ""])), "c")
    assert stream.digest == read_csv(write(tmp_path, end.join([*lines[2:], ""])), "c").digest
    with pytest.raises(DataError, match="line 6: expected 2 values"):
        read_csv(write(tmp_path, end.join([*lines, "3", ""])), "c")
    # Comments may have separators, also as many as the header.
    for comment in ("# site 12, Berlin", "# a, b, c", "#", "# logger 3"):
        commented = [comment, "# site 12, Berlin", *lines[2:], "3,w", ""]
        stream = read_csv(write(tmp_path, end.join(commented)), "c")
        assert (len(stream), stream.schema.attributes[0].values) == (3, None)
    # Rows are no comments.
    rows = ["#id,c", "#1,u", "# 2,v", "# 3,u", ""]
    assert read_csv(write(tmp_path, end.join(rows)), "c").X[:, 0].tolist() == [2, 0, 1]
    assert len(read_csv(write(tmp_path, end.join(rows[2:])), "x2", header=False)) == 2
    # A header may begin so.
    named = read_csv(write(tmp_path, end.join(["#a,c", *lines[3:]])), "c")
    assert named.schema.attributes[0].name == "#a"


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("NA", "3 labels are missing ('NA' in 'y'; if NA is a class: --missing '?')"),
        ("?", "3 labels are missing ('?' in 'y'; if ? is a class: --missing 'NA')"),
        ("NaN", "3 labels are missing ('NaN' in 'y'; if NaN is a class: --missing '?')"),
        ("", "3 labels are missing (nothing in 'y')"),
    ],
)
def test_missing_labels_are_told_as_they_are_written(tmp_path, text, message, whole):
    labels = ["u", text, "v", text, "u", text]
    path = write(tmp_path, "a,y\n" + "".join(f"{i},{y}\n" for i, y in enumerate(labels)))
    rows = 6 if whole else None  # some rows are not read block by block
    assert read_csv(path, "y", first=rows).unlabelled_text == message
    if text:
        named = read_csv(path, "y", first=rows, missing=[text])  # on purpose
        assert named.unlabelled_text == "3 labels are missing"


@pytest.mark.parametrize("texts", [["?", "NA", "nan"], ["?", "NA", "NaN", "nan", ""], ["NA", "?"]])
def test_the_advice_on_a_class_called_as_a_missing_text_holds(tmp_path, texts):
    rows = "".join(f"{i},{y}\n" for i, y in enumerate(["u", "v", *texts, "u"]))
    path = write(tmp_path, f"a,y\n{rows}")
    text = read_csv(path, "y").unlabelled_text
    name, advice = re.search(r"if (\S+) is a class: --missing (.*)\)", text).groups()
    asked = read_csv(path, "y", missing=shlex.split(advice))
    assert asked.schema.classes == tuple(sorted(["u", "v", name]))


def test_a_class_called_na_is_named_where_its_labels_have_times(tmp_path):
    rows = "".join(f"{i},{i + 2},1,{y}\n" for i, y in enumerate(["u", "v", "u", "NA"]))
    path = write(tmp_path, f"at,due,a,y\n{rows}")
    without = read_csv(path, "y", time="at", label_time="due")
    assert without.n_unlabelled == 1
    assert "'NA' in 'y'; if NA is a class: " in without.unlabelled_text
    asked = read_csv(path, "y", time="at", label_time="due", missing=["?"])
    assert asked.schema.classes == ("NA", "u", "v")


@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize("rows", [None, 3])
def test_a_separator_may_end_the_header_only(tmp_path, separator, rows):
    lines = ["a,b,c,", "1,2,u", "3,4,v", "5,6,u", ""]
    path = write(tmp_path, "\n".join(lines).replace(",", separator))
    stream = read_csv(path, "c", first=rows, separator=separator)
    assert [attribute.name for attribute in stream.schema.attributes] == ["a", "b"]
    assert stream.X.tolist() == [[1, 2], [3, 4], [5, 6]]
    # Where it ends all lines, it is a column without values.
    text = "\n".join([lines[0], *(f"{line}," for line in lines[1:-1]), ""])
    stream = read_csv(
        write(tmp_path, text.replace(",", separator)), "c", first=rows, separator=separator
    )
    assert [attribute.name for attribute in stream.schema.attributes] == ["a", "b", "x4"]
    assert np.isnan(stream.X[:, 2]).all()
    with pytest.raises(DataError, match="line 3: expected 3 values, one per column, found 4"):
        read_csv(write(tmp_path, "a,b,c,\n1,2,u\n3,4,v,\n"), "c", first=rows and 2)


@pytest.mark.parametrize("rows", [None, 2])
def test_rows_below_the_header_may_be_no_data(tmp_path, rows):
    path = write(tmp_path, "# a logger\nt,flow,y\n20d,14n,5s\n(s),(l),\n1,14.0,u\n2,15.5,v\n")
    stream = read_csv(path, "y", skip_rows=2, first=rows)
    assert stream.X.tolist() == [[1, 14.0], [2, 15.5]]
    assert stream.schema.classes == ("u", "v")
    text = path.read_text(encoding="utf-8")
    path.write_text(text + '3,x,"v\n', encoding="utf-8")
    with pytest.raises(DataError, match="line 7: expected a closing quote"):
        read_csv(path, "y", skip_rows=2)
    path.write_text(text.partition("\n")[2].partition("\n")[2], encoding="utf-8")
    assert read_csv(path, "x3", header=False, skip_rows=2).X.tolist() == stream.X.tolist()
    with pytest.raises(DataError, match="expected rows of data, found none"):
        read_csv(path, "x3", header=False, skip_rows=4)
