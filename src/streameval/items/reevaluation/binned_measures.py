"""Measures of learners by bin, with simultaneous intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.evaluation.bin_measures import (
    RULE_COLUMNS,
    bin_measures,
    contrasts,
    correct_in,
    rule_differences,
    skills,
    stages,
)
from streameval.evaluation.reevaluated import Reevaluated, run_in_bins
from streameval.evaluation.roles import COMPARATORS
from streameval.evaluation.running import with_comparators
from streameval.items.inputs import StreamInput
from streameval.items.reevaluated import of_given
from streameval.items.reevaluation.settings import BinMeasure, BinnedMeasuresSettings
from streameval.protocols.bins import RULES, Binned
from streameval.significance.stream_mean import stream_mean

#: The columns of `weighted`, and the measures that it has.
WEIGHTED = ("weights", "measure", "learner", "value", "low", "high")
WEIGHTED_MEASURES: tuple[str, ...] = get_args(BinMeasure)


def study(given: StreamInput[BinnedMeasuresSettings]) -> dict[str, pd.DataFrame]:
    """Return the frames of a figure.

    ``bins`` has measures by learner and bin, as fractions of 1: the interval of the accuracy
    (low, high), its band (band_low, band_high), the κ family of MOA's evaluator, and the two κ
    whose comparators have the same delays, in the same bin; see `bin_table`. ``contrasts`` is
    that of `contrasts`, ``stages`` that of `stages`, ``weighted`` that of
    `weighted`, ``skills`` that of
    `streameval.evaluation.bin_measures.skills`, with intervals of these two κ. ``rules`` is that of
    `rule_differences` there by learner: the published rule and the paper's.
    ``size`` is about the stream: its instances and labels, as far as it is evaluated, those still
    pending at the end, and its inputs.
    """
    settings = given.settings
    made = of_given(given, settings.every)
    true = made.stream.y[made.plan.waits.row]
    learners = given.learners()
    found, rules = dict[str, Binned](), []
    for name, learner in with_comparators(learners).items():
        wanted = RULES if name in learners else (settings.rule,)
        made_by, seconds = run_in_bins(made, learner, [(settings.bins, rule) for rule in wanted])
        given.announce(f"{name}: {seconds:.2f} s")
        by_rule = dict(zip(wanted, made_by, strict=True))
        found[name] = by_rule[settings.rule]
        if name in learners:
            part = rule_differences(true, *(by_rule[rule] for rule in RULES))
            rules.append(part.assign(learner=name))
    right = {name: correct_in(one, true) for name, one in found.items()}
    correct = {name: right[name] for name in learners}
    bins = bin_measures(true, found, correct, made.stream.n_classes)
    return {
        "bins": bins,
        "contrasts": contrasts(correct),
        "stages": stages(correct, settings.stages, settings.points),
        "skills": skills(correct, {name: right[name] for name in COMPARATORS}),
        "weighted": weighted(bins, correct, settings.weights),
        "rules": pd.concat(rules, ignore_index=True)[["learner", *RULE_COLUMNS]],
        "size": size_of(made, given.simulated),
    }


def size_of(made: Reevaluated, simulated: bool) -> pd.DataFrame:
    """Return a row with the size of the evaluated part of the stream."""
    rows, labels = len(made.stream), len(made.plan.labels)
    return pd.DataFrame(
        {
            "instances": [rows],
            "labels": labels,
            "pending": rows - labels,
            "attributes": made.stream.schema.n_attributes,
            "simulated": simulated,
        }
    )


def bin_weights(given: float | Sequence[float], bins: int) -> list[float]:
    """Return the weights of the bins 0, ..., B + 1.

    A number λ stands for λ^(b/B) in the bins b = 0, ..., B and 0 in the last one, by which the
    prediction just before the label does not count; without bins (0) λ leaves only the first
    prediction.

    References
    ----------
    Grzenda, Gomes, Bifet (2019), Delayed labelling evaluation for data streams, on weighted binned
    performance; their program of 2020, IntermediateMeasures, on λ.
    """
    if isinstance(given, int | float):
        return [float(given) ** (b / max(bins, 1)) for b in range(bins + 1)] + [0.0]
    return [float(weight) for weight in given]


def weighted(
    bins: pd.DataFrame,
    correct: Mapping[str, NDArray[np.bool_]],
    weights: Mapping[str, float | Sequence[float]],
) -> pd.DataFrame:
    """Return Ψ_w, the mean of a measure over bins with weights.

    `bins` has the columns learner, bin, and `WEIGHTED_MEASURES`, a row for each of the bins 0, ...,
    B + 1. `correct` says by learner whether what counts is correct, shape (s, B + 2), in the order
    of the labels; `weights` are those of `bin_weights`, by name.

    Columns `WEIGHTED`: value, NaN if the measure is undefined in a bin of positive weight, and for
    accuracy the ends of the 95 % interval, NaN for too few effective labels (`stream_mean`).
    """
    rows = []
    for name, given in weights.items():
        for learner, right in correct.items():
            by = np.array(bin_weights(given, right.shape[1] - 2))
            by /= by.sum()
            own = bins[bins["learner"] == learner].sort_values("bin")
            for measure in WEIGHTED_MEASURES:
                counted = own.loc[by > 0, measure].to_numpy(dtype=float)
                low, high = np.nan, np.nan
                if measure == "accuracy" and len(right):
                    found = stream_mean(sum(weight * right[:, b] for b, weight in enumerate(by)))
                    low, high = np.clip((found.low, found.high), 0.0, 1.0)
                value = float((counted * by[by > 0]).sum())
                rows.append((name, measure, learner, value, low, high))
    return pd.DataFrame(rows, columns=[*WEIGHTED])
