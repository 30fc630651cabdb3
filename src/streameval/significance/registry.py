"""All significance tests by name. To add one: its module, and a line here."""

from __future__ import annotations

from typing import Any

from streameval.lazy_registry import LazyRegistry
from streameval.significance.significance_test import SignificanceTest

TESTS: LazyRegistry[SignificanceTest[Any]] = LazyRegistry(
    {
        "bayesian_correlated_t": "streameval.significance.bayesian_correlated_t:TEST",
        "corrected_t": "streameval.significance.corrected_t:TEST",
        "diebold_mariano": "streameval.significance.diebold_mariano:TEST",
        "e_process": "streameval.significance.e_process:TEST",
        "fluctuation": "streameval.significance.fluctuation:TEST",
        "friedman": "streameval.significance.friedman:TEST",
        "kappa_z": "streameval.significance.kappa_z:TEST",
        "kfold_interval": "streameval.significance.kfold_interval:TEST",
        "label_order": "streameval.significance.label_order:TEST",
        "mcnemar": "streameval.significance.mcnemar:TEST",
        "mcnemar_exact": "streameval.significance.mcnemar_exact:TEST",
        "paired_t": "streameval.significance.paired_t:TEST",
        "runs_permutation": "streameval.significance.runs_permutation:TEST",
        "runs_t": "streameval.significance.runs_t:TEST",
        "series_t": "streameval.significance.series_t:TEST",
        "sign_test": "streameval.significance.sign_test:TEST",
        "wilcoxon": "streameval.significance.wilcoxon:TEST",
    }
)
