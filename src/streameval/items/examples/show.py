"""Tables and captions of worked examples and lists from the literature."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import scipy

from streameval.base.errors import DataError
from streameval.base.table_files import read_csv_table
from streameval.drawing.subject import Subject
from streameval.items.columns import count_column, frame_table, text_column, text_frame_table
from streameval.items.examples import (
    ClassifiersSettings,
    ConfusionExampleSettings,
    LiteratureSettings,
    PairedExampleSettings,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.text_templates import TextTemplates
from streameval.measures.classification import class_f1, class_recall
from streameval.measures.registry import MEASURES
from streameval.measures.tally import Tally
from streameval.report.results import above_no_change
from streameval.significance.registry import TESTS
from streameval.view.numbers import DECIMALS, NO_VALUE, number_text
from streameval.view.parts import Column, Table

#: Title, menu entry and captions of each kind; braces quote settings.
TEXTS = {
    "classifiers": TextTemplates(
        title="The learners of the experiments",
        menu_entry="the learners",
        caption=(
            "The learners of the experiments: their adaptation to change, kind of model, and "
            "number of voting models."
        ),
    ),
    "confusion_example": TextTemplates(
        title="Measures of a confusion matrix",
        menu_entry="measures of a confusion matrix",
        caption=(
            "All measures of one confusion matrix; the accuracy of a majority class classifier is "
            "the proportion of the larger class. The determinant is the numerator of κ, n² (1 - "
            "p_c) κ / 2, and of MCC."
        ),
    ),
    "literature": TextTemplates(
        title="Accuracies reported by papers",
        menu_entry="accuracies reported by papers",
        caption=(
            "Accuracies that papers report for adaptive classifiers on a stream, quoted and sorted."
        ),
    ),
    "paired_example": TextTemplates(
        title="Two classifiers in each fold, and significance tests of their difference",
        menu_entry="two classifiers compared by tests over folds",
        caption=(
            "Accuracies of two classifiers in each fold (%), quoted; their difference, and its "
            "rank by size. The tests below are computed here from the quoted accuracies."
        ),
    ),
}


def study_classifiers(
    stream_inputs: StreamInputs, item: ItemInput[ClassifiersSettings]
) -> pd.DataFrame:
    """The learners of the experiments (Table 4), with the number of voting models."""
    rows = [  # learners without `members` are a single model
        (name, spec.title, spec.adaptation, spec.base, getattr(spec.make(), "members", 1))
        for name, spec in item.learner_specs.items()
    ]
    return pd.DataFrame(rows, columns=[*item.columns])


def layout_classifiers(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out Table 4 of Žliobaitė et al. (2015): a line for each learner."""

    def text(name: str) -> str:
        return str(name) or NO_VALUE

    columns = [
        text_column("Learner", "title"),
        Column("Adaptation", ["adaptation"], text, kind="text"),
        Column("Base classifier", ["base"], text, kind="text"),
        count_column("Models", "models"),
    ]
    return frame_table(table, columns)


#: The value of the column ``class`` for a measure over all classes.
ALL_CLASSES = "all"
#: Measures of the confusion matrix, besides the measures by class.
_CONFUSION_MEASURES = (
    *("accuracy", "chance_accuracy", "kappa", "kappa_m", "mcc"),
    *("arithmetic_mean", "geometric_mean", "harmonic_mean", "f1_prime", "determinant"),
)


