"""Measures of a re-evaluation by bin, of predictions that are kept or binned piece by piece.

Grzenda, Gomes, Bifet (2019), Section 4.1.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from streameval.errors import DataError
from streameval.evaluation.reevaluated import Reevaluated
from streameval.learners.learner import AnyLearner, Learner
from streameval.learners.predictions import P, PredictedValues, Predictions
from streameval.measures.classification import accuracy, kappa, kappa_m, kappa_temporal
from streameval.measures.moa import against_moa
from streameval.measures.tally import tally
from streameval.protocols.bins import Binned, Binning
from streameval.protocols.reevaluation import PredictionEvents
from streameval.protocols.tape import Tape

#: The columns of `bin_table`, and of `rule_differences`.
BIN_COLUMNS = ("bin", "accuracy", "kappa", "kappa_temporal", "kappa_m", "predictions", "calculated")
RULE_COLUMNS = ("bin", "predictions", "differing", "accuracy", "other_accuracy")

#: Learners whose votes are never empty in MOA: before a label is learnt they vote for class 0, or
#: with 0 for each class. For all others see `silent` of `binned_labels`. In the paper's Table 1 it
#: decides b = 45 on Agrawal: Naive Bayes has no votes then, the Hoeffding tree has.
ALWAYS_VOTING = frozenset({"no_change", "knn", "hoeffding_tree"})


def silent(learner: str) -> bool | None:
    """Return what `streameval.protocols.bins.binned_labels` takes as `silent` for a learner."""
    return False if learner in ALWAYS_VOTING else None


def bin_table(
    true: ArrayLike,
    binned: Binned,
    n_classes: int,
    baselines: tuple[Binned, Binned] | None = None,
) -> pd.DataFrame:
    """Return measures of what counts in each bin.

    Parameters
    ----------
    true : array-like of int, shape (s,)
        True labels, in the order of their arrival.
    binned : Binned
        What counts for these instances.
    n_classes : int
        Declared number of classes.
    baselines : tuple of Binned, optional
        What counts for No-Change and Majority over the same tape: κ_t and κ_m compare with them in
        the same bin. By default the comparators are those of MOA's evaluator, as in the published
        program: κ_t compares with the previous label of the bin, class 0 before the first, and κ_m
        with the most frequent one, which has already counted the label itself. Both know labels
        that no learner has when it predicts, and are the same in all bins. A missing prediction is
        wrong in either case.

    Returns
    -------
    DataFrame
        `BIN_COLUMNS`, a row for each of the bins 0, ..., B + 1: fractions of 1, how many instances,
        and for how many of them a prediction is made in the bin.

    Raises
    ------
    DataError
        If there is not one true label for each instance, or a label is out of range.
    """
    labels = _one_each(true, binned)
    columns = dict[str, ArrayLike](bin=np.arange(binned.values.shape[1]))
    # Measures go through a bin at a time.
    by_bin, *others = (np.ascontiguousarray(one.values.T) for one in (binned, *(baselines or ())))
    if baselines is None:
        columns |= against_moa(labels, by_bin, n_classes)._asdict()
    else:
        counts = [
            tally(labels, predicted, n_classes, no_change=no_change, majority=majority)
            for predicted, no_change, majority in zip(by_bin, *others, strict=True)
        ]
        for measure in (accuracy, kappa, kappa_temporal, kappa_m):
            columns[measure.__name__] = [float(measure(one)) for one in counts]
    columns |= {"predictions": len(labels), "calculated": binned.made.sum(axis=0)}
    return pd.DataFrame(columns, columns=[*BIN_COLUMNS])


def rule_differences(true: ArrayLike, one: Binned, other: Binned) -> pd.DataFrame:
    """Return by how much two rules of binning differ on the same predictions.

    Parameters
    ----------
    true : array-like of int, shape (s,)
        True labels, in the order of their arrival.
    one, other : Binned
        What counts by either rule.

    Returns
    -------
    DataFrame
        `RULE_COLUMNS`: how many instances, for how many of them another label counts, and the
        accuracy by either rule, a fraction of 1.

    Raises
    ------
    DataError
        If the two are not of the same instances and bins.
    """
    labels = _one_each(true, one)
    if one.values.shape != other.values.shape:
        raise DataError(
            f"Bins: expected the same instances and bins twice, found shapes {one.values.shape} "
            f"and {other.values.shape}."
        )
    n = len(labels)
    columns = {
        "bin": np.arange(one.values.shape[1]),
        "predictions": n,
        "differing": (one.values != other.values).sum(axis=0),
    }
    for name, binned in (("accuracy", one), ("other_accuracy", other)):
        correct = (binned.values == labels[:, None]).sum(axis=0)
        columns[name] = correct / n if n else np.full(len(correct), np.nan)
    return pd.DataFrame(columns, columns=[*RULE_COLUMNS])


def _one_each(true: ArrayLike, binned: Binned) -> np.ndarray:
    labels = np.asarray(true)
    if labels.shape != binned.values.shape[:1]:
        raise DataError(
            f"Bins: expected true labels of shape {binned.values.shape[:1]}, one for each "
            f"instance, found {labels.shape}."
        )
    return labels


def class_bins(
    made: Reevaluated, learner: Learner, ways: Sequence[tuple[int, str]]
) -> tuple[list[Binned], float]:
    """Run a classifier, and return what counts in each bin and the CPU seconds of the run.

    Parameters
    ----------
    made : Reevaluated
        The stream and the plan of its re-evaluation.
    learner : Learner
        The learner.
    ways : sequence of tuple of int and str
        Numbers of bins and rules, as of `streameval.protocols.bins.binned_labels`.

    Returns
    -------
    list of Binned
        For each of the ways.
    seconds : float
    """
    waits, k = made.plan.waits, made.stream.n_classes
    binnings, seconds = [Binning(waits, bins, rule, k) for bins, rule in ways], 0.0
    run: Iterator[tuple[PredictionEvents, Predictions]] = _in_pieces(made, learner, seed=1)
    for polls, found in run:
        seconds += found.seconds
        for binning in binnings:
            binning.labels(polls, found.label, silent=silent(learner.name))
    return [binning.binned for binning in binnings], seconds


def number_bins(
    made: Reevaluated, regressor: AnyLearner[PredictedValues], bins: int, rule: str, seed: int = 1
) -> tuple[Binned, float]:
    """Run a regressor, and return what counts in each bin and the CPU seconds of the run.

    Parameters
    ----------
    made : Reevaluated
        The stream and the plan of its re-evaluation.
    regressor : AnyLearner
        The regressor.
    bins, rule
        See `streameval.protocols.bins.binned_values`.
    seed : int
        Seed of a randomised regressor.
    """
    binning, seconds = Binning(made.plan.waits, bins, rule), 0.0
    for polls, found in _in_pieces(made, regressor, seed):
        seconds += found.seconds
        binning.values(polls, found.value)
    return binning.binned, seconds


def _in_pieces(
    made: Reevaluated, learner: AnyLearner[P], seed: int
) -> Iterator[tuple[PredictionEvents, P]]:
    """Yield what the predictions of each piece are for, and the predictions."""
    waiting = deque[PredictionEvents]()

    def tapes() -> Iterator[Tape]:
        for tape, polls in made.plan.pieces():
            waiting.append(polls)
            yield tape

    for found in learner.play_pieces(made.stream, tapes(), seed):
        yield waiting.popleft(), found
