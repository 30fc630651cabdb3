"""Published values for a user's study: a file of numbers, each compared with ours."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from streameval.base.errors import ConfigError, excerpt, listing, unknown_name_text
from streameval.evaluation.roles import MAXIMUM, WEIGHTED
from streameval.report.number_verdicts import OVER_SEEDS, compare_number
from streameval.report.results import Finding
from streameval.significance.intervals import mean_interval

#: Required columns of a file.
COLUMNS = ("stream", "learner", "measure", "value", "source")
#: Optional columns.
OPTIONAL = ("digits", "seeds", "bin")
#: Name of the last of the bins 0 to B + 1 of continuous re-evaluation: the last prediction of an
#: instance before its label is learnt.
LAST_BIN = "B+1"
#: Names of bins; the empty name stands for a value without bins.
_BIN = re.compile(rf"\d*|{re.escape(LAST_BIN)}|{MAXIMUM}|{WEIGHTED}.+")
#: Largest number of decimals to fill with zeros; no table prints more.
_MAX_DECIMALS = 15
#: Largest number of seeds or digits; a larger number is a mistake.
_MAX_WHOLE_NUMBER = 10**6


class PublishedValue(NamedTuple):
    """A printed number: a percentage if ``%`` follows, otherwise a fraction.

    It is the mean of `n_runs` runs; `bin` is a row of a table of bins, or "".
    """

    stream: str
    learner: str
    measure: str
    printed: str
    source: str
    n_runs: int = 1
    bin: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """Stream, learner and measure, and the bin if there is one."""
        return (self.stream, self.learner, self.measure, *filter(None, [self.bin]))

    @property
    def is_ratio(self) -> bool:
        """Whether the value is a ratio of counts, which is rounded exactly."""
        return self.measure == "accuracy" and not self.bin.startswith(WEIGHTED)

    @property
    def is_percent(self) -> bool:
        """Whether the number is a percentage."""
        return self.printed.endswith("%")

    @property
    def digits(self) -> str:
        """The printed digits, without the per cent sign."""
        return self.printed.removesuffix("%").strip()

    def number(self, is_percent: bool) -> Decimal:
        """The number as a percentage or a fraction, with the printed digits."""
        shift = 2 * (int(is_percent) - int(self.is_percent))  # -2, 0 or 2 decimal places
        return Decimal(self.digits).scaleb(shift)


class ValueComparison(NamedTuple):
    """Verdict on a published value; the difference is ours - published, in the printed unit."""

    difference: float
    verdict: str
    rule: str
    reason: str


def read_published_values(
    path: Path | str,
    streams: Iterable[str] | None = None,
    learners: Iterable[str] | None = None,
    measures: Iterable[str] | None = None,
) -> list[PublishedValue]:
    """Read published values and check them against the ids of a run.

    Parameters
    ----------
    path : Path or str
        A CSV file with the required columns `COLUMNS`, and any of the columns `OPTIONAL`:
        ``digits`` is the number of printed decimals, for files that have lost zeros at the end;
        ``seeds`` is the number of runs of a mean; ``bin`` is a row of a table of bins.
    streams, learners, measures : iterable of str, optional
        The valid ids; by default any.

    Raises
    ------
    ConfigError
        If the file is missing or lacks a column, or a row has an unknown id, an invalid number or
        bin, or the same key as another row. The message names the line.
    """
    path = Path(path)
    if not path.is_file():
        raise ConfigError(f"published: expected a file, found none at {path}.")
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (ValueError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: expected a CSV file, found another format: {error}") from error
    missing = [name for name in COLUMNS if name not in frame]
    if missing:
        raise ConfigError(
            f"{path}: expected the columns {', '.join(COLUMNS)}, and perhaps "
            f"{', '.join(OPTIONAL)}; found {listing(map(str, frame.columns))}, "
            f"without {missing[0]}."
        )
    # In the order of `PublishedValue.key`.
    valid_ids = {"stream": streams, "learner": learners, "measure": measures}
    lines: dict[tuple[str, ...], int] = {}
    values = []
    for line, row in enumerate(frame.to_dict("records"), 2):  # line 1 is the header
        place = f"{path}, line {line}"
        for column, ids in valid_ids.items():
            if ids is not None and row[column] not in (names := [*ids]):
                raise ConfigError(
                    f"{place}: there is {unknown_name_text(column, row[column], names)}"
                )
        bin_name = row.get("bin", "").strip()
        if not _BIN.fullmatch(bin_name):
            raise ConfigError(
                f"{place}: expected as bin a whole number, {LAST_BIN}, {MAXIMUM} or "
                f"{WEIGHTED}NAME, found {excerpt(bin_name)!r}."
            )
        key = (*(row[column] for column in valid_ids), *filter(None, [bin_name]))
        if key in lines:
            raise ConfigError(
                f"{place}: expected one value of {' / '.join(key)}, found another value in line "
                f"{lines[key]}. Remove one of them."
            )
        lines[key] = line
        values.append(
            PublishedValue(
                stream=row["stream"],
                learner=row["learner"],
                measure=row["measure"],
                printed=_printed_number(row, place),
                source=row["source"],
                n_runs=_whole_number(row.get("seeds", ""), "seeds", place, default=1, least=1),
                bin=bin_name,
            )
        )
    return values


def _printed_number(row: Mapping[Any, str], place: str) -> str:
    """The number of a row as it was printed, with zeros at the end and the per cent sign."""
    text = row["value"].strip().replace("\u2212", "-")  # a minus sign
    sign = "%" if text.endswith("%") else ""
    digits = text.removesuffix("%").strip()
    try:
        number = float(digits)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or not digits.isascii() or "e" in digits.lower():
        raise ConfigError(
            f"{place}: expected a number such as 0.8253 or 82.53%, found {excerpt(row['value'])!r}."
        )
    whole, _, decimals = digits.partition(".")
    n_decimals = _whole_number(
        row.get("digits", ""), "digits", place, default=len(decimals), least=0
    )
    if n_decimals < len(decimals):
        raise ConfigError(
            f"{place}: expected at least {len(decimals)} as digits, the number of decimals of "
            f"{digits}, found {n_decimals}."
        )
    decimals = decimals.ljust(min(n_decimals, _MAX_DECIMALS), "0")
    return whole + (f".{decimals}" if decimals else "") + sign


def _whole_number(text: str, column: str, place: str, *, default: int, least: int) -> int:
    if not text.strip():
        return default
    if not text.strip().isdecimal() or not least <= int(text) <= _MAX_WHOLE_NUMBER:
        raise ConfigError(
            f"{place}: expected a whole number from {least} as {column}, found {excerpt(text)!r}."
        )
    return int(text)


def compare_values(
    value: PublishedValue, ours: Sequence[float], reason: str = "", *, is_ratio: bool = False
) -> ValueComparison:
    """Compare a published value with ours, of one or several seeds, by the scorecard's rules.

    Parameters
    ----------
    value : PublishedValue
        The published value.
    ours : sequence of float
        The value of each of our runs, as a fraction.
    reason : str
        Why we have no value, if `ours` is empty or has a NaN.
    is_ratio : bool
        Whether our values are ratios of counts, such as accuracies, which are rounded exactly.
    """
    scale = 100 if value.is_percent else 1
    if not len(ours) or np.isnan(ours).any():
        finding = Finding(np.nan, reason or "there is no such value in this run")
    elif len(ours) > 1:
        mean, low, high = mean_interval(ours)
        # The published mean over value.n_runs runs has a variance, too: the variance of the
        # difference is the variance of our mean times 1 + len(ours) / value.n_runs.
        factor = math.sqrt(1 + len(ours) / value.n_runs)
        ends = (scale * (mean - (mean - low) * factor), scale * (mean + (high - mean) * factor))
        finding = Finding(scale * mean, interval=ends)
    elif is_ratio:
        finding = Finding(float(ours[0]) * scale).with_exact_ratio(scale)
    else:
        exact = Fraction(repr(float(ours[0]))) * scale
        finding = Finding(float(ours[0]) * scale, exact=exact)
    _, difference, verdict, rule, verdict_reason = compare_number(
        value.digits, finding, sampling=OVER_SEEDS
    )
    return ValueComparison(difference, verdict, rule, verdict_reason)


class OurValues(NamedTuple):
    """Our values of a stream, learner and measure, one for each run; or why we have none."""

    values: Sequence[float]
    reason: str = ""
    is_simulated: bool = False


def compare_published_file(
    path: Path, ours: Mapping[tuple[str, ...], OurValues]
) -> dict[tuple[str, ...], tuple[PublishedValue, ValueComparison]]:
    """Published values of a file and their comparisons with ours, by `PublishedValue.key`.

    Published values whose key is not in `ours` are left out. A value of a simulated stream is not
    compared.
    """
    comparisons = {}
    for value in read_published_values(path):
        if value.key not in ours:
            continue
        values, reason, is_simulated = ours[value.key]
        if is_simulated:
            values, reason = [], "the stream is simulated and only resembles the real stream"
        comparison = compare_values(value, values, reason, is_ratio=value.is_ratio)
        comparisons[value.key] = (value, comparison)
    return comparisons
