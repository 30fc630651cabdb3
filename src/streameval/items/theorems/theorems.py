"""The three theorems of Bifet et al. (2015) by simulation."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy  # loads its submodules when they are first used
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats, Integers
from streameval.base.seeds import generator
from streameval.evaluation.error_simulation import dependent_errors, proportion_interval
from streameval.items.inputs import ItemInput
from streameval.items.theorems import COVERAGE, TheoremsSettings
from streameval.items.theorems.adwin_bounds import alarms, detections
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.folds import SCHEMES, RandomAllotment
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import Tape, insert_test_predictions
from streameval.significance.intervals import mean_intervals
from streameval.streams.generators.led import SEGMENTS, Led
from streameval.streams.stream import Stream

#: True errors in `coverage`.
ERRORS = (0.05, 0.2, 0.5)
#: Autocorrelations of successive errors in `coverage`.
AUTOCORRELATIONS = (0.0, 0.5, 0.9)
#: Sizes of test sets in `coverage`.
SIZES = (50, 200, 1000, 5000)
#: Values of δ in `coverage`.
DELTAS = (0.05, 0.2)
#: Number of tests that are simulated at a time, to limit memory.
_CHUNK = 500


def hoeffding_distance(instances: ArrayLike, delta: ArrayLike) -> Floats:
    """Hoeffding bound on the distance of the error on a test set of m instances to the true error.

    It is sqrt(ln(2/δ) / 2m), and holds with probability 1 - `delta` at least, if the instances are
    independent.
    """
    m, d = np.asarray(instances, dtype=np.float64), np.asarray(delta, dtype=np.float64)
    return np.sqrt(np.log(2.0 / d) / (2.0 * m))


def coverage(runs: int) -> pd.DataFrame:
    """Simulate how often the error on a test set misses the true error by more than the bound.

    `exact` is the probability of such a miss, for independent errors only. `quantile` is the 1 - δ
    quantile of the distances of estimated and true error. The bound requires (bound / quantile)²
    times as many instances as are necessary.
    """
    rows = []
    for error in ERRORS:
        for memory in AUTOCORRELATIONS:
            rng = generator("theorem 1", repr(error), repr(memory))
            error_counts = _error_counts(rng, error, memory, runs)
            for size, counts in zip(SIZES, error_counts, strict=True):
                simulated = np.abs(counts / size - error)
                for delta in DELTAS:
                    bound = float(hoeffding_distance(size, delta))
                    proportion = proportion_interval(int((simulated > bound).sum()), runs)
                    exact = np.nan
                    quantile = float(np.quantile(simulated, 1 - delta, method="higher"))
                    if memory == 0:
                        distances, probabilities = distance_distribution(error, size)
                        # Versions of scipy may differ in the last digits.
                        exact = round(float(probabilities[distances > bound].sum()), 12)
                        cumulative = probabilities.cumsum()
                        quantile = float(distances[cumulative.searchsorted(1 - delta)])
                    case = (error, memory, size, delta, bound, runs)
                    rows.append((*case, *proportion, exact, quantile))
    return pd.DataFrame(rows, columns=list(COVERAGE))


def distance_distribution(error: float, instances: int) -> tuple[Floats, Floats]:
    """Possible distances of estimated and true error, increasing, and their probabilities.

    Errors are independent, so their number is binomially distributed.
    """
    counts = np.arange(instances + 1)
    distances = np.abs(counts / instances - error)
    order = np.argsort(distances, kind="stable")
    return distances[order], scipy.stats.binom.pmf(counts[order], instances, error)


def _error_counts(
    rng: np.random.Generator, error: float, memory: float, runs: int
) -> list[Integers]:
    """Numbers of errors among the first instances of each test, for all of `SIZES`."""
    parts = []
    for start in range(0, runs, _CHUNK):
        n_runs = min(_CHUNK, runs - start)
        total = dependent_errors(rng, np.full(max(SIZES), error), memory, n_runs).cumsum(axis=1)
        parts.append(total[:, np.array(SIZES) - 1])
    return list(np.concatenate(parts).T)


#: Number of folds in `discrepancies`, with a model for each.
FOLDS = 10
#: Percentage of the segments of the LED display that noise inverts.
NOISE = 10
#: Powers to which differences are raised.
POWERS = (1, 2)
#: Largest number of times at which the true error of a model is computed.
_N_TIMES = 30


class Errors(NamedTuple):
    """Estimated and true errors of models."""

    estimated: Floats
    along: Floats  # true error at each test, averaged along the stream
    end: Floats  # true error of the final model


def discrepancies(instances: int, runs: int) -> pd.DataFrame:
    """Simulate absolute differences of true and estimated errors, raised to a `power`.

    `truth` names the true error, a field of `Errors`. The quantities are:

    - ``single``: the difference of one model that learns the whole stream;
    - ``k_fold``: the difference of the means over all folds;
    - ``one_fold``: the difference of one fold, averaged over the folds;
    - their pairwise differences, such as ``k_fold - single``.
    """
    rows = []
    for run in range(runs):
        seed = int(generator("theorem 2", run).integers(2**31))
        stream = Led(seed, NOISE, irrelevant=False).stream(instances)
        extended, probabilities = _with_patterns(stream)
        single = _errors(extended, prequential(instances), probabilities)
        for scheme, fold_tapes in SCHEMES.items():
            allotment = RandomAllotment(("theorem 2", scheme, run))
            tapes = fold_tapes(instances, FOLDS, allotment=allotment, tested="learnt")
            folds = [_errors(extended, tape, probabilities) for tape in tapes]
            for truth in ("along", "end"):
                difference = abs(getattr(single, truth) - single.estimated)
                fold_differences = np.array(
                    [getattr(fold, truth) - fold.estimated for fold in folds]
                )
                for power in POWERS:
                    k_fold = abs(fold_differences.mean()) ** power
                    one_fold = np.mean(abs(fold_differences) ** power)
                    rows.append((scheme, truth, power, difference**power, k_fold, one_fold))
    table = pd.DataFrame(rows, columns=["scheme", "truth", "power", "single", "k_fold", "one_fold"])
    table["k_fold - single"] = table["k_fold"] - table["single"]
    table["one_fold - single"] = table["one_fold"] - table["single"]
    table["k_fold - one_fold"] = table["k_fold"] - table["one_fold"]
    quantities = list(table.columns[3:])
    return mean_intervals(table, ["scheme", "truth", "power"], quantities)


def pattern_probabilities() -> tuple[Floats, Floats]:
    """All patterns of the LED display, and the joint probability of each pattern and digit.

    Patterns have the shape (128, 7), each segment lit or not. Probabilities have the shape
    (128, 10), with a column for each digit.
    """
    patterns = np.array(list(product((0.0, 1.0), repeat=SEGMENTS.shape[1])))
    inverted = (patterns[:, None, :] != SEGMENTS[None]).sum(axis=2)
    noise, n_segments = NOISE / 100, SEGMENTS.shape[1]
    return patterns, noise**inverted * (1 - noise) ** (n_segments - inverted) / len(SEGMENTS)


def _with_patterns(stream: Stream) -> tuple[Stream, Floats]:
    """A stream followed by all patterns, and the probabilities of the patterns."""
    patterns, probabilities = pattern_probabilities()
    unused_labels = np.zeros(len(patterns), dtype=np.int32)  # patterns are only predicted
    extended = Stream(
        np.concatenate((stream.X, patterns)),
        np.concatenate((stream.y, unused_labels)),
        stream.schema,
    )
    return extended, probabilities


def _errors(extended: Stream, tape: Tape, probabilities: Floats) -> Errors:
    """Run Naive Bayes over a tape, and return its estimated and its true errors.

    True errors are computed at up to `_N_TIMES` times, and interpolated between them. The times are
    dense at the start, where models change fast.
    """
    patterns = len(probabilities)
    n = len(extended) - patterns
    times = np.unique(np.geomspace(1, n + 1, _N_TIMES).astype(np.int64)) - 1
    rows = np.tile(np.arange(n, n + patterns), (len(times), 1))
    tape_with_tests, is_test = insert_test_predictions(tape, times, rows)
    labels = NaiveBayes().run(extended, tape_with_tests).label.astype(np.int64)
    tested = tape_with_tests.predict_rows[~is_test]
    estimated = np.mean(labels[~is_test] != extended.y[tested])
    predicted = labels[is_test].reshape(rows.shape)
    # The probability that a pattern occurs and the predicted digit is its label.
    correct = probabilities[np.arange(patterns), predicted]
    accuracy = np.where(predicted >= 0, correct, 0.0).sum(axis=1)  # -1: no prediction yet
    along = np.interp(tested, times, 1.0 - accuracy).mean()
    return Errors(estimated, along, 1.0 - accuracy[-1])


#: Number of runs of `coverage` for each run of the other simulations, which are slower.
_COVERAGE_RUNS_PER_RUN = 5


def study(item_input: ItemInput[TheoremsSettings]) -> dict[str, pd.DataFrame]:
    """The frames of all figures."""
    instances, runs = item_input.settings.instances, item_input.settings.seeds
    return {
        "coverage": coverage(_COVERAGE_RUNS_PER_RUN * runs),
        "discrepancies": discrepancies(instances, runs),
        "alarms": alarms(instances, runs),
        "detections": detections(instances // 2, runs),  # half of the inputs precede the change
    }
