"""What files of tests take, and which of them are run first, or when there is little time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from math import inf
from pathlib import Path

from streameval.base.settings import ROOT
from streameval.base.sources import PACKAGE, _needs

#: Markers of the tests that take minutes.
LONG = {"install", "browser", "workflow"}
#: Those of tests that need something besides the package.
NEEDING = {*LONG, "realdata", "finished_run", "moa"}
#: Seconds on one core by file, of the tests that need nothing more and of others, as far as they
#: have been run; `make durations` renews it.
DURATIONS = ROOT / "tests" / "durations.json"
PLAIN, OTHER = "plain", "other"
#: For how long quick tests take, on one core.
QUICK = 60.0
#: What a file takes at least.
_LEAST = 0.1

Durations = Mapping[str, Mapping[str, float]]


def known() -> dict[str, dict[str, float]]:
    """Return the seconds of each file that have been kept."""
    kept: dict[str, dict[str, float]] = json.loads(DURATIONS.read_text(encoding="utf-8"))
    return kept


def sort_of(markers: Iterable[str]) -> str:
    """Return which tests one with these markers belongs to."""
    return OTHER if NEEDING.intersection(markers) else PLAIN


def keep(spent: Durations) -> None:
    """Write down what files took; what has not been run keeps what is known."""
    found = {file: taken for file, taken in known().items() if (ROOT / file).is_file()}
    for file, taken in spent.items():
        new = {sort: round(seconds, 1) for sort, seconds in taken.items()}
        found[file] = found.get(file, {}) | new
    text = json.dumps(dict(sorted(found.items())), indent=1, sort_keys=True)
    DURATIONS.write_text(text + "\n", encoding="utf-8")


def longest_first(sorts: Mapping[str, set[str]], durations: Durations) -> list[str]:
    """Return files in the order in which cores should take them.

    Parameters
    ----------
    sorts : mapping of str to set of str
        By file, which tests of it are run. One of which nothing is known might take long.
    durations : mapping
        What is known; see `known`.
    """
    taken = {
        file: sum(durations.get(file, {}).get(sort, inf) for sort in some)
        for file, some in sorts.items()
    }
    return sorted(taken, key=lambda file: (-taken[file], file))


def quick(durations: Durations, budget: float = QUICK) -> set[str]:
    """Return the files that reach the most modules in some seconds.

    One by one, that file is taken which imports from the most folders of the package that none
    imports from so far, for each second that it takes; where there are no more of those, the most
    modules; and in the end what takes least.
    """
    seconds = {
        file: max(taken[PLAIN], _LEAST)
        for file, taken in durations.items()
        if PLAIN in taken and (ROOT / file).is_file()
    }
    modules = {
        file: {path for path in _needs(ROOT / file, PACKAGE) if path.name != "__init__.py"}
        for file in seconds
    }
    folders = {file: {path.parent for path in some} for file, some in modules.items()}
    chosen, reached, entered = set[str](), set[Path](), set[Path]()

    def worth(file: str) -> tuple[float, float, float, str]:
        taken = seconds[file]
        new_folders, new_modules = len(folders[file] - entered), len(modules[file] - reached)
        return (new_folders / taken, new_modules / taken, -taken, file)

    while fitting := [file for file in seconds if file not in chosen and seconds[file] <= budget]:
        best = max(fitting, key=worth)
        budget -= seconds[best]
        chosen.add(best)
        reached |= modules[best]
        entered |= folders[best]
    return chosen
