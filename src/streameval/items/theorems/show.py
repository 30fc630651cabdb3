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
        menu_entry="Theorems 1 to 3",
        evaluation="cross-validation, 10 folds",
        pictures={
            "test_set_bound": (
                "Probability that an estimated error is beyond the bound of Theorem 1, by the "
                "number of test instances: points are simulated, with 95 % intervals; lines for "
                "independent errors are exact. It must be at most δ, the dashed line. The theorem "
                "is about independent errors; other panels have errors with the given "
                "autocorrelation. Right: number of instances that the bound requires, divided by "
                "the number that independent errors need."
            ),
            "folds": (
                "Mean absolute difference of true and estimated error, to the power q, for 10 "
                "models and for one of the 10, relative to the difference for a single model on "
                "the same stream (Naive Bayes on the LED display, whose true error is computed "
                "exactly). Left: true error of the models when they are tested; right: true error "
                "of the final models. By Theorem 2, ten models are never to the right of the line. "
                "Bars are 95 % intervals of paired differences over runs."
            ),
            "adwin": (
                "Above: proportion of checks with a false alarm of ADWIN at a constant error rate "
                "of 0.2, by the autocorrelation of errors, as in the theorem (every split, every "
                "step) and as in MOA (every 32nd step); Theorem 3 bounds it by δ, the dashed line, "
                "for independent errors. Below: number of inputs from a rise of the error rate to "
                "the first cut, with the number by the theorem; and number of older inputs that "
                "are still in the window after that number. Bars are 95 % intervals over runs; "
                "there are no bars where the results of runs are too skewed or all equal."
            ),
        },
    ),
}


