"""The scorecard: each published number and claim compared with ours, with verdict and rule."""

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
from streameval.report.names import item_title, key_title
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
    NOT_IN_VERSION,
    PublishedPaper,
    PublishedTable,
    read_published,
)
from streameval.report.results import Results
from streameval.report.verdict_groups import (
    count_groups,
    filters_by_anchor,
    verdict_text,
    verdicts_by_choice,
)
from streameval.view.numbers import NO_VALUE, number_text
from streameval.view.parts import texts_table
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
    """Compare a run with the numbers and claims of papers; simulated streams are left out.

    `published_dir` has a folder for each paper, with its tables, ``claims.csv`` (item, key, claim)
    and perhaps ``remarks.csv`` (item, key, remark). The result has a row for each number and claim,
    with the columns `COLUMNS`:

    - published: the printed digits, or the words of a claim;
    - ours: our number; for a claim, the proportion of its conditions that hold;
    - difference: ours - published; for a claim, ours - 1;
    - by_construction: "yes" for numbers that were compared and had to agree.

    ours and difference are NaN, empty in the CSV file, if and only if the verdict begins with "not
    run"; no other cell is empty.
    """
    folder = Path(published_dir)
    cards = [_card(folder, paper, results) for paper in papers]
    return pd.concat(cards or [pd.DataFrame(columns=COLUMNS)], ignore_index=True)


def _card(folder: Path, paper: PublishedPaper, results: Results) -> pd.DataFrame:
    """Rows of a paper: its numbers, then its claims."""
    numbers = [row for table in paper.tables for row in _number_rows(folder, paper, table, results)]
    card = pd.DataFrame([*numbers, *_claim_rows(folder, paper, results)], columns=COLUMNS)
    remarks = folder / paper.id / "remarks.csv"
    return _add_remarks(card, remarks) if remarks.is_file() else card


def _number_rows(
    folder: Path, paper: PublishedPaper, table: PublishedTable, results: Results
) -> Iterator[tuple[object, ...]]:
    item = f"{paper.id}/{table.item}"
    for key, published in table.read_numbers(folder, paper.id):
        stream, _, measure = key.partition("/")
        is_count = key.rpartition("/")[2] in COUNTS
        finding = table.find(results, item, key)
        ours, difference, verdict, rule, reason = compare_number(published, finding, is_count)
        if part := table.used_parts.get(stream):
            # If the part that the paper used was run, it decides instead of the whole file.
            part_finding = table.find(results, item, f"{part}/{measure}")
            part_verdict = compare_number(published, part_finding, is_count)
            if part_verdict.verdict != NOT_RUN:
                whole_text = f"{stream}, the whole file: {verdict}, {reason}"
                ours, difference, verdict, rule, part_reason = part_verdict
                reason = f"{part}: {part_reason}. {whole_text}"
        construction_reasons = (
            text for pattern, text in table.by_construction.items() if fnmatchcase(key, pattern)
        )
        agrees = verdict in (REPRODUCED, TRUNCATED)
        construction_reason = next(construction_reasons, "") if agrees else ""
        if construction_reason:
            reason = f"{reason}. By construction: {construction_reason}"
        by_construction = "yes" if construction_reason else "no"
        yield (
            *(paper.id, table.item, key, published),
            *(ours, difference, verdict, rule, reason, by_construction),
        )


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
        proportion, verdict, rule, reason = judge(paper.claims.get(key), results)
        rows.append(
            (
                *(paper.id, item, key, claim),
                *(proportion, proportion - 1, verdict, rule, reason, "no"),
            )
        )
    return rows


def _add_remarks(card: pd.DataFrame, path: Path) -> pd.DataFrame:
    """Add remarks on single numbers and claims to their reasons."""
    remarks = read_published(path, ("item", "key", "remark"))
    for item, key, remark in remarks[["item", "key", "remark"]].to_numpy():
        is_match = (card["item"] == item) & (card["key"] == key)
        if not is_match.any():
            raise DataError(
                f"{path}: expected the item and key of a published number or claim, found "
                f"{item}/{key}, which no row has. Correct item or key."
            )
        card.loc[is_match, "reason"] += f". {remark}"
    return card


#: Reasons of numbers and claims whose studies are not part of this version.
_NOT_IN_VERSION_REASONS = (NO_STUDY, NOT_IN_VERSION)
#: Our numbers are shown with this many decimals more than the published number.
_EXTRA_DECIMALS = 2
#: Headers of the page after the first column, Paper or Record.
_HEADERS = ["Item", "What", "Published", "Ours", "Difference", "Verdict", "Why"]
#: Alignment of these columns: l (left) or r (right).
_ALIGNMENT = "llrrrll"
#: Cell for the published number of a claim.
CLAIM = "claim"
#: A rule of at least this many rows is not repeated in the rows, but stated once below the table.
_MIN_COMMON_ROWS = 5


