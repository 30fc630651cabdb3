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
from streameval.items.dependence.show import seed_band_handles
from streameval.items.text_templates import TextTemplates
from streameval.significance.intervals import CONFIDENCE, mean_interval

#: Title, menu entry and captions of each kind. Settings in braces are filled in.
TEXTS = {
    "order": TextTemplates(
        menu_entry="accuracy due to the order of instances",
        caption=(
            "accuracy when blocks of instances are permuted. Blocks range from single instances "
            "(random order) to the whole stream (original order). Right: labels keep their order, "
            "and each gets a random instance of its class. Bands are 95 % intervals over {seeds} "
            "seeds, and dots single seeds. The rise of a curve is the accuracy due to order."
        ),
        evaluation="test-then-train (prequential)",
    ),
}


#: Minimum length of the accuracy axis.
MIN_ACCURACY_SPAN = 0.02
#: Position of the shuffled stream on the x axis: its blocks have one instance.
SHUFFLED_X = 1.0
#: Gap between the largest blocks and the original stream, as a fraction of the logarithmic axis up
#: to the largest blocks.
ORIGINAL_GAP = 0.16
#: Horizontal distance of the dots of single seeds from the mark of their mean, as a fraction of the
#: right panel.
SEEDS_OFFSET = 0.07
#: Width of a number on the x axis, as a fraction of the axis.
TICK_WIDTH = 0.08


@style.styled
def draw_order(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw accuracy against the block size, from the shuffled to the original stream.

    The right panel is for labels in their order, with inputs exchanged within classes.
    """
    frame = frames["order"]
    means = _means(frame)
    learners = list(dict.fromkeys(frame["learner"]))
    figure = style.titled_figure(0.58, **subject.stream_arguments)
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=[5.5, 1])
    for index, learner in enumerate(learners):
        means_of_learner, seeds = means.loc[learner], frame[frame["learner"] == learner]
        _draw_line(left, learner, means_of_learner.drop("temporal", level="variant"))
        x = (index + 0.5) / len(learners)
        # The size is 0 for variants without blocks, see `_means`.
        _draw_mark(right, learner, x, means_of_learner.loc[("temporal", 0)])
        temporal = seeds.loc[seeds["variant"] == "temporal", "accuracy"]
        _draw_seeds(right, learner, x + SEEDS_OFFSET, temporal)
        for size, blocks in seeds[seeds["variant"] == "blocks"].groupby("size"):
            _draw_seeds(left, learner, float(str(size)), blocks["accuracy"])
    scales.zoom(left, means[["low", "mean", "high"]], MIN_ACCURACY_SPAN)
    _label_blocks(left, means.loc[learners[0]].loc["blocks"].index.to_numpy())
    right.set_xlim(-0.15, 1.15)
    right.set_xticks([])
    right.grid(visible=False, axis="x")
    right.set_xlabel("labels in order,\ninputs permuted\nwithin classes", labelpad=5)
    style.legend(
        figure,
        _order_handles(means, learners, subject.titles),
        columns=4,
        title="(in brackets: accuracy in the original order minus accuracy on the shuffled stream)",
    )
    return figure


def _means(frame: pd.DataFrame) -> pd.DataFrame:
    """Columns mean, low, high, count by learner, variant and size; the size is 0 except for blocks.

    There is no interval for a single seed.
    """
    rows = frame.assign(size=frame["size"].where(frame["variant"] == "blocks", 0))
    keys = ["learner", "variant", "size"]
    means = {
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
    index = pd.MultiIndex.from_tuples(means, names=keys)
    return pd.DataFrame([*means.values()], index, columns=["mean", "low", "high", "count"])


def _original_x(sizes: Floats) -> float:
    """Position of the original stream on the x axis."""
    return float(sizes.max() ** (1 + ORIGINAL_GAP))


def _draw_line(axes: Axes, learner: str, rows: pd.DataFrame) -> None:
    """Draw the line of a learner: shuffled stream, blocks, original stream."""
    look = style.learner_look(learner)
    blocks = rows.loc["blocks"]
    sizes = blocks.index.to_numpy()
    x = [SHUFFLED_X, *sizes, _original_x(sizes)]
    y = pd.concat([rows.loc[["shuffled"]], blocks, rows.loc[["original"]]])
    style.band(axes, x, y["low"], y["high"], look)
    axes.plot(x, y["mean"], marker=look.marker, **look.line)


def _draw_mark(axes: Axes, learner: str, x: float, estimate: pd.Series) -> None:
    """Draw a mean as a hollow mark, and its interval."""
    look = style.learner_look(learner)
    axes.plot([x, x], [estimate["low"], estimate["high"]], color=look.color)
    axes.plot(
        [x],
        [estimate["mean"]],
        linestyle="none",
        marker=look.marker or "o",
        color=look.color,
        markerfacecolor="white",
        markeredgecolor=look.color,
        markeredgewidth=0.9,
        zorder=3,
    )


def _draw_seeds(axes: Axes, learner: str, x: float, accuracy: pd.Series) -> None:
    """Draw the single values of a mean, since an interval would hide clusters."""
    import seaborn  # imported here, as this takes longer than drawing most figures

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
    original = _original_x(sizes)
    axes.set_xscale("log")
    # The margins are 4 % of the logarithmic axis.
    axes.set_xlim(SHUFFLED_X / original**0.04, original**1.04)
    labels = {
        SHUFFLED_X: "shuffled\n(b = 1)",
        original: "original\n(b = n)",
        **{size: format_number(size, ",.0f") for size in sizes},
    }
    ticks = scales.ticks_with_room(list(labels), np.log, TICK_WIDTH)
    axes.set_xticks(ticks, labels=[labels[tick] for tick in ticks])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel(
        "blocks of b instances in random order, instances of a block in order\n"
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
    band_text = f"{100 * CONFIDENCE:g} % interval of the mean of {{seeds}} (dots)"
    return handles + seed_band_handles(means["count"], band_text)
