"""Learners whose parameters were chosen on a prefix of the stream, which is never scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from streameval.base.arrays import Flags
from streameval.base.errors import ConfigError
from streameval.base.values import check_integer, json_value
from streameval.learners.parameters import name_with_parameters
from streameval.streams.stream import Stream


@dataclass(frozen=True)
class Trial:
    """One setting of a learner: its parameters, and its value on the prefix."""

    parameters: Mapping[str, Any]
    value: float


@dataclass(frozen=True)
class TuningOutcome:
    """The tuning of a learner: all settings that were tried, and the choice.

    Parameters
    ----------
    learner : str
        The learner that was tuned.
    best : int
        Index of the chosen trial.
    trials : sequence of Trial
        All settings, in the order in which they were tried.
    instances : int
        Number of leading instances on which the parameters were chosen.
    labels : int
        Number of labels of these instances; labels that arrive after the last of them do not count.
    measure : str
        The measure of the choice: accuracy or mean_absolute_error.
    digest : str
        Digest of the stream on which the parameters were chosen.
    """

    learner: str
    best: int
    trials: Sequence[Trial]
    instances: int
    labels: int
    measure: str
    digest: str

    @property
    def parameters(self) -> str:
        """Text with the chosen parameters."""
        return ", ".join(
            f"{key}={value}" for key, value in self.trials[self.best].parameters.items()
        )

    @property
    def method_text(self) -> str:
        """Text on how the parameters were chosen."""
        return f"the best of {len(self.trials)} settings on the first {self.instances:,} instances"

    @property
    def grid(self) -> dict[str, list[Any]]:
        """The values of each parameter that were tried."""
        values: dict[str, list[Any]] = {name: [] for name in self.trials[0].parameters}
        for trial in self.trials:
            for name, value in trial.parameters.items():
                if value not in values[name]:
                    values[name].append(value)
        return values

    def name_in_text(self, name: str) -> str:
        """Name of a learner in sentences, with the choice of its parameters."""
        # The id contains the chosen parameters already: name each of them once.
        if name == name_with_parameters(self.learner, self.trials[self.best].parameters):
            first, bracket, arguments = self.learner.removesuffix(")").partition("(")
            arguments = f"{arguments}, " if bracket else ""
            return f"{first} ({arguments}{self.parameters}, {self.method_text})"
        return f"{name} ({self.learner} with {self.parameters}, {self.method_text})"

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain data."""
        return {
            "learner": self.learner,
            "parameters": dict(self.trials[self.best].parameters),
            "trials": [
                {**trial.parameters, self.measure: json_value(trial.value)} for trial in self.trials
            ],
            "instances": self.instances,
            "labels": self.labels,
        }


def name_with_tuning(tuned: Mapping[str, TuningOutcome], name: str) -> str:
    """Name of a learner in sentences; of a tuned learner with the choice of its parameters."""
    return tuned[name].name_in_text(name) if name in tuned else name


def tuning_outcomes(recipes: Mapping[str, Any], stream: Stream) -> dict[str, TuningOutcome]:
    """Tuning of each learner that was tuned on this stream, by name.

    `recipes` has a `streameval.api.learners.Recipe` for each learner.
    """
    return {
        name: recipe.tuned
        for name, recipe in recipes.items()
        if recipe.tuned is not None and recipe.tuned.digest == stream.digest
    }


def tuning_sentences(tuned: Mapping[str, TuningOutcome], pretrain: int) -> list[str]:
    """Sentences on the use of the first instances; empty if all instances are scored."""
    if not pretrain:
        return []
    lines = []
    for outcome in tuned.values():
        labels = f" ({outcome.labels:,} labels)" if outcome.labels != outcome.instances else ""
        lines.append(f"{outcome.learner}: {outcome.parameters}, {outcome.method_text}{labels}.")
    return [
        *lines,
        f"All learners are trained on the first {pretrain:,} instances, and scored on the others.",
    ]


def count_pretrained(
    stream: Stream, tuned: Mapping[str, TuningOutcome], requested: int | None = None
) -> int:
    """Number of leading instances that are not scored; covers those used for tuning."""
    n_skipped = 0 if requested is None else check_integer(requested, "pretrain", least=0)
    n_skipped = max([n_skipped, *(outcome.instances for outcome in tuned.values())])
    if n_skipped and n_skipped >= len(stream):
        raise ConfigError(
            f"pretrain: expected fewer instances than the {len(stream):,} of stream "
            f"{stream.name!r}, found {n_skipped:,}, so no instance is left to score."
        )
    return n_skipped


def mask_after_pretraining(stream: Stream, pretrain: int) -> Flags:
    """Mask of the instances after the first `pretrain` arrivals, shape (n,)."""
    is_after = np.ones(len(stream), dtype=np.bool_)
    if not pretrain:
        return is_after
    if stream.time is None:
        is_after[:pretrain] = False
    else:
        is_after[np.argsort(stream.time, kind="stable")[:pretrain]] = False
    return is_after
