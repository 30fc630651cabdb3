"""Figures and captions of the theorems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from streameval.drawing import style
from streameval.drawing.subject import Subject
from streameval.items.text_templates import TextTemplates

#: Title, menu entry and captions of each kind; braces quote settings.
TEXTS = {
    "theorems": TextTemplates(
        subject="Theorems 1 to 3",
        evaluation="cross-validation, 10 folds",
        pictures={
            "test_set_bound": (
                "Probability that the bound of Theorem 1 is missed, by the number of test "
                "instances: points are simulated, with 95 % intervals, lines for independent "
                "errors exact. It must be at most δ, the dashed line. Errors with memory have the "
                "given autocorrelation; the theorem is about independent errors. Right: ratio of "
                "the number of instances by the bound to the number that independent errors need."
            ),
            "folds": (
                "Mean absolute difference of true and estimated error, to the power q, for 10 "
                "models, and for one of these alone, relative to that of a single model on the "
                "same stream (Naive Bayes on the LED display, whose true error is computed "
                "exactly). Left: true error of the models when they are tested; right: of the "
                "final models. Theorem 2 says that ten models are never to the right of the line. "
                "Bars are 95 % intervals of paired differences over runs."
            ),
            "adwin": (
                "Above: proportion of checks with a false alarm of ADWIN at a constant error rate "
                "of 0.2, by the autocorrelation of errors, as in the theorem (every split, every "
                "step) and as in MOA (every 32nd step); Theorem 3 bounds it by δ, the dashed line, "
                "for independent errors. Below: inputs from a rise of the error rate to the first "
                "cut, with the number by the theorem; and older inputs still in the window then. "
                "Bars are 95 % intervals over runs; there are none where runs are too skewed, or "
                "all equal."
            ),
        },
    ),
}


#: What a theorem promises.
_PROMISE = style.Look("#4D4D4D", style.SHORT)
_ERRORS = (
    style.Look("#88CCEE", style.SOLID, "o"),
    style.Look("#AA4499", style.SOLID, "s"),
    style.Look("#332288", style.SOLID, "^"),
)
_DETECTORS = {
    "literal": (style.Look("#332288", style.SOLID, "s"), "every split, every step"),
    "moa": (style.Look("#AA4499", style.SOLID, "o"), "MOA"),
}
_SCHEMES = {
    "cross_validation": "cross-validation",
    "bootstrap_validation": "bootstrap",
    "split_validation": "split",
}
_TRUTHS = {"along": "true error when tested", "end": "true error at the end"}
_FOLDS = {
    "k_fold": (style.Look("#332288", style.SOLID, "s"), "ten models"),
    "one_fold": (style.Look("#44AA99", style.SOLID, "^"), "one of the ten alone"),
}
_POINT_SIZE = 3.6
NO_LINE = {"linestyle": "none"}
#: Below this proportion the axis of false alarms is linear, since there may be none.
LINEAR_TO = 0.001


@style.styled
def draw_theorems(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw one of the pictures from the frames."""
    if subject.picture == "test_set_bound":
        return _set_bound(frames["coverage"])
    if subject.picture == "folds":
        return _folds(frames["discrepancies"])
    return _adwin(frames["alarms"], frames["detections"])


