"""Groups of verdicts: each row of a scorecard is counted once."""

from __future__ import annotations

import pandas as pd
import pytest

from streameval.report.scorecard import COLUMNS, VERDICTS
from streameval.report.verdict_groups import (
    GROUPS,
    count_groups,
    count_link,
    filters_by_anchor,
    verdict_texts,
    verdicts_by_choice,
)

#: Groups without a row in common, which have all rows.
PARTS = ("agree", "differ", "neither", "by-construction", "not-run")


def card(*rows: tuple[str, str, str]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["paper", "verdict", "by_construction"])
    return frame.reindex(columns=COLUMNS, fill_value="")


ALL = card(
    *(("a", verdict, "no") for verdict in VERDICTS),
    ("a", "reproduced", "yes"),
    ("b", "reproduced if truncated", "yes"),
    ("b", "claim holds", "no"),
)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_each_verdict_is_in_one_group(verdict):
    counts = count_groups(card(("a", verdict, "no")))
    assert sum(counts[group] for group in PARTS) == 1
    assert counts["compared"] == (not verdict.startswith("not run"))


def test_agreement_by_construction_is_counted_apart():
    counts = count_groups(ALL)
    assert counts["by-construction"] == 2
    assert counts["compared"] == counts["agree"] + counts["differ"] + counts["neither"]
    assert sum(counts[group] for group in PARTS) == len(ALL)


def test_a_lower_scale_neither_agrees_nor_differs():
    lower = [verdict for verdict in VERDICTS if "lower scale" in verdict]
    assert len(lower) == 3
    counts = count_groups(card(*(("a", verdict, "no") for verdict in lower)))
    assert (counts["neither"], counts["not-run"]) == (2, 1)


def test_anchors_choose_as_many_rows_as_are_counted():
    texts, members, titles = verdict_texts(ALL), verdicts_by_choice(ALL), {"a": "A", "b": "B"}
    choices = filters_by_anchor(ALL, titles)
    for paper, rows in {"": ALL, **dict(iter(ALL.groupby("paper")))}.items():
        for group, number in count_groups(rows).items():
            anchor = f"{paper}-{group}" if paper else group
            assert (anchor in choices) == (number > 0), anchor
            if number:
                chosen = choices[anchor]
                fits = [
                    text in members[chosen["Verdict"]] and chosen.get("Paper") in (None, titles[of])
                    for text, of in zip(texts, ALL["paper"], strict=True)
                ]
                assert sum(fits) == number, anchor


def test_choices_are_no_verdicts():
    assert not {group.choice for group in GROUPS.values()} & {*verdict_texts(ALL)}


def test_zero_leads_nowhere():
    assert count_link(0, "agree") == "0"
    assert count_link(1234, "agree") == '<a href="scorecard.html#agree">1,234</a>'
