"""Rates of rejection over streams, and which test to use."""

from __future__ import annotations

import itertools

import pandas as pd
import pytest
from helpers.shown_tables import cells_of

from streameval.base.errors import ConfigError
from streameval.base.table_files import read_csv, write_csv
from streameval.drawing.subject import Subject
from streameval.items import kinds
from streameval.items.error_rates import RejectionsSettings as Settings
from streameval.items.error_rates import TestChoiceSettings as ChoiceSettings
from streameval.items.error_rates import show
from streameval.items.error_rates import test_choice as test_choice_study
from streameval.items.error_rates.show import layout_rejections as layout
from streameval.items.inputs import ItemInput
from streameval.significance.intervals import wilson_interval

SCHEMES = ["cross_validation", "split_validation", "bootstrap_validation"]
STREAMS = {"rbf_0_0": 0.10, "sea_50": 0.20, "hyp_10_0.001": 0.60}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The frames of a study of type errors, by stream and name."""
    folder, found = tmp_path_factory.mktemp("frames"), {}
    for stream, base in STREAMS.items():
        cells = list(
            itertools.product(SCHEMES, ["held_out", "learnt"], ["same", "noise 0.1"], [1000, 5000])
        )
        rates = [
            (*cell, test, 200, 0, base + (0.3 if cell[2] != "same" else 0.0) + cell[3] / 1e5)
            for cell in cells
            for test in ("mcnemar", "wilcoxon")
        ]
        columns = ["scheme", "reading", "alternative", "instances", "test", "runs", "rejected"]
        frame = pd.DataFrame(rates, columns=[*columns, "value"])
        frame = frame.assign(low=frame["value"] - 0.05, high=frame["value"] + 0.05)
        frame = frame.assign(adjusted=frame["value"], simulated=stream == "sea_50")
        gaps = pd.DataFrame(cells, columns=columns[:4]).assign(
            accuracy=0.8, gap=base / 10, printed_gap=0.0
        )
        seconds = pd.DataFrame({"scheme": SCHEMES, "runs": 200, "seconds": 2.0})
        for name, part in (("rates", frame), ("gaps", gaps), ("seconds", seconds)):
            found[f"{stream}.{name}"] = str(folder / f"{stream}.{name}.csv")
            write_csv(part, found[f"{stream}.{name}"])
    return found


def table(files, **settings):
    chosen = {"of": "errors", "tests": ("mcnemar",), "alternatives": ("same",)} | settings
    item = ItemInput(
        settings=Settings(**chosen), frames=files, columns=kinds()["rejections"].columns
    )
    return show.study_rejections({}, item), item


def test_the_average_has_the_interval_of_all_its_runs(files):
    found, _ = table(files, readings=("learnt",))
    assert found["stream"].unique().tolist() == ["all"]
    row = found[found["scheme"] == "cross_validation"].iloc[0]
    values = [base + 0.05 for base in STREAMS.values()]  # of the longest runs
    assert row["value"] == pytest.approx(sum(values) / 3)
    assert (row["low"], row["high"]) == pytest.approx(wilson_interval(row["value"] * 600, 600))
    assert (row["streams"], row["runs"]) == (3, 600)
    assert row["gap"] == pytest.approx(sum(STREAMS.values()) / 30)
    assert bool(row["simulated"])


def test_the_lengths_of_runs_are_said(files, tmp_path):
    found, item = table(files, by_stream=True)
    assert set(found["instances"]) == {5000}
    shorter = read_csv(files["sea_50.rates"]).replace({"instances": {5000: 4000}})
    gaps = read_csv(files["sea_50.gaps"]).replace({"instances": {5000: 4000}})
    changed = dict(files)
    for name, frame in (("rates", shorter), ("gaps", gaps)):
        changed[f"sea_50.{name}"] = str(tmp_path / f"{name}.csv")
        write_csv(frame, changed[f"sea_50.{name}"])
    found, item = table(changed, by_stream=True)
    lengths = found.groupby("stream")["instances"].unique().map(list).to_dict()
    assert lengths == {"rbf_0_0": [5000], "sea_50": [4000], "hyp_10_0.001": [5000], "all": [4000]}
    notes = layout(found, Subject(settings=item.settings)).notes
    assert notes[0].startswith("Runs of 4,000 to 5,000 instances.")


def test_streams_keep_their_order_and_their_own_intervals(files):
    found, item = table(files, by_stream=True, alternatives=("same", "noise 0.1"))
    assert list(dict.fromkeys(found["stream"])) == [*STREAMS, "all"]
    row = found[(found["stream"] == "hyp_10_0.001") & (found["alternative"] == "noise 0.1")].iloc[0]
    assert (row["low"], row["high"]) == pytest.approx((0.90, 1.0))
    shown = layout(found, Subject(settings=item.settings, streams={"rbf_0_0": "RBF"}))
    assert cells_of(shown)["Stream"].tolist()[0] == "RBF, non-prequential"
    assert cells_of(shown)["Stream"].tolist()[-1] == "Average, prequential"
    assert "sea_50 (simulated), prequential" in cells_of(shown)["Stream"].tolist()
    assert cells_of(shown).columns[1:4].tolist() == ["same: bootstrap", "same: cv", "same: split"]
    assert cells_of(shown).iloc[0, 1] == "0.15"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tests": ("wilcoxn",)}, "no test 'wilcoxn'.*Did you mean.*wilcoxon"),
        ({"alternatives": ("noise 0.2",)}, "no alternative 'noise 0.2'"),
    ],
)
def test_names_are_checked(files, settings, message):
    with pytest.raises(ConfigError, match=message):
        table(files, **settings)


def test_a_stream_that_ends_early_counts_with_the_longest(files):
    item = ItemInput(settings=ChoiceSettings(of="errors"), frames=files)
    rates, seconds = (item.frames_of_streams(name) for name in ("rates", "seconds"))
    expected = test_choice_study.frames(rates, seconds, item.settings)["choice"]
    first = next(iter(rates))
    longest = rates[first]["instances"].max()
    rates[first] = rates[first].replace({"instances": {longest: longest - 1}})
    frames = test_choice_study.frames(rates, seconds, item.settings)
    pd.testing.assert_frame_equal(frames["choice"], expected)
    ends = frames["seconds"].set_index("stream")["instances"]
    assert ends[first] == longest - 1  # its seconds are those of its own length


def test_the_choice_of_a_test_judges_sizes_by_their_intervals(files):
    item = ItemInput(settings=ChoiceSettings(of="errors"), frames=files)
    frames = test_choice_study.study(item)
    for name, columns in kinds()["test_choice"].frames.items():
        assert tuple(frames[name].columns) == columns
    found = frames["choice"]
    assert found["alternative"].unique().tolist() == ["noise 0.1"]
    row = found[(found["test"] == "mcnemar") & (found["instances"] == 5000)].iloc[0]
    assert row["size"] == pytest.approx(0.35)
    assert row["power"] == pytest.approx(0.65)
    assert row["verdict"] == "too often"
    assert (row["size_low"], row["size_high"]) == pytest.approx(wilson_interval(0.35 * 600, 600))


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ([0.3, 0.31, 0.32], "too often"),
        ([0.0, 0.001, 0.0], "too rarely"),
        ([0.02, 0.08], "at its level"),
    ],
)
def test_verdicts(values, verdict):
    rows = [
        (f"s{i}", alternative, 100, "paired_t", 200, value, value - 0.01, value + 0.01, value)
        for i, value in enumerate(values)
        for alternative in ("same", "noise 0.1")
    ]
    columns = ["stream", "alternative", "instances", "test", "runs", "value", "low", "high"]
    found = test_choice_study.choice(pd.DataFrame(rows, columns=[*columns, "adjusted"]), 0.05)
    assert found["verdict"].tolist() == [verdict]
