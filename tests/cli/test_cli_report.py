"""The command that writes a page about one's own data."""

from __future__ import annotations

import hashlib
import json
import shutil

import pytest
from helpers.commands import printed, run
from helpers.own_pages import unrendered

from streameval import cli
from streameval.base.settings import ROOT

CSV = "a,time,y\n" + "".join(f"{i % 7},{i},{'uv'[i % 3 > 0]}\n" for i in range(400))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "mine.csv").write_text(CSV, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@unrendered()
def test_the_page_of_a_file_names_its_digest_and_the_command(capsys, folder):
    words = ("--target", "y", "--drop", "time", "--learner", "knn", "--learner", "naive_bayes")
    out = printed(capsys, "report", "mine.csv", *words, "-o", "mine.html")
    assert out.splitlines()[-1] == "The page is mine.html."
    first, second = out.splitlines()[:2]
    assert first == "The target of mine is 'y', with 2 classes: u, v."
    assert second.startswith("knn ")
    text = (folder / "mine.html").read_text(encoding="utf-8")
    assert hashlib.sha256(CSV.encode()).hexdigest() in text
    assert "streameval report mine.csv \\\n  --target y \\\n  --drop time \\\n" in text


@unrendered()
def test_json_has_the_sentences(capsys, folder):
    code, out, _ = run(capsys, "report", "sea", "--rows", 600, "--learner", "majority", "--json")
    page = json.loads(out)
    assert (code, page["report"]) == (0, "report.html")
    (stream,) = page["streams"]
    assert (stream["stream"], stream["n"]) == ("sea", 600)
    assert stream["sentences"][0].startswith("majority beats repeating the previous label by")
    assert (folder / "report.html").is_file()


@unrendered()
def test_several_streams_are_one_page(capsys, folder):
    shutil.copy("mine.csv", "other <b>.csv")
    words = ("--target", "y", "--learner", "naive_bayes")
    out = printed(capsys, "report", "mine.csv", "other <b>.csv", *words)
    assert [line for line in out.splitlines() if line.endswith(":")] == ["mine:", "other <b>:"]
    text = (folder / "report.html").read_text(encoding="utf-8")
    assert text.count("<article") == 2
    assert "other &lt;b&gt;" in text
    assert "<b>" not in text


def test_a_class_of_ones_own_and_delayed_labels(capsys, folder):
    shutil.copy(ROOT / "examples" / "nearest_mean.py", folder)
    words = ("--target", "y", "--time", "time", "--delay", "20")
    learners = ("--learner", "nearest_mean:NearestMean", "--learner", "majority")
    out = printed(capsys, "report", "mine.csv", *words, *learners)
    assert "repeating the latest known label" in out
    assert 'id="waiting"' in (folder / "report.html").read_text(encoding="utf-8")


def options_of(command):
    """The options of a subcommand."""
    parser = cli._parser([command])
    (commands,) = (action for action in parser._actions if isinstance(action.choices, dict))
    known = commands.choices[command]._option_string_actions
    return {option for option in known if option.startswith("--")}


def test_all_options_on_what_is_run_are_those_of_evaluate_and_compare():
    elsewhere = {
        # A page is about one model that is tested, then trained.
        "--protocol",
        # What else is shown is chosen by the page.
        *(
            "--figure",
            "--table",
            "--bins",
            "--by",
            "--rule",
            "--all",
            "--scores",
            "--by-class",
            "--by-group",
        ),
    }
    others = options_of("evaluate") | options_of("compare")
    assert others - options_of("report") == elsewhere
    assert options_of("report") - others == {"--output"}


@unrendered()
def test_a_wrapper_and_how_often_waiting_instances_are_predicted(capsys, folder):
    words = ("--target", "y", "--learner", "naive_bayes", "--wrapper", "temporally_augmented:2")
    out = printed(capsys, "report", "mine.csv", *words, "--delay", 9, "--every", 4)
    assert out.splitlines()[1].startswith("naive_bayes:temporally_augmented:2")
    assert "every = 4" in (folder / "report.html").read_text(encoding="utf-8")


@unrendered()
def test_seasonal_baselines_are_compared_with(capsys, folder):
    words = ("--target", "a", "--numeric-target", "--learner", "target_mean", "--seasonal", 7)
    out = printed(capsys, "report", "mine.csv", *words)
    assert "target_mean loses to repeating the target 7 instances before: its" in out
    words = ("compare", "mine.csv", *words, "--learner", "previous_target")
    assert "over target 7 before" in printed(capsys, *words)


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        (["mine.csv", "--target", "y", "--learner", "knnn"], ["knnn", "'knn'"]),
        (["mine.csv", "--target", "z", "--learner", "knn"], ["'z'", "a, time, y"]),
        (["none.csv", "--learner", "knn"], ["none.csv"]),
        (["mine.csv", "mine.csv", "--learner", "knn"], ["mine.csv 2 times"]),
        (["mine.csv", "--target", "y", "--learner", "knn", "-o", "a.pdf"], [".html", "'a.pdf'"]),
        (["mine.csv", "--target", "y", "--learner", "knn", "-o", "no/a.html"], ["'no'"]),
        (["mine.csv", "--target", "y", "--learner", "amrules"], ["y"]),
        (["mine.csv", "--target", "y", "--learner", "knn", "--rope", "-1"], ["rope", "-1"]),
        (["mine.csv", "--target", "y", "--learner", "knn", "--label-first"], ["--delay"]),
        (["mine.csv", "--target", "y", "--learner", "knn", "--every", "3"], ["--delay"]),
        (["mine.csv", "--target", "y", "--learner", "knn", "--seasonal", "3"], ["numeric", "'y'"]),
        (["mine.csv", "--target", "y", "--learner", "knn", "--wrapper", "x"], ["wrapper 'x'"]),
    ],
)
def test_an_error_is_one_line_and_leaves_no_file(capsys, folder, words, facts):
    code, out, err = run(capsys, "report", *words)
    assert (code, out) == (2, "") or (code, out) == (1, "")
    assert err.startswith("streameval: ")
    assert err.count("\n") == 1
    assert all(fact in err for fact in facts)
    assert [path.name for path in folder.iterdir()] == ["mine.csv"]
