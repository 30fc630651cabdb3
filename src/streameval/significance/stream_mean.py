"""The interval for the mean of a series of instances, over which verdicts are given.

A stream is one draw of the process that makes it. The mean over its instances differs from the mean
of the process by two kinds of chance: which instances came, in stretches since neighbours depend on
each other, and, of learners that draw, which seeds or folds they had.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy  # loads its parts when they are first used
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Floats, Integers
from streameval.base.rounding import format_number, round_half_up
from streameval.significance.entity_variance import has_one_order, two_way
from streameval.significance.intervals import CONFIDENCE, block_means
from streameval.significance.series import (
    ByRuns,
    checked,
    compact,
    initial_positive,
    variance_of,
)

#: Values that are counted at a time.
_STRETCH = 1 << 13
#: Sections of a stream whose means are taken for independent.
SECTIONS = 12
#: Effective instances below which there is no interval.
LEAST_EFFECTIVE = 60
#: Of these, the least number that differ from the most frequent value: below it, the mean of a
#: series of rare values is too skewed for Student's t.
LEAST_RARE = 10
#: Runs of the errors behind a series, and independent values that they are worth by these: the
#: least of both, and so many for each degree of freedom.
LEAST_BY_RUNS, FOR_FREEDOM = 20, 12
#: Student's t of `CONFIDENCE` with the freedom of the sections, as scipy has it: the part of scipy
#: that computes it takes 0.1 s to load.
USUAL_T = 2.200985160091639
#: A section differs from 0 where its mean is more standard errors away, if it is worth so many
#: independent values, and so many that differ from the most frequent one.
APART, LEAST_OF_SECTION, LEAST_RARE_OF_SECTION = 3.2, 30, 5
#: Sections that lie further apart withhold an interval: with normal means 5 % for all sections.
LOOSELY_APART = 2.87


@dataclass(frozen=True, eq=False)
class Sample:
    """Values of instances, and how they were drawn: what an interval of their mean rests upon.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        A value for each instance in order of time; over several runs, the means over runs. Small
        whole numbers need least memory as int8.
    runs : array_like of float, shape (r,)
        The mean of each run, or fold, at least 2; nothing where learners have no draws.
    behind : ByRuns, optional
        The errors of a learner, and of the one that it is compared with; see `by_runs`.
    order : ndarray of int, shape (n,), optional
        The places of the values entity by entity, where rows are of several; see `by_entity`.
    """

    values: ArrayLike
    runs: ArrayLike = ()
    behind: ByRuns | None = None
    order: Integers | None = None

    @classmethod
    def of(cls, values: ArrayLike | Sample) -> Sample:
        """Return a sample, of bare values one of instances in order of time without draws."""
        return values if isinstance(values, Sample) else cls(values)


class Signs(NamedTuple):
    """Numbers of values below 0, equal to 0 and above 0.

    Of differences between two learners: numbers of instances where the first one is worse, where
    both are equal, and where it is better.
    """

    negative: int
    zero: int
    positive: int

    @property
    def total(self) -> int:
        """The number of values."""
        return self.negative + self.zero + self.positive

    @property
    def one_way(self) -> bool:
        """Whether no two values have opposite signs."""
        return not (self.negative and self.positive)

    @property
    def exchanged(self) -> Signs:
        """The signs of the same differences with the two learners exchanged."""
        return Signs(self.positive, self.zero, self.negative)


class StreamMean(NamedTuple):
    """A mean over instances, its interval, and how much it rests upon.

    Parameters
    ----------
    mean : float
        The mean of all values.
    low, high : float
        Ends of the interval; NaN where there is none.
    p_value : float
        Of the hypothesis that the mean of the process is 0; NaN likewise.
    effective : float
        How many independent values the series is worth, at most its length; 0 if all are equal.
    error : float
        Standard error of the mean, of both kinds of chance.
    freedom : float
        Its degrees of freedom.
    reason : str
        Why there is no interval; empty where there is one.
    signs : Signs or None
        Numbers of negative, zero and positive values where these are too few for an interval;
        otherwise None.
    """

    mean: float
    low: float
    high: float
    p_value: float
    effective: float
    error: float
    freedom: float
    reason: str = ""
    signs: Signs | None = None

    def without_ends(self, reason: str) -> StreamMean:
        """Return the mean without its interval if there is a `reason` for that."""
        nan = np.nan
        without = self._replace(low=nan, high=nan, p_value=nan, reason=self.reason or reason)
        return without if reason else self


def stream_mean(
    values: ArrayLike | Sample, confidence: float = CONFIDENCE, *, tested: bool = True
) -> StreamMean:
    """Return the mean of a series and the interval of the mean of the process behind it.

    The variance of the mean is that over time plus that between runs. That over time is the larger
    of two estimates: the variance of the means of 12 sections, which stays right where variances
    change, and the initial positive sequence of autocovariances, which sees dependence that is
    longer than a section. So the interval is a little too wide rather than too narrow. It has the
    11 degrees of freedom of the sections; with runs they follow Satterthwaite. Runs add a little
    more than their own, as the mean series holds a part of the same noise.

    Of a short series of long stretches both estimates are too small just where the mean is far
    off. So the errors `behind` the series are judged by their runs as well: worth less than
    `LEAST_BY_RUNS` independent values, or in fewer runs, they give no interval, and there is a
    degree of freedom for each `FOR_FREEDOM` of these values, at most 11.

    The rule was fixed on other draws: at most 5 % of streams have an interval that misses, and so
    do at most 5 % of the intervals where most streams have one. Of a learner that errs in 25 % of
    the instances, over No-Change, with labels and errors that are autoregressive processes of
    coefficient 0.9, cut in two (their own autocorrelation is 0.71 and 0.70), those that miss were
    7.6 % of the streams of 300 instances, a quarter of those with an interval, and 5.7 % at 600;
    now they are 1.1 %, 6 % of those with one, and 1.9 %. With errors of 0.99 they were 22 % at 600,
    11 % at 2,000 and 5.5 % at 6,000, and are 3.7, 2.6 and 1.5 %; at 2,000 a tenth of the streams
    has an interval, and a quarter of these miss. The first run did without the least number of
    runs, which left 8.2 % at 600. An error rate that moves slowly, with errors that are independent
    given the rate, is not seen by runs: where it has 0.99, 32 % of the intervals miss at 1,000
    instances, 16 % at 2,000 and 7 % at 6,000.

    Where instances of several entities come in turn, the long-run variance is `two_way`, and the
    variance of sections that of the order, in time or entity by entity, in which it is larger. See
    ``beyond/verdict_calibration_groups`` for how often the interval misses.

    Parameters
    ----------
    values : Sample or array_like of float, shape (n,)
        A value for each instance in order of time, and how they were drawn.
    confidence : float
        Between 0 and 1.
    tested : bool
        Whether to compute the p-value, for which a part of scipy is loaded; otherwise it is NaN.

    Returns
    -------
    StreamMean
        Without an interval for less than `LEAST_EFFECTIVE` effective instances, or less than
        `LEAST_RARE` of these that differ from the most frequent value, or errors in few runs.

    Raises
    ------
    ConfigError
        If there is no value, or one is NaN or infinite.

    References
    ----------
    Ibragimov, Müller (2010), t-statistic based correlation and heterogeneity robust inference,
    Journal of Business & Economic Statistics 28(4), 453-468. Geyer (1992), Practical Markov chain
    Monte Carlo, Statistical Science 7(4), 473-483. Satterthwaite (1946), An approximate
    distribution of estimates of variance components, Biometrics Bulletin 2(6), 110-114. Cameron,
    Gelbach, Miller (2011), Robust inference with multiway clustering, Journal of Business &
    Economic Statistics 29(2), 238-249.
    """
    given = Sample.of(values)
    series = compact(given.values, 1, "Interval over a stream")
    over_runs = checked(given.runs, 2, "Interval over runs") if np.size(given.runs) else None
    summary = summarise(series, given.order)
    return interval_of(summary, confidence, over_runs, tested=tested, behind=given.behind)


class Summary(NamedTuple):
    """The statistics of a series from which its interval follows."""

    n: int
    mean: float
    variance: float
    most: int  # how often the most frequent value occurs
    long_run: float  # see `initial_positive` and `two_way`; 0 where all values are equal
    of_sections: Floats  # their means, (orders, sections); none of what has no interval
    signs: Signs | None = None  # None where nobody asks for them


def interval_in_words(order: Integers | None = None) -> str:
    """How `stream_mean` computes an interval, for a text on methods; `order` as in `Sample`."""
    of_sections, behind = "that between sections", "autocovariances"
    if order is not None and not has_one_order(order):
        of_sections += ", in order of time or entity by entity,"
        behind += (
            " in both orders: the sum of both, less the autocovariances of instances that are "
            "near each other in both, and at least the larger one"
        )
    return (
        f"Student's t over {SECTIONS} sections of the stream, with a variance that is the larger "
        f"one of {of_sections} and of the initial positive sequence of {behind}"
    )


def summarise(series: NDArray[np.float64 | np.int8], order: Integers | None) -> Summary:
    """Compute from a series, in order of time, what its interval rests upon."""
    n = len(series)
    mean, variance = float(series.mean()), variance_of(series)
    long_run = _long_run(series, order) if n > 1 else 0.0
    below, above = np.count_nonzero(series < 0), np.count_nonzero(series > 0)
    signs = Signs(int(below), int(n - below - above), int(above))
    if long_run == 0.0:
        return Summary(n, mean, variance, n, long_run, np.empty(0), signs)
    of_sections = np.empty(0)
    if n >= LEAST_EFFECTIVE:
        orders = [series]
        if order is not None and not has_one_order(order):
            orders.append(series[order])
        of_sections = np.stack([block_means(values, SECTIONS) for values in orders])
    return Summary(n, mean, variance, _most(series), long_run, of_sections, signs)


def _long_run(series: NDArray[np.float64 | np.int8], order: Integers | None) -> float:
    return initial_positive(series).variance if order is None else two_way(series, order)


def _most(series: NDArray[np.float64 | np.int8]) -> int:
    """Number of times that the most frequent value occurs."""
    if series.dtype != np.int8:
        return int(np.unique(series, return_counts=True)[1].max())
    counts = np.zeros(256, np.int64)
    for at in range(0, len(series), _STRETCH):
        counts += np.bincount(series[at : at + _STRETCH].view(np.uint8), minlength=256)
    return int(counts.max())


def interval_of(
    summary: Summary,
    confidence: float,
    over_runs: Floats | None = None,
    *,
    tested: bool,
    behind: ByRuns | None = None,
) -> StreamMean:
    """Compute `stream_mean` from a summary of the series and the means of the runs."""
    n, mean = summary.n, summary.mean
    effective, rare = _worth(summary)
    reason = _too_little(n, effective, rare) or _too_few_runs(n, behind)
    if reason:
        nan = float("nan")
        return StreamMean(mean, nan, nan, nan, effective, nan, nan, reason, summary.signs)
    of_sections = max(float(means.var(ddof=1)) for means in summary.of_sections) / SECTIONS
    in_time = max(of_sections, summary.long_run / n)
    between = 0.0 if over_runs is None else float(over_runs.var(ddof=1)) / len(over_runs)
    variance = in_time + between
    freedom = SECTIONS - 1.0
    if behind is not None:
        freedom = min(freedom, behind.worth / FOR_FREEDOM)
    if over_runs is not None:
        # A power of 2 changes no digit of the quotient, and squares of large errors have bounds.
        unit = -math.frexp(variance)[1]
        first, second = math.ldexp(in_time, unit), math.ldexp(between, unit)
        parts = first**2 / freedom + second**2 / (len(over_runs) - 1)
        freedom = (first + second) ** 2 / parts
    error = float(np.sqrt(variance))
    half = _t(freedom, confidence) * error
    p_value = 2.0 * float(scipy.special.stdtr(freedom, -abs(mean) / error)) if tested else np.nan
    return StreamMean(mean, mean - half, mean + half, p_value, effective, error, freedom)


def _t(freedom: float, confidence: float) -> float:
    """Return how many standard errors wide to each side an interval is."""
    if (freedom, confidence) == (SECTIONS - 1, CONFIDENCE):
        return USUAL_T
    return float(scipy.special.stdtrit(freedom, (1.0 + confidence) / 2.0))


def sections(
    values: ArrayLike | Sample, margin: float = 0.0, *, loosely: bool = False
) -> NDArray[np.int8]:
    """Return for each section whether its mean is surely above a margin (1), below it (-1) or not.

    A mean is judged by the dependence within sections, so that this says whether the level moves
    between them: at most 5 % of all series of a constant level 0 have a section that is not 0.
    With normal means `LOOSELY_APART` would do. Those of short sections are not normal, and their
    dependence is not known well: of 0, 0.5 and 0.9 in 2,000 values of -1, 0 and 1, this found a
    section in 4, 10 and 20 % of the series. With more distance, and no section that is worth less
    than `LEAST_OF_SECTION`, it is 2, 4 and 0 %, with 0.9 in 5,000 and 20,000 values 5 and 2 %,
    and with 0.99 in 20,000 and 100,000 values 0 and 4 %.

    Parameters
    ----------
    values : Sample or array_like of float, shape (n,)
        In order of time. Where sections are too short, all are 0, unless the values of each are
        equal: then nothing is left to chance.
    margin : float
        A mean between -margin and margin counts as 0.
    loosely : bool
        Whether `LOOSELY_APART` is enough, in sections of any length: for withholding an interval,
        as in the recorded calibration of verdicts, not for a statement about sections.
    """
    given = Sample.of(values)
    series, order = checked(given.values, 1, "Sections of a stream"), given.order
    n, nothing = len(series), np.zeros(SECTIONS, np.int8)
    if n < (LEAST_EFFECTIVE if loosely else 2 * SECTIONS):
        return nothing
    means, ends = block_means(series, SECTIONS), np.arange(SECTIONS + 1) * n // SECTIONS
    least, most = (of.reduceat(series, ends[:-1]) for of in (np.minimum, np.maximum))
    lengths = np.diff(ends)
    deviations = series - np.repeat(means, lengths)
    within = 0.0 if (least == most).all() else _long_run(deviations, order)
    if within and not loosely:
        worth = n * variance_of(deviations) / within / SECTIONS
        rare = worth * np.count_nonzero(series) / n
        is_short = n < SECTIONS * LEAST_OF_SECTION or worth < LEAST_OF_SECTION
        if is_short or rare < LEAST_RARE_OF_SECTION:
            return nothing
    bound = margin + (LOOSELY_APART if loosely else APART) * np.sqrt(within / lengths)
    found: NDArray[np.int8] = np.where(np.abs(means) > bound, np.sign(means), 0).astype(np.int8)
    return found


def _worth(summary: Summary) -> tuple[float, float]:
    """Return the number of effective values, and of those that differ from the most frequent."""
    n = summary.n
    if summary.long_run == 0.0:
        return 0.0, 0.0
    effective = min(n * summary.variance / summary.long_run, float(n))
    return effective, effective * (1.0 - summary.most / n)


def _too_little(n: int, effective: float, rare: float) -> str:
    if effective == 0.0:
        return f"all {n:,} values are equal" if n > 1 else "there is one value"
    if effective < LEAST_EFFECTIVE:
        return (
            f"{n:,} instances are worth {_less(effective, LEAST_EFFECTIVE)} independent ones; at "
            f"least {LEAST_EFFECTIVE} are needed"
        )
    if rare < LEAST_RARE:
        return (
            f"all but a few of {n:,} instances have the same value, the others are worth "
            f"{_less(rare, LEAST_RARE, 1)} independent ones; at least {LEAST_RARE} are needed"
        )
    return ""


def _less(value: float, least: int, digits: int = 0) -> str:
    """Return a number that is less than another, also after rounding."""
    shown = min(float(round_half_up(value, digits)), least - 10.0**-digits)
    return format_number(shown, f",.{digits}f")


def _too_few_runs(n: int, behind: ByRuns | None) -> str:
    if behind is None or behind.runs == 1:
        return ""
    if behind.runs < LEAST_BY_RUNS:
        return f"errors come in {behind.runs:,} runs only; at least {LEAST_BY_RUNS} are needed"
    if behind.worth >= LEAST_BY_RUNS:
        return ""
    return (
        f"errors come in {behind.runs:,} runs only, by which {n:,} instances are worth "
        f"{_less(behind.worth, LEAST_BY_RUNS)} independent ones; at least {LEAST_BY_RUNS} are "
        "needed"
    )
