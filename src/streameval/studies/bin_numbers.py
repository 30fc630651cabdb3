"""How the number of bins changes what a re-evaluation shows (Grzenda et al. 2019, Section 6.2)."""

from __future__ import annotations

import pandas as pd

from streameval.studies.binned_measures import binned, correct_in
from streameval.studies.given import Given
from streameval.studies.reevaluated import of_given
from streameval.studies.running import run_learners

COLUMNS = ["learner", "bins", "bin", "accuracy", "predictions"]


def study(given: Given) -> dict[str, pd.DataFrame]:
    """Return the frame of a figure: ``bin_numbers``.

    Its columns are learner, bins (B), bin (1, ..., B), accuracy (fraction of 1), predictions (how
    many instances). The first and the last prediction do not depend on B.
    """
    settings = given.settings
    stream, tape, polls = of_given(given, settings.every)
    learners = given.learners()
    table, _ = run_learners(stream, tape, learners)
    true, parts = stream.y[polls.scored], [pd.DataFrame(columns=COLUMNS)]
    for name, learner in learners.items():
        for bins in settings.numbers:
            found = binned(polls, table.predicted[name], learner, name, bins, settings.rule)
            accuracy = correct_in(found, true).mean(axis=0)[1:-1]
            part = {"learner": name, "bins": bins, "bin": range(1, bins + 1), "accuracy": accuracy}
            parts.append(pd.DataFrame(part | {"predictions": len(true)}))
    return {"bin_numbers": pd.concat(parts[1:] or parts, ignore_index=True)}
