"""Compute values from a run of the papers."""

from __future__ import annotations

import re

import pandas as pd

from findings.groups import FROM_RUN, Run, Values
from findings.text import (
    in_words,
    interval,
    join_numbers,
    lower_bound,
    number,
    percent,
    span,
    texts,
    upper_bound,
)
from streameval.base.settings import ROOT, load_yaml
from streameval.papers.grzenda2019.by_bin import N_LABELS_AT_DRIFT
from streameval.papers.grzenda2019.published import (
    ADAPTIVE_TREE,
    KNN,
    LATE_BIN,
    MIN_TREND_CORRELATION,
    TRAINED_LEARNERS,
)

_TREES = ("hoeffding_tree", "hoeffding_adaptive_tree")
_FIVE = ("naive_bayes", "ddm_nb", *_TREES, "leveraging_bagging")
_BAGGING = "leveraging_bagging"
#: Published numbers that differ, each with its finding.
_DIFFERING = {
    *("kdd99/instances", "sign_test/critical_wins_5_percent", "wilcoxon/positive"),
    *(f"bike/{b}/arf_reg" for b in ("0", "45", "B+1")),
}


def _reasons(run: Run, key: str, pattern: str) -> list[tuple[str, ...]]:
    """Find all matches of a pattern in the reason of a verdict, at least one."""
    reason = run.scorecard().loc[key, "reason"]
    matches = [match.groups() for match in re.finditer(pattern, reason)]
    assert matches, f"{key}: {reason}"
    return matches


def _measures(run: Run) -> pd.Series:
    return run.table("measures.csv").set_index(["stream", "learner", "measure"])["value"]


@FROM_RUN.add
def verdict(run: Run) -> Values:
    """Claims that do not hold, or only in part, with their verdicts: each has its finding."""
    card = run.scorecard()
    differing = {*card.index[card["verdict"] == "differs"]}
    assert differing == _DIFFERING, f"numbers without a finding: {differing ^ _DIFFERING}"
    verdicts = card["verdict"].str.extract("^claim (does not hold|holds in part)$")[0].dropna()
    part = {"does not hold": "", "holds in part": " *in part*"}
    return texts(**{key: f"`{key}`{part[words]}" for key, words in verdicts.items()})


@FROM_RUN.add
def kappas(run: Run) -> Values:
    """Measures without temporal dependence, on shuffled ozone."""
    table = run.table("data/zliobaite2015/fig2/ozone.estimates.csv")
    table = table[table["estimator"].eq("cumulative") & table["variant"].eq("shuffled:1")]
    table = table.pivot_table("value", "learner", "measure")
    return texts(
        tree=number(table.loc["hoeffding_tree", "kappa"], 4),
        tree_temporal=number(table.loc["hoeffding_tree", "kappa_temporal"], 3),
        repeated=number(table.loc["no_change", "accuracy"], 3),
        bayes_temporal=number(table.loc["naive_bayes", "kappa_temporal"]),
        ddm_temporal=number(table.loc["ddm_nb", "kappa_temporal"]),
    )


@FROM_RUN.add
def electricity(run: Run) -> Values:
    """Learners on electricity, with eight attributes and with the paper's five."""
    value = _measures(run)
    key = "hat_lbag_mostly_positive"
    windows = dict(_reasons(run, key, r"(\w+) is positive in ([\d.]+) % of the windows"))
    gains = _reasons(run, "augmented_improves", r"(\w+) augmented gains (\S+) \[(\S+), ([^\]]+)\]")
    by_learner = {name: [float(end.replace("−", "-")) for end in ends] for name, *ends in gains}
    of_bagging = by_learner.pop(_BAGGING)
    assert of_bagging[1] < 0 < of_bagging[2]
    plain, no_change = (value["elec2", name, "accuracy"] for name in (_BAGGING, "no_change"))
    assert plain > no_change
    wrapped = [
        value["elec2_mlj", f"{_BAGGING}_{way}", "accuracy"] for way in ("corrected", "augmented")
    ]
    assert max(wrapped) < no_change
    kappa = [value["elec2_mlj", name, "kappa"] for name in _FIVE]
    tree = value["elec2", "hoeffding_adaptive_tree", "accuracy"]
    assert tree < no_change
    return texts(
        windows_bagging=windows[_BAGGING],
        windows_tree=windows["hoeffding_adaptive_tree"],
        tree=number(tree, 4),
        no_change=number(no_change, 4),
        gain_bagging=interval(of_bagging),
        gains=span(gain for gain, *_ in by_learner.values()),
        bagging=number(plain, 4),
        kappa=span(kappa, 2, 1),
        kappa_of_eight=number(value["elec2", "hoeffding_tree", "kappa"], 2),
        wrapped=join_numbers(wrapped, 4),
    )


