"""Accuracy on permuted instances: the part that order adds, and the effect of false alarms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from streameval.base.arrays import Floats
from streameval.base.rounding import format_number
from streameval.drawing import scales, style
from streameval.drawing.subject import Subject
from streameval.report.names import VARIANT_TITLES
from streameval.significance.intervals import CONFIDENCE, mean_interval

#: The axis is at least so long.
LEAST_SPAN = 0.02
#: A shuffled stream is one of blocks of one instance. The original is a single block and stands
#: beside the largest blocks: so much further right, as a share of what is left of them.
SHUFFLED_AT, BESIDE = 1.0, 0.16
#: How far right of a mean its seeds stand, as a share of the panel.
SEEDS_BESIDE = 0.07
#: Room for a number on the x axis, as a share of its length.
TICK_SHARE = 0.08


@style.styled
def draw_order(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw accuracy from the shuffled stream over growing blocks to the original stream.

    Right, labels keep their order, and the inputs are exchanged within classes.
    """
    frame = frames["order"]
    means = _means(frame)
    learners = list(dict.fromkeys(frame["learner"]))
    drawn = style.sheet(0.58, **subject.stream)
    left, right = drawn.subplots(1, 2, sharey=True, width_ratios=[5.5, 1])
    for number, learner in enumerate(learners):
        own, seeds = means.loc[learner], frame[frame["learner"] == learner]
        _draw_line(left, learner, own.drop("temporal", level="variant"))
        place = (number + 0.5) / len(learners)
        _draw_mark(right, learner, place, own.loc[("temporal", 0)])
        kept = seeds.loc[seeds["variant"] == "temporal", "accuracy"]
        _draw_seeds(right, learner, place + SEEDS_BESIDE, kept)
        for size, blocks in seeds[seeds["variant"] == "blocks"].groupby("size"):
            _draw_seeds(left, learner, float(str(size)), blocks["accuracy"])
    scales.zoom(left, means[["low", "mean", "high"]], LEAST_SPAN)
    _label_blocks(left, means.loc[learners[0]].loc["blocks"].index.to_numpy())
    right.set_xlim(-0.15, 1.15)
    right.set_xticks([])
    right.grid(visible=False, axis="x")
    right.set_xlabel("label order kept,\ninputs exchanged\nwithin classes", labelpad=5)
    style.legend(
        drawn,
        _handles(means, learners, subject.titles),
        columns=4,
        title="(in brackets: accuracy in the original order less that of the shuffled stream)",
    )
    return drawn


def _means(frame: pd.DataFrame) -> pd.DataFrame:
    """Return columns mean, low, high, count by learner, variant and size (0 but for blocks)."""
    rows = frame.assign(size=frame["size"].where(frame["variant"] == "blocks", 0))
    keys = ["learner", "variant", "size"]
    over = {
        # One seed says nothing about an interval.
        key: (*(mean_interval(own) if len(own) > 1 else (own.iloc[0], np.nan, np.nan)), len(own))
        for key, own in rows.groupby(keys)["accuracy"]
    }
    index = pd.MultiIndex.from_tuples(over, names=keys)
    return pd.DataFrame([*over.values()], index, columns=["mean", "low", "high", "count"])


def _original_at(sizes: Floats) -> float:
    return float(sizes.max() ** (1 + BESIDE))


def _draw_line(axes: Axes, learner: str, own: pd.DataFrame) -> None:
    """Draw a learner from the shuffled over the blocks to the original stream."""
    look = style.learner_look(learner)
    blocks = own.loc["blocks"]
    sizes = blocks.index.to_numpy()
    x = [SHUFFLED_AT, *sizes, _original_at(sizes)]
    y = pd.concat([own.loc[["shuffled"]], blocks, own.loc[["original"]]])
    style.band(axes, x, y["low"], y["high"], look)
    axes.plot(x, y["mean"], marker=look.marker, **look.line)


def _draw_mark(axes: Axes, learner: str, x: float, of: pd.Series) -> None:
    """Draw a hollow mark and its interval."""
    look = style.learner_look(learner)
    axes.plot([x, x], [of["low"], of["high"]], color=look.color)
    axes.plot(
        [x],
        [of["mean"]],
        linestyle="none",
        marker=look.marker or "o",
        color=look.color,
        markerfacecolor="white",
        markeredgecolor=look.color,
        markeredgewidth=0.9,
        zorder=3,
    )


def _draw_seeds(axes: Axes, learner: str, x: float, accuracy: pd.Series) -> None:
    """Draw the values behind a mean, since its interval hides two clusters."""
    import seaborn  # here: to import it takes longer than to draw most figures

    if len(accuracy) > 1:
        seaborn.stripplot(
            x=[x] * len(accuracy),
            y=accuracy.to_numpy(dtype=float),
            native_scale=True,
            jitter=False,
            size=1.8,
            alpha=0.7,
            color=style.learner_look(learner).color,
            ax=axes,
        )


