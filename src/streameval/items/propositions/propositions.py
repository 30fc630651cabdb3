"""Simulations of Propositions 5 to 9 and Table 2 of Žliobaitė et al. (2015).

Where the paper proves the sign of an effect, they add where it changes, how large the effect is,
and whether the proof concerns the measured quantity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from streameval.base.arrays import Floats
from streameval.base.rounding import format_number
from streameval.items.inputs import ItemInput
from streameval.items.propositions import PropositionsSettings
from streameval.items.propositions import baseline_accuracies as baselines
from streameval.items.propositions import error_dependence as dependence
from streameval.items.propositions.baseline_accuracies import (
    MEMORY_GAIN,
    MEMORY_LEAD,
    PERSISTENT_LEAD,
    shares_text,
    turning_marks,
)
from streameval.significance.intervals import CONFIDENCE, mean_interval, mean_intervals

#: Class proportions of the sweep over P(T): balanced, imbalanced, and three classes.
SETTINGS: tuple[tuple[float, ...], ...] = ((0.5, 0.5), (0.7, 0.3), (0.5, 0.3, 0.2))
#: The proofs of Propositions 5 and 6 assume a proportion of at most 1/k for every class but the
#: largest. Here the second of three classes has 0.4; the propositions hold nevertheless.
LARGE_SECOND = (0.5, 0.4, 0.1)
#: Class proportions, with a P(T) for which predicting the previous label beats the majority, and
#: one for which it does not, although labels are dependent.
BINARY = (0.7, 0.3)
STRONG, WEAK = 0.9, 0.64
#: P(T) of the rows of Proposition 5.
DEPENDENT = 0.8
#: Windows of the rows of Proposition 9, each with the sign that follows from the joint
#: distribution of n + 1 labels. With weak dependence, Persistent wins again at n = 3. Ties, which
#: occur for even n, go to the first and larger class; if the smaller class won ties, Persistent
#: would also win at n = 2 and 10.
MEMORY_SIGNS = {
    STRONG: {2: "> 0", 3: "> 0", 10: "> 0", 1000: "> 0"},
    WEAK: {2: "< 0", 3: "> 0", 10: "< 0", 1000: "< 0"},
}
#: A window for which Majority is less accurate than with all labels, despite strong dependence.
HARMFUL_WINDOW = 50

#: Effects up to this size count as zero: 0.01 of accuracy, or an autocorrelation of 0.01.
RESOLUTION = 0.01

#: Origin of a sign: a proposition, or our own algebra for a neighbouring case.
PAPER, FOLLOWS = "paper", "follows"

_BEYOND, _BELOW = "P(T) beyond P(M)", "P(T) below P(M)"


class SimulatedFrames(NamedTuple):
    """Results of all runs, one row per stream; see the functions `run_baselines` and so on."""

    baselines: pd.DataFrame
    orders: pd.DataFrame
    memory: pd.DataFrame
    errors: pd.DataFrame


class _Row(NamedTuple):
    proposition: str
    case: str
    quantity: str
    stated: str
    origin: str
    values: Floats


def study(item_input: ItemInput[PropositionsSettings]) -> dict[str, pd.DataFrame]:
    """The frames of all figures and tables: means over the seeds, and statements."""
    runs = simulate(item_input.settings.instances, item_input.settings.seeds)
    settings = [shares_text(shares) for shares in SETTINGS]
    chain = ("shares", "persistence")
    rates = ("condition", "error_a", "error_b", "expected")
    return {
        "sweep": mean_intervals(
            runs.baselines[runs.baselines["shares"].isin(settings)],
            chain,
            (*baselines.QUANTITIES, *baselines.DIFFERENCES),
        ),
        "memory": mean_intervals(runs.memory, (*chain, "window"), baselines.MEMORY_QUANTITIES),
        "errors": mean_intervals(runs.errors, (*chain, *rates), ("autocorrelation",)),
        "baselines": baselines_table(runs),
        "cases": propositions(runs),
    }


def simulate(n: int, seeds: int) -> SimulatedFrames:
    """Run the learners for all propositions.

    `n` is the number of labels per stream, `seeds` that of streams per case, at least 2.
    """
    played = [
        baselines.run_baselines(shares, baselines.persistence_grid(shares), seeds, n)
        for shares in SETTINGS
    ]
    _, independent, _ = turning_marks(LARGE_SECOND)
    played.append(baselines.run_baselines(LARGE_SECOND, (independent, DEPENDENT), seeds, n))
    return SimulatedFrames(
        baselines=pd.concat(played, ignore_index=True),
        orders=baselines.run_orders(BINARY, DEPENDENT, seeds, n),
        memory=pd.concat(
            [baselines.run_memory(BINARY, at, seeds, n) for at in (STRONG, WEAK)],
            ignore_index=True,
        ),
        errors=pd.concat(
            [
                dependence.run_errors(BINARY, baselines.persistence_grid(BINARY), seeds, n),
                dependence.run_errors((0.5, 0.5), (STRONG,), seeds, n),
            ],
            ignore_index=True,
        ),
    )


def propositions(runs: SimulatedFrames) -> pd.DataFrame:
    """The statement of each proposition and the simulated result.

    All intervals together hold with 95 %: each is Student's t interval at 1 - 0.05 / rows
    (Bonferroni). `origin` is "follows" for what follows from our algebra.
    """
    return _judged(
        [
            *_proposition_5(runs),
            *_proposition_6(runs),
            *_proposition_7(runs),
            *_proposition_8(runs),
            *_proposition_9(runs),
        ]
    )


def baselines_table(runs: SimulatedFrames) -> pd.DataFrame:
    """Table 2: Persistent minus Majority by balance and dependence.

    `persistence` is the simulated P(T) closest to the turning point. The paper has no cell for P(T)
    below P(M).
    """
    rows, cells = [], []
    for shares in SETTINGS:
        below, beyond = _around(runs, shares)
        _, independent, _ = turning_marks(shares)
        is_balanced = len(set(shares)) == 1
        for dependent, at, stated, proposition, origin in (
            ("independent", independent, "= 0" if is_balanced else "< 0", "6", PAPER),
            (_BEYOND, beyond, "> 0", "7", PAPER),
            (_BELOW, below, "< 0", "7", FOLLOWS),
        ):
            values = _of(runs.baselines, PERSISTENT_LEAD, shares, at)
            rows.append(_Row(proposition, "", PERSISTENT_LEAD, stated, origin, values))
            classes = "balanced" if is_balanced else "imbalanced"
            cells.append((classes, dependent, shares_text(shares), at))
    where = pd.DataFrame(cells, columns=["classes", "dependence", "shares", "persistence"])
    return pd.concat([where, _judged(rows).drop(columns="case")], axis=1)


def verdict_on_sign(stated: str, low: float, high: float) -> str:
    """Verdict of an interval on a stated sign: as stated, contradicted or not decided.

    A sign is as stated if the whole interval has it, and contradicted if no part has it. An
    interval that contains 0 shows equality only if both ends are at most `RESOLUTION` from 0: a
    test of equivalence by interval inclusion. ``>= 0`` is also as stated if ``= 0`` is.
    """
    zero = low <= 0.0 <= high
    nothing = zero and low >= -RESOLUTION and high <= RESOLUTION
    rules = {
        "> 0": (low > 0.0, high <= 0.0),
        "< 0": (high < 0.0, low >= 0.0),
        ">= 0": (low >= 0.0 or nothing, high < 0.0),
        "= 0": (nothing, not zero),
        "!= 0": (not zero, nothing),
    }
    holds, fails = rules[stated]
    if holds:
        return "as stated"
    return "contradicted" if fails else "not decided"


def _judged(rows: Sequence[_Row]) -> pd.DataFrame:
    confidence = 1.0 - (1.0 - CONFIDENCE) / len(rows)
    judged = []
    for row in rows:
        mean, low, high = mean_interval(row.values, confidence)
        word = verdict_on_sign(row.stated, low, high)
        judged.append((*row[:-1], mean, low, high, len(row.values), word))
    columns = ["proposition", "case", "quantity", "stated", "origin"]
    return pd.DataFrame(judged, columns=[*columns, "mean", "low", "high", "seeds", "verdict"])


def _proposition_5(runs: SimulatedFrames) -> list[_Row]:
    rows = [
        _Row("5", _case(shares, DEPENDENT), name, ">= 0", PAPER, values)
        for shares in (*SETTINGS, LARGE_SECOND)
        for name in ("p_majority - p_random", "p_majority - p_uniform")
        for values in [_of(runs.baselines, name, shares, DEPENDENT)]
    ]
    case = f"{_case(BINARY, DEPENDENT)}, in order less shuffled"
    memory = f"majority of the last {baselines.SHORT_MEMORY}"
    for column, quantity in (
        ("p_uniform", "p_uniform"),
        ("p_majority", "p_majority"),
        ("p_random", "p_random of Naive Bayes"),
        ("p_random_memory", f"p_random of the {memory}"),
    ):
        values = _of(runs.orders, column, BINARY, DEPENDENT)
        rows.append(_Row("5", case, quantity, "= 0", PAPER, values))
    return rows


def _proposition_6(runs: SimulatedFrames) -> list[_Row]:
    rows = []
    for shares in (*SETTINGS, LARGE_SECOND):
        _, independent, _ = turning_marks(shares)
        stated = "= 0" if len(set(shares)) == 1 else ">= 0"
        values = -_of(runs.baselines, PERSISTENT_LEAD, shares, independent)
        case = f"independent, {_case(shares, independent)}"
        rows.append(_Row("6", case, "p_majority - p_persistent", stated, PAPER, values))
    return rows


def _proposition_7(runs: SimulatedFrames) -> list[_Row]:
    played = runs.baselines[
        runs.baselines["shares"].isin([shares_text(shares) for shares in SETTINGS])
    ]
    turning = baselines.turning_points(played)
    rows = []
    for shares in SETTINGS:
        below, beyond = _around(runs, shares)
        majority = turning_marks(shares)[-1]
        turns = turning.loc[turning["shares"] == shares_text(shares), "turning_point"].to_numpy()
        for what, at, stated, origin in (
            (_BEYOND, beyond, "> 0", PAPER),
            (_BELOW, below, "< 0", FOLLOWS),
        ):
            values = _of(runs.baselines, PERSISTENT_LEAD, shares, at)
            case = f"{what}, {_case(shares, at)}"
            rows.append(_Row("7", case, PERSISTENT_LEAD, stated, origin, values))
        case = f"where the sign turns, {shares_text(shares)}, P(M) = {majority:g}"
        rows.append(_Row("7", case, "turning point - P(M)", "= 0", FOLLOWS, turns - majority))
    return rows


def _proposition_8(runs: SimulatedFrames) -> list[_Row]:
    _, independent, _ = turning_marks(BINARY)
    rows = []
    for shares, at, condition, what, stated in (
        (BINARY, STRONG, dependence.UNEQUAL_RATES, "dependent labels, unequal rates", "!= 0"),
        (BINARY, independent, dependence.UNEQUAL_RATES, "condition 1, independent labels", "= 0"),
        (BINARY, STRONG, dependence.EQUAL_RATES, "condition 2, equal rates", "= 0"),
        (BINARY, STRONG, dependence.PRINTED, "condition 3 as printed", "= 0"),
        ((0.5, 0.5), STRONG, dependence.PRINTED, "condition 3 as printed", "= 0"),
        (BINARY, STRONG, dependence.PROVED, "condition 3 as proved", "= 0"),
    ):
        part = runs.errors[runs.errors["condition"] == condition]
        values = _of(part, "autocorrelation", shares, at)
        first = part[(part["shares"] == shares_text(shares)) & (part["persistence"] == at)].iloc[0]
        first_rate, second_rate = (
            format_number(first[name], ".3g") for name in ("error_a", "error_b")
        )
        rates = f"rates {first_rate} and {second_rate}"
        case = f"{what}, {_case(shares, at)}, {rates}"
        rows.append(_Row("8", case, "autocorrelation of errors", stated, PAPER, values))
    return rows


def _proposition_9(runs: SimulatedFrames) -> list[_Row]:
    rows = []

    def add(window: int, at: float, quantity: str, stated: str, origin: str) -> None:
        part = runs.memory[runs.memory["window"] == window]
        case = f"n = {window}, {_case(BINARY, at)}"
        rows.append(_Row("9", case, quantity, stated, origin, _of(part, quantity, BINARY, at)))

    for at, signs in MEMORY_SIGNS.items():
        add(1, at, MEMORY_LEAD, "= 0", PAPER)
        for window, stated in signs.items():
            add(window, at, MEMORY_LEAD, stated, FOLLOWS)
    add(HARMFUL_WINDOW, STRONG, MEMORY_GAIN, "< 0", FOLLOWS)
    return rows


def _around(runs: SimulatedFrames, shares: Sequence[float]) -> tuple[float, float]:
    """The simulated values of P(T) next to P(M): below (not independent) and beyond."""
    played = runs.baselines.loc[runs.baselines["shares"] == shares_text(shares), "persistence"]
    _, independent, majority = turning_marks(shares)
    below = played[(played < majority) & (played != independent)].max()
    return float(below), float(played[played > majority].min())


def _of(frame: pd.DataFrame, column: str, shares: Sequence[float], persistence: float) -> Floats:
    chosen = (frame["shares"] == shares_text(shares)) & (frame["persistence"] == persistence)
    return frame.loc[chosen, column].to_numpy(dtype=np.float64)


def _case(shares: Sequence[float], persistence: float) -> str:
    return f"{shares_text(shares)}, P(T) = {persistence:g}"
