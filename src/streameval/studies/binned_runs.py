"""Runs over a re-evaluation whose predictions are binned at once, piece by piece, and not kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from streameval.learners.learner import AnyLearner, Learner
from streameval.learners.predictions import P, PredictedValues, Predictions
from streameval.protocols.bins import Binned, Binning
from streameval.protocols.reevaluation import Polls
from streameval.protocols.tape import Tape
from streameval.studies.binned import silent
from streameval.studies.reevaluated import Reevaluated


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
    run: Iterator[tuple[Polls, Predictions]] = _in_pieces(made, learner, seed=1)
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


def _in_pieces(made: Reevaluated, learner: AnyLearner[P], seed: int) -> Iterator[tuple[Polls, P]]:
    """Yield what the predictions of each piece are for, and the predictions."""
    waiting = deque[Polls]()

    def tapes() -> Iterator[Tape]:
        for tape, polls in made.plan.pieces():
            waiting.append(polls)
            yield tape

    for found in learner.play_pieces(made.stream, tapes(), seed):
        yield waiting.popleft(), found