def _set_bound(coverage: pd.DataFrame) -> Figure:
    """Draw the rate of misses of the bound of Theorem 1, and the instances that it requires."""
    memories, deltas = (sorted(coverage[key].unique()) for key in ("memory", "delta"))
    errors = sorted(coverage["error"].unique())
    figure = style.sheet(0.62, "Theorem 1, simulated: distance of estimated and true error")
    panels = figure.subplots(len(deltas), len(memories) + 1, squeeze=False, sharex=True)
    for row, delta in zip(panels, deltas, strict=True):
        chosen = coverage[coverage["delta"] == delta]
        highest = 1.1 * max(delta, float(chosen["high"].max()))
        for axes, memory in zip(row, memories, strict=False):
            _draw_missed(axes, chosen[chosen["memory"] == memory], errors)
            axes.axhline(delta, color=_PROMISE.color, linestyle=_PROMISE.dash)
            top = highest if memory else 1.2 * delta
            axes.set_ylim(-0.03 * top, top)
            name = f"autocorrelation {memory:g}" if memory else "independent errors"
            axes.set_title(name, loc="left", pad=3)
        row[0].set_ylabel(f"δ = {delta:g}: proportion\nbeyond the bound")
        _draw_excess(row[-1], chosen[chosen["memory"] == 0], errors)
        row[-1].set_title("independent errors", loc="left", pad=3)
        row[-1].set_ylabel("instances asked for\nper instance needed")
    for axes in panels[-1]:
        axes.set_xlabel("test instances")
        _log_ticks(axes, sorted(coverage["instances"].unique()))
    handles = [_handle(look, f"true error {e:g}") for look, e in zip(_ERRORS, errors, strict=False)]
    style.legend(figure, [*handles, _handle(_PROMISE, "δ")], columns=4)
    return figure


def _draw_missed(axes: Axes, part: pd.DataFrame, errors: Sequence[float]) -> None:
    for number, (look, error) in enumerate(zip(_ERRORS, errors, strict=False)):
        rows = part[part["error"] == error].sort_values("instances")
        at = rows["instances"].to_numpy(dtype=float) * (0.9 + 0.1 * number)  # side by side
        _points(axes, at, rows.rename(columns={"missed": "mean"}), look, line=False)
        axes.plot(at, rows["exact"], color=look.color, linewidth=0.8)


def _draw_excess(axes: Axes, part: pd.DataFrame, errors: Sequence[float]) -> None:
    for look, error in zip(_ERRORS, errors, strict=False):
        rows = part[part["error"] == error].sort_values("instances")
        excess = (rows["bound"] / rows["quantile"]) ** 2
        axes.plot(
            rows["instances"],
            excess.where(rows["quantile"] > 0),
            color=look.color,
            marker=look.marker,
            markersize=_POINT_SIZE,
        )
    axes.axhline(1, color="0.45", linewidth=0.5)
    axes.set_ylim(bottom=0)


def _log_ticks(axes: Axes, values: Iterable[float]) -> None:
    axes.set_xscale("log")
    style.fixed_ticks(axes.xaxis, values)


def _folds(discrepancies: pd.DataFrame) -> Figure:
    """Draw the discrepancies of Theorem 2 relative to the discrepancy of a single model."""
    title = "Theorem 2, simulated: distance of estimated and true error with ten models"
    figure = style.sheet(0.42, title)
    panels = figure.subplots(1, len(_TRUTHS), sharey=True)
    powers = sorted(discrepancies["power"].unique())
    names = [(scheme, power) for scheme in _SCHEMES for power in powers]
    for axes, (truth, words) in zip(panels, _TRUTHS.items(), strict=True):
        for place, (scheme, power) in enumerate(names):
            rows = discrepancies[
                (discrepancies["truth"] == truth)
                & (discrepancies["scheme"] == scheme)
                & (discrepancies["power"] == power)
            ].set_index("quantity")
            single = float(rows.loc["single", "mean"])
            for shift, (name, (look, _)) in zip((-0.15, 0.15), _FOLDS.items(), strict=True):
                gap = rows.loc[f"{name} - single", ["mean", "low", "high"]].to_numpy(dtype=float)
                ratio, low, high = 1 + gap / single
                axes.errorbar(
                    ratio,
                    place + shift,
                    xerr=[[ratio - low], [high - ratio]],
                    color=look.color,
                    marker=look.marker,
                    elinewidth=0.9,
                )
        axes.axvline(1, color=_PROMISE.color, linestyle=_PROMISE.dash)
        axes.set_title(words, loc="left", pad=3)
        axes.set_xlabel("distance relative to a single model")
        axes.set_xscale("log")
        ends = axes.get_xlim()
        ticks = [tick for tick in (0.5, 1, 2, 5, 10, 20, 50, 100) if ends[0] < tick < ends[1]]
        _log_ticks(axes, ticks)
        axes.grid(visible=False, axis="y")
    labels = [f"{_SCHEMES[scheme]}, q = {power}" for scheme, power in names]
    panels[0].set_yticks(range(len(names)), labels)
    panels[0].set_ylim(len(names) - 0.5, -0.5)
    handles = [_handle(look, name, line=False) for look, name in _FOLDS.values()]
    style.legend(figure, [*handles, _handle(_PROMISE, "a single model")], columns=3)
    return figure


