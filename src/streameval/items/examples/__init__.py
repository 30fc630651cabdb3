"""Kinds of small tables, which need no predictions or only those of No-Change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta

from streameval.base.schema import UNIQUE_ITEMS
from streameval.items.kind import ItemKind
from streameval.items.settings import NON_EMPTY_UNIQUE, Learners, Settings, StreamItemSettings


class ClassifiersSettings(Settings, frozen=True, kw_only=True):
    """A table of learners: adaptation, base classifier, number of models."""

    learners: Learners


_Pair = Meta(min_length=2, max_length=2)
_Counts = Annotated[tuple[Annotated[int, Meta(ge=0, le=1_000_000)], ...], _Pair]


class ConfusionExampleSettings(Settings, frozen=True, kw_only=True):
    """Measures of a confusion matrix of two classes."""

    classes: Annotated[
        tuple[str, ...],
        _Pair,
        Meta(description="Names of both classes.", extra_json_schema=UNIQUE_ITEMS),
    ]
    confusion: Annotated[
        tuple[_Counts, ...],
        _Pair,
        Meta(description="Counts: a list for each true class, by predicted class."),
    ]


class LiteratureSettings(StreamItemSettings, frozen=True, kw_only=True):
    """Accuracies that papers report for a stream, with the accuracy of No-Change in this run."""

    published: Annotated[str, Meta(description="File with the accuracies.")]
    member: Annotated[
        str, Meta(description="Column of the file that is 1 in the rows to show, 0 elsewhere.")
    ]

    def evaluated_learners(self) -> Sequence[str]:
        """See `Settings`."""
        return ["no_change"]

    def resources(self) -> Sequence[str]:
        """See `Settings`."""
        return [self.published]


#: Significance tests on the differences of two classifiers in each fold.
FoldTest = Literal["paired_t", "sign_test", "wilcoxon"]


class PairedExampleSettings(Settings, frozen=True, kw_only=True):
    """Published accuracies of two classifiers in each fold, and tests of their difference."""

    published: Annotated[
        str,
        Meta(description="File with the columns fold, classifier_a and classifier_b (%)."),
    ]
    tests: Annotated[
        tuple[FoldTest, ...], NON_EMPTY_UNIQUE, Meta(description="Significance tests.")
    ]

    def resources(self) -> Sequence[str]:
        """See `Settings`."""
        return [self.published]


KINDS = (
    ItemKind(
        name="classifiers",
        study="show",
        settings=ClassifiersSettings,
        reads="nothing",
        columns=("learner", "title", "adaptation", "base", "models"),
    ),
    ItemKind(
        name="confusion_example",
        study="show",
        settings=ConfusionExampleSettings,
        reads="nothing",
        columns=("measure", "class", "value"),
    ),
    ItemKind(
        name="literature",
        study="show",
        settings=LiteratureSettings,
        reads="predictions",
        columns=(
            *("algorithm", "accuracy_percent", "reference", "tested_on_subset"),
            *("measured", "above_no_change"),
        ),
    ),
    ItemKind(
        name="paired_example",
        study="show",
        settings=PairedExampleSettings,
        reads="nothing",
        columns=("of", "quantity", "value"),  # `of` is a fold or a significance test
    ),
)
