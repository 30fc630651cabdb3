"""How many published numbers and claims a run reproduces, as sentences and tables with links."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase

import pandas as pd
from markupsafe import Markup

from streameval.report.number_verdicts import (
    DIFFERS_LOWER,
    REPRODUCED,
    TRUNCATED,
    WITHIN,
    WITHIN_LOWER,
)
from streameval.report.published import PublishedPaper
from streameval.report.scorecard import VERDICTS
from streameval.report.verdict_groups import (
    SCORECARD,
    count_groups,
    count_link,
    group_anchor,
    verdict_anchor,
)
from streameval.report.what_ran import Block, TextTable
from streameval.view.numbers import number_text

#: Columns of the table of papers: title by group of verdicts, see `verdict_groups.GROUPS`.
_COLUMNS = {
    "compared": "compared here",
    "agree": "agree",
    "differ": "differ",
    "neither": "neither",
    "not-run": "not run",
}
_NEITHER_NOTE = (
    "Neither: claims that hold in part or are undecided, and estimates at a lower scale (from "
    "shorter runs than the paper's, or from other streams)."
)
_BY_CONSTRUCTION_NOTE = Markup(
    "Not counted: agreement by construction ({}), which says nothing about this run."
)
_NOTHING = Markup(
    "<strong>None of {} published numbers and claims could be compared here.</strong>"
)
_TOTAL = Markup(
    "<strong>Of {} published numbers and claims, {} could be compared here: {}.</strong>"
)
#: Verbs by group of verdicts: in the singular and in the plural.
_VERBS = {
    "agree": ("agrees", "agree"),
    "differ": ("differs", "differ"),
    "neither": ("does neither", "do neither"),
}
#: Note on the numbers that agree. Key: whether a number of a trained learner is among them.
_NOTES_ON_LEARNERS = {
    False: Markup(
        "<strong>The reproduced numbers are statistics of labels and counts</strong> (class "
        "frequencies, repeated labels, the accuracy of No-Change, numbers of instances, attributes "
        "and classes). No result of a trained learner is among them."
    ),
    True: "The numbers that agree include results of trained learners.",
}
#: The note on estimates of a smaller run.
_LOWER_SCALE_NOTE = (
    "Estimates at a lower scale come from shorter runs than the paper's, or from other streams. "
    "They neither confirm nor contradict it."
)


def paper_sentence(scorecard: pd.DataFrame, paper: str) -> str:
    """Sentence with the number of a paper's compared rows that agree; "" without rows."""
    counts = count_groups(scorecard[scorecard["paper"] == paper])
    if counts["compared"]:
        groups = ("agree", "compared")
        links = [count_link(counts[group], group_anchor(group, paper)) for group in groups]
        verb = _verb("agree", counts["agree"])
        return Markup("Of what could be compared here, {} of {} {}.").format(*links, verb)
    return "Nothing could be compared here." if sum(counts.values()) else ""


def reproduced_blocks(
    scorecard: pd.DataFrame, papers: Sequence[PublishedPaper], pages: Collection[str]
) -> list[Block]:
    """Sentence and table with the numbers of rows that agree, in total and by paper.

    Each count links to its rows in the scorecard. `pages` are the studies with a page.
    """
    counts = count_groups(scorecard)
    links = {group: count_link(number, group) for group, number in counts.items()}
    rows = [
        _paper_row(paper, scorecard[scorecard["paper"] == paper.id], pages)
        for paper in papers
        if (scorecard["paper"] == paper.id).any()
    ]
    notes = [_NEITHER_NOTE] if counts["neither"] else []
    if counts["by-construction"]:
        notes.append(_BY_CONSTRUCTION_NOTE.format(links["by-construction"]))
    return [
        _total_sentence(len(scorecard), counts, links),
        TextTable(["paper", *_COLUMNS.values()], rows, alignment="l" + "r" * len(_COLUMNS)),
        *([Markup(" ").join(notes)] if notes else []),
    ]


def _total_sentence(n_rows: int, counts: Mapping[str, int], links: Mapping[str, str]) -> str:
    """Sentence with the counts over all papers."""
    total = Markup('<a href="{}">{}</a>').format(SCORECARD, number_text(n_rows))
    if not counts["compared"]:
        return _NOTHING.format(total)
    parts = [
        Markup("{} {}").format(links[group], _verb(group, counts[group]))
        for group in _VERBS
        if counts[group]
    ]
    return _TOTAL.format(total, links["compared"], Markup(", ").join(parts))


def _verb(group: str, number: int) -> str:
    singular, plural = _VERBS[group]
    return singular if number == 1 else plural


def _paper_row(paper: PublishedPaper, rows: pd.DataFrame, pages: Collection[str]) -> list[str]:
    """Title of a paper, with a link to its page, and the counts of its rows."""
    counts, title = count_groups(rows), paper.title
    if paper.id in pages:
        title = Markup('<a href="{}.html">{}</a>').format(paper.id, paper.title)
    links = [count_link(counts[group], group_anchor(group, paper.id)) for group in _COLUMNS]
    return [title, *links]


def verdict_counts(scorecard: pd.DataFrame, papers: Sequence[PublishedPaper]) -> list[Block]:
    """Counts of the verdicts and of agreement by construction, with notes on their meaning."""
    by_construction = scorecard["by_construction"] == "yes"
    counts = scorecard.loc[~by_construction, "verdict"].value_counts()
    template = Markup("{}: {}")
    lines: list[str] = [
        template.format(verdict, count_link(int(counts[verdict]), verdict_anchor(verdict)))
        for verdict in VERDICTS
        if verdict in counts
    ]
    if by_construction.any():
        text = "agree by construction and say nothing about this run"
        link = count_link(int(by_construction.sum()), "by-construction")
        lines.append(template.format(text, link))
    intro = (
        f"The scorecard has a row for each of {number_text(len(scorecard))} "
        "published numbers and claims: ours, a verdict, and the rule that decides."
    )
    agreeing = scorecard[
        ~by_construction & scorecard["verdict"].isin([REPRODUCED, TRUNCATED, WITHIN])
    ]
    # Patterns of the keys of numbers that need no trained learner.
    no_learner_patterns = {
        (paper.id, table.item): table.without_learner for paper in papers for table in paper.tables
    }
    has_learners = not all(
        any(fnmatchcase(key, pattern) for pattern in no_learner_patterns.get((paper, item), ()))
        for paper, item, key in agreeing[["paper", "item", "key"]].to_numpy()
    )
    notes = [] if agreeing.empty else [_NOTES_ON_LEARNERS[has_learners]]
    if scorecard["verdict"].isin([WITHIN_LOWER, DIFFERS_LOWER]).any():
        notes.append(_LOWER_SCALE_NOTE)
    return [intro, *notes, lines]
