"""MOA's learners, run by MOA: row by row the predictions of ours."""

from __future__ import annotations

import os
import time
import zipfile

import numpy as np
import pytest
from helpers import strategies
from helpers.golden import clouds

from streameval.base.errors import ConfigError, DataError
from streameval.learners.adapters import moa
from streameval.learners.adapters.moa import MoaLearner
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, Tape
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.generators.sea import Sea
from streameval.streams.stream import Attribute, Schema, Stream

needs_moa = pytest.mark.moa

PAIRS = {
    "naive_bayes": ("bayes.NaiveBayes", NaiveBayes()),
    "hoeffding_tree": (
        "trees.HoeffdingTree -g 50 -c 0.01 -t 0.1",
        HoeffdingTree(grace_period=50, split_confidence=0.01, tie_threshold=0.1),
    ),
    "eager_tree": (
        "trees.HoeffdingTree -g 10 -t 1.0",
        HoeffdingTree(grace_period=10, tie_threshold=1.0),
    ),
}


def gaps():
    """Numbers, nominal values and classes, some of the inputs missing, under awkward names."""
    stream, rng = RandomTree(classes=3).stream(4000), np.random.default_rng(1)
    attributes = tuple(
        Attribute(f"{a.name}, 'the {j}. {{?}}'", a.values and ("?", *a.values[1:]))
        for j, a in enumerate(stream.schema.attributes)
    )
    X = np.where(rng.random(stream.X.shape) < 0.05, np.nan, stream.X)
    schema = Schema(attributes, "the %target", ("it's", '"', "?"))
    return Stream(X, stream.y, schema, "a name, with all of it: '\\\"")


def one_class():
    return Stream(np.arange(30.0)[:, None], np.zeros(30), strategies.schema(1, [0]))


CASES = {
    "sea": ("hoeffding_tree", lambda: Sea().stream(5000)),
    "gaps": ("naive_bayes", gaps),
    "tree over gaps": ("hoeffding_tree", gaps),
    "one instance": ("naive_bayes", lambda: Sea().stream(1)),
    "one class": ("hoeffding_tree", one_class),
    "the last bit of an exponential": ("eager_tree", lambda: clouds(392)),
}


@needs_moa
@pytest.mark.parametrize("case", CASES)
def test_moa_predicts_as_ours_do(case):
    name, make = CASES[case]
    words, ours = PAIRS[name]
    stream, steps = make(), []
    tape = prequential(len(stream))
    predictions = MoaLearner(words).run(stream, tape, progress=steps.append)
    expected = ours.run(stream, tape)
    np.testing.assert_array_equal(predictions.label, expected.label)
    np.testing.assert_array_equal(predictions.row, tape.row)
    assert predictions.label.dtype == np.int16
    assert predictions.size == expected.size
    assert predictions.model_bytes > 0
    assert predictions.seconds > 0
    assert sum(steps) == len(stream)


@needs_moa
def test_the_first_rows_of_a_stream():
    stream = Sea().stream(300)
    predictions = MoaLearner("bayes.NaiveBayes").run(stream, prequential(200))
    expected = NaiveBayes().run(stream, prequential(200))
    np.testing.assert_array_equal(predictions.label, expected.label)


@needs_moa
def test_the_size_is_not_known_without_the_agent():
    predictions = MoaLearner("bayes.NaiveBayes", measure_size=False).run(
        Sea().stream(10), prequential(10)
    )
    assert predictions.model_bytes == 0


@needs_moa
def test_the_agent_sees_into_lists():
    # The window of k nearest neighbours is a java.util list: here of 1000 rows of 3 doubles.
    predictions = MoaLearner("lazy.kNN -w 1000").run(Sea().stream(1100), prequential(1100))
    assert predictions.model_bytes > 1000 * 3 * 8


@needs_moa
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "trees.HoefdingTree",
            r"(?s)could not parse it: check the name.*Java says:\n.*Exception",
        ),
        ("trees.HoeffdingTree -gg 100", "could not parse it"),
    ],
)
def test_what_java_says_is_in_the_message(words, message):
    with pytest.raises(DataError, match=message) as caught:
        MoaLearner(words).run(Sea().stream(5), prequential(5))
    assert "{M}assive" not in str(caught.value)
    assert len(str(caught.value)) < 2000


@needs_moa
def test_a_task_that_fails_on_the_way(tmp_path):
    (tmp_path / "a.arff").write_text(
        "@relation r\n@attribute x real\n@attribute c {a,b}\n@data\nz,a\n"
    )
    with pytest.raises(DataError, match=r"(?s)Task failed\. Reason.*Exception"):
        moa.run_task(
            "EvaluatePrequential -l bayes.NaiveBayes -s (ArffFileStream -f a.arff)", tmp_path
        )


