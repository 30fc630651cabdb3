"""The command `streameval`."""

from __future__ import annotations

import subprocess
import sys

import pooch
import pytest
from helpers.commands import json_of_first, printed, refused, run

CSV = "size,colour,label\n" + "".join(
    f"{i % 7},{'red' if i % 3 else 'blue'},{'yes' if i % 7 > 3 else 'no'}\n" for i in range(200)
)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(CSV, encoding="utf-8")
    return path


def test_a_variant_of_a_stream_of_the_registry(capsys):
    names = ("markov_ozone", "markov_ozone:temporal:1")
    original, variant = (
        json_of_first(capsys, "evaluate", name, "--learner", "no_change")["accuracy"]
        for name in names
    )
    assert original == variant  # labels keep their order
    err = refused(capsys, "evaluate", "markov_ozone:mixed:1", "--learner", "no_change")
    assert "Variant 'mixed:1' of stream 'markov_ozone': expected original" in err


def test_a_bundled_stream_is_neither_downloaded_nor_copied(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pooch, "os_cache", lambda name: tmp_path / name)
    monkeypatch.delenv("STREAMEVAL_DATA", raising=False)
    printed(capsys, "check", "elec2")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere", "--learner", "no_change"], "no stream 'nowhere' in the registry. Known: "),
        (["rbf", "--learner", "no_change"], "(--rows N, in Python generate()) the generators agr"),
        (["random_rb", "--learner", "no_change"], "random_tree, sea. Did you mean 'random_rbf'"),
        ([__file__, "--learner", "no_change"], "test_cli.py"),
        (["markov_ozone", "--learner", "naive_bays"], "no learner 'naive_bays'. Known: "),
        (["markov_ozone", "--learner", "majority", "--wrapper", "w"], "no wrapper 'w'; there are"),
    ],
)
def test_mistakes_get_one_message(capsys, words, message):
    assert message in refused(capsys, "evaluate", *words)


def test_a_warning_is_about_the_data_and_not_about_our_lines(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("a,label\n" + "1,x\n2,x\n" * 20, encoding="utf-8")
    words = [sys.executable, "-c", "from streameval.cli import main; main()"]
    words += ["check", str(path), "--target", "label"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    (line,) = done.stderr.splitlines()
    assert line.startswith("streameval: Stream 'one': the target 'label' has one value only.")
    assert "so their order cannot be tested." in " ".join(done.stdout.split())


def test_warming_up_prints_its_time(capsys):
    code, out, err = run(capsys, "warm-up", "no_change", "majority")
    lines = [line.split() for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert [line[0] for line in lines] == ["no_change", "majority", "all"]
    assert float(lines[-1][1]) == pytest.approx(sum(float(line[1]) for line in lines[:2]), abs=0.02)
    assert "no learner 'naive_bays'. Known: " in refused(capsys, "warm-up", "naive_bays")


def test_learners_of_a_config_of_ones_own(capsys, tmp_path, monkeypatch, table):
    rows = {
        "river_tree": "river\n  parameters: {model: river.tree.HoeffdingTreeClassifier}",
        "counts": "sklearn\n  parameters: {model: sklearn.naive_bayes.BernoulliNB}",
        "mine": "helpers.foreign_models:Frequencies",
        "typo": "river\n  parameters: {model: river.tree.HoefdingTreeClassifier}",
        "from_a_file": "predictions_file\n  parameters: {file: '{stream}.answers.csv'}",
    }
    text = "".join(f"{name}:\n  title: T\n  learner: {row}\n" for name, row in rows.items())
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "learners.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "mine.answers.csv").write_text("label\n" + "no\n" * 200)
    monkeypatch.chdir(tmp_path)
    lines = printed(capsys, "learners").splitlines()[1:]
    assert [line.split()[0] for line in lines] == list(rows)
    words = ("evaluate", table, "--target", "label", "--learner")
    for name in ("river_tree", "counts", "mine"):
        answer = json_of_first(capsys, *words, name)
        assert answer["accuracy"] > 0.5
        assert answer["seconds"] > 0
        assert answer["model_bytes"] > 100
    err = refused(capsys, *words, "typo")
    assert "Learner 'typo': cannot import 'river.tree.HoefdingTreeClassifier'" in err
    assert "did you mean HoeffdingTreeClassifier?" in err
    assert printed(capsys, *words, "from_a_file").count("not known") == 2
    answer = json_of_first(capsys, *words, "from_a_file")
    assert (answer["seconds"], answer["model_bytes"]) == (None, None)


@pytest.mark.parametrize(
    ("filename", "whose"),
    [
        ("/env/lib/python3.11/site-packages/sklearn/linear_model/_logistic.py", "sklearn"),
        ("/home/me/my_model.py", "my_model.py"),
    ],
)
def test_a_warning_of_a_library_is_one_line_without_code(filename, whose):
    from streameval.cli import _format_warning

    message = _format_warning("lbfgs failed\nTry more iterations", RuntimeWarning, filename, 599)
    assert message == f"streameval: {whose} warns: lbfgs failed (RuntimeWarning)."
