"""What the papers say about their figures, as predicates over a run's results.

To add one: a function from `Results` to `Condition`s in the paper's module, and a line in its
`PREDICATES` under the paper and the key that the claim has in ``resources/published/claims.csv``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streameval.report.claims import pitfalls, temporal
from streameval.report.claims.condition import Predicates
from streameval.report.results import Results

NOT_PART = "the study that it needs is not part of this version"

PREDICATES: Predicates = pitfalls.PREDICATES | temporal.PREDICATES


class Judgement(NamedTuple):
    """A checked claim; `share` is that of its conditions that hold, NaN where it was not run."""

    share: float
    verdict: str
    rule: str
    reason: str


def judge(paper: str, key: str, results: Results) -> Judgement:
    """Check a claim against the results of a run.

    Returns
    -------
    Judgement
        Verdict "holds" where every condition does, "does not hold" where one does not, and
        "not run" with the reason where there is nothing to check it on.
    """
    if (paper, key) not in PREDICATES:
        return Judgement(np.nan, "not run", "none: not run", NOT_PART)
    rule, check = PREDICATES[paper, key]
    outcome = check(results)
    if isinstance(outcome, str):
        return Judgement(np.nan, "not run", rule, outcome)
    share = sum(condition.holds for condition in outcome) / len(outcome)
    verdict = "holds" if share == 1 else "does not hold"
    numbers = "; ".join(
        condition.numbers if condition.holds else f"NOT {condition.numbers}"
        for condition in outcome
    )
    return Judgement(share, verdict, rule, numbers)
