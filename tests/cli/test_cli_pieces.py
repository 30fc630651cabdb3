"""``evaluate`` over streams in pieces: the same answers, in constant memory, or a clear message."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from helpers.commands import refused, run

from streameval.base import memory
from streameval.learners.adapters.moa import write_arff
from streameval.streams.readers.any_file import read_any

LEARNERS = ("--learner", "hoeffding_tree", "--learner", "naive_bayes")
STREAMS = {
    "csv": ("a.csv", "--target", "y"),
    "arff": ("a.arff",),
    "parquet": ("a.parquet", "--target", "y", "--rows", 4321),
    "generator": ("random_tree", "--rows", 6000),
    "generated stream": ("sea_50", "--rows", 5000),
    "delayed": ("a.csv", "--target", "y", "--protocol", "delayed:70"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with files of each kind, with missing values and a class that comes late."""
    folder = tmp_path_factory.mktemp("made")
    rows = [
        f"{(i * i) % 23 if i % 9 else '?'},{'abc'[i % 3] if i % 7 else ''},{'nyy'[(i // 5) % 3]}"
        for i in range(6000)
    ]
    rows[4000:4002] = ["1,a,late", "1,b,late"]
    (folder / "a.csv").write_text("\n".join(["x,name,y", *rows]) + "\n", encoding="utf-8")
    write_arff(read_any(folder / "a.csv", "y"), folder / "a.arff")
    pd.read_csv(folder / "a.csv", na_values="?").to_parquet(folder / "a.parquet")
    return folder


