"""What commands print, as their users see it, and their JSON: files of `approved`."""

from __future__ import annotations

import io
import json
import logging
import shlex
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout

import pytest
from helpers.approved import differences, masked, rounded_json, unlike
from helpers.command_calls import CALLS, JSON_CALLS, write_inputs
from helpers.own_pages import unrendered

from streameval.cli import main


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A folder with all files that the calls read."""
    folder = tmp_path_factory.mktemp("inputs")
    write_inputs(folder)
    return folder


@pytest.fixture
def terminal_text(inputs, monkeypatch):
    """A function that returns the output of a command in a terminal."""
    monkeypatch.chdir(inputs)
    monkeypatch.syspath_prepend(inputs)
    # As in a process of its own, where pytest does not catch warnings.
    monkeypatch.setattr(logging, "captureWarnings", lambda _: None)
    print_warning = lambda *of, **_: print(warnings.formatwarning(*of[:4]), file=sys.stderr)  # noqa: E731
    monkeypatch.setattr(warnings, "showwarning", print_warning)

    def run(call):
        with redirect_stdout(io.StringIO()) as screen, redirect_stderr(screen), unrendered():
            assert main(shlex.split(call)) == 0, screen.getvalue()
        return screen.getvalue()

    return run


@pytest.mark.parametrize("name", CALLS)
def test_output_of_a_command_is_as_approved(approved, terminal_text, name):
    approved(
        f"commands/{name}.txt", f"$ streameval {CALLS[name]}\n{masked(terminal_text(CALLS[name]))}"
    )


@pytest.mark.parametrize("name", JSON_CALLS)
def test_json_is_as_approved(approved, terminal_text, name):
    call = f"{CALLS[name]} --json"
    approved(
        f"json/{name}.txt",
        f"$ streameval {call}\n{rounded_json(json.loads(terminal_text(call)))}\n",
    )


@pytest.mark.parametrize(("kind", "calls"), [("commands", CALLS), ("json", JSON_CALLS)])
def test_files_and_calls_are_the_same(kind, calls):
    assert not unlike(kind, (f"{name}.txt" for name in calls))
    assert differences(f"{kind}/check.txt", "another text", approve=False)
