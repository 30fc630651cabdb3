"""The numbers of docs/findings.md that a default run finds in its tables and figures."""

from __future__ import annotations

import math

import pytest
from helpers.findings import of_run, said

from streameval.base.settings import ROOT, load_yaml

pytestmark = pytest.mark.finished_run
#: The windows of Figure 4 of Bifet et al. (2015).
LENGTHS = ("window_100", "window_1000", "window_10000")


def test_the_distances_of_figure_3():
    table = of_run("data/bifet2015/fig3/elec2.distances.csv").set_index("estimator")
    best = table.loc["window_1000"]
    assert said(
        f"the mean distance to ADWIN is {best['distance']:.3f} for the window of 1000 (95 % "
        f"interval {best['low']:.3f} to {best['high']:.3f}), "
        f"{table.loc['window_100', 'distance']:.3f} for 100 and "
        f"{table.loc['window_10000', 'distance']:.3f} for 10,000."
    )


def test_random_and_leveraging_bagging_on_ozone():
    table = of_run("measures.csv").query("stream == 'ozone'")
    chance = table[table["measure"] == "chance_accuracy"].set_index("learner")["value"]
    accuracy = table[table["measure"] == "accuracy"].set_index("learner")["value"]
    assert said(
        f"the accuracy of No-Change is {accuracy['no_change']:.4f}, that of Random by the "
        f"predictions of Naive Bayes {chance['naive_bayes']:.4f}, by those of DDM "
        f"{chance['ddm_nb']:.4f}."
    )
    curves = of_run("data/zliobaite2015/fig4/ozone.curves.csv").query(
        "learner == 'leveraging_bagging' and measure == 'kappa_combined'"
    )
    above = (curves["value"].dropna() > 0).mean()
    assert said(f"κ⁺ of leveraging bagging is above 0 in {100 * above:.1f} % of the windows.")


def test_adwin_and_windows_beside_a_hold_out():
    study = load_yaml(ROOT / "config" / "studies" / "bifet2015.yaml")
    drifting = study["items"]["bifet2015"]["fig4"]["streams"]
    assert len(drifting) == 9
    distance, closer = {}, []
    for stream in drifting:
        folder = f"data/bifet2015/fig4/{stream}"
        frame = of_run(f"{folder}.distances.csv").query("learner == 'hoeffding_tree'")
        distance[stream] = frame.set_index("estimator")["distance"]
        rows = of_run(f"{folder}.closer.csv").query("learner == 'hoeffding_tree'")
        closer.append(rows[rows["estimator"] == "adwin"].set_index("other"))
    of_adwin = {stream: row["adwin"] for stream, row in distance.items()}
    far = [of_adwin.pop(stream) for stream in ("rbf_50_0.001", "rbf_50_0.0001")]
    others = math.ceil(1000 * max(of_adwin.values())) / 1000
    assert others < min(far)
    assert said(
        f"is {far[0]:.3f} on rbf_50_0.001, {far[1]:.3f} on rbf_50_0.0001 and at most "
        f"{others:.3f} on the others."
    )
    farther, nearer = (
        {window: sum(test(rows.loc[window]) for rows in closer) for window in LENGTHS}
        for test in (lambda row: row["high"] < 0, lambda row: row["low"] > 0)
    )
    assert nearer["window_100"] == 0
    assert said(
        f"The window of 100 is farther away on {farther['window_100']} of the streams, and closer "
        f"on none. That of 10,000 is farther away on {farther['window_10000']} and closer on "
        f"{nearer['window_10000']};"
    )
    best = [row[list(LENGTHS)].idxmin() for row in distance.values()]
    assert {*best} == {"window_1000", "window_10000"}
    assert said(
        f"that of 1,000 on {best.count('window_1000')} streams, that of 10,000 on "
        f"{best.count('window_10000')}."
    )
