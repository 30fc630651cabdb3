"""The command `streameval`."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pooch
import pytest
from helpers.commands import first, json_of, json_of_first, printed, refused, run

CSV = "size,colour,label\n" + "".join(
    f"{i % 7},{'red' if i % 3 else 'blue'},{'yes' if i % 7 > 3 else 'no'}\n" for i in range(200)
)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(CSV, encoding="utf-8")
    return path


def test_a_wrapper_gives_the_learner_the_last_label(capsys, tmp_path):
    labels = np.repeat(np.arange(40) % 2, 5)  # runs of five; the input says nothing
    path = tmp_path / "runs.csv"
    noise = np.random.default_rng(1).normal(size=200)
    rows = zip(noise, labels, strict=True)
    path.write_text("a,class\n" + "".join(f"{a},{'no' if y else 'yes'}\n" for a, y in rows))
    scores = []
    words = ("evaluate", path, "--learner", "naive_bayes", "--target", "class", "--json")
    augmented, corrected = "temporally_augmented", "temporal_correction:0.01"
    for wrapper in (None, augmented, f"{augmented}:3:1", corrected):
        out = printed(capsys, *words, *(["--wrapper", wrapper] if wrapper else []))
        scores.append(first(out)["accuracy"])
    assert min(scores[1:]) > scores[0] + 0.2


@pytest.mark.parametrize(("name", "n"), [("markov_ozone", 2536), ("hyp_10_0.001", 1_000_000)])
def test_a_generated_stream_of_the_registry(capsys, name, n):
    out = printed(capsys, "evaluate", name, "--learner", "no_change", "--json")
    assert json.loads(out)["n"] == n


def test_a_variant_of_a_stream_of_the_registry(capsys):
    accuracies = {}
    for variant in ("", ":temporal:1", ":shuffled:1", ":blocks:1:50"):
        name = f"markov_ozone{variant}"
        accuracies[variant] = json_of_first(capsys, "evaluate", name, "--learner", "no_change")[
            "accuracy"
        ]
    assert accuracies[":temporal:1"] == accuracies[""]  # labels keep their order
    assert accuracies[":shuffled:1"] != accuracies[""]
    err = refused(capsys, "evaluate", "markov_ozone:mixed:1", "--learner", "no_change")
    assert "Variant 'mixed:1' of stream 'markov_ozone': expected original" in err


@pytest.mark.parametrize(
    ("learner", "correct"),
    # Source: MOA as packed in CapyMOA 0.15.1, over the whole of elecNormNew.arff.
    [("no_change", 38665), ("naive_bayes", 33242), ("hoeffding_tree", 35885)],
)
def test_a_real_stream_of_the_registry(capsys, tmp_path, monkeypatch, learner, correct):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pooch, "os_cache", lambda name: tmp_path / name)
    monkeypatch.delenv("STREAMEVAL_DATA", raising=False)
    out = printed(capsys, "evaluate", "elec2", "--learner", learner, "--json")
    assert round(first(out)["accuracy"] * 45312) == correct
    assert not [*tmp_path.iterdir()]  # nothing is downloaded or copied


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere", "--learner", "no_change"], "no stream 'nowhere' in the registry. Known: "),
        (["rbf", "--learner", "no_change"], "(--rows N, in Python generate()) the generators agr"),
        (["random_rb", "--learner", "no_change"], "random_tree, sea. Did you mean 'random_rbf'"),
        (["nowhere.csv", "--learner", "no_change"], "nowhere.csv"),
        ([__file__, "--learner", "no_change"], "test_cli.py"),
        (["markov_ozone", "--learner", "naive_bays"], "no learner 'naive_bays'. Known: "),
        (
            ["markov_ozone", "--learner", "majority", "--target", "a"],
            "--target applies to files only",
        ),
        (["markov_ozone", "--learner", "majority", "--wrapper", "w"], "no wrapper 'w'; there are"),
        (
            ["markov_ozone", "--learner", "majority", "--wrapper", "temporally_augmented:0"],
            "at lags: expected a whole number from 1 to 1,000, found",
        ),
        (
            ["markov_ozone", "--learner", "majority", "--wrapper", "temporal_correction:often"],
            "at smoothing: expected a number above 0 and below 1, found 'often'",
        ),
    ],
)
def test_mistakes_get_one_message(capsys, words, message):
    assert message in refused(capsys, "evaluate", *words)


def test_a_check_takes_all_labels_or_a_sample(capsys, tmp_path, table):
    answer = json_of(capsys, "check", table, "--target", "label")
    # All labels are used, but where a sample is asked for.
    assert answer["n"] == answer["in_all"] > 100
    assert answer["method"] == "exact"
    part = json_of(capsys, "check", table, "--target", "label", "--sample", 50)
    assert (part["n"], part["in_all"]) == (50, answer["n"])
    path = tmp_path / "sizes.arff"
    path.write_text("@relation r\n@attribute a numeric\n@attribute size numeric\n@data\n1,2\n3,4\n")
    err = refused(capsys, "check", path)
    assert "expected a nominal target, found the numeric target 'size'" in err


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
    code, out, _ = run(capsys, "learners")
    assert (code, [line.split()[0] for line in out.splitlines()[1:]]) == (0, list(rows))
    words = ("evaluate", table, "--target", "label", "--learner")
    for name in ("river_tree", "counts", "mine"):
        code, out, err = run(capsys, *words, name, "--json")
        answer = first(out)
        assert (code, err) == (0, "")
        assert answer["accuracy"] > 0.5
        assert answer["seconds"] > 0
        assert answer["model_bytes"] > 100
    err = refused(capsys, *words, "typo")
    assert "Learner 'typo': cannot import 'river.tree.HoefdingTreeClassifier'" in err
    assert "did you mean HoeffdingTreeClassifier?" in err


def test_costs_that_are_not_known_are_said_to_be_so(capsys, tmp_path, monkeypatch, table):
    (tmp_path / "config").mkdir()
    row = "x:\n  learner: predictions_file\n  title: X\n  parameters: {file: a.csv}\n"
    (tmp_path / "config" / "learners.yaml").write_text(row, encoding="utf-8")
    (tmp_path / "a.csv").write_text("label\n" + "no\n" * 200)
    monkeypatch.chdir(tmp_path)
    words = ("evaluate", table, "--target", "label", "--learner", "x")
    out = printed(capsys, *words)
    assert out.count("not known") == 2
    answer = json_of_first(capsys, *words)
    assert answer["seconds"] is None
    assert answer["model_bytes"] is None


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
