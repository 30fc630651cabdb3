"""The report's first page, and the table that compares all learners."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from streameval import __version__
from streameval.report.names import OVERVIEW, listed
from streameval.report.published import PublishedPaper
from streameval.report.scorecard import (
    DIFFERS_LOWER,
    REPRODUCED,
    TRUNCATED,
    VERDICTS,
    WITHIN,
    WITHIN_LOWER,
)
from streameval.report.tables import number_text
from streameval.studies.roles import COMPARATORS

#: Streams on which the first page makes its point, the first that was run.
_EXAMPLES = ("elec2", "markov_elec2")
#: Kinds of streams: from a file, from a generator, from one that imitates a real stream.
_REAL, _GENERATED, _SIMULATED = "real", "generated", "simulated"


def overview(
    measures: pd.DataFrame,
    scorecard: pd.DataFrame | None,
    *,
    scale: str,
    differences: pd.DataFrame | None = None,
    recorded: pd.DataFrame | None = None,
    own: Sequence[str] = (),
    streams: Mapping[str, Mapping[str, Any]],
    learners: Mapping[str, str],
    left_out: Mapping[str, Sequence[str]],
    papers: Iterable[PublishedPaper] = (),
) -> str:
    """Return the first page as reStructuredText.

    Parameters
    ----------
    measures : pandas.DataFrame
        All measures; columns stream, simulated, learner, measure, value, reason.
    scorecard : pandas.DataFrame or None
        The scorecard, columns paper, item, key, verdict, by_construction; None without papers.
    scale : str
        Scale of the run.
    differences : pandas.DataFrame, optional
        Differences in accuracy; columns stream, learner, other, difference, low, high.
    recorded : pandas.DataFrame, optional
        The scorecard of recorded runs, columns record, verdict.
    own : sequence of str
        The streams of one's own among `streams`; each needs `differences`.
    streams : mapping
        The streams that were run: entries of the registry as plain data, by id.
    learners : mapping of str to str
        Names of the learners by id.
    left_out : mapping of str to (str, str)
        Title and reason of each stream that was left out, by id.
    papers : iterable of PublishedPaper
        The papers of the scorecard.
    """
    of_kind = {
        kind: ", ".join(name for name, spec in streams.items() if _kind(spec) == kind) or "none"
        for kind in (_REAL, _GENERATED, _SIMULATED)
    }
    parts = [
        *_own_findings(measures, differences, own, streams, learners),
        _finding(measures, learners),
        _section("What was run"),
        f"Scale: **{scale}**. {_learners(learners, len(streams))}",
        _stream_table(streams),
        _not_arrived(streams),
        (
            f"Real streams: {of_kind[_REAL]}. Generated streams: {of_kind[_GENERATED]}. "
            f"Simulated streams: {of_kind[_SIMULATED]}. A simulated stream has the class "
            "proportions and the persistence of a real one and shows the same effect. No published "
            "number is compared with it."
        ),
        _section("What was left out, and why"),
        _left_out(left_out),
    ]
    if scorecard is not None and len(scorecard):
        parts += [_section("How it compares with the papers"), _verdicts(scorecard, papers)]
    if recorded is not None and len(recorded):
        parts += [_section("What recorded runs found"), _recorded(recorded)]
    return "\n\n".join(filter(None, parts)) + "\n"


def about(citation: Path) -> str:
    """Return what this is and how to cite it, as reStructuredText.

    Parameters
    ----------
    citation : Path
        ``CITATION.cff``; without it, only name and version are said.
    """
    if not citation.is_file():
        return f"This is streameval, version {__version__}."
    card = yaml.safe_load(citation.read_text(encoding="utf-8"))
    title = _plain(card["title"])
    lines = [
        f"{title}. Version {__version__}, licence {card['license']}. Please cite it as",
        f"* {_authors(card)}. *{title}*. Version {__version__}.",
        "and the papers whose methods it implements:",
        "\n".join(f"* {_reference(paper)}" for paper in card["references"]),
    ]
    return "\n\n".join(lines)


def _authors(card: Mapping[str, Any]) -> str:
    names = [
        one.get("name") or f"{one['family-names']}, {one['given-names'][0]}."
        for one in card["authors"]
    ]
    return _plain(listed(names))


def _reference(paper: Mapping[str, Any]) -> str:
    where = paper.get("journal") or paper.get("conference", {}).get("name", "")
    if "volume" in paper:
        where += f" {paper['volume']}({paper['issue']}), {paper['start']}–{paper['end']}"
    return f"{_authors(paper)} ({paper['year']}). {_plain(paper['title'])}. *{_plain(where)}*."


def _finding(measures: pd.DataFrame, learners: Mapping[str, str]) -> str:
    """Say in words why accuracy alone misleads, with this run's own numbers."""
    values = measures.set_index(["stream", "learner", "measure"])["value"]
    stream = next((name for name in _EXAMPLES if (name, "no_change", "accuracy") in values), None)
    if stream is None or (stream, "hoeffding_tree", "accuracy") not in values:
        return ""
    tree = {
        name: float(values[stream, "hoeffding_tree", name])
        for name in ("accuracy", "kappa", "kappa_temporal", "kappa_m")
    }
    same = float(values[stream, "no_change", "accuracy"])
    frequent = float(values[stream, "majority", "accuracy"])
    fewer = "fewer" if tree["kappa_temporal"] < 0 else "more"
    what = "the electricity stream" if stream == "elec2" else f"the simulated stream {stream}"
    text = (
        f"**On {what}, a {learners['hoeffding_tree']} predicts {tree['accuracy']:.1%} of the "
        f"labels correctly. That is {fewer} than No-Change, which repeats the previous label: "
        f"{same:.1%}.** Always predicting the most frequent class gives {frequent:.1%}. κ "
        f"({tree['kappa']:.2f}) compares the tree with chance, κ_m ({tree['kappa_m']:.2f}) with "
        "the most frequent class. Neither notices that the labels come in runs, so that repeating "
        "the previous label is often correct. κ_t compares the tree with No-Change: 0 is as good, "
        "1 is perfect, below 0 is worse than no model. Here it is "
        f"{number_text(tree['kappa_temporal'], 2)}."
    )
    return re.sub(r"κ_(\w)", r"κ\\ :sub:`\1`", text)


