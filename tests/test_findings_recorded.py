"""The numbers of docs/findings.md are those that code computes, sentence by sentence."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy
from helpers.findings import IN_WORDS, TEXT, said

from calibration.verdict_laws import APART, ENTITIES, NULLS
from streameval import papers
from streameval.base.settings import ROOT
from streameval.base.table_files import read_csv
from streameval.evaluation.coverage import INTERVALS_OF_GROUPS, VERDICTS_OF_GROUPS, SlowLaw
from streameval.evaluation.coverage import VERDICTS as RECORD
from streameval.evaluation.records import read_record
from streameval.evaluation.run import run_learners
from streameval.items.performance.measures import signs
from streameval.items.theorems.theorems import distance_law, set_bound
from streameval.learners.registry import load_learners
from streameval.measures.moa import moa_evaluate
from streameval.papers.bifet2015.published import RUNS
from streameval.protocols.registry import parse
from streameval.report.claims import UNIVERSAL
from streameval.report.recorded_scorecard import agreements, intervals, recorded_scorecard
from streameval.significance.intervals import (
    Interval,
    interval_of_difference,
    mean_of_rates,
)

PUBLISHED = ROOT / "resources" / "published"
SHOWN = papers.among(["bifet2015"])


def asked_in_the_limit(error: float, delta: float) -> float:
    """Return how many times as many instances as needed the bound asks for, where there are many.

    What is needed is that a normal estimate is within its distance with probability 1 - `delta`.
    """
    needed = float(scipy.special.ndtri(1.0 - delta / 2.0)) ** 2 * error * (1.0 - error)
    return float(np.log(2.0 / delta)) / 2.0 / needed


@pytest.fixture(scope="module")
def record():
    return read_record(ROOT / "resources" / "recorded" / "bifet2015" / "paper")


@pytest.fixture(scope="module")
def rates(record) -> pd.DataFrame:
    """Return the rates of single streams that are recorded at the paper's scale."""
    card = recorded_scorecard(SHOWN, PUBLISHED, [record])
    rows = card[card["item"].isin(["table3", "table4"])]
    keys = rows["key"].str.split("/", expand=True)
    keys.columns = ["stream", "noise", "validation"]
    within = rows["verdict"] == "within sampling error"
    return pd.concat([rows, keys], axis=1).assign(within=within, same=keys["noise"] == "0")


def test_rates_within_sampling_error(rates):
    same, noise = rates[rates["same"]], rates[~rates["same"]]
    assert said(
        f"Of {len(rates)} rates of single streams at the paper's scale {rates['within'].sum()} are "
        f"within sampling error: {same['within'].sum()} of {len(same)} without noise, "
        f"{noise['within'].sum()} of {len(noise)} with noise."
    )
    assert said(
        f"With noise our tests find the difference in {100 * noise['ours'].min():.0f} to "
        f"{100 * noise['ours'].max():.0f} % of the runs."
    )
    generator = rates.loc[~rates["within"], "stream"].str.partition("_")[0]
    assert said(
        f"Of the {len(generator)} rates that differ, {(generator == 'sea').sum()} are SEA's and "
        f"{(generator == 'rbf').sum()} random RBF's."
    )
    others = noise[noise["stream"].str.startswith(("elec2", "hyp_"))]
    assert said(
        "On electricity and Hyperplane noise shows as in the paper, but for "
        f"{(~others['within']).sum()} of {len(others)} rates."
    )


def test_averages_with_the_widths_of_their_intervals(record):
    found = intervals(SHOWN, PUBLISHED, record)
    is_same = found["key"].str.split("/").str[2] == "0"
    same, noise = found[is_same], found[~is_same]
    ends = f"{same['width'].min():.2f} to {same['width'].max():.2f}"
    assert not noise["agrees"].any()
    agree = same["agrees"].sum()
    assert said(
        f"The averages of Table 2 are so in {agree} of {len(same)} cells without noise, in none of "
        f"{len(noise)} with noise."
    )
    assert said(
        f"The {agree} of {len(same)} are by intervals about these "
        f"{IN_WORDS[len(record.streams)]} streams ({ends} wide)."
    )
    (sentence,) = agreements(SHOWN, PUBLISHED, [record])
    assert f"{agree} of {len(found)}, by intervals about these streams" in sentence


