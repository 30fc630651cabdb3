"""Simulations of Propositions 5 to 9 and Table 2 of Žliobaitė et al. (2015).

The paper proves signs of effects. The simulations add where signs change, how large effects are,
and whether the proof is about the quantity that is measured.
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
    persistence_landmarks,
    shares_text,
)
from streameval.significance.intervals import CONFIDENCE, mean_interval, mean_intervals

#: Class proportions of the sweep over P(T): balanced, imbalanced, and three classes.
SWEEP_SHARES: tuple[tuple[float, ...], ...] = ((0.5, 0.5), (0.7, 0.3), (0.5, 0.3, 0.2))
#: The proofs of Propositions 5 and 6 assume a proportion of at most 1/k for every class but the
#: largest. Here the second of three classes has 0.4; the propositions hold nevertheless.
LARGE_SECOND = (0.5, 0.4, 0.1)
#: Class proportions of the rows with two classes.
BINARY_SHARES = (0.7, 0.3)
#: For `BINARY_SHARES`, a P(T) with which Persistent is better than Majority.
HIGH_PERSISTENCE = 0.9
#: For `BINARY_SHARES`, a P(T) of dependent labels with which Persistent is worse.
LOW_PERSISTENCE = 0.64
#: P(T) of the rows of Proposition 5.
PROPOSITION_5_PERSISTENCE = 0.8
#: Rows of Proposition 9: for each P(T), the sign of Persistent minus Majority of the last n labels,
#: by n. It follows from the joint distribution of n + 1 labels. With weak dependence, Persistent
#: wins again at n = 3. Ties, which occur for even n, go to the first and larger class. If the
#: smaller class won ties, Persistent would also win at n = 2 and 10.
MEMORY_SIGNS = {
    HIGH_PERSISTENCE: {2: "> 0", 3: "> 0", 10: "> 0", 1000: "> 0"},
    LOW_PERSISTENCE: {2: "< 0", 3: "> 0", 10: "< 0", 1000: "< 0"},
}
#: A window for which Majority is less accurate than with all labels, despite strong dependence.
HARMFUL_WINDOW = 50

#: Effects up to this size count as zero: 0.01 of accuracy, or an autocorrelation of 0.01.
RESOLUTION = 0.01

#: Origins of a sign: the paper states it, or it follows from our algebra for a neighbouring case.
PAPER, DERIVED = "paper", "follows"

#: Names of cases.
_ABOVE, _BELOW = "P(T) beyond P(M)", "P(T) below P(M)"


class SimulatedFrames(NamedTuple):
    """Results of all runs, a row for each stream; field X is returned by the function `run_X`."""

    baselines: pd.DataFrame
    orders: pd.DataFrame
    memory: pd.DataFrame
    errors: pd.DataFrame


class _Statement(NamedTuple):
    """A statement about the sign of a quantity, with its simulated values."""

    proposition: str
    case: str
    quantity: str
    stated: str
    origin: str
    values: Floats


def study(item_input: ItemInput[PropositionsSettings]) -> dict[str, pd.DataFrame]:
    """The frames of all figures and tables: means over the seeds, and statements."""
    runs = simulate(item_input.settings.instances, item_input.settings.seeds)
    sweep_shares = [shares_text(shares) for shares in SWEEP_SHARES]
    chain_keys = ("shares", "persistence")
    error_keys = ("condition", "error_a", "error_b", "expected")
    return {
        "sweep": mean_intervals(
            runs.baselines[runs.baselines["shares"].isin(sweep_shares)],
            chain_keys,
            (*baselines.QUANTITIES, *baselines.DIFFERENCES),
        ),
        "memory": mean_intervals(runs.memory, (*chain_keys, "window"), baselines.MEMORY_QUANTITIES),
        "errors": mean_intervals(runs.errors, (*chain_keys, *error_keys), ("autocorrelation",)),
        "baselines": baselines_table(runs),
        "cases": proposition_table(runs),
    }


def simulate(n: int, seeds: int) -> SimulatedFrames:
    """Run the learners for all propositions.

    `n` is the number of labels per stream, `seeds` the number of streams per case, at least 2.
    """
    baseline_runs = [
        baselines.run_baselines(shares, baselines.persistence_grid(shares), seeds, n)
        for shares in SWEEP_SHARES
    ]
    _, independent, _ = persistence_landmarks(LARGE_SECOND)
    baseline_runs.append(
        baselines.run_baselines(LARGE_SECOND, (independent, PROPOSITION_5_PERSISTENCE), seeds, n)
    )
    return SimulatedFrames(
        baselines=pd.concat(baseline_runs, ignore_index=True),
        orders=baselines.run_orders(BINARY_SHARES, PROPOSITION_5_PERSISTENCE, seeds, n),
        memory=pd.concat(
            [
                baselines.run_memory(BINARY_SHARES, persistence, seeds, n)
                for persistence in (HIGH_PERSISTENCE, LOW_PERSISTENCE)
            ],
            ignore_index=True,
        ),
        errors=pd.concat(
            [
                dependence.run_errors(
                    BINARY_SHARES, baselines.persistence_grid(BINARY_SHARES), seeds, n
                ),
                dependence.run_errors((0.5, 0.5), (HIGH_PERSISTENCE,), seeds, n),
            ],
            ignore_index=True,
        ),
    )


def proposition_table(runs: SimulatedFrames) -> pd.DataFrame:
    """The statements of the propositions and the simulated results.

    All intervals together have a confidence of 95 %: each is Student's t interval at
    1 - 0.05 / number of rows (Bonferroni). `origin` is "paper" for signs that the paper states and
    "follows" for signs from our algebra.
    """
    return _with_verdicts(
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

    For dependent labels there are two rows: for the closest simulated P(T) below P(M), and for the
    closest above it. The paper has no cell for P(T) below P(M).
    """
    rows, cells = [], []
    for shares in SWEEP_SHARES:
        below, above = _neighbouring_persistences(runs, shares)
        _, independent, _ = persistence_landmarks(shares)
        is_balanced = len(set(shares)) == 1
        for dependence_name, persistence, stated, proposition, origin in (
            ("independent", independent, "= 0" if is_balanced else "< 0", "6", PAPER),
            (_ABOVE, above, "> 0", "7", PAPER),
            (_BELOW, below, "< 0", "7", DERIVED),
        ):
            values = _values(runs.baselines, PERSISTENT_LEAD, shares, persistence)
            rows.append(_Statement(proposition, "", PERSISTENT_LEAD, stated, origin, values))
            classes = "balanced" if is_balanced else "imbalanced"
            cells.append((classes, dependence_name, shares_text(shares), persistence))
    keys = pd.DataFrame(cells, columns=["classes", "dependence", "shares", "persistence"])
    return pd.concat([keys, _with_verdicts(rows).drop(columns="case")], axis=1)


