"""The scorecard: every published number and claim beside ours, with a verdict by a stated rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import pandas as pd

from streameval.errors import DataError
from streameval.measures.accuracy import class_recall
from streameval.measures.registry import MEASURES
from streameval.measures.tally import Tally
from streameval.report.claims import (
    FAILS,
    HOLDS,
    IN_PART,
    NO_RULE,
    NOT_RUN,
    QUICK_SCALE,
    UNDECIDED,
    judge,
)
from streameval.report.frames import as_flags, require_columns
from streameval.report.names import PAPERS
from streameval.report.results import Finding, Results
from streameval.report.tables import number_text, round_half_up

COLUMNS = [
    "paper",
    "item",
    "key",
    "published",
    "ours",
    "difference",
    "verdict",
    "rule",
    "reason",
    "by_construction",
]
#: Verdicts on numbers.
SAME, TRUNCATED, DIFFERS = "same digits", "truncated", "differs"
#: All verdicts, on numbers and on claims, see `judge`.
VERDICTS = (SAME, TRUNCATED, DIFFERS, HOLDS, IN_PART, UNDECIDED, FAILS, QUICK_SCALE, NOT_RUN)

SAME_DIGITS = (
    "same digits: ours has the published ones if rounded half up to as many decimals; truncated: "
    "it has them if cut off there"
)
SAME_COUNT = "counts are equal"

QUOTED = "quoted from the literature; the paper gives no protocol to rerun"
NOT_PART = "study not part of this version"

#: The stream that a published row describes, as far as its numbers tell, by item and stream.
DESCRIBES = {("bifet2013/table2", "kdd99"): "kdd99_head"}
#: Why ours has to agree, or was chosen because it does, by paper, item and the key's pattern.
BY_CONSTRUCTION = {
    ("bifet2013", "table2", "*/majority_accuracy"): "it is P(c1), the first number of the row",
    ("bifet2013", "table2", "kdd99/P(c?)"): (
        "the number of rows was chosen so that these numbers agree"
    ),
    ("zliobaite2015", "table3", "elec2_mlj/attributes"): (
        "the configuration keeps the five attributes that the paper names"
    ),
    ("zliobaite2015", "table3", "ozone/attributes"): (
        "the configuration drops the date, which leaves the number that the paper gives"
    ),
    ("bifet2015", "table5", "*"): (
        "it is computed from the confusion matrix that the paper prints, and not from a run"
    ),
}

#: Numbers that are counted, not estimated.
COUNTS = ("instances", "attributes", "classes")


@dataclass(frozen=True)
class PublishedTable:
    """Where a published table's numbers stand in ``resources/published``.

    Parameters
    ----------
    paper, item, file : str
        Which table, and its file.
    keys, values : tuple of str
        Columns that name a row, and those with its numbers.
    per_stream : tuple of str
        Numbers that the paper gives once per stream.
    member : str
        A column that holds 1 in the rows that belong to the table; "" for all rows.
    """

    paper: str
    item: str
    file: str
    keys: tuple[str, ...]
    values: tuple[str, ...] = ("value",)
    per_stream: tuple[str, ...] = ()
    member: str = ""


_ACCURACY = ("accuracy_percent",)
_BIN = ("stream", "bin", "learner")
_SIZE = ("labelled_instances", "attributes")
_FOLDS = ("stream", "p_noise", "validation")
_LITERATURE = ("elec2_literature.csv", ("algorithm",), _ACCURACY, ())

# fmt: off
PUBLISHED: tuple[PublishedTable, ...] = (
    PublishedTable("bifet2013", "table1", *_LITERATURE, "in_bifet2013_table1"),
    PublishedTable("bifet2013", "table2", "bifet2013_table2.csv", ("stream", "measure")),
    PublishedTable("zliobaite2015", "table3", "zliobaite2015_table3.csv", ("stream",),
                   (*COUNTS, "P(M)", "P(T)")),
    PublishedTable("zliobaite2015", "table5", *_LITERATURE, "in_zliobaite2015_table5"),
    PublishedTable("bifet2015", "table1", "bifet2015_table1.csv", ("fold",),
                   ("classifier_a", "classifier_b", "difference", "rank")),
    PublishedTable("bifet2015", "table2", "bifet2015_table2.csv",
                   ("test", "mode", "p_noise", "validation")),
    PublishedTable("bifet2015", "table3", "bifet2015_table3.csv", _FOLDS, ("rejection_fraction",)),
    PublishedTable("bifet2015", "table4", "bifet2015_table4.csv", _FOLDS, ("rejection_fraction",)),
    PublishedTable("bifet2015", "table5", "bifet2015_table5.csv", ("measure",),
                   ("value_percent",)),
    PublishedTable("grzenda2019", "table1", "grzenda2019_table1.csv", _BIN, _ACCURACY, _SIZE),
    PublishedTable("grzenda2019", "table2", "grzenda2019_table2.csv", _BIN,
                   ("mean_absolute_error",), _SIZE),
)
# fmt: on


def scorecard(
    published_dir: Path | str,
    ours: Mapping[str, pd.DataFrame | Path | str],
    not_available: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """Compare a run with everything that the papers publish.

    Parameters
    ----------
    published_dir : Path or str
        ``resources/published``.
    ours : mapping of str to pandas.DataFrame, Path or str
        The run's tidy results, by their names, see `streameval.report.results.columns_of`; what
        the run did not make is left out.
    not_available : mapping of str to str, optional
        Why, for each stream that could not be had.

    Returns
    -------
    pandas.DataFrame
        Columns paper, item, key, published (text, the paper's digits or words), ours,
        difference (ours - published), verdict, rule, reason, by_construction. Of a claim, `ours` is
        the share of its conditions that hold, and `difference` what is lacking from all of them.
        Both are NaN, in the CSV empty, exactly where the verdict begins with "not run"; no other
        cell is ever empty. `by_construction` is "yes" for a number that was compared and could not
        but agree, otherwise "no". Rows of simulated streams are not looked at.

    Raises
    ------
    DataError
        If a file lacks a column, results have an unknown name, or a remark is about a number
        that is not published.
    """
    folder = Path(published_dir)
    results = Results.read(ours, not_available or {})
    rows = [row for table in PUBLISHED for row in _number_rows(folder, table, results)]
    rows += _claim_rows(folder, results)
    card = _marked(pd.DataFrame(rows, columns=COLUMNS[:-1]))
    card = _with_remarks(card, _read(folder / "remarks.csv", (*COLUMNS[:3], "remark")))
    rank = card["paper"].map({paper: place for place, paper in enumerate(PAPERS)})
    return card.loc[rank.sort_values(kind="stable").index].reset_index(drop=True)


def summary(card: pd.DataFrame) -> pd.DataFrame:
    """Count the verdicts of a scorecard by paper and item.

    Returns
    -------
    pandas.DataFrame
        Columns paper, item, one per verdict of `VERDICTS`, total.
    """
    counts = pd.crosstab([card["paper"], card["item"]], card["verdict"])
    order = card[["paper", "item"]].drop_duplicates()
    counts = counts.reindex(pd.MultiIndex.from_frame(order)).reindex(
        columns=list(VERDICTS), fill_value=0
    )
    return counts.assign(total=counts.sum(axis=1)).reset_index().rename_axis(columns=None)


def _number_rows(
    folder: Path, table: PublishedTable, results: Results
) -> Iterator[tuple[object, ...]]:
    for key, published in _published_numbers(folder, table):
        is_count = key.rpartition("/")[2] in COUNTS
        stream, _, measure = key.partition("/")
        compared = _compare(published, _find(results, table, key), is_count)
        part = DESCRIBES.get((f"{table.paper}/{table.item}", stream))
        if part:
            found = _compare(published, _find(results, table, f"{part}/{measure}"), is_count)
            if found[2] != NOT_RUN:
                whole = f"{stream}, the whole file: {compared[2]}, {compared[4]}"
                compared = (*found[:4], f"{part}: {found[4]}. {whole}")
        yield table.paper, table.item, key, published, *compared


def _published_numbers(folder: Path, table: PublishedTable) -> Iterator[tuple[str, str]]:
    """Yield key and text of each number; a key names row and, if there are several, column."""
    member = (table.member,) if table.member else ()
    columns = (*table.keys, *table.values, *table.per_stream, *member)
    frame = _read(folder / table.file, columns)
    if table.member:
        frame = frame[frame[table.member] == "1"]
    for column in table.per_stream:
        for stream, number in frame[["stream", column]].drop_duplicates().to_numpy():
            yield f"{stream}/{column}", number
    for row in frame.to_dict("records"):
        name = "/".join(row[key] for key in table.keys)
        for column in table.values:
            yield (f"{name}/{column}" if len(table.values) > 1 else name), row[column]


def _find(results: Results, table: PublishedTable, key: str) -> Finding:
    """Return our number, or why there is none."""
    item = f"{table.paper}/{table.item}"
    stream, _, measure = key.partition("/")
    if item == "bifet2013/table2":
        return results.find(item, stream, measure=measure)
    if item == "zliobaite2015/table3":
        return results.find(item, stream, measure)
    if table.file == "elec2_literature.csv":
        return _our_no_change(results, item) if "No-Change" in key else Finding(np.nan, QUOTED)
    if item == "bifet2015/table5":
        return Finding(worked_example()[key])
    return Finding(np.nan, NOT_PART)


def _our_no_change(results: Results, item: str) -> Finding:
    if item in results.frames:
        table = results.frames[item]
        measured = table[as_flags(table["measured"], item)]
        if len(measured):
            return Finding(float(measured["accuracy_percent"].iloc[0]))
    return Finding(np.nan, results.absence(item, "elec2"))


def worked_example() -> dict[str, float]:
    """Return the measures of the confusion matrix in Table 5 of Bifet et al. (2015), per cent.

    70 of 100 instances are of class +, of which 40 are recognised, and 25 of the other 30; the
    majority class is right 70 times.
    """
    tally = Tally.from_confusion([[40, 30], [5, 25]], majority_correct=70)
    plus, minus = class_recall(tally)
    shares = {
        "accuracy_class_plus": plus,
        "accuracy_class_minus": minus,
        "majority_accuracy": tally.majority_correct / tally.n,
        "p_c": MEASURES["chance_accuracy"].value(tally),
    }
    names = ("accuracy", "kappa", "mcc", "kappa_m")
    for name in (*names, "arithmetic_mean", "geometric_mean", "harmonic_mean"):
        shares[name] = MEASURES[name].value(tally)
    return {name: 100 * float(share) for name, share in shares.items()}


def _compare(
    published: str, finding: Finding, is_count: bool
) -> tuple[float, float, str, str, str]:
    """Return ours, difference, verdict, rule and reason."""
    if finding.reason:
        return np.nan, np.nan, NOT_RUN, NO_RULE, finding.reason
    exact, theirs = Decimal(repr(finding.value)), Decimal(published)
    difference = float(exact - theirs)
    if is_count:
        same, rule = exact == theirs, SAME_COUNT
        reason = f"ours is {number_text(int(finding.value))}"
    else:
        decimals = len(published.partition(".")[2])
        rounded, rule = round_half_up(finding.value, decimals), SAME_DIGITS
        same = rounded == theirs
        reason = f"ours, {number_text(finding.value)}, rounds to {rounded}"
    if same:
        return finding.value, difference, SAME, rule, reason
    reason += f", which differs from {published}: ours is {_amount(difference, is_count)}"
    if not is_count and exact.quantize(Decimal(1).scaleb(-decimals), ROUND_DOWN) == theirs:
        reason += "; equal if truncated instead of rounded"
        return finding.value, difference, TRUNCATED, rule, reason
    return finding.value, difference, DIFFERS, rule, reason


def _amount(difference: float, is_count: bool) -> str:
    size = number_text(int(abs(difference)) if is_count else abs(difference))
    return f"{size} {'higher' if difference > 0 else 'lower'}"


def _claim_rows(folder: Path, results: Results) -> list[tuple[object, ...]]:
    claims = _read(folder / "claims.csv", ("paper", "item", "key", "claim"))
    rows: list[tuple[object, ...]] = []
    for paper, item, key, claim in claims[["paper", "item", "key", "claim"]].to_numpy():
        share, verdict, rule, reason = judge(paper, key, results)
        rows.append((paper, item, key, claim, share, share - 1, verdict, rule, reason))
    return rows


def _marked(card: pd.DataFrame) -> pd.DataFrame:
    """Add the last column, and the reasons for it."""
    card["by_construction"] = "no"
    compared = card["verdict"].isin([SAME, TRUNCATED])
    for (paper, item, pattern), why in BY_CONSTRUCTION.items():
        named = (card["paper"] == paper) & (card["item"] == item)
        fits = named & compared & card["key"].map(lambda key, like=pattern: fnmatchcase(key, like))
        card.loc[fits, "by_construction"] = "yes"
        card.loc[fits, "reason"] += f". By construction: {why}"
    return card


def _with_remarks(card: pd.DataFrame, remarks: pd.DataFrame) -> pd.DataFrame:
    names = COLUMNS[:3]
    place = pd.MultiIndex.from_frame(card[names])
    for *name, remark in remarks[[*names, "remark"]].to_numpy():
        fits = place == tuple(name)
        if not fits.any():
            raise DataError(
                f"remarks.csv: expected the key of a published number or claim, found "
                f"{'/'.join(name)}, which is none. Correct paper, item or key."
            )
        card.loc[fits, "reason"] += f". {remark}"
    return card


def _read(path: Path, columns: tuple[str, ...]) -> pd.DataFrame:
    """Read a published file as texts: digits are part of what it says."""
    if not path.is_file():
        raise DataError(f"{path}: no such file. It comes with the source of streameval.")
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    require_columns(frame, columns, str(path))
    return frame
