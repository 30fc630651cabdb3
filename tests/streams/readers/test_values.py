"""What one value is: to the module that says it, to its literal twin, and to Arrow."""

from __future__ import annotations

import math
import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import readers as literal

from streameval.streams.readers.any_file import read_any
from streameval.streams.readers.values import (
    ISO,
    MISSING,
    TIME_OF_DAY,
    TRUTH,
    YEAR_FIRST,
    YEAR_LAST,
    ValueRules,
    declared_number,
    is_certainly_nominal,
)

PATTERNS = {
    "number": ValueRules().number,
    "decimal comma": ValueRules(decimal=",").number,
    "grouped": ValueRules(thousands=",").number,
    "truth": TRUTH,
    "time of day": TIME_OF_DAY,
    "iso": ISO,
    "year first": YEAR_FIRST,
    "year last": YEAR_LAST,
}
#: Texts that are values of some kind, and texts near them.
TEXTS = st.one_of(
    st.sampled_from(
        ["1", "-.5", "1e5", "1E-3", "5.", "0x1F", "1_0", "1,234", "12 34", "inf", "NaN"]
    ),
    st.sampled_from(["true", "FALSE", "fal\u017fe", "\u0130nf", "\u0131nf", "-Infinity", "\u0661"]),
    st.sampled_from(["2020-01-31", "2020-02-30", "2020/1/2 3:04", "31.12.2020", "12:30", "25:00"]),
    st.sampled_from(["2020-01-31T12:30:00.5Z", "2020-01-31 12:30+01", "12:30:00.25", "1\n", "a"]),
    st.text("tTrueFalsnfiI?01.,-+eE:/TZ \n\u017f\u0130\u0663", max_size=8),
)


@pytest.mark.parametrize("kind", PATTERNS)
@given(text=TEXTS)
def test_patterns_mean_the_same_to_python_and_to_arrow(kind, text):
    pattern = PATTERNS[kind]
    to_arrow = pc.match_substring_regex(pa.array([text]), f"^(?:{pattern})$")[0].as_py()
    assert to_arrow == (re.fullmatch(pattern, text) is not None)


@pytest.mark.parametrize(
    ("kind", "value_of"),
    [
        ("number", literal._number),
        ("truth", literal._truth),
        ("time of day", literal._time_of_day),
        ("iso", literal._moment),
        ("year first", literal._year_first),
        ("year last", literal._year_last),
    ],
)
@given(text=TEXTS)
def test_a_value_is_one_to_the_literal_twin(kind, value_of, text):
    """Of dates and times, the pattern says only how they are written: days may not exist."""
    fits = re.fullmatch(PATTERNS[kind], text) is not None
    try:
        expected = value_of(text)
    except (ValueError, OverflowError):
        assert not fits or kind in ("time of day", "iso", "year first")
        return
    assert fits
    assert not is_certainly_nominal(text)
    if kind == "number":
        np.testing.assert_equal(ValueRules().number_of(text), expected)


@given(TEXTS, st.sampled_from([MISSING, ("-1",), ("a", "1 ")]))
def test_a_text_is_missing_to_the_literal_twin(text, missing):
    stripped = literal._stripped(text, (*missing, ""))
    assert ValueRules(missing).is_missing(text.strip(literal._WHITE)) == (stripped is None)


@given(TEXTS)
def test_a_declared_number_is_one_to_the_literal_twin(text):
    """But for NaN, which Java reads, and so Weka and MOA."""
    try:
        expected = literal._encoded(text, "numeric")
    except literal.RefusedError:
        if text == "NaN":
            assert math.isnan(declared_number(text))
            return
        with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
            declared_number(text)
    else:
        assert declared_number(text) == expected


@pytest.mark.parametrize("ending", ["csv", "arff"])
@pytest.mark.parametrize("late", [0, 1])
def test_quotes_only_hold_a_value_together(tmp_path, ending, late):
    """A number in quotes is a number, in the fast way and by whatever reads the others."""
    numbers = ["1", "2.5", "-3"] * 20
    texts = {True: [f'"{text}"' for text in numbers], False: numbers}
    head = "p,c\n" if ending == "csv" else "@attribute p real\n@attribute c {u,v}\n@data\n"
    streams = []
    for cells in (numbers, [texts[i % 30 == 29 * late][i] for i in range(60)]):
        path = tmp_path / f"a.{ending}"
        rows = [f"{cell},{'uv'[i % 2]}\n" for i, cell in enumerate(cells)]
        path.write_text(head + "".join(rows))
        streams.append(read_any(path, "c"))
    assert streams[0].digest == streams[1].digest


def test_a_truth_value_is_in_letters_of_ascii(tmp_path):
    """To expressions that ignore case, the long s is an s."""
    path = tmp_path / "a.csv"
    path.write_text("p,q,c\nfal\u017fe,1,u\ntrue,2,v\n", encoding="utf-8")
    assert read_any(path, "c").schema.attributes[0].values == ("fal\u017fe", "true")
