"""Compute values for the first page, the pages of the documentation and the paper."""

from __future__ import annotations

import inspect
import math
from functools import cache

import pandas as pd

import streameval as se
from findings.errata import PUBLISHED
from findings.groups import FROM_FILES, Values
from findings.streams import stream_of
from findings.text import in_words, number, percent, texts
from streameval.api.learners import recipe
from streameval.api.wrappers import wrap_by_text
from streameval.base.settings import ROOT
from streameval.evaluation.records import read_record
from streameval.evaluation.runs import RUNS
from streameval.learners.registry import built_in_learners
from streameval.learners.tasks import CLASSIFICATION, REGRESSION
from streameval.protocols.reevaluation import reevaluation
from streameval.significance.label_order import MAX_EXACT
from streameval.significance.simultaneous import MIN_JUDGED_SIZE, SIZE_PER_SQUARED_SKEWNESS
from streameval.significance.stream_mean import MIN_EFFECTIVE_SIZE

#: Wrappers of the table in ``previous_labels.md``, by the names of its values.
_WRAPPERS = {
    "label": "temporally_augmented",
    "labels_and_inputs": "temporally_augmented:2:1",
    "correction": "temporal_correction:0.001",
    "correction_2": "temporal_correction:0.001:2",
}


@cache
def _tree() -> se.Result:
    return se.evaluate(stream_of("elec2"), "hoeffding_tree")


@FROM_FILES.add
def opening() -> Values:
    """Hoeffding tree on electricity beside its baselines, with and without a delay."""
    result = _tree()
    table = result.measures("accuracy", "kappa", "kappa_temporal")
    late = se.evaluate(result.stream, "hoeffding_tree", delay=47).bins(5)
    late = late[late["learner"] == "hoeffding_tree"].set_index("bin")
    alone = result.predictions.iloc[48:]  # the first 48 come before any label, which bins leave out
    is_correct = alone["hoeffding_tree"].astype(str) == alone["true"].astype(str)
    assert late["accuracy"].iloc[-1] == is_correct.mean()
    tree = table.loc["hoeffding_tree"]
    return texts(
        rows=len(result.stream),
        tree=percent(tree["accuracy"]),
        majority=percent(table.loc["majority", "accuracy"]),
        no_change=percent(table.loc["no_change", "accuracy"]),
        kappa=number(tree["kappa"], 2),
        kappa_temporal=number(tree["kappa_temporal"], 2),
        on_arrival=percent(late.loc[0, "accuracy"]),
        skill_on_arrival=number(late.loc[0, "kappa_temporal_delayed"], 2),
    )


@FROM_FILES.add
def literature() -> Values:
    """Published accuracies on electricity below that of No-Change."""
    table = pd.read_csv(PUBLISHED / "zliobaite2015" / "elec2_literature.csv")
    table = table[table["in_bifet2013_table1"] == 1]
    others = table[~table["algorithm"].str.contains("No-Change|Persistent")]
    no_change = 100 * _tree().measures("accuracy").loc["no_change", "accuracy"]
    below = int((others["accuracy_percent"] < no_change).sum())
    return texts(
        count=len(others), below=below, count_word=in_words(len(others)), below_word=in_words(below)
    )


@FROM_FILES.add
def wrappers() -> Values:
    """Accuracy and κ-temporal of a Hoeffding tree in wrappers, on electricity."""
    values = {"smoothing": _WRAPPERS["correction"].partition(":")[2]}
    for name, wrapper in _WRAPPERS.items():
        result = se.evaluate(
            stream_of("elec2"), {"it": wrap_by_text(recipe("hoeffding_tree"), wrapper)}
        )
        row = result.measures("accuracy", "kappa_temporal").loc["it"]
        values[name] = number(row["accuracy"], 4)
        values[f"{name}_kappa"] = number(row["kappa_temporal"], 4)
    return texts(**values)


