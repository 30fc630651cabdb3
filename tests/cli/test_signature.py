"""Options of commands from signatures and docstrings."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Sequence
from typing import Literal

import pytest

import streameval as se
from streameval import cli
from streameval.cli.signature import add_options, keyword_arguments, parameter_texts

#: Parameters that commands have in another form, or not at all.
OTHERS = {"stream", "learner", "learners", "detectors", "progress", "pretrain", "path"}
#: By command, the functions whose parameters are its options.
FUNCTIONS = {
    "evaluate": ("evaluate", "read"),
    "compare": ("compare", "read"),
    "detect": ("detect", "read"),
    "budget": ("budget", "read"),
    "check": ("check", "read"),
}


def made_up(
    weight: float = 0.5,
    names: Sequence[str] = (),
    season: int | Sequence[int] = (),
    later: int | str | None = None,
    order: Literal["up", "down"] = "up",
    quick: bool = False,
    cache: bool = True,
):
    """Do nothing.

    Parameters
    ----------
    weight : float
        The weight of ``"x"``, at most 5 %. See `evaluate`. By default a half.
    names, season : sequence
        Several.
    later : int or str, optional
        When.
    order : {"up", "down"}
        MOA's order.
    quick, cache : bool
        Whether.

    Returns
    -------
    None
    """


@pytest.fixture
def parser():
    parser = argparse.ArgumentParser()
    names = inspect.signature(made_up).parameters
    add_options(parser, made_up, names, cache="read it anew")
    return parser


def test_options_are_read_by_their_types(parser):
    words = "--weight 2 --name a --name b --season 1 --season 2 --later 3 --order down --quick"
    arguments = keyword_arguments(parser.parse_args([*words.split(), "--no-cache"]), made_up)
    assert arguments == {
        "weight": 2.0,
        "names": ["a", "b"],
        "season": [1, 2],
        "later": 3,
        "order": "down",
        "quick": True,
        "cache": False,
    }
    assert keyword_arguments(parser.parse_args(["--later", "2 days"]), made_up)["later"] == "2 days"
    assert keyword_arguments(parser.parse_args([]), made_up, weight=1) == {
        "weight": 1,
        "quick": False,
        "cache": True,
    }
    for words in (["--order", "left"], ["--name", "a", "b"]):
        with pytest.raises(SystemExit):
            parser.parse_args(words)


def test_helps_are_docstrings_without_what_only_python_has(parser):
    assert parameter_texts(made_up)["weight"] == "the weight of x, at most 5 %. By default a half"
    assert parameter_texts(made_up)["order"] == "MOA's order"
    text = " ".join(parser.format_help().split())
    assert "at most 5 %. By default" in text
    assert "--no-cache read it anew" in text


@pytest.mark.parametrize("command", FUNCTIONS)
def test_a_command_has_all_options_of_its_function(command):
    parser = cli._parser([command])._subparsers._group_actions[0].choices[command]
    there = {action.dest: action for action in parser._actions}
    for name in FUNCTIONS[command]:
        function = getattr(se, name)
        wanted = {*inspect.signature(function).parameters} - OTHERS
        missing = wanted - {*there}
        allowed = {"numeric_target"} if command in ("budget", "check", "detect") else set()
        assert missing <= allowed, name
    assert all(action.help for action in there.values())
