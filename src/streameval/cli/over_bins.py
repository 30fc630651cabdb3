"""Output of ``evaluate`` under delayed labels: one number for all bins."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from streameval.cli.numbers import shown, titles
from streameval.cli.opening import add_values
from streameval.errors import ConfigError
from streameval.evaluation.roles import BEST_BINS
from streameval.values import defined

if TYPE_CHECKING:
    import pandas as pd

    from streameval.api.result import Result
    from streameval.cli.opening import Group

_TITLES = {
    "accuracy": "Accuracy",
    "kappa_temporal_delayed": "κ_t(d)",
    "kappa_m_delayed": "κ_m(d)",
    "kappa": "Cohen's kappa (κ)",
}
_ONLY_ALL = frozenset({"kappa"})
_PRIORITISED, _HEAD = "prioritised", "over all bins"


def add_option(group: Group) -> None:
    """Add the option about one number for all bins."""
    text = (
        "also give one number for all bins: the best bin, and the mean over bins 0 to B in which "
        "bin 0, predictions on arrival, counts A times as much as bin B"
    )
    add_values(group, float, priority=("A", text))


def check_option(options: argparse.Namespace) -> None:
    """Refuse an impossible priority before anything runs."""
    given = options.priority
    if given is None:
        return
    if not 1e-100 <= given <= 1e100:
        raise ConfigError(f"--priority: expected a number above 0, such as 2, found {given:g}.")
    if options.by == "age":
        raise ConfigError(
            "--priority: expected bins of the time to the label, found --by age, which has a "
            "number of its own for each age. Leave one of the two out."
        )


def over_bins(result: Result, bins: int, rule: str, priority: float) -> pd.DataFrame:
    """Return one number for all bins of all learners."""
    return result.over_bins(bins, rule, weights={_PRIORITISED: 1.0 / priority})


def as_json(found: pd.DataFrame) -> dict[str, list[dict[str, Any]]]:
    """Return the numbers by learner; undefined is None."""
    return {
        str(name): [
            {str(key): defined(value) for key, value in row.items() if key != "learner"}
            for row in rows.to_dict("records")
        ]
        for name, rows in found.groupby("learner", sort=False)
    }


def lines(
    found: pd.DataFrame, learners: Sequence[str], bins: int, priority: float, *, shows_all: bool
) -> Iterator[str]:
    """Yield the printed lines: a measure each, the best bin and the mean, with their intervals."""
    of_classes = {name: one for name, one in _TITLES.items() if shows_all or name not in _ONLY_ALL}
    is_of_classes = (found["measure"] == "accuracy").any()
    names = of_classes if is_of_classes else titles(found["learner"])
    psi = f"Ψ_{priority:g}"
    wide = max(len(_HEAD), *map(len, names.values()))
    ends = f"{'95 % interval':>22}"
    for learner in learners:
        own = found[found["learner"] == learner]
        places = zip(own["measure"], own["weights"].isin(BEST_BINS), strict=True)
        rows = dict(zip(places, own.to_dict("records"), strict=True))
        yield ""
        if len(learners) > 1:
            yield learner
        yield f"{_HEAD:<{wide}}{'best bin':>11}{ends}{psi:>11}{ends}"
        for name, title in names.items():
            if (name, True) in rows:
                cells = "".join(_cells(name, rows[name, is_best]) for is_best in (True, False))
                yield f"{title:<{wide}}{cells}".rstrip()
    best = "" if is_of_classes else ", for errors the least"
    yield ""
    yield f"Best bin: the greatest value of all bins{best}. Its interval holds whichever bin it is."
    mean = f"the mean over bins 0 to {bins}; bin 0 counts {priority:g} times as much as bin {bins}."
    yield f"{psi}: {mean if bins else 'bin 0.'}"


def _cells(measure: str, row: Mapping[Any, Any]) -> str:
    low, high = row["low"], row["high"]
    ends = "" if math.isnan(low) else f"[{shown(measure, low)}, {shown(measure, high)}]"
    return f"{shown(measure, row['value']):>11}{ends:>22}"
