"""``detect``: alarms of drift detectors, and whether they help the learner."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pytest
from helpers.foreign_models import Last

import streameval as se
from streameval.api import detect
from streameval.base.errors import ConfigError


@pytest.fixture(scope="module")
def stream():
    return se.load("markov_ozone:relabelled:1:2:0")


@pytest.fixture(scope="module")
def detection(stream):
    return se.detect(stream, "naive_bayes", ["ddm", "every:500", "never"], runs=3)


def test_alarms_are_rows_of_the_stream(detection):
    assert detection.detectors == ["ddm", "every:n=500", "never"]
    assert detection.alarms["every:n=500"].tolist() == [499, 999, 1499, 1999, 2499]
    assert detection.alarms["never"].tolist() == []


def test_sentences_name_the_first_and_the_last_alarm(detection):
    text = " ".join(repr(detection).split())
    assert all(sentence in text for sentence in detection.sentences())
    assert detection.sentences()[2] == "never signals nothing."
    assert "every:n=500 signals 5 times, first at row 499, last at row 2499." in text


def test_a_region_of_practical_equivalence():
    stream = se.generate("sea", rows=2000)
    usual = se.detect(stream, "naive_bayes", "every:900", runs=2).worth("every:n=900")
    assert usual.over_never.rope == se.compare(stream, ["no_change", "majority"]).plan.rope
    detection = se.detect(stream, "naive_bayes", "every:900", runs=2, rope=0.5)
    assert detection.worth("every:n=900").over_never.verdict == "practically equal"
    assert "practically equal to naive_bayes without resets" in detection.sentences()[0]


def test_detectors_read_errors_when_labels_arrive(stream):
    detection = se.detect(stream, "naive_bayes", "every:100", runs=2, delay=50)
    # The label of row r is learnt after row r + 50: the alarm is at the label.
    assert detection.alarms["every:n=100"].tolist() == list(range(99, len(stream), 100))


class Threshold:
    """Signal after ten errors."""

    drift_detected = False

    def __init__(self):
        self.errors = 0

    def update(self, error):
        self.errors += error
        self.drift_detected = self.errors >= 10
        if self.drift_detected:
            self.errors = 0


def test_detectors_and_learners_of_ones_own(stream):
    detection = se.detect(stream, Last(0), Threshold(), runs=2)
    wrong = int((np.r_[0, stream.y[:-1]] != stream.y).sum())
    # A reset model predicts class 0 once, as it has learnt the instance of the alarm at once.
    assert len(detection.alarms[detection.detectors[0]]) == wrong // 10


def test_the_picture_has_a_row_for_each_detector(detection):
    panels = detection.plot(window=100)
    below = next(axes for axes in panels if axes.get_title(loc="left") == "alarms")
    labels = [label.get_text() for label in below.get_yticklabels()]
    assert labels == detection.detectors[:2]  # without resets the accuracy is a line


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((["naive_bayes", "knn"],), "expected one, found 2"),
        (("naive_bayes", "adwim"), "adwin"),
        (("naive_bayes", []), "one or more"),
        (("naive_bayes_augmented", "ddm"), "in segments"),
    ],
)
def test_invalid_arguments_of_detect_are_refused(stream, arguments, text):
    with pytest.raises(ConfigError, match=text):
        se.detect(stream, *arguments)
    with pytest.raises(ConfigError, match="numeric target"):
        se.detect(se.generate("planes", rows=50), "fimt_dd")
    with pytest.raises(ConfigError, match="runs"):
        se.detect(stream, "naive_bayes", runs=1)


@pytest.mark.parametrize("learns", [True, False])
def test_progress_ends_at_its_total(monkeypatch, learns):
    stream, n_done, totals = se.load("markov_ozone"), [], []

    @contextmanager
    def record_progress(_, events, *more):
        yield n_done.append
        totals.append(events())

    monkeypatch.setattr(detect, "progress_bar", record_progress)
    learner = "naive_bayes" if learns else np.full(len(stream), stream.schema.classes[0])
    se.detect(stream, learner, "ddm", runs=3)
    assert totals == [sum(n_done)]
