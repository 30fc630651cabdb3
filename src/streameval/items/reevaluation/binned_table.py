"""The accuracy in some bins, from the frames of a study by bin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from streameval.errors import ConfigError
from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.reevaluation.settings import BinnedTableSettings
from streameval.items.subject import Subject
from streameval.report.tables import Layout, number_text, stream_name, stream_notes

#: What the table calls the last bin.
LAST = "B+1"
#: What weighted performance is called, before the name of the weights.
WEIGHTED = "weighted: "
_ABOUT = ("simulated", "labels", "attributes")


def study(
    given: Mapping[str, StreamInput[Any]], item: ItemInput[BinnedTableSettings]
) -> pd.DataFrame:
    """Return the table of an item.

    Columns stream, simulated, labels, attributes, bin, which (the bin's number, or "B+1"), learner,
    accuracy_percent, low, high. The last two are the ends of the interval for this bin and learner
    alone, in per cent. Of weighted performance, `which` is `WEIGHTED` and the name of the weights,
    and there is no bin.
    """
    bins, sizes = (item.frames_of_streams(name) for name in ("bins", "size"))
    parts = []
    for name in bins:
        parts.append(_of_stream(name, bins[name], sizes[name], item.settings.shown))
        if item.settings.weights:
            found = item.frames_of_streams("weighted")[name]
            parts.append(_weighted(name, found, sizes[name], item.settings.weights))
    table = pd.concat(parts, ignore_index=True)[list(item.columns)]
    return table.astype({"bin": "Int64"}) if item.settings.weights else table


def _weighted(
    stream: str, found: pd.DataFrame, size: pd.DataFrame, names: tuple[str, ...]
) -> pd.DataFrame:
    missing = [name for name in names if name not in set(found["weights"])]
    if missing:
        raise ConfigError(
            f"Table of bins: expected the weights {missing[0]!r} in the item about {stream}, found "
            "none of this name. Add them to its `weights`."
        )
    rows = found[found["weights"].isin(names) & (found["measure"] == "accuracy")].copy()
    rows["accuracy_percent"] = 100 * rows["value"]
    rows[["low", "high"]] *= 100
    rows["which"] = WEIGHTED + rows["weights"]
    rows["place"] = rows["weights"].map({name: i for i, name in enumerate(names)})
    about = {name: size[name].iloc[0] for name in _ABOUT}
    return rows.assign(stream=stream, bin=None, **about).sort_values("place", kind="stable")


def _of_stream(
    stream: str, bins: pd.DataFrame, size: pd.DataFrame, shown: tuple[int, ...]
) -> pd.DataFrame:
    rows = chosen_bins(stream, bins, size, shown)
    correct = np.rint(rows["accuracy"] * rows["predictions"])
    # A single rounding: what is halfway between two numbers of two decimals stays so.
    rows["accuracy_percent"] = 100 * correct / rows["predictions"]
    rows[["low", "high"]] *= 100
    return rows


def chosen_bins(
    stream: str, bins: pd.DataFrame, size: pd.DataFrame, shown: tuple[int, ...]
) -> pd.DataFrame:
    """Return the rows of some bins, with what a table says of a stream.

    Raises
    ------
    ConfigError
        If the stream does not have one of the bins.
    """
    last = int(bins["bin"].max())
    wrong = [b for b in shown if not 0 < b < last]
    if wrong:
        raise ConfigError(
            f"Table of bins: expected bins from 1 to {last - 1} in `shown`, which the item has for "
            f"{stream}, found {wrong[0]}."
        )
    names = {0: "0", **{b: str(b) for b in sorted(shown)}, last: LAST}
    rows = bins[bins["bin"].isin(names)].copy()
    about = {name: size[name].iloc[0] for name in _ABOUT}
    rows["place"] = rows["bin"].map({b: i for i, b in enumerate(names)})
    rows = rows.assign(stream=stream, which=rows["bin"].map(names), **about)
    return rows.sort_values("place", kind="stable")


COLUMNS = (
    *("stream", "simulated", "labels", "attributes", "which", "learner"),
    *("accuracy_percent", "low", "high"),
)


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item; the most accurate learners of a line are marked."""
    cells = cells_by_bin(table, subject, "accuracy_percent", 1)
    widest = ((table["high"] - table["low"]) / 2).max()
    note = (
        "* The highest accuracy of the bin. The CSV has 95 % intervals of single cells; the widest "
        f"is ±{number_text(widest, 1)}."
    )
    notes = (note, *stream_notes(table, "Table of bins"))
    return Layout(cells, "l" + "r" * (cells.shape[1] - 1), notes)


def cells_by_bin(table: pd.DataFrame, subject: Subject, column: str, sign: int) -> pd.DataFrame:
    """Return the texts: a line for each stream and bin, a column for each learner.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns stream, simulated, labels, attributes, which, learner, and that of the values.
    subject : Subject
        How streams and learners are called.
    column : str
        The values, shown with two decimals.
    sign : {1, -1}
        Whether the highest or the lowest ones of a line are marked.
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
    """Return what tables call a bin, or the weights of all bins."""
    return which.replace("B+1", "B + 1").replace(WEIGHTED, "Ψ, ")
