"""Sentences and a table on a numeric target, for pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from streameval.api.result import Result
from streameval.api.result_view import skill_text
from streameval.base.rounding import format_number
from streameval.base.values import enumeration
from streameval.evaluation.roles import TARGET_MEAN
from streameval.evaluation.target_quantiles import target_quantiles
from streameval.evaluation.task import Task
from streameval.significance.stream_mean import StreamMean
from streameval.streams.stream import Stream
from streameval.view.parts import Table, texts_table


def quantiles_sentence(stream: Stream) -> str:
    """Sentence on the median of the targets, and on the ranges of the middle 50 % and 90 %."""
    quantiles = target_quantiles(stream.y)
    texts = {name: format_number(value, ",.4g") for name, value in quantiles.items()}
    return (
        f"The median of {stream.schema.target} is {texts['median']}. Half of the targets lie from "
        f"{texts['low']} to {texts['high']}, and 90 % from {texts['least']} to {texts['most']}."
    )


def persistence_skills(result: Result, task: Task) -> dict[str, StreamMean]:
    """Skill of each baseline that repeats an earlier target, over the mean so far."""
    skill = task.skill_column(TARGET_MEAN)
    return {name: result.estimate(name, skill) for name in result.baselines if name != TARGET_MEAN}


def persistence_sentence(task: Task, skills: Mapping[str, StreamMean]) -> str:
    """Sentence on whether repeating an earlier target is better than the mean so far."""
    better = [task.name_in_text(name) for name, skill in skills.items() if skill.low > 0.0]
    worse = [task.name_in_text(name) for name, skill in skills.items() if skill.high < 0.0]
    if better:
        pronoun = "it" if len(better) == 1 else "them"
        return (
            f"Targets depend on each other: {enumeration(better)} predict"
            f"{'s' * (len(better) == 1)} better than the mean so far. Judge "
            f"learners by whether they beat {pronoun}."
        )
    if len(worse) == len(skills):
        return (
            f"The mean so far predicts better than {enumeration(worse)}. Judge learners by whether "
            "they beat the mean."
        )
    return "It cannot be told whether the mean so far predicts better than a repeated target."


def persistence_table(skills: Mapping[str, StreamMean], title_of: Callable[[str], str]) -> Table:
    """Table of `persistence_skills` with their intervals, or the reason why one is missing."""
    rows = []
    for name, skill in skills.items():
        text = skill_text(skill.mean, skill.low, skill.high)
        reason = f" (no interval: {skill.reason})" if skill.reason else ""
        rows.append([title_of(name), f"{text}{reason}"])
    return texts_table(
        "Does a target depend on the previous target? Skill over the mean so far: 1 minus the "
        "ratio of the mean absolute errors; 1 is perfect, 0 as good as the mean. Intervals are "
        "95 %.",
        ["", "skill"],
        rows,
    )
