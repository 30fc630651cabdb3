"""The command `streameval`: what it prints, what it says as JSON, and how it refuses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from streameval import cli

if TYPE_CHECKING:
    import pytest

    Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *words: object) -> tuple[int, str, str]:
    """Return the exit code of a command, what it prints, and what it says of errors."""
    code = cli.main([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


def printed(capsys: Capture, *words: object) -> str:
    """Return what a command prints that has nothing to complain of, nor a progress bar."""
    code, out, err = run(capsys, *words)
    assert (code, err) == (0, "")
    return out


def json_of(capsys: Capture, *words: object) -> dict[str, Any]:
    """Return the one object of a command's JSON."""
    numbers: dict[str, Any] = json.loads(printed(capsys, *words, "--json"))
    return numbers


def json_of_first(capsys: Capture, *words: object) -> dict[str, Any]:
    """Return what JSON has of the stream and, beside it, of the first learner."""
    return first(printed(capsys, *words, "--json"))


def refused(capsys: Capture, *words: object) -> str:
    """Return the one line that a command says that does nothing."""
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("streameval: ")
    assert err.count("\n") == 1
    return err


def first(out: str) -> dict[str, Any]:
    """Return what JSON has of the stream and, beside it, of the first learner."""
    answer: dict[str, Any] = json.loads(out)
    learners = answer.pop("learners")
    assert answer.pop("summary").endswith(".")
    return answer | next(iter(learners.values()))


def below_summary(out: str) -> str:
    """Return what is printed below the target of a file, if there is one, and the summary."""
    parts = out.split("\n\n")
    at = 1 if parts[0].startswith("The target of ") else 0
    assert parts[at].endswith(".")
    return "\n\n".join(parts[at + 1 :])