def study_confusion_example(
    stream_inputs: StreamInputs, item: ItemInput[ConfusionExampleSettings]
) -> pd.DataFrame:
    """The measures of a confusion matrix of two classes.

    The determinant and the numerators of κ and MCC are in squared counts.
    """
    confusion, classes = item.settings.confusion, item.settings.classes
    true = np.asarray(confusion, dtype=np.float64).sum(axis=1)
    tally = Tally.from_confusion(confusion, majority_correct=true.max())
    values = {name: float(MEASURES[name].value(tally)) for name in _CONFUSION_MEASURES}
    n = float(tally.n)
    # The last of the predicted counts is for missing predictions.
    squared_denominator_of_mcc = float(np.prod(true) * np.prod(tally.predicted_counts[:-1]))
    values["majority_accuracy"] = float(true.max()) / n if n else np.nan
    # By Bifet et al. (2015, Section 5.1), κ and MCC both have the determinant as numerator.
    values["numerator_of_kappa"] = values["kappa"] * n**2 * (1 - values["chance_accuracy"]) / 2
    values["numerator_of_mcc"] = values["mcc"] * np.sqrt(squared_denominator_of_mcc)
    rows = [(name, ALL_CLASSES, value) for name, value in values.items()]
    for name, by_class in (("recall", class_recall(tally)), ("f1", class_f1(tally))):
        rows += [
            (name, label, float(value)) for label, value in zip(classes, by_class, strict=True)
        ]
    return pd.DataFrame(rows, columns=[*item.columns])


#: Titles of the quantities that are not in the registry of measures.
_TITLES = {
    "majority_accuracy": "Accuracy of the majority class",
    "numerator_of_kappa": "Numerator of κ",
    "numerator_of_mcc": "Numerator of MCC",
}
#: Quantities in squared counts, which have no decimals.
_SQUARED_COUNTS = {"determinant", "numerator_of_kappa", "numerator_of_mcc"}


