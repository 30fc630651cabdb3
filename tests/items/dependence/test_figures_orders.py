"""A stream in several orders: Figure 7 of Žliobaitė et al. (2015)."""

from __future__ import annotations

import itertools

import pandas as pd
from helpers.drawn import NAN, TITLES, drawing, legend_names
from matplotlib.figure import Figure

from streameval.items.dependence.show import draw_false_alarms as _draw_false_alarms

false_alarms = drawing(_draw_false_alarms, "false_alarms")


def draw_alarms(seeds: int, of_original: int) -> Figure:
    """Accuracies that are 0.01 apart from seed to seed."""
    learners = {name: [NAN] for name in ("no_change", "naive_bayes", "ddm_nb")}
    learners |= {"ddm_random": [0.01, 0.1, 1.0]}
    rows = [
        (variant, seed, learner, probability, 0.7 + seed / 100)
        for variant, learner in itertools.product(["shuffled", "original", "temporal"], learners)
        for seed in range(of_original if variant == "original" else seeds)
        for probability in learners[learner]
    ]
    columns = ["variant", "seed", "learner", "probability", "accuracy"]
    frame = pd.DataFrame(rows, columns=columns)
    return false_alarms(frame, titles=TITLES, title="A stream", simulated=False)


def test_one_seed_has_no_bands() -> None:
    figure = draw_alarms(1, 1)
    assert legend_names(figure) == ["DDM-random", "No-Change", "Naive Bayes", "DDM"]
    assert [len(axes.patches) for axes in figure.axes] == [0, 0, 0]


def test_fewer_seeds_of_one_order_are_said() -> None:
    assert legend_names(draw_alarms(5, 2))[-1].startswith("2 to 5 seeds: ")
