"""How the tables of Žliobaitė et al. (2015) on theory and learners are laid out for people."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from streameval.report.frames import as_flags, require_columns
from streameval.report.layouts import stream_name
from streameval.report.tables import NO_VALUE, Layout, number_text
from streameval.studies.propositions import FOLLOWS, RESOLUTION, verdict

PROPOSITIONS = (
    "proposition",
    "case",
    "quantity",
    "stated",
    "origin",
    "mean",
    "low",
    "high",
    "seeds",
    "verdict",
)
BASELINES = ("classes", "dependence", "shares", "persistence", "mean", "low", "high", "seeds")

SIGNIFICANCE = (
    "stream",
    "simulated",
    "learner",
    "kappa",
    "kappa_standard_error",
    "kappa_z",
    "kappa_p_value",
)
#: Level of the one-sided test (Section 4.3).
LEVEL = 0.05
CLASSIFIERS = ("learner", "title", "adaptation", "base", "models")

_SIGNS = {
    "> 0": "positive",
    ">= 0": "not negative",
    "= 0": "zero",
    "!= 0": "not zero",
    "<= 0": "not positive",
    "< 0": "negative",
}
#: Longer names first: one is the beginning of another.
_NAMES = (
    ("p_majority_n", "Majority of n"),
    ("p_majority", "Majority"),
    ("p_persistent", "Persistent"),
    ("p_random", "Random"),
    ("p_uniform", "Uniform"),
    (" - ", " − "),
)


def propositions_layout(
    table: pd.DataFrame, decimals: int = 4, resolution: float = RESOLUTION
) -> Layout:
    """Lay out what the propositions state and what came out, one line per case.

    Parameters
    ----------
    table : pandas.DataFrame
        See `streameval.studies.propositions.propositions`.
    decimals : int
        Decimals of means and intervals.
    resolution : float
        What the table was judged with.

    Raises
    ------
    DataError
        If a column is missing.
    """
    require_columns(table, PROPOSITIONS, "Propositions")
    number = table["proposition"].astype(str)
    derived = table["origin"] == FOLLOWS
    cells = {
        "Prop.": number.where(number != number.shift(), ""),
        "Case": table["case"].astype(str),
        "Quantity": [_quantity(str(name)) for name in table["quantity"]],
        "Sign": [
            _SIGNS[stated] + ("*" if ours else "")
            for stated, ours in zip(table["stated"], derived, strict=True)
        ],
        "Mean": [number_text(float(value), decimals) for value in table["mean"]],
        "Interval": [
            f"[{number_text(float(low), decimals)}, {number_text(float(high), decimals)}]"
            for low, high in zip(table["low"], table["high"], strict=True)
        ],
        "Verdict": table["verdict"].astype(str),
    }
    zero = (
        f"Zero is as stated where the interval holds 0 and lies between −{resolution:g} "
        f"and {resolution:g}."
    )
    notes = [_counted(table), zero]
    if derived.any():
        notes.append(
            "* The paper does not state this sign; it follows from the case's algebra, with ties "
            "won by the first class, here the larger."
        )
    return Layout(pd.DataFrame(cells, dtype=object), "llllrrl", tuple(notes))


def baselines_layout(
    table: pd.DataFrame, decimals: int = 4, resolution: float = RESOLUTION
) -> Layout:
    """Lay out Table 2 of Žliobaitė et al. (2015), three lines per setting.

    Parameters
    ----------
    table : pandas.DataFrame
        See `streameval.studies.propositions.baselines_table`.
    decimals : int
        Decimals of the differences.
    resolution : float
        What counts as equal.

    Returns
    -------
    Layout
        Above, which baseline is better; below, at which P(T), and by how much.

    Raises
    ------
    DataError
        If a column is missing.
    """
    require_columns(table, BASELINES, "Table 2")
    kinds = list(dict.fromkeys(table["dependence"]))
    rows = []
    for shares, part in table.groupby("shares", sort=False):
        one = part.set_index("dependence")
        found = [one.loc[kind] for kind in kinds]
        name = f"{str(one['classes'].iloc[0]).capitalize()}, {shares}"
        rows.append([name, "better", *(_better(cell, resolution) for cell in found)])
        rows.append(["", "P(T)", *(f"{cell['persistence']:g}" for cell in found)])
        rows.append(["", "Persistent − Majority", *(_plus_minus(cell, decimals) for cell in found)])
    header = ["Classes", "", *(kind[0].upper() + kind[1:] for kind in kinds)]
    notes = (
        _counted(table),
        "The paper's table has no column for dependent labels whose P(T) is below P(M).",
    )
    return Layout(pd.DataFrame(rows, columns=header), "ll" + "l" * len(kinds), notes)


def classifiers_layout(table: pd.DataFrame) -> Layout:
    """Lay out Table 4 of Žliobaitė et al. (2015): one line per learner.

    Parameters
    ----------
    table : pandas.DataFrame
        See `streameval.studies.temporal.classifier_characteristics`.

    Raises
    ------
    DataError
        If a column is missing.
    """
    require_columns(table, CLASSIFIERS, "Table 4")
    cells = {
        "Learner": table["title"].astype(str),
        "Adaptation": [str(text) or NO_VALUE for text in table["adaptation"]],
        "Base classifier": [str(text) or NO_VALUE for text in table["base"]],
        "Models": [number_text(int(count)) for count in table["models"]],
    }
    return Layout(pd.DataFrame(cells, dtype=object), "lllr")


def significance_layout(
    table: pd.DataFrame,
    streams: Mapping[str, str],
    learners: Mapping[str, str],
    decimals: int = 4,
) -> Layout:
    """Lay out κ with its standard error and its test, one line per stream and learner.

    Parameters
    ----------
    table : pandas.DataFrame
        See `streameval.studies.temporal.kappa_significance`.
    streams, learners : mapping of str to str
        Names, for people.
    decimals : int
        Decimals of κ and its error; z has one.

    Raises
    ------
    DataError
        If a column is missing.
    """
    require_columns(table, SIGNIFICANCE, "Significance of kappa")
    simulated = as_flags(table["simulated"], "Significance of kappa")
    names = [
        stream_name(str(name), flag, streams)
        for name, flag in zip(table["stream"], simulated, strict=True)
    ]
    shown = pd.Series(names, dtype=object)
    cells = {
        "Stream": shown.where(shown != shown.shift(), ""),
        "Learner": [learners.get(str(name), str(name)) for name in table["learner"]],
        "κ": [number_text(value, decimals) for value in table["kappa"]],
        "δ_κ": [number_text(value, decimals) for value in table["kappa_standard_error"]],
        "z": [number_text(value, 1) for value in table["kappa_z"]],
        "above chance": [_rejects(float(value)) for value in table["kappa_p_value"]],
    }
    level = f"Above chance: by the one-sided test at {100 * LEVEL:g} %."
    caveat = (
        "Both errors take predictions for independent, which they are not where labels come in "
        "runs: z is then too large."
    )
    notes = (level, caveat)
    return Layout(pd.DataFrame(cells, dtype=object), "llrrrl", notes)


def _rejects(p_value: float) -> str:
    if np.isnan(p_value):
        return NO_VALUE
    return "yes" if p_value < LEVEL else "no"


def _quantity(name: str) -> str:
    for code, words in _NAMES:
        name = name.replace(code, words)
    return name


def _better(cell: pd.Series, resolution: float) -> str:
    if cell["low"] > 0:
        return "Persistent"
    if cell["high"] < 0:
        return "Majority"
    equal = verdict("= 0", cell["low"], cell["high"], resolution) == "as stated"
    return "equal" if equal else "not decided"


def _plus_minus(cell: pd.Series, decimals: int) -> str:
    half = (cell["high"] - cell["low"]) / 2
    return f"{number_text(float(cell['mean']), decimals)} ± {number_text(float(half), decimals)}"


def _counted(table: pd.DataFrame) -> str:
    fewest, most = table["seeds"].min(), table["seeds"].max()
    seeds = f"{most}" if fewest == most else f"{fewest} to {most}"
    return (
        f"Simulated streams, {seeds} seeds per case. Intervals are those of the mean, so wide that "
        "all of the table hold together with 95 %."
    )
