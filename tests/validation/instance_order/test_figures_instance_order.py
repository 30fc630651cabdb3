"""The figure of the accuracy that is due to the order of instances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from helpers.drawn import (
    NAN,
    TITLES,
    TREE,
    assert_no_text_collides,
    drawing,
    legend_names,
    line_of,
)
from matplotlib.figure import Figure

from instance_order.show import draw_order as _draw_order

order_share = drawing(_draw_order, "order")

SIZES = [10, 100, 1000]


def order_frame(learners: Sequence[str], seeds: int = 3) -> pd.DataFrame:
    """Accuracies that are 0.1 apart from seed to seed, around 0.4 to 0.7."""
    rows = []
    for i, name in enumerate(learners):
        middle = 0.4 + i / 100
        for seed in range(seeds):
            apart = 0.1 * (seed - (seeds - 1) / 2)
            rows.append((name, "original", NAN, seed, middle + 0.3 + apart))
            rows.append((name, "temporal", NAN, seed, middle + 0.2 + apart))
            rows.append((name, "shuffled", NAN, seed, middle + apart))
            for j, size in enumerate(SIZES[::-1]):
                rows.append((name, "blocks", size, seed, middle + 0.25 - j / 20 + apart))
    return pd.DataFrame(rows, columns=["learner", "variant", "size", "seed", "accuracy"])


def draw_order(frame: pd.DataFrame, simulated: bool = False) -> Figure:
    return order_share(frame, titles=TITLES, title="A stream", simulated=simulated)


def test_intervals_beyond_one_are_seen() -> None:
    frame = order_frame(["hoeffding_tree"])
    frame["accuracy"] = 0.998 + 0.001 * frame["seed"].where(frame["variant"] != "original", 1)
    low, high = draw_order(frame).axes[0].get_ylim()
    assert high > 0.999 + 4.3027 * 0.001 / np.sqrt(3)  # as above
    assert 0.02 < high - low < 0.03


def test_one_seed_has_no_intervals() -> None:
    figure = draw_order(order_frame(["no_change", "majority"], seeds=1))
    assert legend_names(figure) == ["No-Change (+0.300)", "Majority (+0.300)"]
    assert all(len(band.get_paths()) == 0 for band in figure.axes[0].collections)
    assert_no_text_collides(figure)


def test_what_order_takes_away_has_a_minus_sign() -> None:
    frame = order_frame(["majority"])
    frame.loc[frame["variant"] == "original", "accuracy"] = 0.1
    assert legend_names(draw_order(frame))[0] == "Majority (−0.300)"


def test_many_block_sizes_are_numbered_without_collisions() -> None:
    frame = order_frame(["hoeffding_tree"])
    blocks = frame[frame["variant"] == "blocks"].drop_duplicates("seed")
    more = [blocks.assign(size=size) for size in (2, 3, 5, 8, 13, 20, 50, 200, 500, 999)]
    figure = draw_order(pd.concat([frame, *more]))
    assert len(line_of(figure.axes[0], TREE).get_xdata()) == 15
    labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert labels[0].startswith("shuffled")
    assert labels[-1].startswith("original")
    assert_no_text_collides(figure)
