"""The claims of Bifet et al. (2015), Efficient online evaluation of big data stream classifiers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from streameval.papers.bifet2015.streams import (
    DRIFTING,
    GENERATED,
    LENGTHS,
    MILLION,
    RATES,
    STUDY,
    fewer_streams,
)
from streameval.papers.bifet2015.thresholds import ABOUT, MISLEADING, PERIOD, SIMILAR, TENTH
from streameval.report.claims.condition import (
    Condition,
    Difference,
    Need,
    Outcome,
    Predicate,
    of_traces,
)
from streameval.report.names import READINGS, SCHEMES
from streameval.report.results import Results
from streameval.report.tables import number_text
from streameval.significance.intervals import CONFIDENCE, mean_interval
from streameval.significance.stream_mean import SECTIONS

#: The learner of Figures 2 and 3; of Figure 4 the paper names none.
TREE, MAJORITY = "hoeffding_tree", "moving_majority"
#: The tests of these tables, and the columns of Table 2 by their noise.
MCNEMAR, *OVER_FOLDS = TESTS = ("mcnemar", "sign_printed", "wilcoxon")
SAME, *NOISE = ("same", "noise 0.05", "noise 0.1")
_PERCENT = f"{100 * CONFIDENCE:g} %"
_BY_INTERVAL = (
    f"a difference counts where its whole {_PERCENT} interval is on one side ({SECTIONS} sections "
    "of time), and is undecided where it is not or where there is none"
)


def _kappa_m_negative(results: Results) -> Outcome:
    return of_traces(results, "bifet2015/fig2", "curves", ("elec2",), _unnoticed)


def _unnoticed(curves: pd.DataFrame, stream: str) -> Outcome:
    tables = {}
    for name in (TREE, MAJORITY):
        rows = curves[curves["learner"] == name]
        tables[name] = rows.pivot_table("value", "instance", "measure", dropna=False, observed=True)
        lacking = {"kappa", "harmonic_mean", "kappa_m"} - {*tables[name]}
        if lacking:
            return f"the figure of this run lacks {' and '.join(sorted(lacking))} of {name}"
    tree, majority = tables[TREE], tables[MAJORITY]
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
    for measure in ("kappa", "harmonic_mean"):
        least = float(tree.loc[negative, measure].min())
        text = f"{measure} of {TREE} is at least {number_text(least)} there"
        conditions.append(Condition(least > 0, text))
    size = float(majority["kappa_m"].abs().max())
    text = f"kappa_m of {MAJORITY} is at most {number_text(size)} from 0"
    conditions.append(Condition(size == 0, text))
    for measure in ("kappa", "harmonic_mean"):
        share = float((majority[measure] > 0).mean())
        text = f"{measure} of {MAJORITY} is above 0 in {100 * share:.1f} % of the windows"
        conditions.append(Condition(share >= PERIOD, text))
    return conditions


def _longest_stretch(at: np.ndarray, which: np.ndarray) -> int:
    """Return how many instances lie between the ends of the longest run of marked windows."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], which, [False]))))
    starts, stops = edges[::2], edges[1::2] - 1
    return int((at[stops] - at[starts]).max(initial=0))


def _not_above_kappa(results: Results) -> Outcome:
    return of_traces(results, "bifet2015/fig2", "curves", ("elec2",), _kappa_m_below)


def _kappa_m_below(curves: pd.DataFrame, stream: str) -> Outcome:
    rows = curves[curves["learner"] == TREE]
    table = rows.pivot_table("value", "instance", "measure", dropna=False, observed=True)
    if not {"kappa", "kappa_m"} <= {*table}:
        return f"the figure of this run lacks kappa and kappa_m of {TREE}"
    above = float((table["kappa_m"] - table["kappa"]).max())
    text = f"kappa_m of {TREE} is above kappa by {number_text(above)} at most"
    return [Condition(above <= SIMILAR, text)]


def _smoother_the_longer(results: Results) -> Outcome:
    return of_traces(results, "bifet2015/fig3", "following", ("elec2",), _steps)


