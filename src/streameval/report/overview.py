"""The first page of a run: what is reproduced, findings, and the streams and items of the run."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd
from markupsafe import Markup

from streameval.base.rounding import percentage
from streameval.base.values import enumeration
from streameval.evaluation.differences import Difference, OverBaseline
from streameval.evaluation.roles import MAJORITY, NO_CHANGE, PREVIOUS_TARGET, TARGET_MEAN
from streameval.evaluation.task import CLASSIFICATION_TASK, SKILL
from streameval.evaluation.verdict_words import REGION_FRACTION, difference_predicate, region_of
from streameval.report.left_out import TITLE as LEFT_OUT
from streameval.report.left_out import LeftOut, left_out_blocks
from streameval.report.published import PublishedPaper
from streameval.report.reproduced import reproduced, verdict_counts
from streameval.report.scorecard import VERDICTS
from streameval.report.what_ran import Block, FrontSection, Ran, items_table, what_ran
from streameval.view.numbers import number_text

_CALLED = {
    NO_CHANGE: "No-Change",
    MAJORITY: "Majority",
    PREVIOUS_TARGET: "the previous target",
    TARGET_MEAN: "the target mean",
}
_MEANING = {
    NO_CHANGE: "No-Change repeats the latest label that is known.",
    MAJORITY: "Majority predicts the most frequent class so far.",
    PREVIOUS_TARGET: "The previous target is the latest that is known.",
    TARGET_MEAN: "The target mean is that of all targets so far.",
}
_POINTS = "Differences in accuracy are in percentage points, with 95 % intervals."
_SKILL = (
    "Errors are those of predictions on arrival, in percent of the baseline's under the same delay "
    "(100 times the skill), with 95 % intervals."
)


class StreamFindings(NamedTuple):
    """Findings on a stream by a protocol, in words: differences of learners from baselines."""

    stream: str
    protocol: str
    rows: Sequence[OverBaseline]


def own_findings(
    all_findings: Sequence[StreamFindings],
    streams: Mapping[str, Mapping[str, Any]],
    learners: Mapping[str, str],
) -> Iterator[Block]:
    """Yield a paragraph for each stream, and a list with a line for each learner on it.

    A learner is compared once on a stream, by the first protocol that has it.
    """
    compared, explained = set[tuple[str, str]](), set[str]()
    for stream, protocol, rows in all_findings:
        by_learner: dict[str, list[OverBaseline]] = {}
        for row in rows:
            if (stream, row.learner) not in compared:
                by_learner.setdefault(row.learner, []).append(row)
        compared |= {(stream, name) for name in by_learner}
        if not by_learner:
            continue
        compared_rows = [row for of in by_learner.values() for row in of]
        baselines = list(dict.fromkeys(row.baseline for row in compared_rows))
        meanings = [_MEANING[name] for name in baselines]
        meanings += [_SKILL if any(row.is_skill for row in compared_rows) else _POINTS]
        new = [text for text in meanings if text not in explained]
        explained.update(new)
        asked = f"does a learner beat {enumeration([_CALLED[name] for name in baselines])}?"
        head = Markup("<strong>{}: {}</strong> Protocol: {}.")
        yield Markup(" ").join([head.format(streams[stream]["title"], asked, protocol), *new])
        yield [_line(learners[name], rows) for name, rows in by_learner.items()]


def _line(title: str, rows: Sequence[OverBaseline]) -> str:
    said = "; ".join(_compared(row, _region(row, rows)) for row in rows)
    correct = f" {percentage(rows[0].accuracy)} of its predictions are correct."
    share = "" if rows[0].is_skill else correct
    return Markup("<strong>{}</strong> {}.{}").format(title, said, share)


def _compared(comparison: OverBaseline, rope: float) -> str:
    """The comparison of a learner with a baseline in words, by the interval."""
    why = "the effective sample size is too small" if math.isnan(comparison.low) else ""
    task = SKILL if comparison.is_skill else CLASSIFICATION_TASK
    difference = Difference(comparison.value, comparison.low, comparison.high, 1, why)
    return difference_predicate(_CALLED[comparison.baseline], difference, task, rope)


def _region(comparison: OverBaseline, rows: Sequence[OverBaseline]) -> float:
    """The region of practical equivalence: a part of the error of the better baseline.

    Skills over a baseline are in parts of its own error.
    """
    if not comparison.is_skill:
        values = {row.baseline: row.accuracy - row.value for row in rows}
        return region_of(values, CLASSIFICATION_TASK).rope
    largest_error = max((1.0 - row.value for row in rows), default=0.0)
    return (
        REGION_FRACTION * (1.0 - comparison.value) / largest_error
        if largest_error > 0.0
        else REGION_FRACTION
    )


#: Streams on which the first page makes its point, the first that was run.
_EXAMPLES = ("elec2", "markov_elec2")
#: The item whose table has the measures of all learners.
_MEASURES_ITEM = "overview/measures"


def overview(
    measures: pd.DataFrame,
    scorecard: pd.DataFrame | None,
    *,
    differences: pd.DataFrame,
    scale: str,
    ran: Sequence[Ran] = (),
    own_results: Sequence[StreamFindings] = (),
    recorded: pd.DataFrame | None = None,
    about_records: Sequence[str] = (),
    user_streams: Sequence[str] = (),
    streams: Mapping[str, Mapping[str, Any]],
    learners: Mapping[str, str],
    left_out: Sequence[LeftOut],
    papers: Iterable[PublishedPaper] = (),
    pages: Collection[str] = (),
    tables: Mapping[str, str] | None = None,
) -> tuple[list[Block], list[FrontSection]]:
    """The blocks on top of the first page, and its sections.

    `scorecard` is None without papers, `scale` "" of a run to which none belongs. `own_results`
    are on the `user_streams`, which the configuration describes; `about_records` are sentences
    about the `recorded` runs.
    `pages` are the studies that have a page, `tables` the addresses of tables by their items.
    """
    papers, card = list(papers), pd.DataFrame() if scorecard is None else scorecard
    top = list(own_findings(own_results, streams, learners))
    if len(card):
        top += reproduced(card, papers, pages)
    top += _finding(measures, differences, learners, _measures_tables(ran, tables or {}))
    sections = [
        FrontSection(LEFT_OUT, left_out_blocks(left_out)),
        FrontSection("What was run", what_ran(scale, ran, streams, learners, user_streams)),
    ]
    if len(card):
        sections.append(
            FrontSection("How it compares with the papers", verdict_counts(card, papers))
        )
    if recorded is not None and len(recorded):
        sections.append(
            FrontSection("What recorded runs found", _recorded(recorded, about_records))
        )
    if ran:
        sections.append(FrontSection("Item by item", [items_table(ran, streams, learners)]))
    return top, sections


def _measures_tables(ran: Sequence[Ran], tables: Mapping[str, str]) -> dict[str, str]:
    """The address of the table with the measures of the tree, for each stream in it."""
    items = [
        row
        for row in ran
        if row.item == _MEASURES_ITEM and row.item in tables and "hoeffding_tree" in row.learners
    ]
    return {stream: tables[row.item] for row in items for stream in row.streams}


def _finding(
    measures: pd.DataFrame,
    differences: pd.DataFrame,
    learners: Mapping[str, str],
    tables: Mapping[str, str],
) -> Iterator[str]:
    """Yield a paragraph on why accuracy alone misleads; its numbers lead to their tables.

    `tables` are the addresses of tables by the streams that they have; others are in the file with
    all measures of the run, beside the page.
    """
    values = measures.set_index(["stream", "learner", "measure"])["value"]
    stream = next((name for name in _EXAMPLES if (name, "no_change", "accuracy") in values), None)
    if stream is None or (stream, "hoeffding_tree", "accuracy") not in values:
        return
    tree = {
        name: float(values[stream, "hoeffding_tree", name])
        for name in ("accuracy", "kappa", "kappa_temporal", "kappa_m")
    }
    same = float(values[stream, "no_change", "accuracy"])
    frequent = float(values[stream, "majority", "accuracy"])
    is_row = (differences["stream"] == stream) & (differences["other"] == NO_CHANGE)
    row = differences[is_row & (differences["learner"] == "hoeffding_tree")].iloc[0]
    why = "the effective sample size is too small" if math.isnan(row["low"]) else ""
    difference, low, high = map(float, row[["difference", "low", "high"]])
    gap = Difference(difference, low, high, 1, why)
    rope = region_of({NO_CHANGE: same, MAJORITY: frequent}, CLASSIFICATION_TASK).rope
    what = "the electricity stream" if stream == "elec2" else f"the simulated stream {stream}"
    address = tables.get(stream, "measures.csv")
    numbers = {
        "tree": percentage(tree["accuracy"]),
        "same": percentage(same),
        "frequent": percentage(frequent),
        "kappa": number_text(tree["kappa"], 2),
        "kappa_m": number_text(tree["kappa_m"], 2),
        "kappa_t": number_text(tree["kappa_temporal"], 2),
    }
    yield Markup("<strong>On {}, a {} {}.</strong> {}").format(
        what,
        learners["hoeffding_tree"],
        _link(difference_predicate("No-Change", gap, CLASSIFICATION_TASK, rope), "differences.csv"),
        _WHY.format(**{name: _link(text, address) for name, text in numbers.items()}),
    )


_WHY = Markup(
    "It predicts {tree} of the labels correctly, No-Change, which repeats the previous label, "
    "{same}. Always predicting the most frequent class gives {frequent}. κ ({kappa}) compares the "
    "tree with chance, κ<sub>m</sub> ({kappa_m}) with the most frequent class. Neither notices "
    "that the labels come in runs, so that repeating the previous label is often correct. "
    "κ<sub>t</sub> compares the tree with No-Change: 0 is as good, 1 is perfect, below 0 is worse "
    "than no model. Here it is {kappa_t}."
)


def _link(text: str, address: str) -> str:
    return Markup('<a href="{}">{}</a>').format(address, text)


def _recorded(card: pd.DataFrame, about_records: Sequence[str]) -> list[Block]:
    """Say what the records are, and count the verdicts of each."""
    lines, line = [], Markup("<strong>{}</strong>, {} numbers and claims. {}")
    for name, rows in card.groupby("record", sort=False):
        counts = rows["verdict"].value_counts()
        said = [f"{verdict}: {counts[verdict]}" for verdict in VERDICTS if verdict in counts]
        lines.append(line.format(name, len(rows), "; ".join(said)))
    intro = Markup(
        "Runs that take hours are recorded and come with the project. Nothing of them is mixed "
        'with this run; the page <a href="recorded.html">Recorded runs</a> compares them with '
        "the papers."
    )
    return [intro, [*about_records, *lines]]
