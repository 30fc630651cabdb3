"""Confidence interval for the mean of a series of instances, by which learners are compared.

A stream is one realisation of the process that generates it. The mean over its instances differs
from the mean of the process for two reasons: the instances are a dependent sample, and randomised
learners have particular seeds or folds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy  # loads its submodules on first use
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Floats, Integers
from streameval.base.rounding import format_number, round_half_up
from streameval.significance.entity_variance import same_order, two_way_variance
from streameval.significance.intervals import CONFIDENCE, block_means
from streameval.significance.series import (
    RunLengths,
    as_compact_series,
    as_series,
    initial_positive_variance,
    variance_of,
)

#: Number of values that are counted at a time, to limit memory.
_CHUNK = 1 << 13
# The next constants were chosen by simulation; see "Error rates" in `stream_mean`.
#: Number of sections of a stream, whose means are treated as independent.
N_SECTIONS = 12
#: Smallest effective sample size for an interval.
MIN_EFFECTIVE_SIZE = 60
#: Smallest effective number of values that differ from the most frequent value. With fewer, the
#: mean is too skewed for Student's t.
MIN_RARE_SIZE = 10
#: Smallest number of runs of errors for an interval, and smallest effective sample size estimated
#: from run lengths.
MIN_ERROR_RUNS = 20
#: Effective sample size, estimated from run lengths, for each degree of freedom.
SIZE_PER_DEGREE_OF_FREEDOM = 12
#: Quantile of Student's t at `CONFIDENCE` with N_SECTIONS - 1 degrees of freedom, as scipy computes
#: it. The constant saves loading `scipy.special`, which takes 0.1 s.
DEFAULT_T_QUANTILE = 2.200985160091639
# The last constants are for `section_signs`; its docstring has their error rates.
#: The mean of a section differs from 0 if it is more than this many standard errors away.
SECTION_THRESHOLD = 3.2
#: Smallest effective sample size of a section whose mean can have a sign.
MIN_SECTION_SIZE = 30
#: Smallest effective number of values in a section that differ from 0.
MIN_SECTION_RARE_SIZE = 5
#: Lower threshold: section means of both signs above it withhold an interval. If section means are
#: normal with mean 0, at least one of them exceeds it with a probability of 5 %.
LOW_SECTION_THRESHOLD = 2.87


@dataclass(frozen=True, eq=False)
class Sample:
    """A series of values, with the data that the interval of its mean needs.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        One value per instance in order of time; the mean over runs if there are several runs. Small
        integers take the least memory as int8.
    runs : array_like of float, shape (r,)
        The mean of each run or fold, at least 2; empty if the learner is not randomised.
    run_lengths : RunLengths, optional
        Run lengths of the errors of the learner and of the learner that it is compared with; see
        `error_runs`.
    order : ndarray of int, shape (n,), optional
        For several entities: the indices that sort the values by entity; see `order_by_entity`.
    """

    values: ArrayLike
    runs: ArrayLike = ()
    run_lengths: RunLengths | None = None
    order: Integers | None = None

    @classmethod
    def of(cls, values: ArrayLike | Sample) -> Sample:
        """Make a sample of plain values; a `Sample` is returned unchanged."""
        return values if isinstance(values, Sample) else cls(values)


class Signs(NamedTuple):
    """Numbers of values below 0, equal to 0 and above 0.

    For differences of two learners: numbers of instances on which the first learner is worse,
    equally good, and better.
    """

    negative: int
    zero: int
    positive: int

    @property
    def total(self) -> int:
        """The number of values."""
        return self.negative + self.zero + self.positive

    @property
    def is_one_sided(self) -> bool:
        """Whether no two values have opposite signs."""
        return not (self.negative and self.positive)

    @property
    def with_learners_exchanged(self) -> Signs:
        """The signs of the same differences with the two learners exchanged."""
        return Signs(self.positive, self.zero, self.negative)


class StreamMean(NamedTuple):
    """A mean over instances, its interval, and its effective sample size.

    Parameters
    ----------
    mean : float
        The mean of all values.
    low, high : float
        Ends of the interval; NaN if there is no interval.
    p_value : float
        p-value of the hypothesis that the mean of the process is 0; NaN without an interval.
    effective_size : float
        Effective sample size, at most the length of the series; 0 if all values are equal.
    standard_error : float
        Standard error of the mean, over time and between runs.
    df : float
        Degrees of freedom of the standard error.
    reason : str
        Why there is no interval; empty if there is one.
    signs : Signs or None
        Numbers of negative, zero and positive values if the sample is too small for an interval;
        otherwise None.
    """

    mean: float
    low: float
    high: float
    p_value: float
    effective_size: float
    standard_error: float
    df: float
    reason: str = ""
    signs: Signs | None = None

    def without_interval(self, reason: str) -> StreamMean:
        """The mean without its interval, for this reason; unchanged if `reason` is empty."""
        nan = np.nan
        without = self._replace(low=nan, high=nan, p_value=nan, reason=self.reason or reason)
        return without if reason else self


def stream_mean(
    values: ArrayLike | Sample, confidence: float = CONFIDENCE, *, with_p_value: bool = True
) -> StreamMean:
    """Mean of a series, with a confidence interval for the mean of the process that generates it.

    The variance of the mean is the sum of a variance over time and a variance between runs. The
    variance over time is the larger of two estimates. The first is the variance of the means of 12
    sections, which is robust to changing variances. The second is the initial positive sequence of
    autocovariances, which includes dependence longer than a section. So the interval tends to be
    too wide rather than too narrow. It has the 11 degrees of freedom of the sections, or by
    Satterthwaite's formula if there are runs. The variance between runs is slightly overestimated,
    as the mean series contains a part of the same noise.

    Both estimates are too small for a short series with long runs, exactly when the mean is far
    off. So `run_lengths` of the errors give a further effective sample size. There is no interval
    if it, or the number of runs, is below `MIN_ERROR_RUNS`. The degrees of freedom are at most this
    size divided by `SIZE_PER_DEGREE_OF_FREEDOM`.

    **Error rates.** The constants were chosen on separate simulated streams by two criteria. At
    most 5 % of streams have an interval that misses the mean of the process. If most streams have
    an interval, at most 5 % of the intervals miss it. A learner with an error rate of 25 % is
    simulated against No-Change. Labels and errors are thresholded autoregressive processes with
    coefficient 0.9 (their autocorrelations are 0.71 and 0.70) or 0.99. The table has percentages of
    streams with an interval that misses:

    ===========  =========  ===================  ================
    coefficient  instances  without run lengths  with run lengths
    ===========  =========  ===================  ================
    0.9                300  7.6                  1.1
    0.9                600  5.7                  1.9
    0.99               600  22                   3.7
    0.99             2,000  11                   2.6
    0.99             6,000  5.5                  1.5
    ===========  =========  ===================  ================

    At 0.9 and 300 instances, 6 % of the intervals miss; without run lengths, a quarter of them. At
    0.99 and 2,000 instances, a tenth of the streams have an interval, and a quarter of these miss.
    At 0.99 and 600 instances, 8.2 % of streams would have an interval that misses if there were no
    smallest number of runs. Run lengths do not show an error rate that moves slowly while errors
    are independent given the rate. If the rate has coefficient 0.99, 32 % of the intervals miss at
    1,000 instances, 16 % at 2,000 and 7 % at 6,000.

    **Several entities.** If instances of several entities are interleaved, the long-run variance is
    `two_way_variance`. The variance of sections is computed in order of time and by entity, and the
    larger value is used. How often the interval misses is recorded in
    ``resources/recorded/beyond/verdict_calibration_groups.csv``.

    Parameters
    ----------
    values : Sample or array_like of float, shape (n,)
        One value per instance in order of time; a `Sample` adds runs, run lengths and entities.
    confidence : float
        Between 0 and 1.
    with_p_value : bool
        Whether to compute the p-value, which loads a submodule of scipy; otherwise it is NaN.

    Returns
    -------
    StreamMean
        Without an interval if the effective sample size is below `MIN_EFFECTIVE_SIZE`, or below
        `MIN_RARE_SIZE` for values that differ from the most frequent value, or if errors come in
        too few runs.

    Raises
    ------
    ConfigError
        If there is no value, or a value is NaN or infinite.

    References
    ----------
    Ibragimov, Müller (2010), t-statistic based correlation and heterogeneity robust inference,
    Journal of Business & Economic Statistics 28(4), 453-468. Geyer (1992), Practical Markov chain
    Monte Carlo, Statistical Science 7(4), 473-483. Satterthwaite (1946), An approximate
    distribution of estimates of variance components, Biometrics Bulletin 2(6), 110-114. Cameron,
    Gelbach, Miller (2011), Robust inference with multiway clustering, Journal of Business &
    Economic Statistics 29(2), 238-249.
    """
    sample = Sample.of(values)
    series = as_compact_series(sample.values, 1, "Interval over a stream")
    run_means = as_series(sample.runs, 2, "Interval over runs") if np.size(sample.runs) else None
    summary = summarise(series, sample.order)
    return interval_from_summary(
        summary, confidence, run_means, with_p_value=with_p_value, run_lengths=sample.run_lengths
    )


class Summary(NamedTuple):
    """The statistics of a series from which its interval follows."""

    n: int
    mean: float
    variance: float
    most_frequent: int  # number of occurrences of the most frequent value
    # From `initial_positive_variance` or `two_way_variance`; 0 if all values are equal.
    long_run_variance: float
    section_means: Floats  # (orders, sections); empty if the series is too short for an interval
    signs: Signs | None = None  # None if they are not needed


def interval_method_text(order: Integers | None = None) -> str:
    """Sentence on how `stream_mean` computes an interval, for methods; `order` as in `Sample`."""
    sections, autocovariances = "the variance between sections", "autocovariances"
    if order is not None and not same_order(order):
        sections += ", in order of time or entity by entity,"
        autocovariances += (
            " in both orders: the sum of both, less the autocovariances of instances that are "
            "near each other in both orders, and at least the larger of the two"
        )
    return (
        f"Student's t over {N_SECTIONS} sections of the stream; its variance is the larger of "
        f"{sections} and the variance from the initial positive sequence of {autocovariances}"
    )


def summarise(series: NDArray[np.float64 | np.int8], order: Integers | None) -> Summary:
    """Compute the statistics of a series that its interval needs; `order` as in `Sample`."""
    n = len(series)
    mean, variance = float(series.mean()), variance_of(series)
    long_run_variance = _long_run_variance(series, order) if n > 1 else 0.0
    negative, positive = np.count_nonzero(series < 0), np.count_nonzero(series > 0)
    signs = Signs(int(negative), int(n - negative - positive), int(positive))
    if long_run_variance == 0.0:
        return Summary(
            n,
            mean,
            variance,
            most_frequent=n,
            long_run_variance=0.0,
            section_means=np.empty(0),
            signs=signs,
        )
    section_means = np.empty(0)
    if n >= MIN_EFFECTIVE_SIZE:
        ordered = [series]
        if order is not None and not same_order(order):
            ordered.append(series[order])
        section_means = np.stack([block_means(values, N_SECTIONS) for values in ordered])
    most_frequent = _most_frequent(series)
    return Summary(n, mean, variance, most_frequent, long_run_variance, section_means, signs)


def _long_run_variance(series: NDArray[np.float64 | np.int8], order: Integers | None) -> float:
    if order is None:
        return initial_positive_variance(series).variance
    return two_way_variance(series, order)


def _most_frequent(series: NDArray[np.float64 | np.int8]) -> int:
    """Number of occurrences of the most frequent value."""
    if series.dtype != np.int8:
        return int(np.unique(series, return_counts=True)[1].max())
    counts = np.zeros(256, np.int64)
    for begin in range(0, len(series), _CHUNK):
        counts += np.bincount(series[begin : begin + _CHUNK].view(np.uint8), minlength=256)
    return int(counts.max())


def interval_from_summary(
    summary: Summary,
    confidence: float,
    run_means: Floats | None = None,
    *,
    with_p_value: bool,
    run_lengths: RunLengths | None = None,
) -> StreamMean:
    """Compute `stream_mean` from a summary of the series and the means of the runs."""
    n, mean = summary.n, summary.mean
    effective_size, rare = _effective_sizes(summary)
    reason = _too_few_instances(n, effective_size, rare) or _too_few_runs(n, run_lengths)
    if reason:
        nan = float("nan")
        return StreamMean(mean, nan, nan, nan, effective_size, nan, nan, reason, summary.signs)
    between_sections = max(float(means.var(ddof=1)) for means in summary.section_means) / N_SECTIONS
    over_time = max(between_sections, summary.long_run_variance / n)
    between_runs = 0.0 if run_means is None else float(run_means.var(ddof=1)) / len(run_means)
    variance = over_time + between_runs
    df = N_SECTIONS - 1.0
    if run_lengths is not None:
        df = min(df, run_lengths.effective_size / SIZE_PER_DEGREE_OF_FREEDOM)
    if run_means is not None:
        # Satterthwaite's formula. The squares of variances could overflow, so variances are first
        # scaled by a power of 2, which changes no digit.
        exponent = -math.frexp(variance)[1]
        scaled_time = math.ldexp(over_time, exponent)
        scaled_runs = math.ldexp(between_runs, exponent)
        parts = scaled_time**2 / df + scaled_runs**2 / (len(run_means) - 1)
        df = (scaled_time + scaled_runs) ** 2 / parts
    standard_error = float(np.sqrt(variance))
    half_width = _t_quantile(df, confidence) * standard_error
    p_value = np.nan
    if with_p_value:
        p_value = 2.0 * float(scipy.special.stdtr(df, -abs(mean) / standard_error))
    low, high = mean - half_width, mean + half_width
    return StreamMean(mean, low, high, p_value, effective_size, standard_error, df)


def _t_quantile(df: float, confidence: float) -> float:
    """Half the width of an interval, in standard errors."""
    if (df, confidence) == (N_SECTIONS - 1, CONFIDENCE):
        return DEFAULT_T_QUANTILE
    return float(scipy.special.stdtrit(df, (1.0 + confidence) / 2.0))


def section_signs(
    values: ArrayLike | Sample, margin: float = 0.0, *, low_threshold: bool = False
) -> NDArray[np.int8]:
    """Sign of each section: 1 if its mean is clearly above `margin`, -1 if below -`margin`, else 0.

    The standard error of a mean comes from the dependence within sections, so a sign shows that the
    level moves between sections. At most 5 % of series with a constant level of 0 have a section
    with a sign. For normal means, `LOW_SECTION_THRESHOLD` would be enough. But means of short
    sections are not normal, and their dependence is estimated poorly. With this threshold, 4, 10
    and 20 % of series of 2,000 values of -1, 0 and 1 with autocorrelation 0, 0.5 and 0.9 had a
    sign. With `SECTION_THRESHOLD` and `MIN_SECTION_SIZE`, 2, 4 and 0 % have a sign. Of series with
    autocorrelation 0.9, 5 % of 5,000 values and 2 % of 20,000 values have a sign; with 0.99, 0 %
    of 20,000 values and 4 % of 100,000 values.

    Parameters
    ----------
    values : Sample or array_like of float, shape (n,)
        Values in order of time. If sections are too short, all signs are 0. An exception is a
        series without any variance within sections, whose sections may be short.
    margin : float
        A mean between -margin and margin has the sign 0.
    low_threshold : bool
        Whether to use `LOW_SECTION_THRESHOLD`, and sections of any length. Set it to withhold an
        interval, as the calibration of verdicts does, not for a claim about sections.
    """
    sample = Sample.of(values)
    series, order = as_series(sample.values, 1, "Sections of a stream"), sample.order
    n, no_signs = len(series), np.zeros(N_SECTIONS, np.int8)
    # With the low threshold, shorter series have no interval to withhold. Otherwise, each section
    # needs two values for a variance within sections.
    if n < (MIN_EFFECTIVE_SIZE if low_threshold else 2 * N_SECTIONS):
        return no_signs
    means, ends = block_means(series, N_SECTIONS), np.arange(N_SECTIONS + 1) * n // N_SECTIONS
    starts, lengths = ends[:-1], np.diff(ends)
    minima, maxima = np.minimum.reduceat(series, starts), np.maximum.reduceat(series, starts)
    deviations = series - np.repeat(means, lengths)
    # Long-run variance within sections.
    within = 0.0 if (minima == maxima).all() else _long_run_variance(deviations, order)
    if within and not low_threshold:
        effective_size = n * variance_of(deviations) / within / N_SECTIONS
        rare = effective_size * np.count_nonzero(series) / n
        is_short = n < N_SECTIONS * MIN_SECTION_SIZE or effective_size < MIN_SECTION_SIZE
        if is_short or rare < MIN_SECTION_RARE_SIZE:
            return no_signs
    threshold = LOW_SECTION_THRESHOLD if low_threshold else SECTION_THRESHOLD
    bound = margin + threshold * np.sqrt(within / lengths)
    signs: NDArray[np.int8] = np.where(np.abs(means) > bound, np.sign(means), 0).astype(np.int8)
    return signs


def _effective_sizes(summary: Summary) -> tuple[float, float]:
    """Effective number of all values, and of those that differ from the most frequent value."""
    n = summary.n
    if summary.long_run_variance == 0.0:
        return 0.0, 0.0
    effective_size = min(n * summary.variance / summary.long_run_variance, float(n))
    return effective_size, effective_size * (1.0 - summary.most_frequent / n)


def _too_few_instances(n: int, effective_size: float, rare: float) -> str:
    if effective_size == 0.0:
        return f"all {n:,} values are equal" if n > 1 else "there is only one value"
    if n < MIN_EFFECTIVE_SIZE:
        return f"there are only {n:,} instances; at least {MIN_EFFECTIVE_SIZE} are needed"
    if effective_size < MIN_EFFECTIVE_SIZE:
        return (
            f"the effective sample size of {n:,} dependent instances is "
            f"{_text_below(effective_size, MIN_EFFECTIVE_SIZE)}; at least {MIN_EFFECTIVE_SIZE} is "
            "needed"
        )
    if rare < MIN_RARE_SIZE:
        return (
            f"all but a few of {n:,} instances have the same value: the effective sample size of "
            f"the others is {_text_below(rare, MIN_RARE_SIZE, digits=1)}; at least {MIN_RARE_SIZE} "
            "is needed"
        )
    return ""


def _text_below(value: float, bound: int, digits: int = 0) -> str:
    """Format `value`, which is below `bound`, so that it stays below after rounding."""
    rounded = min(float(round_half_up(value, digits)), bound - 10.0**-digits)
    return format_number(rounded, f",.{digits}f")


def _too_few_runs(n: int, run_lengths: RunLengths | None) -> str:
    if run_lengths is None or run_lengths.n_runs == 1:
        return ""
    n_runs, effective_size = run_lengths.n_runs, run_lengths.effective_size
    if n_runs < MIN_ERROR_RUNS:
        return f"errors come in only {n_runs:,} runs; at least {MIN_ERROR_RUNS} are needed"
    if effective_size >= MIN_ERROR_RUNS:
        return ""
    return (
        f"errors come in only {n_runs:,} runs: the effective sample size of {n:,} instances is "
        f"{_text_below(effective_size, MIN_ERROR_RUNS)}; at least {MIN_ERROR_RUNS} is needed"
    )
