"""Quantiles of a target over a sliding window, compared with each window alone."""

from __future__ import annotations

import numpy as np
import pytest

from streameval.evaluation.target_quantiles import QUANTILES, quantiles_over_time


@pytest.mark.parametrize(("n", "window"), [(500, 40), (30, 100)])
def test_each_window_has_its_own_mean_and_quantiles(n, window):
    targets = np.random.default_rng(n).normal(size=n)
    frame = quantiles_over_time(targets, window, points=60)
    assert [*frame] == ["mean", *QUANTILES, "instance"]
    assert frame["instance"].is_monotonic_increasing
    assert frame["instance"].iloc[-1] == n
    for row in frame.to_dict("records"):
        last = targets[max(row["instance"] - window, 0) : row["instance"]]
        assert row["mean"] == last.mean()
        assert [row[name] for name in QUANTILES] == [
            np.quantile(last, part) for part in QUANTILES.values()
        ]
