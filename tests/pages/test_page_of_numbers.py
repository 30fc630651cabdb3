"""The page about regressors: the target, seasonal baselines, and how many digits numbers have."""

from __future__ import annotations

import re

import numpy as np
import pytest
from helpers.own_pages import plain, unrendered, words

import streameval as se
from streameval.evaluation.target_quantiles import QUANTILES
from streameval.pages.in_short import in_short
from streameval.pages.label_section import label_autocorrelations
from streameval.pages.own_data import build_page
from streameval.pages.report import collect_findings

PERIOD, ROWS = 12, 2400


@pytest.fixture(scope="module")
def seasons():
    """A stream whose target is that of a season before, with a little noise."""
    rng = np.random.default_rng(4)
    wave = 50.0 + 30.0 * np.sin(2 * np.pi * np.arange(ROWS) / PERIOD)
    target = wave + rng.normal(size=ROWS)
    return se.from_arrays(rng.random((ROWS, 2)), target, name="waves", numeric_target=True)


@pytest.fixture(scope="module")
def content(seasons):
    return collect_findings(se.evaluate(seasons, "fimt_dd", seasonal=PERIOD).request)


@pytest.fixture(scope="module")
def text(content):
    return build_page([content]).html()


def test_the_target_is_described_as_it_is(seasons, text):
    y = seasons.y
    least, low, median, high, most = (f"{np.quantile(y, q):,.4g}" for q in QUANTILES.values())
    sentence = f"from {low} to {high}, and 90\N{NO-BREAK SPACE}% from {least} to {most}."
    assert f"The median of target is {median}. Half of the targets lie {sentence}" in text


def test_its_autocorrelation_has_peaks_at_seasons_and_reaches_beyond_the_longest(seasons, content):
    frame, centred = label_autocorrelations(content, seasons), seasons.y - seasons.y.mean()
    assert frame["lag"].tolist() == [*range(1, 101 + PERIOD)]
    for lag in (1, PERIOD // 2, PERIOD, 100):
        expected = (centred[lag:] * centred[:-lag]).sum() / (centred**2).sum()
        assert frame["autocorrelation"][lag - 1] == pytest.approx(expected, abs=1e-9)
    assert frame["autocorrelation"][: PERIOD + 1].idxmax() == PERIOD - 1


def test_persistence_is_the_skill_of_the_result(seasons, text):
    result = se.evaluate(seasons, "fimt_dd", seasonal=PERIOD)
    skills = result.skills().set_index(["learner", "baseline"])
    season = f"seasonal:{PERIOD}"
    text = plain(text)
    for name in ("previous_target", season):
        skill, low, high, _ = skills.loc[name, "target_mean"]
        cell = f'{skill:+.2f} <span class="interval">[{low:+.2f}, {high:+.2f}]</span>'
        assert f"<span>{cell}</span>" in text
    assert f"the target {PERIOD} instances before predict better than the mean so far" in text


def test_a_seasonal_baseline_is_one_of_the_baselines(seasons, content, text):
    compared = se.compare(seasons, ["fimt_dd", "target_mean"], seasonal=PERIOD)
    season = f"seasonal:{PERIOD}"
    assert [*content.baseline_differences["fimt_dd"]] == ["previous_target", "target_mean", season]
    on_page = content.baseline_differences["fimt_dd"][season]
    other = compared.difference("fimt_dd", season)
    assert (on_page.mean, on_page.low, on_page.high) == (other.mean, other.low, other.high)
    sentences = [
        sentence
        for sentence in in_short(content)
        if f"target {PERIOD} instances before" in sentence.text
    ]
    assert [sentence.tone for sentence in sentences] == ["bad"]
    said = f"loses to repeating the target {PERIOD} instances before: its mean absolute error is"
    assert f"{said} higher by " in sentences[0].text
    assert "the mean so far and the target 12 instances before." in text


def test_where_the_mean_is_better_the_page_says_so(tmp_path):
    rng = np.random.default_rng(1)
    noise = se.from_arrays(rng.random((900, 1)), rng.normal(size=900), numeric_target=True)
    elements = words(se.evaluate(noise, "fimt_dd"), tmp_path)
    assert elements.has(
        "The mean so far predicts better than the previous target. Judge learners by whether they "
        "beat the mean."
    )


@pytest.mark.parametrize(("unit", "digits"), [(1e-6, 9), (1.0, 3), (1e4, 0)])
def test_errors_have_four_digits_in_any_unit(unit, digits):
    mine = se.generate("planes", rows=600)
    scaled = se.from_arrays(mine.X, unit * mine.y, numeric_target=True)
    content = collect_findings(se.evaluate(scaled, "target_mean").request)
    assert 1 <= 10**digits * content.estimates["target_mean"].mean / 1e3 < 1e2
    (first, *_) = in_short(content)
    assert re.fullmatch(
        r"target_mean beats repeating the previous target: its mean absolute error is lower by "
        r"[\d,.]+ \[[\d,.]+, [\d,.]+\]\.",
        first.text,
    )
    (number,) = re.findall(r"lower by ([\d,.]+)", first.text)
    assert len(number.partition(".")[2]) == digits


def test_why_there_are_no_signals_of_drift_is_said(content, text):
    assert not content.signals
    assert "ADWIN limits false alarms only for values with known bounds" in text


def test_intervals_have_a_section_if_they_are_asked_for(seasons, text):
    assert "Prediction intervals" not in text
    result = se.evaluate(seasons, "fimt_dd", intervals=0.8)
    content = collect_findings(result.request, result=result)
    with unrendered():
        text = build_page([content]).html()
    text = text[text.index(">Prediction intervals</h2>") :]
    assert "nominal coverage 0.8" in text
    table = result.intervals()
    for name in ("fimt_dd", "previous_target"):
        row = table.loc[name]
        assert f"{row['interval_coverage']:.4f}" in text
        assert f"{row['interval_skill_over_target_mean']:.4f}".replace("-", "−") in text
        assert f"{row['mean_interval_width']:.4f}" in text
