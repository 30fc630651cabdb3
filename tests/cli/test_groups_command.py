"""Rows of several entities in turn: `--group` and `--by-group` of the commands."""

from __future__ import annotations

import json

import pytest
from helpers import command_calls
from helpers.commands import run

import streameval as se

#: Commands on one file, with what they need.
COMMANDS = {
    "check": (),
    "evaluate": ("--learner", "naive_bayes"),
    "compare": ("--learner", "naive_bayes", "--learner", "no_change"),
    "budget": ("--learner", "naive_bayes", "--budget", "0.5", "--strategy", "random"),
    "detect": ("--learner", "naive_bayes", "--detector", "ddm"),
}


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    """A file of 6 machines in turn; each keeps its state for about 25 of its rows."""
    return command_calls.machines(tmp_path_factory.mktemp("machines") / "machines.csv")


def output_of(capsys, machines, command, *words):
    code, out, err = run(capsys, command, str(machines), "--target", "state", *words)
    assert code == 0, err
    return out


@pytest.mark.parametrize("command", ["check", "evaluate", "compare"])
def test_a_command_agrees_with_python(capsys, machines, command):
    words = (*COMMANDS[command], "--group", "machine")
    stream = se.read(machines, "state", group="machine")
    result = {
        "check": lambda: se.check(stream),
        "evaluate": lambda: se.evaluate(stream, "naive_bayes", progress=False),
        "compare": lambda: se.compare(stream, ["naive_bayes", "no_change"], progress=False),
    }[command]()
    numbers = json.loads(output_of(capsys, machines, command, *words, "--by-group", "--json"))
    rows = result.by_group()
    assert len(numbers["entities" if command == "check" else "by_group"]) == len(rows)
    group = {"column": "machine", "entities": 6}
    assert numbers["group"] == ("machine" if command == "check" else group)


@pytest.mark.parametrize("command", COMMANDS)
def test_all_commands_have_the_baselines_of_the_entity(capsys, machines, command):
    words = (*COMMANDS[command], "--json")
    plain = output_of(capsys, machines, command, *words)
    grouped = output_of(capsys, machines, command, *words, "--group", "machine")
    assert grouped != plain
    verdicts = {"evaluate": "loses to No-Change", "compare": "loses to no_change"}
    if command in verdicts:
        assert verdicts[command] in grouped
        assert verdicts[command] not in plain


def test_the_page_has_the_option(capsys, machines, tmp_path):
    page = tmp_path / "page.html"
    words = ("--learner", "naive_bayes", "-o", str(page))
    assert "loses to" in output_of(capsys, machines, "report", *words, "--group", "machine")
    assert "By machine" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--by-group",), "--by-group: expected --group COLUMN, the column"),
        (("--group", "mashine"), "Did you mean 'machine'?"),
        (("--group", "x"), "group: expected names or whole numbers in 'x'"),
    ],
)
def test_invalid_groups_are_refused(capsys, machines, words, message):
    words = (*COMMANDS["evaluate"], *words)
    code, _, err = run(capsys, "evaluate", str(machines), "--target", "state", *words)
    assert code != 0
    assert message in err.replace("\n", " ")


def test_a_stream_of_the_registry_has_groups_too(capsys):
    words = ("agrawal", "--rows", "2000", "--learner", "naive_bayes", "--group", "elevel")
    code, out, err = run(capsys, "evaluate", *words)
    assert code == 0, err
    assert "Instances belong to 5 entities, by 'elevel'" in out
