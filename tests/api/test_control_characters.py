"""Names with control characters do not reach a terminal or a notebook as they are."""

from __future__ import annotations

import re

from helpers.commands import run

import streameval as se


def test_control_characters_of_names_are_visible_everywhere(tmp_path, capsys):
    ours, evil = "ok", "\x1b[31mn\u202eo"
    rows = "".join(f"{i % 7},m{i % 2}\x9b,{(ours, evil)[i % 2]}\n" for i in range(60))
    (tmp_path / "a.csv").write_text(f"x,m,y\n{rows}", encoding="utf-8")
    words = ["evaluate", tmp_path / "a.csv", "--target", "y", "--learner", "naive_bayes"]
    _, out, err = run(capsys, *words, "--by-class", "--group", "m", "--by-group", "--name", "n\x07")
    stream = se.read(tmp_path / "a.csv", "y", drop=["m"])
    result = se.evaluate(stream, {"n\x07": "naive_bayes"})
    for text in (out, err, str(result), result._repr_html_()):
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text)
    assert r"\x1b[31mn\u202eo" in out
    assert r"n\x07" in out
    assert r"m0\x9b" in out
    assert r"n\x07" in result._repr_html_()
