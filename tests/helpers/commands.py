"""The command `streameval`: its output, its JSON and its errors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from streameval import cli

if TYPE_CHECKING:
    import pytest

    Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *words: object) -> tuple[int, str, str]:
    """The exit code of a command, its output and its error output."""
    code = cli.main([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


def printed(capsys: Capture, *words: object) -> str:
    """The output of a command that succeeds without messages or a progress bar."""
    code, out, err = run(capsys, *words)
    assert (code, err) == (0, "")
    return out


def json_of(capsys: Capture, *words: object) -> dict[str, Any]:
    """The one object of a command's JSON."""
    numbers: dict[str, Any] = json.loads(printed(capsys, *words, "--json"))
    return numbers


def json_of_first(capsys: Capture, *words: object) -> dict[str, Any]:
    """Fields of the stream and of the first learner in a command's JSON."""
    return first(printed(capsys, *words, "--json"))


def refused(capsys: Capture, *words: object) -> str:
    """The error of a command that is refused, which is one line."""
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("streameval: ")
    assert err.count("\n") == 1
    return err


def first(out: str) -> dict[str, Any]:
    """Fields of the stream and of the first learner in JSON."""
    answer: dict[str, Any] = json.loads(out)
    learners = answer.pop("learners")
    assert answer.pop("summary").endswith(".")
    return answer | next(iter(learners.values()))
