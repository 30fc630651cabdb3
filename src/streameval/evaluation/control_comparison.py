"""A control learner against all others over several streams, from a table of scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError, DataError, some, unknown
from streameval.evaluation.control_columns import DIFFERENCES, LEAST_STREAMS, OTHERS
from streameval.evaluation.verdict_words import EQUAL, FIRST, SECOND, UNDECIDED
from streameval.significance.hodges_lehmann import hodges_lehmann
from streameval.significance.holm import holm
from streameval.significance.over_streams import rank_biserial, smallest_n_streams
from streameval.significance.registry import TESTS
from streameval.significance.significance_test import LEVEL
from streameval.significance.streams_needed import streams_needed, wilcoxon_power
from streameval.significance.t_over_folds import ROPE

#: Significant digits to which differences are compared: sums over seeds have rounding errors.
_DIGITS = 12


class ControlComparison(NamedTuple):
    """A control against each other learner; differences are control - other."""

    others: pd.DataFrame  # columns `OTHERS`
    differences: pd.DataFrame  # columns `DIFFERENCES`


def against_control(
    scores: pd.DataFrame,
    control: str,
    *,
    rope: float = ROPE,
    level: float = LEVEL,
    difference: float | None = None,
) -> ControlComparison:
    """Compare a control with each other learner over several streams.

    Scores of seeds are averaged. The tests are Wilcoxon's signed-rank test and the sign test, each
    with Holm's correction for the number of other learners, and the Bayesian signed-rank test. The
    interval is that of Wilcoxon's test, for all other learners at once (Bonferroni). The control
    *beats* another learner, or *loses to* it, if the adjusted p-value of Wilcoxon's test is at most
    `level`. Both are *practically equal*, whatever the p-value, if the interval lies within the
    rope. A stream on which the control has no value is left out, and so is a learner that has no
    value on any other stream.

    Parameters
    ----------
    scores : DataFrame
        Columns stream, simulated, learner, seed, value and reason. The greater the value the
        better; NaN is no value, for the reason.
    control : str
        A learner of the scores.
    rope : float
        Half width of the region in which differences are practically none.
    level : float
        Level of the tests, for all other learners together.
    difference : float, optional
        The difference whose power is simulated, by default the rope.

    Raises
    ------
    ConfigError
        If the control is unknown, or a number is out of its range.
    DataError
        If there are fewer than three streams, or no other learner.
    """
    to_see = rope if difference is None else difference
    _check(rope, level, difference)
    learners = list(dict.fromkeys(scores["learner"]))
    if control not in learners:
        raise ConfigError(f"control: there is {unknown('learner', control, learners)}")
    rows = _differences(scores, control, [name for name in learners if name != control])
    known = rows[rows["learner"] != control]
    streams = list(dict.fromkeys(known["stream"]))
    if len(streams) < LEAST_STREAMS or known.empty:
        raise DataError(
            f"Control test: expected values of {control!r} on at least {LEAST_STREAMS} streams and "
            f"at least one other learner, found streams {some(streams) or 'none'} and "
            f"{len(learners) - 1} other learners. Add some."
        )
    without = rows[rows["learner"] == control]
    left_out = "; ".join(
        f"{stream}: {reason}"
        for stream, reason in zip(without["stream"], without["reason"], strict=True)
    )
    simulated = int(known.drop_duplicates("stream")["simulated"].sum())
    others = _compared(known, rope, level, to_see).assign(simulated=simulated, left_out=left_out)
    return ControlComparison(others.reindex(columns=[*OTHERS]), rows)


def ranked_scores(scores: pd.DataFrame) -> pd.DataFrame:
    """A row for each learner on each stream: its mean over the seeds, NaN with a reason."""
    keys = ["stream", "simulated", "learner"]
    grouped = scores.groupby(keys, sort=False, observed=True)
    means = grouped["value"].agg(lambda values: values.mean(skipna=False)).reset_index()
    missing = scores[scores["value"].isna()].groupby(keys, sort=False, observed=True)["reason"]
    return means.merge(missing.first().reset_index(), how="left", on=keys)


def _check(rope: float, level: float, difference: float | None) -> None:
    for name, value, fits, what in (
        ("rope", rope, rope >= 0 and math.isfinite(rope), "a number of at least 0"),
        ("level", level, 0 < level < 1, "a number between 0 and 1"),
        ("difference", difference, difference is None or 0 < difference < math.inf, "more than 0"),
    ):
        if not fits:
            raise ConfigError(f"{name}: expected {what}, found {value!r}.")


def _differences(scores: pd.DataFrame, control: str, others: Sequence[str]) -> pd.DataFrame:
    """Rows of `DIFFERENCES`; a row of the control has the reason why its stream is left out."""
    largest = float(np.nanmax(np.abs(scores["value"].to_numpy(float)), initial=0.0))
    decimals = _DIGITS - (math.ceil(math.log10(largest)) if largest > 0 else 0)
    rows = []
    for (stream, simulated), part in scores.groupby(["stream", "simulated"], sort=False):
        by_learner = {name: of.set_index("seed") for name, of in part.groupby("learner")}
        about = (stream, bool(simulated))
        why = _missing(by_learner.get(control))
        if why:
            rows.append((*about, control, math.nan, math.nan, why))
            continue
        for name in others:
            reason = _missing(by_learner.get(name))
            values = (math.nan, math.nan)
            if not reason:
                values = _difference(by_learner[control]["value"], by_learner[name]["value"])
            rows.append((*about, name, round(values[0], decimals), values[1], reason))
    return pd.DataFrame(rows, columns=[*DIFFERENCES])


def _missing(part: pd.DataFrame | None) -> str:
    """Reason why a learner has no value on a stream; "" if it has one for each seed."""
    if part is None:
        return "it did not run"
    without = part[part["value"].isna()]
    if without.empty:
        return ""
    reason = without["reason"].iloc[0]
    return reason if isinstance(reason, str) and reason else "its value is undefined"


def _difference(control: pd.Series, other: pd.Series) -> tuple[float, float]:
    """Difference of the means over seeds, and its standard error over seeds.

    Learners with the same seeds are paired by them; a learner with one seed has no error.
    """
    both = control.index.intersection(other.index)
    if len(both) == len(control) == len(other) > 1:
        paired = control.loc[both] - other.loc[both]
        return float(paired.mean()), float(paired.std(ddof=1)) / math.sqrt(len(both))
    squares = [
        float(scores.var(ddof=1)) / len(scores) for scores in (control, other) if len(scores) > 1
    ]
    error = math.sqrt(sum(squares)) if squares else math.nan
    return float(control.mean() - other.mean()), error


def _compared(rows: pd.DataFrame, rope: float, level: float, to_see: float) -> pd.DataFrame:
    """Rows of `OTHERS`."""
    complete, left_out = {}, {}
    for name, part in rows.groupby("learner", sort=False):
        without = part[part["difference"].isna()]
        if without.empty:
            complete[str(name)] = part
        else:
            listed = zip(without["stream"], without["reason"], strict=True)
            why = "; ".join(f"{stream}: {reason}" for stream, reason in listed)
            left_out[str(name)] = f"no value on {len(without)} of {len(part)} streams ({why})"
    comparisons = [
        _of_other(name, part, rope, level / len(complete), to_see)
        for name, part in complete.items()
    ]
    for key in ("wilcoxon_p", "sign_p"):
        for row, p_value in zip(
            comparisons, holm([float(str(row[key])) for row in comparisons]), strict=True
        ):
            row[key] = float(p_value)
    for row in comparisons:
        row["verdict"], row["reason"] = _verdict(row, len(complete), rope, level)
    comparisons += [
        {"learner": name, "verdict": "", "reason": reason} for name, reason in left_out.items()
    ]
    in_order = list(dict.fromkeys(rows["learner"]))
    comparisons.sort(key=lambda row: in_order.index(row["learner"]))
    return pd.DataFrame(comparisons)


def _of_other(
    name: str, part: pd.DataFrame, rope: float, level: float, to_see: float
) -> dict[str, object]:
    """Row of a learner with unadjusted p-values; `level` is that of a single test."""
    values: Floats = part["difference"].to_numpy(float)
    center = hodges_lehmann(values, 1.0 - level)
    chances = TESTS["bayesian_signed_rank"](values, rope).details
    variance, errors = float(values.var(ddof=1)), part["error"].to_numpy(float)
    by_seeds = math.nan if np.isnan(errors).all() else float(np.nansum(errors**2)) / len(errors)
    needs = to_see > 0
    return {
        "learner": name,
        "streams": len(values),
        "difference": float(values.mean()),
        "center": float(center.center),
        "low": float(center.low),
        "high": float(center.high),
        "wins": int((values > 0).sum()),
        "ties": int((values == 0).sum()),
        "losses": int((values < 0).sum()),
        "effect": float(rank_biserial(values)),
        "wilcoxon_p": float(TESTS["streams_wilcoxon"](values).p_value),
        "sign_p": float(TESTS["streams_sign"](values).p_value),
        "better": chances["right"],
        "equal": chances["rope"],
        "worse": chances["left"],
        "seeds_part": float(np.minimum(1.0, by_seeds / variance)) if variance > 0 else math.nan,
        "power": wilcoxon_power(values, to_see, len(values), level) if needs else math.nan,
        "streams_needed": streams_needed(values, to_see, level) if needs else math.nan,
    }


def _verdict(row: dict[str, object], tests: int, rope: float, level: float) -> tuple[str, str]:
    """Verdict of a learner, and the reason if no other verdict is possible."""
    streams, p_value, low, high, effect = (
        float(str(row[key])) for key in ("streams", "wilcoxon_p", "low", "high", "effect")
    )
    least = smallest_n_streams(level, tests)
    reason = ""
    if streams < least:
        several = f", after the correction for {tests} learners" if tests > 1 else ""
        reason = (
            f"{streams:g} streams can reject nothing at {100 * level:g} %{several}; at least "
            f"{least} can"
        )
    if -rope <= low and high <= rope:
        return EQUAL, reason
    if p_value <= level:
        return (FIRST if effect > 0 else SECOND), reason
    return UNDECIDED, reason
