"""Writing ARFF: whatever is written is read again, to the bit."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.base.errors import DataError
from streameval.learners.adapters import moa
from streameval.learners.adapters.moa import write_arff
from streameval.streams.readers import arff
from streameval.streams.readers.arff import read_arff
from streameval.streams.stream import Attribute, Schema, Stream

#: Texts with all that has a meaning in ARFF, and with what merely looks odd.
ODD = "ab?%,{}'\" \\\t\n\r@é☃0.-\x00\x0b\x0c\x1a\x85\xa0\u2028\ufeff"
TEXTS = st.text(st.sampled_from(ODD), max_size=4) | st.text(max_size=3)
#: Texts that need no quotes.
PLAIN = st.sampled_from(["a", "b_c", "-", "+1", "1.0", "1", "nan", "NULL", "e", "..", "_"])


@st.composite
def odd_streams(draw, texts=TEXTS):
    def names(n):
        return st.lists(texts, min_size=n, max_size=n, unique=True)

    kinds = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    classes = tuple(draw(names(draw(st.integers(1, 3)))))
    *columns, target = draw(names(len(kinds) + 1))
    attributes = tuple(
        Attribute(name, tuple(draw(names(kind))) if kind else None)
        for name, kind in zip(columns, kinds, strict=True)
    )
    rows = draw(st.integers(1, 5))
    numbers = st.floats(allow_infinity=False, width=64)
    X = [
        [draw(st.sampled_from([*range(kind), np.nan]) if kind else numbers) for kind in kinds]
        for _ in range(rows)
    ]
    y = [draw(st.integers(0, len(classes) - 1)) for _ in range(rows)]
    return Stream(np.array(X), np.array(y), Schema(attributes, target, classes))


def again(stream, folder):
    write_arff(stream, folder / "a.arff")
    return read_arff(folder / "a.arff")


@given(odd_streams())
def test_what_is_written_is_read_again(tmp_path_factory, stream):
    copy = again(stream, tmp_path_factory.mktemp("arff"))
    # Any NaN is as missing as any other.
    X = np.where(np.isnan(stream.X), np.nan, stream.X)
    assert copy.X.tobytes() == X.tobytes()
    assert copy.y.tolist() == stream.y.tolist()
    assert copy.schema == stream.schema


@settings(max_examples=40)
@given(odd_streams(PLAIN))
def test_plain_texts_are_read_the_fast_way(tmp_path_factory, stream):
    folder = tmp_path_factory.mktemp("arff")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arff, "read_lines", None)
        copy = again(stream, folder)
    np.testing.assert_array_equal(copy.X, stream.X)
    assert copy.y.tolist() == stream.y.tolist()
    assert copy.schema == stream.schema


@settings(max_examples=40)
@given(strategies.streams())
def test_rows_are_written_in_blocks(tmp_path_factory, stream):
    folder = tmp_path_factory.mktemp("arff")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moa, "BLOCK", 7)
        assert again(stream, folder).digest == stream.digest


def test_a_numeric_target(tmp_path):
    stream = Stream(np.array([[1.0]]), np.array([0.1]), Schema((Attribute("a"),), "price"))
    assert again(stream, tmp_path).digest == stream.digest


def test_the_file(tmp_path):
    schema = Schema((Attribute("a b"), Attribute("c", ("?", "x"))), "class", ("no", "it's"))
    stream = Stream(np.array([[0.1, 0], [np.nan, np.nan]]), np.array([0, 1]), schema, "s")
    write_arff(stream, tmp_path / "a.arff")
    assert (tmp_path / "a.arff").read_text(encoding="utf-8") == (
        "@relation s\n@attribute 'a b' numeric\n@attribute c {'?',x}\n"
        "@attribute class {no,'it\\'s'}\n@data\n0.1,'?',no\n?,?,'it\\'s'\n"
    )


@pytest.mark.parametrize("number", [np.inf, -np.inf])
def test_an_infinite_number_is_named(tmp_path, number):
    stream = Stream(
        np.array([[1.0], [number]]), np.zeros(2), Schema((Attribute("a"),), classes=("c",))
    )
    with pytest.raises(DataError, match=r"'stream', row 1: 'a'.* -?inf,.* ARFF"):
        write_arff(stream, tmp_path / "a.arff")
    assert not list(tmp_path.iterdir())