def _steps(following: pd.DataFrame, stream: str) -> Outcome:
    rows = following[following["learner"] == TREE].sort_values("instance")
    names = [f"window_{length}" for length in (100, 1000, 10_000)]
    if not {*names} <= {*rows["estimator"]}:
        return f"{stream}: the figure of this run does not have {', '.join(names)} of {TREE}"
    steps = [
        float(rows.loc[rows["estimator"] == name, "accuracy"].diff().abs().mean()) for name in names
    ]
    return [
        Condition(
            larger > smaller,
            f"accuracy moves by {number_text(larger, 5)} from point to point in {shorter_one}, by "
            f"{number_text(smaller, 5)} in {longer}, on the mean",
        )
        for larger, smaller, shorter_one, longer in zip(
            steps[:-1], steps[1:], names[:-1], names[1:], strict=True
        )
    ]


def _adwin_follows_1000(results: Results) -> Outcome:
    def check(closer: pd.DataFrame, stream: str) -> Outcome:
        return _is_closer(closer, stream, "window_1000", ("window_100", "window_10000"))

    return of_traces(results, "bifet2015/fig3", "closer", ("elec2",), check)


def _adwin_follows_holdout(results: Results) -> Outcome:
    def check(closer: pd.DataFrame, stream: str) -> Outcome:
        return _is_closer(closer, stream, "adwin", ("window_100", "window_10000"))

    return of_traces(results, "bifet2015/fig4", "closer", DRIFTING, check)


def _is_closer(closer: pd.DataFrame, stream: str, one: str, others: Sequence[str]) -> Outcome:
    """Return whether an estimate of the tree's accuracy is closer than others, one by one."""
    found = {}
    rows = closer[closer["learner"] == TREE]
    ends = rows[["difference", "low", "high"]].to_numpy(dtype=float).tolist()
    for first, second, (value, low, high) in zip(
        rows["estimator"], rows["other"], ends, strict=True
    ):
        found[first, second] = Difference(value, low, high)
        found[second, first] = Difference(-value, -high, -low)
    conditions = []
    for other in others:
        if (one, other) not in found:
            return f"{stream}: the figure of this run does not have {one} and {other} of {TREE}"
        gap = found[other, one]
        text = f"{stream}: {one} is closer than {other} by {gap.text}"
        conditions.append(Condition(gap.above(), text))
    return conditions


def _mcnemar_rejects(results: Results) -> Outcome:
    item = "bifet2015/table2"
    table = results.frame(item, RATES)
    if table is None or table.empty:
        return f"this run has no {item}"
    rows = table[(table["alternative"] == SAME) & table["test"].isin(TESTS)]
    lacking = fewer_streams(results, int(rows["streams"].min())) if len(rows) else "no such rates"
    cells = len(TESTS) * len(READINGS) * len(SCHEMES)
    if lacking or len(rows) != cells:
        return f"{item} of this run: {lacking or f'{len(rows)} rates of {cells}'}"
    conditions = []
    for row in rows.to_dict("records"):
        rate = Difference(*(float(row[name]) for name in ("value", "fixed_low", "fixed_high")))
        apart = Difference(*(end - TENTH for end in rate))
        is_mcnemar = row["test"] == MCNEMAR
        holds = rate.above(MISLEADING) if is_mcnemar else apart.within(ABOUT)
        cell = f"{row['test']}, {READINGS[row['reading']]}, {SCHEMES[row['scheme']]}"
        conditions.append(Condition(holds, f"{cell}: {rate.text}"))
    return conditions


