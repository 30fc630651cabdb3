"""The numbers in the text of the README and of the pages are those of runs."""

from __future__ import annotations

import inspect
import math
import re

import numpy as np
import pandas as pd
import pytest
from helpers.findings import IN_WORDS
from helpers.pages import documentation

import streameval as se
from streameval.api.learners import recipe
from streameval.api.wrappers import in_wrapper
from streameval.base.settings import ROOT
from streameval.evaluation.records import read_record
from streameval.evaluation.runs import RUNS
from streameval.evaluation.verdict_words import PART
from streameval.protocols.reevaluation import reevaluation
from streameval.significance.label_order import EXACT
from streameval.significance.stream_mean import LEAST_EFFECTIVE

PAGE = documentation()


def said(pattern: str) -> tuple[str, ...]:
    (found,) = set(re.findall(pattern, PAGE))  # the same wherever it is said again
    return found if isinstance(found, tuple) else (found,)


@pytest.fixture(scope="module")
def tree():
    return se.evaluate(se.load("elec2"), "hoeffding_tree")


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


def test_wrappers():
    rows = re.findall(r"\| `(temporal\S+)` \|[^|]+(?:\\\|[^|]+)*\| (\S+) \| (\S+) \|", PAGE)
    assert len(rows) == 4
    stream = se.load("elec2")
    for wrapper, *expected in rows:
        found = se.evaluate(stream, {"it": in_wrapper(recipe("hoeffding_tree"), wrapper)})
        values = found.measures("accuracy", "kappa_temporal").loc["it"]
        assert [f"{value:.4f}".replace("-", "−") for value in values] == expected, wrapper


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


def test_accuracy_on_arrival(tree):
    found = se.evaluate(se.load("elec2"), "hoeffding_tree", delay=47).bins(5)
    rows = found[found["learner"] == "hoeffding_tree"].set_index("bin")
    without, last = said(r"Accuracy without a delay, (\S+) %, is that of the (last) bin")
    assert last == "last"
    assert float(without) == round(100 * tree.measures("accuracy").iloc[0, 0], 1)
    alone = tree.predictions.iloc[48:]  # the first 48 come before any label, which bins leave out
    assert {*rows["predictions"]} == {len(alone)}
    right = alone["hoeffding_tree"].astype(str) == alone["true"].astype(str)
    assert rows["accuracy"].iloc[-1] == right.mean()
    first, skill = rows.loc[0, ["accuracy", "kappa_temporal_delayed"]]
    told = said(r"on arrival the tree predicts (\S+) % correctly.*?\(κ_t\(d\) (\S+)\)")
    assert told == (f"{100 * first:.1f}", f"{skill:.2f}")


def test_what_recorded_runs_are_and_took():
    middle, paper = (
        read_record(ROOT / "resources/recorded/bifet2015" / name) for name in ("middle", "paper")
    )
    hours = [sum(it["core_hours"] for it in one.streams.values()) for one in (middle, paper)]
    settings = [one.about["settings"] for one in (middle, paper)]
    assert said(
        r"(\S+) streams up to (\S+) instances, with (\d+) runs each, which took (\S+) core-hours, "
        r"and (\w+) at full length with (\d+) runs each, which took (\S+)\. "
    ) == (
        str(len(middle.streams)),
        f"{max(settings[0]['instances']):,}",
        str(settings[0]["runs"]),
        f"{hours[0]:.1f}",
        IN_WORDS[len(paper.streams)],
        str(settings[1]["runs"]),
        f"{hours[1]:.1f}",
    )
    rates = pd.read_csv(ROOT / "resources/recorded/bifet2015/middle/elec2.rates.csv")
    assert said(r"compares (\w+) tests on forests") == (IN_WORDS[rates["test"].nunique()],)


def test_how_much_longer_the_task_of_moa_takes():
    (row,) = pd.read_csv(ROOT / "benchmarks/type_errors.csv").to_dict("records")
    times, passes = said(r"MOA's own task takes (\S+) times as long .*? needs (\w+) times as many")
    assert times == str(row["times_moa"])
    assert passes == {4: "four"}[row["passes_moa"] // row["passes_ours"]]


def test_the_streams_of_the_verdicts():
    record = pd.read_csv(ROOT / "resources/recorded/beyond/verdict_calibration.csv")
    streams, instances = said(r"compared on (\d+) fresh streams of (\S+) instances")
    of_length = record[record["instances"] == int(instances.replace(",", ""))]
    assert set(of_length["streams"]) == {int(streams)}


def test_how_verdicts_are_given():
    assert said(r"those that draw at random run (\w+) times") == ({5: "five"}[RUNS],)
    assert said(r"by default (\d+) % of the error of the better") == (f"{100 * PART:g}",)
    assert said(r"worth fewer than (\d+) independent instances") == (str(LEAST_EFFECTIVE),)


def test_defaults_and_limits_that_the_page_names():
    defaults = inspect.signature(se.Result.bins).parameters
    every = inspect.signature(reevaluation).parameters["every"].default
    assert said(r"again after every (\d+) labels of others \(`--every`\)") == (str(every),)
    assert said(r"is divided into (\d+) bins \(`--bins`\)") == (str(defaults["bins"].default),)
    assert said(r"exactly for two classes or up to (\d+) labels") == (str(EXACT),)
