"""What notebooks show of results, comparisons and errors: texts of users stay texts."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import streameval as se
from streameval.base.errors import ConfigError, DataError, DownloadError
from streameval.cli import main

#: Titles, classes and columns that are markup, or look like it.
NAME, COLUMN, TARGET, OTHER = '<b>S</b> & "co"', "<i>x</i> & 'y'", "<u>t</u>", "&lt;z&gt;"
CLASSES = ("<s>no</s>", 'yes & "so"')
LEARNERS = ("<em>A</em> & 'a'", "<script>B</script>")
TAGS = {"p", "div", "style", "table", "thead", "tbody", "tr", "th", "td"}
#: Those of drawings in cells.
TAGS |= {"svg", "rect", "path", "circle"}


class Reader(HTMLParser):
    """Collects the tags of a page, its attributes, its texts and the rows of its tables."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.texts, self.rows = set(), [], [], []
        self.is_style = False

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs
        self.is_style = tag == "style"
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.is_style:
            return
        self.texts.append(data)
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data

    def handle_endtag(self, tag):
        self.is_style = False
        if tag == "table":
            self.rows.append([])  # what follows is in no cell


def parsed(html):
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.tags <= TAGS
    assert not {name for name, _ in reader.attributes} & {"id", "onload", "onclick", "href"}
    assert "#fff" not in html
    assert "background:white" not in html
    return reader


def read(html):
    reader = parsed(html)
    return reader.tags, reader.texts


def rows_of(html):
    """Return the cells of the rows by their first cell; that of heads is empty."""
    return {row[0]: row[1:] for row in parsed(html).rows if row}


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


@pytest.mark.parametrize("options", [{}, {"delay": 10}])
@pytest.mark.parametrize("numeric", [False, True], ids=["classes", "numbers"])
def test_names_in_a_result_are_texts(stream, learners, numeric, options):
    if numeric:
        values = frame().assign(**{TARGET: np.arange(400.0)})
        stream = se.from_pandas(values, TARGET, name=NAME, numeric_target=True)
        learners = dict(zip(LEARNERS, ("fimt_dd", "orto"), strict=True))
    tags, texts = read(se.evaluate(stream, learners, **options)._repr_html_())
    assert tags <= TAGS
    assert {*LEARNERS} <= set(texts)
    assert NAME in texts[0]


def signed(*values, factor=1):
    """Return a number with its interval, if there is one, as people read it."""
    first, *ends = (f"{factor * one:+.2f}".replace("-", "−") for one in values)
    return first if np.isnan(values[1]) else f"{first} [{', '.join(ends)}]"


