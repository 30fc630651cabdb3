"""A control learner against all others over several streams, from a table of scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError, DataError, listing, unknown_name_text
from streameval.evaluation.control_columns import DIFFERENCE_COLUMNS, MIN_STREAMS, OTHER_COLUMNS
from streameval.evaluation.verdict_words import BEATS, EQUAL, LOSES_TO, UNDECIDED
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
    """A control against all other learners; differences are control - other."""

    others: pd.DataFrame  # columns `OTHER_COLUMNS`
    differences: pd.DataFrame  # columns `DIFFERENCE_COLUMNS`


def compare_with_control(
    scores: pd.DataFrame,
    control: str,
    *,
    rope: float = ROPE,
    level: float = LEVEL,
    difference: float | None = None,
) -> ControlComparison:
    """Compare a control with all other learners over several streams.

    Scores of seeds are averaged. The tests are Wilcoxon's signed-rank test and the sign test, each
    with Holm's correction for the number of other learners, and the Bayesian signed-rank test. The
    interval belongs to Wilcoxon's test, and holds for all other learners at once (Bonferroni). The
    control *beats* another learner, or *loses to* it, if the adjusted p-value of Wilcoxon's test is
    at most `level`. Both are *practically equal*, for any p-value, if the interval lies within the
    rope. Streams on which the control has no value are left out. Learners that lack a value on some
    of the other streams are left out, too.

    Parameters
    ----------
    scores : DataFrame
        Columns stream, simulated, learner, seed, value and reason. Greater values are better; NaN
        stands for no value, and reason says why.
    control : str
        A learner of the scores.
    rope : float
        Half width of the region in which learners are practically equal.
    level : float
        Level of the tests, for all other learners together.
    difference : float, optional
        Difference for which the power of the test is simulated, by default the rope.

    Raises
    ------
    ConfigError
        If the control is unknown, or a number is out of range.
    DataError
        If there are fewer than three streams, or no other learner.
    """
    detected_difference = rope if difference is None else difference
    _check(rope, level, difference)
    learners = list(dict.fromkeys(scores["learner"]))
    if control not in learners:
        raise ConfigError(f"control: there is {unknown_name_text('learner', control, learners)}")
    rows = _differences(scores, control, [name for name in learners if name != control])
    differences = rows[rows["learner"] != control]
    streams = list(dict.fromkeys(differences["stream"]))
    if len(streams) < MIN_STREAMS or differences.empty:
        raise DataError(
            f"Control test: expected values of {control!r} on at least {MIN_STREAMS} streams and "
            f"at least one other learner, found streams {listing(streams) or 'none'} and "
            f"{len(learners) - 1} other learners. Add some."
        )
    left_out = _stream_reasons(rows[rows["learner"] == control])
    simulated = int(differences.drop_duplicates("stream")["simulated"].sum())
    others = _rows_of_others(differences, rope, level, detected_difference)
    others = others.assign(simulated=simulated, left_out=left_out)
    return ControlComparison(others.reindex(columns=[*OTHER_COLUMNS]), rows)


def _stream_reasons(rows: pd.DataFrame) -> str:
    """The streams of some rows with the reasons of the rows."""
    pairs = zip(rows["stream"], rows["reason"], strict=True)
    return "; ".join(f"{stream}: {reason}" for stream, reason in pairs)


def mean_scores(scores: pd.DataFrame) -> pd.DataFrame:
    """A row for each learner on each stream: its mean over the seeds, NaN with a reason."""
    keys = ["stream", "simulated", "learner"]
    grouped = scores.groupby(keys, sort=False, observed=True)
    means = grouped["value"].agg(lambda values: values.mean(skipna=False)).reset_index()
    missing = scores[scores["value"].isna()].groupby(keys, sort=False, observed=True)["reason"]
    return means.merge(missing.first().reset_index(), how="left", on=keys)


def _check(rope: float, level: float, difference: float | None) -> None:
    for name, value, is_valid, expected in (
        ("rope", rope, rope >= 0 and math.isfinite(rope), "a number of at least 0"),
        ("level", level, 0 < level < 1, "a number between 0 and 1"),
        ("difference", difference, difference is None or 0 < difference < math.inf, "more than 0"),
    ):
        if not is_valid:
            raise ConfigError(f"{name}: expected {expected}, found {value!r}.")


def _differences(scores: pd.DataFrame, control: str, others: Sequence[str]) -> pd.DataFrame:
    """Rows of `DIFFERENCE_COLUMNS`; rows of the control say why a stream is left out."""
    largest = float(np.nanmax(np.abs(scores["value"].to_numpy(float)), initial=0.0))
    # `_DIGITS` significant digits of the largest value.
    decimals = _DIGITS - (math.ceil(math.log10(largest)) if largest > 0 else 0)
    rows = []
    for (stream, simulated), part in scores.groupby(["stream", "simulated"], sort=False):
        by_learner = {
            name: learner_rows.set_index("seed") for name, learner_rows in part.groupby("learner")
        }
        key = (stream, bool(simulated))
        reason = _missing_reason(by_learner.get(control))
        if reason:
            rows.append((*key, control, math.nan, math.nan, reason))
            continue
        for name in others:
            reason = _missing_reason(by_learner.get(name))
            difference = error = math.nan
            if not reason:
                difference, error = _difference(
                    by_learner[control]["value"], by_learner[name]["value"]
                )
            rows.append((*key, name, round(difference, decimals), error, reason))
    return pd.DataFrame(rows, columns=[*DIFFERENCE_COLUMNS])


def _missing_reason(part: pd.DataFrame | None) -> str:
    """Reason why a learner has no value on a stream; "" if it has a value for each seed."""
    if part is None:
        return "it did not run"
    missing = part[part["value"].isna()]
    if missing.empty:
        return ""
    reason = missing["reason"].iloc[0]
    return reason if isinstance(reason, str) and reason else "its value is undefined"


def _difference(control: pd.Series, other: pd.Series) -> tuple[float, float]:
    """Difference of the means over seeds, and its standard error over seeds.

    Learners with the same seeds are paired by seed. A learner with one seed adds no error.
    """
    seeds = control.index.intersection(other.index)
    if len(seeds) == len(control) == len(other) > 1:
        paired = control.loc[seeds] - other.loc[seeds]
        return float(paired.mean()), float(paired.std(ddof=1)) / math.sqrt(len(seeds))
    variances = [
        float(scores.var(ddof=1)) / len(scores) for scores in (control, other) if len(scores) > 1
    ]
    error = math.sqrt(sum(variances)) if variances else math.nan
    return float(control.mean() - other.mean()), error


def _rows_of_others(
    differences: pd.DataFrame, rope: float, level: float, detected_difference: float
) -> pd.DataFrame:
    """Rows of `OTHER_COLUMNS`."""
    complete, left_out = {}, {}
    for name, part in differences.groupby("learner", sort=False):
        missing = part[part["difference"].isna()]
        if missing.empty:
            complete[str(name)] = part
        else:
            reasons = _stream_reasons(missing)
            left_out[str(name)] = f"no value on {len(missing)} of {len(part)} streams ({reasons})"
    comparisons = [
        _row_of_other(name, part, rope, level / len(complete), detected_difference)
        for name, part in complete.items()
    ]
    for key in ("wilcoxon_p", "sign_p"):
        adjusted = holm([row[key] for row in comparisons])
        for row, p_value in zip(comparisons, adjusted, strict=True):
            row[key] = float(p_value)
    for row in comparisons:
        row["verdict"], row["reason"] = _verdict(row, len(complete), rope, level)
    comparisons += [
        {"learner": name, "verdict": "", "reason": reason} for name, reason in left_out.items()
    ]
    in_order = list(dict.fromkeys(differences["learner"]))
    comparisons.sort(key=lambda row: in_order.index(row["learner"]))
    return pd.DataFrame(comparisons)


def _row_of_other(
    name: str, part: pd.DataFrame, rope: float, level: float, detected_difference: float
) -> dict[str, Any]:
    """Row of a learner with unadjusted p-values; `level` is the level of a single test."""
    values: Floats = part["difference"].to_numpy(float)
    estimate = hodges_lehmann(values, 1.0 - level)
    probabilities = TESTS["bayesian_signed_rank"](values, rope).details
    variance, seed_errors = float(values.var(ddof=1)), part["error"].to_numpy(float)
    seed_variance = (
        math.nan
        if np.isnan(seed_errors).all()
        else float(np.nansum(seed_errors**2)) / len(seed_errors)
    )
    has_power = detected_difference > 0
    return {
        "learner": name,
        "streams": len(values),
        "difference": float(values.mean()),
        "center": float(estimate.center),
        "low": float(estimate.low),
        "high": float(estimate.high),
        "wins": int((values > 0).sum()),
        "ties": int((values == 0).sum()),
        "losses": int((values < 0).sum()),
        "effect": float(rank_biserial(values)),
        "wilcoxon_p": float(TESTS["streams_wilcoxon"](values).p_value),
        "sign_p": float(TESTS["streams_sign"](values).p_value),
        "better": probabilities["right"],
        "equal": probabilities["rope"],
        "worse": probabilities["left"],
        "seeds_part": (
            float(np.minimum(1.0, seed_variance / variance)) if variance > 0 else math.nan
        ),
        "power": wilcoxon_power(values, detected_difference, len(values), level)
        if has_power
        else math.nan,
        "streams_needed": streams_needed(values, detected_difference, level)
        if has_power
        else math.nan,
    }


def _verdict(row: dict[str, Any], tests: int, rope: float, level: float) -> tuple[str, str]:
    """Verdict of the control on a learner, and the reason if no other verdict is possible."""
    streams, p_value, low, high, effect = (
        float(row[key]) for key in ("streams", "wilcoxon_p", "low", "high", "effect")
    )
    needed = smallest_n_streams(level, tests)
    reason = ""
    if streams < needed:
        correction = f" after the correction for {tests} learners" if tests > 1 else ""
        reason = (
            f"with {streams:g} streams no test can reject at {100 * level:g} %{correction}; at "
            f"least {needed} streams are needed"
        )
    if -rope <= low and high <= rope:
        return EQUAL, reason
    if p_value <= level:
        return (BEATS if effect > 0 else LOSES_TO), reason
    return UNDECIDED, reason
