"""Measures of learners by bin, with simultaneous intervals."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd

from streameval.evaluation.bins import (
    RULE_COLUMNS,
    bin_measures,
    bin_table,
    correct_by_label_count,
    differences_between_bins,
    differences_by_bin,
    rule_differences,
    skills_by_bin,
)
from streameval.evaluation.over_bins import over_bins
from streameval.evaluation.reevaluation import ReevaluatedStream, run_in_bins
from streameval.evaluation.roles import BEST, CLASSIFICATION_BASELINES, NO_CHANGE
from streameval.evaluation.task import CLASSIFICATION_TASK, Gains
from streameval.items.inputs import StreamInput
from streameval.items.reevaluated import label_dates, reevaluate_input
from streameval.items.reevaluation import BinMeasure, BinnedMeasuresSettings
from streameval.learners.baselines import with_classification_baselines
from streameval.protocols.bins import RULES

#: The measures that have a single number for all bins, too.
OVER_BINS_MEASURES: tuple[str, ...] = get_args(BinMeasure)


def study(stream_input: StreamInput[BinnedMeasuresSettings]) -> dict[str, pd.DataFrame]:
    """Accuracies and κ by bin, contrasts, stages, skills, and the size of the stream.

    ``pairs`` has differences between pairs of a learner and a bin, for the bins of ``stages`` and
    bin B. ``rules`` compares the published rule with the paper's. Bands are for all bins of an
    accuracy together.
    """
    settings = stream_input.settings
    run = reevaluate_input(stream_input, settings.every)
    scored = run.scored(settings.rule)
    labelled = run.prediction_events.scored[scored]
    true = run.stream.y[labelled]
    learners = stream_input.learners()
    gains, tables, rules = dict[str, Gains](), {}, []
    for name, learner in with_classification_baselines(learners).items():
        rules_of_learner = RULES if name in learners else (settings.rule,)
        binnings = [(settings.bins, rule) for rule in rules_of_learner]
        predictions_by_bin, seconds = run_in_bins(run, learner, binnings, scored=scored)
        stream_input.announce(f"{name}: {seconds:.2f} s")
        by_rule = dict(zip(rules_of_learner, predictions_by_bin, strict=True))
        predictions = by_rule[settings.rule]
        gains[name] = CLASSIFICATION_TASK.gain(true[:, None], predictions.values)
        if name in learners:
            tables[name] = [bin_table(true, predictions, run.stream.n_classes)]
            part = rule_differences(true, *(by_rule[rule] for rule in RULES))
            rules.append(part.assign(learner=name))
    correct = {name: gains[name] for name in learners}
    bins = bin_measures(CLASSIFICATION_TASK, tables, gains, CLASSIFICATION_BASELINES).drop(
        columns="missing"
    )
    over_time = correct_by_label_count(correct, settings.stages, settings.points)
    dates = label_dates(run.stream, labelled[over_time["labels"].astype(np.int64) - 1])
    skills = skills_by_bin(CLASSIFICATION_TASK, gains, [*learners], CLASSIFICATION_BASELINES).drop(
        columns="reason"
    )
    skills = skills.rename(columns={"baseline": "reference", "skill": "value"})
    return {
        "bins": bins,
        "contrasts": differences_by_bin(correct, BEST, NO_CHANGE),
        "stages": over_time.assign(**dates),
        "pairs": differences_between_bins(
            correct, sorted({*settings.stages, settings.bins}) if settings.stages else []
        ),
        "skills": skills[["learner", "bin", "reference", "value", "low", "high"]],
        "weighted": over_bins(bins, correct, settings.weights, OVER_BINS_MEASURES),
        "rules": pd.concat(rules, ignore_index=True)[["learner", *RULE_COLUMNS]],
        "size": reevaluation_size(run, stream_input.simulated),
    }


def reevaluation_size(run: ReevaluatedStream, simulated: bool) -> pd.DataFrame:
    """A row with numbers of instances, labels, pending labels and inputs of the evaluated part."""
    rows, labels = len(run.stream), len(run.prediction_events.scored)
    return pd.DataFrame(
        {
            "instances": [rows],
            "labels": labels,
            "pending": rows - labels,
            "attributes": run.stream.schema.n_attributes,
            "simulated": simulated,
        }
    )
