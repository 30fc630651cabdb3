"""Studies that train learners themselves, without the learners that fail.

A study computes the frames of an item, which is a table or figure of an `ItemKind`. It is one call
for all learners. If that raises an error, each learner is tried alone, to see which ones fail. Then
the study runs once more, for all the others together: intervals and bands depend on all learners.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd
from msgspec import structs

from streameval.items.inputs import ItemInput
from streameval.items.kind import ItemKind
from streameval.pipeline.failures import is_fault_of_run, learner_error
from streameval.pipeline.study_errors import WHOLE_STUDY

Frames = Mapping[str, pd.DataFrame]


def can_drop_learners(kind: ItemKind) -> bool:
    """Whether a study of a kind can run without some learners.

    The study can if it is one call, not divided into parts, and some frame has a column with the
    learner of each row.
    """
    return not kind.parts and any("learner" in columns for columns in kind.frames.values())


def attempt(
    item_input: ItemInput[Any],
    compute: Callable[[ItemInput[Any]], Frames],
    report: Callable[[str, Exception], object],
    *,
    drops_learners: bool,
) -> tuple[Frames | None, dict[str, str]]:
    """Run a study; if it fails, run it again without the learners that fail.

    Parameters
    ----------
    item_input : ItemInput
        The inputs of the study.
    compute : callable
        The study.
    report : callable
        Called with the id of a learner, or `WHOLE_STUDY`, and its error.
    drops_learners : bool
        Whether the study can run without some of its learners; see `can_drop_learners`.

    Returns
    -------
    frames, errors : tuple
        The frames, and the errors of the learners that are left out, by id. If all learners fail,
        or the study fails for another reason, None and the error of `WHOLE_STUDY`.

    Raises
    ------
    OSError, DamageError
        If the disk or a damaged file is at fault.
    """
    outcome = _frames_or_error(compute, item_input)
    if not isinstance(outcome, Exception):
        return outcome, {}
    names = item_input.settings.learners
    errors = dict[str, Exception]()
    if drops_learners and len(names) > 1:
        for name in names:
            outcome_alone = _frames_or_error(compute, _with_learners(item_input, [name]))
            if isinstance(outcome_alone, Exception):
                errors[name] = outcome_alone
        others = [name for name in names if name not in errors]
        if errors and others:
            outcome = _frames_or_error(compute, _with_learners(item_input, others))
    for name, error in errors.items():
        report(name, error)
    lines = {name: learner_error(name, error) for name, error in errors.items()}
    if not isinstance(outcome, Exception):
        return outcome, lines
    report(WHOLE_STUDY, outcome)
    if len(errors) == len(names) and len({*lines.values()}) > 1:  # the learners failed differently
        return None, {WHOLE_STUDY: "; ".join(f"{name}: {line}" for name, line in lines.items())}
    # All learners failed with the same error, or only the study of all learners failed. The error
    # may start with the id of the first learner, which `learner_error` removes.
    return None, {WHOLE_STUDY: learner_error(names[0], outcome)}


def _frames_or_error(
    compute: Callable[[ItemInput[Any]], Frames], item_input: ItemInput[Any]
) -> dict[str, pd.DataFrame] | Exception:
    """Frames of a study, or the error that it raises; faults of the run are raised."""
    try:
        return dict(compute(item_input))  # a study that returns no mapping fails here
    except Exception as error:
        if is_fault_of_run(error):
            raise
        return error


def _with_learners(item_input: ItemInput[Any], names: list[str]) -> ItemInput[Any]:
    """Inputs of a study, for some of its learners."""
    settings = structs.replace(item_input.settings, learners=tuple(names))
    return replace(
        item_input,
        settings=settings,
        learner_specs={name: item_input.learner_specs[name] for name in names},
    )
