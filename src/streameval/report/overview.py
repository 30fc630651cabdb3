"""The first page of a run: reproduced numbers, findings, and the streams and items of the run."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd
from markupsafe import Markup

from streameval.base.rounding import percentage
from streameval.base.values import enumeration
from streameval.evaluation.differences import Difference, GainOverBaseline
from streameval.evaluation.roles import MAJORITY, NO_CHANGE, PREVIOUS_TARGET, TARGET_MEAN
from streameval.evaluation.task import CLASSIFICATION_TASK, SKILL_UNIT
from streameval.evaluation.verdict_words import REGION_FRACTION, difference_predicate, region_of
from streameval.report.left_out import TITLE as LEFT_OUT
from streameval.report.left_out import LeftOutStream, left_out_blocks
from streameval.report.published import PublishedPaper
from streameval.report.reproduced import reproduced_blocks, verdict_counts
from streameval.report.scorecard import VERDICTS
from streameval.report.what_ran import Block, FrontSection, ItemRun, items_table, what_ran_blocks
from streameval.view.numbers import number_text

_BASELINE_NAMES = {
    NO_CHANGE: "No-Change",
    MAJORITY: "Majority",
    PREVIOUS_TARGET: "the previous target",
    TARGET_MEAN: "the target mean",
}
_BASELINE_MEANINGS = {
    NO_CHANGE: "No-Change repeats the latest known label.",
    MAJORITY: "Majority predicts the most frequent class so far.",
    PREVIOUS_TARGET: "The previous target is the latest known target.",
    TARGET_MEAN: "The target mean is the mean of all targets so far.",
}
_POINTS_NOTE = "Differences in accuracy are in percentage points, with 95 % intervals."
_SKILL_NOTE = (
    "Errors of predictions on arrival are in percent of the baseline's error with the same delay "
    "(100 times the skill), with 95 % intervals."
)

#: Number of instances of a `Difference` from a file without it; texts do not depend on it.
_SOME_INSTANCES = 1


class StreamFindings(NamedTuple):
    """Differences of learners from baselines on a stream, with the title of the protocol."""

    stream: str
    protocol: str
    rows: Sequence[GainOverBaseline]


def baseline_findings_blocks(
    all_findings: Sequence[StreamFindings],
    streams: Mapping[str, Mapping[str, Any]],
    learners: Mapping[str, str],
) -> Iterator[Block]:
    """Yield a paragraph for each stream, and a list with a line for each learner on it.

    If a learner ran on a stream with several protocols, only its first comparison is shown.
    """
    compared, explained = set[tuple[str, str]](), set[str]()
    for stream, protocol, rows in all_findings:
        by_learner: dict[str, list[GainOverBaseline]] = {}
        for row in rows:
            if (stream, row.learner) not in compared:
                by_learner.setdefault(row.learner, []).append(row)
        compared |= {(stream, name) for name in by_learner}
        if not by_learner:
            continue
        new_rows = [row for learner_rows in by_learner.values() for row in learner_rows]
        baselines = list(dict.fromkeys(row.baseline for row in new_rows))
        explanations = [_BASELINE_MEANINGS[name] for name in baselines]
        explanations += [_SKILL_NOTE if any(row.is_skill for row in new_rows) else _POINTS_NOTE]
        # Each explanation stands once on the page.
        new_explanations = [text for text in explanations if text not in explained]
        explained.update(new_explanations)
        names = enumeration([_BASELINE_NAMES[name] for name in baselines])
        heading = Markup("<strong>{}: does a learner beat {}?</strong> Protocol: {}.").format(
            streams[stream]["title"], names, protocol
        )
        yield Markup(" ").join([heading, *new_explanations])
        yield [_learner_line(learners[name], rows) for name, rows in by_learner.items()]


def _learner_line(title: str, rows: Sequence[GainOverBaseline]) -> str:
    text = "; ".join(_comparison_text(row, _rope(row, rows)) for row in rows)
    accuracy = f" {percentage(rows[0].accuracy)} of its predictions are correct."
    return Markup("<strong>{}</strong> {}.{}").format(
        title, text, "" if rows[0].is_skill else accuracy
    )


def _comparison_text(comparison: GainOverBaseline, rope: float) -> str:
    """Text on the difference of a learner from a baseline, by its interval.

    `rope` is the half width of the region of practical equivalence.
    """
    reason = "the effective sample size is too small" if math.isnan(comparison.low) else ""
    task = SKILL_UNIT if comparison.is_skill else CLASSIFICATION_TASK
    difference = Difference(
        comparison.value, comparison.low, comparison.high, _SOME_INSTANCES, reason
    )
    return difference_predicate(_BASELINE_NAMES[comparison.baseline], difference, task, rope)


def _rope(comparison: GainOverBaseline, rows: Sequence[GainOverBaseline]) -> float:
    """Half width of the region of practical equivalence: a fraction of the best baseline's error.

    `rows` compare the learner with all baselines. For a skill, the unit is the error of the
    baseline of `comparison`.
    """
    if not comparison.is_skill:
        baseline_accuracies = {row.baseline: row.accuracy - row.value for row in rows}
        return region_of(baseline_accuracies, CLASSIFICATION_TASK).rope
    # 1 - skill is the learner's error divided by the baseline's error. The ratio is largest for the
    # baseline with the smallest error.
    largest_ratio = max((1.0 - row.value for row in rows), default=0.0)
    if largest_ratio <= 0.0:  # a learner without errors: ratios do not rank the baselines
        return REGION_FRACTION
    return REGION_FRACTION * (1.0 - comparison.value) / largest_ratio


#: Streams for the example on the first page; the first that was run is used.
_EXAMPLES = ("elec2", "markov_elec2")
#: The item whose table has the measures of the example, of the Hoeffding tree.
_MEASURES_ITEM = "overview/measures"


def overview(
    measures: pd.DataFrame,
    scorecard: pd.DataFrame | None,
    *,
    differences: pd.DataFrame,
    scale: str,
    item_runs: Sequence[ItemRun] = (),
    baseline_findings: Sequence[StreamFindings] = (),
    recorded: pd.DataFrame | None = None,
    record_sentences: Sequence[str] = (),
    user_streams: Sequence[str] = (),
    streams: Mapping[str, Mapping[str, Any]],
    learners: Mapping[str, str],
    left_out: Sequence[LeftOutStream],
    papers: Iterable[PublishedPaper] = (),
    pages: Collection[str] = (),
    tables: Mapping[str, str] | None = None,
) -> tuple[list[Block], list[FrontSection]]:
    """Blocks at the top of the first page, and its sections.

    `scorecard` is None without papers; `scale` is "" if the run has no scale. `user_streams` are
    the streams that the user's configuration defines; `baseline_findings` are about these.
    `record_sentences` are about the `recorded` runs. `pages` are the studies that have a page;
    `tables` are the addresses of tables by item.
    """
    papers, card = list(papers), pd.DataFrame() if scorecard is None else scorecard
    top = list(baseline_findings_blocks(baseline_findings, streams, learners))
    if len(card):
        top += reproduced_blocks(card, papers, pages)
    top += _accuracy_example(
        measures, differences, learners, _measures_tables(item_runs, tables or {})
    )
    sections = [
        FrontSection(LEFT_OUT, left_out_blocks(left_out)),
        FrontSection(
            "What was run", what_ran_blocks(scale, item_runs, streams, learners, user_streams)
        ),
    ]
    if len(card):
        sections.append(
            FrontSection("How it compares with the papers", verdict_counts(card, papers))
        )
    if recorded is not None and len(recorded):
        sections.append(
            FrontSection("What recorded runs found", _recorded_blocks(recorded, record_sentences))
        )
    if item_runs:
        sections.append(FrontSection("Item by item", [items_table(item_runs, streams, learners)]))
    return top, sections


def _measures_tables(item_runs: Sequence[ItemRun], tables: Mapping[str, str]) -> dict[str, str]:
    """Address of the table with the measures of the Hoeffding tree, by stream."""
    items = [
        row
        for row in item_runs
        if row.item == _MEASURES_ITEM and row.item in tables and "hoeffding_tree" in row.learners
    ]
    return {stream: tables[row.item] for row in items for stream in row.streams}


def _accuracy_example(
    measures: pd.DataFrame,
    differences: pd.DataFrame,
    learners: Mapping[str, str],
    tables: Mapping[str, str],
) -> Iterator[str]:
    """Yield a paragraph on why accuracy alone misleads; its numbers link to their tables.

    `tables` are the addresses of tables by stream. Without a table the link is to measures.csv,
    which has all measures of the run.
    """
    values = measures.set_index(["stream", "learner", "measure"])["value"]
    stream = next((name for name in _EXAMPLES if (name, "no_change", "accuracy") in values), None)
    if stream is None or (stream, "hoeffding_tree", "accuracy") not in values:
        return
    tree = {
        name: float(values[stream, "hoeffding_tree", name])
        for name in ("accuracy", "kappa", "kappa_temporal", "kappa_m")
    }
    no_change = float(values[stream, "no_change", "accuracy"])
    majority = float(values[stream, "majority", "accuracy"])
    is_row = (differences["stream"] == stream) & (differences["other"] == NO_CHANGE)
    row = differences[is_row & (differences["learner"] == "hoeffding_tree")].iloc[0]
    reason = "the effective sample size is too small" if math.isnan(row["low"]) else ""
    value, low, high = map(float, row[["difference", "low", "high"]])
    difference = Difference(value, low, high, _SOME_INSTANCES, reason)
    rope = region_of({NO_CHANGE: no_change, MAJORITY: majority}, CLASSIFICATION_TASK).rope
    title = "the electricity stream" if stream == "elec2" else f"the simulated stream {stream}"
    address = tables.get(stream, "measures.csv")
    numbers = {
        "tree": percentage(tree["accuracy"]),
        "no_change": percentage(no_change),
        "majority": percentage(majority),
        "kappa": number_text(tree["kappa"], 2),
        "kappa_m": number_text(tree["kappa_m"], 2),
        "kappa_t": number_text(tree["kappa_temporal"], 2),
    }
    yield Markup("<strong>On {}, a {} {}.</strong> {}").format(
        title,
        learners["hoeffding_tree"],
        _link(
            difference_predicate("No-Change", difference, CLASSIFICATION_TASK, rope),
            "differences.csv",
        ),
        _EXPLANATION.format(**{name: _link(text, address) for name, text in numbers.items()}),
    )


_EXPLANATION = Markup(
    "It predicts {tree} of the labels correctly, No-Change, which repeats the previous label, "
    "{no_change}. Always predicting the most frequent class gives {majority}. κ ({kappa}) compares "
    "the tree with chance, κ<sub>m</sub> ({kappa_m}) with the most frequent class. Neither shows "
    "that the labels come in runs, so that repeating the previous label is often correct. "
    "κ<sub>t</sub> compares the tree with No-Change: 0 is as good, 1 is perfect, below 0 is worse "
    "than no model. Here it is {kappa_t}."
)


def _link(text: str, address: str) -> str:
    return Markup('<a href="{}">{}</a>').format(address, text)


def _recorded_blocks(card: pd.DataFrame, record_sentences: Sequence[str]) -> list[Block]:
    """Introduction to the records, and the counts of verdicts of each record."""
    lines, template = [], Markup("<strong>{}</strong>, {} numbers and claims. {}")
    for name, rows in card.groupby("record", sort=False):
        counts = rows["verdict"].value_counts()
        texts = [f"{verdict}: {counts[verdict]}" for verdict in VERDICTS if verdict in counts]
        lines.append(template.format(name, len(rows), "; ".join(texts)))
    intro = Markup(
        "Runs that take hours are recorded and come with the project. Their results are kept apart "
        'from this run; the page <a href="recorded.html">Recorded runs</a> compares them with '
        "the papers."
    )
    return [intro, [*record_sentences, *lines]]
