"""Items about class scores: measures, bins of reliability, and streams on which skills are 0."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pandas as pd
import pytest
from helpers.shown_tables import cells_of
from hypothesis import given
from hypothesis import settings as with_settings
from hypothesis import strategies as st

from calibration import SkillLaw
from calibration.verdict_laws import LAWS, Law
from class_scores import (
    ScoreMeasuresSettings,
    SkillCalibrationSettings,
)
from class_scores.score_measures import study
from class_scores.show import draw_score_measures as draw
from class_scores.show import layout_score_table
from class_scores.skill_calibration import (
    COPIES,
    EXCHANGEABLE,
    OVERRATED,
    _log_likelihood_ratio,
    _pairs,
    equalising_weight,
    expected_loss,
    law_forecasts,
)
from streameval.base.seeds import generator
from streameval.drawing.subject import Subject
from streameval.evaluation.class_scores import ALL_SCORE_MEASURES, SCORE_LOSSES
from streameval.evaluation.roles import FORECAST_BASELINES
from streameval.items.inputs import StreamInput
from streameval.learners.baselines import Majority
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.label_forecasts import LabelTransitions
from streameval.learners.learner import Learner
from streameval.learners.predictions import Predictions
from streameval.measures.forecasts import log_losses
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import Attribute, Schema, Stream


class Fixed(Learner):
    """Learner with fixed scores on every stream."""

    name = "fixed"
    reference = "none"

    def __init__(self, scores) -> None:
        self.scores = np.array(scores, np.float32)

    def run(self, stream, tape, seed=1, *, scores=False, progress=None):
        labels = self.scores.argmax(axis=1).astype(np.int16)
        table = self.scores if scores else None
        return Predictions(tape.predict_rows, labels, stream.n_classes, table)


def frames_of(stream: Stream, learners) -> dict[str, pd.DataFrame]:
    chosen = ScoreMeasuresSettings(streams=("s",), learners=tuple(learners))
    stream_input = StreamInput(settings=chosen, name="s")
    stream_input.__dict__["stream"] = stream
    object.__setattr__(stream_input, "learners", lambda: dict(learners))
    return study(stream_input)


@pytest.fixture(scope="module")
def three():
    learners = {"majority": Majority(), "naive_bayes": NaiveBayes(), "other": LabelTransitions()}
    return frames_of(RandomTree(classes=3, seed=2).stream(700), learners)


def test_bins_by_hand():
    schema = Schema((Attribute("x"),), classes=("a", "b"))
    stream = Stream(np.zeros((4, 1)), np.array([0, 1, 0, 0], np.int32), schema)
    frames = frames_of(stream, {"fixed": Fixed([[0.9, 0.1], [0.91, 0.09], [0.3, 0.7], [1, 0]])})
    bins = frames["bins"].query("learner == 'fixed'")
    # 0.7 is in (10/15, 11/15], 0.9 and 0.91 in (13/15, 14/15], 1 in the last one.
    assert (15 * bins["high"]).tolist() == pytest.approx([11, 14, 15])
    assert bins["predictions"].tolist() == [1, 2, 1]
    assert bins["forecast"].tolist() == pytest.approx([0.7, 0.905, 1.0])
    assert bins["correct"].tolist() == [0.0, 0.5, 1.0]
    value = frames["measures"].set_index(["learner", "measure"])["value"]["fixed"]
    # Differences 0.7, 0.405 (twice) and 0 of four predictions.
    assert value["expected_calibration_error"] == pytest.approx((0.7 + 2 * 0.405) / 4)
    # Of three pairs of b and a, by the scores of b: 0.09 is above 0, below 0.1 and 0.7.
    assert value["auc"] == pytest.approx(1 / 3)
    logs = [0.9, 0.09, 0.3, 1.0]
    assert value["log_loss"] == pytest.approx(-np.log(logs).mean(), rel=1e-6)
    assert frames["size"].iloc[0].tolist() == [4, 2, False]


def test_bins_hold_all_predictions_and_the_calibration_error(three):
    measures, bins = three["measures"], three["bins"]
    learners = ["majority", "naive_bayes", "other", *FORECAST_BASELINES]
    assert list(dict.fromkeys(measures["learner"])) == learners
    assert len(measures) == len(learners) * len(ALL_SCORE_MEASURES)
    for learner, part in bins.groupby("learner"):
        assert part["predictions"].sum() == 700
        error = (part["predictions"] * (part["correct"] - part["forecast"]).abs()).sum() / 700
        row = measures[measures["learner"] == learner].set_index("measure")["value"]
        assert row["expected_calibration_error"] == pytest.approx(error)
    # The same learner under another name is the baseline itself.
    other = measures[measures["learner"] == "other"].set_index("measure")
    assert other["value"]["log_loss_skill_over_label_transitions"] == 0.0
    assert np.isnan(other["value"]["auc"])
    assert "two classes" in other["reason"]["auc"]


def test_pictures_and_tables_of_any_classes(three):
    about = Subject(settings=None, titles={"naive_bayes": "Naive Bayes"}, title="A stream")
    figure = draw(three, about)
    # Four measures, two skills, and a diagram for each learner that is no baseline.
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == [""] * 6 + ["majority", "Naive Bayes", "other"]
    table = three["measures"].assign(stream="s", simulated=False)
    layout = layout_score_table(table, about)
    assert cells_of(layout)["Learner"].tolist()[:3] == ["majority", "Naive Bayes", "other"]
    assert len(cells_of(layout).columns) == len(layout.alignment) == len(layout.columns)
    assert cells_of(layout)["AUC"].eq("–").all()
    many = {f"fixed_{i}": Fixed(np.full((60, 2), 0.5)) for i in range(6)}
    schema = Schema((Attribute("x"),), classes=("a", "b"))
    one_class = Stream(np.zeros((60, 1)), np.zeros(60, np.int32), schema)
    assert len(draw(frames_of(one_class, many), about).axes) == 6 + 6


def entropy(p: float) -> float:
    return -p * math.log(p) - (1 - p) * math.log(1 - p)


def test_expected_losses_without_the_input_by_hand():
    # A label is repeated with 0.9 + 0.1 / 2 = 0.95.
    assert expected_loss(LAWS["dependent_90"], "log_loss", 0.0) == pytest.approx(entropy(0.95))
    assert expected_loss(LAWS["dependent_90"], "brier", 0.0) == pytest.approx(4 * 0.95 * 0.05 / 2)
    assert expected_loss(LAWS["frequent_90"], "log_loss", 0.0) == pytest.approx(entropy(0.9))


@given(
    dependence=st.sampled_from([0.0, 0.5, 0.9]),
    frequent=st.floats(0.5, 0.95),
    loss=st.sampled_from([*SCORE_LOSSES]),
)
@with_settings(max_examples=8, deadline=None)
def test_true_probabilities_have_the_least_loss(dependence, frequent, loss):
    law = Law("", dependence=dependence, first_class_proportion=frequent)
    least = expected_loss(law, loss, 1.0)
    assert least < expected_loss(law, loss, 0.0)
    assert least < expected_loss(law, loss, 0.9)
    times = equalising_weight(law, loss)
    assert times > 1.0
    assert expected_loss(law, loss, times) == pytest.approx(expected_loss(law, loss, 0.0), abs=1e-8)


@pytest.mark.parametrize("loss", [*SCORE_LOSSES])
@pytest.mark.parametrize("name", ["dependent_50", "frequent_90"])
def test_overrated_forecasts_are_equally_good_in_a_long_stream(name, loss):
    n, law = 400_000, LAWS[name]
    stream = law.stream(n, generator("test of overrated forecasts", name))
    before, y, x = stream.y[:-1], stream.y[1:], stream.X[1:, 0]
    evidence = equalising_weight(law, loss) * _log_likelihood_ratio(x)
    losses = SCORE_LOSSES[loss](law_forecasts(law, before, y, evidence))
    other = SCORE_LOSSES[loss](law_forecasts(law, before, y, np.zeros(n - 1)))
    gap = losses - other
    # Noise of neighbours depends on each other: means of a thousand sections do hardly.
    means = np.array([part.mean() for part in np.array_split(gap, 1000)])
    assert abs(means.mean()) < 4 * means.std() / math.sqrt(1000)
    assert (gap < 0).mean() > 0.5  # most differences are gains
    assert gap.max() > -gap.min()


def test_forecasts_by_hand():
    law = Law("", dependence=0.6, first_class_proportion=0.75)
    # After b: 0.6 + 0.4 / 4 = 0.7 for b; evidence of ln 3 makes odds of 7 to 3 those of 7 to 1.
    forecast = law_forecasts(law, np.array([1]), np.array([0]), np.array([math.log(3.0)]))
    assert log_losses(forecast)[0] == pytest.approx(math.log(8.0))


def test_pairs_of_a_stream():
    stream = LAWS["independent"].stream(200, generator("test of pairs"))
    swapped = Stream(stream.X[:, ::-1], stream.y, stream.schema)
    law = LAWS["independent"]
    pairs = [*_pairs(stream, law)]
    copies = [(pair.pair, pair.weight, pair.loss) for pair in pairs[:4]]
    assert copies == [(EXCHANGEABLE, float(n), loss) for n in COPIES for loss in SCORE_LOSSES]
    assert [pair.pair for pair in pairs[4:]] == [OVERRATED] * 2
    for pair, swapped_pair in zip(pairs[:4], _pairs(swapped, law), strict=False):
        np.testing.assert_array_equal(pair.first.scores, swapped_pair.second.scores)
    # What is read ten times is surer.
    assert pairs[2].first.scores.max(axis=1).mean() > pairs[0].first.scores.max(axis=1).mean()
    assert len([*_pairs(stream, LAWS["turns_10"])]) == 4


def test_laws_of_unequal_learners_are_refused():
    for name in msgspec.inspect.type_info(SkillLaw).values:
        law = LAWS[name]
        assert not law.accuracy_gap
        assert not law.forests
    plain = {"laws": ["ten_points"], "instances": [300], "repetitions": [1]}
    with pytest.raises(msgspec.ValidationError, match="ten_points"):
        msgspec.convert(plain, SkillCalibrationSettings)
