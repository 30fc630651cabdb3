"""Sentences of `streameval evaluate` that say whether a classifier beats the baselines."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
from helpers.commands import below_summary, first, json_of, json_of_first, printed, run

import streameval as se
from streameval.drawing import results
from streameval.learners.baselines import Majority
from streameval.significance.stream_mean import stream_mean

BASELINES = ("no_change", "majority")


def csv_of(folder, labels, inputs):
    path = folder / "mine.csv"
    rows = "".join(f"{x},{y}\n" for x, y in zip(inputs, labels, strict=True))
    path.write_text(f"x,label\n{rows}", encoding="utf-8")
    return path


@pytest.fixture
def table(tmp_path):
    """Labels in random order, of which the input tells all but a tenth."""
    random = np.random.default_rng(5)
    labels = (random.random(600) < 0.7).astype(int)
    inputs = np.where(random.random(600) < 0.9, labels, 1 - labels)
    return csv_of(tmp_path, np.array(["no", "yes"])[labels], inputs + 0.01 * random.random(600))


def said(capsys, *words):
    out = printed(capsys, "evaluate", *words)
    return re.sub(r"\s+", " ", out.rpartition("\n\n")[2])


def test_numbers_are_those_of_the_predictions(capsys, table):
    words = (table, "--target", "label", "--learner", "naive_bayes")
    predicted = se.evaluate(se.read(table, "label"), "naive_bayes").predictions
    right = {name: predicted[name] == predicted["true"] for name in ("naive_bayes", *BASELINES)}
    over = json_of_first(capsys, "evaluate", *words)["over"]
    told = []
    for baseline in BASELINES:
        found = stream_mean(right["naive_bayes"].astype(float) - right[baseline])
        assert over[baseline] == {
            "difference": found.mean,
            "low": found.low,
            "high": found.high,
            "instances": 600,
            "reason": "",
        }
        mean, low, high = (100 * value for value in found[:3])
        assert low > 0
        told.append(f"{mean:.2f} points [{low:.2f}, {high:.2f}]")
    answer = said(capsys, *words)
    assert answer.startswith("naive_bayes beats ")
    for fact in (f"No-Change by {told[0]}", f"Majority by {told[1]}", "95 % intervals"):
        assert fact in answer


def test_a_baseline_is_compared_with_the_other_one(capsys, tmp_path):
    labels = np.repeat(np.arange(300) % 2, 2)
    path = csv_of(tmp_path, labels, np.zeros(600))
    words = (path, "--target", "label", "--learner", "majority", "--learner", "no_change")
    with pytest.warns(se.StreamWarning):
        out = run(capsys, "evaluate", *words)[1]
    # Source: No-Change is right about the second of each two labels, Majority about a half at most.
    first, second = re.findall(r"^(majority|no_change) (.*)$", below_summary(out), re.M)
    assert (first[0], second[0]) == ("majority", "no_change")
    assert "Majority" not in first[1]
    assert "No-Change" not in second[1]


def test_a_learner_that_predicts_as_a_baseline_is_not_told_from_it(capsys, tmp_path):
    random = np.random.default_rng(6)
    path = csv_of(tmp_path, random.integers(2, size=900), random.random(900))
    out = said(capsys, path, "--target", "label", "--learner", "naive_bayes")
    form = (
        r"cannot be told from (No-Change|Majority) \([+−]\d\.\d\d points \[−[\d.]+, \+?[\d.]+\]\)"
    )
    assert re.findall(form, out) == ["No-Change", "Majority"]
    words = (path, "--target", "label", "--learner", "no_change", "--learner", "majority")
    assert "loses" not in said(capsys, *words)


def test_a_summary_stands_first(capsys, table):
    words = (table, "--target", "label", "--learner", "majority", "--learner", "naive_bayes")
    found = json_of(capsys, "evaluate", *words)
    accuracy = found["learners"]["naive_bayes"]["accuracy"]
    assert accuracy > found["learners"]["majority"]["accuracy"]
    assert found["summary"] == (
        f"naive_bayes has the highest accuracy of 2 learners, {100 * accuracy:.2f} %; it beats "
        "No-Change and Majority."
    )
    out = run(capsys, "evaluate", *words)[1]
    target, told, _ = out.split("\n\n", 2)
    assert (target.split()[1], " ".join(told.split())) == ("target", found["summary"])
    pieces = run(capsys, "evaluate", *words, "--chunk-rows", 100)[1]
    assert pieces.split("\n\n")[:2] == [target, told]
    few = json_of(capsys, "evaluate", *words, "--rows", 30)["summary"]
    assert few.endswith("; without an interval there is no verdict against No-Change and Majority.")
    later = json_of(capsys, "evaluate", *words, "--delay", 20)["summary"]
    assert later.startswith("On arrival, naive_bayes has the highest accuracy of 2 learners, ")


@pytest.mark.parametrize(
    ("learners", "more"),
    [
        (("majority",), ("--scores",)),
        (("majority", "no_change"), ()),
        (("majority",), ("--delay", 20)),
        (("no_change", "majority"), ("--delay", 20, "--by", "age")),
        (("target_mean",), ()),
    ],
)
def test_people_read_a_minus_sign_and_programs_a_hyphen(capsys, tmp_path, learners, more):
    labels = np.repeat(np.random.default_rng(8).integers(2, size=150), 4)
    path = csv_of(tmp_path, labels, np.arange(600) % 7)
    target = ["--target", "label", *(["--numeric-target"] if "target_mean" in learners else [])]
    words = (path, *target, *(word for name in learners for word in ("--learner", name)), *more)
    out = run(capsys, "evaluate", *words)[1]
    assert "−" in out
    assert not re.search(r"(?<!\w)-\d", out)
    answer = run(capsys, "evaluate", *words, "--json")[1]
    assert re.search(r": -\d", answer)


def test_few_instances_and_folds_have_no_interval(capsys, table):
    words = (table, "--target", "label", "--learner", "naive_bayes")
    out = said(capsys, *words, "--rows", 30)
    points = r"\([+−][\d.]+ points\)"
    form = (
        rf"naive_bayes cannot be told from No-Change {points} and Majority {points}; no interval, "
        r"as there are 30 instances only, and at least 60 are needed\."
    )
    assert re.search(form, out)
    assert "[" not in out
    out = said(capsys, *words, "--protocol", "cross_validation:3")
    assert "no interval, as it would need the predictions of one model" in out
    assert "`streameval compare` has intervals over folds." in out
    folds = (*words, "--protocol", "cross_validation:3", "--json")
    over = first(run(capsys, "evaluate", *folds)[1])["over"]
    assert (over["majority"]["low"], over["majority"]["instances"]) == (None, 3 * 600)


def test_under_delays_predictions_on_arrival_count(capsys, table):
    words = (table, "--target", "label", "--learner", "naive_bayes")
    out = said(capsys, *words, "--delay", 20)
    assert out.startswith("On arrival, naive_bayes beats No-Change by ")
    found = json_of_first(capsys, "evaluate", *words, "--delay", 20)
    plain = json_of_first(capsys, "evaluate", *words, "--protocol", "delayed:20")
    assert found["over"] == plain["over"]  # the same predictions, by another protocol


@pytest.mark.parametrize(("rows", "window"), [(300, 30), (2536, 253), (5, 1)])
def test_a_figure_shows_all_over_time(capsys, tmp_path, monkeypatch, rows, window):
    drawn, draw = [], results.draw_curves

    def noted(curves, measures, learners, *more):
        drawn.append((curves, measures, learners))
        return draw(curves, measures, learners, *more)

    monkeypatch.setattr(results, "draw_curves", noted)
    words = ("markov_ozone", "--learner", "naive_bayes", "--rows", rows, "--figure")
    printed(capsys, "evaluate", *words, tmp_path / "over_time.svg")
    assert (tmp_path / "over_time.svg").read_text(encoding="utf-8").count("Naive Bayes") > 0
    ((curves, measures, learners),) = drawn
    assert measures == ["accuracy", "kappa_temporal"]
    assert learners == ["naive_bayes", *BASELINES]
    result = se.evaluate(se.load("markov_ozone").first(rows), "naive_bayes")
    expected = result.curve("accuracy", window)["majority"]
    is_shown = (curves["measure"] == "accuracy") & (curves["learner"] == "majority")
    assert curves.loc[is_shown, "value"].tolist() == expected.tolist()


def test_a_figure_of_numbers_has_their_measures(capsys, tmp_path):
    words = ("planes", "--rows", 2000, "--learner", "amrules", "--figure", tmp_path / "a.svg")
    printed(capsys, "evaluate", *words)
    assert "previous target" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_a_figure_over_folds_is_refused_before_anything_runs(capsys, tmp_path, monkeypatch, table):
    monkeypatch.setattr(Majority, "play", lambda *_, **__: pytest.fail("ran"))
    words = (table, "--target", "label", "--learner", "majority", "--figure", tmp_path / "a.svg")
    code, out, err = run(capsys, "evaluate", *words, "--protocol", "cross_validation:3")
    assert (code, out, [*tmp_path.glob("*.svg")]) == (2, "", [])
    assert "--figure: expected a protocol with one model" in err
    assert "found cross_validation" in err


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_it_evaluates_without_pandas(table, form):
    arguments = ["evaluate", str(table), "--target=label", "--learner=naive_bayes", *form]
    code = f"import sys; from streameval.cli import main; sys.argv[1:] = {arguments}; main(); "
    code += "print([name for name in ('matplotlib', 'pandas') if name in sys.modules])"
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"
