"""Which test to use: size and power of each, drawn and judged over streams."""

from __future__ import annotations

import itertools

import pandas as pd
import pytest
from helpers.drawn import assert_no_text_collides, drawing, legend_names
from helpers.type_error_frames import frame_files

from choice_of_tests import TestChoiceSettings as ChoiceSettings
from choice_of_tests import rates as choice_study
from choice_of_tests.show import draw_test_choice as _draw_test_choice
from streameval.evaluation.decisions import DECISIONS
from streameval.items.inputs import ItemInput
from streameval.significance.intervals import wilson_interval

draw_choice = drawing(_draw_test_choice, "choice", "seconds")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return frame_files(tmp_path_factory.mktemp("frames"))


def choices():
    rows = [
        (test, alternative, length, (i % 7) / 10, (i % 11) / 10)
        for i, (test, alternative, length) in enumerate(
            itertools.product(DECISIONS, ["noise 0.05", "noise 0.1"], [1000, 5000, 20_000])
        )
    ]
    return pd.DataFrame(rows, columns=["test", "alternative", "instances", "size", "power"])


SECONDS = pd.DataFrame({"instances": [20_000, 20_000], "runs": [10, 10], "seconds": [4.0, 8.0]})


def test_a_row_for_each_test_with_its_shortest_and_longest_streams():
    frame = choices()
    figure = draw_choice(frame, SECONDS, level=0.05)
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names == [decision.title for decision in DECISIONS.values()]
    assert legend_names(figure)[-2:] == ["n = 1,000 (0.03 s a run)", "n = 20,000 (0.6 s a run)"]
    cells = frame[frame["instances"] != 5000]
    panels = {axes.get_title("left"): axes for axes in figure.axes}
    for name, column in (("no difference", "size"), ("noise 0.1", "power")):
        panel_cells = cells[cells["alternative"] == ("noise 0.05" if column == "size" else name)]
        dots = [line for line in panels[name].lines if line.get_linestyle() == "None"]
        drawn_at = {(int(dot.get_ydata()[0]), float(dot.get_xdata()[0])) for dot in dots}
        rows = list(DECISIONS)
        expected = zip(panel_cells["test"], panel_cells[column], strict=True)
        assert drawn_at == {(rows.index(test), value) for test, value in expected}
        assert len({dot.get_markersize() for dot in dots}) == 2
        assert len({dot.get_markerfacecolor() for dot in dots} - {"white"}) == 3
    assert_no_text_collides(figure)


def test_a_stream_that_ends_early_counts_with_the_longest(files):
    item = ItemInput(settings=ChoiceSettings(of="errors"), frames=files)
    rates, seconds = (item.frames_of_streams(name) for name in ("rates", "seconds"))
    expected = choice_study.frames(rates, seconds, item.settings)["choice"]
    first = next(iter(rates))
    longest = rates[first]["instances"].max()
    rates[first] = rates[first].replace({"instances": {longest: longest - 1}})
    frames = choice_study.frames(rates, seconds, item.settings)
    pd.testing.assert_frame_equal(frames["choice"], expected)
    ends = frames["seconds"].set_index("stream")["instances"]
    assert ends[first] == longest - 1  # its seconds are those of its own length


def test_the_choice_of_a_test_judges_sizes_by_their_intervals(files):
    item = ItemInput(settings=ChoiceSettings(of="errors"), frames=files)
    choices = choice_study.study(item)["choice"]
    assert choices["alternative"].unique().tolist() == ["noise 0.1"]
    row = choices[(choices["test"] == "mcnemar") & (choices["instances"] == 5000)].iloc[0]
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
    choices = choice_study.choice_table(pd.DataFrame(rows, columns=[*columns, "adjusted"]), 0.05)
    assert choices["verdict"].tolist() == [verdict]
