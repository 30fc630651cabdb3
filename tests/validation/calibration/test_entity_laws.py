"""Intervals and verdicts where rows of several entities come in turn: laws and the records."""

from __future__ import annotations

import numpy as np
import pytest

from calibration import VerdictCalibrationSettings
from calibration.verdict_calibration import study as verdict_study
from calibration.verdict_laws import ENTITIES, LAWS, SLOW
from streameval.base.rounding import format_upper_bound, percentage_bound
from streameval.base.seeds import generator
from streameval.base.settings import ROOT, load_yaml
from streameval.base.table_files import read_csv_table
from streameval.evaluation.coverage import (
    INTERVALS_OF_GROUPS,
    VERDICTS_OF_GROUPS,
    SlowLaw,
    coverage_sentences,
    false_verdict_sentences,
    false_verdicts,
    interval_miss_rates,
)
from streameval.evaluation.kappa_intervals import KAPPA, KAPPAS
from streameval.evaluation.roles import MAJORITY
from streameval.items.inputs import ItemInput
from streameval.protocols.prequential import prequential
from streameval.significance.entities import order_by_entity
from streameval.significance.series import error_runs
from streameval.significance.stream_mean import Sample, stream_mean

#: The rule of `interval_coverage`, which was fixed before these laws were run.
MOST = 0.09


@pytest.fixture(scope="module")
def intervals():
    return read_csv_table(ROOT / INTERVALS_OF_GROUPS)


@pytest.fixture(scope="module")
def verdicts():
    return read_csv_table(ROOT / VERDICTS_OF_GROUPS)


def draw_stream(law, n=4000):
    return LAWS[law].stream(n, generator("test of entities", law))


def correlation(values, code):
    """Autocorrelation between consecutive rows of an entity."""
    pairs = []
    for entity in np.unique(code):
        of_entity = values[code == entity]
        pairs.append(np.stack([of_entity[:-1], of_entity[1:]]))
    return np.corrcoef(np.concatenate(pairs, axis=1))[0, 1]


@pytest.mark.parametrize("law", SLOW)
def test_error_rates_of_a_slow_law_move_within_entities(law):
    stream, of = draw_stream(law, 40_000), SLOW[law]
    code = np.zeros(40_000) if stream.groups is None else stream.groups.code
    gap = (stream.X[:, 0] - stream.X[:, 1])[stream.y == 1]
    # Twice the movement, of variance 4, and two noises; the next row of class 1 is 2 rows away.
    moved = 4.0 / 6.0 * of.movement_dependence**2
    assert correlation(gap, code[stream.y == 1]) == pytest.approx(moved, abs=0.06)
    assert of.movement_dependence == SlowLaw.of(law).autocorrelation
    assert of.entities == SlowLaw.of(law).entities


@pytest.mark.parametrize("law", ENTITIES)
def test_a_law_is_what_it_says(law):
    stream, of = draw_stream(law, 20_000), ENTITIES[law]
    code = stream.groups.code
    assert len(np.unique(code)) == of.entities
    assert correlation(stream.y, code) == pytest.approx(of.dependence, abs=0.06)
    # From row to row as much as neighbours are of one entity.
    same = (code[1:] == code[:-1]).mean()
    expected = same * of.dependence
    assert np.corrcoef(stream.y[:-1], stream.y[1:])[0, 1] == pytest.approx(expected, abs=0.06)
    if not of.unequal:
        noise = stream.X[:, 0] - stream.y * 0.8
        expected += of.shared_variance * (0.98 - expected)
        assert np.corrcoef(noise[:-1], noise[1:])[0, 1] == pytest.approx(expected, abs=0.08)


def test_entities_come_in_the_order_that_the_law_says():
    assert draw_stream("entities_20_rounds").groups.code[:21].tolist() == [*range(20), 0]
    lengths = np.diff(np.flatnonzero(np.diff(draw_stream("entities_20_bursts").groups.code)))
    assert (lengths % 10 == 0).all()
    assert (np.diff(draw_stream("entities_20").groups.code) != 0).mean() > 0.9
    assert (np.diff(draw_stream("entities_20_blocks").groups.code) != 0).sum() == 19


def test_half_of_the_unequal_entities_have_each_learner_ahead():
    stream = draw_stream("entities_20_unequal", 40_000)
    odd = stream.groups.code % 2 == 1
    apart = [
        np.subtract(*(stream.X[(stream.y == code) & part].mean(axis=0) for code in (1, 0)))
        for part in (odd, ~odd)
    ]
    np.testing.assert_allclose(apart, [[1.3, 0.3], [0.3, 1.3]], atol=0.12)


