"""Results are the same whatever kind of processor OpenBLAS and numpy choose their code for.

OpenBLAS sums in another order on each, and with or without fused multiplication, so that last
digits of its products differ; numpy has its own logarithms and powers for some. Where a table comes
from products of matrices, their sums are exact.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from streameval.base.settings import ROOT

#: Products that OpenBLAS may do, and why their last digits reach no table.
PRODUCTS = {
    "evaluation/kappa_intervals.py": "sums of whole numbers",
    "papers/grzenda2019/published.py": "a claim shows three digits",
    "papers/zliobaite2015/baselines.py": "a claim shows three digits",
    "significance/bayesian_signed_rank.py": "weights that differ by rounding count as equal",
    "significance/over_runs.py": "sums that differ by rounding count as equal",
    "significance/simultaneous.py": "sums of multiples of a power of two, which are exact",
    "significance/streams_needed.py": "sums of whole numbers",
    "significance/wilcoxon.py": "sums of whole numbers",
    "streams/readers/leaks.py": "a warning; differences of rounding count as none",
}
NAMES = {"linalg", "dot", "vdot", "inner", "matmul", "tensordot", "corrcoef", "cov", "polyfit"}
NAMES |= {"convolve", "correlate", "lstsq"}
#: Prints digests of frames, and of a product that differs by the processor.
CODE = """
import hashlib, json
import numpy as np
import pandas as pd
import streameval as se
from streameval.items.propositions import baseline_accuracies, error_dependence
from streameval.evaluation.over_bins import over_bins
from streameval.streams.delay_laws import DelayLaw

random = np.random.default_rng(1)
stream = se.generate("sea", rows=900)
result = se.evaluate(stream, ["naive_bayes", "majority"], delay=60)
bins = result.bins(3, moa=True)
correct = {name: random.random((700, 5)) < 0.8 for name in result.learners}
numbers = se.evaluate(se.generate("planes", rows=900), "amrules", delay=60)
law = DelayLaw((90.0,), "geometric", (0.1,))
frames = {
    "errors": error_dependence.run_errors((0.7, 0.3), [0.58, 0.64, 0.7, 0.8, 0.9], 2, 900),
    "memory": baseline_accuracies.run_memory((0.7, 0.3), 0.9, 1, 900),
    "bins": bins,
    "weighted": over_bins(
        bins, correct, {"half": 0.5, "given": [0.3, 0.2, 0.1, 0.3, 0.1]}, ["accuracy", "kappa"]
    ),
    "errors by bin": numbers.bins(3),
    "arrivals": pd.DataFrame(law.arrives_within(np.arange(2000), np.zeros(2000, int), 2)),
}
digests = {
    name: hashlib.sha256(frame.to_csv(float_format="%.17g").encode()).hexdigest()
    for name, frame in frames.items()
}
product = random.random((40, 200)) @ random.random((200, 40))
print(json.dumps([digests, product.sum(axis=1).tolist()]))
"""


def test_tables_are_the_same_for_other_processors(capsys):
    """Prescott is the oldest one that OpenBLAS knows: all others can do what it can."""
    exec(CODE, {})
    tables, product = json.loads(capsys.readouterr().out)
    chosen = np.show_config("dicts")["SIMD Extensions"].get("found", [])
    oldest = {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": " ".join(chosen)}
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env=os.environ | oldest,
        capture_output=True,
        text=True,
        check=True,
    )
    other, another = json.loads(done.stdout)
    if product == another:
        pytest.skip("the products of this numpy do not depend on the processor")
    assert tables == other


def products_of(path) -> bool:
    """Whether a module multiplies matrices or solves for one."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(
        isinstance(getattr(node, "op", None), ast.MatMult)
        or (isinstance(node, ast.Attribute) and node.attr in NAMES)
        or (isinstance(node, ast.keyword) and node.arg == "optimize")
        for node in ast.walk(tree)
    )


def test_products_are_where_their_last_digits_reach_no_table():
    package = ROOT / "src" / "streameval"
    modules = {
        str(path.relative_to(package)) for path in package.rglob("*.py") if products_of(path)
    }
    assert modules == {*PRODUCTS}
