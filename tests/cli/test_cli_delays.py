"""Streams whose labels come later, in the commands `evaluate` and `check`."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.commands import json_of, json_of_first, refused

import streameval as se
from streameval.streams.generators.sea import Sea

N = 600
TIMES = ["--time", "seen", "--label-time", "known"]


@pytest.fixture(scope="module")
def frame():
    """Rows in no order, times with fractions of seconds, texts with line breaks, 30 pending."""
    rng = np.random.default_rng(1)
    size = rng.normal(size=N)
    seen = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.cumsum(rng.exponential(60, N)), "s")
    known = (seen + pd.to_timedelta(rng.exponential(3600, N), "s")).to_series(index=range(N))
    state = pd.Series(np.where(size + rng.normal(size=N) / 2 > 0, "paid", "late"), dtype=object)
    known[N - 30 :], state[N - 30 :] = None, None
    note = np.where(rng.random(N) < 0.5, 'said "no",\nand left', "fine")
    table = pd.DataFrame(
        {"seen": seen.round("us"), "size": size, "note": note, "known": known, "state": state}
    )
    table["known"] = table["known"].dt.round("us")
    return table.sample(frac=1, random_state=2).reset_index(drop=True)


@pytest.fixture
def bills(tmp_path, frame):
    path = tmp_path / "bills.csv"
    frame.to_csv(path, index=False)
    return path


def test_a_check_of_a_file_keeps_to_its_times(capsys, bills, frame):
    answer = json_of(capsys, "check", bills, "--target", "state", *TIMES)
    rows = frame.dropna(subset="known").sort_values("seen").reset_index(drop=True)
    hits = []
    for _, row in rows.iterrows():
        known = rows[rows["known"] < row["seen"]]
        if len(known):
            hits.append(known.loc[known["known"].idxmax(), "state"] == row["state"])
    assert answer["persistent"] == np.mean(hits)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ([*TIMES, "--delay", 3], "either a delay or label times, found both"),
        ([*TIMES, "--bins", -1], "--bins: expected at least 0, found -1"),
        (
            [*TIMES, "--protocol", "delayed:3", "--every", 5],
            "either the protocol .*delayed:3.* or every",
        ),
        ([*TIMES, "--table", "bins.xlsx"], "--table: expected a file that ends in .csv"),
    ],
)
def test_a_mistake_is_one_message(capsys, bills, more, message):
    words = ("evaluate", bills, "--target", "state", "--learner", "naive_bayes", *more)
    assert re.search(message, refused(capsys, *words))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            ["--delay", 5, "--protocol", "prequential"],
            "either the protocol .*prequential.* or delay",
        ),
        (["--every", 5], "Expected delayed labels for every, found none"),
        (["--figure", "a.svg", "--rule", "paper"], "--rule: expected delayed labels"),
        (["--time", "a", "--label-time", "b"], "--time and --label-time apply to files only"),
    ],
)
def test_options_about_delays_need_delays(capsys, tmp_path, monkeypatch, more, message):
    monkeypatch.chdir(tmp_path)
    start = ("evaluate", "markov_ozone", "--learner", "no_change")
    err = refused(capsys, *start, *more)
    assert re.search(message, err)
    assert not list(tmp_path.iterdir())


def test_a_delay_may_be_longer_than_the_stream(capsys):
    start = ("evaluate", "markov_ozone", "--learner", "naive_bayes")
    assert json_of_first(capsys, *start, "--delay", 2000)["delay"] == 2000
    assert "Give a shorter delay" in refused(capsys, *start, "--delay", 2536)


def test_a_delay_counts_instances_in_the_order_of_their_times():
    stream = Sea().stream(50)
    order = np.random.default_rng(3).permutation(50)
    mixed = replace(stream.take(order), time=order.astype(np.int64) * 1000)
    ordered, shuffled = (
        se.evaluate(each, "naive_bayes", delay=7).bins(5) for each in (stream, mixed)
    )
    pd.testing.assert_frame_equal(ordered, shuffled)


def test_bike_of_the_registry(capsys, tmp_path, monkeypatch, real_stream):
    monkeypatch.chdir(tmp_path)
    y = real_stream("bike").y
    words = ("evaluate", "bike", "--learner", "target_mean", "--delay", 168, "--bins", 0)
    on_arrival, last = json_of_first(capsys, *words)["bins"]
    known = np.append(0, np.cumsum(y) / np.arange(1, len(y) + 1))  # by the number of labels
    scored = np.arange(169, len(y))  # those before the first label are not
    for row, labels in ((on_arrival, scored - 168), (last, scored)):
        expected = np.abs(y[scored] - known[labels]).mean()
        assert row["mean_absolute_error"] == pytest.approx(expected, rel=1e-9)
