"""Tables of bins: accuracies, errors, skills, and the two rules for predictions in a bin."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streameval.base.errors import ConfigError
from streameval.drawing.subject import Subject
from streameval.evaluation.roles import COMPARATORS, MAXIMUM
from streameval.items.columns import (
    count,
    laid_out,
    learners,
    number,
    of_texts,
    stream_name,
    stream_notes,
    streams,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.reevaluation.settings import (
    BinnedErrorTableSettings,
    BinnedTableSettings,
    BinRulesSettings,
    DelayedSkillSettings,
)
from streameval.view.blocks import Table
from streameval.view.numbers import in_brackets, number_text, upper_bound_text

#: What the table calls the last bin.
LAST = "B+1"
#: What weighted performance is called, before the name of the weights.
WEIGHTED = "weighted: "


def study_binned_table(given: StreamInputs, item: ItemInput[BinnedTableSettings]) -> pd.DataFrame:
    """Return the table of an item: accuracies in per cent by bin and learner, and weighted ones.

    Intervals are for this bin and learner alone; `which` is the bin, or the name of the weights.
    """
    shown, weights = item.settings.shown, item.settings.weights
    if not weights:
        return item.over_frames(lambda bins: _accuracies(bins, shown), "bins")
    table = item.over_frames(
        lambda bins, found: pd.concat([_accuracies(bins, shown), _weighted(found, weights)]),
        *("bins", "weighted"),
    )
    return table.astype({"bin": "Int64"})


def _weighted(found: pd.DataFrame, names: tuple[str, ...]) -> pd.DataFrame:
    missing = [name for name in names if name not in set(found["weights"])]
    if missing:
        raise ConfigError(
            f"Table of bins: expected the weights {missing[0]!r} in the item about it, found none "
            "of this name. Add them to its `weights`."
        )
    rows = found[found["weights"].isin(names) & (found["measure"] == "accuracy")].copy()
    rows["accuracy_percent"] = 100 * rows["value"]
    rows[["low", "high"]] *= 100
    rows["which"] = rows["weights"].where(rows["weights"] == MAXIMUM, WEIGHTED + rows["weights"])
    rows["place"] = rows["weights"].map({name: i for i, name in enumerate(names)})
    return rows.assign(bin=None).sort_values("place", kind="stable")


def _accuracies(bins: pd.DataFrame, shown: tuple[int, ...]) -> pd.DataFrame:
    rows = chosen_bins(bins, shown)
    correct = np.rint(rows["accuracy"] * rows["predictions"])
    # A single rounding: what is halfway between two numbers of two decimals stays so.
    rows["accuracy_percent"] = 100 * correct / rows["predictions"]
    rows[["low", "high"]] *= 100
    return rows


def chosen_bins(bins: pd.DataFrame, shown: tuple[int, ...]) -> pd.DataFrame:
    """Return the rows of some bins of a stream.

    Raises ConfigError if the stream does not have one of the bins.
    """
    last = int(bins["bin"].max())
    wrong = [b for b in shown if not 0 < b < last]
    if wrong:
        raise ConfigError(
            f"Table of bins: expected bins from 1 to {last - 1} in `shown`, which the item has for "
            f"it, found {wrong[0]}."
        )
    names = {0: "0", **{b: str(b) for b in sorted(shown)}, last: LAST}
    rows = bins[bins["bin"].isin(names)].copy()
    rows["place"] = rows["bin"].map({b: i for i, b in enumerate(names)})
    rows["which"] = rows["bin"].map(names)
    return rows.sort_values("place", kind="stable")


def layout_binned_table(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item; the most accurate learners of a line are marked."""
    cells = cells_by_bin(table, subject, "accuracy_percent", 1)
    widest = ((table["high"] - table["low"]) / 2).max()
    note = (
        "* The highest accuracy of the bin. The CSV has 95 % intervals of single cells; the widest "
        f"is ±{upper_bound_text(widest, 1)}."
    )
    notes = (note, *stream_notes(table))
    return of_texts(cells, "l" + "r" * (cells.shape[1] - 1), notes)


def cells_by_bin(table: pd.DataFrame, subject: Subject, column: str, sign: int) -> pd.DataFrame:
    """Return the texts: a line for each stream and bin, a column for each learner.

    The highest ones of a line are marked, or the lowest ones by a `sign` of -1.
    """
    lines: list[dict[str, str]] = []
    learners = list(dict.fromkeys(table["learner"]))
    for _, rows in table.groupby(["stream", "which"], sort=False):
        first = rows.to_dict("records")[0]
        values = rows.set_index("learner")[column]
        texts = {learner: number_text(values[learner], 2) for learner in learners}
        best = texts[str((sign * values).idxmax())]
        lines.append(
            {
                "Stream": stream_name(
                    str(first["stream"]), bool(first["simulated"]), subject.streams
                ),
                "Labels": number_text(int(first["labels"])),
                "Inputs": number_text(int(first["attributes"])),
                "Bin": bin_name(str(first["which"])),
            }
            | {
                subject.titles.get(learner, learner): f"{text}{' *' if text == best else ''}"
                for learner, text in texts.items()
            }
        )
    return pd.DataFrame(lines, dtype=object)


