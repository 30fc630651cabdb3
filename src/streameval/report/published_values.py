"""Published values of a study of one's own: a file of numbers, each compared with ours."""

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

from streameval.base.errors import ConfigError, excerpt, some, unknown
from streameval.evaluation.roles import MAXIMUM, WEIGHTED
from streameval.report.number_verdicts import OVER_SEEDS, compare_number
from streameval.report.results import Finding
from streameval.significance.intervals import mean_interval

#: The columns of a file, and those that it may have besides.
COLUMNS = ("stream", "learner", "measure", "value", "source")
OPTIONAL = ("digits", "seeds", "bin")
#: The last bin, the one just before the label is learnt, as tables of bins name it.
LAST_BIN = "B+1"
_BIN = re.compile(rf"\d*|{re.escape(LAST_BIN)}|{MAXIMUM}|{WEIGHTED}.+")
#: Digits after the point beyond which no table prints any.
_MOST_DIGITS = 15


class PublishedValue(NamedTuple):
    """A printed number: with ``%`` behind it in per cent, otherwise a fraction.

    `seeds` is the number of runs of which it is the mean; `bin` that of a table of bins, or "".
    """

    stream: str
    learner: str
    measure: str
    printed: str
    source: str
    seeds: int = 1
    bin: str = ""

    @property
    def about(self) -> tuple[str, ...]:
        """Stream, learner and measure, and the bin if there is one."""
        return (self.stream, self.learner, self.measure, *filter(None, [self.bin]))

    @property
    def is_ratio(self) -> bool:
        """True for a ratio of counts, which is rounded exactly."""
        return self.measure == "accuracy" and not self.bin.startswith(WEIGHTED)

    @property
    def is_percent(self) -> bool:
        """True for a number in per cent."""
        return self.printed.endswith("%")

    @property
    def digits(self) -> str:
        """The digits that are printed, without the sign of per cent."""
        return self.printed.removesuffix("%").strip()

    def number(self, is_percent: bool) -> Decimal:
        """The number as a percentage or a fraction, with the digits that are printed."""
        return Decimal(self.digits).scaleb(2 * (is_percent - self.is_percent))


class ValueComparison(NamedTuple):
    """Difference ours - published, in the unit of the published value, and the verdict on it."""

    difference: float
    verdict: str
    rule: str
    reason: str


