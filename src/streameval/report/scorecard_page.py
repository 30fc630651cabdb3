"""The scorecard as people read it: what disagrees comes first, what was not run last."""

from __future__ import annotations

from collections.abc import Container, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import pandas as pd

from streameval.report import claims, published
from streameval.report.claims import NOT_RUN
from streameval.report.html_table import GIVEN, html_table, rank
from streameval.report.names import item_title
from streameval.report.published import PublishedPaper
from streameval.report.tables import NO_VALUE, number_text

#: How the reason begins of numbers of studies that are not built.
_NOT_BUILT = (claims.NOT_PART, published.NOT_PART)
_MORE_DECIMALS = 2
#: The columns after the first one, and how they are aligned.
_HEADERS = ["Item", "What", "Published", "Ours", "Difference", "Verdict", "Why"]
_ALIGN = "llrrrll"
#: A rule that so many rows share is said once, below.
_COMMON = 5


def scorecard_page(card: pd.DataFrame, papers: Sequence[PublishedPaper]) -> str:
    """Return the scorecard as a web page; see `streameval.report.scorecard.scorecard`.

    What disagrees stands first, then what agrees, what agrees by construction, and what was not
    run. Of a study that is not part of this version, all numbers and claims of a table or figure
    stand in one row.

    Parameters
    ----------
    card : pandas.DataFrame
        The scorecard.
    papers : sequence of PublishedPaper
        Its papers.
    """
    titles = {paper.id: paper.title for paper in papers}
    is_compared = ~card["verdict"].str.startswith(NOT_RUN)
    is_built = ~card["reason"].str.startswith(_NOT_BUILT) | is_compared
    compared, absent, not_built = card[is_compared], card[is_built & ~is_compared], card[~is_built]
    rules = _common_rules(compared)
    rows = [
        [titles[row["paper"]], *_row(row, rules.index)]
        for part in (compared, absent)
        for row in part.to_dict("records")
    ]
    said = _compared(compared, card)
    notes = _notes(rules)
    given = int((compared["by_construction"] == "yes").sum())
    if given:
        said += f"; {number_text(given)} agree {GIVEN}"
        notes.insert(0, f"What agrees {GIVEN} says nothing about this run.")
    if len(absent):
        notes.append(f"{number_text(len(absent))} were not run here; the last column says why.")
    for paper, part in not_built.groupby("paper", sort=False):
        name, belong = titles[str(paper)], "belong to studies that are not part of this version"
        notes.append(f"{name}: {number_text(len(part))} {belong}.")
        for item, some in part.groupby("item", sort=False):
            what = f"{number_text(len(some))} numbers or claims"
            nothing = [NO_VALUE] * 3
            why = str(some["reason"].iloc[0])
            rows.append([name, item_title(str(item)), what, *nothing, NOT_RUN, why])
    return _page(
        pd.DataFrame(rows, columns=["Paper", *_HEADERS], dtype=object),
        "Scorecard: every published number and claim beside ours",
        lead=f"{said}.",
        notes=[*notes, *(paper.citation for paper in papers)],
        card=card,
        name="scorecard",
    )


def recorded_page(
    card: pd.DataFrame, papers: Sequence[PublishedPaper], records: Sequence[str]
) -> str:
    """Return the scorecard of recorded runs as a web page.

    Parameters
    ----------
    card : pandas.DataFrame
        See `streameval.report.recorded_scorecard.recorded_scorecard`.
    papers : sequence of PublishedPaper
        Its papers.
    records : sequence of str
        A sentence about each record.
    """
    rules = _common_rules(card)
    rows = [[row["record"], *_row(row, rules.index)] for row in card.to_dict("records")]
    some = number_text(len(card))
    said = f"{some} published numbers and claims were compared with recorded runs."
    return _page(
        pd.DataFrame(rows, columns=["Record", *_HEADERS], dtype=object),
        "Recorded runs: published numbers and claims beside what long runs found",
        lead=f"{said} The recorded runs are no part of this one.",
        notes=[*records, *_notes(rules), *(paper.citation for paper in papers)],
        card=card,
        name="recorded",
    )


def _page(
    shown: pd.DataFrame,
    caption: str,
    *,
    lead: str,
    notes: Sequence[str],
    card: pd.DataFrame,
    name: str,
) -> str:
    return html_table(
        shown.sort_values("Verdict", key=lambda verdicts: verdicts.map(rank), kind="stable"),
        "l" + _ALIGN,
        caption,
        lead=lead,
        notes=notes,
        csv=card.to_csv(index=False, lineterminator="\n"),
        name=name,
        cards=True,
    )


def _common_rules(compared: pd.DataFrame) -> pd.Series:
    """Return the rules that many rows share, with their numbers of rows."""
    rules = compared["rule"].value_counts()
    return rules[rules >= _COMMON]


def _notes(rules: pd.Series) -> list[str]:
    notes = [f"Rule of {number_text(int(count))} rows: {rule}." for rule, count in rules.items()]
    notes.append("Of a claim, ours is the percentage of its conditions that hold.")
    notes.append("Nothing is compared with a simulated stream.")
    return notes


def _compared(compared: pd.DataFrame, card: pd.DataFrame) -> str:
    some, all_of_them = number_text(len(compared)), number_text(len(card))
    return f"{some} of {all_of_them} published numbers and claims were compared with this run"


def _row(row: dict[Any, Any], said_once: Container[object]) -> list[str]:
    published, rule, reason = str(row["published"]), str(row["rule"]), str(row["reason"])
    what, ours, difference = str(row["key"]), row["ours"], row["difference"]
    try:
        places = max(0, -int(Decimal(published).as_tuple().exponent))
    except InvalidOperation:  # a claim: words
        what, published = f"{published}\n{what}", "claim"
        shown = [NO_VALUE if pd.isna(ours) else f"{number_text(100 * ours, 0)} %", NO_VALUE]
    else:
        places += _MORE_DECIMALS if places else 0
        shown = [number_text(float(value), places) for value in (ours, difference)]
    verdict = str(row["verdict"]) + f" ({GIVEN})" * (row["by_construction"] == "yes")
    why = reason if verdict.startswith(NOT_RUN) or rule in said_once else f"{reason}\nRule: {rule}"
    return [item_title(row["item"]), what, published, *shown, verdict, why]
