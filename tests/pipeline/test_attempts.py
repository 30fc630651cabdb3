"""Studies that train learners themselves, where some of the learners fail."""

from __future__ import annotations

import errno
import os

import pandas as pd
import pytest
from helpers.all_kinds import all_kinds

from streameval.base.errors import DataError
from streameval.items.inputs import ItemInput
from streameval.items.settings import LearnerItemSettings
from streameval.pipeline.attempts import attempt, can_drop_learners
from streameval.pipeline.study_errors import WHOLE_STUDY, read_errors, write_errors

ERRORS = {"bad": RuntimeError("no such class"), "worse": DataError("Learner 'worse': too long.")}


@pytest.fixture
def reported():
    return []


def attempted(reported, *names, errors=ERRORS, drops_learners=True):
    """The rows of the frame of a study, or None, and the errors; `errors` are those of learners."""
    item_input = ItemInput(
        settings=LearnerItemSettings(streams=("abc",), learners=names),
        learner_specs=dict.fromkeys((*names, "other")),
    )

    def compute(item_input):
        assert [*item_input.learner_specs][: len(item_input.settings.learners)] == [
            *item_input.settings.learners
        ]
        for name in item_input.settings.learners:
            if name in errors:
                raise errors[name]
        return {"frame": pd.DataFrame({"learner": [*item_input.settings.learners]})}

    frames, failed = attempt(
        item_input, compute, lambda *about: reported.append(about), drops_learners=drops_learners
    )
    return None if frames is None else [*frames["frame"]["learner"]], failed


def test_a_study_without_failures_is_as_it_was(reported):
    assert attempted(reported, "a", "b") == (["a", "b"], {})
    assert reported == []


def test_learners_that_fail_are_left_out_with_their_errors(reported):
    rows, errors = attempted(reported, "a", "bad", "b", "worse")
    assert rows == ["a", "b"]
    assert errors == {"bad": "RuntimeError: no such class", "worse": "too long."}
    assert reported == [*ERRORS.items()]


def test_without_a_learner_that_runs_the_study_fails(reported):
    assert attempted(reported, "bad", "worse") == (
        None,
        {WHOLE_STUDY: "bad: RuntimeError: no such class; worse: too long."},
    )
    assert attempted(reported, "bad") == (None, {WHOLE_STUDY: "RuntimeError: no such class"})
    same = dict.fromkeys(["bad", "worse"], DataError("no times"))
    assert attempted(reported, "bad", "worse", errors=same) == (None, {WHOLE_STUDY: "no times"})


def test_a_study_that_needs_all_learners_fails_with_one(reported):
    rows, errors = attempted(reported, "a", "bad", drops_learners=False)
    assert (rows, errors) == (None, {WHOLE_STUDY: "RuntimeError: no such class"})
    assert reported == [(WHOLE_STUDY, ERRORS["bad"])]


def test_a_full_disk_is_no_failure_of_a_learner(reported):
    full = {"bad": OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))}
    with pytest.raises(OSError, match="No space left"):
        attempted(reported, "a", "bad", errors=full)
    assert reported == []


def test_a_study_in_parts_or_without_a_column_of_learners_needs_all_of_them():
    needs_all = {
        name for name, kind in all_kinds().items() if kind.trains and not can_drop_learners(kind)
    }
    assert "type_errors" in needs_all
    assert not {"lags", "holdout", "binned_measures", "binned_errors"} & needs_all


def test_a_record_is_read_as_it_was_written(tmp_path):
    errors = {"bad": "κ < 0", WHOLE_STUDY: "no times"}
    write_errors(errors, tmp_path / "a.json")
    assert read_errors(tmp_path / "a.json") == errors