@FROM_RUN.add
def ozone_learners(run: Run) -> Values:
    """Learners on ozone."""
    value = _measures(run)
    accuracy = {name: value["ozone", name, "accuracy"] for name in ("no_change", *_FIVE)}
    chance = {name: value["ozone", name, "chance_accuracy"] for name in ("naive_bayes", "ddm_nb")}
    assert max(chance.values()) < accuracy["no_change"]
    assert accuracy[_BAGGING] < accuracy["hoeffding_tree"]
    curves = run.table("data/zliobaite2015/fig4/ozone.curves.csv")
    curve = curves[curves["learner"].eq(_BAGGING) & curves["measure"].eq("kappa_combined")]
    for name in (*_TREES, _BAGGING):  # they nearly always predict the frequent class
        assert abs(accuracy[name] - value["ozone", "majority", "accuracy"]) < 0.002
    return texts(
        bayes=percent(accuracy["naive_bayes"], 0),
        no_change=number(accuracy["no_change"], 4),
        chance_bayes=number(chance["naive_bayes"], 4),
        chance_ddm=number(chance["ddm_nb"], 4),
        bagging=number(accuracy[_BAGGING], 4),
        tree=number(accuracy["hoeffding_tree"], 4),
        windows=percent((curve["value"].dropna() > 0).mean()),
    )


@FROM_RUN.add
def combined(run: Run) -> Values:
    """Windows where κ⁺ of leveraging bagging is positive, alone and in the wrappers."""
    key, form = "lbag_combined_kappa", r"(\w+): kappa\+ of (\w+) is above 0 in ([\d.]+) %"
    shares = {}
    for stream, learner, share in _reasons(run, key, form):
        shares.setdefault((stream, learner), share)  # the first rule decides
    return texts(
        alone=shares["elec2_mlj", _BAGGING],
        corrected=shares["elec2_mlj", f"{_BAGGING}_corrected"],
        augmented=shares["elec2_mlj", f"{_BAGGING}_augmented"],
        kdd99=shares["kdd99", _BAGGING],
    )


@FROM_RUN.add
def dependence(run: Run) -> Values:
    """Contribution of the label ℓ instances earlier on electricity."""
    table = run.table("data/zliobaite2015/fig5/elec2.dependence.csv")
    delta = table.set_index(["class", "order"])["delta"]
    return texts(
        **{f"of_{n}": join_numbers((delta[name, n] for name in ("DOWN", "UP")), 2) for n in (1, 2)},
        of_48=number(delta["DOWN", 48], 2),
    )


@FROM_RUN.add
def digits(run: Run) -> Values:
    """Cells of tables that have the printed digits."""
    card = run.scorecard()
    verdicts, paper, item = card["verdict"], card["paper"], card["item"]
    cells = verdicts[
        paper.eq("bifet2013") & item.eq("table2") & card.index.str.startswith("kdd99/")
    ]
    assert cells.value_counts().to_dict() == {"reproduced": 4, "reproduced if truncated": 4}
    first = verdicts[paper.eq("grzenda2019") & item.eq("table1")]
    alike = first[first.str.startswith("reproduced")].index
    assert not first.eq("differs").any()
    accuracies = int((alike.str.count("/") == 2).sum())
    second = card[paper.eq("grzenda2019") & card.index.str.startswith("bike/")]
    second = second[second.index.str.count("/") == 2]
    forest = second[second["verdict"] == "differs"]
    assert [*forest.index] == [f"bike/{b}/arf_reg" for b in ("0", "45", "B+1")]
    ends = forest["reason"].str.extract(r"from ([\d.]+) to ([\d.]+)").astype(float)
    ours, printed = (forest[name].astype(float) for name in ("ours", "published"))
    assert (ends[0] > printed).all()
    return texts(
        cells=in_words(len(cells)),
        truncated_cells=in_words(4),
        accuracies=accuracies,
        truncated=in_words(first.eq("reproduced if truncated").sum()),
        errors=in_words(second["verdict"].str.startswith("reproduced").sum()),
        arf_reg=join_numbers(ours),
        arf_reg_width=number((ends[1] - ends[0]).max() / 2),
    )