@pytest.mark.parametrize("numeric", [False, True], ids=["classes", "numbers"])
def test_a_result_shows_the_numbers_of_the_api(stream, numeric):
    names = ["accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined"]
    over, given = ["over No-Change", "over Majority"], ["naive_bayes", "hoeffding_tree"]
    if numeric:
        names = ["mean_absolute_error", "root_mean_squared_error", "r_squared"]
        over = ["over the previous target", "over the mean so far"]
        stream, given = se.generate("planes", rows=5000), ["amrules", "fimt_dd"]
    found = se.evaluate(stream, given)
    rows, spoken = rows_of(found._repr_html_()), [name.replace("_", " ") for name in names]
    assert rows[""] == [*spoken, *over, f"{spoken[0]} over time"]
    curve = found.curve(names[0], window=len(stream) // 10, points=40)
    skills = found.skills().set_index(["learner", "baseline"]) if numeric else None
    for learner, values in found.measures(*names).iterrows():
        cells = [f"{value:z.4f}".replace("-", "−") for value in values]
        assert rows[learner][: len(names)] == cells
        for text, base in zip(rows[learner][len(names) :], found.baselines, strict=False):
            if base == learner:
                assert text == ""
            elif numeric:
                assert text == signed(*skills.loc[(learner, base), ["skill", "low", "high"]])
            else:
                one = found.over_baselines()[learner][base]
                assert text == signed(one.difference, one.low, one.high, factor=100)
        ends = curve[learner].iloc[[0, -1]]
        assert learner != given[0] or "[" in rows[learner][len(names)]
        assert rows[learner][-1] == " → ".join(f"{value:.4f}" for value in ends)


@pytest.mark.parametrize("numeric", [False, True], ids=["classes", "numbers"])
def test_under_delays_a_result_shows_bins(stream, numeric):
    given = (se.generate("planes", rows=600), "amrules") if numeric else (stream, "naive_bayes")
    found = se.evaluate(*given, delay=10)
    html, measure = found._repr_html_(), "mean_absolute_error" if numeric else "accuracy"
    rows, bins = rows_of(html), found.bins(8).set_index(["learner", "bin"])[measure]
    assert rows[""][-1] == f"{measure.replace('_', ' ')} by bin"
    for learner in found.learners:
        assert rows[learner][0] == f"{bins[learner, 0]:.4f}"
        assert rows[learner][-1] == f"{bins[learner, 0]:.4f} → {bins[learner, 9]:.4f}"
    assert "predictions on arrival" in html


def test_where_there_is_no_interval_a_result_says_why(stream):
    folds = se.evaluate(stream, "naive_bayes", "cross_validation:3")
    html = folds._repr_html_()
    reason = folds.over_baselines()["naive_bayes"]["majority"].reason
    assert f"No interval: {reason}." in html
    rows = rows_of(html)
    assert "[" not in rows["naive_bayes"][6]
    assert len(rows["naive_bayes"]) == 7  # several models have no line over time


def test_a_result_says_where_labels_repeat_within_a_column():
    """Twenty machines in turn, each of which keeps its state 97 % of the time."""
    draws = np.random.default_rng(1)
    changes = np.cumsum(draws.random((300, 20)) < 0.03, axis=0)
    state = (changes + draws.integers(0, 2, 20)).ravel() % 2
    frame = pd.DataFrame({"machine": [f"m{i % 20}" for i in range(6000)], "state": state})
    found = se.evaluate(se.from_pandas(frame, "state"), "naive_bayes")
    before = frame.groupby("machine")["state"].shift()
    repeats = (before == frame["state"])[before.notna()].mean()
    sentence = f"Within 'machine' labels repeat {100 * repeats:.1f} % of the time, from row to "
    assert sentence in repr(found)
    assert sentence in " ".join(parsed(found._repr_html_()).texts)
    alone = se.evaluate(se.from_pandas(frame.sample(frac=1, random_state=1), "state"), "majority")
    assert "Within" not in repr(alone)


def test_undefined_values_have_their_reasons_as_tips():
    with pytest.warns(se.StreamWarning):
        stream = se.from_arrays([[1.0], [2.0], [3.0]], ["u", "u", "u"])
    found = se.evaluate(stream, "majority")
    reader = parsed(found._repr_html_())
    tips = {value for name, value in reader.attributes if name == "title"}
    assert "undefined" in reader.texts
    assert found.reasons("kappa").loc["majority", "kappa"] in tips


def test_without_any_label_all_is_undefined():
    never = np.full(5, np.iinfo(np.int64).max)
    stream = replace(se.generate("sea", rows=5), time=np.arange(5), label_time=never)
    rows = rows_of(se.evaluate(stream, "majority")._repr_html_())
    assert rows["majority"][0] == "undefined"


def test_many_learners_are_cut_but_not_the_baselines(stream):
    given = {f"m{i}": "majority" for i in range(25)}
    found = se.evaluate(stream.take(slice(100)), given)
    html = found._repr_html_()
    rows = rows_of(html)
    assert [*rows][1:] == [*(f"m{i}" for i in range(18)), "no_change", "majority"]
    assert "and 7 more learners" in html


def test_a_comparison_shows_its_verdicts_and_its_table(stream, learners):
    found = se.compare(stream, learners, cores=1)
    html = found._repr_html_()
    _, texts = read(html)
    assert texts[0] == f"{found.pairs[0].words}."
    assert all(name in texts[0] for name in LEARNERS)
    heads = ["accuracy", "over No-Change", "over Majority"]
    assert texts[1:4] == heads
    rows = rows_of(html)
    for learner in found.with_baselines:
        expected = [f"{100 * found.mean(learner)[0]:.2f} %"]
        for base in ("no_change", "majority"):
            over = found.over(learner, base)
            ends = "" if np.isnan(over.low) else f" [{100 * over.low:+.2f}, {100 * over.high:+.2f}]"
            shown = f"{100 * over.mean:+.2f}{ends}".replace("-", "−")
            expected.append("" if base == learner else shown)
        assert rows[learner] == expected
    assert any(NAME in text for text in texts)
    assert "in brackets 95 % intervals." in html


def test_a_comparison_over_folds_shows_their_spread(stream):
    found = se.compare(stream, ["naive_bayes", "majority"], "cross_validation:4", cores=1)
    rows = rows_of(found._repr_html_())
    mean, deviation = found.mean("naive_bayes")
    assert rows["naive_bayes"][:2] == [f"{100 * mean:.2f} %", f"{100 * deviation:.2f}"]


def test_a_comparison_of_three_says_that_intervals_are_for_all_pairs(stream):
    found = se.compare(stream, ["naive_bayes", "hoeffding_tree", "no_change"], cores=1)
    html = found._repr_html_()
    assert read(html)[1][:3] == [f"{pair.words}." for pair in found.pairs]
    assert "those of verdicts for all 3 pairs at once" in html


def test_a_comparison_by_bins_says_in_how_many(stream):
    found = se.compare(stream, ["naive_bayes", "majority"], delay=10, bins=3, cores=1)
    html = found._repr_html_()
    assert (
        "By bin of the time to the label, naive_bayes beats majority in 5 of 5" in read(html)[1][0]
    )
    assert "the same difference by bin" in html


def test_what_notebooks_show_needs_no_extra():
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('matplotlib', 'jinja2', 'seaborn')))\n"
        "import streameval as se\n"
        "s = se.generate('sea', rows=200)\n"
        "shown = [se.evaluate(s, 'majority'), se.evaluate(s, 'majority', delay=5)]\n"
        "shown.append(se.compare(s, ['no_change', 'majority'], cores=1))\n"
        "n = se.generate('planes', rows=200)\n"
        "shown.append(se.evaluate(n, 'target_mean'))\n"
        "print(sum('<table' in one._repr_html_() for one in shown))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "4\n"


