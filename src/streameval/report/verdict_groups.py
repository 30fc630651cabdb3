"""Groups of verdicts: their counts, and links from a count to its rows in the scorecard."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

import pandas as pd
from markupsafe import Markup

from streameval.view.numbers import number_text
from streameval.view.table_page import BY_CONSTRUCTION_TEXT, tone

#: The page with a row for each published number and claim.
SCORECARD = "scorecard.html"
#: The tone of verdicts that agree by construction; see `VerdictGroup`.
BY_CONSTRUCTION_TONE = "given"


class VerdictGroup(NamedTuple):
    """The verdicts of some tones; `choice` is their name in the filter of the scorecard's page.

    The tone of a verdict decides its colour and its sign; see `streameval.view.table_page.TONES`.
    """

    choice: str
    tones: Collection[str]


#: Groups by id; the ids are part of addresses.
GROUPS = {
    "compared": VerdictGroup("all that were compared", ("good", "part", "open", "bad")),
    "agree": VerdictGroup("all that agree", ("good",)),
    "differ": VerdictGroup("all that differ", ("bad",)),
    "neither": VerdictGroup("all that neither agree nor differ", ("part", "open")),
    "by-construction": VerdictGroup("all that agree by construction", (BY_CONSTRUCTION_TONE,)),
    "not-run": VerdictGroup("all that were not run", ("none",)),
}


def verdict_text(verdict: str, by_construction: str) -> str:
    """Verdict as printed in the scorecard, from two cells of its row."""
    return f"{verdict} ({BY_CONSTRUCTION_TEXT})" if by_construction == "yes" else verdict


def verdict_texts(card: pd.DataFrame) -> list[str]:
    """Verdicts of a scorecard as printed on its page."""
    cells = card[["verdict", "by_construction"]].astype(str).to_numpy()
    return [verdict_text(*row) for row in cells]


def verdict_tone(text: str) -> str:
    """Tone of a printed verdict; `BY_CONSTRUCTION_TONE` for agreement by construction."""
    return BY_CONSTRUCTION_TONE if BY_CONSTRUCTION_TEXT in text else tone(text)


def count_groups(card: pd.DataFrame) -> dict[str, int]:
    """Number of rows in each group of verdicts, including groups without rows."""
    tones = [verdict_tone(text) for text in verdict_texts(card)]
    return {name: sum(tones.count(tone) for tone in group.tones) for name, group in GROUPS.items()}


def group_anchor(group: str, paper: str = "") -> str:
    """Anchor of a group's rows in the scorecard, of one paper or by default of all papers."""
    return f"{paper}-{group}" if paper else group


def verdict_anchor(verdict: str) -> str:
    """Anchor of the rows with a verdict in the scorecard."""
    return "verdict-" + re.sub(r"\W+", "-", verdict)


def count_link(number: int, anchor: str) -> str:
    """Count with a link to its rows in the scorecard; 0 has no link."""
    if not number:
        return "0"
    return Markup('<a href="{}#{}">{}</a>').format(SCORECARD, anchor, number_text(number))


def verdicts_by_choice(card: pd.DataFrame) -> dict[str, list[str]]:
    """Printed verdicts of each group that has rows, by the group's choice."""
    texts = dict.fromkeys(verdict_texts(card))
    members = {
        group.choice: [text for text in texts if verdict_tone(text) in group.tones]
        for group in GROUPS.values()
    }
    return {choice: verdicts for choice, verdicts in members.items() if verdicts}


def filters_by_anchor(card: pd.DataFrame, titles: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Filters that the scorecard's page sets for each anchor: header of a column and chosen value.

    `titles` are the titles of the papers. Groups and verdicts without rows have no anchor.
    """
    # The key "" stands for all papers, as in `group_anchor`.
    cards = {"": card, **{str(paper): rows for paper, rows in card.groupby("paper", sort=False)}}
    groups = {
        group_anchor(group, paper): ({"Paper": titles[paper]} if paper else {})
        | {"Verdict": GROUPS[group].choice}
        for paper, paper_card in cards.items()
        for group, count in count_groups(paper_card).items()
        if count
    }
    verdicts = dict.fromkeys(verdict_texts(card))
    return groups | {verdict_anchor(text): {"Verdict": text} for text in verdicts}