#: Look of the bound or number by a theorem.
_THEOREM = style.Look("#4D4D4D", style.SHORT)
#: Looks of true errors, in increasing order.
_ERROR_LOOKS = (
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
#: Titles of the panels, by the names of true errors.
_TRUTHS = {"along": "true error when tested", "end": "true error at the end"}
#: Looks and names of the quantities of Theorem 2.
_FOLD_QUANTITIES = {
    "k_fold": (style.Look("#332288", style.SOLID, "s"), "ten models"),
    "one_fold": (style.Look("#44AA99", style.SOLID, "^"), "one of the ten alone"),
}
#: Dashes of the lines of the two δ, the larger δ first.
_DELTA_DASHES = (style.SOLID, style.DASH_DOT)
_POINT_SIZE = 3.6
NO_LINE = {"linestyle": "none"}
#: Below this proportion the logarithmic axis of false alarms is linear, as 0 has no logarithm.
LINEAR_TO = 0.001


@style.styled
def draw_theorems(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw one of the pictures from the frames."""
    if subject.picture == "test_set_bound":
        return _draw_test_set_bound(frames["coverage"])
    if subject.picture == "folds":
        return _draw_folds(frames["discrepancies"])
    return _draw_adwin(frames["alarms"], frames["detections"])


def _draw_test_set_bound(coverage: pd.DataFrame) -> Figure:
    """Draw the rate of misses of the bound of Theorem 1, and the instances that it requires."""
    autocorrelations, deltas = (sorted(coverage[key].unique()) for key in ("memory", "delta"))
    errors = sorted(coverage["error"].unique())
    figure = style.titled_figure(0.62, "Theorem 1, simulated: distance of estimated and true error")
    n_columns = len(autocorrelations) + 1
    panels = figure.subplots(len(deltas), n_columns, squeeze=False, sharex=True)
    for row, delta in zip(panels, deltas, strict=True):
        chosen = coverage[coverage["delta"] == delta]
        # One range for all dependent errors. Independent errors miss the bound much less often.
        highest = 1.1 * max(delta, float(chosen["high"].max()))
        # The last panel of a row is for the required instances.
        for axes, autocorrelation in zip(row[:-1], autocorrelations, strict=True):
            _draw_missed(axes, chosen[chosen["memory"] == autocorrelation], errors)
            axes.axhline(delta, color=_THEOREM.color, linestyle=_THEOREM.dash)
            top = highest if autocorrelation else 1.2 * delta
            axes.set_ylim(-0.03 * top, top)
            dependent = f"autocorrelation {autocorrelation:g}"
            name = dependent if autocorrelation else "independent errors"
            axes.set_title(name, loc="left", pad=3)
        row[0].set_ylabel(f"δ = {delta:g}: proportion\nbeyond the bound")
        _draw_required_instances(row[-1], chosen[chosen["memory"] == 0], errors)
        row[-1].set_title("independent errors", loc="left", pad=3)
        row[-1].set_ylabel("instances asked for\nper instance needed")
    for axes in panels[-1]:
        axes.set_xlabel("test instances")
        _log_ticks(axes, sorted(coverage["instances"].unique()))
    handles = [
        _handle(look, f"true error {e:g}") for look, e in zip(_ERROR_LOOKS, errors, strict=False)
    ]
    style.legend(figure, [*handles, _handle(_THEOREM, "δ")], columns=4)
    return figure


def _draw_missed(axes: Axes, part: pd.DataFrame, errors: Sequence[float]) -> None:
    for number, (look, error) in enumerate(zip(_ERROR_LOOKS, errors, strict=False)):
        rows = part[part["error"] == error].sort_values("instances")
        x = rows["instances"].to_numpy(dtype=float) * (0.9 + 0.1 * number)  # points side by side
        _draw_points(axes, x, rows.rename(columns={"missed": "mean"}), look, line=False)
        axes.plot(x, rows["exact"], color=look.color, linewidth=0.8)


def _draw_required_instances(axes: Axes, part: pd.DataFrame, errors: Sequence[float]) -> None:
    for look, error in zip(_ERROR_LOOKS, errors, strict=False):
        rows = part[part["error"] == error].sort_values("instances")
        # Numbers of instances are proportional to the inverse square of the distance.
        ratio = (rows["bound"] / rows["quantile"]) ** 2
        axes.plot(
            rows["instances"],
            ratio.where(rows["quantile"] > 0),
            color=look.color,
            marker=look.marker,
            markersize=_POINT_SIZE,
        )
    axes.axhline(1, color="0.45", linewidth=0.5)
    axes.set_ylim(bottom=0)


def _log_ticks(axes: Axes, values: Iterable[float]) -> None:
    axes.set_xscale("log")
    style.fixed_ticks(axes.xaxis, values)


def _draw_folds(discrepancies: pd.DataFrame) -> Figure:
    """Draw the discrepancies of Theorem 2 relative to the discrepancy of a single model."""
    title = "Theorem 2, simulated: distance of estimated and true error with ten models"
    figure = style.titled_figure(0.42, title)
    panels = figure.subplots(1, len(_TRUTHS), sharey=True)
    powers = sorted(discrepancies["power"].unique())
    cases = [(scheme, power) for scheme in _SCHEMES for power in powers]
    for axes, (truth, title) in zip(panels, _TRUTHS.items(), strict=True):
        for y, (scheme, power) in enumerate(cases):
            rows = discrepancies[
                (discrepancies["truth"] == truth)
                & (discrepancies["scheme"] == scheme)
                & (discrepancies["power"] == power)
            ].set_index("quantity")
            single = float(rows.loc["single", "mean"])
            shifts = (-0.15, 0.15)  # so that the points of a case do not overlap
            for shift, (name, (look, _)) in zip(shifts, _FOLD_QUANTITIES.items(), strict=True):
                gap = rows.loc[f"{name} - single", ["mean", "low", "high"]].to_numpy(dtype=float)
                # name / single, with the interval of the paired difference
                ratio, low, high = 1 + gap / single
                axes.errorbar(
                    ratio,
                    y + shift,
                    xerr=[[ratio - low], [high - ratio]],
                    color=look.color,
                    marker=look.marker,
                    elinewidth=0.9,
                )
        axes.axvline(1, color=_THEOREM.color, linestyle=_THEOREM.dash)
        axes.set_title(title, loc="left", pad=3)
        axes.set_xlabel("distance relative to a single model")
        axes.set_xscale("log")
        low_end, high_end = axes.get_xlim()
        ticks = [tick for tick in (0.5, 1, 2, 5, 10, 20, 50, 100) if low_end < tick < high_end]
        _log_ticks(axes, ticks)
        axes.grid(visible=False, axis="y")
    labels = [f"{_SCHEMES[scheme]}, q = {power}" for scheme, power in cases]
    panels[0].set_yticks(range(len(cases)), labels)
    panels[0].set_ylim(len(cases) - 0.5, -0.5)
    handles = [_handle(look, name, line=False) for look, name in _FOLD_QUANTITIES.values()]
    style.legend(figure, [*handles, _handle(_THEOREM, "a single model")], columns=3)
    return figure


def _draw_adwin(alarms: pd.DataFrame, detections: pd.DataFrame) -> Figure:
    """Draw the false alarms and the detections of Theorem 3."""
    figure = style.titled_figure(0.72, "Theorem 3, simulated: ADWIN")
    deltas = sorted(alarms["delta"].unique(), reverse=True)
    panels = figure.subplots(2, 2)
    for axes, delta in zip(panels[0], deltas, strict=True):
        part = alarms[(alarms["delta"] == delta) & (alarms["quantity"] == "steps")]
        for name, (look, _) in _DETECTORS.items():
            rows = part[part["detector"] == name].sort_values("memory")
            _draw_points(axes, rows["memory"].to_numpy(), rows, look)
        axes.axhline(delta, color=_THEOREM.color, linestyle=_THEOREM.dash)
        axes.set_title(f"constant error rate, δ = {delta:g}", loc="left", pad=3)
        axes.set_xlabel("autocorrelation of errors, lag 1")
        axes.set_ylabel("proportion of checks\nthat find a change")
        axes.set_yscale("symlog", linthresh=LINEAR_TO, linscale=0.5)
        axes.set_ylim(-LINEAR_TO / 5, 1)
        style.fixed_ticks(axes.yaxis, [0, 0.001, 0.01, 0.1, 1])
    for delta, dash in zip(deltas, _DELTA_DASHES, strict=True):
        for name, (look, _) in _DETECTORS.items():
            is_drawn = (detections["delta"] == delta) & (detections["detector"] == name)
            part = detections[is_drawn].sort_values("gap")
            for axes, quantity in zip(panels[1], ("delay", "older"), strict=True):
                rows = part[part["quantity"] == quantity]
                dashed = style.Look(look.color, dash, look.marker)
                _draw_points(axes, rows["gap"].to_numpy(), rows, dashed)
        rows = part[part["quantity"] == "delay"]  # each detector has the same `needed`
        panels[1][0].plot(rows["gap"], rows["needed"], color=_THEOREM.color, linestyle=dash)
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
    handles.append(_handle(_THEOREM, "what the theorem says"))
    handles += [
        _handle(style.Look("#000000", dash), f"δ = {delta:g} (lower panels)")
        for delta, dash in zip(deltas, _DELTA_DASHES, strict=True)
    ]
    style.legend(figure, handles, columns=3)
    return figure


def _draw_points(
    axes: Axes, x: np.ndarray, rows: pd.DataFrame, look: style.Look, *, line: bool = True
) -> None:
    """Draw means with their intervals; `line` joins the means."""
    mean = rows["mean"].to_numpy(dtype=float)
    low, high = rows["low"].to_numpy(dtype=float), rows["high"].to_numpy(dtype=float)
    axes.errorbar(
        x,
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