def verdict_on_sign(stated: str, low: float, high: float) -> str:
    """Verdict of an interval on a stated sign: as stated, contradicted or not decided.

    A sign is as stated if all numbers of the interval have it, and contradicted if none has it. The
    sign is zero only if the interval contains 0 and both ends are at most `RESOLUTION` from it, a
    test of equivalence by interval inclusion. ``>= 0`` is as stated if ``= 0`` is.
    """
    has_zero = low <= 0.0 <= high
    is_zero = has_zero and low >= -RESOLUTION and high <= RESOLUTION
    rules = {  # whether a sign is as stated, and whether it is contradicted
        "> 0": (low > 0.0, high <= 0.0),
        "< 0": (high < 0.0, low >= 0.0),
        ">= 0": (low >= 0.0 or is_zero, high < 0.0),
        "= 0": (is_zero, not has_zero),
        "!= 0": (not has_zero, is_zero),
    }
    holds, fails = rules[stated]
    if holds:
        return "as stated"
    return "contradicted" if fails else "not decided"


def _with_verdicts(rows: Sequence[_Statement]) -> pd.DataFrame:
    """Rows with means, simultaneous intervals and verdicts."""
    confidence = 1.0 - (1.0 - CONFIDENCE) / len(rows)
    judged = []
    for row in rows:
        mean, low, high = mean_interval(row.values, confidence)
        verdict = verdict_on_sign(row.stated, low, high)
        judged.append((*row[:-1], mean, low, high, len(row.values), verdict))
    columns = ["proposition", "case", "quantity", "stated", "origin"]
    return pd.DataFrame(judged, columns=[*columns, "mean", "low", "high", "seeds", "verdict"])


def _proposition_5(runs: SimulatedFrames) -> list[_Statement]:
    rows = []
    for shares in (*SWEEP_SHARES, LARGE_SECOND):
        for name in ("p_majority - p_random", "p_majority - p_uniform"):
            values = _values(runs.baselines, name, shares, PROPOSITION_5_PERSISTENCE)
            case = _case(shares, PROPOSITION_5_PERSISTENCE)
            rows.append(_Statement("5", case, name, ">= 0", PAPER, values))
    case = f"{_case(BINARY_SHARES, PROPOSITION_5_PERSISTENCE)}, in order less shuffled"
    memory = f"majority of the last {baselines.SHORT_MEMORY}"
    for column, quantity in (
        ("p_uniform", "p_uniform"),
        ("p_majority", "p_majority"),
        ("p_random", "p_random of Naive Bayes"),
        ("p_random_memory", f"p_random of the {memory}"),
    ):
        values = _values(runs.orders, column, BINARY_SHARES, PROPOSITION_5_PERSISTENCE)
        rows.append(_Statement("5", case, quantity, "= 0", PAPER, values))
    return rows