def _adwin(alarms: pd.DataFrame, detections: pd.DataFrame) -> Figure:
    """Draw the false alarms and the detections of Theorem 3."""
    figure = style.sheet(0.72, "Theorem 3, simulated: ADWIN")
    deltas = sorted(alarms["delta"].unique(), reverse=True)
    panels = figure.subplots(2, 2)
    for axes, delta in zip(panels[0], deltas, strict=True):
        part = alarms[(alarms["delta"] == delta) & (alarms["quantity"] == "steps")]
        for name, (look, _) in _DETECTORS.items():
            rows = part[part["detector"] == name].sort_values("memory")
            _points(axes, rows["memory"].to_numpy(), rows, look)
        axes.axhline(delta, color=_PROMISE.color, linestyle=_PROMISE.dash)
        axes.set_title(f"constant error rate, δ = {delta:g}", loc="left", pad=3)
        axes.set_xlabel("autocorrelation of errors, lag 1")
        axes.set_ylabel("proportion of checks\nthat find a change")
        axes.set_yscale("symlog", linthresh=LINEAR_TO, linscale=0.5)
        axes.set_ylim(-LINEAR_TO / 5, 1)
        style.fixed_ticks(axes.yaxis, [0, 0.001, 0.01, 0.1, 1])
    for delta, dash in zip(deltas, (style.SOLID, style.DASH_DOT), strict=True):
        for name, (look, _) in _DETECTORS.items():
            chosen = (detections["delta"] == delta) & (detections["detector"] == name)
            part = detections[chosen].sort_values("gap")
            for axes, quantity in zip(panels[1], ("delay", "older"), strict=True):
                rows = part[part["quantity"] == quantity]
                dashed = style.Look(look.color, dash, look.marker)
                _points(axes, rows["gap"].to_numpy(), rows, dashed)
        rows = part[part["quantity"] == "delay"]
        panels[1][0].plot(rows["gap"], rows["needed"], color=_PROMISE.color, linestyle=dash)
    left, right = panels[1]
    left.set_yscale("log")
    style.fixed_ticks(left.yaxis, [10, 20, 50, 100, 200, 500, 1000])
    left.set_ylabel("inputs to the first cut")
    right.set_ylabel("older inputs left in the window")
    right.set_ylim(bottom=0)
    for axes, title in zip(
        panels[1], ("delay of the first cut", "when the cut is due"), strict=True
    ):
        axes.set_title(title, loc="left", pad=3)
        axes.set_xlabel("rise of the error rate from 0.2")
    handles = [_handle(look, name) for look, name in _DETECTORS.values()]
    handles.append(_handle(_PROMISE, "what the theorem says"))
    handles += [
        _handle(style.Look("#000000", dash), f"δ = {delta:g} (lower panels)")
        for delta, dash in zip(deltas, (style.SOLID, style.DASH_DOT), strict=True)
    ]
    style.legend(figure, handles, columns=3)
    return figure


def _points(
    axes: Axes, at: np.ndarray, rows: pd.DataFrame, look: style.Look, *, line: bool = True
) -> None:
    mean = rows["mean"].to_numpy(dtype=float)
    low, high = rows["low"].to_numpy(dtype=float), rows["high"].to_numpy(dtype=float)
    axes.errorbar(
        at,
        mean,
        yerr=(mean - low, high - mean),
        color=look.color,
        linestyle=look.dash if line else "none",
        marker=look.marker,
        markersize=_POINT_SIZE,
        elinewidth=0.7,
        zorder=look.layer,
    )


def _handle(look: style.Look, name: str, *, line: bool = True) -> Line2D:
    return style.handle(look, name, markersize=_POINT_SIZE, **({} if line else NO_LINE))
