"""The scorecard: every published number and claim beside ours, with a verdict and its rule."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pandas as pd

from streameval.base.errors import DataError
from streameval.report.claims import (
    FAILS,
    HOLDS,
    IN_PART,
    LOWER_SCALE,
    NO_STUDY,
    NOT_RUN,
    UNDECIDED,
    judge,
)
from streameval.report.names import item_title, key_words
from streameval.report.number_verdicts import (
    DIFFERS,
    DIFFERS_LOWER,
    REPRODUCED,
    TRUNCATED,
    WITHIN,
    WITHIN_LOWER,
    compare_number,
)
from streameval.report.published import (
    COUNTS,
    NOT_PART,
    PublishedPaper,
    PublishedTable,
    read_published,
)
from streameval.report.results import Results
from streameval.report.verdict_groups import anchors, count_groups, unions, verdict_text
from streameval.view.blocks import texts_table
from streameval.view.numbers import NO_VALUE, number_text
from streameval.view.table_page import BY_CONSTRUCTION_TEXT, rank, table_page

COLUMNS = [
    "paper",
    "item",
    "key",
    "published",
    "ours",
    "difference",
    "verdict",
    "rule",
    "reason",
    "by_construction",
]
#: All verdicts, on numbers and on claims, see `judge`.
VERDICTS = (
    *(REPRODUCED, TRUNCATED, WITHIN, WITHIN_LOWER, DIFFERS, DIFFERS_LOWER),
    *(HOLDS, IN_PART, UNDECIDED, FAILS, LOWER_SCALE, NOT_RUN),
)


def scorecard(
    papers: Iterable[PublishedPaper], published_dir: Path | str, results: Results
) -> pd.DataFrame:
    """Compare a run with the numbers and claims of papers; results of simulated streams never are.

    `published_dir` has a folder for each paper, with ``claims.csv`` (item, key, claim) and maybe
    ``remarks.csv`` (item, key, remark) beside its tables. `published` has the paper's digits or
    words, and `difference` is ours - published. Of a claim, `ours` is the proportion of its
    conditions that hold, and `difference` is this less 1. Both are NaN, in the CSV empty, exactly
    where the verdict begins with "not run"; no other cell is ever empty. `by_construction` is "yes"
    for numbers that were compared and had to agree.
    """
    folder = Path(published_dir)
    cards = [_card(folder, paper, results) for paper in papers]
    return pd.concat(cards or [pd.DataFrame(columns=COLUMNS)], ignore_index=True)


def _card(folder: Path, paper: PublishedPaper, results: Results) -> pd.DataFrame:
    """The rows of a paper: its numbers, then its claims."""
    numbers = [row for table in paper.tables for row in _number_rows(folder, paper, table, results)]
    card = pd.DataFrame([*numbers, *_claim_rows(folder, paper, results)], columns=COLUMNS)
    remarks = folder / paper.id / "remarks.csv"
    return _with_remarks(card, remarks) if remarks.is_file() else card


def _number_rows(
    folder: Path, paper: PublishedPaper, table: PublishedTable, results: Results
) -> Iterator[tuple[object, ...]]:
    item = f"{paper.id}/{table.item}"
    for key, published in table.numbers(folder, paper.id):
        stream, _, measure = key.partition("/")
        is_count = key.rpartition("/")[2] in COUNTS
        compared = compare_number(published, table.find(results, item, key), is_count)
        part = table.parts.get(stream)
        if part:
            compared_part = compare_number(
                published, table.find(results, item, f"{part}/{measure}"), is_count
            )
            if compared_part[2] != NOT_RUN:
                whole = f"{stream}, the whole file: {compared[2]}, {compared[4]}"
                compared = (*compared_part[:4], f"{part}: {compared_part[4]}. {whole}")
        reasons = (why for like, why in table.by_construction.items() if fnmatchcase(key, like))
        construction = next(reasons, "") if compared[2] in (REPRODUCED, TRUNCATED) else ""
        if construction:
            compared = (*compared[:4], f"{compared[4]}. By construction: {construction}")
        yield paper.id, table.item, key, published, *compared, "yes" if construction else "no"


def _claim_rows(folder: Path, paper: PublishedPaper, results: Results) -> list[tuple[object, ...]]:
    path = folder / paper.id / "claims.csv"
    claims = read_published(path, ("item", "key", "claim"))
    unknown = sorted(paper.claims.keys() - set(claims["key"]))
    if unknown:
        raise DataError(
            f"{path}: expected the claim {unknown[0]!r}, which has a rule in the folder of "
            f"{paper.id}; found {', '.join(claims['key'])}. Add it, or correct its key."
        )
    rows: list[tuple[object, ...]] = []
    for item, key, claim in claims[["item", "key", "claim"]].to_numpy():
        share, verdict, rule, reason = judge(paper.claims.get(key), results)
        rows.append((paper.id, item, key, claim, share, share - 1, verdict, rule, reason, "no"))
    return rows


def _with_remarks(card: pd.DataFrame, path: Path) -> pd.DataFrame:
    """Add the remarks on single numbers to their reasons."""
    remarks = read_published(path, ("item", "key", "remark"))
    for item, key, remark in remarks[["item", "key", "remark"]].to_numpy():
        fits = (card["item"] == item) & (card["key"] == key)
        if not fits.any():
            raise DataError(
                f"{path}: expected the item and key of a published number or claim, found "
                f"{item}/{key}, which is none. Correct item or key."
            )
        card.loc[fits, "reason"] += f". {remark}"
    return card


#: Reasons of numbers whose studies this version lacks.
_NOT_BUILT = (NO_STUDY, NOT_PART)
_MORE_DECIMALS = 2
#: The columns after the first one, and how they are aligned.
_HEADERS = ["Item", "What", "Published", "Ours", "Difference", "Verdict", "Why"]
_ALIGN = "llrrrll"
#: What stands for the published number of a claim.
CLAIM = "claim"
#: Smallest number of rows with one rule for which the rule is stated once, below the table.
_COMMON = 5


def scorecard_page(card: pd.DataFrame, papers: Sequence[PublishedPaper]) -> str:
    """The scorecard as a web page, what disagrees first, what was not run last.

    Of a study that is not part of this version, a table or figure stands in one row.
    """
    titles = {paper.id: paper.title for paper in papers}
    is_compared = ~card["verdict"].str.startswith(NOT_RUN)
    is_built = ~card["reason"].str.startswith(_NOT_BUILT) | is_compared
    compared, absent, not_built = card[is_compared], card[is_built & ~is_compared], card[~is_built]
    rules = _common_rules(compared)
    rows = [
        [titles[row["paper"]], *shown_row(row, rules.index)]
        for part in (compared, absent)
        for row in part.to_dict("records")
    ]
    counts = count_groups(card)
    number, whole = number_text(counts["compared"]), number_text(len(card))
    lead = f"{number} of {whole} published numbers and claims were compared with this run"
    notes = _notes(rules)
    if counts["by-construction"]:
        lead += f"; {number_text(counts['by-construction'])} more agree {BY_CONSTRUCTION_TEXT}"
        notes.insert(0, f"What agrees {BY_CONSTRUCTION_TEXT} says nothing about this run.")
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
        lead=f"{lead}.",
        notes=[*notes, *(paper.citation for paper in papers)],
        card=card,
        name="scorecard",
        unions=unions(card),
        anchors=anchors(card, titles),
    )


def recorded_page(
    card: pd.DataFrame, papers: Sequence[PublishedPaper], records: Sequence[str]
) -> str:
    """The scorecard of recorded runs as a web page, with a sentence about each record."""
    rules = _common_rules(card)
    rows = [[row["record"], *shown_row(row, rules.index)] for row in card.to_dict("records")]
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
    table: pd.DataFrame,
    caption: str,
    *,
    lead: str,
    notes: Sequence[str],
    card: pd.DataFrame,
    name: str,
    unions: Mapping[str, Sequence[str]] | None = None,
    anchors: Mapping[str, Mapping[str, str]] | None = None,
) -> str:
    ordered = table.sort_values("Verdict", key=lambda texts: texts.map(rank), kind="stable")
    rows = ordered.to_numpy().tolist()
    return table_page(
        texts_table("", list(ordered.columns), rows, sides="l" + _ALIGN, notes=notes),
        caption,
        lead=lead,
        csv=card.to_csv(index=False, lineterminator="\n"),
        name=name,
        cards=True,
        unions=unions,
        anchors=anchors,
    )


def _common_rules(compared: pd.DataFrame) -> pd.Series:
    """The rules of many rows each, with their numbers of rows."""
    rules = compared["rule"].value_counts()
    return rules[rules >= _COMMON]


def _notes(rules: pd.Series) -> list[str]:
    notes = [f"Rule of {number_text(int(count))} rows: {rule}." for rule, count in rules.items()]
    notes.append("Of a claim, ours is the percentage of its conditions that hold.")
    notes.append("Nothing is compared with a simulated stream.")
    return notes


def shown_row(row: dict[Any, Any], said_once: Container[object] = ()) -> list[str]:
    """The cells of a row of the scorecard, in the order of the page's headers.

    Of a claim, `CLAIM` stands for what is published. A rule that is `said_once` is left out.
    """
    published, rule, reason = str(row["published"]), str(row["rule"]), str(row["reason"])
    what, ours, difference = str(row["key"]), row["ours"], row["difference"]
    try:
        places = max(0, -int(Decimal(published).as_tuple().exponent))
    except InvalidOperation:  # a claim: words
        what, published = f"{published}\n{what}", CLAIM
        held = f"{number_text(100 * ours, 0)} %\nof conditions"
        numbers = [NO_VALUE if pd.isna(ours) else held, NO_VALUE]
    else:
        what, published = key_words(what), published.replace("-", "−")
        places += _MORE_DECIMALS if places else 0
        numbers = [number_text(float(value), places) for value in (ours, difference)]
    verdict = verdict_text(str(row["verdict"]), str(row["by_construction"]))
    why = reason if verdict.startswith(NOT_RUN) or rule in said_once else f"{reason}\nRule: {rule}"
    return [item_title(row["item"]), what, published, *numbers, verdict, why]