def layout_confusion_example(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out measures by their titles, a line for each."""

    def value_text(measure: str, value: float) -> str:
        return number_text(float(value), 0 if measure in _SQUARED_COUNTS else DECIMALS)

    columns = [
        Column("Measure", ["measure", "class"], _measure_name, kind="text"),
        Column("Value", ["measure", "value"], value_text),
    ]
    return frame_table(table, columns)


def _measure_name(measure: str, label: str) -> str:
    if label != ALL_CLASSES:
        return f"{'Accuracy' if measure == 'recall' else measure.upper()} of class {label}"
    return _TITLES.get(measure) or MEASURES[measure].title


def study_literature(
    stream_inputs: StreamInputs, item: ItemInput[LiteratureSettings]
) -> pd.DataFrame:
    """The table, with the accuracy of No-Change on the last stream; see `literature`."""
    no_change_accuracy = None
    for stream_input in stream_inputs.values():
        predictions = stream_input.predictions()
        no_change_accuracy = float((predictions.predicted["no_change"] == predictions.true).mean())
    published = read_csv_table(item.resource(item.settings.published))
    return literature(published, item.settings.member, no_change_accuracy)


def literature(
    published: pd.DataFrame, member: str, no_change_accuracy: float | None
) -> pd.DataFrame:
    """The accuracies reported for the electricity stream (Table 1), with our No-Change.

    The column `member` has 1 in the rows of the table. `measured` marks the row of No-Change; if
    `no_change_accuracy` is None, the published accuracy stays and `measured` is False everywhere.
    """
    rows = published[published[member].astype(int) == 1]
    table = rows[["algorithm", "accuracy_percent", "reference", "tested_on_subset"]].copy()
    table["accuracy_percent"] = table["accuracy_percent"].astype(float)
    table["tested_on_subset"] = table["tested_on_subset"].astype(int).astype(bool)
    table["reference"] = table["reference"].fillna("")
    is_no_change = table["algorithm"].str.contains("No-Change")
    table["measured"] = is_no_change & (no_change_accuracy is not None)
    if no_change_accuracy is not None:
        table.loc[is_no_change, "accuracy_percent"] = 100 * no_change_accuracy
    if not is_no_change.any():
        raise DataError(
            f"Accuracies of the literature, {member}: expected a row whose algorithm is No-Change, "
            f"which the others are compared with, found none of {len(table)}. Add one."
        )
    no_change_percent = float(table.loc[is_no_change, "accuracy_percent"].iloc[0])
    table["above_no_change"] = table["accuracy_percent"] > no_change_percent
    order = table["accuracy_percent"].sort_values(ascending=False, kind="stable").index
    return table.loc[order].reset_index(drop=True)


#: Note on the asterisk after accuracies on a subset.
_SUBSET_NOTE = "* tested on a subset of the stream"


def layout_literature(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the accuracies that the literature reports, with our No-Change.

    A note has the number of reported accuracies above No-Change.
    """
    columns = [
        Column("Algorithm", ["algorithm", "measured"], _algorithm, kind="text"),
        Column("Accuracy (%)", ["accuracy_percent", "tested_on_subset"], _accuracy),
        Column("Reference", ["reference", "measured"], _reference, kind="text"),
    ]
    above, reported = above_no_change(table)
    notes = [f"{above} of {reported} reported accuracies are above No-Change."]
    notes += [_SUBSET_NOTE] if table["tested_on_subset"].any() else []
    if not table["measured"].any():
        notes.append("No-Change was not run here; its accuracy is the published one.")
    return frame_table(table, columns, notes)


def _algorithm(name: str, is_ours: bool) -> str:
    return f"{name}, measured here" if is_ours else str(name)


def _accuracy(percent: float, on_subset: bool) -> str:
    return number_text(float(percent), 1) + ("*" if on_subset else "")


def _reference(reference: object, is_ours: bool) -> str:
    if is_ours:
        return "this run"
    return reference if isinstance(reference, str) and reference else NO_VALUE


#: Decimals of the differences: more than any paper prints, but few enough that rounding errors do
#: not break ties.
_DECIMALS = 9


def study_paired_example(
    stream_inputs: StreamInputs, item: ItemInput[PairedExampleSettings]
) -> pd.DataFrame:
    """Accuracies, differences and ranks of each fold, and the results of tests.

    The smallest difference has rank 1.
    """
    published = read_csv_table(item.resource(item.settings.published))
    a, b = (published[name].to_numpy(np.float64) for name in ("classifier_a", "classifier_b"))
    differences = np.round(a - b, _DECIMALS)
    values_by_quantity = {
        "classifier_a": a,
        "classifier_b": b,
        "difference": differences,
        "rank": scipy.stats.rankdata(np.abs(differences)),
    }
    rows = [
        (str(fold), quantity, float(values[i]))
        for i, fold in enumerate(published["fold"])
        for quantity, values in values_by_quantity.items()
    ]
    rows += [row for name in item.settings.tests for row in _test_rows(name, differences)]
    return pd.DataFrame(rows, columns=[*item.columns])


def _test_rows(name: str, differences: np.ndarray) -> Iterator[tuple[str, str, float]]:
    result = TESTS[name](differences)
    values = {"statistic": result.statistic, "p_value": result.p_value, **result.details}
    for quantity, value in values.items():
        # The last digits of scipy's functions differ between versions of scipy.
        yield name, quantity, float(f"{float(value):.12g}")


#: Headings of the quantities of a fold.
_FOLD_HEADS = {
    "classifier_a": "Classifier A (%)",
    "classifier_b": "Classifier B (%)",
    "difference": "Difference",
    "rank": "Rank",
}


def layout_paired_example(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out accuracies by fold, and a note for each test."""
    is_test = table["of"].isin(list(TESTS))
    folds = table[~is_test]
    cells = {"Fold": folds["of"].drop_duplicates().to_list()}
    for quantity, header in _FOLD_HEADS.items():
        values = folds.loc[folds["quantity"] == quantity, "value"]
        cells[header] = [_text(value, 2 if quantity != "rank" else 1) for value in values]
    notes = []
    for name, rows in table[is_test].groupby("of", sort=False):
        quantities = [
            f"{_quantity_name(quantity)} "
            + (number_text(bool(value)) if quantity.startswith("rejected") else _text(value))
            for quantity, value in zip(rows["quantity"], rows["value"], strict=True)
        ]
        notes.append(f"{TESTS[str(name)].title}: {', '.join(quantities)}.")
    return text_frame_table(pd.DataFrame(cells, dtype=object), "rrrrr", tuple(notes))


def _quantity_name(quantity: str) -> str:
    return "p-value" if quantity == "p_value" else quantity.replace("_", " ")


def _text(value: float, decimals: int = 4) -> str:
    """Text of a number; integers have no decimals, unless `decimals` is 2, as for percentages."""
    is_integer = decimals != 2 and float(value).is_integer()
    return number_text(int(value) if is_integer else float(value), decimals)
