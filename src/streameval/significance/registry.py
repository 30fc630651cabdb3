"""All significance tests by name. To add a test, write its module and add a line here."""

from __future__ import annotations

from typing import Any

from streameval.base.sources import LazyRegistry
from streameval.significance.significance_test import SignificanceTest

TESTS: LazyRegistry[SignificanceTest[Any]] = LazyRegistry(
    {
        "bayesian_correlated_t": "streameval.significance.t_over_folds:BAYESIAN_CORRELATED_T",
        "bayesian_signed_rank": "streameval.significance.bayesian_signed_rank:TEST",
        "corrected_t": "streameval.significance.t_over_folds:CORRECTED_T",
        "diebold_mariano": "streameval.significance.series_tests:DIEBOLD_MARIANO",
        "e_process": "streameval.significance.e_process:TEST",
        "fluctuation": "streameval.significance.fluctuation:TEST",
        "friedman": "streameval.significance.friedman:TEST",
        "kappa_z": "streameval.significance.kappa_z:TEST",
        "kfold_interval": "streameval.significance.kfold_interval:TEST",
        "label_order": "streameval.significance.label_order:TEST",
        "mcnemar": "streameval.significance.mcnemar:MCNEMAR",
        "mcnemar_exact": "streameval.significance.mcnemar:MCNEMAR_EXACT",
        "paired_t": "streameval.significance.t_over_folds:PAIRED_T",
        "runs_permutation": "streameval.significance.over_runs:RUNS_PERMUTATION",
        "runs_t": "streameval.significance.over_runs:RUNS_T",
        "series_t": "streameval.significance.series_tests:SERIES_T",
        "sign_test": "streameval.significance.sign_test:TEST",
        "streams_sign": "streameval.significance.over_streams:STREAMS_SIGN",
        "streams_wilcoxon": "streameval.significance.over_streams:STREAMS_WILCOXON",
        "wilcoxon": "streameval.significance.wilcoxon:TEST",
    }
)
