"""Learners that predict numbers, in the command `evaluate`: targets of a user's own files."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.commands import below_summary, first, run
from naive import reevaluation as literal
from naive import regression as naive
from sklearn import metrics

import streameval as se
from streameval.learners.registry import REGRESSORS
from streameval.protocols.prequential import prequential
from streameval.significance.stream_mean import stream_mean

N = 400
EPOCH = pd.Timestamp("1970-01-01")
FUNCTIONS = {
    "mean_absolute_error": metrics.mean_absolute_error,
    "root_mean_squared_error": metrics.root_mean_squared_error,
    "r_squared": metrics.r2_score,
}
SKILLS = ["skill_over_previous_target", "skill_over_target_mean"]
COSTS = ["seconds", "model_bytes"]


@pytest.fixture(scope="module")
def frame():
    """Counts of bikes by the hour; the last 15 are not yet known."""
    rng = np.random.default_rng(5)
    hour = pd.Series(pd.Timestamp("2024-03-01") + pd.to_timedelta(np.arange(N) // 2, "h"))
    warm, weather = rng.normal(15, 8, N).round(1), rng.choice(["sun", "rain"], N)
    cnt = 300 + 12 * warm - 90 * (weather == "rain") + rng.normal(0, 20, N)
    known = hour + pd.to_timedelta(rng.integers(0, 30, N), "h")
    known[N - 15 :] = None
    columns = {"hour": hour, "warm": warm, "weather": weather, "cnt": cnt.round(), "known": known}
    return pd.DataFrame(columns)


@pytest.fixture
def rides(tmp_path, frame):
    path = tmp_path / "rides.csv"
    frame.to_csv(path, index=False)
    return path


def written(frame, path):
    """Write a frame as the ending of the path says."""
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".parquet":
        frame.astype({"cnt": np.int32}).to_parquet(path)
    else:
        head = "@relation rides\n@attribute warm numeric\n@attribute weather {rain,sun}\n"
        rows = frame[["warm", "weather", "cnt"]].to_csv(index=False, header=False)
        path.write_text(f"{head}@attribute cnt numeric\n@data\n{rows}", encoding="utf-8")


def twin_of(name, stream):
    return naive.twin(REGRESSORS[name](), stream)


def with_baselines(name, *about):
    """What `in_turn` returns, and what counts of both baselines."""
    baselines = {one: in_turn(one, *about)[1] for one in ("previous_target", "target_mean")}
    return (*in_turn(name, *about), baselines)


def in_turn(name, stream, time, due, every, bins, vote=literal.published_bins):
    """Targets in the order of their arrival, and what counts in each bin, event by event."""
    twin, history = twin_of(name, stream), defaultdict(list)
    polls, _, scored = literal.polls_in_turn(time, due, every, "instance", False)
    x, y = stream.X.tolist(), stream.y.tolist()
    for row, moment, which in polls:
        history[row].append((moment, twin.predict(x[row])))
        if which == literal.LAST:
            twin.learn(x[row], y[row], 1.0)
    values = [[v for v, _ in vote(history[row], bins, literal.mean)] for row in scored]
    return stream.y[scored], np.array(values)


def skill_of(true, values, reference):
    """One less the ratio of the mean errors, where both are known."""
    known = ~np.isnan(reference) & ~np.isnan(values)
    own, other = (np.abs(one - true)[known].mean() for one in (values, reference))
    return 1 - own / other


def check_bins(rows, true, values, baselines):
    """Compare what the command printed with measures of what counts."""
    skills = [f"skill_over_{name}" for name in baselines]
    keys = ["bin", *FUNCTIONS, *skills, "predictions", "low", "high", "calculated", "missing"]
    keys += [f"{name}_{end}" for name in skills for end in ("low", "high")]
    assert [{*row} for row in rows] == [{*keys}] * values.shape[1]
    for b, row in enumerate(rows):
        assert (row["bin"], row["predictions"]) == (b, len(true))
        for key, function in FUNCTIONS.items():
            known = ~np.isnan(values[:, b])
            assert row[key] == pytest.approx(function(true[known], values[known, b]), rel=1e-9)
        for key, reference in zip(skills, baselines.values(), strict=True):
            skill = skill_of(true, values[:, b], reference[:, b])
            assert row[key] == pytest.approx(skill, rel=1e-9, abs=1e-12)
        assert row["missing"] == np.isnan(values[:, b]).sum()
        found = stream_mean(np.abs(values[known, b] - true[known]))
        ends = (None, None) if found.reason else pytest.approx((max(found.low, 0), found.high))
        assert (row["low"], row["high"]) == ends


@pytest.mark.parametrize("ending", ["csv", "parquet", "arff"])
def test_the_target_of_a_file_is_read_as_numbers(capsys, tmp_path, frame, ending):
    path = tmp_path / f"rides.{ending}"
    written(frame, path)
    more = () if ending == "arff" else ("--target", "cnt", "--drop", "hour", "known")
    both = ("--learner", "fimt_dd", "--learner", "orto", "--json")
    code, out, err = run(capsys, "evaluate", path, *more, *both)
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert (list(answer), answer["n"]) == (["n", "target", "summary", "learners", "sentences"], N)
    assert list(answer["learners"]) == [*("fimt_dd", "orto", "previous_target", "target_mean")]
    stream = se.from_pandas(frame[["warm", "weather", "cnt"]], "cnt", numeric_target=True)
    for name, found in answer["learners"].items():
        predicted = naive.play(twin_of(name, stream), stream, prequential(N))
        assert list(found) == [*FUNCTIONS, *SKILLS, *COSTS, "not_predicted", "skills"]
        known = ~np.isnan(predicted)
        true, predicted = frame["cnt"].to_numpy()[known], np.array(predicted)[known]
        for key, function in FUNCTIONS.items():
            assert found[key] == pytest.approx(function(true, predicted), rel=1e-9)
        before = frame["cnt"].shift().to_numpy()[known]
        skill = skill_of(true, predicted, before)
        assert found["skill_over_previous_target"] == pytest.approx(skill, abs=1e-12)
        ends = found["skills"]["previous_target"]
        assert ends["skill"] == pytest.approx(skill, abs=1e-12)
        if name == "target_mean":
            assert ends["low"] < skill < ends["high"]
        else:  # itself, and learners whose errors fall so long that few are independent
            assert (ends["low"], bool(ends["reason"])) == (None, True)


def test_one_learner_is_at_the_top(capsys, rides):
    start = ("evaluate", rides, "--target", "cnt", "--learner", "target_mean", "--json")
    answer = first(run(capsys, *start)[1])
    keys = [*FUNCTIONS, *SKILLS, *COSTS, "not_predicted", "skills"]
    assert list(answer) == ["n", "target", "sentences", *keys]
    rows = first(run(capsys, *start, "--delay", 0, "--bins", 3)[1])["bins"]
    assert [row["mean_absolute_error"] for row in rows] == [answer["mean_absolute_error"]] * 5
    ends = {f"{skill}_{end}" for skill in SKILLS for end in ("low", "high")}
    assert all(ends <= set(row) for row in rows)


@pytest.mark.parametrize("rule", ["published", "paper"])
def test_the_bins_of_a_delay(capsys, rides, frame, rule):
    words = ("--target", "cnt", "--drop", "known", "--learner", "fimt_dd", "--delay", 30)
    more = ("--bins", 7, "--every", 3, "--rule", rule, "--json")
    code, out, err = run(capsys, "evaluate", rides, *words, *more)
    assert (code, err) == (0, "")
    answer = first(out)
    assert list(answer) == [
        *("n", "target", "every", "labels", "pending", "delay", "before_first_label"),
        *("sentences", "bins", "seconds", "model_bytes", "skills"),
    ]
    stream = se.from_pandas(frame.drop(columns="known"), "cnt", numeric_target=True)
    time = list(range(N))
    due = [t + 30 for t in time]
    twin = getattr(literal, f"{rule}_bins")
    true, values, baselines = with_baselines("fimt_dd", stream, time, due, 3, 7, twin)
    begin = 31 if rule == "paper" else 0  # nothing is scored before the first target is known
    baselines = {name: found[begin:] for name, found in baselines.items()}
    check_bins(answer["bins"], true[begin:], values[begin:], baselines)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_bins_of_times(capsys, tmp_path, frame, ending):
    path = tmp_path / f"rides.{ending}"
    # Of the last ones the target is not known either.
    rides = frame.assign(cnt=frame["cnt"].where(frame["known"].notna()))
    rides.to_csv(path, index=False) if ending == "csv" else rides.to_parquet(path)
    both = ("--learner", "fimt_dd", "--learner", "target_mean", "--json", "--rule", "published")
    words = ("--target", "cnt", "--time", "hour", "--label-time", "known", "--bins", 4, *both)
    code, out, err = run(capsys, "evaluate", path, *words)
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert [answer[key] for key in ("n", "every", "labels", "pending")] == [N, 10, N - 15, 15]
    assert list(answer["learners"]) == ["fimt_dd", "target_mean", "previous_target"]
    inputs = frame[["warm", "weather", "cnt"]]
    stream = se.from_pandas(inputs, "cnt", numeric_target=True)
    seconds = [(frame[name] - EPOCH) // pd.Timedelta(seconds=1) for name in ("hour", "known")]
    time, due = ([None if x != x else int(x) for x in column] for column in seconds)
    for name, found in answer["learners"].items():
        check_bins(found["bins"], *with_baselines(name, stream, time, due, 10, 4))


def test_tables_are_for_people_and_files_have_all_bins(capsys, rides, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("evaluate", rides, "--target", "cnt", "--learner", "fimt_dd")
    code, out, err = run(capsys, *words)
    assert (code, err) == (0, "")
    names = ["fimt_dd", "previous_target", "target_mean"]
    assert out.startswith("The target of rides is 'cnt', a number.\n")
    table, _, said = below_summary(out).partition("\n\n")
    lines = [line.rsplit(maxsplit=3) for line in table.splitlines()]
    assert lines[0] == names
    sentences = said.replace("\n  ", " ").splitlines()
    assert len(sentences) == 2
    assert sentences[0].startswith("fimt_dd cannot be told from the previous target (its mean ")
    assert "error is lower by 30.26; no interval, as" in sentences[0]
    assert "instances tell as much as" in sentences[0]  # the errors of the tree fall all the time
    found = json.loads(run(capsys, *words, "--learner", "target_mean", "--json")[1])["learners"]
    answer = {name: found[name] for name in names}
    titles = {
        "Mean absolute error (MAE)": "mean_absolute_error",
        "Root mean squared error (RMSE)": "root_mean_squared_error",
        "Coefficient of determination (R²)": "r_squared",
        "Skill over the previous target": "skill_over_previous_target",
        "Skill over the mean so far": "skill_over_target_mean",
    }
    cells = {line[0]: line[1:] for line in lines[1:]}
    for title, key in titles.items():
        expected = [round(found[key], 4) for found in answer.values()]
        assert [float(cell.replace("−", "-")) for cell in cells[title]] == expected
    more = ("--delay", 30, "--table", "bins.csv", "--figure", "bins.png")
    code, out, err = run(capsys, *words, *more)
    assert (code, err) == (0, "")
    assert below_summary(out).startswith(
        "400 instances; in the median labels arrive 30 instances later.\n"
    )
    assert max(map(len, out.splitlines())) <= 100
    table = pd.read_csv("bins.csv")
    assert table.groupby("learner", sort=False).size().to_dict() == {
        "fimt_dd": 52,
        "previous_target": 52,
        "target_mean": 52,
    }
    at = {name: rows.set_index("bin") for name, rows in table.groupby("learner")}
    section = out[out.index(" bin ") :].partition("Over 369 labels.")[0].splitlines()
    assert " ".join(section[0].split()) == "bin MAE 95 % interval RMSE R² S(previous) S(mean)"
    rows = iter(section[1:])
    for name in names:
        for b in [0, 10, 20, 30, 40, 50, 51]:
            first, *values = re.sub(r"\[.*\]", "", next(rows)).removeprefix(name).split()
            assert int(first) == b
            expected = [at[name].loc[b, key] for key in titles.values()]
            assert [float(value.replace("−", "-")) for value in values] == [
                round(each, 4) for each in expected
            ]
    assert "7 of 52 bins are shown" in out
    assert Path("bins.png").read_bytes().startswith(b"\x89PNG")


def test_constant_targets_and_a_single_row_have_no_r_squared(capsys, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("a,b,y\n1,2,7.5\n", encoding="utf-8")
    words = ("evaluate", path, "--target", "y", "--learner", "amrules")
    with pytest.warns(se.StreamWarning, match="constant columns: a, b"):
        answer = first(run(capsys, *words, "--json")[1])
    assert [answer[key] for key in ("n", *FUNCTIONS)] == [1, 7.5, 7.5, None]
    with pytest.warns(se.StreamWarning, match="constant columns: a, b"):
        code, out, _ = run(capsys, *words, "--delay", 0, "--bins", 0, "--json")
    rows = first(out)["bins"]
    assert code == 0
    assert [[row[key] for key in (*FUNCTIONS, "low")] for row in rows] == [
        [7.5, 7.5, None, None]
    ] * 2
    path.write_text("a,y\n" + "".join(f"{i},3\n" for i in range(50)), encoding="utf-8")
    with pytest.warns(se.StreamWarning, match="'y' .*one value"):
        code, out, _ = run(capsys, *words)
    assert code == 0
    # R² of three, skills over the previous target, that of the latter over the mean so far, whose
    # only error is at the first instance; and a line each that says why.
    assert out.count("undefined") == 3 + 3 + 1 + 3
    undefined = "(R²) is undefined: all targets are equal, or too large to be squared.\n"
    assert f"\nCoefficient of determination {undefined}" in out
    with pytest.warns(se.StreamWarning, match="'y' .*one value"):
        out = run(capsys, *words, "--delay", 3, "--bins", 1)[1]
    assert "\nR² is undefined: all targets are equal, or too large to be squared.\n" in out


@pytest.mark.parametrize("value", [1e-9, 1e9])
def test_errors_of_any_magnitude_are_shown(capsys, tmp_path, value):
    path = tmp_path / "y.csv"
    path.write_text("a,y\n" + "".join(f"{i},{value * (i % 2)}\n" for i in range(50)))
    out = run(capsys, "evaluate", path, "--target", "y", "--learner", "target_mean")[1]
    (shown,) = [line.split()[-2] for line in out.splitlines() if "(MAE)" in line]
    so_far = np.cumsum(np.arange(50) % 2) / np.arange(1, 51)
    expected = value * np.abs(np.arange(50) % 2 - np.append(0, so_far[:-1])).mean()
    assert float(shown) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,y\n1,2\n2,x\n", "line 3: expected numbers in the target 'y', found texts like ['x']"),
        ("a,y\n1,\n2,\n", "expected labels ('y'), found none"),
        ("a,y\n1,NaN\n2,\n", "expected labels ('y'), found none"),
        ("a,y\n1,inf\n2,3\n", "line 2: column 'y': expected a finite number"),
        ("a,y\n1,1e200\n2,3\n", "expected finite numbers as the target 'y' of stream 'y', up to"),
        ("a,y\n", "expected rows of data, found none"),
        ("", "expected a table, found an empty file"),
    ],
)
def test_what_is_no_target_is_one_message(capsys, tmp_path, content, message):
    path = tmp_path / "y.csv"
    path.write_text(content, encoding="utf-8")
    code, out, err = run(capsys, "evaluate", path, "--target", "y", "--learner", "fimt_dd")
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--target=cnt", "--learner=fimt_dd", "--learner=knn", "--learner=orto"),
            "numbers (fimt_dd, orto) and some that predict classes (knn)",
        ),
        (
            ("--target=weather", "--learner=fimt_dd"),
            "found texts like ['sun', 'rain']. Correct them, choose classifiers if these are",
        ),
        (
            ("--target=cnt", "--learner=fimt_dd", "--wrapper=temporally_augmented"),
            "--wrapper: expected learners that predict classes, found fimt_dd",
        ),
        (
            ("--target=cnt", "--learner=fimt_dd", "--bins=3"),
            "--bins: expected delayed labels, found none",
        ),
        (
            ("--target=cnt", "--numeric", "cnt", "--learner=knn"),
            "the target is nominal, since classes are names. Leave it out. If it is a number to",
        ),
        (
            ("--target=cnt", "--nominal", "cnt", "--learner=orto"),
            "found both: the target is numeric. Leave it out, or choose classifiers.",
        ),
    ],
)
def test_mistakes_are_one_message(capsys, rides, words, message):
    code, out, err = run(capsys, "evaluate", rides, *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_classifiers_and_checks_name_regressors(capsys, tmp_path, frame):
    arff, table = tmp_path / "rides.arff", tmp_path / "rides.csv"
    for path in (arff, table):
        written(frame, path)
    code, _, err = run(capsys, "evaluate", arff, "--learner", "naive_bayes")
    assert code == 2
    assert "'naive_bayes' predicts classes: expected one that predicts numbers. There are" in err
    code, _, err = run(capsys, "check", arff)
    assert code == 2
    assert "`streameval evaluate STREAM --learner fimt_dd` compares a regressor" in err
    code, _, err = run(capsys, "evaluate", arff, "--learner", "fimt_dd", "--target", "weather")
    assert code == 2
    assert "'weather', which is declared nominal. Declare it numeric, or choose class" in err
    for command in (("check",), ("evaluate", "--learner", "majority")):
        with pytest.warns(se.StreamWarning, match="number .* regressors"):
            assert run(capsys, *command, table, "--target", "cnt")[0] == 0


def test_a_generated_stream_with_a_numeric_target(capsys, monkeypatch):
    planes = se.generate("planes", rows=300)
    monkeypatch.setattr("streameval.api.streams._original", lambda _: planes)
    words = ("evaluate", "bike", "--learner", "target_mean", "--delay", 20, "--bins", 2, "--json")
    code, out, err = run(capsys, *words, "--rule", "published")
    assert (code, err) == (0, "")
    time = list(range(300))
    due = [t + 20 for t in time]
    check_bins(first(out)["bins"], *with_baselines("target_mean", planes, time, due, 10, 2))


@pytest.mark.realdata
def test_bike_of_the_registry(capsys, tmp_path, monkeypatch, real_stream):
    monkeypatch.chdir(tmp_path)
    y = real_stream("bike").y
    words = ("evaluate", "bike", "--learner", "target_mean", "--delay", 168, "--bins", 0, "--json")
    on_arrival, last = first(run(capsys, *words)[1])["bins"]
    known = np.append(0, np.cumsum(y) / np.arange(1, len(y) + 1))  # by the number of labels
    scored = np.arange(169, len(y))  # those before the first label are not
    for found, labels in ((on_arrival, scored - 168), (last, scored)):
        expected = np.abs(y[scored] - known[labels]).mean()
        assert found["mean_absolute_error"] == pytest.approx(expected, rel=1e-9)
