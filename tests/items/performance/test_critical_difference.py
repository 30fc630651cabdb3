"""Ranks of learners over streams, and which differ: Demšar's example, libraries, the diagram."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
import scipy
from helpers.drawn import drawing
from helpers.shown_tables import cells_of
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.text import Text
from significance.test_friedman import DEMSAR

from streameval.base.errors import DataError
from streameval.drawing.looks import learner_look
from streameval.drawing.subject import Subject
from streameval.items.performance import CriticalDifferenceSettings as Settings
from streameval.items.performance.critical_difference import rank_learners
from streameval.items.performance.show import (
    draw_critical_difference as _draw_critical_difference,
)
from streameval.items.performance.show import layout_critical_difference as layout
from streameval.items.performance.show import runs_of_equals

critical_difference = drawing(_draw_critical_difference, "ranks", "scores")

LEARNERS = ("no_change", "naive_bayes", "hoeffding_tree", "leveraging_bagging", "knn")


def measured_table(values, learners=LEARNERS, simulated=()):
    """Values of learners, a row for each stream, as a long table."""
    rows = [
        (f"s{i}", f"s{i}" in simulated, name, float(value), "")
        for i, row in enumerate(values)
        for name, value in zip(learners, row, strict=False)
    ]
    return pd.DataFrame(rows, columns=["stream", "simulated", "learner", "value", "reason"])


def test_demsar_s_example():
    ranks = rank_learners(measured_table(DEMSAR), 0.05)["ranks"].set_index("learner")
    # Demšar (2006), Sections 3.2.2 and 3.2.3: mean ranks, and critical differences at 5 and 10 %:
    # 1.25, and 1.12 (his q of 2.291). C4.5 (3.143) and C4.5+m+cf (1.964) differ at 10 % only.
    assert ranks["mean_rank"].index.tolist() == [
        *("leveraging_bagging", "naive_bayes", "hoeffding_tree", "no_change"),
    ]
    assert ranks["mean_rank"].tolist() == pytest.approx([1.964, 2.000, 2.893, 3.143], abs=5e-4)
    assert ranks["critical_difference"].unique() == pytest.approx([1.25], abs=0.005)
    assert ranks["alike"]["no_change"] == "naive_bayes hoeffding_tree leveraging_bagging"
    at_ten = rank_learners(measured_table(DEMSAR), 0.10)["ranks"].set_index("learner")
    assert at_ten["critical_difference"].unique() == pytest.approx([1.12], abs=0.005)
    assert at_ten["alike"].to_dict() == {
        "leveraging_bagging": "naive_bayes hoeffding_tree",
        "naive_bayes": "hoeffding_tree leveraging_bagging",
        "hoeffding_tree": "no_change naive_bayes leveraging_bagging",
        "no_change": "hoeffding_tree",
    }
    assert (ranks["streams"] == 14).all()


values = st.integers(3, 9).flatmap(
    lambda n: st.lists(
        st.lists(st.integers(0, 9), min_size=5, max_size=5), min_size=n, max_size=n
    )
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(values)
def test_it_agrees_with_scipy(values):
    frames = rank_learners(measured_table(values), 0.05)
    ranks = frames["ranks"].set_index("learner").loc[list(LEARNERS)]
    array = np.array(values, float)
    expected = np.array([scipy.stats.rankdata(-row) for row in array])
    scores = frames["scores"].pivot_table("rank", "stream", "learner", sort=False)
    assert scores.to_numpy() == pytest.approx(expected)
    assert ranks["mean_rank"].to_numpy() == pytest.approx(expected.mean(axis=0))
    if (array == array[:, :1]).all():
        assert (ranks["p_value"] == 1).all()
        return
    friedman = scipy.stats.friedmanchisquare(*array.T)
    assert ranks["statistic"].iloc[0] == pytest.approx(friedman.statistic, abs=1e-9)
    assert ranks["p_value"].iloc[0] == pytest.approx(friedman.pvalue)
    mean = expected.mean(axis=0)
    for i, name in enumerate(LEARNERS):  # Nemenyi's p-value of each pair, from its definition
        q = np.abs(mean - mean[i]) / np.sqrt(5 * 6 / (12 * len(array)))
        p_values = scipy.stats.studentized_range.sf(q, 5, np.inf)
        alike = {LEARNERS[j] for j in range(5) if j != i and p_values[j] > 0.05}
        assert {*ranks["alike"][name].split()} == alike


def test_what_is_too_few_is_refused_with_one_message():
    few = [[1, 2, 3], [1, 3, 2]]
    with pytest.raises(DataError, match=r"3 streams and 3 learners, found 2 .*\(s0"):
        rank_learners(measured_table(few), 0.05)
    with pytest.raises(DataError, match=r"found 3 .*\(s0, s1, s2\) and 2 learners"):
        rank_learners(measured_table([[1, 2]] * 3), 0.05)
    same = "expected at least 3 streams and 3 learners, found 2 streams (a, b) and 3 learners"
    chosen = Settings(streams=("a", "b"), learners=("c", "d", "e"))
    assert [text.startswith(same) for text in chosen.setting_faults({})] == [True]
    everything = Settings(streams=("all",), learners=LEARNERS)
    assert list(everything.setting_faults({})) == []


def test_an_undefined_measure_names_its_stream():
    frame = measured_table([[1, 2, 3]] * 3)
    at = (frame["stream"] == "s1") & (frame["learner"] == "naive_bayes")
    frame.loc[at, ["value", "reason"]] = (np.nan, "one class")
    with pytest.raises(DataError, match=r"naive_bayes .*none on s1 \(one class\)"):
        rank_learners(frame, 0.05)


# ---- what is shown


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(2, 20), min_size=1, max_size=12), st.floats(0.1, 12))
def test_bars_join_exactly_those_that_do_not_differ(halves, gap):
    ranks = np.sort(np.array(halves) / 2)
    joined = {
        pair
        for low, high in runs_of_equals(ranks, gap)
        for pair in itertools.combinations(range(low, high + 1), 2)
    }
    near = {
        (i, j)
        for i, j in itertools.combinations(range(len(ranks)), 2)
        if ranks[j] - ranks[i] < gap * (1 - 1e-12)
    }
    assert joined == near
    for (a, b), (c, d) in itertools.combinations(runs_of_equals(ranks, gap), 2):
        assert not (a <= c and d <= b)  # none lies within another
        assert not (c <= a and b <= d)


def diagram(k, n, quality=0.05, simulated=(), seed=1):
    names = [f"learner_{i}" for i in range(k - 1)] + ["hoeffding_tree"]
    draws = np.random.default_rng(seed).normal(size=(n, k)) + quality * np.arange(k)
    frames = rank_learners(measured_table(draws, names, simulated), 0.05)
    titles = {name: f"Learner {name} with previous labels and inputs" for name in names[:4]}
    about = {"measure_or_default": "accuracy", "level": 0.05, "titles": titles}
    return critical_difference(frames["ranks"], frames["scores"], **about), frames, names


def boxes(figure):
    figure.canvas.draw()
    texts = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    return {text: text.get_window_extent() for text in texts if text.axes in (None, *figure.axes)}


@pytest.mark.parametrize(
    ("k", "n", "quality"), [(3, 3, 0.0), (7, 4, 0.0), (15, 300, 0.3), (16, 3, 0.0), (70, 30, 0.3)]
)
def test_no_text_overlaps_another_or_leaves_the_page(k, n, quality):
    figure, _, _ = diagram(k, n, quality, simulated=("s0",))
    shown = [(text.get_text(), box) for text, box in boxes(figure).items() if box.width]
    for (text, box), (other, other_box) in itertools.combinations(shown, 2):
        assert not box.overlaps(other_box), (text, other)
    page = figure.bbox
    for text, box in shown:
        assert page.x0 <= box.x0 <= box.x1 <= page.x1, text
        assert page.y0 <= box.y0 <= box.y1 <= page.y1, text


def text_of(figure):
    return " ".join(text.get_text().replace("\n", " ") for text in boxes(figure))


def test_the_diagram_says_what_it_rests_on():
    figure, _, names = diagram(7, 4, simulated=("s0", "s2"))
    text = text_of(figure)
    assert "N = 4 streams" in text
    assert "Simulated streams: s0, s2." in text
    assert "simulated stream" in text
    assert "CD = 4.50" in text
    colors = {line.get_color() for line in figure.axes[0].lines}
    assert {learner_look(name).color for name in names} < colors
    figure, _, _ = diagram(7, 4)
    assert "imulated" not in text_of(figure)


def test_a_critical_difference_longer_than_the_axis_is_said():
    _, frames, _ = diagram(15, 3)
    small = frames["ranks"].assign(critical_difference=20.0)
    about = {"measure_or_default": "accuracy", "level": 0.05, "titles": {}}
    figure = critical_difference(small, frames["scores"], **about)
    assert "CD = 20.00, longer than the axis" in [text.get_text() for text in boxes(figure)]


def test_the_table_names_those_that_do_not_differ():
    ranks = rank_learners(measured_table(DEMSAR, simulated=("s3",)), 0.10)["ranks"]
    chosen = Settings(streams=("a", "b", "c"), learners=LEARNERS, measure="kappa_m")
    subject = Subject(settings=chosen, titles={"naive_bayes": "Naive Bayes"})
    table_layout = layout(ranks, subject)
    assert cells_of(table_layout).columns.tolist() == [
        *("Learner", "Mean rank", "Mean κ_m", "Does not differ from"),
    ]
    assert cells_of(table_layout).iloc[0].tolist() == [
        *("leveraging_bagging", "1.96", "0.8272"),  # 11.581 / 14
        "Naive Bayes, hoeffding_tree",
    ]
    assert "14 streams. Friedman: χ² = " in table_layout.notes[0]
    assert table_layout.notes[1].startswith("1 of the streams ")
    alone = ranks.assign(alike=np.nan)  # as an empty cell of a file is read
    assert set(cells_of(layout(alone, subject))["Does not differ from"]) == {"none"}


def test_many_learners_have_a_row_each_in_the_diagram():
    figure, frames, names = diagram(40, 20, simulated=("s0",))
    (axes,) = figure.axes
    best = frames["ranks"]["learner"].tolist()
    labels = [text.get_text() for text in axes.get_yticklabels()]
    assert labels == [
        "Learner learner_" + name[8:] + " with previo…" if name in names[:4] else name
        for name in best
    ]
    gap = frames["ranks"]["critical_difference"].iloc[0]
    bars = [line for line in axes.lines if len(line.get_xdata()) == 2]
    # Bars overlap exactly where learners do not differ.
    for (i, first), (j, second) in itertools.combinations(enumerate(bars), 2):
        overlap = (
            min(first.get_xdata()[1], second.get_xdata()[1])
            > max(first.get_xdata()[0], second.get_xdata()[0]) + 1e-9
        )
        assert overlap == (best[j] in frames["ranks"]["alike"][i].split())
    assert f"critical difference, {gap:.2f}" in text_of(figure)
    figure, _, _ = diagram(70, 20)
    assert "The table has the other 20 learners." in text_of(figure)


def test_the_table_of_many_learners_names_places():
    _, frames, names = diagram(40, 20, quality=0.3)
    chosen = Settings(streams=("a", "b", "c"), learners=tuple(names))
    cells = cells_of(layout(frames["ranks"], Subject(settings=chosen)))
    assert cells["Place"].tolist() == [str(place) for place in range(1, 41)]
    places = {name: place for place, name in enumerate(frames["ranks"]["learner"], start=1)}
    for cell, alike in zip(cells["Does not differ from"], frames["ranks"]["alike"], strict=True):
        near = [places[name] for name in alike.split()]
        assert cell == (f"places {min(near)} to {max(near)}" if near else "none")
        # All between the first and the last are among them, but for the learner itself.
        assert max(near) - min(near) in (len(near) - 1, len(near))