def test_mcnemars_rates_by_scheme(rates):
    rows = rates[(rates["item"] == "table3") & rates["same"]]
    printed = rows["published"].astype(float)
    assert said(
        f"McNemar's test rejects in {100 * rows['ours'].min():.0f} to "
        f"{100 * rows['ours'].max():.0f} % of the runs of a stream (held out; printed "
        f"{100 * printed.min():.0f} to {100 * printed.max():.0f} %)."
    )
    ours, theirs = (
        rows.assign(value=values).pivot_table("value", "stream", "validation")
        for values in (rows["ours"], printed)
    )
    fewest, printed_so = ((one.idxmin(axis=1) == "cv").sum() for one in (ours, theirs))
    assert said(
        f"With cross-validation it rejects in the fewest runs on {fewest} of {len(ours)} streams, "
        f"in print on {printed_so}."
    )


def test_odd_hundredths_of_the_printed_rates():
    odd = {}
    for name in ("table3", "table4"):
        printed = pd.read_csv(PUBLISHED / "bifet2015" / f"{name}.csv", dtype=str)
        hundredths = printed["rejection_fraction"].astype(float).mul(100).round().astype(int)
        odd[name] = (int((hundredths % 2).sum()), len(hundredths))
    assert said(
        f"{odd['table3'][0]} of the {odd['table3'][1]} rates of Table 3 and {odd['table4'][0]} of "
        f"the {odd['table4'][1]} of Table 4 are odd hundredths"
    )
    assert said("Proportions of 50 runs are even hundredths.")  # 100 / 50


def test_the_runs_that_are_compared(record):
    rates = pd.concat([pd.read_csv(file) for file in record.folder.glob("*.rates.csv")])
    assert rates["runs"].unique() == [50]
    streams = Counter(name.partition("_")[0] for name in record.streams)
    sea, hyperplane, rbf = (IN_WORDS[streams[name]] for name in ("sea", "hyp", "rbf"))
    assert streams["elec2"] == streams["led"] == 1
    assert said(
        f"electricity, one stream of LED, {sea} of SEA, {hyperplane} of Hyperplane and {rbf} of "
        "random RBF, 50 runs each."
    )
    assert said(f"over these {IN_WORDS[len(record.streams)]} streams, in the paper over all")
    assert RUNS == 50
    assert said("We compare each rate with ours as two samples, 50 runs of the paper for each")


def test_wilcoxons_test_with_split():
    table = pd.read_csv(PUBLISHED / "bifet2015" / "table2.csv")
    chosen = table["test"].eq("wilcoxon") & table["p_noise"].eq(0) & table["validation"].eq("split")
    low, high = sorted(table.loc[chosen, "value"])
    assert said(f"The paper's own rates with split, {low:.2f} and {high:.2f}, are not near it.")


def test_the_page_names_the_claims_that_are_refuted_since_they_are_universal():
    rules = pd.read_csv(ROOT / "docs" / "rules.csv", keep_default_na=False)
    changed = rules[
        rules["rule"].str.contains(UNIVERSAL, regex=False)
        & (rules["before"] == "claim holds in part")
        & (rules["after"] == "claim does not hold")
    ]
    *first, last = [f"`{key}`" for key in changed["key"]]
    paragraph = TEXT.partition("**Universal claims.**")[2].partition("**Intervals.**")[0]
    assert len(changed) == 6  # "Six claims"
    assert all(key in paragraph for key in (*first, last))


@pytest.fixture(scope="module")
def sizes(record) -> dict[tuple[str, int], Interval]:
    """Return the rates of rejection of a true null hypothesis by test and length."""
    names = ("sea_50", "hyp_10_0.001", "rbf_0_0")
    rates = pd.concat([pd.read_csv(record.folder / f"{name}.rates.csv") for name in names])
    chosen = rates["scheme"].eq("bootstrap_validation") & rates["reading"].eq("learnt")
    chosen &= rates["alternative"].eq("same") & rates["test"].isin(["mcnemar", "paired_t"])
    assert rates.loc[chosen, "runs"].eq(50).all()
    by_cell = rates[chosen].groupby(["test", "instances"])
    return {key: mean_of_rates(own["value"], own["runs"]) for key, own in by_cell}


