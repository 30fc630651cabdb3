"""Rearranged streams."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import streams as naive_streams

from streameval.base.errors import ConfigError, DataError
from streameval.streams.stream import NEVER, NO_LABEL, Attribute, Schema, Stream
from streameval.streams.variants import (
    file_stem,
    name_of_stem,
    shuffled,
    shuffled_blocks,
    shuffled_with_delays,
    split_name,
    temporal,
    variant,
)


def make(labels, classes=("a", "b", "c"), **times):
    n = len(labels)
    X = np.column_stack([np.arange(n) % 5, np.arange(n)])
    schema = Schema((Attribute("x"), Attribute("i")), "class", classes)
    return Stream(X, np.array(labels), schema, "s", **times)


def rows(stream):
    return [tuple(row) for row in stream.X.tolist()]


SEEDS = st.integers(0, 9)
LABELS = st.lists(st.integers(0, 2), min_size=1, max_size=60)
TEXTS = st.sampled_from(["shuffled:1", "temporal:1", "blocks:1:4", "blocks:0:1", "blocks:2:99"])


@given(LABELS, TEXTS)
def test_every_class_keeps_its_rows(labels, text):
    stream = make(labels)
    result = variant(stream, text)
    expected = naive_streams.rows_by_class(rows(stream), stream.y.tolist())
    assert naive_streams.rows_by_class(rows(result), result.y.tolist()) == expected
    assert result.name == f"s:{text}"
    assert result.digest == variant(stream, text).digest


@given(LABELS, st.integers(0, 9))
def test_temporal_keeps_the_labels(labels, seed):
    assert naive_streams.temporal_is_kept(labels, temporal(make(labels), seed).y.tolist())


@given(LABELS, st.integers(0, 9), st.integers(1, 70))
def test_blocks_keep_their_order(labels, seed, size):
    numbers = shuffled_blocks(make(labels), seed, size).X[:, 1].astype(int).tolist()
    sizes = []
    while numbers:
        # A block starts at a multiple of its size and is whole unless it is the last.
        start = numbers[0]
        length = min(size, len(labels) - start)
        assert start % size == 0
        assert numbers[:length] == list(range(start, start + length))
        sizes.append(start)
        numbers = numbers[length:]
    assert sorted(sizes) == list(range(0, len(labels), size))


def test_another_seed_or_stream_name_is_another_order():
    stream = make([i % 3 for i in range(90)])
    for text in ("shuffled:{}", "temporal:{}", "blocks:{}:5"):
        first, second = (variant(stream, text.format(seed)) for seed in (1, 2))
        assert not np.array_equal(first.X, second.X)
        assert not np.array_equal(first.X, stream.X)
        other = Stream(stream.X, stream.y, stream.schema, "other")
        assert not np.array_equal(variant(other, text.format(1)).X, first.X)
    # Only the size of the blocks differs, but the order of the blocks is drawn anew.
    assert not np.array_equal(shuffled_blocks(stream, 1, 5).X, shuffled_blocks(stream, 1, 6).X)


def test_shuffled_destroys_the_order_of_labels():
    # 500 zeros, then 500 ones: 998 of 999 successive labels are equal, half when shuffled.
    labels = np.repeat([0, 1], 500)
    result = shuffled(make(labels.tolist()), 1)
    same = (result.y[1:] == result.y[:-1]).mean()
    # Five standard deviations of 999 fair coins.
    assert abs(same - 0.5) < 5 * 0.5 / np.sqrt(999)


def test_time_stamps_are_dropped():
    times = np.arange(4)
    stream = make([0, 1, 0, 1], time=times, label_time=times + 1)
    result = shuffled(stream, 1)
    assert result.time is None
    assert result.label_time is None
    assert stream.label_time is not None
    never = make([0, 1], time=times[:2], label_time=np.array([1, NEVER]))
    assert sorted(shuffled(never, 1).y.tolist()) == [NO_LABEL, 0]
    assert temporal(never, 1).y.tolist() == [0, NO_LABEL]


@given(st.lists(st.tuples(st.integers(0, 50), st.none() | st.integers(0, 9)), min_size=1), SEEDS)
def test_delays_go_with_their_rows(arrivals, seed):
    time = np.array([arrives for arrives, _ in arrivals])
    later = [NEVER if wait is None else arrives + wait for arrives, wait in arrivals]
    stream = make([0] * len(arrivals), time=time, label_time=np.array(later))
    shuffled_stream = shuffled_with_delays(stream, seed)
    assert rows(shuffled_stream) == rows(shuffled(stream, seed))
    assert shuffled_stream.time.tolist() == sorted(time)
    for arrives, learnt, row in zip(
        shuffled_stream.time, shuffled_stream.label_time, shuffled_stream.X[:, 1], strict=True
    ):
        wait = arrivals[int(row)][1]
        assert learnt == (NEVER if wait is None else arrives + wait)


def test_delays_need_times():
    with pytest.raises(DataError, match="times of the instances"):
        shuffled_with_delays(make([0, 1]), 1)


def test_numeric_targets():
    stream = make([0.5, 1.5, 2.5], classes=None)
    assert sorted(shuffled(stream, 1).y.tolist()) == [0.5, 1.5, 2.5]
    with pytest.raises(DataError, match="numeric target"):
        temporal(stream, 1)


def test_names():
    assert split_name("elec2:blocks:1:48") == ("elec2", "blocks:1:48")
    assert split_name("elec2") == ("elec2", "original")
    stream = make([0, 1])
    assert variant(stream, "original") is stream
    for text in ("", "shuffled", "shuffled:x", "shuffled:-1", "blocks:1", "temporal:1:2", "odd:1"):
        with pytest.raises(ConfigError, match="expected original, shuffled:<seed>"):
            variant(stream, text)
    with pytest.raises(ConfigError, match=r"size of 1 .*found 0"):
        variant(stream, "blocks:1:0")


@pytest.mark.parametrize(
    "name", ["elec2", "hyp_10_0.001", "hyp_10_0.001:shuffled:1", "a:blocks:3:500"]
)
def test_names_survive_being_a_file(name):
    stem = file_stem(name)
    assert ":" not in stem
    assert name_of_stem(stem) == name
