"""Theorems about test sets, folds and ADWIN, by simulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from streameval.items.kind import ItemKind
from streameval.items.settings import Settings, StudyCost


class TheoremsSettings(Settings, frozen=True, kw_only=True):
    """Theorems 1 to 3 of Bifet et al. (2015) by simulation."""

    instances: Annotated[
        int, Meta(description="Length of each simulated stream.", ge=1000, le=100_000)
    ]
    seeds: Annotated[int, Meta(description="Simulated streams for each case.", ge=2, le=100_000)]

    def cost(self) -> StudyCost:
        """See `Settings`: 200 runs for each seed, in units of runs over a million instances."""
        return StudyCost(1 + 200 * self.seeds * self.instances // 1_000_000)

    def extra_learners(self) -> Sequence[str]:
        """See `Settings`."""
        return ("naive_bayes",)


#: Columns of a mean over seeds with its interval.
_INTERVAL = ("mean", "low", "high", "seeds")
#: Columns of the rates at which errors miss the bound of Theorem 1; `memory` is autocorrelation.
COVERAGE = (
    *("error", "memory", "instances", "delta", "bound", "seeds"),
    *("missed", "low", "high", "exact", "quantile"),
)
#: Columns of the false alarms of ADWIN.
ALARMS = ("detector", "delta", "memory", "steps", "quantity", *_INTERVAL)
#: Columns of the detections of ADWIN; `gap` is the change of the error rate.
DETECTIONS = ("detector", "delta", "gap", "needed", "quantity", *_INTERVAL)


KINDS = (
    ItemKind(
        name="theorems",
        study="theorems",
        settings=TheoremsSettings,
        reads="nothing",
        trains="classifiers",
        frames={
            "coverage": COVERAGE,
            "discrepancies": ("scheme", "truth", "power", "quantity", *_INTERVAL),
            "alarms": ALARMS,
            "detections": DETECTIONS,
        },
        pictures=(
            "test_set_bound",
            "folds",
            "adwin",
        ),
    ),
)
