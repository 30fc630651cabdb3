"""The numbers of the README's text are those of runs."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pytest

import streameval as se
from streameval.api.learners import in_wrapper, recipe
from streameval.settings import ROOT

PAGE = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())


def said(pattern: str) -> tuple[str, ...]:
    (found,) = re.findall(pattern, PAGE)
    return found if isinstance(found, tuple) else (found,)


@pytest.fixture(scope="module")
def tree():
    return se.evaluate(se.load("elec2"), "hoeffding_tree")


@pytest.mark.realdata
def test_the_opening(tree):
    measures = tree.measures("accuracy", "kappa", "kappa_temporal")
    accuracy = (100 * measures["accuracy"]).map("{:.1f}".format)
    opening = r"Hoeffding tree predicts \*\*(\S+) %\*\* of (\S+) half-hours correctly. Always "
    opening += r"predicting the more frequent label gives (\S+) %, and Cohen's κ, .*? respectable "
    opening += r"(\S+)\. The"
    assert said(opening) == (
        accuracy["hoeffding_tree"],
        f"{len(tree.stream):,}",
        accuracy["majority"],
        f"{measures.loc['hoeffding_tree', 'kappa']:.2f}",
    )
    assert said(r"predicts the previous label has an accuracy of \*\*(\S+) %\*\*") == (
        accuracy["no_change"],
    )
    shown = f"{measures.loc['hoeffding_tree', 'kappa_temporal']:.2f}".replace("-", "−")
    assert said(r"it is \*\*(−\S+)\*\*") == (shown,)


@pytest.mark.realdata
def test_accuracies_from_the_literature(tree):
    listed = pd.read_csv(ROOT / "resources/published/zliobaite2015/elec2_literature.csv")
    own = listed[listed["in_bifet2013_table1"] == 1]
    least = 100 * tree.measures("accuracy").loc["no_change", "accuracy"]
    numbers = {10: "ten", 16: "sixteen"}
    others = own[~own["algorithm"].str.contains("No-Change|Persistent")]
    below = int((others["accuracy_percent"] < least).sum())
    assert said(r"Of the (\w+) accuracies .*? literature, (\w+) are below") == (
        numbers[len(others)],
        numbers[below],
    )


@pytest.mark.realdata
def test_wrappers():
    rows = re.findall(r"\| `(temporal\S+)` \|[^|]+(?:\\\|[^|]+)*\| (\S+) \| (\S+) \|", PAGE)
    assert len(rows) == 4
    stream = se.load("elec2")
    for wrapper, *expected in rows:
        found = se.evaluate(stream, {"it": in_wrapper(recipe("hoeffding_tree"), wrapper)})
        values = found.measures("accuracy", "kappa_temporal").loc["it"]
        assert [f"{value:.4f}".replace("-", "−") for value in values] == expected, wrapper


@pytest.mark.realdata
def test_sections_of_kdd99_with_one_class():
    y = se.load("kdd99").y
    windows = np.lib.stride_tricks.sliding_window_view(np.diff(y) != 0, 99)
    share = 100 * (~windows.any(axis=1)).mean()
    assert said(r"(\d+) % of all sections of 100 labels of KDD99 have only one") == (
        f"{share:.0f}",
    )


def test_what_models_over_folds_learn():
    """Poisson(1) leaves out 1/e of the instances; of ten models all but one learn, or one does."""
    shares = [round(100 * share) for share in (1 - math.exp(-1), 9 / 10, 1 / 10)]
    found = said(r"learn from about (\d+), (\d+) or (\d+) % of the instances")
    assert [int(one) for one in found] == shares


@pytest.mark.realdata
def test_accuracy_on_arrival(tree):
    found = se.evaluate(se.load("elec2"), "hoeffding_tree", delay=47).bins(5)
    rows = found[found["learner"] == "hoeffding_tree"].set_index("bin")
    without, last = said(r"Accuracy without a delay, (\S+) %, is that of the (last) bin")
    assert last == "last"
    assert float(without) == round(100 * tree.measures("accuracy").iloc[0, 0], 1)
    assert rows["accuracy"].iloc[-1] == tree.measures("accuracy").loc["hoeffding_tree", "accuracy"]
    first, skill = rows.loc[0, ["accuracy", "kappa_temporal_delayed"]]
    told = said(r"on arrival the tree predicts (\S+) % correctly.*?\(κ_t\(d\) (\S+)\)")
    assert told == (f"{100 * first:.1f}", f"{skill:.2f}")