def test_without_widgets_nothing_is_in_red():
    # tqdm takes a process with these modules for a notebook.
    code = (
        "import sys, types\n"
        "shell = types.SimpleNamespace(config={'IPKernelApp': {}})\n"
        "python = types.SimpleNamespace(get_ipython=lambda: shell)\n"
        "lacks = dict.fromkeys(('ipywidgets', 'IPython.html', 'IPython.html.widgets'))\n"
        "sys.modules.update({**lacks, 'IPython': python, 'ipykernel.zmqshell': python})\n"
        "import streameval as se, streameval.streams.raw.fetch as raw\n"
        "raw.fetch = lambda *given, **options: sys.exit(7)\n"
        "se.evaluate(se.generate('sea', rows=200), 'majority', progress=True)\n"
        "se.load('elec2')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (7, "")
    assert "0.00/400" in done.stdout


def test_no_number_is_minus_zero():
    # Majority predicts 1 twice, when it is 0: κ is a little below 0.
    labels = np.array([1, *[0] * 90_000, 1])
    found = se.evaluate(se.from_arrays(np.arange(len(labels))[:, None], labels), "majority")
    assert -5e-5 < found.measures("kappa").loc["majority", "kappa"] < 0
    assert rows_of(found._repr_html_())["majority"][1] == "0.0000"
    assert "-0.0" not in repr(found)


def test_a_wide_table_of_text_is_broken_where_the_terminal_ends(monkeypatch):
    stream = se.generate("planes", rows=200)
    found = se.evaluate(stream, ["target_mean"], seasonal=(3, 7))
    for columns in (80, 120, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        _, *table = repr(found).splitlines()
        assert max(map(len, table)) <= columns
        heads = " ".join(table).split()
        assert all(name in heads for name in found.measures())


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
