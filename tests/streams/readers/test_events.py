"""Delayed-label event files."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import streams as naive_streams

from streameval.base.errors import DataError
from streameval.streams.readers.events import read_events
from streameval.streams.stream import NEVER, NO_LABEL

HEADER = """@relation r
@attribute x numeric
@attribute k {a,b}
@attribute class {no,yes}
@attribute instanceId numeric
@attribute timeStamp numeric
@data
"""


def write(folder, body, header=HEADER):
    path = folder / "events.arff"
    path.write_text(header + body, encoding="utf-8")
    return path


def test_instances_in_order_of_first_occurrence(tmp_path):
    body = "1,a,?,7,10\n?,b,?,3,10\n2,?,?,5,11\n?,b,yes,3,11\n1,a,no,7,20\n"
    stream = read_events(write(tmp_path, body), name="e")
    np.testing.assert_array_equal(stream.X, [[1, 0], [np.nan, 1], [2, np.nan]])
    np.testing.assert_array_equal(stream.y, [0, 1, NO_LABEL])  # never arrives
    np.testing.assert_array_equal(stream.time, [10, 10, 11])
    np.testing.assert_array_equal(stream.label_time, [20, 11, NEVER])
    assert stream.time.dtype == stream.label_time.dtype == np.int64
    assert [a.name for a in stream.schema.attributes] == ["x", "k"]
    assert (stream.schema.target, stream.schema.classes) == ("class", ("no", "yes"))


def test_numeric_targets_other_names_and_string_numbers(tmp_path):
    header = (
        "@attribute d string\n@attribute y real\n@attribute id real\n@attribute when real\n@data\n"
    )
    path = write(tmp_path, "960507,?,1,1\n960507,2.5,1,4\n", header)
    stream = read_events(path, instance_id="id", time_stamp="when", numeric=["d"])
    assert stream.X.tolist() == [[960507.0]]
    assert stream.y.tolist() == [2.5]
    with pytest.raises(DataError, match="no column 'instanceId'"):
        read_events(path, numeric=["d"])
    with pytest.raises(DataError, match="expected an attribute 'timeStamp'"):
        read_events(path, instance_id="id", numeric=["d"])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("1,a,?,1,1\n1,a,yes,2,2\n", "line 9: .*expected .*earlier line .*inst.* 2,"),
        ("1,a,?,1,1\n2,a,?,1,2\n", "line 9: instance 1 occurs a second time without label"),
        ("1,a,?,1,1\n1,a,no,1,2\n1,a,no,1,3\n", "line 10: instance 1 .*second time with its label"),
        ("1,a,?,1,5\n1,a,?,2,4\n", "line 9: expected a time of at least 5, found 4"),
        ("1,a,?,1,1\n2,a,no,1,2\n", "line 9: .*'x' was 1.0 .*is 2.0"),
        ("1,a,?,1,1\n?,a,no,1,2\n", "line 9: .*'x' was 1.0 .*is a missing value"),
        ("1,a,?,1.5,1\n", "line 8: .*whole number .*'instanceId', .*found 1.5"),
        ("1,a,?,1,?\n", "line 8: .*whole number .*'timeStamp', .*found a missing value"),
        ("1,a,?,1,inf\n", "line 8: attribute 'timeStamp': expected a number, found 'inf'"),
        # A double cannot tell this id from the one below.
        ("1,a,?,9007199254740993,1\n", "line 8: .*below 2.53 in size, found 9007199254740992"),
        ("\n", "rows .*found none"),
    ],
)
def test_bad_events(tmp_path, body, message):
    with pytest.raises(DataError, match=message):
        read_events(write(tmp_path, body))


@given(st.data())
def test_agrees_with_the_twin(tmp_path_factory, data):
    n = data.draw(st.integers(1, 12))
    keys = data.draw(st.permutations(range(100, 100 + n)))
    pairs = []
    for key in keys:
        start = data.draw(st.integers(0, 20))
        inputs = (float(data.draw(st.integers(-3, 3))), float(data.draw(st.integers(0, 1))))
        pairs.append((start, 0, inputs, None, key))
        delay = data.draw(st.none() | st.integers(0, 20))
        if delay is not None:
            pairs.append((start + delay, 1, inputs, data.draw(st.integers(0, 1)), key))
    pairs.sort(key=lambda pair: pair[:2])
    lines = [(inputs, label, key, time) for time, _, inputs, label, key in pairs]
    body = "".join(
        f"{x},{'ab'[int(k)]},{'?' if label is None else ('no', 'yes')[label]},{key},{time}\n"
        for (x, k), label, key, time in lines
    )
    stream = read_events(write(tmp_path_factory.mktemp("events"), body))
    arrivals = [
        (
            tuple(stream.X[i].tolist()),
            None if stream.label_time[i] == NEVER else int(stream.y[i]),
            int(stream.time[i]),
            None if stream.label_time[i] == NEVER else int(stream.label_time[i]),
        )
        for i in range(len(stream))
    ]
    assert arrivals == naive_streams.events(lines)


def test_negative_and_large_ids_and_times(tmp_path):
    big = 2**53 - 1
    body = f"1,a,?,-7,-{big}\r2,b,?,{big},-3\r1,a,yes,-7,0\r2,b,no,{big},{big}\r"
    stream = read_events(write(tmp_path, body))
    assert stream.time.tolist() == [-big, -3]
    assert stream.label_time.tolist() == [0, big]
    assert stream.y.tolist() == [1, 0]


def test_the_target_is_that_of_the_file(tmp_path):
    path = write(tmp_path, "1,a,?,1,1\n1,a,no,1,2\n")
    assert read_events(path, drop=["k"]).schema.target == "class"
    for target in ("instanceId", "timeStamp"):
        with pytest.raises(DataError, match=r"target other than 'instanceId'.* 'time"):
            read_events(path, target)
    with pytest.raises(DataError, match=r"target .*before 'x'"):
        read_events(path, instance_id="x")


def test_nominal_ids_and_times_are_refused(tmp_path):
    for name in ("instanceId", "timeStamp"):
        header = HEADER.replace(f"{name} numeric", f"{name} {{2,1}}")
        path = write(tmp_path, "1,a,?,1,1\n1,a,no,1,2\n", header)
        with pytest.raises(DataError, match=f"expected a numeric attribute '{name}'"):
            read_events(path)
        assert read_events(path, numeric=[name]).label_time.tolist() == [2]
