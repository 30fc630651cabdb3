"""Prediction intervals of regressors: their coverage, width and score."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal

from msgspec import Meta

from calibration import LawSettings
from streameval.base.schema import UNIQUE_ITEMS
from streameval.evaluation.roles import REGRESSION_BASELINES
from streameval.items.kind import ItemKind
from streameval.items.settings import (
    NON_EMPTY_UNIQUE,
    Count,
    Delay,
    DerivedItemSettings,
    LearnerItemSettings,
    Points,
    StudyCost,
    Window,
)

#: Step sizes γ by which adaptive intervals change their level. With 0, they are split-conformal.
STEPS = (0.0, 0.005)


class PredictionIntervalsSettings(LearnerItemSettings, frozen=True, kw_only=True):
    """Coverage, width and score of adaptive conformal intervals, also with label delays."""

    coverage: Annotated[
        float, Meta(description="Nominal coverage of the intervals.", gt=0, lt=1)
    ] = 0.9
    residuals: Annotated[
        Count,
        Meta(
            description=("Number of latest absolute errors from which the intervals are computed.")
        ),
    ] = 500
    delays: Annotated[
        tuple[Delay, ...],
        NON_EMPTY_UNIQUE,
        Meta(
            description=(
                "Delays of targets: numbers of instances that arrive between an "
                "instance and its target."
            )
        ),
    ] = (0,)
    window: Window = 1000
    points: Points = 200

    def extra_learners(self) -> Sequence[str]:
        """See `Settings`."""
        return REGRESSION_BASELINES

    def cost(self) -> StudyCost:
        """See `Settings`."""
        n_learners = len(self.learners) + len(REGRESSION_BASELINES)
        return StudyCost(len(self.delays) * n_learners)

    def setting_faults(self, registry: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        coverage = Fraction(str(self.coverage))
        # With fewer residuals, the conformal interval of this coverage would be infinite.
        min_residuals = math.ceil(coverage / (1 - coverage))
        if self.residuals < min_residuals:
            yield (
                f"residuals: expected at least {min_residuals} at a coverage of {self.coverage}, "
                f"found {self.residuals}"
            )


class IntervalTableSettings(DerivedItemSettings, frozen=True, kw_only=True):
    """The measures of prediction intervals as a table."""


TargetLawName = Literal["independent", "dependent_90", "dependent_99", "heavy", "turns"]


class IntervalCalibrationSettings(LawSettings, frozen=True, kw_only=True):
    """How often intervals of a coverage, and of a skill of the interval score, are false."""

    laws: Annotated[  # type: ignore[assignment]
        tuple[TargetLawName, ...],
        Meta(description="Laws of the targets.", extra_json_schema=UNIQUE_ITEMS),
    ]

    def extra_learners(self) -> Sequence[str]:
        """See `Settings`: none.

        The simulation runs the previous target only. It compiles within seconds, so no job has to
        compile it beforehand.
        """
        return ()


#: Columns of `interval_calibration`. ``interval`` and ``skill_interval`` are the proportions of
#: streams with an interval of the coverage, or of the skill.
CALIBRATION = (
    *("law", "title", "form", "instances", "streams", "coverage", "interval", "width"),
    *("misses", "misses_low", "misses_high", "skill_interval"),
    *("excludes", "excludes_low", "excludes_high"),
)
_SKILLS = ("interval_skill_over_previous_target", "interval_skill_over_target_mean")
#: Measures of each run, and the lowest coverage of a sliding window.
MEASURED = (
    *("interval_coverage", "least_coverage", "mean_interval_width", "normalised_interval_width"),
    *("interval_score", "infinite_intervals", "limited_intervals", *_SKILLS),
)
#: Columns that identify a run.
_RUN = ("delay", "step", "learner")

KINDS = (
    ItemKind(
        name="prediction_intervals",
        study="prediction_intervals",
        marks_drifts=True,
        settings=PredictionIntervalsSettings,
        reads="source",
        trains="regressors",
        frames={
            "measures": (*_RUN, "intervals", *MEASURED),
            "curves": (*_RUN, "instance", "measure", "value"),
            "size": ("instances", "simulated"),
        },
    ),
    ItemKind(
        name="interval_table",
        study="show",
        settings=IntervalTableSettings,
        reads="prediction_intervals",
        columns=("stream", "simulated", *_RUN, "intervals", *MEASURED),
    ),
    ItemKind(
        name="interval_calibration",
        study="calibration",
        settings=IntervalCalibrationSettings,
        reads="nothing",
        columns=CALIBRATION,
    ),
)