def test_the_size_of_mcnemars_test_by_length_has_its_runs_and_intervals(sizes):
    def written(test: str) -> list[str]:
        found = [sizes[test, n] for n in (10_000, 100_000, 1_000_000)]
        return [" ".join(_percent(one).split()) for one in found]

    first, second, third = written("mcnemar")
    of_t = written("paired_t")
    assert said(
        f"McNemar's test rejects in {first}, {second} and {third} % of 150 runs after 10,000, "
        f"100,000 and a million instances, the paired t-test in {of_t[0]}, {of_t[1]} and "
        f"{of_t[2]} %."
    )
    growth = interval_of_difference(sizes["mcnemar", 1_000_000], sizes["mcnemar", 100_000])
    points = _percent(growth).replace("-", "−")
    assert said(
        "From 100,000 to a million McNemar's rate changes by "
        f"{points.replace(' (', ' point (')}: these runs show no further growth"
    )
    assert growth.low < 0 < growth.high


def _percent(found: Interval) -> str:
    value, low, high = (round(100 * number) for number in found)
    return f"{value} ({low} to {high})"


def test_theorem_1_in_the_limit():
    half, fifth, twentieth = (asked_in_the_limit(error, 0.05) for error in (0.5, 0.2, 0.05))
    assert said(
        f"the bound with δ = 0.05 asks for {half:.1f} times as many instances as needed at a "
        f"true error of 0.5, for {fifth:.1f} times as many at 0.2, and for {twentieth:.1f} times "
        "as many at 0.05."
    )
    # By the exact law of 5,000 instances it is near that.
    distances, masses = distance_law(0.05, 5000)
    quantile = distances[masses.cumsum().searchsorted(0.95)]
    assert (float(set_bound(5000, 0.05)) / quantile) ** 2 == pytest.approx(twentieth, rel=0.05)


def test_figure_2_over_all_windows(real_stream):
    stream = real_stream("elec2")
    rows = load_learners(ROOT / "config" / "learners.yaml")
    learners = {name: rows[name].make() for name in ("hoeffding_tree", "moving_majority")}
    table, _ = run_learners(stream, parse("prequential"), learners)
    names = ["kappa", "harmonic_mean", "kappa_m"]
    found = signs(replace(table, majority="moving_majority"), [*learners], names, 1000)
    cell = found.set_index(["learner", "measure"])
    tree = cell.loc["hoeffding_tree"]
    below = int(tree.loc["kappa_m", "below"])
    windows = int(tree.loc["kappa_m", "windows"])
    assert said(
        f"Of all {windows:,} windows, κ_m of the tree is below 0 in {below:,} "
        f"({100 * below / windows:.1f} %), whose ends are from instance "
        f"{tree.loc['kappa_m', 'first_below']:,.0f} to {tree.loc['kappa_m', 'last_below']:,.0f}; "
        f"there κ is at least {tree.loc['kappa', 'least_beside']:.3f} and H at least "
        f"{tree.loc['harmonic_mean', 'least_beside']:.3f}."
    )
    moving = cell.loc["moving_majority"]
    positive = [100 * moving.loc[name, "above"] / windows for name in ("kappa", "harmonic_mean")]
    assert said(
        f"κ and H of the sliding majority are positive in {positive[0]:.1f} % and "
        f"{positive[1]:.1f} % of the windows."
    )
    predicted, true = table.predicted["moving_majority"], table.true
    correct, ones = (
        np.convolve(one, np.full(1000, 1), "valid") for one in (predicted == true, true)
    )
    larger = np.maximum(ones, 1000 - ones)
    at = np.arange(1000, len(true) + 1)
    so_far = signs(table, ["moving_majority"], ["kappa_m"], 1000).iloc[0]
    of_moa = moa_evaluate(true, predicted, 2, "window", at=at).kappa_m
    assert said("with that very classifier, the majority of the last 1000 labels.")
    rows_of_the_table = {
        "the majority of the same labels (`majority: moving_majority` in this figure)": [
            *moving.loc["kappa_m", ["least", "greatest", "below", "above"]]
        ],
        "the majority of all labels so far (our default)": [
            *so_far[["least", "greatest", "below", "above"]]
        ],
        "the larger class of the evaluated window": _signs((correct - larger) / (1000 - larger)),
        "MOA's, which has seen the current label": _signs(of_moa),
    }
    for name, (least, greatest, low, high) in rows_of_the_table.items():
        ends = [f"{end:.2f}".removesuffix(".00").replace("-", "−") for end in (least, greatest)]
        shares = [f"{100 * count / windows:.1f} %" for count in (low, high)]
        assert said(f"| {name} | {' to '.join(ends)} | {' | '.join(shares)} |")