@FROM_RUN.add
def holdout(run: Run) -> Values:
    """Distances of ADWIN's estimate and of windows to a hold-out, Hoeffding tree."""
    study = load_yaml(ROOT / "config" / "studies" / "bifet2015.yaml")
    drifting = study["items"]["bifet2015"]["fig4"]["streams"]
    windows = ["window_100", "window_1000", "window_10000"]
    distances, rows = {}, []
    for stream in drifting:
        folder = f"data/bifet2015/fig4/{stream}"
        frame = run.table(f"{folder}.distances.csv").query("learner == 'hoeffding_tree'")
        distances[stream] = frame.set_index("estimator")["distance"]
        closer = run.table(f"{folder}.closer.csv").query("learner == 'hoeffding_tree'")
        rows.append(closer[closer["estimator"] == "adwin"].set_index("other"))
    of_adwin = {stream: distance["adwin"] for stream, distance in distances.items()}
    far = [of_adwin.pop(stream) for stream in ("rbf_50_0.001", "rbf_50_0.0001")]
    assert max(of_adwin.values()) < min(far)
    adwin_closer = {window: sum(row.loc[window, "high"] < 0 for row in rows) for window in windows}
    window_closer = {window: sum(row.loc[window, "low"] > 0 for row in rows) for window in windows}
    assert window_closer["window_100"] == 0
    return texts(
        streams=in_words(len(drifting)),
        far=join_numbers(far, 3),
        others=upper_bound(max(of_adwin.values()), 3, 1),
        shortest_farther=in_words(adwin_closer["window_100"]),
        longest_closer=in_words(window_closer["window_10000"]),
    )


@FROM_RUN.add
def theorems(run: Run) -> Values:
    """Simulations of Theorems 1 to 3."""
    folder = "data/bifet2015/theorems"
    coverage = run.table(f"{folder}/coverage.csv")
    is_free = coverage["memory"] == 0
    assert (coverage.loc[is_free, "exact"] < coverage.loc[is_free, "delta"]).all()
    assert (coverage.loc[~is_free, "low"] > coverage.loc[~is_free, "delta"]).any()
    distances = run.table(f"{folder}/discrepancies.csv").query("power == 1")
    single = distances[distances["quantity"] == "k_fold - single"]
    larger, smaller = (single["low"] > 0).sum(), (single["high"] < 0).sum()
    of_one = distances[distances["quantity"] == "k_fold - one_fold"]
    assert (of_one["high"] < 0).all()
    steps = run.table(f"{folder}/alarms.csv").query("quantity == 'steps'")
    quiet = steps[(steps["memory"] == 0) & (steps["detector"] == "literal")]
    assert (quiet["mean"] == 0).all()
    assert (steps.loc[steps["memory"] > 0, "low"] > steps.loc[steps["memory"] > 0, "delta"]).any()
    means = run.table(f"{folder}/detections.csv").groupby("quantity")["mean"]
    assert means.min()["detected"] > 0.95
    assert means.max()["no older"] < 0.05
    return texts(
        missed=upper_bound(coverage.loc[is_free & (coverage["delta"] == 0.05), "exact"].max()),
        larger=in_words(larger),
        smaller=in_words(smaller).replace("no", "none"),
        undecided=in_words(len(single) - larger - smaller),
        settings=in_words(len(single)),
    )


@FROM_RUN.add
def fold_power(run: Run) -> Values:
    """Gains in power of tests over folds from the shortest to the longest runs."""
    form = r"power in the longest runs less in the shortest (\S+) \["
    gains = [float(gain) for (gain,) in _reasons(run, "fold_power_fixed", form)]
    assert min(gains) > 0
    return texts(gains=span(gains, 2, 1))


@FROM_RUN.add
def noise(run: Run) -> Values:
    """Fall in accuracy behind the noise filter, on SEA with noise 0.05."""
    form = r"sea_50, noise 0\.05: accuracy falls by (\S+), by the equation (\S+?)[;.]?(?: |$)"
    ((ours, printed),) = _reasons(run, "noise_accuracy", form)
    return texts(ours=number(float(ours), 3), printed=number(float(printed.strip(";.")), 3))


@FROM_RUN.add
def bin_rules(run: Run) -> Values:
    """Accuracies in bins by the rule of the text and by that of the published program."""
    table = run.table("tables/grzenda2019/table1_rules.csv").set_index(["stream", "learner"])
    forest = "adaptive_random_forest_2017"
    cells = {}
    for stream in ("hyperplane", "agrawal"):
        row = table.loc[(f"{stream}_delayed", forest)]
        cells[f"{stream}_text"] = number(row["paper_percent"])
        cells[f"{stream}_program"] = number(row["published_percent"])
        assert row["bin"] == 0
    others = table.drop([("hyperplane_delayed", forest), ("agrawal_delayed", forest)])
    return texts(**cells, most=upper_bound(others["difference"].abs().max(), 1, 1))


