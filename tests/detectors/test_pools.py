"""Detectors of a pool are independent of each other."""

from __future__ import annotations

import numpy as np
import pytest
from naive import detectors as naive
from numba import njit

from streameval.detectors import eddm, hddm_a, hddm_w, kswin, page_hinkley, rddm, stepd
from streameval.detectors.registry import parse

LOG = np.log(1 / 0.05)
#: Detectors, the pools of three of them, their kernels and options.
POOLS = {
    "eddm:10:5:0.9:0.8": (
        eddm.eddm_start(3),
        eddm.eddm_insert,
        eddm.EDDMOptions(10, 5, 0.9, 0.8),
    ),
    "hddm_a:0.05:0.05": (
        hddm_a.hddm_a_start(3),
        hddm_a.hddm_a_insert,
        hddm_a.HDDMAOptions(LOG, np.log(2 / 0.05), np.log(2 / 0.05), True),
    ),
    "hddm_w:0.05:0.05:0.1:true": (
        hddm_w.hddm_w_start(3),
        hddm_w.hddm_w_insert,
        hddm_w.HDDMWOptions(0.1, LOG, LOG, True),
    ),
    "kswin:0.2:25:8": (
        kswin.kswin_start(3, 25, 8, 1),
        kswin.kswin_insert,
        kswin.critical_difference(8, 0.2),
    ),
    "page_hinkley:5:0.01:2": (
        page_hinkley.page_hinkley_start(3),
        page_hinkley.page_hinkley_insert,
        page_hinkley.PageHinkleyOptions(5, 0.01, 2.0, 0.9999, False),
    ),
    "rddm:10:1:2:60:20:15": (
        rddm.rddm_start(3, 20),
        rddm.rddm_insert,
        rddm.RDDMOptions(10, 1.0, 2.0, 60, 15),
    ),
    "stepd:8:0.05:0.2": (
        stepd.stepd_start(3, 8),
        stepd.stepd_insert,
        stepd.STEPDOptions(0.05, 0.2, False),
    ),
}


def in_turn(insert):
    """Return a function that feeds the detectors of a pool, each at its turn."""

    @njit
    def run(state, members, values, options, signals):
        for t in range(len(values)):
            signals[t] = insert(state, members[t], values[t], options)

    return run


@pytest.mark.parametrize("text", POOLS)
def test_members_of_a_pool_are_independent(text):
    state, insert, options = POOLS[text]
    values = [list(naive.inputs(seed, (0.1, 0.5, 0.2, 0.9), 900)) for seed in (1, 2, 3)]
    members = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], 900))
    mixed, signals = np.empty(2700), np.empty(2700, dtype=np.int64)
    for d in range(3):
        mixed[members == d] = values[d]
    in_turn(insert)(state, members, mixed, options, signals)
    detector = parse(text)
    for d in range(3):
        # Of those that draw, only the first one has the draws of a pool of one.
        if d == 0 or detector.name != "kswin":
            alone = detector.run(values[d])
            assert len(alone.changes) > 0
            assert np.flatnonzero(signals[members == d] == 1).tolist() == alone.warnings.tolist()
            assert np.flatnonzero(signals[members == d] == 2).tolist() == alone.changes.tolist()
        else:
            assert (signals[members == d] == 2).any()