@FROM_FILES.add
def demand() -> Values:
    """Hours of ``examples/demand.csv`` without rain, and how Naive Bayes predicts them."""
    stream = se.read(ROOT / "examples" / "demand.csv", target="rain", drop=["time", "count"])
    table = se.evaluate(stream, "naive_bayes").measures("accuracy")["accuracy"]
    rain = pd.read_csv(ROOT / "examples" / "demand.csv")["rain"]
    return texts(
        dry=percent((rain == 0).mean()),
        bayes=percent(table["naive_bayes"], 2),
        majority=percent(table["majority"], 2),
    )


@FROM_FILES.add
def effective() -> Values:
    """Effective sample size of the comparison in ``which_test.md``."""
    pair = se.compare(stream_of("elec2"), ["hoeffding_tree", "hoeffding_adaptive_tree"]).pairs[0]
    return texts(instances=len(stream_of("elec2")), independent=round(pair.effective_size))


@FROM_FILES.add
def label_delay() -> Values:
    """Instances between an instance and its label, with the same setting in several tools."""
    setting = 1000
    return texts(setting=str(setting), few=setting - 1, many=setting)


@FROM_FILES.add
def parts() -> Values:
    """Counts and defaults of the package."""
    return texts(
        classifiers=in_words(len(built_in_learners(CLASSIFICATION))),
        regressors=in_words(len(built_in_learners(REGRESSION))),
        runs=in_words(RUNS),
        least_effective=MIN_EFFECTIVE_SIZE,
        bins=inspect.signature(se.Result.bins).parameters["bins"].default,
        every=inspect.signature(reevaluation).parameters["every"].default,
        exact=MAX_EXACT,
        judged_size=MIN_JUDGED_SIZE,
        skewness_factor=SIZE_PER_SQUARED_SKEWNESS,
        bootstrap=percent(1 - math.exp(-1), 0),  # Poisson(1) leaves out 1/e of the instances
        cross_validation=percent(9 / 10, 0),
        split=percent(1 / 10, 0),
    )


@FROM_FILES.add
def records() -> Values:
    """Size and cost of the recorded runs of tests."""
    folder, values = ROOT / "resources" / "recorded" / "bifet2015", {}
    for name in ("middle", "paper"):
        record = read_record(folder / name)
        values |= {
            f"{name}_streams": in_words(len(record.streams)),
            f"{name}_runs": record.description["settings"]["runs"],
            f"{name}_hours": number(sum(run["core_hours"] for run in record.streams.values())),
        }
    longest = max(read_record(folder / "middle").description["settings"]["instances"])
    tests = pd.read_csv(folder / "middle" / "elec2.rates.csv")["test"].nunique()
    return texts(**values, middle_instances=longest, tests=in_words(tests))


@FROM_FILES.add
def benchmarks() -> Values:
    """Measured times, beside those of MOA."""
    throughput, compilation, errors = (
        pd.read_csv(ROOT / "benchmarks" / f"{name}.csv")
        for name in ("throughput", "compilation", "type_errors")
    )
    assert throughput["equal_answers"].all()
    assert {*built_in_learners(CLASSIFICATION)} <= {*compilation["learner"]}
    (task,) = errors.to_dict("records")
    return texts(
        pairs=len(throughput),
        least=number(throughput["times_moa"].min()),
        most=number(throughput["times_moa"].max()),
        seconds=number(compilation.set_index("learner").loc["all of them", "first_seconds"], 0),
        task=number(task["times_moa"]),
        passes=in_words(int(task["passes_moa"] // task["passes_ours"])),
    )


@FROM_FILES.add
def published() -> Values:
    """Counts of what the papers print, as entered."""
    claims = [pd.read_csv(path) for path in sorted(PUBLISHED.glob("*/claims.csv"))]
    table = pd.read_csv(PUBLISHED / "grzenda2019" / "table1.csv")
    return texts(
        papers=in_words(len(claims)),
        claims=sum(map(len, claims)),
        learners=in_words(table["learner"].nunique()),
        streams=in_words(table["stream"].nunique()),
        accuracies=table["accuracy_percent"].notna().sum(),
    )
