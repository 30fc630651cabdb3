"""What notebooks show of results, comparisons and errors: texts of users stay texts."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.approved import blocks, unlike

import streameval as se
from streameval.base.errors import ConfigError, DataError
from streameval.cli import main

#: Titles, classes and columns that are markup, or look like it.
NAME, COLUMN, TARGET, OTHER = '<b>S</b> & "co"', "<i>x</i> & 'y'", "<u>t</u>", "&lt;z&gt;"
CLASSES = ("<s>no</s>", 'yes & "so"')
LEARNERS = ("<em>A</em> & 'a'", "<script>B</script>")


def frame(rows=400):
    random = np.random.default_rng(3)
    inputs = random.random((rows, 2))
    labels = np.array(CLASSES)[(inputs[:, 0] + 0.3 * random.random(rows) > 0.6).astype(int)]
    return pd.DataFrame({COLUMN: inputs[:, 0], OTHER: inputs[:, 1], TARGET: labels})


@pytest.fixture(scope="module")
def stream():
    return se.from_pandas(frame(), TARGET, name=NAME)


def _numbers():
    values = frame().assign(**{TARGET: np.arange(400.0)})
    return se.from_pandas(values, TARGET, name=NAME, numeric_target=True)


def _unlabelled():
    never = np.full(5, np.iinfo(np.int64).max)
    return replace(se.generate("sea", rows=5), time=np.arange(5), label_time=never)


TWO = dict(zip(LEARNERS, ("naive_bayes", "hoeffding_tree"), strict=True))
REGRESSORS = dict(zip(LEARNERS, ("fimt_dd", "orto"), strict=True))
MANY = {f"m{i}": "majority" for i in range(25)}
#: Results of each kind, by the names of the files that hold what notebooks show of them.
SHOWN = {
    "evaluate": lambda stream: se.evaluate(stream, TWO),
    "evaluate_delay": lambda stream: se.evaluate(stream, TWO, delay=10),
    "evaluate_folds": lambda stream: se.evaluate(stream, "naive_bayes", "cross_validation:4"),
    "evaluate_many": lambda stream: se.evaluate(stream.first(100), MANY),
    "evaluate_numbers": lambda _: se.evaluate(_numbers(), REGRESSORS),
    "evaluate_numbers_delay": lambda _: se.evaluate(_numbers(), REGRESSORS, delay=10),
    "evaluate_numbers_long": lambda _: se.evaluate(se.generate("planes", rows=5000), "amrules"),
    "evaluate_one_class": lambda stream: se.evaluate(stream.take(stream.y == 0), "majority"),
    "evaluate_scores": lambda stream: se.evaluate(stream, TWO, scores=True),
    "evaluate_unlabelled": lambda _: se.evaluate(_unlabelled(), "majority"),
    "compare": lambda stream: se.compare(stream, TWO, cores=1),
    "compare_bins": lambda stream: se.compare(
        stream, ["naive_bayes", "majority"], delay=10, bins=3, cores=1
    ),
    "compare_folds": lambda stream: se.compare(
        stream, ["naive_bayes", "majority"], "cross_validation:4", cores=1
    ),
    "compare_numbers": lambda _: se.compare(_numbers(), REGRESSORS, runs=2, cores=1),
    "compare_three": lambda stream: se.compare(
        stream, ["naive_bayes", "hoeffding_tree", "no_change"], cores=1
    ),
    "check": se.check,
    "detect": lambda stream: se.detect(stream, "naive_bayes", ["every:50"], runs=2),
    "budget": lambda stream: se.budget(stream, "naive_bayes", 0.1, "every", runs=1),
    "tune": lambda stream: se.tune(stream, "knn", {"k": [1, 5]}, 200),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_shows_the_approved_html(approved, stream, name):
    """Drawings are left out: `approved/view` has drawings of each kind."""
    html = SHOWN[name](stream)._repr_html_()
    assert "background:white" not in html  # the page may be dark
    assert "#fff" not in html
    plainly = re.sub("<svg.*?</svg>", "<svg/>", html)
    approved(f"notebooks/{name}.html", blocks(plainly).strip() + "\n")


def test_files_and_results_are_the_same():
    assert not unlike("notebooks", (f"{name}.html" for name in SHOWN))


def test_notebook_output_needs_no_extra_and_a_plot_says_which_it_needs():
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('matplotlib', 'jinja2', 'seaborn')))\n"
        "import streameval as se\n"
        "s, n = se.generate('sea', rows=200), se.generate('planes', rows=200)\n"
        "shown = [se.evaluate(s, 'majority'), se.evaluate(s, 'majority', delay=5)]\n"
        "shown += [se.compare(s, ['no_change', 'majority'], cores=1)]\n"
        "shown += [se.evaluate(n, 'target_mean')]\n"
        "print(sum('<table' in one._repr_html_() for one in shown))\n"
        "try: shown[0].plot()\n"
        "except se.StreamevalError as e: print(e)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    n_tables, error = done.stdout.splitlines()
    assert n_tables == "4"
    assert 'pip install "streameval[pipeline]"' in error


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
    evaluation = se.evaluate(se.from_arrays(np.arange(len(labels))[:, None], labels), "majority")
    assert -5e-5 < evaluation.measures("kappa").loc["majority", "kappa"] < 0
    html = evaluation._repr_html_()
    assert ("<td>0.0000<" in html, "−0.0000" in html, "-0.0000" in html) == (True, False, False)
    assert "-0.0" not in repr(evaluation)


def test_a_wide_table_of_text_is_broken_where_the_terminal_ends(monkeypatch):
    stream = se.generate("planes", rows=200)
    evaluation = se.evaluate(stream, ["target_mean"], seasonal=(3, 7))
    for columns in (80, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        _, *table = repr(evaluation).splitlines()
        assert max(map(len, table)) <= columns
        heads = " ".join(table).split()
        assert all(name in heads for name in evaluation.measures())


def test_the_command_prints_names_as_they_are(capsys, tmp_path):
    path = tmp_path / "mine.csv"
    frame().to_csv(path, index=False)
    words = ["evaluate", str(path), "--target", TARGET, "--learner", "naive_bayes"]
    words += ["--delay", "5", "--rule", "published"]
    assert main(words) == 0
    assert f"a missing prediction counts as class {CLASSES[0]}," in capsys.readouterr().out
    assert main(["evaluate", str(path), "--target", "<u>", "--learner", "naive_bayes"]) == 2
    said = capsys.readouterr().err
    assert all(name in said for name in (TARGET, COLUMN))


def test_an_error_in_a_notebook_is_its_message(stream):
    # IPython 9.18: `InteractiveShell.showtraceback` prints these lines instead of frames.
    with pytest.raises(DataError) as caught:
        raise DataError("Expected <b>one</b>, found none.") from ValueError("inside")
    assert caught.value._render_traceback_() == ["DataError: Expected <b>one</b>, found none."]
    (line,) = ConfigError("x" * 10**6)._render_traceback_()
    assert len(line) < 2000
    with pytest.raises(se.StreamevalError) as caught:
        se.evaluate(stream, "naive_bays")
    (line,) = caught.value._render_traceback_()
    assert line.startswith("ConfigError: ")
    assert "Did you mean 'naive_bayes'" in line
