"""Dates of instances on axes, in predictions and in alarms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.own_pages import unrendered
from matplotlib.dates import num2date

import streameval as se
from streameval.drawing.canvas import NARROW, WIDE
from streameval.drawing.label_panels import draw_classes_over_time
from streameval.drawing.learner_panels import draw_over_time
from streameval.items.dependence.class_distribution import prior_over_time
from streameval.pages.findings import Findings
from streameval.pages.own_data import build_page

pytestmark = pytest.mark.filterwarnings("ignore::streameval.StreamWarning")
ZONE = "Europe/Berlin"
N = 600


@pytest.fixture(scope="module")
def frame():
    """A log with a change in its last third; labels come two days later, a few never."""
    rng = np.random.default_rng(3)
    hours = np.sort(rng.integers(0, 24 * 60, N))  # some instances arrive at one time
    date = pd.Timestamp("2025-03-01", tz=ZONE) + pd.to_timedelta(hours, unit="h")
    x = rng.normal(size=N).round(2)
    y = (x > 0) ^ (np.arange(N) >= 400)
    known = pd.Series(date + pd.Timedelta(days=2))
    known[[3, 500]] = pd.NaT
    names = np.array(["bad", "good"])
    right = names[(x > 0).astype(int)]
    return pd.DataFrame({"t": date, "x": x, "y": names[y.astype(int)], "known": known, "p": right})


@pytest.fixture(scope="module", params=["delayed", "at once", "delay of instances"])
def stream(request, frame):
    if request.param == "delayed":
        return se.from_pandas(frame, "y", time="t", label_time="known"), {}
    stream = se.from_pandas(frame.drop(columns="known"), "y", time="t")
    return stream, {"delay": 50} if request.param == "delay of instances" else {}


@pytest.fixture(scope="module")
def result(stream):
    data, delay = stream
    return se.evaluate(data, ["naive_bayes", "column:p"], **delay)


def test_predictions_have_the_dates_of_their_rows(result, frame):
    predictions = result.predictions
    assert str(predictions["time"].dt.tz) == ZONE
    assert (predictions["time"].to_numpy() == frame["t"].to_numpy()[predictions["row"]]).all()
    first = predictions[["time"]].head(1).to_csv(index=False)
    assert str(predictions["time"].iloc[0]) in first
    assert first.strip().endswith(("+01:00", "+02:00"))


def test_curves_end_at_the_dates_of_their_last_instances(result, frame):
    rows = result.table.row
    curve = result.curve("accuracy", window=50, points=10**6)
    assert curve.index.equals(pd.DatetimeIndex(frame["t"].iloc[rows[49:]], name="time"))
    losses = result.table.losses("column:p")
    assert curve["column:p"].iloc[-1] == pytest.approx(1 - losses[-50:].mean())


@pytest.mark.parametrize("stream", ["delayed", "delay of instances"], indirect=True, scope="module")
def test_axes_have_dates_in_the_zone_of_the_stream(stream, result, frame):
    data, delay = stream
    compared = se.compare(data, ["naive_bayes", "column:p"], **delay)
    findings = Findings(result, compared)
    pages = [
        draw_over_time(
            *(
                findings.curves,
                findings.signals,
                findings.baseline_leads,
                findings.titles(),
                findings.task,
            ),
            *(findings.window, findings.timeline.begin, WIDE),
        ),
        draw_classes_over_time(
            prior_over_time(findings.stream.with_labels().y, ("bad", "good"), 50, 9),
            *(findings.labelled_timeline, 50, NARROW),
        ),
    ]
    all_axes = [result.plot(window=50)[-1], compared.plot(), *(page.axes[-1] for page in pages)]
    for axes in all_axes:
        first, last = (num2date(end, tz=ZONE) for end in axes.get_xlim())
        assert first == frame["t"].iloc[0].to_pydatetime()
        assert abs(last - frame["t"].iloc[-1].to_pydatetime()) < pd.Timedelta(days=1)
        assert axes.get_xlabel() == f"time ({ZONE})"
        axes.figure.draw_without_rendering()
        labels = {label.get_text() for label in axes.get_xticklabels()}
        assert labels <= {"Mar", "Apr", *(f"{day:02}" for day in range(1, 32))}
    signals = all_axes[2].figure.axes[1].lines[0].get_xdata()
    assert [num2date(at, tz=ZONE) for at in signals] == [
        date.to_pydatetime() for date in result.signals("naive_bayes").index
    ]
    with unrendered():
        assert "instances, 2025-03-01" in build_page([findings]).about


@pytest.mark.parametrize("learner", ["naive_bayes", "column:p"])
def test_alarms_stand_at_the_dates_of_the_rows_that_raised_them(stream, frame, learner):
    data, delay = stream
    detection = se.detect(data, learner, ["every:100", "adwin:delta=0.3"], runs=2, **delay)
    for name, rows in detection.alarms.items():
        assert len(rows)
        assert (rows.index == frame["t"].iloc[rows]).all()
        below = next(axes for axes in detection.plot() if axes.get_title(loc="left") == "alarms")
        ticks = below.collections[detection.detectors.index(name)].get_segments()
        dates = [num2date(tick[0][0], tz=ZONE) for tick in ticks]
        assert dates == [date.to_pydatetime() for date in rows.index]
        (of,) = (row for row in detection.to_dict()["detectors"] if row["detector"] == name)
        assert of["rows"] == rows.tolist()
        assert of["times"] == [str(date) for date in rows.index]
        labels = [] if data.label_time is None else frame["known"].iloc[rows]
        assert of.get("label_times", []) == [str(date) for date in labels]
    sentence = detection.sentences()[0]
    row = detection.alarms["every:n=100"].iloc[0]
    assert f"row {row} ({frame['t'].iloc[row]:%Y-%m-%d}" in sentence


@pytest.mark.parametrize("seed", range(2))
def test_signals_and_detect_name_the_same_alarms_of_predictions(seed):
    rng, n = np.random.default_rng(seed), 400
    time = rng.integers(0, n, n)  # rows come in no order
    y = rng.random(n) < 0.5
    wrong = rng.random(n) < np.where(time > n / 2, 0.9, 0.1)
    names = np.array(["bad", "good"])
    labels = {"y": names[y.astype(int)], "p": names[(y ^ wrong).astype(int)]}
    frame = pd.DataFrame({"x": rng.random(n), **labels, "t": time})
    roles = {"label_time": "known"} if seed % 2 else {}
    if roles:
        frame["known"] = time + rng.integers(0, 30, n)
    stream = se.from_pandas(frame, "y", time="t", **roles)
    detection = se.detect(stream, "column:p", "adwin", runs=2)
    signals = se.evaluate(stream, "column:p").signals("column:p")
    assert detection.alarms["adwin"].tolist() == signals.tolist()
    assert len(signals)
    assert (frame["t"].iloc[signals] > n / 2).all()
    assert detection.runs == 0
    assert detection.worth("adwin").over_never is None
    assert detection.table().loc["adwin", "accuracy"] == pytest.approx((~wrong).mean(), abs=0.1)
    assert "does not learn" in detection.sentences()[-1]
    assert len(detection.plot()) == 2


def test_no_result_depends_on_the_order_of_rows_in_the_file(frame):
    once = frame.drop_duplicates("t").reset_index(drop=True)
    mixed = once.sample(frac=1, random_state=1).reset_index(drop=True)
    streams = [se.from_pandas(table, "y", time="t", label_time="known") for table in (once, mixed)]
    for options in ({}, {"ignore_label_times": True}):
        pairs, alarms = [], []
        for stream in streams:
            compared = se.compare(stream, ["column:p", "no_change"], **options)
            pairs.append(replace(compared.pairs[0], first="", second=""))
            detection = se.detect(stream, "naive_bayes", "every:70", runs=2, **options)
            alarms.append(detection.alarms["every:n=70"])
        assert pairs[0] == pairs[1]
        assert alarms[0].index.equals(alarms[1].index)
        assert once["t"].iloc[alarms[0]].tolist() == mixed["t"].iloc[alarms[1]].tolist()
