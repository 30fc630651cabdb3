"""Published accuracies of two classifiers in each fold, and significance tests of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Settings as AnySettings

#: The significance tests whose evidence are the differences in folds.
OverFolds = Literal["paired_t", "sign_test", "wilcoxon"]


class Settings(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of paired_example."""

    published: Annotated[
        str,
        Meta(description="The file with the columns fold, classifier_a and classifier_b (%)."),
    ]
    tests: Annotated[
        tuple[OverFolds, ...],
        Meta(
            description="Significance tests.", min_length=1, extra_json_schema={"uniqueItems": True}
        ),
    ]

    def resources(self) -> Sequence[str]:
        """See `Settings`."""
        return [self.published]


KIND = Kind(
    name="paired_example",
    settings=Settings,
    reads="nothing",
    columns=("of", "quantity", "value"),
)