def bin_name(which: str) -> str:
    """Return what tables call a bin, the best one, or the weights of all bins."""
    if which == MAXIMUM:
        return "best bin"
    return which.replace("B+1", "B + 1").replace(WEIGHTED, "Ψ, ")


def study_binned_error_table(
    given: StreamInputs, item: ItemInput[BinnedErrorTableSettings]
) -> pd.DataFrame:
    """Return the table of an item: mean absolute errors and skills by bin and learner.

    Intervals are for this bin and learner alone: over the labels, and over the seeds if several.
    """
    return item.over_frames(lambda bins: chosen_bins(bins, item.settings.shown), "bins")


def layout_binned_error_table(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item; the regressors with the smallest error of a line are marked."""
    cells = cells_by_bin(table, subject, "mean_absolute_error", -1)
    first = "The CSV has 95 % intervals of single cells over the labels, and over seeds."
    notes = [f"* The smallest error of the bin. {first}"]
    for learner, rows in table[table["seeds"] > 1].groupby("learner", sort=False):
        widest = ((rows["seeds_high"] - rows["seeds_low"]) / 2).max()
        notes.append(
            f"{subject.titles.get(str(learner), learner)}: mean over {rows['seeds'].iloc[0]} "
            f"seeds, at most ±{upper_bound_text(widest, 2)}."
        )
    return of_texts(
        cells,
        "l" + "r" * (cells.shape[1] - 1),
        (*notes, *stream_notes(table)),
    )


def study_bin_rules(given: StreamInputs, item: ItemInput[BinRulesSettings]) -> pd.DataFrame:
    """Return the table of an item: for each stream and learner the bin where the rules differ most.

    It is the first of equals; the difference is the paper's rule minus the published one, in
    points.
    """
    return item.over_frames(_greatest_difference, "rules")


def _greatest_difference(rules: pd.DataFrame) -> pd.DataFrame:
    points = 100 * (rules["other_accuracy"] - rules["accuracy"])
    most = points.abs().fillna(0).groupby(rules["learner"], sort=False).idxmax()
    rows = rules.loc[most].assign(difference=points)
    rows["differing_percent"] = 100 * rows["differing"] / rows["predictions"]
    rows["published_percent"] = 100 * rows["accuracy"]
    rows["paper_percent"] = 100 * rows["other_accuracy"]
    return rows


def layout_bin_rules(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a line for each stream and learner."""
    columns = [
        streams(subject),
        learners(subject),
        count("Bin", "bin"),
        number("Other labels (%)", "differing_percent", 2),
        number("Published (%)", "published_percent", 2),
        number("Paper (%)", "paper_percent", 2),
        number("Difference", "difference", 2),
    ]
    return laid_out(table, columns, stream_notes(table))


#: The measure of the published program for each comparator, which has no delay.
PUBLISHED = dict(zip(COMPARATORS, ("kappa_temporal", "kappa_m"), strict=True))


def study_delayed_skill(given: StreamInputs, item: ItemInput[DelayedSkillSettings]) -> pd.DataFrame:
    """Return the table of an item: κ_t and κ_m of MOA's evaluator, and with delayed references.

    MOA's comparator knows each label at once; that of `skill` has the same delays and bin.
    """

    def rows(bins: pd.DataFrame, skills: pd.DataFrame) -> pd.DataFrame:
        last = int(skills["bin"].max())
        shown = skills[skills["bin"].isin({0, *item.settings.shown, last})].copy()
        shown["which"] = [LAST if b == last else str(b) for b in shown["bin"]]
        measured = bins.set_index(["learner", "bin"])
        keys = zip(shown["learner"], shown["bin"], shown["reference"], strict=True)
        shown["published"] = [measured[PUBLISHED[ref]][learner, b] for learner, b, ref in keys]
        return shown.rename(columns={"value": "skill"}).sort_values("bin", kind="stable")

    return item.over_frames(rows, "bins", "skills")


_LINE = ["stream", "which", "learner"]
_SYMBOLS = {"no_change": "κ_t", "majority": "κ_m"}


def layout_delayed_skill(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item."""
    lines = []
    for (stream, which, learner), rows in table.groupby(_LINE, sort=False):
        line = {
            "Stream": stream_name(str(stream), bool(rows["simulated"].iloc[0]), subject.streams),
            "Bin": bin_name(str(which)),
            "Learner": subject.titles.get(str(learner), str(learner)),
        }
        for row in rows.to_dict("records"):
            symbol = _SYMBOLS[str(row["reference"])]
            line[f"{symbol}: published"] = number_text(float(row["published"]), 3)
            skill = in_brackets(row["skill"], row["low"], row["high"], 3)
            line[f"{symbol}: same delays"] = skill
        lines.append(line)
    cells = pd.DataFrame(lines, dtype=object)
    groups = [str(name).partition(": ")[0] for name in cells.columns[3:]]
    notes = stream_notes(table)
    return of_texts(cells, "lrl" + "r" * len(groups), notes, ("", "", "", *groups))