def _label_blocks(axes: Axes, sizes: Floats) -> None:
    original = _original_at(sizes)
    axes.set_xscale("log")
    axes.set_xlim(SHUFFLED_AT / original**0.04, original**1.04)
    named = {
        SHUFFLED_AT: "shuffled\n(b = 1)",
        original: "original\n(b = n)",
        **{size: format_number(size, ",.0f") for size in sizes},
    }
    ticks = scales.spaced(list(named), np.log, TICK_SHARE)
    axes.set_xticks(ticks, labels=[named[tick] for tick in ticks])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel(
        "blocks of b instances in random order, their order kept inside\n"
        "(n: the whole stream, not to scale)"
    )
    axes.set_ylabel("accuracy")


def _handles(
    means: pd.DataFrame, learners: Sequence[str], titles: Mapping[str, str]
) -> list[Artist]:
    """Return the legend handles of learners, with their gain from order, and of bands."""
    handles: list[Artist] = []
    for learner in learners:
        gain = means["mean"][learner, "original", 0] - means["mean"][learner, "shuffled", 0]
        text = format_number(gain, "+.3f")
        handles.append(style.learner_handle(learner, f"{titles.get(learner, learner)} ({text})"))
    over = f"{100 * CONFIDENCE:g} % interval of the mean of {{seeds}} (dots)"
    return handles + _band_handle(means["count"], over)


def _band_handle(counts: pd.Series, text: str) -> list[Artist]:
    """Return the legend handle of bands over several seeds, if there are any."""
    several = sorted({int(count) for count in counts if count > 1})
    if not several:
        return []
    many = f"{several[0]}" if len(several) == 1 else f"{several[0]} to {several[-1]}"
    return [style.band_handle(text.format(seeds=f"{many} seeds"))]


#: Panels, from left to right.
ORDERS = ("original", "temporal", "shuffled")
#: The learner whose probability of a false alarm is varied, and those that have none.
VARIED, STEADY = "ddm_random", ("no_change", "naive_bayes", "ddm_nb")
#: The axis is at least so long.
LEAST_ACCURACIES = 0.02


@style.styled
def draw_false_alarms(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw accuracy over the probability of a false alarm, a panel for each order of a stream.

    Lines are means over the seeds, bands reach from the least to the greatest.
    """
    rows = frames["false_alarms"]
    drawn = style.sheet(0.46, **subject.stream)
    panels = drawn.subplots(1, len(ORDERS), sharex=True, sharey=True)
    for axes, variant in zip(panels, ORDERS, strict=True):
        part = rows[rows["variant"] == variant]
        for learner in STEADY:
            _draw_steady(axes, learner, part.loc[part["learner"] == learner, "accuracy"])
        _draw_varied(axes, part[part["learner"] == VARIED])
        axes.set_title(VARIANT_TITLES[variant], loc="left", pad=3)
        axes.set_xlabel("probability of a false alarm")
    panels[0].set_ylabel("accuracy")
    _scale(panels[0], rows)
    lines = style.learner_handles((VARIED, *STEADY), subject.titles)
    for line in lines[1:]:
        line.set_marker("")  # as in the panels
    seeds = rows.groupby(["variant", "learner", "probability"], dropna=False)["seed"].nunique()
    bands = _band_handle(seeds, "{seeds}: mean, least to greatest")
    style.legend(drawn, [*lines, *bands], columns=5)
    return drawn


def _draw_steady(axes: Axes, learner: str, accuracy: pd.Series) -> None:
    look = style.learner_look(learner)
    if accuracy.max() > accuracy.min():
        least, greatest = accuracy.min(), accuracy.max()
        axes.axhspan(least, greatest, color=look.color, alpha=style.FAINT, linewidth=0, zorder=1.6)
    axes.axhline(accuracy.mean(), **look.line)


def _draw_varied(axes: Axes, part: pd.DataFrame) -> None:
    """Draw means over the seeds, and from the least to the greatest of them."""
    import seaborn  # here: to import it takes longer than to draw most figures

    look = style.learner_look(VARIED)
    seaborn.lineplot(
        part,
        x="probability",
        y="accuracy",
        errorbar=("pi", 100),
        err_kws={"alpha": style.FAINT, "linewidth": 0, "zorder": 1.7},
        ax=axes,
        color=look.color,
        linestyle=look.dash,
        marker=look.marker,
        zorder=look.layer + 0.1,
    )
    axes.set_ylabel("")


def _scale(axes: Axes, rows: pd.DataFrame) -> None:
    """Set the axes that all panels share."""
    scales.zoom(axes, rows["accuracy"], LEAST_ACCURACIES)
    axes.set_xscale("log")
    axes.set_xlim(rows["probability"].min() / 1.4, rows["probability"].max() * 1.4)
    axes.xaxis.set_major_locator(LogLocator(numticks=6))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
