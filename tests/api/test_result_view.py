"""What results of both tasks tell in their views: tables, reasons, sentences, and JSON."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.rides import BOTH, OF_CLASSES, OF_NUMBERS, N, called, rides, rides_of, written

import streameval as se
from streameval.api.result_view import DisplayOptions
from streameval.base.values import duration_text
from streameval.view.mixin import as_json, view_of
from streameval.view.parts import Table
from streameval.view.text import text_lines

of_both = pytest.mark.parametrize("asked", BOTH, ids=called)
#: Measures of JSON, by the titles that people read.
TITLES = {
    "busy": {
        "Accuracy": "accuracy",
        "Cohen's kappa (κ)": "kappa",
        "Kappa-Temporal (κ_t)": "kappa_temporal",
        "Kappa-M (majority class) (κ_m)": "kappa_m",
        "Combined kappa (κ⁺)": "kappa_combined",
    },
    "cnt": {
        "Mean absolute error (MAE)": "mean_absolute_error",
        "Root mean squared error (RMSE)": "root_mean_squared_error",
        "Coefficient of determination (R²)": "r_squared",
        "Skill over the previous target": "skill_over_previous_target",
        "Skill over the mean so far": "skill_over_target_mean",
    },
}
#: The same by bin, on request the last ones; and what else JSON has of a bin.
HEADS = {
    "busy": {
        "accuracy": "accuracy",
        "κ_t(d)": "kappa_temporal_delayed",
        "κ_m(d)": "kappa_m_delayed",
        "κ": "kappa",
        "κ_t (MOA)": "kappa_temporal_moa",
        "κ_m (MOA)": "kappa_m_moa",
    },
    "cnt": {
        "MAE": "mean_absolute_error",
        "RMSE": "root_mean_squared_error",
        "R²": "r_squared",
        "S(previous)": "skill_over_previous_target",
        "S(mean)": "skill_over_target_mean",
    },
}
SKILLS = [*TITLES["cnt"].values()][3:]
MORE = {
    "busy": {"bin", "low", "high", "predictions", "calculated", "missing"},
    "cnt": {
        *("bin", "low", "high", "predictions", "calculated", "missing"),
        *(f"{name}_{end}" for name in SKILLS for end in ("low", "high")),
    },
}


def stream_of(asked):
    frame = rides()[["warm", "weather", asked.target]]
    return se.from_pandas(frame, asked.target, name="rides", **asked.reader_options)


def text_of(result, **display):
    """What people read."""
    return "\n".join(text_lines(view_of(result, DisplayOptions(**display))))


def tables_of(result, **display):
    """The heads and the cells of each table that people read."""
    parts = view_of(result, DisplayOptions(**display)).parts_for("text")
    return [part.cells for part in parts if isinstance(part, Table)]


def table_of(result, **display):
    return tables_of(result, **display)[0]


def number(cell):
    return float(cell.replace("−", "-"))


@of_both
def test_json_has_measures_and_costs_of_all_learners(asked):
    page = as_json(view_of(se.evaluate(stream_of(asked), asked.learners)))
    unscored = [] if asked is OF_CLASSES else ["before_first_label"]
    assert [*page] == ["n", "target", "summary", *unscored, "learners", "sentences"]
    assert (page["n"], page["target"]) == (N, asked.target)
    assert [*page["learners"]] == [*asked.learners, *asked.baselines]
    for name, row in page["learners"].items():
        names = TITLES[asked.target].values()
        assert [*row] == [*names, "seconds", "model_bytes", "not_predicted", "over", "skills"]
        assert [*row["over"]] == [base for base in asked.baselines if base != name]
        assert [*row["skills"]] == [*asked.baselines]
        assert row["seconds"] > 0
        assert row["model_bytes"] > 0


def test_kappas_are_the_skills_of_classes():
    rows = as_json(view_of(se.evaluate(stream_of(OF_CLASSES), OF_CLASSES.learners)))["learners"]
    for row in rows.values():
        for measure, base in (("kappa_temporal", "no_change"), ("kappa_m", "majority")):
            skill = row["skills"][base]
            assert skill["skill"] == pytest.approx(row[measure], abs=1e-12)
            assert skill["reason"] or skill["low"] < skill["skill"] < skill["high"]


def test_json_says_why_a_skill_has_no_interval():
    rows = as_json(view_of(se.evaluate(stream_of(OF_NUMBERS), "fimt_dd")))["learners"]
    for name, row in rows.items():
        for base, skill in row["skills"].items():
            assert skill["skill"] == row[f"skill_over_{base}"]
            # Errors of the tree fall so long that few are independent.
            if name in ("fimt_dd", base):
                assert (skill["low"], bool(skill["reason"])) == (None, True)
            else:
                assert skill["low"] < skill["skill"] < skill["high"]


@of_both
def test_json_of_delayed_labels_has_bins(asked):
    page = as_json(view_of(se.evaluate(stream_of(asked), asked.learners[0], delay=30)))
    late = ["every", "labels", "pending", "delay", "before_first_label"]
    assert [*page] == ["n", "target", "summary", *late, "learners", "sentences"]
    for row in page["learners"].values():
        assert [*row] == ["bins", "seconds", "model_bytes", "over", "skills"]
        assert [entry["bin"] for entry in row["bins"]] == [*range(52)]
        keys = {*HEADS[asked.target].values(), *MORE[asked.target]}
        assert all({*entry} == keys for entry in row["bins"])


def test_sentences_say_why_an_error_cannot_be_told(tmp_path):
    """The errors of the tree fall all the time."""
    frame = rides()[["hour", "warm", "weather", "cnt", "known"]]
    read = se.read(written(frame, tmp_path / "rides.csv"), "cnt", numeric_target=True)
    result = se.evaluate(read, "fimt_dd")
    first, *others = result.sentences()
    assert len(others) == 1
    assert first.startswith("fimt_dd cannot be told from the previous target (its mean ")
    assert "error is lower by 30.26; no interval, as" in first
    assert "the effective sample size of" in first


@of_both
def test_the_wait_for_labels_is_said_in_time_and_in_instances(tmp_path, asked):
    frame = rides_of(asked)
    path, times = written(frame, tmp_path / "rides.csv"), {"time": "hour", "label_time": "known"}
    read = se.read(path, asked.target, **times, **asked.reader_options)
    first = text_of(se.evaluate(read, asked.learners[0])).split("\n\n")[1]
    waits = [
        (frame["hour"] <= (pd.Timestamp.max if row.known is pd.NaT else row.known)).sum()
        - (frame["hour"] <= row.hour).sum()
        for row in frame.itertuples()
    ]
    seconds = (frame["known"] - frame["hour"]).dropna().dt.total_seconds().median()
    for fact in ("400 ", "median", duration_text(seconds), f"{np.median(waits):.0f} instances"):
        assert fact in first.splitlines()[0]
    assert "\n15 labels have not arrived;" in first
    assert "they are not scored." in first


@pytest.mark.filterwarnings("ignore::streameval.StreamWarning")
def test_measures_of_one_class_are_undefined():
    result = se.evaluate(se.from_arrays([[1.0], [2.0], [3.0]], ["u"] * 3), "majority")
    heads, *rows = table_of(result)
    at = heads.index("Cohen's kappa (κ)")
    assert [row[at] for row in rows] == ["undefined"] * 2
    assert "\nCohen's kappa (κ) is undefined: " in text_of(result)
    row = as_json(view_of(result))["learners"]["majority"]
    assert [row[key] for key in ("accuracy", "kappa", "kappa_combined")] == [1, None, None]


@pytest.mark.filterwarnings("ignore::streameval.StreamWarning")
def test_constant_targets_and_a_single_row_have_no_r_squared():
    single = se.from_arrays([[1.0, 2.0]], [7.5], numeric_target=True)
    for delay in (None, 0):  # nothing has been learnt before it
        with pytest.raises(se.StreamevalError, match="nothing to score"):
            se.evaluate(single, "amrules", delay=delay)
    constant = se.from_arrays(np.arange(50.0)[:, None], [3.0] * 50, numeric_target=True)
    text = text_of(se.evaluate(constant, "amrules"))
    # R² and both skills of three, as nobody errs, and a line each that says why.
    assert text.count("undefined") == 3 + 3 + 3 + 3
    undefined = "is undefined: all targets are equal, or too large to be squared.\n"
    assert f"\nCoefficient of determination (R²) {undefined}" in text
    assert f"\nR² {undefined}" in text_of(se.evaluate(constant, "amrules", delay=3), bins=1)


@pytest.mark.parametrize("value", [1e-9, 1e9])
def test_errors_of_any_magnitude_are_shown(value):
    y = value * (np.arange(50) % 2)
    stream = se.from_arrays(np.arange(50.0)[:, None], y, numeric_target=True)
    heads, _, mean = table_of(se.evaluate(stream, ["previous_target", "target_mean"]))
    so_far = np.append(0, np.cumsum(y)[:-1] / np.arange(1, 50))
    error = number(mean[heads.index("Mean absolute error (MAE)")])
    assert error == pytest.approx(np.abs(y - so_far)[1:].mean(), rel=1e-3)
