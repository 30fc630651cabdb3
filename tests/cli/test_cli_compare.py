"""The subcommand ``compare``."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from helpers.commands import printed, refused

BOTH = ("--learner", "naive_bayes", "--learner", "majority")
#: A comma, a quote and line breaks in values and names, as spreadsheets write them.
COLOURS = ('"light, red"', '"so-called\r\n""blue"""')
LABELS = ("no", '"yes\nindeed"')
CSV = '"the\nsize",colour,label\r\n' + "".join(
    f"{i % 7},{COLOURS[i % 3 == 0]},{LABELS[i % 7 > 3]}\r\n" for i in range(400)
)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_bytes(CSV.encode())
    return path


def test_names_with_line_breaks_break_no_line(capsys, table):
    out = printed(capsys, "compare", table, "--target", "label", *BOTH)
    target, _, sentences = out.partition("\n\n")
    assert target.startswith("The target of mine is 'label', with 2 classes: no, ")
    assert sentences.startswith("naive_bayes beats majority by ")
    assert max(map(len, out.splitlines())) <= 100
    assert all(line == line.rstrip() for line in out.splitlines())


def test_the_figure_is_drawn(capsys, table, tmp_path):
    path = tmp_path / "difference.pdf"
    printed(capsys, "compare", table, "--target", "label", *BOTH, "--figure", path)
    assert path.stat().st_size > 5000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (BOTH[:2], "Expected two or more learners to compare, found 1."),
        ((*BOTH, "--protocol", "delayed:3"), "--delay for delayed labels"),
        ((*BOTH, "--figure", "a.jpeg"), "--figure: expected a file that ends in .svg, .pdf, .png"),
        ((*BOTH, "--figure", "no/such/a.svg"), "--figure: there is no folder 'no/such'"),
    ],
)
def test_mistakes_are_one_line(capsys, table, words, said):
    assert said in refused(capsys, "compare", table, "--target", "label", *words)


@pytest.mark.parametrize("words", [("compare", "--figure", "a.svg"), ("report", "-o", "a.html")])
def test_a_folder_that_cannot_be_written_to_is_named_before_anything_is_read(
    capsys, monkeypatch, words
):
    def refuse(**_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    command, *output = words
    err = refused(capsys, command, "missing.csv", "--target", "label", *BOTH, *output)
    assert err == f"streameval: {Path.cwd()}: Read-only file system.\n"
