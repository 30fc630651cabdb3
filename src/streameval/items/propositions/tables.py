"""The statements of the propositions beside the simulated results (Žliobaitė et al. 2015)."""

from __future__ import annotations

import pandas as pd

from streameval.drawing.subject import Subject
from streameval.items.columns import laid_out, number, of_texts, text
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.propositions.propositions import FOLLOWS, RESOLUTION, verdict
from streameval.items.propositions.settings import PropositionBaselinesSettings
from streameval.view.blocks import Column, Table
from streameval.view.numbers import DECIMALS, number_text, plus_minus

_SIGNS = {
    "> 0": "positive",
    ">= 0": "not negative",
    "= 0": "zero",
    "!= 0": "not zero",
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


def layout_propositions(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out what the propositions state and the simulated results, one line per case."""
    names = table["proposition"].astype(str)
    derived = table["origin"] == FOLLOWS
    named = table.assign(first=names.where(names != names.shift(), ""), ours=derived)
    columns = [
        text("Prop.", "first"),
        text("Case", "case"),
        Column("Quantity", ["quantity"], lambda name: _quantity(str(name)), kind="text"),
        Column("Sign", ["stated", "ours"], _sign, kind="text"),
        number("Mean", "mean"),
        Column("Interval", ["low", "high"], _interval),
        text("Verdict", "verdict"),
    ]
    zero = (
        f"Zero is as stated where the interval holds 0 and lies between −{RESOLUTION:g} "
        f"and {RESOLUTION:g}."
    )
    notes = [counted_seeds(table), zero]
    if derived.any():
        notes.append(
            "* The paper does not state this sign; it follows from the case's algebra, with ties "
            "won by the first class, here the larger."
        )
    return laid_out(named, columns, notes)


def _sign(stated: str, ours: bool) -> str:
    return _SIGNS[stated] + "*" * ours


def _interval(low: float, high: float) -> str:
    return f"[{number_text(float(low), DECIMALS)}, {number_text(float(high), DECIMALS)}]"


def _quantity(name: str) -> str:
    for code, words in _NAMES:
        name = name.replace(code, words)
    return name


def counted_seeds(table: pd.DataFrame) -> str:
    """Return the note on seeds and intervals."""
    fewest, most = table["seeds"].min(), table["seeds"].max()
    seeds = f"{most}" if fewest == most else f"{fewest} to {most}"
    return (
        f"Simulated streams, {seeds} seeds per case. Intervals are those of the mean, so wide that "
        "all of the table hold together with 95 %."
    )


def study_proposition_baselines(
    given: StreamInputs, item: ItemInput[PropositionBaselinesSettings]
) -> pd.DataFrame:
    """Return the table; see `streameval.items.propositions.propositions.baselines_table`."""
    return item.frame("baselines")


def layout_proposition_baselines(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out Table 2 of Žliobaitė et al. (2015), three lines per setting.

    Above is the better baseline; below, at which P(T), and by how much.
    """
    kinds = list(dict.fromkeys(table["dependence"]))
    rows = []
    for shares, part in table.groupby("shares", sort=False):
        one = part.set_index("dependence")
        found = [one.loc[kind] for kind in kinds]
        name = f"{str(one['classes'].iloc[0]).capitalize()}, {shares}"
        rows.append([name, "better", *(_better(cell) for cell in found)])
        rows.append(["", "P(T)", *(f"{cell['persistence']:g}" for cell in found)])
        leads = [plus_minus(cell["mean"], cell["low"], cell["high"]) for cell in found]
        rows.append(["", "Persistent − Majority", *leads])
    header = ["Classes", "", *(kind[0].upper() + kind[1:] for kind in kinds)]
    notes = (
        counted_seeds(table),
        "The paper's table has no column for dependent labels whose P(T) is below P(M).",
    )
    return of_texts(pd.DataFrame(rows, columns=header), "ll" + "l" * len(kinds), notes)


def _better(cell: pd.Series) -> str:
    if cell["low"] > 0:
        return "Persistent"
    if cell["high"] < 0:
        return "Majority"
    equal = verdict("= 0", cell["low"], cell["high"]) == "as stated"
    return "equal" if equal else "not decided"