def test_the_records_keep_the_rule(intervals, verdicts):
    # κ of Majority has no interval on any page, with groups or without.
    is_shown = (intervals["learner"] != MAJORITY) | (intervals["measure"] != KAPPA)
    usual = (intervals["interval"] > 0.5) & intervals["law"].isin([*ENTITIES])
    judged = intervals[is_shown & usual]
    assert len(judged) > 180
    assert judged["missed_low"].max() <= MOST
    nulls = verdicts[verdicts["law"].isin([*ENTITIES])]
    assert nulls["excludes_low"].max() <= MOST
    others = {*verdicts["law"]} - {*ENTITIES}
    assert others == {"ten_points_entities", "slow_99_3", "slow_99_20"}
    better = verdicts[verdicts["law"] == "ten_points_entities"].set_index("instances")
    assert better.loc[4000, "better"].min() > better.loc[1000, "better"].min()


def test_the_texts_say_what_the_records_say(intervals, verdicts):
    steady = intervals[intervals["law"].isin([*ENTITIES])]
    of_learner = steady[(steady["learner"] == "learner") & (steady["interval"] > 0.5)]
    usual = of_learner.groupby("measure")["missed"].max()
    assert interval_miss_rates(grouped=True).by_measure == {
        name: usual[name] for name in ("accuracy", *KAPPAS)
    }
    text = coverage_sentences(grouped=True)
    assert "of 1,000 to 20,000 instances of 1 to 100 interleaved entities" in text
    assert f"at most {percentage_bound(usual['accuracy'])} of the intervals of an accuracy" in text
    for validation, part in verdicts[verdicts["law"].isin([*ENTITIES])].groupby("validation"):
        false_rates, most = false_verdicts(validation, grouped=True), part["excludes"].max()
        assert false_rates.steady == most
        text = false_verdict_sentences(validation, grouped=True)
        assert f"the interval excludes 0 in at most {percentage_bound(most)} of the streams" in text
        for law in ("slow_99_3", "slow_99_20"):
            rows = verdicts[(verdicts["law"] == law) & (verdicts["validation"] == validation)]
            assert false_rates.slow[SlowLaw.of(law)] == dict(
                zip(rows["instances"], rows["excludes"], strict=True)
            )
            first, second = (format_upper_bound(rate, ".0f", 100) for rate in rows["excludes"])
            assert f"in {first} and {second} % with {LAWS[law].entities} entities" in text
        assert "In streams of 1,000 and 4,000 instances whose error rates move slowly" in text


def test_a_part_of_the_records_is_what_this_code_simulates(intervals, verdicts):
    law, n, number = "entities_3", 1000, 400
    levels, accuracies = [], []
    for place in range(number):  # the accuracy of the learner, literally
        stream = LAWS[law].stream(n, generator("interval coverage", law, n, place))
        right = LAWS[law].learners()["first"].run(stream, prequential(n)).label == stream.y
        order = order_by_entity(stream.groups.code)
        run_lengths = error_runs(right, order=order)
        levels.append(
            stream_mean(Sample(right, run_lengths=run_lengths, order=order), with_p_value=False)
        )
        accuracies.append(right.mean())
    others = (np.sum(accuracies) - accuracies) / (number - 1)
    with_interval = [pair for pair in zip(levels, others, strict=True) if not pair[0].reason]
    missed = np.mean([not level.low <= expected <= level.high for level, expected in with_interval])
    recorded = intervals[(intervals["law"] == law) & (intervals["instances"] == n)]
    recorded = recorded.set_index(["learner", "measure"]).loc[("learner", "accuracy")]
    assert (recorded["missed"], recorded["interval"]) == pytest.approx(
        (missed, len(with_interval) / number)
    )
    assert recorded["expected"] == pytest.approx(np.mean(accuracies), abs=1e-6)
    cell = {"laws": (law,), "validations": ("prequential",), "instances": (n,)}
    settings = VerdictCalibrationSettings(**cell, repetitions=(number,))
    rates = verdict_study(ItemInput(settings=settings))["rates"]
    recorded = verdicts[(verdicts["law"] == law) & (verdicts["instances"] == n)]
    recorded = recorded[recorded["validation"] == "prequential"]
    assert rates[["interval", "excludes"]].to_numpy().tolist() == (
        recorded[["interval", "excludes"]].to_numpy().tolist()
    )


def test_the_items_have_the_cells_of_the_records(intervals, verdicts):
    items = load_yaml(ROOT / "validation" / "beyond.yaml")["items"]["beyond"]
    for name, record in (
        ("interval_coverage_groups", intervals),
        ("verdict_calibration_groups", verdicts),
    ):
        item = items[name]
        assert list(dict.fromkeys(record["law"])) == item["laws"]
        streams = dict(zip(item["instances"], item["repetitions"], strict=True))
        assert dict(zip(record["instances"], record["streams"], strict=True)) == streams
