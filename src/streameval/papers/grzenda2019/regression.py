"""The claims of Grzenda et al. (2019), Section 7.1.2, about regressors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from streameval.evaluation.roles import BEST, FIRST, TARGET_MEAN
from streameval.papers.grzenda2019.published import LABELS, LITTLE, REGRESSORS
from streameval.report.claims import Condition, Need, Outcome, Predicate, of_traces
from streameval.report.results import Results
from streameval.report.tables import number_text
from streameval.significance.intervals import CONFIDENCE
from streameval.significance.stream_mean import SECTIONS

BIKE, FIGURE = "bike", "grzenda2019/fig14"
ORTO, FOREST = REGRESSORS["orto"], REGRESSORS["arf_reg"]


def _rows(frame: pd.DataFrame, learner: str, reference: str) -> pd.DataFrame:
    return frame[(frame["learner"] == learner) & (frame["reference"] == reference)]


def _lowest(rows: pd.DataFrame) -> str:
    """Return, in words, the difference of the bin in which its band begins lowest."""
    worst = rows.sort_values("band_low", kind="stable").to_dict("records")[0]
    which = f"MAE of {worst['other']} minus that of {worst['learner']} in bin {int(worst['bin'])}"
    return f"{which} is {_with_ends(worst, 'band_low', 'band_high')}"


def _with_ends(row: Mapping[Any, Any], low: str, high: str) -> str:
    value, *ends = (number_text(float(row[name]), 2) for name in ("difference", low, high))
    return f"{value} [{', '.join(ends)}]"


def _smaller(rows: pd.DataFrame) -> bool | None:
    """Return whether errors are smaller in all bins; None if the bands do not decide."""
    if (rows["band_high"] < 0).any():
        return False
    return True if (rows["band_low"] > 0).all() else None


def _better_than_target_mean(results: Results) -> Outcome:
    return of_traces(results, FIGURE, "contrasts", (BIKE,), _all_but_orto)


def _all_but_orto(frame: pd.DataFrame, stream: str) -> Outcome:
    conditions = []
    for learner in REGRESSORS.values():
        rows = _rows(frame, learner, TARGET_MEAN)
        if rows.empty:
            return f"{stream}: the figure of this run does not have {learner} and {TARGET_MEAN}"
        holds = _smaller(rows)
        if learner == ORTO:  # larger in all bins
            is_better = bool((rows["band_low"] > 0).any())
            holds = True if (rows["band_high"] < 0).all() else False if is_better else None
        conditions.append(Condition(holds, f"{stream}: {_lowest(rows)}"))
    return conditions


def _arf_reg_is_best(results: Results) -> Outcome:
    return of_traces(results, FIGURE, "contrasts", (BIKE,), _is_best)


def _is_best(frame: pd.DataFrame, stream: str) -> Outcome:
    rows = _rows(frame, FOREST, BEST)
    if rows.empty:
        return f"{stream}: the figure of this run does not have {FOREST} and others"
    return [Condition(_smaller(rows), f"{stream}: {_lowest(rows)}")]


def _arf_reg_gains(results: Results) -> Outcome:
    return of_traces(results, FIGURE, "contrasts", (BIKE,), _gains)


def _gains(frame: pd.DataFrame, stream: str) -> Outcome:
    rows = _rows(frame, FOREST, FIRST)
    if rows.empty:
        return f"{stream}: the figure of this run does not have {FOREST}"
    last = rows.sort_values("bin").to_dict("records")[-1]
    holds = True if last["low"] > 0 else False if last["high"] < 0 else None
    which = f"MAE of {FOREST} in bin 0 minus that in bin {int(last['bin'])}"
    return [Condition(holds, f"{stream}: {which} is {_with_ends(last, 'low', 'high')}")]


def _little_variation(results: Results) -> Outcome:
    return of_traces(results, FIGURE, "bins", (BIKE,), _varies_little)


def _varies_little(frame: pd.DataFrame, stream: str) -> Outcome:
    conditions = []
    names = [*REGRESSORS.values(), TARGET_MEAN]
    printed = frame[frame["learner"].isin(names)]
    if printed.empty:
        return f"{stream}: the figure of this run has none of {', '.join(names)}"
    for learner, rows in printed.groupby("learner", sort=False):
        error = rows["mean_absolute_error"]
        span = float((error.max() - error.min()) / error.mean())
        ends = f"{number_text(float(error.min()), 2)} to {number_text(float(error.max()), 2)}"
        text = (
            f"{stream}, MAE of {learner}: from {ends}, {number_text(100 * span, 1)} % of the mean"
        )
        conditions.append(Condition(span <= LITTLE, text))
    return conditions


_NEEDS = (Need(FIGURE, "bins", (BIKE,), "predictions", values=(LABELS[BIKE],)),)
_BANDS = (
    f"by the band of the difference, at {100 * CONFIDENCE:g} % for all bins together ({SECTIONS} "
    "sections of time, correlations of bins)"
)

REGRESSION: Mapping[str, Predicate] = {
    "better_than_target_mean": Predicate(
        "FIMT-DD, AMRules and ARF-Reg have a smaller MAE than Target Mean in all bins, and ORTO a "
        f"larger one, {_BANDS}; a learner fails where the band of some bin is on the other side, "
        "and is undecided otherwise",
        _better_than_target_mean,
        _NEEDS,
    ),
    "arf_reg_is_best": Predicate(
        "in all bins ARF-Reg has a smaller MAE than the best other learner there, by the band of "
        f"the difference, at {100 * CONFIDENCE:g} % for all bins and pairs of learners together "
        f"({SECTIONS} sections of time, correlations of bins); it fails if some band is below 0",
        _arf_reg_is_best,
        _NEEDS,
        universal=True,
    ),
    "arf_reg_gains": Predicate(
        "the MAE of ARF-Reg is smaller in the last bin than in bin 0, by the "
        f"{100 * CONFIDENCE:g} % interval of the difference ({SECTIONS} sections of time)",
        _arf_reg_gains,
        _NEEDS,
    ),
    "little_variation": Predicate(
        "of each regressor of the paper, the largest MAE of all bins less the smallest one is at "
        f"most {100 * LITTLE:g} % of their mean",
        _little_variation,
        _NEEDS,
    ),
}
