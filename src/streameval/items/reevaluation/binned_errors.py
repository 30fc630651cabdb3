"""Errors of regressors by bin, with simultaneous intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streameval.base.arrays import Floats
from streameval.evaluation.bin_errors import (
    _SEEDS,
    MEASURED,
    error_table,
    gains,
    over_seeds,
    skills_by_bin,
    with_skills,
)
from streameval.evaluation.reevaluated import run_in_bins
from streameval.items.inputs import StreamInput
from streameval.items.reevaluated import of_given
from streameval.items.reevaluation.binned_measures import size_of
from streameval.items.reevaluation.settings import BinnedErrorsSettings
from streameval.learners.regression.baselines import with_baselines


def study(given: StreamInput[BinnedErrorsSettings]) -> dict[str, pd.DataFrame]:
    """Return the frames of a figure.

    ``bins`` has measures by learner and bin, means over the learner's seeds: the interval of the
    mean absolute error (low, high), over the labels and, if there are several, the seeds; its band
    for all bins together (band_low, band_high); and its interval over the seeds alone (seeds_low,
    seeds_high). The baselines of `BASELINES` are among the learners. ``contrasts`` is that of
    `gains`, of the learners that the item names; ``skills`` that of `skills_by_bin`. ``size`` is
    about the stream: its instances and labels, as far
    as it is evaluated, those still pending at the end, its inputs, and the name of its target.
    """
    settings = given.settings
    made = of_given(given, settings.every)
    scored = made.scored(settings.rule)
    true = made.stream.y[made.plan.waits.row[scored]]
    errors, parts = dict[str, Floats](), []
    named = given.regressors()
    for name, learner in with_baselines(named).items():
        tables, seconds, total = [], 0.0, np.zeros((len(true), settings.bins + 2))
        for seed in range(1, settings.seeds.get(name, 1) + 1):
            ways = [(settings.bins, settings.rule)]
            (found,), spent = run_in_bins(made, learner, ways, seed, scored=scored)
            seconds += spent
            tables.append(error_table(true, found))
            total += np.abs(found.values - true[:, None])
        given.announce(f"{name}: {seconds:.2f} s")
        errors[name] = total / len(tables)
        parts.append(over_seeds(tables, errors[name]).assign(learner=name))
    return {
        "bins": with_skills(pd.concat(parts, ignore_index=True), errors)[[*MEASURED, *_SEEDS]],
        "contrasts": gains({name: errors[name] for name in named}),
        "skills": skills_by_bin(errors),
        "size": size_of(made, given.simulated).assign(target=made.stream.schema.target),
    }
