"""Figures and captions of the accuracy that is due to the order of instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from streameval.base.arrays import Floats
from streameval.base.rounding import format_number
from streameval.drawing import scales, style
from streameval.drawing.subject import Subject
from streameval.items.dependence.show import seed_band_handle
from streameval.items.text_templates import TextTemplates
from streameval.significance.intervals import CONFIDENCE, mean_interval

#: Title, menu entry and captions of each kind; braces quote settings.
TEXTS = {
    "order": TextTemplates(
        subject="accuracy due to the order of instances",
        caption=(
            "accuracy when blocks of instances are permuted, from single ones (random order) to "
            "the whole stream (its own order), and when labels keep their order over instances "
            "drawn from their class; bands are 95 % intervals over {seeds} seeds, dots single "
            "seeds. The rise of a curve is the accuracy due to order."
        ),
        evaluation="test-then-train (prequential)",
    ),
}


#: The axis is at least so long.
LEAST_ORDER_SPAN = 0.02
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
    figure = style.sheet(0.58, **subject.stream)
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=[5.5, 1])
    for index, learner in enumerate(learners):
        means_of_learner, seeds = means.loc[learner], frame[frame["learner"] == learner]
        _draw_line(left, learner, means_of_learner.drop("temporal", level="variant"))
        place = (index + 0.5) / len(learners)
        _draw_mark(right, learner, place, means_of_learner.loc[("temporal", 0)])
        kept = seeds.loc[seeds["variant"] == "temporal", "accuracy"]
        _draw_seeds(right, learner, place + SEEDS_BESIDE, kept)
        for size, blocks in seeds[seeds["variant"] == "blocks"].groupby("size"):
            _draw_seeds(left, learner, float(str(size)), blocks["accuracy"])
    scales.zoom(left, means[["low", "mean", "high"]], LEAST_ORDER_SPAN)
    _label_blocks(left, means.loc[learners[0]].loc["blocks"].index.to_numpy())
    right.set_xlim(-0.15, 1.15)
    right.set_xticks([])
    right.grid(visible=False, axis="x")
    right.set_xlabel("label order kept,\ninputs exchanged\nwithin classes", labelpad=5)
    style.legend(
        figure,
        _order_handles(means, learners, subject.titles),
        columns=4,
        title="(in brackets: accuracy in the original order less that of the shuffled stream)",
    )
    return figure


def _means(frame: pd.DataFrame) -> pd.DataFrame:
    """Columns mean, low, high, count by learner, variant and size (0 but for blocks)."""
    rows = frame.assign(size=frame["size"].where(frame["variant"] == "blocks", 0))
    keys = ["learner", "variant", "size"]
    over = {
        # One seed says nothing about an interval.
        key: (
            *(
                mean_interval(accuracies)
                if len(accuracies) > 1
                else (accuracies.iloc[0], np.nan, np.nan)
            ),
            len(accuracies),
        )
        for key, accuracies in rows.groupby(keys)["accuracy"]
    }
    index = pd.MultiIndex.from_tuples(over, names=keys)
    return pd.DataFrame([*over.values()], index, columns=["mean", "low", "high", "count"])


def _original_at(sizes: Floats) -> float:
    return float(sizes.max() ** (1 + BESIDE))


def _draw_line(axes: Axes, learner: str, rows: pd.DataFrame) -> None:
    """Draw a learner from the shuffled over the blocks to the original stream."""
    look = style.learner_look(learner)
    blocks = rows.loc["blocks"]
    sizes = blocks.index.to_numpy()
    x = [SHUFFLED_AT, *sizes, _original_at(sizes)]
    y = pd.concat([rows.loc[["shuffled"]], blocks, rows.loc[["original"]]])
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
    ticks = scales.ticks_with_room(list(named), np.log, TICK_SHARE)
    axes.set_xticks(ticks, labels=[named[tick] for tick in ticks])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel(
        "blocks of b instances in random order, their order kept inside\n"
        "(n: the whole stream, not to scale)"
    )
    axes.set_ylabel("accuracy")


def _order_handles(
    means: pd.DataFrame, learners: Sequence[str], titles: Mapping[str, str]
) -> list[Artist]:
    """The legend handles of learners, with their gain from order, and of bands."""
    handles: list[Artist] = []
    for learner in learners:
        gain = means["mean"][learner, "original", 0] - means["mean"][learner, "shuffled", 0]
        text = format_number(gain, "+.3f")
        handles.append(style.learner_handle(learner, f"{titles.get(learner, learner)} ({text})"))
    over = f"{100 * CONFIDENCE:g} % interval of the mean of {{seeds}} (dots)"
    return handles + seed_band_handle(means["count"], over)
