"""The claims of Bifet et al. (2015), Efficient online evaluation of big data stream classifiers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from streameval.papers.bifet2015.estimates import OF_ESTIMATES
from streameval.papers.bifet2015.examples import OF_EXAMPLES
from streameval.papers.bifet2015.published import LENGTHS, PERIOD, SIMILAR
from streameval.papers.bifet2015.rejections import OF_TABLE_2
from streameval.papers.bifet2015.single_tests import OF_TESTS
from streameval.papers.bifet2015.theorems import OF_THEOREMS
from streameval.report.claims.condition import Condition, Outcome, Predicate, of_traces
from streameval.report.results import Results
from streameval.report.tables import number_text

#: The learners of Figure 2, and the measures beside kappa_m.
TREE, MAJORITY = "hoeffding_tree", "moving_majority"
OTHERS = ("kappa", "harmonic_mean")


def of_figure(check: Callable[[pd.DataFrame, str], Outcome]) -> Callable[[Results], Outcome]:
    """Return the check of the curves of Figure 2."""
    return lambda results: of_traces(results, "bifet2015/fig2", "curves", ("elec2",), check)


def _measures(curves: pd.DataFrame, learner: str, wanted: Sequence[str]) -> pd.DataFrame | str:
    """Return measures of a learner by window, or which of them are missing."""
    rows = curves[curves["learner"] == learner]
    table = rows.pivot_table("value", "instance", "measure", dropna=False, observed=True)
    lacking = {*wanted} - {*table}
    if lacking:
        return f"the figure of this run lacks {' and '.join(sorted(lacking))} of {learner}"
    return table


def _unnoticed(curves: pd.DataFrame, stream: str) -> Outcome:
    tree = _measures(curves, TREE, ("kappa_m", *OTHERS))
    if isinstance(tree, str):
        return tree
    negative = tree["kappa_m"] < 0
    at, last = tree.index.to_numpy(), int(tree.index.max())
    longest = _longest_stretch(at, negative.to_numpy()) / last
    conditions = [
        Condition(
            longest >= PERIOD,
            f"kappa_m of {TREE} is below 0 in {100 * float(negative.mean()):.1f} % of the windows, "
            f"for at most {100 * longest:.1f} % of the stream without a break",
        )
    ]
    for measure in OTHERS:
        least = float(tree.loc[negative, measure].min())
        text = f"{measure} of {TREE} is at least {number_text(least)} there"
        conditions.append(Condition(least > 0, text))
    return conditions


def _majority_positive(curves: pd.DataFrame, stream: str) -> Outcome:
    majority = _measures(curves, MAJORITY, ("kappa_m", *OTHERS))
    if isinstance(majority, str):
        return majority
    size = float(majority["kappa_m"].abs().max())
    text = f"kappa_m of {MAJORITY} is at most {number_text(size)} from 0"
    conditions = [Condition(size == 0, text)]
    for measure in OTHERS:
        share = float((majority[measure] > 0).mean())
        text = f"{measure} of {MAJORITY} is above 0 in {100 * share:.1f} % of the windows"
        conditions.append(Condition(share >= PERIOD, text))
    return conditions


def _longest_stretch(at: np.ndarray, which: np.ndarray) -> int:
    """Return how many instances lie between the ends of the longest run of marked windows."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], which, [False]))))
    starts, stops = edges[::2], edges[1::2] - 1
    return int((at[stops] - at[starts]).max(initial=0))


def _kappa_m_below(curves: pd.DataFrame, stream: str) -> Outcome:
    table = _measures(curves, TREE, ("kappa", "kappa_m"))
    if isinstance(table, str):
        return table
    above = float((table["kappa_m"] - table["kappa"]).max())
    text = f"kappa_m of {TREE} is above kappa by {number_text(above)} at most"
    return [Condition(above <= SIMILAR, text)]


def _length(curves: pd.DataFrame, stream: str) -> Outcome:
    last = int(curves["instance"].max())
    return [Condition(last == LENGTHS["elec2"], f"it ends at instance {last:,}")]


CLAIMS: dict[str, Predicate] = {
    **OF_EXAMPLES,
    **OF_TABLE_2,
    **OF_TESTS,
    **OF_THEOREMS,
    "kappa_m_negative": Predicate(
        "kappa_m, here against the majority of the last 1000 labels as in Section 5.4.1, is below "
        f"0 for the Hoeffding tree over at least {100 * PERIOD:g} % of the stream without a break, "
        "and in all these windows kappa and H are above 0",
        of_figure(_unnoticed),
        universal=True,
    ),
    "kappa_m_not_above_kappa": Predicate(
        "in no window that the figure shows kappa_m of the Hoeffding tree is above its kappa by "
        f"more than {SIMILAR}",
        of_figure(_kappa_m_below),
        universal=True,
    ),
    "majority_kappa_positive": Predicate(
        "for the majority of the last 1000 labels kappa_m is 0 in all windows that the figure "
        f"shows, and kappa and H are above 0 in at least {100 * PERIOD:g} % of them",
        of_figure(_majority_positive),
        universal=True,
    ),
    "electricity_length": Predicate(
        f"the last window of the figure ends at instance {LENGTHS['elec2']:,}",
        of_figure(_length),
        universal=True,
    ),
    **OF_ESTIMATES,
}