def scorecard_page(card: pd.DataFrame, papers: Sequence[PublishedPaper]) -> str:
    """The scorecard as a web page; rows that disagree are first, rows that were not run last.

    A study that is not part of this version has one row for each of its tables and figures.
    """
    titles = {paper.id: paper.title for paper in papers}
    is_compared = ~card["verdict"].str.startswith(NOT_RUN)
    is_missing_study = card["reason"].str.startswith(_NOT_IN_VERSION_REASONS) & ~is_compared
    compared, not_run = card[is_compared], card[~is_missing_study & ~is_compared]
    not_in_version = card[is_missing_study]
    rules = _common_rules(compared)
    rows = [
        [titles[row["paper"]], *page_cells(row, rules.index)]
        for rows_of_page in (compared, not_run)
        for row in rows_of_page.to_dict("records")
    ]
    counts = count_groups(card)
    n_compared, n_all = number_text(counts["compared"]), number_text(len(card))
    lead = f"{n_compared} of {n_all} published numbers and claims were compared with this run"
    notes = _notes(rules)
    if counts["by-construction"]:
        lead += f"; {number_text(counts['by-construction'])} more agree {BY_CONSTRUCTION_TEXT}"
        notes.insert(0, f"Agreement {BY_CONSTRUCTION_TEXT} says nothing about this run.")
    if len(not_run):
        notes.append(f"{number_text(len(not_run))} were not run here; the last column says why.")
    for paper, paper_rows in not_in_version.groupby("paper", sort=False):
        title = titles[str(paper)]
        notes.append(
            f"{title}: {number_text(len(paper_rows))} belong to studies that are not part of this "
            "version."
        )
        for item, item_rows in paper_rows.groupby("item", sort=False):
            count = f"{number_text(len(item_rows))} numbers or claims"
            no_values = [NO_VALUE] * 3  # published, ours, difference
            reason = str(item_rows["reason"].iloc[0])
            rows.append([title, item_title(str(item)), count, *no_values, NOT_RUN, reason])
    return _page(
        pd.DataFrame(rows, columns=["Paper", *_HEADERS], dtype=object),
        "Scorecard: every published number and claim beside ours",
        lead=f"{lead}.",
        notes=[*notes, *(paper.citation for paper in papers)],
        card=card,
        name="scorecard",
        verdict_groups=verdicts_by_choice(card),
        anchors=filters_by_anchor(card, titles),
    )


def recorded_page(
    card: pd.DataFrame, papers: Sequence[PublishedPaper], record_sentences: Sequence[str]
) -> str:
    """The scorecard of recorded runs as a web page, with sentences on the records."""
    rules = _common_rules(card)
    rows = [[row["record"], *page_cells(row, rules.index)] for row in card.to_dict("records")]
    count = number_text(len(card))
    lead = f"{count} published numbers and claims were compared with recorded runs."
    return _page(
        pd.DataFrame(rows, columns=["Record", *_HEADERS], dtype=object),
        "Recorded runs: published numbers and claims compared with long runs",
        lead=f"{lead} The recorded runs are not part of this run.",
        notes=[*record_sentences, *_notes(rules), *(paper.citation for paper in papers)],
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
    verdict_groups: Mapping[str, Sequence[str]] | None = None,
    anchors: Mapping[str, Mapping[str, str]] | None = None,
) -> str:
    ordered = table.sort_values("Verdict", key=lambda texts: texts.map(rank), kind="stable")
    rows = ordered.to_numpy().tolist()
    return table_page(
        texts_table("", list(ordered.columns), rows, alignment="l" + _ALIGNMENT, notes=notes),
        caption,
        lead=lead,
        csv=card.to_csv(index=False, lineterminator="\n"),
        name=name,
        cards=True,
        verdict_groups=verdict_groups,
        anchors=anchors,
    )


def _common_rules(compared: pd.DataFrame) -> pd.Series:
    """Rules that many rows share, with the number of rows."""
    rules = compared["rule"].value_counts()
    return rules[rules >= _MIN_COMMON_ROWS]


def _notes(rules: pd.Series) -> list[str]:
    notes = [f"Rule of {number_text(int(count))} rows: {rule}." for rule, count in rules.items()]
    notes.append("For a claim, ours is the percentage of its conditions that hold.")
    notes.append("Nothing is compared with a simulated stream.")
    return notes


def page_cells(row: dict[Any, Any], common_rules: Container[object] = ()) -> list[str]:
    """Cells of a row of the scorecard, in the order of the page's headers.

    Rules in `common_rules`, which stand below the table, are left out.
    """
    # `subject` is the cell in the column "What".
    published, rule, reason = str(row["published"]), str(row["rule"]), str(row["reason"])
    subject, ours, difference = str(row["key"]), row["ours"], row["difference"]
    try:
        decimals = max(0, -int(Decimal(published).as_tuple().exponent))
    except InvalidOperation:  # not a number: the words of a claim
        subject, published = f"{published}\n{subject}", CLAIM
        percent = f"{number_text(100 * ours, 0)} %\nof conditions"
        numbers = [NO_VALUE if pd.isna(ours) else percent, NO_VALUE]
    else:
        subject, published = key_title(subject), published.replace("-", "−")
        decimals += _EXTRA_DECIMALS if decimals else 0
        numbers = [number_text(float(value), decimals) for value in (ours, difference)]
    verdict = verdict_text(str(row["verdict"]), str(row["by_construction"]))
    has_rule = not verdict.startswith(NOT_RUN) and rule not in common_rules
    reason_cell = f"{reason}\nRule: {rule}" if has_rule else reason
    return [item_title(row["item"]), subject, published, *numbers, verdict, reason_cell]
