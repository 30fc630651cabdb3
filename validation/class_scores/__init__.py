"""Class scores of learners as probability forecasts: measures, reliability, and skills."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from calibration import LawSettings, SkillLaw
from streameval.items.kind import ItemKind
from streameval.items.settings import (
    NON_EMPTY_UNIQUE,
    ItemName,
    LearnerItemSettings,
    Seed,
    Settings,
    StudyCost,
)

#: Bytes of a learner's stored class scores per instance: ten classes in 32 bits. Streams with more
#: classes need more.
_BYTES_PER_INSTANCE = 40


class ScoreMeasuresSettings(LearnerItemSettings, frozen=True, kw_only=True):
    """Measures and reliability of class scores, compared with forecasts by past labels."""

    seed: Annotated[Seed, Meta(description="Seed of the learners.")] = 1

    def cost(self) -> StudyCost:
        """See `Settings`: the scores of all learners are stored."""
        return StudyCost(len(self.learners), row_bytes=_BYTES_PER_INSTANCE * len(self.learners))


class ScoreTableSettings(Settings, frozen=True, kw_only=True):
    """Measures of class scores from one item, by stream and learner."""

    of: ItemName


class SkillCalibrationSettings(LawSettings, frozen=True, kw_only=True):
    """How often the interval of a skill excludes 0 where there is no skill."""

    laws: Annotated[
        tuple[SkillLaw, ...],
        NON_EMPTY_UNIQUE,
        Meta(description="Laws of the streams. Both inputs of a law are equally good."),
    ]
    simulated_learner: ClassVar[str] = "naive_bayes"


#: Columns of `skill_calibration`. ``times`` is the number of copies of an input, or the weight of
#: its evidence. ``interval`` is the proportion of streams with an interval, and ``above`` the
#: proportion with an interval above 0.
SKILL_CALIBRATION = (
    *("law", "title", "pair", "times", "loss", "instances", "streams"),
    *("interval", "excludes", "excludes_low", "excludes_high", "above"),
)
# Columns of the frames of `score_measures`.
MEASURES = ("learner", "measure", "value", "reason")
BINS = ("learner", "low", "high", "predictions", "forecast", "correct")

KINDS = (
    ItemKind(
        name="score_measures",
        study="score_measures",
        settings=ScoreMeasuresSettings,
        reads="stream",
        trains="classifiers",
        frames={
            "measures": MEASURES,
            "bins": BINS,
            "size": ("instances", "classes", "simulated"),
        },
    ),
    ItemKind(
        name="score_table",
        study="show",
        settings=ScoreTableSettings,
        reads="score_measures",
        columns=("stream", "simulated", *MEASURES),
    ),
    ItemKind(
        name="skill_calibration",
        study="skill_calibration",
        settings=SkillCalibrationSettings,
        reads="nothing",
        columns=SKILL_CALIBRATION,
    ),
)
