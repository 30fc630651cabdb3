"""The scores of a benchmark that a test over streams reads."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pandas as pd

from streameval.base.errors import ConfigError, listing, unknown_name_text


def select_scores(
    scores: pd.DataFrame, measure: str, learners: Sequence[str] | None
) -> pd.DataFrame:
    """Select the scores by one measure, of some learners or of all.

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
    by_measure = scores[scores["measure"] == measure]
    if learners is None:
        return by_measure
    _check("learner", learners, dict.fromkeys(by_measure["learner"]))
    return by_measure[by_measure["learner"].isin(learners)]


def _check(noun: str, names: Sequence[str], available: Collection[str]) -> None:
    for name in names:
        if name not in available:
            raise ConfigError(
                f"expected a {noun} of the benchmark, which has {listing(available)}; there is "
                f"{unknown_name_text(noun, name, available)}"
            )
