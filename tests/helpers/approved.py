"""Outputs as their user sees them, compared with the files of `tests/approved` that people read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import unified_diff
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import Any

from streameval.base.files import write_text

APPROVED = Path(__file__).parents[1] / "approved"
#: Lines whose numbers a clock or the size of a model says, which differ from machine to machine.
_OF_THE_MACHINE = re.compile(r"^(instances per second|model, bytes) .*$", re.MULTILINE)
_NUMBER = re.compile(r"\d[\d,]*")


def masked(text: str) -> str:
    """Return a text without what depends on the machine, all else at its place."""
    return _OF_THE_MACHINE.sub(
        lambda line: _NUMBER.sub(lambda number: "#".rjust(len(number[0])), line[0]), text
    )


def differences(name: str, found: str, *, approve: bool, folder: Path = APPROVED) -> str:
    """Return how a text differs from its approved file, "" if it does not, or is approved now."""
    path = folder / name
    approved = path.read_text(encoding="utf-8") if path.is_file() else ""
    if found == approved:
        return ""
    if approve:
        write_text(path, found)
        return ""
    before, now = (one.splitlines(keepends=True) for one in (approved, found))
    return "".join(unified_diff(before, now, f"approved/{name}", "found"))


def unlike(kind: str, made: Iterable[str]) -> list[str]:
    """Return the approved files of a folder that nothing makes, and what has no such file."""
    return sorted({path.name for path in (APPROVED / kind).iterdir()} ^ {*made})


def keys(found: Any, indent: str = "") -> str:
    """Return the keys of JSON in lines, each below the one that holds it.

    Those of all entries of a list are one, and neighbours with the same keys below them are, too.
    """
    if isinstance(found, list):
        entries = [one for one in found if isinstance(one, dict)]
        return keys({key: value for one in entries for key, value in one.items()}, indent)
    if not isinstance(found, dict):
        return ""
    lines = []
    for below, entries in groupby(found, lambda key: keys(found[key], indent + "  ")):
        lines += wrap(
            ", ".join(entries) + ":" * bool(below),
            96,
            initial_indent=indent,
            subsequent_indent=indent + "  ",
            break_on_hyphens=False,
        )
        lines += below.splitlines()
    return "\n".join(lines)


def blocks(html: str) -> str:
    """Return HTML with a line for each element that is a block, without styles and scripts."""
    plainly = re.sub(r"(<(style|script)>).*?(</\2>)", r"\1…\3", html, flags=re.DOTALL)
    inside = "tr|table|tbody|p|div|pre|svg(?=[ >])|section|h[1-6]|main"
    return re.sub(rf"(?<!\n)(<(?:{inside})\b)", r"\n\1", plainly)
