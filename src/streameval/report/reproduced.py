"""How many published numbers and claims a run reproduces, in sentences and tables with links."""

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

#: The columns of the table of papers, by the groups of verdicts that they count.
_COLUMNS = {
    "compared": "compared here",
    "agree": "agree",
    "differ": "differ",
    "neither": "neither",
    "not-run": "not run",
}
_NEITHER = (
    "Neither: claims that hold in part or are undecided, and estimates at a lower scale, from "
    "shorter runs than the paper's or from other streams."
)
_BY_CONSTRUCTION = Markup(
    "Not counted: agreement by construction ({}), which says nothing about this run."
)
_NOTHING = Markup(
    "<strong>None of {} published numbers and claims could be compared here.</strong>"
)
_TOTAL = Markup(
    "<strong>Of {} published numbers and claims, {} could be compared here: {}.</strong>"
)
#: The verbs of counts: of 1 and of other numbers.
_VERBS = {
    "agree": ("agrees", "agree"),
    "differ": ("differs", "differ"),
    "neither": ("does neither", "do neither"),
}
#: The basis of agreement, by whether results of learners are among it.
_BASIS = {
    False: Markup(
        "<strong>The reproduced numbers are statistics of labels and counts</strong> (class "
        "frequencies, repeated labels, the accuracy of No-Change, numbers of instances, attributes "
        "and classes). No result of a trained learner is among them."
    ),
    True: "The numbers that agree include results of trained learners.",
}
#: The note on estimates of a smaller run.
_LOWER = (
    "Estimates at a lower scale come from shorter runs than the paper's, or from other streams. "
    "They neither confirm nor contradict it."
)


def paper_sentence(scorecard: pd.DataFrame, paper: str) -> str:
    """A sentence: how many of a paper's compared rows agree; "" without rows."""
    counts = count_groups(scorecard[scorecard["paper"] == paper])
    if counts["compared"]:
        groups = ("agree", "compared")
        links = [count_link(counts[group], group_anchor(group, paper)) for group in groups]
        verb = _verb("agree", counts["agree"])
        return Markup("Of what could be compared here, {} of {} {}.").format(*links, verb)
    return "Nothing could be compared here." if sum(counts.values()) else ""


def reproduced(
    scorecard: pd.DataFrame, papers: Sequence[PublishedPaper], pages: Collection[str]
) -> list[Block]:
    """Return how many published numbers and claims agree, in all and by paper.

    Each count leads to its rows in the scorecard. `pages` are the studies with a page.
    """
    counts = count_groups(scorecard)
    links = {group: count_link(number, group) for group, number in counts.items()}
    rows = [
        _paper_row(paper, scorecard[scorecard["paper"] == paper.id], pages)
        for paper in papers
        if (scorecard["paper"] == paper.id).any()
    ]
    notes = [_NEITHER] if counts["neither"] else []
    if counts["by-construction"]:
        notes.append(_BY_CONSTRUCTION.format(links["by-construction"]))
    return [
        _total(len(scorecard), counts, links),
        TextTable(["paper", *_COLUMNS.values()], rows, sides="l" + "r" * len(_COLUMNS)),
        *([Markup(" ").join(notes)] if notes else []),
    ]


def _total(n_rows: int, counts: Mapping[str, int], links: Mapping[str, str]) -> str:
    """The counts of all papers in a sentence."""
    every = Markup('<a href="{}">{}</a>').format(SCORECARD, number_text(n_rows))
    if not counts["compared"]:
        return _NOTHING.format(every)
    parts = [
        Markup("{} {}").format(links[group], _verb(group, counts[group]))
        for group in _VERBS
        if counts[group]
    ]
    return _TOTAL.format(every, links["compared"], Markup(", ").join(parts))


def _verb(group: str, number: int) -> str:
    return _VERBS[group][number != 1]


def _paper_row(paper: PublishedPaper, rows: pd.DataFrame, pages: Collection[str]) -> list[str]:
    """The title of a paper, which leads to its page, and the counts of its rows."""
    counts, title = count_groups(rows), paper.title
    if paper.id in pages:
        title = Markup('<a href="{}.html">{}</a>').format(paper.id, paper.title)
    links = [count_link(counts[group], group_anchor(group, paper.id)) for group in _COLUMNS]
    return [title, *links]


def verdict_counts(scorecard: pd.DataFrame, papers: Sequence[PublishedPaper]) -> list[Block]:
    """The count of each verdict, agreement by construction apart, and the basis of it."""
    is_given = scorecard["by_construction"] == "yes"
    counts = scorecard.loc[~is_given, "verdict"].value_counts()
    line = Markup("{}: {}")
    lines: list[str] = [
        line.format(verdict, count_link(int(counts[verdict]), verdict_anchor(verdict)))
        for verdict in VERDICTS
        if verdict in counts
    ]
    if is_given.any():
        text = "agree by construction and say nothing about this run"
        lines.append(line.format(text, count_link(int(is_given.sum()), "by-construction")))
    intro = (
        f"The scorecard has a row for each of {number_text(len(scorecard))} "
        "published numbers and claims: ours, a verdict, and the rule that decides."
    )
    agree = scorecard[~is_given & scorecard["verdict"].isin([REPRODUCED, TRUNCATED, WITHIN])]
    patterns = {
        (paper.id, table.item): table.of_labels for paper in papers for table in paper.tables
    }
    has_learners = not all(
        any(fnmatchcase(key, like) for like in patterns.get((paper, item), ()))
        for paper, item, key in agree[["paper", "item", "key"]].to_numpy()
    )
    notes = [] if agree.empty else [_BASIS[has_learners]]
    notes += [_LOWER] if scorecard["verdict"].isin([WITHIN_LOWER, DIFFERS_LOWER]).any() else []
    return [intro, *notes, lines]
