"""The result of a comparison: its numbers, in words and pictures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from streameval import notebook
from streameval.api import comparison_text
from streameval.api.compared import Compared
from streameval.api.comparison_text import (
    estimand,
    limits,
    over_text,
    plain_of,
    sentence,
    setting,
    spread_of,
)
from streameval.errors import ConfigError
from streameval.evaluation.verdict_words import SECOND
from streameval.evaluation.verdicts import Verdict
from streameval.significance.stream_mean import SECTIONS
from streameval.values import defined, flag_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from streameval.api.panels import Panels

#: The region of what is practically none takes so much of the scale, at least.
_ROOM = 1.5


class Comparison(Compared):
    """A comparison of learners, as `streameval.compare` returns it.

    Attributes
    ----------
    stream : Stream
        The stream.
    learners : list of str
        The names of the learners: A, B, and more.
    pairs : list of Verdict
        For each pair of learners: first, second, difference, low, high, p_value, effective, ahead,
        behind, verdict, reason.
    unlabelled : int
        How many labels have not arrived; these instances are not scored.
    before_first_label : int
        How many instances come before the first label, when nobody knows anything; nor are these.
    by_bin : mapping of (str, str) to list of Verdict
        For each pair, a verdict in each bin of the time to the label, where `bins` were asked for.

    Examples
    --------
    >>> import streameval as se
    >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
    >>> print(found.pairs[0].verdict, round(found.pairs[0].difference, 2))
    beats 0.23
    """

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        """Return the verdicts and a table, for notebooks."""
        return _html(self)

    def lines(self, *, more: bool = False) -> list[str]:
        """Return the comparison in lines of text; `more` adds the other tests.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.lines()[0]
        'naive_bayes beats majority by 22.96 points [20.94, 24.98].'
        """
        return comparison_text.lines(self, more=flag_of(more, "more"))

    def to_dict(self, *, more: bool = False) -> dict[str, Any]:
        """Return all results as plain numbers, as for JSON; `more` adds the other tests.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.to_dict()["verdict"]
        'beats'
        """
        return _plain(self, more=flag_of(more, "more"))

    def plot(self, points: int = 1000, *, ax: Axes | Sequence[Axes] | None = None) -> Axes | Panels:
        """Draw the mean difference of each pair over time, with its confidence sequence.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        points : int
            At most that many positions, evenly spaced.
        ax : matplotlib.axes.Axes or sequence of them, optional
            One for each pair, of a figure of yours. The legend is then on the first one.

        Returns
        -------
        matplotlib.axes.Axes, or several
            One pair is drawn on one, more on a tuple of them. A notebook shows the figure, and
            ``.figure`` is the figure, to be saved with its ``savefig``.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.plot().figure.savefig("difference.svg")
        """
        from streameval.api.plots import draw_difference

        return draw_difference(self, points, ax)

    def plot_bins(self, *, ax: Axes | Sequence[Axes] | None = None) -> Axes | Panels:
        """Draw the difference of each pair by bin, with its interval.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        ax : matplotlib.axes.Axes or sequence of them, optional
            See `plot`.

        Returns
        -------
        matplotlib.axes.Axes, or several
            See `plot`.

        Raises
        ------
        ConfigError
            If no bins were asked for.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> found = se.compare(stream, ["naive_bayes", "majority"], delay=100, bins=5)
        >>> found.plot_bins().figure.savefig("difference.svg")
        """
        if not self.by_bin:
            raise ConfigError(
                "Expected a comparison by bins, found one without. Compare with bins=B, on a "
                "stream whose labels are delayed."
            )
        from streameval.api.plots import draw_differences_by_bin

        return draw_differences_by_bin(self, ax)


def _plain(found: Compared, *, more: bool) -> dict[str, Any]:
    """Return the object that JSON shows."""
    plan = found.plan
    of_folds = {name: found.accuracies(name).tolist() for name in found.learners}
    about: dict[str, Any] = {
        "stream": found.stream.name,
        "n": len(found.stream),
        "target": found.stream.schema.target,
        **({"pretrain": found.pretrain} if found.pretrain else {}),
        **({"tuned": _tuned(found)} if found.tuned else {}),
        **({"labels_not_arrived": found.unlabelled} if found.unlabelled else {}),
        **({"before_first_label": first} if (first := found.before_first_label) else {}),
        "validation": str(plan.protocol),
        "learnt": found.learnt,
        "runs": found.runs,
        "draws": found.draws,
        "learners": {name: _learner(found, name) for name in found.learners},
        "baselines": {name: found.accuracy(name)[0] for name in plan.task.baselines},
        "folds": {name: rows[0] if found.runs == 1 else rows for name, rows in of_folds.items()},
        "estimand": estimand(found),
        "rule": plan.rule,
        "rope": plan.rope,
        "limits": limits(found),
        "seconds": sum(found.seconds.values()),
    }
    pairs = [_pair(found, pair) for pair in found.pairs]
    about |= {"pairs": pairs} if len(pairs) > 1 else pairs[0]
    if more:
        about["tests"] = [_finite(one._asdict()) for one in found.further_tests()]
        about["tests_not_shown"] = found.tests_not_shown()
    return about


def _tuned(found: Compared) -> dict[str, Any]:
    return {name: one.to_dict() for name, one in found.tuned.items()}


def _learner(found: Compared, name: str) -> dict[str, Any]:
    mean, deviation = found.accuracy(name)
    task = found.plan.task
    known: dict[str, Any] = {task.name.replace(" ", "_"): mean, "deviation": deviation}
    for base in task.baselines:
        if name != base:
            over = found.over(name, base)
            known[f"over_{base}"] = over.mean
            known[f"over_{base}_interval"] = _ends(over.low, over.high)
    return _finite({**known, "seconds": found.seconds[name]})


def _pair(found: Compared, pair: Verdict) -> dict[str, Any]:
    names = (pair.first, pair.second)
    time, own = found.over_time(*names), plain_of(found, pair)
    by_bin = found.by_bin.get(names, ())
    bins = {"bins": [{"bin": b, **_judged(one)} for b, one in enumerate(by_bin)]}
    return {
        **_judged(pair),
        "prequential": _judged(own),
        "confidence_sequence": {
            "instances": len(time.mean),
            "mean": float(time.mean[-1]),
            "interval": _ends(float(time.low[-1]), float(time.high[-1])),
        },
        **(bins if by_bin else {}),
    }


def _judged(pair: Verdict) -> dict[str, Any]:
    found = {
        "first": pair.first,
        "second": pair.second,
        "difference": pair.difference,
        "interval": _ends(pair.low, pair.high),
        "p_value": pair.p_value,
        "effective_size": pair.effective,
        "sections": {"number": SECTIONS, "ahead": pair.ahead, "behind": pair.behind},
        "verdict": pair.verdict,
        "reason": pair.reason,
    }
    return _finite(found)


def _ends(low: float, high: float) -> list[float] | None:
    return None if math.isnan(low) else [low, high]


def _finite(values: dict[str, Any]) -> dict[str, Any]:
    return {name: defined(value) for name, value in values.items()}


def _html(found: Compared) -> str:
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
    pairs, factor = found.pairs[: notebook.MOST], found.plan.task.factor
    turned = [pair.turned if pair.verdict == SECOND else pair for pair in pairs]
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


def _learners(found: Compared) -> str:
    """Return a row for each learner, with its differences from the baselines."""
    task, spread = found.plan.task, spread_of(found)
    shown = notebook.chosen(found.with_baselines, list(task.baselines))
    known = {name: found.accuracy(name) for name in shown}
    over = {
        (name, base): found.over(name, base)
        for name in shown
        for base in task.baselines
        if name != base
    }
    low, high = notebook.scale([end for one in over.values() for end in one[:3]])
    most = task.most
    if not math.isfinite(most):
        most = notebook.scale([mean for mean, _ in known.values()])[1]
    rows = []
    for name, (mean, deviation) in known.items():
        row = [notebook.name(name)]
        row.append(notebook.cell(task.value(mean), notebook.bar(mean, 0.0, most)))
        row += [notebook.cell(task.spread(deviation))] if spread else []
        for base in task.baselines:
            if name == base:
                row.append(notebook.cell(""))
                continue
            one = over[name, base]
            drawn = notebook.interval(one.mean, (one.low, one.high), low, high)
            row.append(notebook.cell(over_text(found, one), drawn, why=one.reason))
        rows.append(row)
    heads = ["", task.head, *([spread] if spread else [])]
    heads += [f"over {called}" for called in task.baselines.values()]
    return notebook.table(
        heads, rows, notebook.rest(len(shown), len(found.with_baselines), "learners")
    )
