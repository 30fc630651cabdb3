"""Commands pass on their options, and print the views of results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.commands import json_of, printed
from helpers.rides import BOTH, called, rides_of, written

import streameval as se
from streameval.api.result_view import DisplayOptions
from streameval.evaluation.delays import target_line
from streameval.view.mixin import as_json, view_of
from streameval.view.text import text_lines


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A file for each task, without the target of the other one."""
    folder = tmp_path_factory.mktemp("rides")
    for asked in BOTH:
        written(rides_of(asked), folder / f"{asked.target}.csv")
    return folder


def timeless(value):
    """A JSON value without its times."""
    if isinstance(value, list):
        return [timeless(entry) for entry in value]
    if isinstance(value, dict):
        return {key: timeless(entry) for key, entry in value.items() if key != "seconds"}
    return value


def timed_apart(text):
    """The lines of a text without times and speeds."""
    return [line for line in text.split("\n") if "per second" not in line]


#: By name the target, a command, its options, and the same in Python: each option that a command
#: passes on, in few calls. What is printed with other options is approved, see `test_approved.py`.
CALLS = {
    "bins": (
        "busy",
        "evaluate",
        "--delay 30 --every 3 --bins 7 --rule published --all --scores --by-class",
        {"delay": 30, "every": 3, "scores": True},
        {"bins": 7, "rule": "published", "more": True, "by_class": True},
    ),
    "intervals": (
        "cnt",
        "evaluate",
        "--intervals 0.8:0.02:100 --seasonal 48 --seasonal 60 --delay 30 --bins 4 --by age",
        {"intervals": "0.8:0.02:100", "seasonal": [48, 60], "delay": 30},
        {"bins": 4, "by": "age"},
    ),
    "folds": (
        "cnt",
        "evaluate",
        "--protocol cross_validation:3 --seed 5",
        {"protocol": "cross_validation:3", "seed": 5},
        {},
    ),
    "times": ("cnt", "evaluate", "--bins 4 --label-first", {"label_first": True}, {"bins": 4}),
    "compared by bins": (
        "cnt",
        "compare",
        "--delay 30 --bins 4 --seasonal 60 --seed 7 --all",
        {"delay": 30, "bins": 4, "seasonal": [60], "seed": 7},
        {"more": True},
    ),
    "compared by folds": (
        "busy",
        "compare",
        "--protocol bootstrap_validation:3:held_out --rope 0.02 --runs 2 --cores 1",
        {"protocol": "bootstrap_validation:3:held_out", "rope": 0.02, "runs": 2, "cores": 1},
        {},
    ),
    "sample": ("busy", "check", "--sample 50 --delay 9", {"sample": 50, "delay": 9}, {}),
    "detected": (
        "busy",
        "detect",
        "--detector ddm --detector every:100 --runs 2 --seed 3",
        {"detectors": ["ddm", "every:100"], "runs": 2, "seed": 3},
        {},
    ),
    "budget": (
        "busy",
        "budget",
        "--budget 0.02 --budget 0.2 --strategy every --runs 2 --delay 3",
        {"budgets": [0.02, 0.2], "strategies": ["every"], "runs": 2, "delay": 3},
        {},
    ),
}


@pytest.mark.parametrize(
    ("target", "command", "options", "arguments", "display"), CALLS.values(), ids=CALLS
)
def test_a_command_prints_what_its_function_returns(
    capsys, files, target, command, options, arguments, display
):
    (asked,) = (case for case in BOTH if case.target == target)
    path = files / f"{asked.target}.csv"
    times = {"drop": ["hour", "known"]}
    words = ["--drop", "hour", "known"]
    if "label_first" in arguments:
        times = {"time": "hour", "label_time": "known"}
        words = ["--time", "hour", "--label-time", "known"]
    learners = {"check": [], "detect": asked.learners[:1]}.get(command, [*asked.learners])
    words += [word for name in learners for word in ("--learner", name)]
    stream = se.read(path, asked.target, **times, **asked.reader_options)
    several = [learners[0] if command == "detect" else learners] if learners else []
    result = getattr(se, command)(stream, *several, **arguments)
    display = {"display": DisplayOptions(**display)} if command == "evaluate" else display
    words = (command, path, "--target", asked.target, *words, *options.split())
    text = "\n".join([target_line(stream), "", *text_lines(view_of(result, **display)), ""])
    assert timed_apart(printed(capsys, *words)) == timed_apart(text)
    expected = json.loads(json.dumps(as_json(view_of(result, **display)), allow_nan=False))
    assert timeless(json_of(capsys, *words)) == timeless(expected)


@pytest.mark.parametrize(
    ("asked", "late"),
    [*zip(BOTH, [(), ("--delay", 30, "--bins", 4, "--rule", "published")], strict=True)],
    ids=called,
)
def test_evaluate_writes_all_bins_or_predictions_and_draws(
    capsys, files, tmp_path, monkeypatch, asked, late
):
    monkeypatch.chdir(tmp_path)
    path, columns = files / f"{asked.target}.csv", ("hour", "known")
    words = ("evaluate", path, "--target", asked.target, "--drop", *columns, *late)
    words = (*words, "--learner", asked.learners[0], "--table", "all.csv", "--figure", "a.png")
    printed(capsys, *words)
    stream = se.read(path, asked.target, drop=columns, **asked.reader_options)
    result = se.evaluate(stream, asked.learners[0], delay=30 if late else None)
    expected = result.bins(4, "published", moa=True) if late else result.predictions
    assert Path("all.csv").read_text(encoding="utf-8") == expected.to_csv(index=False)
    assert Path("a.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "all.csv"]
