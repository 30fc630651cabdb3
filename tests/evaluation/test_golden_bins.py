"""Bins of the published program on its authors' streams, and Table 1 of the paper."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from helpers.binned import binned_labels, until

from streameval.base.settings import ROOT
from streameval.evaluation.bins import END_COLUMNS, bin_table
from streameval.evaluation.delays import ALWAYS_VOTING
from streameval.evaluation.over_bins import over_bins
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.knn import KNN
from streameval.learners.registry import load_learners
from streameval.learners.trees.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.protocols.reevaluation import NEVER, REPEATED, reevaluation
from streameval.streams.making import synthesise
from streameval.streams.registry import load_registry

LEARNERS = {
    "naive_bayes": NaiveBayes(),
    "no_change": NoChange(),
    "majority": Majority(),
    "knn": KNN(),
    "hoeffding_tree": HoeffdingTree(),
    "hoeffding_adaptive_tree": HoeffdingAdaptiveTree(),
    # The row of the configuration, as all others of these ids are.
    "adaptive_random_forest": load_learners(ROOT / "config" / "learners.yaml")[
        "adaptive_random_forest_2017"
    ].make(),
}
MEASURES = ["accuracy", "kappa", "kappa_temporal", "kappa_m"]


@cache
def polls_of(stream_name, read, ties):
    stream = read(stream_name)
    return (stream, *reevaluation(stream.time, stream.label_time, 10, ties))


@cache
def predicted(stream_name, read, learner, ties):
    """Labels of a learner, which several tables look at."""
    stream, tape, _ = polls_of(stream_name, read, ties)
    return LEARNERS[learner].run(stream, tape).label


def binned(stream_name, read, learner, ties="instance"):
    silent = False if learner in ALWAYS_VOTING else None
    label = predicted(stream_name, read, learner, ties)
    return binned_labels(
        polls_of(stream_name, read, ties)[2], label, 50, "published", without_votes=silent
    )


def correct_of(counted, true):
    """Correct predictions by bin; one that is missing is scored as class 0."""
    return (np.maximum(counted.values, 0) == true[:, None]).sum(axis=0)


# --- All bins of the published program --------------------------------------------------


@cache
def golden():
    """Rows by stream, number of labels, and learner.

    They were printed by mgrzenda/ContinuousReEvaluation at 8eeeb49 over the authors' own files,
    with 50 bins, a prediction every 10 labels, and an evaluator whose window is longer than the
    streams: correct predictions and, in percent and six decimals, kappa, kappa temporal and kappa
    M; and how many of the predictions were calculated rather than carried forward.
    """
    rows_by_key = {}
    with Path(__file__).with_name("reevaluated_bins.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            key = row["stream"], int(row["labels"]), row["learner"]
            rows_by_key.setdefault(key, []).append([*map(float, [*row.values()][3:])])
    return {key: np.array(rows) for key, rows in rows_by_key.items()}


@pytest.mark.parametrize("key", golden(), ids=str)
def test_all_bins_of_the_published_program(real_stream, key):
    name, labels, learner = key
    stream, _, prediction_events = polls_of(name, real_stream, "instance")
    counted = until(binned(name, real_stream, learner), labels)
    true = stream.y[prediction_events.labelled_rows][:labels]
    table = bin_table(true, counted, stream.n_classes)
    expected = golden()[key]
    assert table["bin"].tolist() == expected[:, 0].tolist()
    correct = correct_of(counted, true)
    assert correct.tolist() == expected[:, 1].tolist()
    np.testing.assert_allclose(table["accuracy"], correct / labels, rtol=1e-12)
    kappas = 100 * table[["kappa", "kappa_temporal", "kappa_m"]]
    np.testing.assert_allclose(kappas, expected[:, 2:5], rtol=0, atol=5e-7)
    assert table["calculated"].tolist() == expected[:, 5].tolist()
    # IntermediateMeasures takes one number from these bins: the maximum of all 52, and the mean of
    # the first 51 with weights exp(ln λ · b/B) that sum to 1, of each measure alone, for these λ.
    bins = table.assign(learner=learner)
    bins[END_COLUMNS] = np.nan
    lambdas = (1.0, 0.5, 0.25, 0.1, 0.01)
    right = {learner: counted.values == true[:, None]}
    weights = {str(weight): weight for weight in lambdas}
    value = over_bins(bins, right, weights, MEASURES).set_index(["weights", "measure"])["value"]
    for column, measure in enumerate(MEASURES, 1):
        printed = expected[:, column] / (labels if measure == "accuracy" else 100)
        assert value["maximum", measure] == pytest.approx(printed.max(), abs=1e-8)
        for weight in lambdas:
            by = np.exp(np.log(weight) * np.arange(51) / 50)
            mean = (printed[:51] * by).sum() / by.sum()
            assert value[str(weight), measure] == pytest.approx(mean, abs=1e-8)


def test_what_is_pending_at_the_end(real_stream):
    # The same program at the end of this file: "Instances in buffer count" 100, "Predictions in
    # buffer count" 450, "Average reprediction count" 7.164.
    stream = real_stream("hyperplane_delayed")
    _, prediction_events = reevaluation(stream.time, stream.label_time, pending=True)
    is_pending = stream.label_time == NEVER
    assert is_pending.sum() == 100
    again = prediction_events.row[prediction_events.kind == REPEATED]
    assert is_pending[again].sum() == 450
    assert (~is_pending[again]).sum() / 250 == 7.164


# --- Table 1 ----------------------------------------------------------------------------

#: Streams of Table 1, their names, and what comes first at equal times.
STREAMS = {
    "hyperplane": ("hyperplane_delayed", "instance"),
    "dataexpo_atl": ("dataexpo_atl", "instance"),
    "elec2_dayahead": ("elec2_dayahead", "instance"),
    "agrawal": ("agrawal_delayed", "instance"),
    "led": ("led_delayed", "label"),
}
GENERATED = ("agrawal", "led")
#: Cells of seconds each, whose values only `make verify` compares.
LONG = [(stream, "knn") for stream in (*GENERATED, "elec2_dayahead")]
LONG += [("led", "adaptive_random_forest")]


@cache
def generated(name):
    return synthesise(load_registry()[name])


@cache
def table_1():
    """Percentages by stream, learner and number of labels, for b = 0, 45, B + 1; as printed."""
    path = ROOT / "resources" / "published" / "grzenda2019" / "table1.csv"
    rows_by_key = {}
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            learner = {"majority_class": "majority"}.get(row["learner"], row["learner"])
            key = row["stream"], learner, int(row["labelled_instances"])
            rows_by_key.setdefault(key, {})[row["bin"]] = row["accuracy_percent"]
    return {key: values for key, values in rows_by_key.items() if key[0] in STREAMS}


def check_table_1(key, read):
    column, learner, labels = key
    name, ties = STREAMS[column]
    stream, _, prediction_events = polls_of(name, read, ties)
    counted = until(binned(name, read, learner, ties=ties), labels)
    correct = correct_of(counted, stream.y[prediction_events.labelled_rows][:labels])
    # Halves are printed as the floats fall: 9.755 as 9.75, 10.585 as 10.59.
    counted = {
        b: f"{correct[-1 if b == 'B+1' else int(b)] / labels * 100:.2f}" for b in table_1()[key]
    }
    assert counted == table_1()[key]


def keys(*streams):
    return [key for key in table_1() if key[0] in streams and key[:2] not in LONG]


def test_table_1_has_105_cells_of_these_streams():
    assert len(table_1()) * 3 == 105


@pytest.mark.parametrize("key", keys(*GENERATED), ids=str)
def test_table_1_on_generated_streams(key):
    check_table_1(key, generated)


@pytest.mark.parametrize("key", keys("hyperplane", "dataexpo_atl", "elec2_dayahead"), ids=str)
def test_table_1_on_real_streams(real_stream, key):
    check_table_1(key, real_stream)
