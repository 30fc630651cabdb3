"""Groups of verdicts: their counts, and the address of the scorecard's rows behind a count."""

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
#: The tone of verdicts that agree by construction.
BY_CONSTRUCTION = "given"


class Group(NamedTuple):
    """Verdicts of some tones, with the name by which the scorecard offers them."""

    choice: str
    tones: Collection[str]


#: The groups by their ids, which stand in addresses.
GROUPS = {
    "compared": Group("all that were compared", ("good", "part", "open", "bad")),
    "agree": Group("all that agree", ("good",)),
    "differ": Group("all that differ", ("bad",)),
    "neither": Group("all that neither agree nor differ", ("part", "open")),
    "by-construction": Group("all that agree by construction", (BY_CONSTRUCTION,)),
    "not-run": Group("all that were not run", ("none",)),
}


def verdict_text(verdict: str, by_construction: str) -> str:
    """A verdict as the scorecard prints it, given the two cells of its row."""
    return f"{verdict} ({BY_CONSTRUCTION_TEXT})" if by_construction == "yes" else verdict


def verdict_texts(card: pd.DataFrame) -> list[str]:
    """The verdicts of a scorecard as its page prints them."""
    cells = card[["verdict", "by_construction"]].astype(str).to_numpy()
    return [verdict_text(*row) for row in cells]


def verdict_tone(text: str) -> str:
    """The tone of a printed verdict; agreement by construction has one of its own."""
    return BY_CONSTRUCTION if BY_CONSTRUCTION_TEXT in text else tone(text)


def count_groups(card: pd.DataFrame) -> dict[str, int]:
    """The number of rows in each group of verdicts, 0 included."""
    tones = [verdict_tone(text) for text in verdict_texts(card)]
    return {name: sum(tones.count(tone) for tone in group.tones) for name, group in GROUPS.items()}


def group_anchor(group: str, paper: str = "") -> str:
    """The anchor of a group's rows in the scorecard: of one paper, or of all."""
    return f"{paper}-{group}" if paper else group


def verdict_anchor(verdict: str) -> str:
    """The anchor of the rows with a verdict in the scorecard."""
    return "verdict-" + re.sub(r"\W+", "-", verdict)


def count_link(number: int, anchor: str) -> str:
    """A count that leads to its rows in the scorecard; 0 leads nowhere."""
    if not number:
        return "0"
    return Markup('<a href="{}#{}">{}</a>').format(SCORECARD, anchor, number_text(number))


def unions(card: pd.DataFrame) -> dict[str, list[str]]:
    """The printed verdicts of each group that has rows, by the group's choice."""
    texts = dict.fromkeys(verdict_texts(card))
    members = {
        group.choice: [text for text in texts if verdict_tone(text) in group.tones]
        for group in GROUPS.values()
    }
    return {choice: verdicts for choice, verdicts in members.items() if verdicts}


def anchors(card: pd.DataFrame, titles: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return what the scorecard's page chooses at each anchor, by the headers of its columns.

    `titles` are those of the papers. Groups and verdicts without rows have no anchor.
    """
    rows = {"": card, **{str(paper): part for paper, part in card.groupby("paper", sort=False)}}
    groups = {
        group_anchor(group, paper): ({"Paper": titles[paper]} if paper else {})
        | {"Verdict": GROUPS[group].choice}
        for paper, part in rows.items()
        for group, number in count_groups(part).items()
        if number
    }
    verdicts = dict.fromkeys(verdict_texts(card))
    return groups | {verdict_anchor(text): {"Verdict": text} for text in verdicts}
