"""The sentences of docs/findings.md, for tests that compute what they say."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd

from streameval.base.settings import ROOT

TEXT = " ".join((ROOT / "docs" / "findings.md").read_text(encoding="utf-8").split())


def said(sentence: str) -> bool:
    """Return whether the page has a sentence, wherever its lines break."""
    assert sentence in TEXT, f"docs/findings.md does not say: {sentence}"
    return True


#: Numbers up to twelve as texts write them.
IN_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def finished_run() -> Path | None:
    """Return the folder of the results that ``STREAMEVAL_RUN`` names, of a run to its end."""
    named = os.environ.get("STREAMEVAL_RUN")
    if not named:
        return None
    folder = Path(named)
    # Written last, over all tables and figures.
    assert (folder / "digests.json").is_file(), f"STREAMEVAL_RUN: no digests.json in {folder}"
    return folder


def of_run(name: str) -> pd.DataFrame:
    """Return a frame or table of the finished run, by its path in the results."""
    folder = finished_run()
    assert folder is not None, "mark the test with finished_run"
    return pd.read_csv(folder / name)


def number(value: float, digits: int = 1) -> str:
    """Return a number as the page writes it."""
    text = f"{value:.{digits}f}".replace("-", "−")
    return text.removeprefix("−") if not float(f"{value:.{digits}f}") else text


def points(row: pd.Series, columns: tuple[str, str, str] = ("gain", "low", "high")) -> str:
    """Return an estimate with its interval in percentage points, as ``3.9 (1.9 to 5.9)``."""
    value, low, high = (number(100 * row[name]) for name in columns)
    return f"{value} ({low} to {high})"
