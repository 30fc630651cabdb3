"""Streams whose labels come later, in the commands `evaluate` and `check`."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.binned import binned_labels
from helpers.commands import below_summary, first, run

import streameval as se
from streameval.base.settings import ROOT
from streameval.base.values import duration_text
from streameval.evaluation.bins import bin_measures, bin_table
from streameval.evaluation.reevaluated import reevaluated, silent
from streameval.evaluation.roles import COMPARATORS
from streameval.evaluation.run import run_learners
from streameval.evaluation.task import CLASSES
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.protocols.bins import Binned
from streameval.streams.generators.markov import Markov
from streameval.streams.generators.sea import Sea

N = 600
KEYS = ["bin", "accuracy", "kappa", "kappa_temporal", "kappa_m", "predictions"]
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


def study_of(stream, learners, bins, every, rule="paper", ties="instance", delay=None):
    """Return the frame of the study, from its own functions."""
    made = reevaluated(stream, every, ties, delay=delay)
    kept = made.scored(rule)
    table, _ = run_learners(made.stream, made.tape, learners)
    ids = {name: learner.name for name, learner in learners.items()}
    found = {
        name: binned_labels(made.polls, label, bins, rule, silent=silent(ids.get(name, name)))
        for name, label in table.predicted.items()
    }
    found = {name: Binned(one.values[kept], one.made[kept]) for name, one in found.items()}
    true = stream.y[made.polls.scored[kept]]
    gains = {name: CLASSES.gain(true[:, None], one.values) for name, one in found.items()}
    tables = {name: [bin_table(true, one, stream.n_classes)] for name, one in found.items()}
    return bin_measures(CLASSES, tables, gains, COMPARATORS)


def check_json(rows, expected):
    """Compare what the command printed with the rows of a study."""
    assert all({*KEYS} <= {*row} for row in rows)
    assert len(rows) == len(expected)
    found = pd.DataFrame(rows).astype(float)  # without a value: NaN
    columns = [*KEYS, "kappa_temporal_delayed", "kappa_m_delayed", "low", "high", "calculated"]
    assert not found["missing"].any()
    expected = expected[columns].reset_index(drop=True).astype(float)
    pd.testing.assert_frame_equal(found[columns], expected, check_exact=True)


@pytest.mark.parametrize("rule", ["published", "paper"])
def test_the_bins_of_a_delay_are_those_of_the_study(capsys, rule):
    more = ("--delay", 70, "--bins", 7, "--every", 3, "--rule", rule, "--json")
    code, out, err = run(capsys, "evaluate", "markov_ozone", "--learner", "hoeffding_tree", *more)
    assert (code, err) == (0, "")
    answer = first(out)
    assert list(answer) == [
        *("n", "target", "every", "labels", "pending", "delay", "before_first_label"),
        *("sentences", "bins", "seconds", "model_bytes", "over"),
    ]
    assert [answer[key] for key in ("every", "labels", "pending", "delay")] == [3, 2536, 0, 70]
    stream = se.load("markov_ozone")
    expected = study_of(stream, {"hoeffding_tree": HoeffdingTree()}, 7, 3, rule, delay=70)
    check_json(answer["bins"], expected[expected["learner"] == "hoeffding_tree"])


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("label_first", [False, True])
def test_the_bins_of_a_file_are_those_of_its_times(capsys, tmp_path, frame, ending, label_first):
    # Whole minutes, so that some are equal.
    rounded = frame.assign(seen=frame["seen"].dt.floor("min"), known=frame["known"].dt.ceil("min"))
    path = tmp_path / f"bills.{ending}"
    rounded.to_csv(path, index=False) if ending == "csv" else rounded.to_parquet(path)
    more = [*TIMES, *("--bins", 4, "--json"), *(["--label-first"] if label_first else [])]
    code, out, err = run(capsys, *words(path, *more))
    assert (code, err) == (0, "")
    answer = first(out)
    assert [answer[key] for key in ("n", "every", "labels", "pending")] == [N, 10, N - 30, 30]
    # By hand: whole seconds, in the order of time.
    whole = rounded.sort_values("seen", kind="stable").dropna(subset="known")
    seconds = {
        name: (whole[name] - pd.Timestamp("1970-01-01")).dt.total_seconds().astype(int).to_numpy()
        for name in ("seen", "known")
    }
    stream = se.from_pandas(whole[["size", "note", "state"]], "state")
    stream = replace(stream, time=seconds["seen"], label_time=seconds["known"])
    ties = "label" if label_first else "instance"
    expected = study_of(stream, {"naive_bayes": NaiveBayes()}, 4, 10, ties=ties)
    check_json(answer["bins"], expected[expected["learner"] == "naive_bayes"])


def test_the_first_bin_is_delayed_and_the_last_one_prequential(capsys):
    learners = ("--learner", "naive_bayes", "--learner", "hoeffding_tree")
    start = ("evaluate", "markov_ozone", *learners, "--json")
    answer = json.loads(run(capsys, *start, "--delay", 100)[1])
    assert list(answer["learners"]) == ["naive_bayes", "hoeffding_tree", "no_change", "majority"]
    stream = se.load("markov_ozone")
    for place, protocol, begin in ((0, "delayed:100", None), (-1, "prequential", 101)):
        names = ["naive_bayes", "hoeffding_tree"]
        other = se.evaluate(stream, names, protocol, pretrain=begin).to_dict()
        for name, found in answer["learners"].items():
            row = found["bins"][place]
            assert row["accuracy"] == other[name]["accuracy"]
            assert row["kappa"] == pytest.approx(other[name]["kappa"], abs=1e-12)
            for measure in ("kappa_temporal", "kappa_m"):
                expected = other[name][measure]
                assert row[f"{measure}_delayed"] == pytest.approx(expected, abs=1e-12)


def test_no_delay_is_prequential_in_all_bins(capsys):
    start = ("evaluate", "markov_ozone", "--learner", "naive_bayes", "--json")
    usual = first(run(capsys, *start)[1])
    rows = first(run(capsys, *start, "--delay", 0, "--bins", 3)[1])["bins"]
    assert [row["accuracy"] for row in rows] == [usual["accuracy"]] * 5


def test_a_table_is_for_people_and_its_files_have_all(capsys, bills, frame, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    more = (*TIMES, "--table", "bins.csv", "--figure", "bins.png")
    code, out, err = run(capsys, *words(bills, *more))
    assert (code, err) == (0, "")
    assert out.startswith("The target of bills is 'state', with 2 classes: late, paid.\n")
    lines = below_summary(out).splitlines()
    waits = [
        (frame["seen"] <= (pd.Timestamp.max if row.known is pd.NaT else row.known)).sum()
        - (frame["seen"] <= row.seen).sum()
        for row in frame.itertuples()
    ]
    seconds = (frame["known"] - frame["seen"]).dropna().dt.total_seconds().median()
    for fact in ("600 ", "median", duration_text(seconds), f"{np.median(waits):.0f} instances"):
        assert fact in lines[0]
    assert lines[1].startswith("30 labels have not arrived;")
    assert max(map(len, lines)) <= 100
    assert lines[2].endswith("they are not scored.")
    assert len(lines) <= 25
    table = pd.read_csv("bins.csv")
    assert table.groupby("learner", sort=False).size().to_dict() == {
        "naive_bayes": 52,
        "no_change": 52,
        "majority": 52,
    }
    own = table[table["learner"] == "naive_bayes"].set_index("bin")
    scored = own["predictions"].iloc[0]
    assert N - 100 < scored < N - 30
    check_lines(lines, own, ["kappa_temporal_delayed", "kappa_m_delayed"], scored)
    assert not any("MOA" in line for line in lines)
    with_all = run(capsys, *words(bills, *TIMES, "--all"))[1].splitlines()
    skills = ["kappa_temporal_delayed", "kappa_m_delayed", "kappa", "kappa_temporal", "kappa_m"]
    check_lines(with_all, own, skills, scored)
    assert sum("as in MOA" in line for line in with_all) == 1
    assert max(map(len, with_all)) <= 100
    assert Path("bins.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bills.csv", "bins.csv", "bins.png"]


def check_lines(lines, own, names, scored):
    """Compare the printed rows of a learner with all of its bins: accuracy, interval, measures."""
    rows = [re.sub(r"[\[\],]", " ", line).split() for line in lines if re.match(r" +\d+ ", line)]
    assert [int(row[0]) for row in rows] == [0, *range(5, 51, 5), 51]
    assert sum(f"Over {scored:,} labels." in line for line in lines) == 1
    for b, *cells in rows:
        row = own.loc[int(b)]
        ends = [] if np.isnan(row["low"]) else ["low", "high"]
        expected = row[["accuracy", *ends, *names]]
        assert [float(cell.replace("−", "-")) for cell in cells] == [
            round(value, 4) for value in expected
        ]


def test_where_labels_are_worth_too_little_there_is_no_interval(capsys, bills, frame):
    few = frame.sort_values("seen").head(50)
    few.to_csv(bills, index=False)
    code, out, err = run(capsys, *words(bills, *TIMES, "--bins", 2))
    assert (code, err) == (0, "")
    assert "[" not in out
    assert out.count("No 95 % interval in any bin: it needs labels worth 60 independent ones") == 1


def test_the_published_rule_says_what_a_missing_prediction_is(capsys):
    start = ("evaluate", "markov_ozone", "--learner", "naive_bayes", "--delay", 5, "--bins", 2)
    said = f"missing prediction counts as class {se.load('markov_ozone').schema.classes[0]}."
    assert said in run(capsys, *start, "--rule", "published")[1]
    assert "missing" not in run(capsys, *start)[1]


def test_several_learners_stand_below_each_other(capsys, bills):
    code, out, _ = run(capsys, *words(bills, *TIMES, "--learner", "hoeffding_tree"))
    assert code == 0
    head = next(line for line in out.splitlines() if line.split()[:1] == ["bin"])
    assert head.split() == ["bin", "accuracy", "95", "%", "interval", "κ_t(d)", "κ_m(d)"]
    assert len(re.findall(r"(?m)^ +51 ", out)) == 2  # the last bin of each learner
    assert re.findall(r"(?m)^(naive_bayes|hoeffding_tree) +0 ", out) == [
        *("naive_bayes", "hoeffding_tree"),
    ]
    assert "7 of 52 bins are shown" in out
    few = run(capsys, *words(bills, *TIMES, "--learner", "majority", "--bins", 3))[1]
    assert "are shown" not in few
    assert len(re.findall(r"(?m)^ +4 ", few)) == 2


def test_a_stream_with_label_times_is_evaluated_by_them(capsys, monkeypatch):
    stream = Markov(priors=[0.6, 0.4], persistence=0.8, attributes=2, seed=1).stream(300)
    late = replace(stream, name="markov_elec2", time=np.arange(300), label_time=np.arange(300) + 50)
    monkeypatch.setattr("streameval.api.streams._original", lambda _: late)
    start = ("evaluate", "markov_elec2", "--learner", "naive_bayes")
    code, out, err = run(capsys, *start)
    assert (code, err) == (0, "")
    assert below_summary(out).startswith(
        "300 instances; in the median labels arrive 50 instances later."
    )
    by_name = run(capsys, *start, "--protocol", "reevaluation:10")[1]
    assert by_name == out
    code, out, err = run(capsys, "check", "markov_elec2", "--json")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert answer["delay"] == 50
    assert answer["persistent"] == np.mean(stream.y[51:] == stream.y[:-51])
    assert run(capsys, "check", "markov_elec2")[1].splitlines()[1].split()[-1] == "50"


def test_a_check_of_a_file_keeps_to_its_times(capsys, bills, frame):
    code, out, err = run(capsys, "check", bills, "--target", "state", *TIMES, "--json")
    assert (code, err) == (0, "")
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
    found = json.loads(run(capsys, *command, "--time", "at")[1])
    assert found["persistent"] == np.mean(labels[1:] == labels[:-1])
    mixed = json.loads(run(capsys, *command, "--drop", "at")[1])
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
            "either the protocol .*delayed-3.* or every",
        ),
        (["--drop", "seen", *TIMES[2:], "--time", "sen"], "no column 'sen'.*Did you mean 'seen'"),
        ([*TIMES, "--figure", "bins.txt"], "--figure: expected a file that ends in .svg"),
        ([*TIMES, "--table", "bins.xlsx"], "--table: expected a file that ends in .csv"),
        ([*TIMES, "--table", "no/such/bins.csv"], "--table: there is no folder 'no/such'"),
    ],
)
def test_a_mistake_is_one_message(capsys, bills, more, message):
    code, out, err = run(capsys, *words(bills, *more))
    assert (code, out) == (2, "")
    assert re.search(message, err)
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--delay", -1], "at delay: .*from 0 to .*, found -1"),
        (
            ["--delay", 5, "--protocol", "prequential"],
            "either the protocol .*prequential.* or delay",
        ),
        (["--delay", 5, "--label-first"], "label_first is for streams with times"),
        (["--bins", 5], "--bins: expected delayed labels, found none"),
        (["--every", 5], "Expected delayed labels for every, found none"),
        (["--figure", "a.svg", "--rule", "paper"], "--rule: expected delayed labels"),
        (["--time", "a", "--label-time", "b"], "--time and --label-time apply to files only"),
    ],
)
def test_options_about_delays_need_delays(capsys, tmp_path, monkeypatch, more, message):
    monkeypatch.chdir(tmp_path)
    start = ("evaluate", "markov_ozone", "--learner", "no_change")
    code, out, err = run(capsys, *start, *more)
    assert (code, out) == (2, "")
    assert re.search(message, err)
    assert not list(tmp_path.iterdir())


def test_a_typo_in_an_option_is_named(capsys):
    with pytest.raises(SystemExit):
        run(capsys, "evaluate", "markov_ozone", "--learner", "majority", "--dealy", 5)
    err = capsys.readouterr().err
    assert "unrecognized arguments: --dealy 5. Did you mean '--delay'" in err


def test_a_delay_may_be_longer_than_the_stream(capsys):
    start = ("evaluate", "markov_ozone", "--learner", "naive_bayes", "--json")
    answer = first(run(capsys, *start, "--delay", 2000)[1])
    assert answer["delay"] == 2000
    code, out, err = run(capsys, *start, "--delay", 2536)
    assert (code, out) == (2, "")
    assert "Give a shorter delay" in err
    checked = json.loads(run(capsys, "check", "markov_ozone", "--delay", 2000, "--json")[1])
    assert checked["delay"] == 2000


def test_a_delay_counts_instances_in_the_order_of_their_times():
    stream = Sea().stream(50)
    order = np.random.default_rng(3).permutation(50)
    mixed = replace(stream.take(order), time=order.astype(np.int64) * 1000)
    one, other = (se.evaluate(each, "naive_bayes", delay=7).bins(5) for each in (stream, mixed))
    pd.testing.assert_frame_equal(one, other)


@pytest.mark.realdata
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
    found = first(out)["bins"]
    assert len(found) == len(rows) == 52
    for row, expected in zip(found, rows, strict=True):
        n = int(expected["labels"])
        assert (row["bin"], row["predictions"]) == (int(expected["bin"]), n)
        assert round(row["accuracy"] * n) == int(expected["correct"])
        for measure in ("kappa", "kappa_temporal", "kappa_m"):
            assert 100 * row[measure] == pytest.approx(float(expected[measure]), abs=5e-7)