@FROM_RUN.add
def by_bin(run: Run) -> Values:
    """Claims on single figures of Grzenda et al. (2019)."""
    ((airlines,),) = _reasons(
        run, "airlines_gains_differ", r"gain of hoeffding_tree less that of naive_bayes (\S+)$"
    )
    key, form = (
        "electricity_hat_above_knn",
        r"than knn in 0 of (\d+) bins; most in bin (\d+), by −([\d.]+) ",
    )
    ((bins, closest, gap),) = _reasons(run, key, form)
    against = _reasons(run, "last_bin_optimistic", r"NOT (\w+): (\w+) in bin")
    assert ("led_delayed", "no_change") in against
    assert {learner for _, learner in against} <= {"no_change", "majority"}
    ((nominal, numeric),) = _reasons(run, "agrawal_attributes", r"(\d) nominal and (\d) numeric")
    other = run.table("data/grzenda2019/fig5/elec2_dayahead.rules.csv")
    other = other.pivot_table("other_accuracy", "bin", "learner")
    assert (other["knn"] > other["hoeffding_adaptive_tree"]).all()
    curves = run.table("data/grzenda2019/fig9/agrawal_delayed.bins.csv")
    curves = curves.pivot_table("accuracy", "bin", "learner")[list(TRAINED_LEARNERS)]
    ranks = curves.corrwith(curves.index.to_series(), method="spearman")
    assert ranks.min() > MIN_TREND_CORRELATION
    stages = run.table("data/grzenda2019/fig9/agrawal_delayed.stages.csv")
    stages = stages[(stages["bin"] == LATE_BIN) & (stages["labels"] >= N_LABELS_AT_DRIFT)]
    stages = stages.pivot_table("correct", "labels", "learner")
    stages = stages.div(stages.index, axis=0)
    knn, tree = stages[KNN], stages[ADAPTIVE_TREE]
    assert knn.iloc[-1] < knn.iloc[0]
    return texts(
        airlines_gap=number(float(airlines), 2, 100),
        electricity_bins=bins,
        closest=closest,
        gap=lower_bound(float(gap)),
        delay=load_yaml(ROOT / "config" / "streams.yaml")["streams"]["agrawal_delayed"][
            "label_delay"
        ],
        attributes=f"{in_words(int(nominal))} nominal and {in_words(int(numeric))} numeric",
        rank=lower_bound(ranks.min(), 2, 1),
        trend=str(MIN_TREND_CORRELATION),
        drift_bin=LATE_BIN,
        knn_from=number(knn.iloc[0], 3),
        knn_to=number(knn.iloc[-1], 3),
        tree_rise=number((tree - tree.cummin()).max(), 3),
    )


@FROM_RUN.add
def predictions(run: Run) -> Values:
    """Numbers of predictions and of bins on airlines and electricity."""
    ((late,),) = _reasons(run, "predictions_per_label", r"([\d.]+) additional predictions for each")
    ((low, high),) = _reasons(run, "predictions_per_label", r"from ([\d.]+) to ([\d.]+) of them")
    away = [
        float(far) for (far,) in _reasons(run, "all_stable", r"at most ([\d.]+) % from the last")
    ]
    far = {
        count: float(most_far)
        for count, most_far in _reasons(
            run, "bins_fine_enough", r"B = (\d+): at most ([\d.]+) from B = 100"
        )
    }
    (holding,) = _reasons(run, "bins_fine_enough", r"^(\d) of (\d) conditions")
    assert far["50"] < min(far["5"], far["10"])
    return texts(
        end=number(float(late)),
        range=f"{number(float(low))} to {number(float(high))}",
        away=span(away, 0, 1),
        conditions=" of ".join(holding),
        few="5 and 10",
        most_half=upper_bound(far["50"], 3, 1),
        most_few=upper_bound(max(far["5"], far["10"]), 2, 1),
    )


@FROM_RUN.add
def regressors(run: Run) -> Values:
    """Variation of the errors of regressors over bins."""
    form = r"MAE of (\w+): .*?, ([\d.]+) % of the mean"
    varied = dict(_reasons(run, "little_variation", form))
    ((holds, of_all),) = _reasons(run, "little_variation", r"^(\d) of (\d) conditions")
    return texts(
        orto=varied["orto_moa"],
        fimt_dd=varied["fimt_dd_moa"],
        conditions=f"{in_words(int(holds))} of {in_words(int(of_all))}",
    )
