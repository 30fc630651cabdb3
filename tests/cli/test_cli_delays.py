"""Streams whose labels come later, in the commands `evaluate` and `check`."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.commands import below_summary, first, json_of, json_of_first, printed, refused, run

import streameval as se
from streameval.base.settings import ROOT
from streameval.streams.generators.markov import Markov
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


def words(path, *more):
    return ("evaluate", path, "--target", "state", "--learner", "naive_bayes", *more)


def test_a_stream_with_label_times_is_evaluated_by_them(capsys, monkeypatch):
    stream = Markov(priors=[0.6, 0.4], persistence=0.8, attributes=2, seed=1).stream(300)
    late = replace(stream, name="markov_elec2", time=np.arange(300), label_time=np.arange(300) + 50)
    monkeypatch.setattr("streameval.api.streams._make_stream", lambda _: late)
    start = ("evaluate", "markov_elec2", "--learner", "naive_bayes")
    out = printed(capsys, *start)
    assert below_summary(out).startswith(
        "300 instances; the median label arrives 50 instances later."
    )
    by_name = printed(capsys, *start, "--protocol", "reevaluation:10")
    assert by_name == out
    answer = json_of(capsys, "check", "markov_elec2")
    assert answer["delay"] == 50
    assert answer["persistent"] == np.mean(stream.y[51:] == stream.y[:-51])
    assert printed(capsys, "check", "markov_elec2").splitlines()[1].split()[-1] == "50"


def test_a_check_of_a_file_keeps_to_its_times(capsys, bills, frame):
    out = printed(capsys, "check", bills, "--target", "state", *TIMES, "--json")
    rows = frame.dropna(subset="known").sort_values("seen").reset_index(drop=True)
    hits = []
    for _, row in rows.iterrows():
        known = rows[rows["known"] < row["seen"]]
        if len(known):
            hits.append(known.loc[known["known"].idxmax(), "state"] == row["state"])
    assert json.loads(out)["persistent"] == np.mean(hits)


def test_times_alone_put_rows_in_order(capsys, tmp_path):
    draws = np.random.default_rng(2)
    labels = np.repeat(draws.integers(2, size=40), 10)
    order = draws.permutation(400)
    text = "\n".join(f"{at},{at % 7},{'uv'[labels[at]]}" for at in order)
    (tmp_path / "mixed.csv").write_text(f"at,x,y\n{text}\n", encoding="utf-8")
    command = ("check", tmp_path / "mixed.csv", "--target", "y", "--json")
    numbers = json.loads(printed(capsys, *command, "--time", "at"))
    assert numbers["persistent"] == np.mean(labels[1:] == labels[:-1])
    mixed = json.loads(printed(capsys, *command, "--drop", "at"))
    assert mixed["persistent"] == np.mean(labels[order][1:] == labels[order][:-1]) < 0.7


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--label-time", "known"], "needs the option time too"),
        ([*TIMES[:3], "knwon"], "no column 'knwon'.*Did you mean 'known'"),
        (["--time", "known", "--label-time", "seen"], r"line \d+: expected a time .*'known'"),
        (["--time", "note", "--label-time", "known"], r"line \d+: expected times .*'note'"),
        ([*TIMES, "--delay", 3], "either a delay or label times, found both"),
        ([*TIMES, "--bins", -1], "--bins: expected at least 0, found -1"),
        ([*TIMES, "--every", 0], "at every: .*from 1 to .*, found 0"),
        (
            [*TIMES, "--protocol", "delayed:3", "--every", 5],
            "either the protocol .*delayed:3.* or every",
        ),
        (["--drop", "seen", *TIMES[2:], "--time", "sen"], "no column 'sen'.*Did you mean 'seen'"),
        ([*TIMES, "--figure", "bins.txt"], "--figure: expected a file that ends in .svg"),
        ([*TIMES, "--table", "bins.xlsx"], "--table: expected a file that ends in .csv"),
        ([*TIMES, "--table", "no/such/bins.csv"], "--table: there is no folder 'no/such'"),
    ],
)
def test_a_mistake_is_one_message(capsys, bills, more, message):
    err = refused(capsys, *words(bills, *more))
    assert re.search(message, err)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--delay", -1], "at delay: .*from 0 to .*, found -1"),
        (
            ["--delay", 5, "--protocol", "prequential"],
            "either the protocol .*prequential.* or delay",
        ),
        (["--bins", 5], "--bins: expected delayed labels, found none"),
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


def test_a_typo_in_an_option_is_named(capsys):
    with pytest.raises(SystemExit):
        run(capsys, "evaluate", "markov_ozone", "--learner", "majority", "--dealy", 5)
    err = capsys.readouterr().err
    assert "unrecognized arguments: --dealy 5. Did you mean '--delay'" in err


def test_a_delay_may_be_longer_than_the_stream(capsys):
    start = ("evaluate", "markov_ozone", "--learner", "naive_bayes", "--json")
    answer = first(printed(capsys, *start, "--delay", 2000))
    assert answer["delay"] == 2000
    assert "Give a shorter delay" in refused(capsys, *start, "--delay", 2536)
    checked = json_of(capsys, "check", "markov_ozone", "--delay", 2000)
    assert checked["delay"] == 2000


def test_a_delay_counts_instances_in_the_order_of_their_times():
    stream = Sea().stream(50)
    order = np.random.default_rng(3).permutation(50)
    mixed = replace(stream.take(order), time=order.astype(np.int64) * 1000)
    ordered, shuffled = (
        se.evaluate(each, "naive_bayes", delay=7).bins(5) for each in (stream, mixed)
    )
    pd.testing.assert_frame_equal(ordered, shuffled)


def test_the_bins_of_the_published_program(capsys):
    # tests/studies/test_golden_bins.py says where these rows come from.
    with (ROOT / "tests" / "evaluation" / "reevaluated_bins.csv").open(encoding="utf-8") as file:
        rows = [
            row
            for row in csv.DictReader(file)
            if (row["stream"], row["learner"]) == ("elec2_dayahead", "naive_bayes")
        ]
    out = run(
        capsys,
        "evaluate",
        "elec2_dayahead",
        "--learner",
        "naive_bayes",
        "--rule",
        "published",
        "--json",
    )[1]
    bins = first(out)["bins"]
    assert len(bins) == len(rows) == 52
    for row, expected in zip(bins, rows, strict=True):
        n = int(expected["labels"])
        assert (row["bin"], row["predictions"]) == (int(expected["bin"]), n)
        assert round(row["accuracy"] * n) == int(expected["correct"])
        for measure in ("kappa", "kappa_temporal", "kappa_m"):
            ours = measure if measure == "kappa" else f"{measure}_moa"
            assert 100 * row[ours] == pytest.approx(float(expected[measure]), abs=5e-7)


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
