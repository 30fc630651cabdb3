"""Outputs as their user sees them, compared with the files of `tests/approved` that people read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from difflib import unified_diff
from hashlib import sha256
from pathlib import Path
from typing import Any

from streameval.base.files import write_text

APPROVED = Path(__file__).parents[1] / "approved"
#: Lines whose numbers a clock or the size of a model says, which differ from machine to machine.
_OF_THE_MACHINE = re.compile(r"^(instances per second|model, bytes) .*$", re.MULTILINE)
_NUMBER = re.compile(r"\d[\d,]*")


def masked(text: str) -> str:
    """A text whose numbers that depend on the machine are masked, at equal width."""
    return _OF_THE_MACHINE.sub(
        lambda line: _NUMBER.sub(lambda number: "#".rjust(len(number[0])), line[0]), text
    )


def differences(name: str, text: str, *, approve: bool, folder: Path = APPROVED) -> str:
    """How a text differs from its approved file, "" if it does not, or is approved now."""
    path = folder / name
    approved = path.read_text(encoding="utf-8") if path.is_file() else ""
    if text == approved:
        return ""
    if approve:
        write_text(path, text)
        return ""
    before, now = (lines.splitlines(keepends=True) for lines in (approved, text))
    return "".join(unified_diff(before, now, f"approved/{name}", "found"))


def unlike(kind: str, names: Iterable[str]) -> list[str]:
    """The approved files of a folder that nothing makes, and the texts without such a file."""
    return sorted({path.name for path in (APPROVED / kind).iterdir()} ^ {*names})


#: Parts of keys whose values depend on the machine.
OF_MACHINE = ("seconds", "per_second", "bytes")
#: Entries of a longer list are its first, its last, their number and a digest.
LONGEST_LIST = 2


def rounded_json(value: Any) -> str:
    """JSON in lines, with ten significant digits, short lists, and # for values of the machine."""
    text = json.dumps(_rounded(value), indent=1, ensure_ascii=False)
    return re.sub(r"\[\s+([^][{}]*?)\s+\]", lambda row: f"[{' '.join(row[1].split())}]", text)


def _rounded(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _rounded(entry, name) for name, entry in value.items()}
    if any(part in key for part in OF_MACHINE) and value is not None:
        return "#"
    if isinstance(value, float):
        return float(f"{value:.10g}")
    if not isinstance(value, list):
        return value
    entries = [_rounded(entry) for entry in value]
    if len(entries) <= LONGEST_LIST:
        return entries
    digest = sha256(json.dumps(entries).encode()).hexdigest()[:12]
    return [entries[0], f"{len(entries)} entries, digest {digest}", entries[-1]]


def blocks(html: str) -> str:
    """HTML with a line for each element that is a block, without styles and scripts."""
    plainly = re.sub(r"(<(style|script)>).*?(</\2>)", r"\1…\3", html, flags=re.DOTALL)
    inside = "tr|table|tbody|p|div|pre|svg(?=[ >])|section|h[1-6]|main"
    return re.sub(rf"(?<!\n)(<(?:{inside})\b)", r"\n\1", plainly)