def _power_by_validation(results: Results) -> Outcome:
    found, reasons = [], []
    for stream in LENGTHS:
        rates, lacking = results.trace(STUDY, stream, "rates")
        if rates is None:
            reasons.append(lacking)
            continue
        rows = rates[(rates["instances"] == rates["instances"].max()) & rates["test"].isin(TESTS)]
        power = rows[rows["alternative"].isin(NOISE)].groupby("scheme")["value"].mean()
        if not {*SCHEMES} <= {*power.index}:
            return f"{STUDY} of this run does not have all three schemes for {stream}"
        found.append([power[scheme] for scheme in SCHEMES])
    if reasons:
        return "; ".join(dict.fromkeys(reasons))
    bootstrap, cv, split = np.array(found).T
    gaps = {
        "cv less bootstrap": cv - bootstrap,
        "bootstrap less the middle of cv and split": bootstrap - (cv + split) / 2,
        "bootstrap less split": bootstrap - split,
        "cv less split": cv - split,
    }
    conditions = []
    for text, values in gaps.items():
        gap = Difference(*mean_interval(values))
        conditions.append(Condition(gap.above(), f"{text} {gap.text}"))
    return conditions


_FULL_LENGTH = (Need(STUDY, "rates", GENERATED, "instances", (MILLION,), fewer=True),)

CLAIMS: dict[str, Predicate] = {
    "mcnemar_rejects_true_null": Predicate(
        "for two learners that differ by their seeds only, averaged over the paper's 13 streams at "
        f"their full length, McNemar's test rejects in more than {100 * MISLEADING:g} % of the "
        "runs in all six cells of Table 2; the sign test, by the paper's critical value, and "
        f"Wilcoxon's test reject in {100 * TENTH:g} %, give or take {100 * ABOUT:g} %, which is "
        f"half of the way to their nominal level; a rate counts where its whole {_PERCENT} "
        "interval, from the runs on these streams, is on one side, and is undecided where not",
        _mcnemar_rejects,
        _FULL_LENGTH,
        universal=True,
    ),
    "power_by_validation": Predicate(
        "power is the proportion of runs in which a test notices that predictions are replaced, "
        "averaged over the three tests, both modes and both levels of noise; over the paper's 13 "
        "streams at their full length, the power of cv is above that of bootstrap, that of "
        "bootstrap above the middle of cv and split, so that it is closer to cv, and both are "
        f"above split; a difference counts where its whole {_PERCENT} interval over the streams is "
        "on one side, and is undecided where not; power per second is left out, as times depend "
        "on the machine",
        _power_by_validation,
        _FULL_LENGTH,
    ),
    "kappa_m_negative": Predicate(
        "kappa_m, here against the majority of the last 1000 labels as in Section 5.4.1, is below "
        f"0 for the Hoeffding tree over at least {100 * PERIOD:g} % of the stream without a break, "
        "and in all these windows kappa and H are above 0; for the moving majority it is 0 in all "
        f"windows, and kappa and H are above 0 in at least {100 * PERIOD:g} % of them",
        _kappa_m_negative,
    ),
    "kappa_m_not_above_kappa": Predicate(
        "in no window that the figure shows kappa_m of the Hoeffding tree is above its kappa by "
        f"more than {SIMILAR}",
        _not_above_kappa,
        universal=True,
    ),
    "smoother_the_longer": Predicate(
        "from point to point of the figure the accuracy of the Hoeffding tree changes less, on the "
        "mean of the sizes, over the window of 1000 than over that of 100, and less over that of "
        "10000",
        _smoother_the_longer,
        universal=True,
    ),
    "adwin_follows_1000": Predicate(
        "the mean absolute distance to ADWIN's estimate is less for the window of 1000 than for "
        "those of 100 and 10000, over all instances from where all windows are full; "
        f"{_BY_INTERVAL}",
        _adwin_follows_1000,
        universal=True,
    ),
    "adwin_follows_holdout": Predicate(
        "for the Hoeffding tree on each of the paper's nine generated streams with drift, of a "
        "million instances, the mean absolute distance to the hold-out is less for ADWIN than for "
        "the windows of 100 and 10000, over all tests from where all windows are full; "
        f"{_BY_INTERVAL}",
        _adwin_follows_holdout,
        (Need("bifet2015/fig4", "closer", DRIFTING, "instances", (MILLION,), fewer=True),),
        universal=True,
    ),
}