def _signs(values: np.ndarray) -> list[float]:
    return [values.min(), values.max(), (values < 0).sum(), (values > 0).sum()]


def test_what_table_1_itself_says_of_claims_on_figures():
    columns = ["stream", "bin", "learner"]
    table = pd.read_csv(PUBLISHED / "grzenda2019" / "table1.csv", dtype=str)
    cell = table.set_index(columns)["accuracy_percent"]
    knn, forest = cell["hyperplane", "0", "knn"], cell["hyperplane", "0", "adaptive_random_forest"]
    assert float(knn) > float(forest)
    assert said(f"k-NN has {float(knn):.1f} % in bin 0, the forest {float(forest):.1f} %")
    late, last = (cell["led", b, "no_change"] for b in ("45", "B+1"))
    assert float(late) > float(last)
    assert said(f"No-Change has {late} % in bin 45 of LED and {last} % in the last bin")


def test_the_number_of_claims_on_figures():
    claims = pd.read_csv(PUBLISHED / "grzenda2019" / "claims.csv")
    assert said(f"The scorecard has {claims['claim'].str.contains('Section').sum()} claims about")


def test_verdicts_that_hold():
    found = read_csv(ROOT / RECORD)
    changing = ("turns_", "frequent_")
    steady = found[found["law"].isin([law for law in NULLS if not law.startswith(changing)])]
    rates, most = steady["excludes"], found.groupby("law")["excludes"].max()
    assert said(
        f"the interval excludes 0 in {100 * rates.min():.1f} to {100 * rates.max():.1f} % of fresh "
        f"streams, over {len(steady)} cells of law, length and validation."
    )
    words = ("none", "one", "two", "three")
    above = words[(steady["excludes_high"] > 0.08).sum()]
    assert said(f"The upper ends of {above} of these rates' intervals are above 8 %.")
    by_length = found.groupby("instances")["streams"].unique()
    assert list(by_length.pop(by_length.index.max())) == [200]
    assert {*map(int, by_length.explode())} == {400}
    assert said("(prequential, `beyond/verdict_calibration_recorded`; 400 streams a cell, 200 of")
    folds = steady[steady["validation"].isin(["bootstrap_validation", "cross_validation"])]
    other = folds[folds["law"] != "forests"]["by_other"]
    assert said(
        "it says that one of two equal simple learners is better in "
        f"{100 * other.min():.1f} to {100 * other.max():.1f} % of the streams."
    )
    turns = [f"{100 * most[f'turns_{number}']:.1f}" for number in (3, 10, 30, 100)]
    assert said(
        f"with 3, 10, 30 and 100 changes the interval excludes 0 in up to {', '.join(turns[:3])} "
        f"and {turns[3]} % of the streams."
    )
    largest = found.pivot_table("excludes", "law", "validation", aggfunc="max")
    classes = largest.loc[["frequent_80", "frequent_90", "frequent_95"]]
    plain = [f"{100 * rate:.1f}" for rate in classes["prequential"]]
    split = [f"{100 * rate:.1f}" for rate in classes["split_validation"]]
    assert said(
        "With 80, 90 and 95 % of the labels in one class it does so in up to "
        f"{plain[0]}, {plain[1]} and {plain[2]} % of the prequential runs of simple learners."
    )
    assert said(
        f"Split validation, whose models learn different instances, has {split[0]}, {split[1]} and "
        f"{split[2]} %."
    )
    shown = steady[steady["interval"] > 0]
    of_intervals = (shown["excludes"] / shown["interval"]).max()
    assert said(
        "Where most streams are too short for an interval, up to "
        f"{100 * of_intervals:.1f} % of those that are there exclude 0."
    )
    inside = found[found["law"] == "half_point"]
    plain = found[found["validation"] == "prequential"].set_index(["law", "instances"])
    assert said(
        "With the region that `compare` takes where nothing is given, of learners that are half a "
        "point apart one is said to beat the other in at most "
        f"{100 * inside['better'].max():.1f} %; after 100,000 "
        "instances both are practically equal in "
        f"{100 * plain.loc[('half_point', 100_000), 'equal']:.1f} %."
    )
    three = [100 * plain.loc[("three_points", n), "better"] for n in (1000, 10_000, 100_000)]
    assert said(
        f"A difference of three points is found in {three[0]:.1f} % of streams of 1,000 instances, "
        f"{three[1]:.1f} % of 10,000 and {three[2]:.1f} % of 100,000"
    )
    assert said("learners that are three or ten points apart are nowhere practically equal.")
    assert found.loc[found["law"].isin([*APART]), "equal"].max() == 0.0


