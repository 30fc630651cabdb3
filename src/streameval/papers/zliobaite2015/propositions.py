"""The claims of Žliobaitė et al. (2015) in Propositions 5 to 9 and Table 2, by simulation."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from streameval.report.claims import Condition, Outcome, Predicate
from streameval.report.results import Results
from streameval.report.tables import number_text
from streameval.significance.intervals import CONFIDENCE

ITEM = "zliobaite2015/propositions"
#: The origin of a sign that the paper states; other signs follow from our algebra.
_PAPER = "paper"
#: What the verdict of the simulation on a sign says of a condition.
_HOLDS = {"as stated": True, "contradicted": False, "not decided": None}
_COLUMNS = (
    *("proposition", "quantity", "stated", "origin"),
    *("mean", "low", "high", "verdict"),
)
_BY_SIGN = (
    f"a sign counts where the whole interval, at {100 * CONFIDENCE:g} % for all rows of the table "
    "together, has it, and is undecided where only a part of it has; an effect is none where the "
    "interval contains 0 and is narrow"
)


def _signs(
    frame: str, proposition: str, case: Callable[[pd.Series], str]
) -> Callable[[Results], Outcome]:
    """Return the check of the signs that the paper states; of all propositions if none is named."""

    def check(results: Results) -> Outcome:
        found = results.frame(f"{ITEM}/{frame}", _COLUMNS)
        if found is None:
            return f"this run has no {ITEM}"
        rows = found[found["origin"] == _PAPER]
        if proposition:
            rows = rows[rows["proposition"].astype(str) == proposition]
        if rows.empty:
            return f"{ITEM} of this run does not have proposition {proposition}"
        conditions = []
        for _, row in rows.iterrows():
            low, high = (number_text(float(row[end])) for end in ("low", "high"))
            text = f"{case(row)}: {row['quantity']} {number_text(float(row['mean']))} [{low}, "
            text += f"{high}], stated {row['stated']}"
            conditions.append(Condition(_HOLDS[row["verdict"]], text))
        return conditions

    return check


def _of_case(row: pd.Series) -> str:
    return str(row["case"])


def _of_cell(row: pd.Series) -> str:
    return f"{row['classes']} ({row['shares']}), {row['dependence']}"


def _proposition(number: int) -> Predicate:
    return Predicate(
        f"in each simulated case the quantity has the sign that Proposition {number} states; "
        f"{_BY_SIGN}",
        _signs("cases", str(number), _of_case),
        universal=True,
    )


OF_PROPOSITIONS: dict[str, Predicate] = {
    **{f"proposition{number}": _proposition(number) for number in (5, 6, 7, 8, 9)},
    "baselines_by_distribution": Predicate(
        "the accuracy of Persistent less that of Majority has the sign of the table in each of its "
        f"cells, with two classes and with three; {_BY_SIGN}",
        _signs("baselines", "", _of_cell),
        universal=True,
    ),
}
