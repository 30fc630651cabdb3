"""The option ``--protocol`` of the command."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace

import numpy as np
import pytest
from helpers.commands import first, json_of_first, printed, refused, run

from streameval.base.settings import ROOT
from streameval.evaluation.measurements import overall_measures
from streameval.evaluation.run import run_learners
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.registry import parse, protocol_forms
from streameval.streams.generators.markov import Markov
from streameval.streams.readers.any_file import read_any
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import NEVER

ROWS = "".join(f"{i % 7},{i % 3},{'yes' if i % 7 > 3 else 'no'}\n" for i in range(200))


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(f"a,b,label\n{ROWS}", encoding="utf-8")
    return ["evaluate", path, "--target", "label", "--learner", "naive_bayes"]


@pytest.mark.parametrize(
    "protocol",
    ["prequential", "delayed:48", "cross_validation:5", "split_validation:tested=learnt"],
)
def test_learners_and_baselines_are_run_by_the_protocol(capsys, words, protocol):
    out = printed(capsys, *words, "--json", "--protocol", protocol)
    stream = read_any(str(words[1]), "label")
    table, _ = run_learners(stream, parse(protocol), {"x": NaiveBayes()})
    expected = overall_measures(table, ["x"]).set_index("measure")["value"]
    measures = first(out)
    assert measures["n"] == 200
    for name in ("accuracy", "kappa", "kappa_temporal", "kappa_m"):
        assert measures[name] == (None if np.isnan(expected[name]) else expected[name])


def test_the_default_is_test_then_train(capsys, words):
    outs = [
        printed(capsys, *words, "--json", *more) for more in ([], ["--protocol", "prequential"])
    ]
    default, named = (first(out) for out in outs)
    timeless = [{k: v for k, v in row.items() if k != "seconds"} for row in (default, named)]
    assert timeless[0] == timeless[1]
    late = json_of_first(capsys, *words, "--protocol", "delayed:150")
    assert late["accuracy"] < default["accuracy"]


@pytest.mark.parametrize(
    ("protocol", "said"),
    [
        ("prequental", "no protocol 'prequental'.*Did you mean 'prequential'"),
        ("delayed", "expected a value for delay"),
        ("delayed:x", "expected a whole number"),
        ("cross_validation:fold=3", "unknown key 'fold'.*Did you mean 'folds'"),
    ],
)
def test_a_mistake_is_said_before_the_stream_is_read(capsys, words, protocol, said):
    words[1] = "no/such/file.csv"
    err = refused(capsys, *words, "--protocol", protocol)
    assert re.search(said, err)


def test_help_says_how_each_is_written(capsys):
    with pytest.raises(SystemExit):
        run(capsys, "evaluate", "--help")
    text = re.sub(r"\s+", "", capsys.readouterr().out)
    assert all(form in text for form in protocol_forms())


def test_a_delay_of_labels_is_respected_or_ignored_in_words(capsys, monkeypatch):
    stream = Markov(priors=[0.6, 0.4], persistence=0.8, attributes=2, seed=1).stream(200)
    times = {"time": np.arange(200), "label_time": np.arange(200) + 50}
    late = replace(stream, name="markov_elec2", **times)
    monkeypatch.setattr("streameval.api.streams._make_stream", lambda _: late)
    words = ("evaluate", "markov_elec2", "--learner", "no_change")
    for protocol in ("prequential", "cross_validation"):
        err = refused(capsys, *words, "--protocol", protocol)
        assert "--protocol delayed:50" in err
        assert "--ignore-label-times" in err
        printed(capsys, *words, "--protocol", protocol, "--ignore-label-times")
    with warnings.catch_warnings():
        warnings.simplefilter("error", StreamWarning)
        printed(capsys, *words, "--protocol", "delayed:50")
        printed(capsys, *words)
    never = np.where(np.arange(200) < 3, NEVER, late.label_time)
    late = replace(late, label_time=never)
    out = printed(capsys, *words, "--protocol", "delayed:50")
    assert "3 labels have not arrived; these instances are neither scored nor learnt." in out


def test_the_numbers_of_the_first_page(capsys):
    page = (ROOT / "docs/explanation/protocols.md").read_text(encoding="utf-8")
    rows = re.findall(r"\| `(\w+_validation:\S+|delayed:\S+)` \|[^|]+\| (\S+) \| (\S+) \|", page)
    assert len(rows) == 3
    for protocol, *expected in rows:
        words = ("evaluate", "elec2", "--learner", "hoeffding_tree", "--protocol", protocol)
        measures = json_of_first(capsys, *words)
        cells = [
            f"{measures[name]:.4f}".replace("-", "−") for name in ("accuracy", "kappa_temporal")
        ]
        assert cells == expected
