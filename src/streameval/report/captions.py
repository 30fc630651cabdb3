"""What the report's menu calls tables and figures, and what stands below the figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streameval.measures.registry import MEASURES
from streameval.report.names import in_order, item_title, listed

_PREQUENTIAL = "Each learner predicts an instance, then learns from it."
_BELOW = (
    "Where a learner's curve is below that of No-Change, repeating the previous label is better."
)
_SHUFFLED = "In random order (shuffled), repeating the previous label gains nothing."

_TEXTS = {
    "class_distribution": (
        "proportion of each class over a sliding window of {window} instances, and autocorrelation "
        "of the label to lag {lags}."
    ),
    "measures": "{measures} over a sliding window of {window} instances.",
    "dependence": (
        "how often a class follows ℓ labels of its own, and what the ℓ-th of them adds to that; "
        "the curve of a class ends where it has fewer than 30 cases."
    ),
    "estimates": (
        "{measures} over all predictions, over the last {window}, faded, and by Algorithm 1 of the "
        "paper. κ_t below 0 means worse than repeating the previous label."
    ),
    "wrapped": (
        "accuracy of each learner alone, corrected by the previous label (Temporal Correction), "
        "and with the previous label as an input (Temporally Augmented), beside the two baselines."
    ),
    "lags": (
        "{measures} of learners that get more and more lagged labels, or lagged labels and inputs."
    ),
    "false_alarms": (
        "accuracy of Naive Bayes that restarts at random, against the probability of such a false "
        "alarm, in the stream's own order, with instances permuted inside each class (labels keep "
        "their order, drift disappears), and in random order; bands from {seeds} seeds. Where "
        "labels depend on each other, false alarms help, so accuracy does not tell a good drift "
        "detector from a bad one."
    ),
    "order": (
        "accuracy when blocks of instances are permuted, from single ones (random order) to the "
        "whole stream (its own order), and when labels keep their order over instances drawn from "
        "their class; bands are 95 % intervals over {seeds} seeds, dots the seeds. The rise of a "
        "curve is owed to order."
    ),
    "delays": (
        "accuracy against the label delay, for learners that get no previous label, the latest "
        "known label, their own previous prediction, or both. With a delay of 0 a label is known "
        "before the next prediction. Vertical lines are 95 % intervals "
        "of the gain over the instances of this stream, which respect dependence."
    ),
}
#: What a figure shows, in the few words that the menu has room for.
_SUBJECTS = {
    "class_distribution": "class proportions over time, and autocorrelation",
    "measures": "{measures} over time",
    "dependence": "dependence of labels on earlier ones",
    "estimates": "{measures} by four estimators",
    "wrapped": "accuracy of learners alone and wrapped",
    "lags": "{measures} by number of lags",
    "false_alarms": "accuracy by false-alarm rate",
    "order": "the part of accuracy that is owed to order",
    "delays": "accuracy by label delay",
}


def table_label(item: str, subject: str) -> dict[str, str]:
    """Return what the report's menu shows of a table or figure: its name, and its subject.

    All in one text, as Snakemake takes further ones with two values for a switch.
    """
    return {"result": f"{in_order(item_title(item))}: {subject}"}


def figure_label(
    kind: str, name: str, stream: str, item: Mapping[str, Any], simulated: bool
) -> dict[str, str]:
    """Return what the report's menu shows of a figure of a stream; see `figure_caption`."""
    subject = _SUBJECTS[kind].format(measures=_listed_measures(item))
    mark = " (simulated)" if simulated else ""
    return table_label(name.split("/")[1], f"{subject}, {stream}{mark}")


def _listed_measures(item: Mapping[str, Any]) -> str:
    names = item.get("measures", ())
    words = ["accuracy" if name == "accuracy" else MEASURES[name].symbol for name in names]
    return listed(words) if words else ""


def figure_caption(
    kind: str,
    name: str,
    stream: str,
    item: Mapping[str, Any],
    simulated: bool,
    papers: Mapping[str, str],
) -> str:
    """Return the caption of a figure.

    Parameters
    ----------
    kind : str
        A value of `streameval.pipeline.plan.FIGURES`.
    name : str
        The item, ``paper/item``.
    stream : str
        Id of the stream.
    item : mapping
        The item's settings.
    simulated : bool
        Whether the stream only resembles a real one.
    papers : mapping of str to str
        What the papers are called, by their ids.
    """
    words = {key: _in_words(key, value) for key, value in item.items()}
    words["measures"] = _listed_measures(item)
    text = f"Stream {stream}: {_TEXTS[kind].format(**words)}"
    if kind == "measures" and "no_change" in item["learners"]:
        text += f" {_BELOW}"
    if any(order.startswith("shuffled") for order in item.get("variants", ())):
        text += f" {_SHUFFLED}"
    if kind not in ("class_distribution", "dependence"):
        text += f" {_PREQUENTIAL}"
    paper, key = name.split("/")
    if paper not in papers:
        return f"{text} Not in the papers."
    source = f"After {item_title(key)} of {papers[paper]}"
    return f"{text} {source}{', here for a simulated stream' if simulated else ''}."


def _in_words(key: str, value: object) -> str:
    if isinstance(value, list):
        return str(len(value)) if key == "seeds" else ", ".join(map(str, value))
    return str(value)
