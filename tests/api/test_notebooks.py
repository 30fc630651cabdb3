"""What notebooks show of streams, results, comparisons and errors: texts of users stay texts."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import streameval as se
from streameval.cli import main
from streameval.errors import ConfigError, DataError, DownloadError

#: Titles, classes and columns that are markup, or look like it.
NAME, COLUMN, TARGET, OTHER = '<b>S</b> & "co"', "<i>x</i> & 'y'", "<u>t</u>", "&lt;z&gt;"
CLASSES = ("<s>no</s>", 'yes & "so"')
LEARNERS = ("<em>A</em> & 'a'", "<script>B</script>")
TAGS = {"p", "div", "style", "table", "thead", "tbody", "tr", "th", "td"}


class Reader(HTMLParser):
    """Collects the tags of a page and its texts."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.texts = set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.texts.append(data)


def read(html):
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader.tags, reader.texts


def frame(rows=400):
    random = np.random.default_rng(3)
    inputs = random.random((rows, 2))
    labels = np.array(CLASSES)[(inputs[:, 0] + 0.3 * random.random(rows) > 0.6).astype(int)]
    return pd.DataFrame({COLUMN: inputs[:, 0], OTHER: inputs[:, 1], TARGET: labels})


@pytest.fixture(scope="module")
def stream():
    return se.from_pandas(frame(), TARGET, name=NAME)


@pytest.fixture(scope="module")
def learners():
    return dict(zip(LEARNERS, ("naive_bayes", "hoeffding_tree"), strict=True))


def test_names_in_a_stream_are_texts(stream):
    tags, texts = read(stream._repr_html_())
    assert tags <= TAGS
    assert {COLUMN, OTHER, TARGET, CLASSES[0]} <= set(texts)
    assert NAME in texts[0]


@pytest.mark.parametrize("options", [{}, {"delay": 10}])
def test_names_in_a_result_are_texts(stream, learners, options):
    tags, texts = read(se.evaluate(stream, learners, **options)._repr_html_())
    assert tags <= TAGS
    assert {*LEARNERS} <= set(texts)
    assert NAME in texts[0]


def test_names_in_a_result_of_numbers_are_texts():
    numbers = frame().assign(**{TARGET: np.arange(400.0)})
    given = se.from_pandas(numbers, TARGET, name=NAME, numeric_target=True)
    tags, texts = read(se.evaluate_regressors(given, {LEARNERS[0]: "fimt_dd"})._repr_html_())
    assert tags <= TAGS
    assert LEARNERS[0] in texts
    assert NAME in texts[0]


def test_a_comparison_shows_its_verdicts_and_its_table(stream, learners):
    found = se.compare(stream, learners, cores=1)
    tags, texts = read(found._repr_html_())
    assert tags == {"p", "table", "tr", "th", "td"}
    assert texts[0] == f"{found.pairs[0].words}."
    assert all(name in texts[0] for name in LEARNERS)
    heads = ["accuracy", "over No-Change", "over Majority"]
    assert texts[1:4] == heads
    over = found.over(LEARNERS[1], "no_change")
    row = texts[texts.index(LEARNERS[1], 5) :]
    assert row[1] == f"{100 * found.accuracy(LEARNERS[1])[0]:.2f} %"
    assert row[2] == f"{100 * over.mean:+.2f} [{100 * over.low:+.2f}, {100 * over.high:+.2f}]"
    assert NAME in texts[-1]
    assert "in brackets 95 % intervals." in texts[-1]


def test_a_comparison_of_three_says_that_intervals_are_for_all_pairs(stream):
    found = se.compare(stream, ["naive_bayes", "hoeffding_tree", "no_change"], cores=1)
    _, texts = read(found._repr_html_())
    assert texts[:3] == [f"{pair.words}." for pair in found.pairs]
    assert "those of verdicts for all 3 pairs at once" in texts[-1]


def test_the_command_prints_names_as_they_are(capsys, tmp_path):
    path = tmp_path / "mine.csv"
    frame().to_csv(path, index=False)
    words = ["evaluate", str(path), "--target", TARGET, "--learner", "naive_bayes"]
    words += ["--delay", "5", "--rule", "published"]
    assert main(words) == 0
    assert f"a missing prediction counts as class {CLASSES[0]}." in capsys.readouterr().out
    assert main(["evaluate", str(path), "--target", "<u>", "--learner", "naive_bayes"]) == 2
    said = capsys.readouterr().err
    assert all(name in said for name in (TARGET, COLUMN))
    assert main(["check", str(path), "--target", TARGET, "--json", "--drop", COLUMN]) == 0
    assert json.loads(capsys.readouterr().out)["n"] == 400


@pytest.mark.parametrize("kind", [se.StreamevalError, ConfigError, DataError, DownloadError])
def test_an_error_in_a_notebook_is_its_message(kind):
    # IPython 9.18: `InteractiveShell.showtraceback` prints these lines instead of frames.
    with pytest.raises(kind) as caught:
        raise kind("Expected <b>one</b>, found none.") from ValueError("inside")
    said = caught.value._render_traceback_()
    assert said == [f"{kind.__name__}: Expected <b>one</b>, found none."]


def test_an_error_of_any_length_is_bounded_in_a_notebook():
    (line,) = ConfigError("x" * 10**6)._render_traceback_()
    assert len(line) < 2000


def test_errors_of_calls_are_shown_so(stream):
    with pytest.raises(se.StreamevalError) as caught:
        se.evaluate(stream, "naive_bays")
    (line,) = caught.value._render_traceback_()
    assert line.startswith("ConfigError: ")
    assert "Did you mean 'naive_bayes'" in line
