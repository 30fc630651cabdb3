"""Comparisons in notebooks: the verdicts, and a row for each learner and baseline."""

from __future__ import annotations

from streameval import notebook
from streameval.api.compared import Compared
from streameval.api.comparison_text import over_text, sentence, setting, spread_of
from streameval.evaluation.verdicts import ACCURACY, SECOND, Verdict

#: The region of what is practically none takes so much of the scale, at least.
_ROOM = 1.5


def comparison_html(found: Compared) -> str:
    """Return a comparison for notebooks: the verdicts, then a row for each learner."""
    what = "Right of 0: the learner that is named first is better."
    if found.plan.rope:
        what += f" Grey: practically equal, ±{found.plan.points}."
    notes = [setting(found), what]
    if found.by_bin:
        notes.append("Lines: the same difference by bin of the time to the label.")
    return notebook.fragment(
        _verdicts(found),
        _learners(found),
        *(notebook.paragraph(note, note=True) for note in notes),
    )


def _verdicts(found: Compared) -> str:
    """Return a row for each pair; right of 0 the learner is better that is named first."""
    pairs, factor = found.pairs[: notebook.MOST], found.plan.quantity.factor
    turned = [_as_told(pair) for pair in pairs]
    no = found.plan.rope
    ends = [end for one in turned for end in (one.difference, one.low, one.high)]
    low, high = notebook.scale([*ends, -_ROOM * no, _ROOM * no])
    rows = []
    for pair, told in zip(pairs, turned, strict=True):
        drawn = notebook.interval(told.difference, (told.low, told.high), low, high, no)
        row = [notebook.cell("", drawn), notebook.cell(sentence(found, pair), words=True)]
        if by_bin := found.by_bin.get((pair.first, pair.second)):
            sign = factor if told is pair else -factor
            values = [sign * one.difference for one in by_bin]
            row.append(notebook.cell("", notebook.line(values, *notebook.scale(values))))
        rows.append(row)
    return notebook.table((), rows, notebook.rest(len(pairs), len(found.pairs), "pairs"))


def _as_told(pair: Verdict) -> Verdict:
    return pair.turned if pair.verdict == SECOND else pair


def _learners(found: Compared) -> str:
    """Return a row for each learner, with its differences from the baselines."""
    quantity, spread = found.plan.quantity, spread_of(found)
    shown = notebook.chosen(found.with_baselines, list(quantity.baselines))
    known = {name: found.accuracy(name) for name in shown}
    over = {
        (name, base): found.over(name, base)
        for name in shown
        for base in quantity.baselines
        if name != base
    }
    low, high = notebook.scale([end for one in over.values() for end in one[:3]])
    most = 1.0 if quantity is ACCURACY else notebook.scale([mean for mean, _ in known.values()])[1]
    rows = []
    for name, (mean, deviation) in known.items():
        row = [notebook.name(name)]
        row.append(notebook.cell(quantity.value(mean), notebook.bar(mean, 0.0, most)))
        row += [notebook.cell(quantity.spread(deviation))] if spread else []
        for base in quantity.baselines:
            if name == base:
                row.append(notebook.cell(""))
                continue
            one = over[name, base]
            drawn = notebook.interval(one.mean, (one.low, one.high), low, high)
            row.append(notebook.cell(over_text(found, one), drawn, why=one.reason))
        rows.append(row)
    heads = ["", quantity.head, *([spread] if spread else [])]
    heads += [f"over {called}" for called in quantity.baselines.values()]
    return notebook.table(
        heads, rows, notebook.rest(len(shown), len(found.with_baselines), "learners")
    )
