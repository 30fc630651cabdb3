"""True and estimated error of k-fold prequential evaluation (Bifet et al. 2015, Theorem 2).

The stream is MOA's LED display without irrelevant inputs: 128 possible instances, whose
probabilities are known, so that the true error of a model is a sum and not another estimate.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.evaluation.summaries import summary
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.folds import SCHEMES, AtRandom
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import Tape, with_tests
from streameval.seeds import generator
from streameval.streams.generators.led import SEGMENTS, led
from streameval.streams.stream import Stream

Floats = NDArray[np.float64]

COLUMNS = ("scheme", "truth", "power", "quantity", "mean", "low", "high", "seeds")
#: Models, and per cent of the segments that are inverted.
FOLDS, NOISE = 10, 10
POWERS = (1, 2)
#: Largest number of times at which the true error of a model is computed.
_TIMES = 30


class Errors(NamedTuple):
    """Estimated and true errors of models; the true ones along the stream, and at its end."""

    estimated: Floats
    along: Floats
    end: Floats


def discrepancies(instances: int, runs: int) -> pd.DataFrame:
    """Simulate by how much estimated errors differ from true ones.

    Parameters
    ----------
    instances : int
        Length of each stream.
    runs : int
        Streams, at least 2; each has its own assignment of instances to folds.

    Returns
    -------
    pandas.DataFrame
        Columns `COLUMNS`: the mean over the runs of the absolute difference of true and estimated
        error to the `power`, with Student's t interval. `truth` says which error is true:
        ``along``, that of the models that were tested, each at the time of the test; or ``end``,
        that of the final models.
        Quantities: ``single``, one model over the whole stream; ``k_fold``, the means of true and
        of estimated errors over all folds; ``one_fold``, a fold alone; and their differences within
        runs.
    """
    rows = []
    for run in range(runs):
        seed = int(generator("theorem 2", run).integers(2**31))
        stream = led(instances, seed, NOISE, irrelevant=False)
        both, probabilities = _with_patterns(stream)
        single = _errors(both, prequential(instances), probabilities)
        for scheme, make in SCHEMES.items():
            allotment = AtRandom(("theorem 2", scheme, run))
            tapes = make(instances, FOLDS, allotment=allotment, tested="learnt")
            folds = [_errors(both, tape, probabilities) for tape in tapes]
            for truth in ("along", "end"):
                alone = abs(getattr(single, truth) - single.estimated)
                each = np.array([getattr(fold, truth) - fold.estimated for fold in folds])
                for power in POWERS:
                    joint = abs(each.mean()) ** power
                    one, first = np.mean(abs(each) ** power), alone**power
                    rows.append((scheme, truth, power, first, joint, one))
    found = pd.DataFrame(rows, columns=["scheme", "truth", "power", "single", "k_fold", "one_fold"])
    found["k_fold - single"] = found["k_fold"] - found["single"]
    found["one_fold - single"] = found["one_fold"] - found["single"]
    found["k_fold - one_fold"] = found["k_fold"] - found["one_fold"]
    quantities = list(found.columns[3:])
    return summary(found, ["scheme", "truth", "power"], quantities)


def pattern_probabilities() -> tuple[Floats, Floats]:
    """Return all instances of the LED display and their joint probabilities with the classes.

    Returns
    -------
    patterns : ndarray of float64, shape (128, 7)
        The segments: lit or not.
    probabilities : ndarray of float64, shape (128, 10)
        Of a pattern and a digit.
    """
    patterns = np.array(list(product((0.0, 1.0), repeat=SEGMENTS.shape[1])))
    inverted = (patterns[:, None, :] != SEGMENTS[None]).sum(axis=2)
    noise, n = NOISE / 100, SEGMENTS.shape[1]
    return patterns, noise**inverted * (1 - noise) ** (n - inverted) / len(SEGMENTS)


def _with_patterns(stream: Stream) -> tuple[Stream, Floats]:
    """Return a stream with all patterns behind it, and their probabilities."""
    patterns, probabilities = pattern_probabilities()
    unknown = np.zeros(len(patterns), dtype=np.int32)
    both = Stream(
        np.concatenate((stream.X, patterns)), np.concatenate((stream.y, unknown)), stream.schema
    )
    return both, probabilities


def _errors(both: Stream, tape: Tape, probabilities: Floats) -> Errors:
    """Run a learner over a tape and return its estimated and its true errors.

    The true error is computed at `_TIMES` times, which are close together where models change
    fast, and interpolated at the tests in between.
    """
    patterns = len(probabilities)
    n = len(both) - patterns
    times = np.unique(np.geomspace(1, n + 1, _TIMES).astype(np.int64)) - 1
    rows = np.tile(np.arange(n, n + patterns), (len(times), 1))
    full, is_test = with_tests(tape, times, rows)
    labels = NaiveBayes().play(both, full).label.astype(np.int64)
    tested = full.predict_rows[~is_test]
    estimated = np.mean(labels[~is_test] != both.y[tested])
    known = labels[is_test].reshape(rows.shape)
    right = np.where(known >= 0, probabilities[np.arange(patterns), known], 0.0).sum(axis=1)
    along = np.interp(tested, times, 1.0 - right).mean()
    return Errors(estimated, along, 1.0 - right[-1])
