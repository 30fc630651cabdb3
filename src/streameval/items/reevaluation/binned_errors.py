"""Errors of regressors by bin, with simultaneous intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from streameval.evaluation.bins import bin_measures, bin_table, differences_by_bin, skills_by_bin
from streameval.evaluation.reevaluation import run_in_bins
from streameval.evaluation.roles import BEST, FIRST, REGRESSION_BASELINES, TARGET_MEAN
from streameval.evaluation.task import REGRESSION_TASK, Gains
from streameval.items.inputs import StreamInput
from streameval.items.reevaluated import reevaluate_input
from streameval.items.reevaluation import BinnedErrorsSettings
from streameval.items.reevaluation.binned_measures import reevaluation_size
from streameval.learners.regression.baselines import with_regression_baselines
from streameval.significance.intervals import mean_interval


def study(stream_input: StreamInput[BinnedErrorsSettings]) -> dict[str, pd.DataFrame]:
    """The mean absolute errors by bin, contrasts, skills, and the size of the stream.

    There are three intervals. Two are over the labels and any seeds: for each bin (low, high), and
    for all bins together (band_low, band_high). The third is over the seeds alone (seeds_low,
    seeds_high). The baselines are among the learners.
    """
    settings = stream_input.settings
    run = reevaluate_input(stream_input, settings.every)
    scored = run.scored(settings.rule)
    true = run.stream.y[run.prediction_events.labelled_rows[scored]]
    gains, tables = dict[str, Gains](), dict[str, list[pd.DataFrame]]()
    learners = stream_input.learners()
    for name, learner in with_regression_baselines(learners).items():
        seconds, total = 0.0, np.zeros((len(true), settings.bins + 2))
        tables_by_run = tables.setdefault(name, [])
        for seed in range(1, settings.seeds.get(name, 1) + 1):
            binnings = [(settings.bins, settings.rule)]
            (predictions,), run_seconds = run_in_bins(run, learner, binnings, seed, scored=scored)
            seconds += run_seconds
            tables_by_run.append(bin_table(true, predictions))
            total += REGRESSION_TASK.gain(true[:, None], predictions.values)
        stream_input.announce(f"{name}: {seconds:.2f} s")
        gains[name] = total / len(tables_by_run)
    bins = bin_measures(REGRESSION_TASK, tables, gains, REGRESSION_BASELINES)
    baselines = REGRESSION_TASK.baselines_of(gains)
    others = [name for name in gains if name not in baselines]
    return {
        "bins": pd.concat([bins, _seed_intervals(tables)], axis=1),
        "contrasts": differences_by_bin(
            {name: gains[name] for name in learners}, BEST, TARGET_MEAN, FIRST
        ),
        "skills": skills_by_bin(REGRESSION_TASK, gains, others, baselines),
        "size": reevaluation_size(run, stream_input.simulated).assign(
            target=run.stream.schema.target
        ),
    }


def _seed_intervals(tables: Mapping[str, Sequence[pd.DataFrame]]) -> pd.DataFrame:
    """The intervals over the seeds alone, by learner and bin."""
    rows = []
    for tables_by_run in tables.values():
        seeds = len(tables_by_run)
        for errors in zip(
            *(table[REGRESSION_TASK.measure] for table in tables_by_run), strict=True
        ):
            _, low, high = mean_interval(errors) if seeds > 1 else (np.nan, np.nan, np.nan)
            rows.append((seeds, low, high))
    return pd.DataFrame(rows, columns=["seeds", "seeds_low", "seeds_high"])
