"""The numbers of docs/findings.md that a default run finds in its tables and figures."""

from __future__ import annotations

import pytest
from helpers.findings import of_run, said

pytestmark = pytest.mark.finished_run


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
