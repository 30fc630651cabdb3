"""The command that writes a page about one's own data."""

from __future__ import annotations

import hashlib
import shutil

import pytest
from helpers.commands import printed, refused
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
    printed(capsys, "report", "mine.csv", *words, "-o", "mine.html")
    text = (folder / "mine.html").read_text(encoding="utf-8")
    assert hashlib.sha256(CSV.encode()).hexdigest() in text
    assert "streameval report mine.csv \\\n  --target y \\\n  --drop time \\\n" in text


def options_of(command):
    """The options of a subcommand."""
    parser = cli._parser([command])
    (commands,) = (action for action in parser._actions if isinstance(action.choices, dict))
    known = commands.choices[command]._option_string_actions
    return {option for option in known if option.startswith("--")}


def test_all_options_on_what_is_run_are_those_of_evaluate_and_compare():
    # A page is about one model that is tested, then trained; what it shows is chosen.
    shown = "--figure --table --bins --by --rule --all --scores --by-class --by-group"
    others = options_of("evaluate") | options_of("compare")
    assert others - options_of("report") == {"--protocol", *shown.split()}
    assert options_of("report") - others == {"--output"}


@unrendered()
def test_a_class_of_ones_own_in_a_wrapper_and_delayed_labels(capsys, folder):
    shutil.copy(ROOT / "examples" / "nearest_mean.py", folder)
    words = ("--learner", "nearest_mean:NearestMean", "--wrapper", "temporally_augmented:2")
    words = ("mine.csv", "--target", "y", *words, "--delay", 9, "--every", 4)
    out = printed(capsys, "report", *words)
    assert out.splitlines()[1].startswith("nearest_mean:NearestMean:temporally_augmented:2 ")
    assert "every = 4" in (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        (["none.csv", "--learner", "knn"], ["none.csv"]),
        (["mine.csv", "mine.csv", "--learner", "knn"], ["mine.csv 2 times"]),
        (["mine.csv", "--target", "y", "--learner", "knn", "-o", "a.pdf"], [".html", "'a.pdf'"]),
        (["mine.csv", "--target", "y", "--learner", "knn", "-o", "no/a.html"], ["'no'"]),
        (["mine.csv", "--target", "y", "--learner", "knn", "--label-first"], ["--delay"]),
        (["mine.csv", "--target", "y", "--learner", "knn", "--seasonal", "3"], ["numeric", "'y'"]),
    ],
)
def test_an_error_is_one_line_and_leaves_no_file(capsys, folder, words, facts):
    err = refused(capsys, "report", *words)
    assert all(fact in err for fact in facts)
    assert [path.name for path in folder.iterdir()] == ["mine.csv"]
