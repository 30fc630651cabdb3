"""The scores of a benchmark that a test over streams reads."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pandas as pd

from streameval.base.errors import ConfigError, some, unknown


def scores_by(scores: pd.DataFrame, measure: str, learners: Sequence[str] | None) -> pd.DataFrame:
    """The scores of a measure and of some learners, or of all.

    Parameters
    ----------
    scores : DataFrame
        The frame ``scores`` of an item of the kind ``benchmark``.
    measure : str
        A measure of the benchmark.
    learners : sequence of str, optional
        Learners of the benchmark.

    Raises
    ------
    ConfigError
        If the benchmark lacks the measure, or one of the learners.
    """
    _check("measure", [measure], dict.fromkeys(scores["measure"]))
    chosen = scores[scores["measure"] == measure]
    if learners is None:
        return chosen
    _check("learner", learners, dict.fromkeys(chosen["learner"]))
    return chosen[chosen["learner"].isin(learners)]


def _check(what: str, names: Sequence[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise ConfigError(
                f"expected a {what} of the benchmark, which has {some(known)}; there is "
                f"{unknown(what, name, known)}"
            )
