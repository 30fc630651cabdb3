"""The record of learners that fail, and the sentences about it."""

from __future__ import annotations

import errno
import os
from dataclasses import replace

import pytest

from streameval.base.errors import CodeError, ConfigError, DamageError, DataError
from streameval.base.table_files import write_csv
from streameval.evaluation.predictions import (
    read_learner_errors,
    read_predictions,
    write_predictions,
)
from streameval.evaluation.run import run_learners
from streameval.learners.registry import LearnerSpec
from streameval.pipeline.failed_notes import failure_notes
from streameval.pipeline.failures import Failures, error_line
from streameval.pipeline.reuse import EarlierPredictions, learner_keys, valid_predictions
from streameval.protocols.registry import parse
from streameval.streams.generators import generate_instances

FAILING = """
class Bad:
    def learn(self, x, y, w):
        raise RuntimeError("no such class")

    def predict(self, x):
        return 0
"""


@pytest.fixture
def failures():
    reported = []
    reporting = Failures(lambda name, error: reported.append((name, error)))
    reporting.reported = reported
    return reporting


@pytest.mark.parametrize(
    "error",
    [RuntimeError("a"), DataError("a"), FileNotFoundError(2, "a"), MemoryError()],
    ids=lambda error: type(error).__name__,
)
def test_an_error_of_a_learner_is_recorded(failures, error):
    failures.add("mine", error)
    assert failures.errors == {"mine": error_line(error)}
    assert failures.reported == [("mine", error)]


@pytest.mark.parametrize(
    ("learner", "error"),
    [
        ("no_change", RuntimeError("a")),
        ("previous_target", DataError("a")),
        ("mine", OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))),
        ("mine", DamageError("a", "p.parquet")),
    ],
)
def test_an_error_of_the_stream_the_disk_or_the_package_ends_the_job(failures, learner, error):
    with pytest.raises(type(error)):
        failures.add(learner, error)
    assert not failures.errors


def test_kills_and_interrupts_are_no_failures_of_a_learner(failures):
    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        failures.make_or_record("mine", interrupt)
    assert failures.make_or_record("other", lambda: 7) == {"other": 7}
    assert not failures.errors


def test_an_error_is_one_line_and_the_same_in_every_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    error = ValueError(f"<mine.M object at 0x7f12ab> in\n{tmp_path}/mine.py:\n  " + "x" * 500)
    text = error_line(error)
    assert text.startswith("ValueError: <mine.M object> in mine.py: xxx")
    assert len(text) < 320
    assert error_line(KeyError()) == "KeyError"
    assert error_line(DataError("3 classes at most.")) == "3 classes at most."


@pytest.fixture
def files(tmp_path, failures):
    """The files of a run of two learners, one of which fails, with its keys."""
    (tmp_path / "bad_one.py").write_text(FAILING, encoding="utf-8")
    rows = {
        "bad": LearnerSpec("bad", "bad_one:Bad", "Bad", folder=str(tmp_path)).recipe(),
        "naive_bayes": LearnerSpec("naive_bayes", "naive_bayes", "NB").recipe(),
        "majority": LearnerSpec("majority", "majority", "Majority").recipe(),
    }
    script = tmp_path / "script.py"
    script.write_text("", encoding="utf-8")
    wanted = learner_keys(rows, script, (), "abc")
    learners = {name: LearnerSpec(**row).make() for name, row in rows.items()}
    new = run_learners(
        generate_instances("sea", 200), parse("prequential"), learners, fail=failures.add
    )
    table, costs = EarlierPredictions().with_new_results(*new, wanted, failures.errors)
    write_predictions(table, tmp_path / "p.parquet")
    write_csv(costs, tmp_path / "c.csv")
    return str(tmp_path / "p.parquet"), str(tmp_path / "c.csv"), wanted


def test_a_record_is_in_the_file_of_predictions(files, tmp_path):
    path, _, _ = files
    table = read_predictions(path)
    assert "bad" not in table.predicted
    assert read_learner_errors(path) == table.failed
    assert list(table.failed) == ["bad"]
    assert "RuntimeError: no such class" in table.failed["bad"]
    assert table.with_labels().on_arrival().failed == table.failed
    assert table.without_failed(["naive_bayes", "bad"]) == ["naive_bayes"]
    assert read_learner_errors(tmp_path / "no.parquet") == {}


def test_a_learner_that_failed_runs_again_with_the_job_and_others_do_not(files):
    path, costs, wanted = files
    assert set(valid_predictions(path, costs, wanted).learners) == {"naive_bayes", "majority"}


def test_a_table_without_failures_has_the_file_that_it_had(tmp_path):
    table, _ = run_learners(generate_instances("sea", 50), parse("prequential"), {})
    write_predictions(table, tmp_path / "a.parquet")
    write_predictions(replace(table, failed={}), tmp_path / "b.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert read_learner_errors(tmp_path / "a.parquet") == {}


def test_one_sentence_names_all_streams_of_an_error():
    failed = {"a": {"bad": "Error: no"}, "b": {}, "c": {"bad": "Error: no", "worse": "Is it here?"}}
    titles = {"bad": "Bad one"}, {"a": "First", "c": "Third"}
    assert failure_notes(failed, *titles) == (
        "Bad one failed on First and Third and is left out there: Error: no.",
        "worse failed on Third and is left out there: Is it here?",
    )
    assert failure_notes(failed, *titles, joined=True)[0].endswith("is left out: Error: no.")


@pytest.mark.parametrize("text", ["import no_such_module", "class ("])
def test_code_that_raises_is_told_from_a_module_that_is_not_there(tmp_path, text):
    (tmp_path / "broken_one.py").write_text(text, encoding="utf-8")
    row = LearnerSpec("broken", "broken_one:Broken", "Broken", folder=str(tmp_path))
    assert row.tasks == ()
    assert not row.is_random
    with pytest.raises(CodeError, match="Learner 'broken': cannot import 'broken_one:Broken'"):
        row.check()
    with pytest.raises(ConfigError) as caught:
        replace(row, learner="broken_won:Broken").check()
    assert not isinstance(caught.value, CodeError)


def test_learners_that_ran_in_jobs_of_their_own_are_put_together(files, tmp_path, failures):
    path, costs, wanted = files
    others = valid_predictions(path, costs, {"majority": wanted["majority"]})
    alone = valid_predictions(path, costs, {"naive_bayes": wanted["naive_bayes"]})
    together = others.with_slow_learners(alone)
    assert set(together.learners) == {"majority", "naive_bayes"}
    assert together.costs["learner"].tolist() == ["majority", "naive_bayes"]
    assert EarlierPredictions().with_slow_learners(alone) == alone
    assert others.with_slow_learners(EarlierPredictions()) == others


def test_a_job_of_its_own_changes_no_key():
    row = LearnerSpec("naive_bayes", "naive_bayes", "NB")
    slow = replace(row, slow=True)
    assert slow.recipe() == row.recipe()
    assert "slow" not in row.to_dict()
    assert LearnerSpec(**slow.to_dict()) == slow
