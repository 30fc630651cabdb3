"""The three theorems of Bifet et al. (2015) by simulation."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used
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
from streameval.protocols.tape import Tape, add_tests
from streameval.significance.intervals import mean_intervals
from streameval.streams.generators.led import SEGMENTS, Led
from streameval.streams.stream import Stream

#: What is varied: true errors, autocorrelations of errors, test sizes, and δ.
ERRORS, MEMORIES = (0.05, 0.2, 0.5), (0.0, 0.5, 0.9)
SIZES, DELTAS = (50, 200, 1000, 5000), (0.05, 0.2)


def set_bound(instances: ArrayLike, delta: ArrayLike) -> Floats:
    """The bound on the distance of the estimated error of m test instances to the true one.

    With probability 1 - `delta` at least, if the instances are independent: sqrt(ln(2/δ) / 2m).
    """
    m, d = np.asarray(instances, dtype=np.float64), np.asarray(delta, dtype=np.float64)
    return np.sqrt(np.log(2.0 / d) / (2.0 * m))


def coverage(runs: int) -> pd.DataFrame:
    """Simulate the proportion of tests beyond the bound.

    `exact` is its probability where errors are independent. `quantile` is the distance that a
    proportion 1 - δ of the tests keeps: (bound / quantile)² says how many times too many instances
    the bound asks for.
    """
    rows = []
    for error in ERRORS:
        for memory in MEMORIES:
            draws = generator("theorem 1", repr(error), repr(memory))
            wrong = _counts(draws, error, memory, runs)
            for size, counts in zip(SIZES, wrong, strict=True):
                apart = np.abs(counts / size - error)
                for delta in DELTAS:
                    bound = float(set_bound(size, delta))
                    missed = proportion_interval(int((apart > bound).sum()), runs)
                    exact = np.nan
                    quantile = float(np.quantile(apart, 1 - delta, method="higher"))
                    if memory == 0:
                        distances, masses = distance_law(error, size)
                        exact = round(float(masses[distances > bound].sum()), 12)
                        quantile = float(distances[masses.cumsum().searchsorted(1 - delta)])
                    case = (error, memory, size, delta, bound, runs)
                    rows.append((*case, *missed, exact, quantile))
    return pd.DataFrame(rows, columns=list(COVERAGE))


def distance_law(error: float, instances: int) -> tuple[Floats, Floats]:
    """The distances of estimated and true error, increasing, and their probabilities.

    They follow from the binomial law, where errors are independent.
    """
    counts = np.arange(instances + 1)
    distances = np.abs(counts / instances - error)
    order = np.argsort(distances, kind="stable")
    return distances[order], scipy.stats.binom.pmf(counts[order], instances, error)


def _counts(draws: np.random.Generator, error: float, memory: float, runs: int) -> list[Integers]:
    """The errors among the first instances of each test, for all of `SIZES`."""
    parts = []
    for start in range(0, runs, _AT_ONCE):
        few = min(_AT_ONCE, runs - start)
        total = dependent_errors(draws, np.full(max(SIZES), error), memory, few).cumsum(axis=1)
        parts.append(total[:, np.array(SIZES) - 1])
    return list(np.concatenate(parts).T)


#: Tests that are simulated at once, to limit memory.
_AT_ONCE = 500


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
    """Simulate the absolute differences of true and estimated errors, to a `power`.

    `truth` is the error ``along`` the stream, of the models at their tests, or at the ``end``. Of
    quantities, ``single`` is one model over the whole stream, ``k_fold`` the means over all folds,
    and ``one_fold`` a fold alone.
    """
    rows = []
    for run in range(runs):
        seed = int(generator("theorem 2", run).integers(2**31))
        stream = Led(seed, NOISE, irrelevant=False).stream(instances)
        both, probabilities = _with_patterns(stream)
        single = _errors(both, prequential(instances), probabilities)
        for scheme, make in SCHEMES.items():
            allotment = RandomAllotment(("theorem 2", scheme, run))
            tapes = make(instances, FOLDS, allotment=allotment, tested="learnt")
            folds = [_errors(both, tape, probabilities) for tape in tapes]
            for truth in ("along", "end"):
                alone = abs(getattr(single, truth) - single.estimated)
                each = np.array([getattr(fold, truth) - fold.estimated for fold in folds])
                for power in POWERS:
                    joint = abs(each.mean()) ** power
                    of_fold, first = np.mean(abs(each) ** power), alone**power
                    rows.append((scheme, truth, power, first, joint, of_fold))
    table = pd.DataFrame(rows, columns=["scheme", "truth", "power", "single", "k_fold", "one_fold"])
    table["k_fold - single"] = table["k_fold"] - table["single"]
    table["one_fold - single"] = table["one_fold"] - table["single"]
    table["k_fold - one_fold"] = table["k_fold"] - table["one_fold"]
    quantities = list(table.columns[3:])
    return mean_intervals(table, ["scheme", "truth", "power"], quantities)


def pattern_probabilities() -> tuple[Floats, Floats]:
    """All instances of the LED display and their joint probabilities with the classes.

    They have the shapes (128, 7), each segment lit or not, and (128, 10), of a pattern and a digit.
    """
    patterns = np.array(list(product((0.0, 1.0), repeat=SEGMENTS.shape[1])))
    inverted = (patterns[:, None, :] != SEGMENTS[None]).sum(axis=2)
    noise, n = NOISE / 100, SEGMENTS.shape[1]
    return patterns, noise**inverted * (1 - noise) ** (n - inverted) / len(SEGMENTS)


def _with_patterns(stream: Stream) -> tuple[Stream, Floats]:
    """A stream with all patterns behind it, and their probabilities."""
    patterns, probabilities = pattern_probabilities()
    unknown = np.zeros(len(patterns), dtype=np.int32)
    both = Stream(
        np.concatenate((stream.X, patterns)), np.concatenate((stream.y, unknown)), stream.schema
    )
    return both, probabilities


def _errors(both: Stream, tape: Tape, probabilities: Floats) -> Errors:
    """Run a learner over a tape and return its estimated and its true errors.

    The latter are computed at `_TIMES`, close where models change fast, and interpolated.
    """
    patterns = len(probabilities)
    n = len(both) - patterns
    times = np.unique(np.geomspace(1, n + 1, _TIMES).astype(np.int64)) - 1
    rows = np.tile(np.arange(n, n + patterns), (len(times), 1))
    full, is_test = add_tests(tape, times, rows)
    labels = NaiveBayes().play(both, full).label.astype(np.int64)
    tested = full.predict_rows[~is_test]
    estimated = np.mean(labels[~is_test] != both.y[tested])
    known = labels[is_test].reshape(rows.shape)
    right = np.where(known >= 0, probabilities[np.arange(patterns), known], 0.0).sum(axis=1)
    along = np.interp(tested, times, 1.0 - right).mean()
    return Errors(estimated, along, 1.0 - right[-1])


#: Simulated test sets for each run of the others, as these take less time.
_TESTS = 5


def study(item_input: ItemInput[TheoremsSettings]) -> dict[str, pd.DataFrame]:
    """The frames of all figures."""
    instances, runs = item_input.settings.instances, item_input.settings.seeds
    return {
        "coverage": coverage(_TESTS * runs),
        "discrepancies": discrepancies(instances, runs),
        "alarms": alarms(instances, runs),
        "detections": detections(instances // 2, runs),
    }