def test_rows_of_several_entities():
    found, singles = read_csv(ROOT / VERDICTS_OF_GROUPS), read_csv(ROOT / INTERVALS_OF_GROUPS)
    nulls, ahead = (found[found["law"].isin(laws)] for laws in ([*ENTITIES], [*APART]))
    plain = nulls[nulls["validation"] == "prequential"]
    folds = nulls[nulls["validation"].isin(["bootstrap_validation", "cross_validation"])]
    assert said(
        "the interval of the difference of two equal learners excludes 0 in at most "
        f"{100 * plain['excludes'].max():.1f} % of the streams of prequential runs. McNemar's test "
        f"says that one is better in {100 * plain['by_other'].min():.1f} to "
        f"{100 * plain['by_other'].max():.1f} %."
    )
    entities = sorted({law.entities for law in ENTITIES.values()})
    assert said(
        f"In any validation these are at most {100 * nulls['excludes'].max():.1f} %, with "
        f"{', '.join(map(str, entities[:-1]))} and {entities[-1]} entities in rounds, at random, "
        "in bursts or one after the other, alike or unequal, with or without noise that all share."
    )
    assert said(
        "The t-test over folds of bootstrap and cross-validation says that one is better in "
        f"{100 * folds['by_other'].min():.1f} to {100 * folds['by_other'].max():.1f} %."
    )
    streams = found.groupby("instances")["streams"].first()
    ten = ahead[ahead["validation"] == "prequential"].set_index("instances")["better"]
    assert said(
        f"A difference of ten points is found in {100 * ten[1000]:.1f} % of streams of 1,000 "
        f"instances and {100 * ten[4000]:.1f} % of 4,000 (prequential, "
        f"`beyond/verdict_calibration_groups`; {streams[1000]} and {streams[4000]} streams a cell)."
    )
    steady = singles[singles["law"].isin([*ENTITIES])]
    own = steady[(steady["learner"] == "learner") & (steady["interval"] > 0.5)]
    most = 100 * own.groupby("measure")["missed"].max()
    assert said(
        f"at most {most['accuracy']:.1f} % of those of the accuracy of a single learner miss, and "
        f"at most {most['kappa']:.1f}, {most['kappa_temporal']:.1f} and {most['kappa_m']:.1f} % of "
        "those of κ, κ_t and κ_m"
    )


def test_error_rates_that_move_slowly():
    plain, grouped = read_csv(ROOT / RECORD), read_csv(ROOT / VERDICTS_OF_GROUPS)
    records = pd.concat([plain, grouped])
    prequential = records[records["validation"] == "prequential"].set_index(["law", "instances"])
    rates = 100 * prequential["excludes"]
    short, long, longest = (rates["slow_99", n] for n in (1000, 10_000, 100_000))
    half_life = SlowLaw.of("slow_99").half_life
    assert said(
        f"so that half of a deviation is left after {half_life} instances, the interval excludes 0 "
        f"in {short:.1f} % of the streams of 1,000 instances, {long:.1f} % of 10,000 and "
        f"{longest:.1f} % of 100,000."
    )
    few, many = ([rates[law, n] for n in (1000, 4000)] for law in ("slow_99_3", "slow_99_20"))
    assert said(
        f"With 3 entities it does in {few[0]:.1f} % of 1,000 and {few[1]:.1f} % of 4,000, with 20 "
        f"in {many[0]:.1f} and {many[1]:.1f} %."
    )
