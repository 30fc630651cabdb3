"""Evaluations of streams in pieces: measures, reasons, and progress."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import streameval as se
from streameval.api.pieces_evaluation import evaluate_in_pieces
from streameval.base.errors import ConfigError
from streameval.measures.registry import MEASURES
from streameval.protocols.registry import parse
from streameval.streams.pieces import pieces_of

PREQUENTIAL = parse("prequential")


@pytest.fixture
def stream():
    return se.generate("sea", rows=500)


def test_all_measures_and_reasons_are_those_in_one_go(stream):
    stream.y[:] = 1  # so that most measures are undefined
    found = evaluate_in_pieces(pieces_of(stream), ["knn", "majority"], PREQUENTIAL, size=77)
    whole = se.evaluate(stream, ["knn", "majority"])
    assert found.learners == whole.learners
    assert found._why([*MEASURES]) == whole._why([*MEASURES])
    assert all(one["mcc"] for one in found._why(["mcc"]).values())
    for name, values in found.to_dict().items():
        expected = whole.to_dict()[name] | {"seconds": values["seconds"]}
        assert values == expected
        assert values.keys() >= {*MEASURES}
    assert found.to_dict("accuracy")["knn"].keys() >= {"accuracy", "model_bytes"}
    assert str(found.over_baselines()) == str(whole.over_baselines())  # NaN is not NaN


def test_each_learner_gets_the_seed_and_the_smoothing_of_the_stream(stream):
    learners = ["online_bagging", se.learner("moving_majority", window=20)]
    for seed in (1, 2):
        found = evaluate_in_pieces(pieces_of(stream), learners, PREQUENTIAL, seed=seed)
        whole = se.evaluate(stream, learners, seed=seed)
        assert found.to_dict("accuracy").keys() == whole.to_dict("accuracy").keys()
        for name, values in found.to_dict("accuracy").items():
            assert values["accuracy"] == whole.to_dict("accuracy")[name]["accuracy"]


def test_progress_counts_the_instances_of_all_learners(stream, capsys):
    evaluate_in_pieces(pieces_of(stream), "knn", PREQUENTIAL, size=100, progress=True)
    assert "/1.50k" in capsys.readouterr().err
    evaluate_in_pieces(pieces_of(stream), "knn", PREQUENTIAL, size=100, progress=False)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("window", "size"), [(1, 13), (50, 13), (50, 500), (490, 100), (900, 7)])
def test_curves_are_those_in_one_go(stream, window, size):
    found = evaluate_in_pieces(pieces_of(stream), "knn", PREQUENTIAL, size=size, window=window)
    curves = found._windows.frame()
    whole = se.evaluate(stream, "knn")
    for measure in ("accuracy", "kappa_temporal"):
        rows = curves[curves["measure"] == measure].set_index(["instance", "learner"])
        wide = rows["value"].unstack("learner")  # noqa: PD010
        expected = whole.curve(measure, window=window)
        pd.testing.assert_frame_equal(wide[found.learners].rename_axis(columns=None), expected)
    assert [axes.get_title() for axes in found.plot()] == [
        axes.get_title() for axes in whole.plot(window=window)
    ]


def test_a_drawing_needs_a_window(stream):
    found = evaluate_in_pieces(pieces_of(stream), "knn", PREQUENTIAL)
    with pytest.raises(ConfigError, match=r"window: .* to draw"):
        found.plot()


def test_predictions_come_piece_by_piece(stream):
    kept = []
    evaluate_in_pieces(pieces_of(stream), "knn", PREQUENTIAL, size=200, keep=kept.append)
    assert [len(table) for table in kept] == [200, 200, 100]
    frame = pd.concat([table.as_frame(stream.schema.classes) for table in kept])
    expected = se.evaluate(stream, "knn").predictions
    pd.testing.assert_frame_equal(
        frame.reset_index(drop=True).astype({"row": np.int32}), expected.astype({"row": np.int32})
    )