def _own_findings(
    measures: pd.DataFrame,
    differences: pd.DataFrame | None,
    own: Sequence[str],
    streams: Mapping[str, Mapping[str, Any]],
    learners: Mapping[str, str],
) -> Iterator[str]:
    """Say for each stream of one's own whether learners beat the two trivial predictions."""
    if differences is None:
        return
    correct = measures[measures["measure"] == "accuracy"].set_index(["stream", "learner"])["value"]
    columns = ["stream", "learner", "other", "difference", "low", "high"]
    intervals = {tuple(row[:3]): row[3:] for row in differences[columns].to_numpy().tolist()}
    meaning = (
        "No-Change repeats the previous label, Majority predicts the most frequent class so far. "
        "Differences in accuracy are in percentage points, with 95 % intervals."
    )
    for stream in own:
        lines = []
        for name, title in learners.items():
            pairs = [(stream, name, other) for other in COMPARATORS]
            if name not in COMPARATORS and all(pair in intervals for pair in pairs):
                said = "; ".join(_compared(learners[pair[2]], *intervals[pair]) for pair in pairs)
                share = f"{correct[stream, name]:.1%} of its predictions are correct."
                lines.append(f"* **{_plain(title)}** {said}. {share}")
        if lines:
            asked = "does a learner beat No-Change and Majority?"
            yield f"**{_plain(str(streams[stream]['title']))}: {asked}** {meaning}".rstrip()
            yield "\n".join(lines)
            meaning = ""


def _compared(other: str, difference: float, low: float, high: float) -> str:
    """Say whether a learner is more accurate than another one, by the interval."""
    by, at_least, at_most = (number_text(100 * one, 2) for one in (difference, low, high))
    interval = f"{by} ({at_least} to {at_most})"
    if low > 0:
        return f"beats {other} by {interval}"
    if high < 0:
        return f"is worse than {other}: {interval}"
    return f"may or may not beat {other}, this run cannot tell: {interval}"


def _section(title: str) -> str:
    return f"{title}\n{'-' * len(title)}"


def _kind(spec: Mapping[str, Any]) -> str:
    if "generator" not in spec:
        return _REAL
    return _GENERATED if spec.get("stands_for") is None else _SIMULATED


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _learners(learners: Mapping[str, str], streams: int) -> str:
    if not learners:  # items about streams alone, or by other protocols
        return f"Streams: {streams}. No learner ran by test-then-train evaluation."
    return (
        f"{_counted(len(learners), 'learner')} ({'; '.join(learners.values())}) ran over "
        f"{_counted(streams, 'stream')}: each instance is first used to test, then to train."
    )


