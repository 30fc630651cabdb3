"""A run that shows too little is no ground for a claim."""

from __future__ import annotations

import pytest
from helpers.scorecards import judged, results
from test_claims_zliobaite2015 import alarms, by_lag, combined, orders

FALLING = orders(0.4, 0.02, 0.001, 0.021)


@pytest.mark.parametrize(
    ("claim", "figure", "part", "frame", "verdict", "says"),
    [
        (
            *("gain_by_lag", "fig6", "lags", by_lag().query("lags < 3")),
            *("not run: lower scale", "zliobaite2015/fig6, elec2_mlj: needs lags (labels) 3, 4, 5"),
        ),
        (
            *("lbag_combined_kappa", "fig4", "curves"),
            combined(0.0, 0.5).query("learner == 'leveraging_bagging'"),
            *("not run", "does not have leveraging_bagging_corrected"),
        ),
        (
            *("first_order_dependence", "fig5", "dependence", FALLING.query("order <= 2")),
            *("not run: lower scale", "zliobaite2015/fig5, covtype: needs order 3 too"),
        ),
        (
            *("first_order_dependence", "fig5", "dependence", FALLING.query("order < 48")),
            *("not run: lower scale", "zliobaite2015/fig5, elec2: needs order 48 too"),
        ),
        (
            *("nb_equals_ddm", "fig7", "false_alarms", alarms(seeds=3)),
            *("not run: lower scale", "needs 10 values of seed, found 3"),
        ),
    ],
)
def test_a_figure_that_shows_too_little_is_no_ground(claim, figure, part, frame, verdict, says):
    streams = ("elec2", "elec2_mlj", "covtype", "kdd99")
    ours = {f"zliobaite2015__{figure}__{stream}__{part}": frame for stream in streams}
    judgement = judged("zliobaite2015", claim, results(**ours))
    assert judgement.verdict == verdict
    assert says in judgement.reason
    del ours[f"zliobaite2015__{figure}__covtype__{part}"]
    judgement = judged("zliobaite2015", claim, results(**ours))
    assert judgement.verdict == "not run"  # a larger scale alone would not do
    assert "stream covtype was not available: no copy" in judgement.reason or figure == "fig4"
