"""Arrow's arrays as NumPy's: the same as pyarrow's own conversion."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streameval.streams.arrow_arrays import arrow_texts, booleans, floats, integers, is_one_of

BYTES = st.none() | st.integers(-128, 127)
CHUNKS = st.lists(st.lists(BYTES, max_size=20), max_size=4)
KINDS = (pa.int8(), pa.int64(), pa.float32(), pa.float64())


@given(CHUNKS, st.sampled_from(KINDS), st.integers(0, 10), st.integers(0, 30))
def test_numbers_are_those_of_pyarrow(chunks, kind, start, length):
    column = pa.chunked_array(chunks, kind).slice(start, length)
    expected = column.cast(pa.float64()).to_numpy()
    assert floats(column).tobytes() == expected.tobytes()
    assert floats(column).flags.writeable
    whole = [-7 if number is None else int(number) for number in column.to_pylist()]
    assert integers(column, missing=-7).tolist() == whole
    some = column.cast(pa.int64())
    assert integers(some).dtype == np.int64


@given(st.lists(st.lists(st.none() | st.booleans(), max_size=20), max_size=4), st.integers(0, 9))
def test_truth_values_are_those_of_pyarrow(chunks, start):
    column = pa.chunked_array(chunks, pa.bool_()).slice(start)
    assert booleans(column).tolist() == [value is True for value in column.to_pylist()]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ([], [False, False, False, False, None, False]),
        (["?"], [False, True, False, False, None, False]),
        (["", "a.c", "b\n"], [True, False, True, False, None, True]),
    ],
)
def test_texts_are_compared_whole_and_to_the_letter(wanted, expected):
    texts = pa.array(["", "?", "a.c", "abc", None, "b\n"])
    assert is_one_of(texts, wanted).to_pylist() == expected


@given(st.lists(st.none() | st.text(max_size=9), max_size=20))
def test_texts_are_those_of_pyarrow(values):
    texts = arrow_texts(values)
    texts.validate(full=True)
    assert texts.equals(pa.array(values, pa.string()))
