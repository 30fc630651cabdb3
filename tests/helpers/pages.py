"""The pages of the documentation, their text and their examples."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path

from streameval.base.settings import ROOT
from streameval.cli import COMMANDS

_ONCE = re.compile(r"<!-- once (\w+): begin -->\n(.*?)<!-- once \1: end -->\n", re.DOTALL)


def paths() -> list[Path]:
    """The first page and all pages below ``docs``."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def text(page: str) -> str:
    """The text of a page, without parts about commands or methods to come."""
    source = (ROOT / page).read_text(encoding="utf-8")
    return _ONCE.sub(lambda part: part[2] if _is_there(part[1]) else "", source)


def _is_there(name: str) -> bool:
    return name in COMMANDS or hasattr(import_module("streameval.api.result").Result, name)


@cache
def documentation() -> str:
    """The text of all pages on one line."""
    return " ".join(" ".join(text(str(path.relative_to(ROOT))) for path in paths()).split())


def blocks(page: str, language: str, section: str = "") -> list[str]:
    """The code of a page, or of one of its sections."""
    source = text(page)
    if section:
        (source,) = re.findall(
            rf"^## {section}\n(.*?)(?=^## |\Z)", source, re.DOTALL | re.MULTILINE
        )
    return re.findall(rf"```{language}\n(.*?)```", source, re.DOTALL)


def steady(output: str) -> list[str]:
    """The lines of an output that no two runs differ in: those without a speed."""
    return [line for line in output.splitlines() if "per second" not in line]