def _proposition_6(runs: SimulatedFrames) -> list[_Statement]:
    rows = []
    for shares in (*SWEEP_SHARES, LARGE_SECOND):
        _, independent, _ = persistence_landmarks(shares)
        stated = "= 0" if len(set(shares)) == 1 else ">= 0"
        values = -_values(runs.baselines, PERSISTENT_LEAD, shares, independent)
        case = f"independent, {_case(shares, independent)}"
        rows.append(_Statement("6", case, "p_majority - p_persistent", stated, PAPER, values))
    return rows


def _proposition_7(runs: SimulatedFrames) -> list[_Statement]:
    sweep = runs.baselines[
        runs.baselines["shares"].isin([shares_text(shares) for shares in SWEEP_SHARES])
    ]
    turning_points = baselines.turning_points(sweep)
    rows = []
    for shares in SWEEP_SHARES:
        below, above = _neighbouring_persistences(runs, shares)
        majority = persistence_landmarks(shares)[-1]
        is_chosen = turning_points["shares"] == shares_text(shares)
        turning = turning_points.loc[is_chosen, "turning_point"].to_numpy()
        for name, persistence, stated, origin in (
            (_ABOVE, above, "> 0", PAPER),
            (_BELOW, below, "< 0", DERIVED),
        ):
            values = _values(runs.baselines, PERSISTENT_LEAD, shares, persistence)
            case = f"{name}, {_case(shares, persistence)}"
            rows.append(_Statement("7", case, PERSISTENT_LEAD, stated, origin, values))
        case = f"where the sign turns, {shares_text(shares)}, P(M) = {majority:g}"
        rows.append(
            _Statement("7", case, "turning point - P(M)", "= 0", DERIVED, turning - majority)
        )
    return rows


def _proposition_8(runs: SimulatedFrames) -> list[_Statement]:
    _, independent, _ = persistence_landmarks(BINARY_SHARES)
    rows = []
    for shares, persistence, condition, name, stated in (
        (
            BINARY_SHARES,
            HIGH_PERSISTENCE,
            dependence.UNEQUAL_RATES,
            "dependent labels, unequal rates",
            "!= 0",
        ),
        (
            BINARY_SHARES,
            independent,
            dependence.UNEQUAL_RATES,
            "condition 1, independent labels",
            "= 0",
        ),
        (
            BINARY_SHARES,
            HIGH_PERSISTENCE,
            dependence.EQUAL_RATES,
            "condition 2, equal rates",
            "= 0",
        ),
        (BINARY_SHARES, HIGH_PERSISTENCE, dependence.PRINTED, "condition 3 as printed", "= 0"),
        ((0.5, 0.5), HIGH_PERSISTENCE, dependence.PRINTED, "condition 3 as printed", "= 0"),
        (BINARY_SHARES, HIGH_PERSISTENCE, dependence.PROVED, "condition 3 as proved", "= 0"),
    ):
        part = runs.errors[runs.errors["condition"] == condition]
        values = _values(part, "autocorrelation", shares, persistence)
        # The error rates are the same in all rows.
        rate_a, rate_b = (
            format_number(_values(part, column, shares, persistence)[0], ".3g")
            for column in ("error_a", "error_b")
        )
        case = f"{name}, {_case(shares, persistence)}, rates {rate_a} and {rate_b}"
        rows.append(_Statement("8", case, "autocorrelation of errors", stated, PAPER, values))
    return rows


def _proposition_9(runs: SimulatedFrames) -> list[_Statement]:
    rows = []

    def add(window: int, persistence: float, quantity: str, stated: str, origin: str) -> None:
        part = runs.memory[runs.memory["window"] == window]
        case = f"n = {window}, {_case(BINARY_SHARES, persistence)}"
        values = _values(part, quantity, BINARY_SHARES, persistence)
        rows.append(_Statement("9", case, quantity, stated, origin, values))

    for persistence, signs in MEMORY_SIGNS.items():
        add(1, persistence, MEMORY_LEAD, "= 0", PAPER)
        for window, stated in signs.items():
            add(window, persistence, MEMORY_LEAD, stated, DERIVED)
    add(HARMFUL_WINDOW, HIGH_PERSISTENCE, MEMORY_GAIN, "< 0", DERIVED)
    return rows


def _neighbouring_persistences(
    runs: SimulatedFrames, shares: Sequence[float]
) -> tuple[float, float]:
    """The closest simulated values of P(T) below and above P(M), without independent labels."""
    simulated = runs.baselines.loc[runs.baselines["shares"] == shares_text(shares), "persistence"]
    _, independent, majority = persistence_landmarks(shares)
    below = simulated[(simulated < majority) & (simulated != independent)].max()
    return float(below), float(simulated[simulated > majority].min())


def _values(
    frame: pd.DataFrame, column: str, shares: Sequence[float], persistence: float
) -> Floats:
    """The values of a column for some class proportions and a P(T), by seed."""
    is_chosen = (frame["shares"] == shares_text(shares)) & (frame["persistence"] == persistence)
    return frame.loc[is_chosen, column].to_numpy(dtype=np.float64)


def _case(shares: Sequence[float], persistence: float) -> str:
    return f"{shares_text(shares)}, P(T) = {persistence:g}"
