"""Studies that train learners themselves, without the learners that fail.

Such a study is one call for all learners. If it raises an error, it runs for each learner alone,
and again for those that did not fail: intervals and bands follow from all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd
from msgspec import structs

from streameval.items.inputs import ItemInput
from streameval.items.kind import Kind
from streameval.pipeline.failures import is_fault_of_run, learner_error
from streameval.pipeline.study_errors import STUDY

Frames = Mapping[str, pd.DataFrame]


def can_leave_out(kind: Kind) -> bool:
    """Whether frames of a kind say which learner their rows are about, and are of one call."""
    return not kind.parts and any("learner" in columns for columns in kind.frames.values())


def attempt(
    item_input: ItemInput[Any],
    compute: Callable[[ItemInput[Any]], Frames],
    report: Callable[[str, Exception], object],
    *,
    leaves_out: bool,
) -> tuple[Frames | None, dict[str, str]]:
    """Frames of a study without the learners that fail, and their errors by id.

    Parameters
    ----------
    item_input : ItemInput
        The inputs of the study.
    compute : callable
        The study.
    report : callable
        Called with the id of a learner, or `STUDY`, and its error.
    leaves_out : bool
        Whether the study can do without some of its learners; see `can_leave_out`.

    Returns
    -------
    tuple
        None and the error of `STUDY` if no learner is left, or the study fails for other reasons.

    Raises
    ------
    OSError, DamageError
        If the disk or a damaged file is at fault.
    """
    error = _error_of(compute, item_input, frames := dict[str, pd.DataFrame]())
    if error is None:
        return frames, {}
    names = item_input.settings.learners
    failed = dict[str, Exception]()
    if leaves_out and len(names) > 1:
        alone = {name: _error_of(compute, _of_learners(item_input, [name]), {}) for name in names}
        failed = {name: caught for name, caught in alone.items() if caught is not None}
        ran = [name for name in names if name not in failed]
        if failed and ran:
            error = _error_of(compute, _of_learners(item_input, ran), frames)
    for name, caught in failed.items():
        report(name, caught)
    lines = {name: learner_error(name, caught) for name, caught in failed.items()}
    if error is None:
        return frames, lines
    report(STUDY, error)
    different = {*lines.values()}
    if len(failed) == len(names) and len(different) > 1:
        return None, {STUDY: "; ".join(f"{name}: {line}" for name, line in lines.items())}
    return None, {STUDY: learner_error(names[0], error)}


def _error_of(
    compute: Callable[[ItemInput[Any]], Frames], item_input: ItemInput[Any], frames: dict[str, Any]
) -> Exception | None:
    """Put the frames of a study into `frames`; return the error that it raises, if it does."""
    try:
        frames.update(compute(item_input))
    except Exception as error:
        if is_fault_of_run(error):
            raise
        return error
    return None


def _of_learners(item_input: ItemInput[Any], names: list[str]) -> ItemInput[Any]:
    """Inputs of a study of some of the learners."""
    settings = structs.replace(item_input.settings, learners=tuple(names))
    return replace(
        item_input, settings=settings, rows={name: item_input.rows[name] for name in names}
    )