def _stream_table(streams: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [".. list-table::", "   :header-rows: 1", "   :widths: 16 40 12 8 8 10", ""]
    rows = [["stream", "what", "instances", "inputs", "classes", "kind"]]
    for name, spec in streams.items():
        counts = [number_text(spec[key]) for key in ("rows", "columns", "classes")]
        rows.append([name, str(spec["title"]), *counts, _kind(spec)])
    for row in rows:
        lines += [f"   {'*' if i == 0 else ' '} - {cell}" for i, cell in enumerate(row)]
    return "\n".join(lines)


def _not_arrived(streams: Mapping[str, Mapping[str, Any]]) -> str:
    """Count the labels that have not arrived, stream by stream."""
    counts = {name: int(spec.get("unlabelled", 0)) for name, spec in streams.items()}
    lines = [
        f"* **{name}**: {number:,} of {streams[name]['rows']:,} labels have not arrived; these "
        "instances are neither scored nor learnt."
        for name, number in counts.items()
        if number
    ]
    return "\n".join(lines)


def _left_out(left_out: Mapping[str, Sequence[str]]) -> str:
    if not left_out:
        return "Nothing: all streams that the configuration names were there."
    alike = defaultdict(list)
    for name, (title, reason) in left_out.items():
        alike[_plain(reason)].append(f"**{name}** ({_plain(title)})")
    lines = [f"* {listed(names)}: {reason}" for reason, names in alike.items()]
    advice = (
        "They are neither in ``resources/raw`` nor in a mirror. To include them, run again where "
        "their hosts can be reached, or put the files into ``resources/raw``, or name a folder "
        "that has them in ``STREAMEVAL_DATA``."
    )
    return "\n".join(lines) + f"\n\n{advice}"


def _verdicts(scorecard: pd.DataFrame, papers: Iterable[PublishedPaper]) -> str:
    """Count the verdicts, what agrees by construction apart, and say what agreement rests on."""
    given = scorecard["by_construction"] == "yes"
    counts = scorecard.loc[~given, "verdict"].value_counts()
    lines = [f"* {name}: {counts[name]}" for name in VERDICTS if name in counts]
    if given.any():
        lines.append(f"* agree by construction and say nothing about this run: {given.sum()}")
    intro = (
        f"The scorecard (chapter *{OVERVIEW}*) has a row for each of {len(scorecard)} "
        "published numbers and claims: ours, a verdict, and the rule that decides."
    )
    agree = scorecard[~given & scorecard["verdict"].isin([REPRODUCED, TRUNCATED, WITHIN])]
    patterns = {
        (paper.id, table.item): table.of_labels for paper in papers for table in paper.tables
    }
    has_learners = not all(
        any(fnmatchcase(key, like) for like in patterns.get((paper, item), ()))
        for paper, item, key in agree[["paper", "item", "key"]].to_numpy()
    )
    rests = [] if agree.empty else [_RESTS[has_learners]]
    rests += [_LOWER] if scorecard["verdict"].isin([WITHIN_LOWER, DIFFERS_LOWER]).any() else []
    return "\n\n".join([intro, *rests, "\n".join(lines)])


def _recorded(card: pd.DataFrame) -> str:
    """Count the verdicts of each record."""
    lines = []
    for name, rows in card.groupby("record", sort=False):
        counts = rows["verdict"].value_counts()
        said = [f"{verdict}: {counts[verdict]}" for verdict in VERDICTS if verdict in counts]
        lines.append(
            f"* **{_plain(str(name))}**, {len(rows)} numbers and claims. {'; '.join(said)}"
        )
    intro = (
        "Runs that take hours are recorded and come with the project. Nothing of them is mixed "
        f"with this run; a page of the chapter *{OVERVIEW}* compares them with the papers."
    )
    return "\n\n".join([intro, "\n".join(lines)])


#: What agreement rests on, by whether a learner's result is among it.
_RESTS = {
    False: (
        "**The reproduced numbers are statistics of labels and counts** (class "
        "frequencies, repeated labels, the accuracy of No-Change, numbers of instances, attributes "
        "and classes). No result of a trained learner is among them."
    ),
    True: "The numbers that agree include results of trained learners.",
}
#: What is said where estimates of a smaller run are compared.
_LOWER = (
    "Estimates at a lower scale come from shorter runs than the paper's, or from other streams. "
    "They neither confirm nor contradict it."
)


def _plain(text: str) -> str:
    """Return a text in which nothing is markup, on one line."""
    marks = str.maketrans({mark: f"\\{mark}" for mark in "\\*`_|"})
    return " ".join(text.translate(marks).split())