def read_values(
    path: Path | str,
    streams: Iterable[str] | None = None,
    learners: Iterable[str] | None = None,
    measures: Iterable[str] | None = None,
) -> list[PublishedValue]:
    """Read published values and check them against the ids of a run.

    Parameters
    ----------
    path : Path or str
        A CSV file with the columns `COLUMNS`, and perhaps `OPTIONAL`: ``digits`` is the number of
        printed decimals, where the file has lost zeros at the end; ``bin`` is for tables of bins.
    streams, learners, measures : iterable of str, optional
        The known ids; by default any.

    Raises
    ------
    ConfigError
        If the file is missing or lacks a column, or a row has an unknown id, no number, no bin in
        the column of bins, or is about the same as another one; names the line.
    """
    path = Path(path)
    if not path.is_file():
        raise ConfigError(f"published: expected a file, found none at {path}.")
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (ValueError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: expected a CSV file, found another one: {error}") from error
    missing = [name for name in COLUMNS if name not in frame]
    if missing:
        raise ConfigError(
            f"{path}: expected the columns {', '.join(COLUMNS)}, and perhaps "
            f"{', '.join(OPTIONAL)}; found {some(map(str, frame.columns))}, without {missing[0]}."
        )
    known = {"stream": streams, "learner": learners, "measure": measures}
    lines: dict[tuple[str, ...], int] = {}
    values = []
    for line, row in enumerate(frame.to_dict("records"), 2):
        at = f"{path}, line {line}"
        for key, ids in known.items():
            if ids is not None and row[key] not in (names := [*ids]):
                raise ConfigError(f"{at}: there is {unknown(key, row[key], names)}")
        bin_name = row.get("bin", "").strip()
        if not _BIN.fullmatch(bin_name):
            raise ConfigError(
                f"{at}: expected as bin a whole number, {LAST_BIN}, {MAXIMUM} or {WEIGHTED}NAME, "
                f"found {excerpt(bin_name)!r}."
            )
        about = (*(row[key] for key in known), *filter(None, [bin_name]))
        if about in lines:
            raise ConfigError(
                f"{at}: expected one value of {' / '.join(about)}, found another one in line "
                f"{lines[about]}. Remove one."
            )
        lines[about] = line
        seeds = _whole(row.get("seeds", ""), "seeds", at, 1, 1)
        ids_of_row = {key: row[key] for key in known}
        printed = _printed(row, at)
        values.append(
            PublishedValue(
                **ids_of_row, printed=printed, source=row["source"], seeds=seeds, bin=bin_name
            )
        )
    return values


def _printed(row: Mapping[Any, str], at: str) -> str:
    """The number of a row as it is printed."""
    text = row["value"].strip().replace("\u2212", "-")
    sign = "%" if text.endswith("%") else ""
    digits = text.removesuffix("%").strip()
    try:
        number = float(digits)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or not digits.isascii() or "e" in digits.lower():
        raise ConfigError(
            f"{at}: expected a number such as 0.8253 or 82.53%, found {excerpt(row['value'])!r}."
        )
    whole, _, decimals = digits.partition(".")
    wanted = _whole(row.get("digits", ""), "digits", at, len(decimals), 0)
    if wanted < len(decimals):
        raise ConfigError(
            f"{at}: expected digits of at least {len(decimals)}, the decimals of {digits}, found "
            f"{wanted}."
        )
    decimals = decimals.ljust(wanted, "0")
    return whole + (f".{decimals}" if decimals else "") + sign


def _whole(text: str, what: str, at: str, default: int, least: int) -> int:
    if not text.strip():
        return default
    if not text.strip().isdecimal() or not least <= int(text) <= 10**6:
        raise ConfigError(
            f"{at}: expected a whole number from {least} as {what}, found {excerpt(text)!r}."
        )
    return min(int(text), _MOST_DIGITS) if what == "digits" else int(text)


def compare_values(
    value: PublishedValue, ours: Sequence[float], reason: str = "", *, is_ratio: bool = False
) -> ValueComparison:
    """Compare a published value with ours of one or several seeds, by the scorecard's rules.

    Parameters
    ----------
    value : PublishedValue
        The published value.
    ours : sequence of float
        The value of each of our runs, as fractions.
    reason : str
        Why there is none of ours.
    is_ratio : bool
        True if ours are ratios of counts, such as accuracies, which are rounded exactly.
    """
    scale = 100 if value.is_percent else 1
    if not len(ours) or np.isnan(ours).any():
        finding = Finding(np.nan, reason or "there is no such value in this run")
    elif len(ours) > 1:
        mean, low, high = mean_interval(ours)
        # The variance of the published mean beside that of ours.
        wider = math.sqrt(1 + len(ours) / value.seeds)
        ends = (scale * (mean - (mean - low) * wider), scale * (mean + (high - mean) * wider))
        finding = Finding(scale * mean, interval=ends)
    elif is_ratio:
        finding = Finding(float(ours[0]) * scale).of_counts(scale)
    else:
        exact = Fraction(repr(float(ours[0]))) * scale
        finding = Finding(float(ours[0]) * scale, exact=exact)
    _, difference, verdict, rule, why = compare_number(value.digits, finding, sampling=OVER_SEEDS)
    return ValueComparison(difference, verdict, rule, why)


class Ours(NamedTuple):
    """Our values of a stream, learner and measure, one for each run; or why there are none."""

    values: Sequence[float]
    reason: str = ""
    is_simulated: bool = False


def agreements(
    path: Path, ours: Mapping[tuple[str, ...], Ours]
) -> dict[tuple[str, ...], tuple[PublishedValue, ValueComparison]]:
    """Compare the published values of a file with ours, by stream, learner, measure and any bin.

    Values that `ours` does not have are left out. Nothing is compared with a simulated stream.
    """
    compared = {}
    for value in read_values(path):
        about = value.about
        if about not in ours:
            continue
        values, reason, is_simulated = ours[about]
        if is_simulated:
            values, reason = [], "the stream is simulated and only resembles the real one"
        comparison = compare_values(value, values, reason, is_ratio=value.is_ratio)
        compared[about] = (value, comparison)
    return compared