@needs_moa
def test_only_prequential_tapes():
    learner, stream, n = MoaLearner("bayes.NaiveBayes"), Sea().stream(6), np.arange(6)
    tapes = {
        "rows out of order": Tape(n[::-1], np.full(6, 3), np.ones(6)),
        "rows that are only predicted or only learnt": prequential(6, pretrain=1),
        "weights other than 1": Tape(n, np.full(6, 3), np.full(6, 2)),
        "only learnt and weights": Tape(n, np.full(6, LEARN), np.zeros(6)),
    }
    for words, tape in tapes.items():
        with pytest.raises(ConfigError, match=f"the tape has .*{words}"):
            learner.run(stream, tape)
    with pytest.raises(ConfigError, match="MOA writes no class scores"):
        learner.run(stream, prequential(6), scores=True)
    empty = Tape(np.empty(0), np.empty(0), np.empty(0))
    assert learner.run(stream, empty).label.shape == (0,)


def test_without_java_or_moa_it_is_said_how_to_get_them(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match=r"command 'java'\. .*version 11"):
        MoaLearner("bayes.NaiveBayes")
    monkeypatch.setenv("MOA_JAR", str(tmp_path / "moa.jar"))
    with pytest.raises(ConfigError, match=r"MOA_JAR .*moa\.jar: .*file moa\.jar, found"):
        moa.find_jar()
    monkeypatch.delenv("MOA_JAR")
    monkeypatch.setattr(moa.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r'MOA_JAR.* pip install "streameval\[moa\]"'):
        moa.find_jar()


# --- without Java: a script in its place ------------------------------------------------

HEAD = f"{moa.SECONDS},{moa.BYTES},tree depth,undefined"


@pytest.fixture
def java(monkeypatch, tmp_path):
    """Function that replaces Java by a shell script."""
    with zipfile.ZipFile(tmp_path / "moa.jar", "w"):
        pass
    monkeypatch.setenv("MOA_JAR", str(tmp_path / "moa.jar"))
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    def put(*lines):
        (tmp_path / "java").write_text("\n".join(["#!/bin/sh", *lines]) + "\n", encoding="utf-8")
        (tmp_path / "java").chmod(0o755)
        return MoaLearner("bayes.NaiveBayes")

    return put


def test_progress_while_it_runs(java):
    learner = java(
        "printf '\\r- 0.31s [running] 25.00%% Evaluating' >&2; sleep 0.2",
        "printf '\\r- 0.62s [running] 75.00%% Evaluating' >&2; sleep 0.2",
        f"printf '{HEAD}\\n1.5,64.0,2.0,?\\n'",
        "printf '0,0\\n1,0\\n1,1\\n0,1\\n' > predictions.csv",
    )
    four = Stream(np.zeros((4, 1)), np.array([0, 0, 1, 1]), strategies.schema(2, [0]))
    steps = []
    predictions = learner.run(four, prequential(4), progress=steps.append)
    assert steps == [1, 2, 1]
    assert predictions.label.tolist() == [0, 1, 1, 0]
    assert (predictions.seconds, predictions.model_bytes, predictions.size) == (
        1.5,
        64,
        {"depth": 2},
    )


def test_breaking_off_ends_java(java):
    learner = java("printf '[running] 50.00%%' >&2", "exec sleep 60")

    def stop(n):
        raise KeyboardInterrupt

    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        learner.run(Sea().stream(4), prequential(4), progress=stop)
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["echo 'no space left' >&2; exit 1"], r"(?s)MOA could not run 'Evalu.*no space left"),
        ([f"printf '{HEAD}\\n1,0,0,0\\n'"], "MOA wrote no file of predictions"),
        (
            [f"printf '{HEAD}\\n1,0,0,0\\n'", "printf '0,0\\n' > predictions.csv"],
            "MOA evaluated other rows or labels: expected 4 rows of the stream, found 1",
        ),
    ],
)
def test_java_that_fails(java, lines, message):
    with pytest.raises(DataError, match=message):
        java(*lines).run(Sea().stream(4), prequential(4))


@pytest.mark.parametrize(
    "learner", ["bayes.NaiveBayes) -d /etc/hosts (", "meta.OzaBag -l (bayes.NaiveBayes", ")("]
)
def test_a_learner_stays_within_the_brackets_of_its_option(learner):
    with pytest.raises(ConfigError, match=r"moa: learner: .*with brackets in pairs, found"):
        MoaLearner(learner)