@pytest.fixture
def files(made, tmp_path, monkeypatch):
    """Work in a copy of the folder."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def timeless(out):
    return [line for line in out.splitlines() if not line.startswith("instances per second")]


def without_seconds(found):
    """Return an answer without times, and with as many digits as intervals in pieces have."""
    if isinstance(found, dict):
        return {key: without_seconds(part) for key, part in found.items() if key != "seconds"}
    return round(found, 12) if isinstance(found, float) else found


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("words", STREAMS.values(), ids=STREAMS)
def test_output_in_pieces_is_that_in_one_go(capsys, words):
    words = ("evaluate", *words, *LEARNERS)
    for more in ([], LEARNERS[2:], ["--json"]):
        code, whole, err = run(capsys, *words, *more, "--table", "whole.csv")
        assert (code, err) == (0, "")
        for size in (799, 10**6):
            code, pieces, err = run(
                capsys, *words, *more, "--table", "pieces.csv", "--chunk-rows", size
            )
            assert (code, err) == (0, "")
            assert Path("pieces.csv").read_bytes() == Path("whole.csv").read_bytes()
            if "--json" in more:
                in_one_go = without_seconds(json.loads(whole))
                for one in in_one_go["learners"].values():
                    del one["skills"]  # their intervals need all predictions at once
                assert without_seconds(json.loads(pieces)) == in_one_go
            else:
                assert timeless(pieces) == timeless(whole)
    table = pd.read_csv("pieces.csv")
    assert [*table] == ["row", "true", "hoeffding_tree", "naive_bayes", "no_change", "majority"]
    assert table["row"].tolist() == [*range(table["row"][0], table["row"].iloc[-1] + 1)]


def test_pieces_are_chosen_where_the_inputs_take_half_of_the_memory(capsys, files, monkeypatch):
    monkeypatch.setattr(memory, "_SMALL", 2**16)
    words = {
        "a.csv": ("evaluate", "a.csv", "--target", "y", "--learner", "naive_bayes"),
        "random_rbf": ("evaluate", "random_rbf", "--rows", "2000", "--learner", "naive_bayes"),
        "rbf_0_0": ("evaluate", "rbf_0_0", "--rows", "2000", "--learner", "naive_bayes"),
    }
    expected = {name: run(capsys, *one) for name, one in words.items()}
    monkeypatch.setattr("streameval.base.memory.free_bytes", lambda: 2**17)
    monkeypatch.setattr("streameval.cli.in_pieces.free_bytes", lambda: 2**17)
    for name, one in words.items():
        code, out, err = run(capsys, *one)
        assert (code, timeless(out)) == (0, timeless(expected[name][1]))
        assert re.search(f"{re.escape(name)} would take .* in pieces", err)
        assert expected[name][2] == ""


@pytest.mark.usefixtures("files")
def test_what_cannot_come_in_pieces_may_fit_into_the_memory(capsys, monkeypatch):
    words = ("evaluate", "a.csv", "--target", "y", "--learner", "no_change", "--delay", 3)
    expected = run(capsys, *words)
    monkeypatch.setattr("streameval.cli.in_pieces.is_large", lambda size: size > 2**16)
    for free, code in ((2**19, 0), (2**15, 2)):
        monkeypatch.setattr("streameval.cli.in_pieces.free_bytes", lambda free=free: free)
        found = run(capsys, *words)
        assert found[0] == code
        if code:
            assert "a.csv in pieces: expected" in found[2]
            assert "--delay" in found[2]
        else:
            assert found == expected


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("a.csv", "--target", "y", "--delay", 5), "found --delay: .*times and predictions"),
        (("a.csv", "--target", "y", "--rule", "paper"), "found --rule: .*--rows"),
        (
            ("a.csv", "--target", "y", "--time", "x", "--label-time", "x"),
            "found --time, --label-time",
        ),
        (("a.csv", "--target", "y", "--all"), "found --all"),
        (("a.csv", "--target", "y", "--protocol", "cross_validation:5"), "divides all instances"),
        (("a.csv", "--target", "y", "--protocol", "reevaluation"), "order of their times"),
        (
            ("a.csv", "--target", "y", "--wrapper", "temporally_augmented"),
            "looks at the whole stream first",
        ),
        (("a.csv", "--target", "x", "--learner", "fimt_dd"), "found fimt_dd, .*predict numbers"),
        (("a.csv",), "expected the name of the column to predict"),
        (("a.csv", "--target", "z"), "no column 'z'"),
        (("no.csv", "--target", "z"), "no.csv"),
        (("rbf_0_0:shuffled:1", "--rows", 9), "the permutation shuffled:1 of rbf_0_0, .*at once"),
        (("agrawal_delayed", "--rows", 9), "agrawal_delayed.*found delayed labels"),
        (("random_rbf",), "random_rbf: expected the number of instances .*--rows"),
        (("random_rbf", "--rows", 9, "--target", "y"), "--target applies to files only"),
        (("markov", "--rows", 9), "parameter priors, persistence, attributes is missing"),
        (("random_rfb", "--rows", 9), "no stream 'random_rfb'"),
        (("sea_50", "--chunk-rows", 0), "--chunk-rows: expected at least 1, found 0"),
        (("sea_50", "--rows", 0), "--rows: expected at least 1, found 0"),
    ],
)
def test_what_needs_the_whole_stream_is_one_message(capsys, words, message):
    learner = () if "--learner" in words else ("--learner", "naive_bayes")
    asked = () if "--chunk-rows" in words else ("--chunk-rows", 100)
    before = {*Path().iterdir()}
    assert re.search(message, refused(capsys, "evaluate", *words, *learner, *asked))
    assert {*Path().iterdir()} == before


@pytest.mark.usefixtures("files")
def test_the_figure_is_that_in_one_go(capsys):
    words = ("evaluate", "a.csv", "--target", "y", *LEARNERS, "--figure")
    assert run(capsys, *words, "whole.png")[0] == 0
    assert run(capsys, *words, "pieces.png", "--chunk-rows", 700)[0] == 0
    assert Path("pieces.png").read_bytes() == Path("whole.png").read_bytes()


@pytest.mark.usefixtures("files")
def test_a_terminal_sees_how_far_it_is(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    words = ("evaluate", "a.csv", "--target", "y", "--learner", "no_change", "--chunk-rows", 500)
    code, out, err = run(capsys, *words)
    assert (code, "reading" in out) == (0, False)
    assert re.search(r"reading: [\d.]+k? rows", err)
    assert "/12.0k" in err


def peak(rows):
    """Return the largest memory in MB of a run over so many instances."""
    words = ["evaluate", "random_rbf", "--rows", str(rows), "--learner", "naive_bayes"]
    program = (
        "import resource; from streameval.cli import main; "
        f"main({[*words, '--chunk-rows', '50000']}); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    return int(done.stdout.split()[-1]) / (1024 if sys.platform != "darwin" else 1024**2)


def test_memory_does_not_grow_with_the_stream():
    # The inputs alone would take 120 MB.
    assert peak(1_500_000) < peak(100_000) + 60
