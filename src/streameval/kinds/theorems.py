"""Theorems 1 to 3 of Bifet et al. (2015) by simulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from streameval.kinds.kind import Kind
from streameval.kinds.settings import Settings as AnySettings


class Settings(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of theorems."""

    instances: Annotated[
        int, Meta(description="Length of each simulated stream.", ge=1000, le=100_000)
    ]
    seeds: Annotated[int, Meta(description="Simulated streams for each case.", ge=2, le=100_000)]

    def runs(self) -> int:
        """See `Settings`: of streams of a million instances."""
        return 1 + 200 * self.seeds * self.instances // 1_000_000

    def learners_run(self) -> Sequence[str]:
        """See `Settings`."""
        return ("naive_bayes",)


_INTERVAL = ("mean", "low", "high", "seeds")

KIND = Kind(
    name="theorems",
    settings=Settings,
    reads="nothing",
    trains=True,
    evaluation="cross-validation, 10 folds",
    frames={
        "coverage": (
            *("error", "memory", "instances", "delta", "bound", "seeds"),
            *("missed", "low", "high", "exact", "quantile"),
        ),
        "discrepancies": ("scheme", "truth", "power", "quantity", *_INTERVAL),
        "alarms": ("detector", "delta", "memory", "steps", "quantity", *_INTERVAL),
        "detections": ("detector", "delta", "gap", "needed", "quantity", *_INTERVAL),
    },
    pictures={
        "test_set_bound": "Theorem 1, the test set bound, simulated",
        "folds": "Theorem 2, k folds against a single model, simulated",
        "adwin": "Theorem 3, false alarms and detections of ADWIN, simulated",
    },
    subject="Theorems 1 to 3",
    caption="",
    picture_captions={
        "test_set_bound": "How often the estimated error is farther from the true error than the "
        "bound of Theorem 1, by the number of test instances: points are simulated, with 95 % "
        "intervals, lines of independent errors exact. The bound must be missed by at most δ, the "
        "dashed line. Errors with memory repeat with the given autocorrelation; the theorem is "
        "about independent ones. Right: how many times as many instances the bound asks for as "
        "independent errors need.",
        "folds": "Mean absolute difference of true and estimated error, to the power q, for 10 "
        "models, and for one of the ten alone, relative to that of a single model on the same "
        "stream (Naive Bayes on the LED display, whose true error is computed exactly). Left: true "
        "error of the models when they are tested; right: of the final models. Theorem 2 says that "
        "ten models are never to the right of the line. Bars are 95 % intervals of paired "
        "differences over runs.",
        "adwin": "Above: the proportion of checks at which ADWIN finds a change although the error "
        "rate is 0.2 throughout, by the autocorrelation of errors, as the theorem states it (every "
        "split, every step) and in MOA (every 32nd step); Theorem 3 bounds it by δ, the dashed "
        "line, for independent errors. Below: inputs from a rise of the error rate to the first "
        "cut, with the number that the theorem asks for; and how many older inputs the window then "
        "still holds. Bars are 95 % intervals over runs.",
    },
)
