"""Measures of learners in each bin of the time to the label, with simultaneous intervals."""

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

#: The measures that are also summarised over all bins: by a weighted mean and by the best bin.
OVER_BINS_MEASURES: tuple[str, ...] = get_args(BinMeasure)


def study(stream_input: StreamInput[BinnedMeasuresSettings]) -> dict[str, pd.DataFrame]:
    """The frames of a stream.

    - ``bins``: accuracy, κ and skills by learner and bin. A band holds for all bins together.
    - ``contrasts``: differences in accuracy from the best other learner and from No-Change, by bin.
    - ``stages``: accuracy in the bins of the setting `stages`, over time.
    - ``pairs``: differences between any two cells. A cell is a learner in one of the bins of
      `stages` or in bin B. The frame is empty without `stages`.
    - ``skills``: skills with intervals, by bin.
    - ``weighted``: weighted means over bins, and the best bin.
    - ``rules``: accuracy by the binning rule of the published program, and by the paper's rule.
    - ``size``: numbers of instances, labels and attributes.
    """
    settings = stream_input.settings
    run = reevaluate_input(stream_input, settings.every)
    scored = run.scored(settings.rule)
    labelled = run.prediction_events.labelled_rows[scored]
    true = run.stream.y[labelled]
    learners = stream_input.learners()
    gains, tables, rules = dict[str, Gains](), {}, []  # gains: whether predictions are correct
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
            differences = rule_differences(true, *(by_rule[rule] for rule in RULES))
            rules.append(differences.assign(learner=name))
    correct = {name: gains[name] for name in learners}
    bins = bin_measures(CLASSIFICATION_TASK, tables, gains, CLASSIFICATION_BASELINES)
    bins = bins.drop(columns="missing")  # missing predictions count as wrong
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
    """A row with the numbers of instances, labels, pending labels and attributes of a run."""
    n_instances, n_labels = len(run.stream), len(run.prediction_events.labelled_rows)
    return pd.DataFrame(
        {
            "instances": [n_instances],
            "labels": n_labels,
            "pending": n_instances - n_labels,
            "attributes": run.stream.schema.n_attributes,
            "simulated": simulated,
        }
    )
