"""The numbers of docs/findings.md that are of studies beyond the papers, from a run of all."""

from __future__ import annotations

import pytest
from helpers.findings import number, of_run, points, said

pytestmark = [pytest.mark.finished_run, pytest.mark.all_studies]

NAMES = {
    "naive_bayes": "Naive Bayes",
    "hoeffding_tree": "Hoeffding tree",
    "hoeffding_adaptive_tree": "Hoeffding adaptive tree",
    "adaptive_random_forest_2017": "forest (2017)",
}
AGES = ("gain", "gain_low", "gain_high")
#: Detectors that ignore their inputs.
BASELINES = ("chance", "every")


def test_what_order_is_worth():
    table = of_run("data/beyond/order/elec2_mlj.shares.csv")
    whole = table[table["part"] == "all"].set_index("learner")
    bagging = (
        table[table["learner"] == "leveraging_bagging"].set_index(["part", "size"]).sort_index()
    )
    lost = whole.loc["leveraging_bagging"]
    low, high = (number(100 * lost[end]) for end in ("low", "high"))
    assert said(
        f"leveraging bagging loses {number(100 * lost['mean'])} points of accuracy when instances "
        f"are shuffled (95 % interval {low} to {high}, five seeds)."
    )
    assert said(
        f"accounts for {number(100 * bagging.loc[('within', 48.0), 'mean'])} of these points."
    )
    labels = bagging.xs("labels", level="part")["mean"].item()
    assert said(f"The order of labels alone accounts for {number(100 * labels)}.")
    bayes, tree, ddm = (
        number(100 * whole.loc[name, "mean"])
        for name in ("naive_bayes", "hoeffding_tree", "ddm_nb")
    )
    assert said(
        f"Order contributes {bayes} points to Naive Bayes, {tree} to the Hoeffding tree and {ddm} "
        "to DDM."
    )


def test_gains_by_delay():
    table = of_run("data/beyond/delays/elec2.delays.csv")
    table = (
        table[table["measure"] == "accuracy"].set_index(["learner", "option", "delay"]).sort_index()
    )
    value = table["value"]
    worth = [f"{value['no_change', 'ordinary', d]:.3f} with d = {d}" for d in (0, 1, 7)]
    assert said(f"what No-Change is worth under the same delay: {', '.join(worth)}.")
    for learner in ("naive_bayes", "hoeffding_tree"):
        cells = [points(table.loc[learner, "older_label", d]) for d in (0, 1, 7, 47)]
        assert said(f"| {NAMES[learner]} | {' | '.join(cells)} |")
    first, second = (points(table.loc["hoeffding_tree", "older_label", d]) for d in (1, 0))
    first = first.replace("(", "points (95 % interval ")
    assert said(f"electricity: {first} instead of {second} with d = 0.")
    for learner, d in (("naive_bayes", 0), ("naive_bayes", 335)):
        own = points(table.loc[learner, "predicted_label", d])
        assert said(f"{own} with d = {d}")


def test_pending_labels():
    classes = (
        of_run("tables/beyond/waiting_classes.csv").set_index(["stream", "class"]).sort_index()
    )
    flights = classes.loc["dataexpo_atl"]
    late = flights.loc["delayed"]
    assert said(
        f"{100 * late['pending_fraction']:.0f} % of the {late['pending_labels']:.0f} pending "
        f'labels are "delayed", of all that have arrived {100 * late["arrived_fraction"]:.0f} %.'
    )
    others = flights["median"].drop("delayed")
    assert said(
        f"Labels of delayed flights take {late['median']:.0f} minutes in the median, others "
        f"{others.min():.0f} to {others.max():.0f}."
    )
    table = of_run("tables/beyond/stopping_bias.csv").set_index(["stream", "learner"]).sort_index()
    flights, prices = table.loc["dataexpo_atl"], table.loc["elec2_dayahead"]
    assert said(f"by at most {number(100 * flights['bias'].abs().max(), 2)} points")
    assert said(f"{flights['mean_pending'].iloc[0]:.0f} are pending on average.")
    most = {number(100 * flights.loc[name, "window_bias"]) for name in ("majority", "knn")}
    assert said(f"the accuracies of Majority and of k-NN are {most.pop()} points too high")
    assert not most
    assert said(f"these {flights['stops'].iloc[0]:.0f} stops are worth fewer than 60 independent")
    assert flights["low"].isna().all()
    assert ((prices["low"] < 0) & (prices["high"] > 0)).all()
    window = ("window_bias", "low", "high")
    ends = [number(100 * prices.loc["knn", name], 2) for name in window]
    assert said(f"that of k-NN is {ends[0]} points ({ends[1]} to {ends[2]})")
    medians = classes.loc["elec2_dayahead", "median"]
    assert said(f"the two medians are {medians.min():,.0f} and {medians.max():,.0f} minutes.")


def test_accuracy_by_age():
    table = of_run("data/beyond/accuracy_by_age/dataexpo_atl.ages.csv")
    table = table.set_index(["learner", "age"]).sort_index()
    first, late = table.loc[("naive_bayes", 0)], table.xs(195, level="age")
    bayes = late.loc["naive_bayes"]
    assert said(
        f"from {first['accuracy']:.3f} at 0 to {bayes['accuracy']:.3f} at 195 minutes, while over "
        f"all instances it rises to {bayes['overall']:.3f}."
    )
    knn = points(late.loc["knn"], AGES).replace(" (", " points (")
    rest = 100 * late["gain"].drop("knn")
    assert list(late.index[late["gain_low"] > 0]) == ["knn"]
    assert said(
        f"at 195 minutes {knn} on the {late['at_risk'].iloc[0]} instances at risk, the other six "
        f"{number(rest.min())} to {number(rest.max())}."
    )


def test_missing_labels():
    table = of_run("tables/beyond/censored_table.csv")
    table = table[table["learner"] == "naive_bayes"].set_index(["law", "estimator"]).sort_index()
    error = ("error", "low", "high")
    never, slower = table.loc["never_by_class"], table.loc["slower_class"]
    weighted = 100 * never.loc[["by_age", "by_latency", "by_prediction"], "error"]
    assert said(
        f"is overestimated by {points(never.loc['arrived'], error).replace(' (', ' points (')}, "
        f"and with weights for missing labels still by {number(weighted.min())} to "
        f"{number(weighted.max())}."
    )
    bounds = [number(100 * never.loc[name, "estimate"]) for name in ("lower", "upper")]
    assert said(
        f"accuracy, {number(100 * never['truth'].iloc[0])} %, lies between {bounds[0]} % and "
        f"{bounds[1]} %."
    )
    assert said(f"at the end is {points(slower.loc['arrived'], error)} points too high.")
    assert said(f"leave {points(slower.loc['by_latency'], error)}; weights by age")
    assert said(f"leave {points(slower.loc['by_age'], error)}.")
    same = table.loc["same_latency"]
    assert said(
        f"If all labels take equally long, the {points(same.loc['arrived'], error)} points become "
        f"{points(same.loc['by_age'], error)} with weights by age and stay at "
        f"{points(same.loc['by_latency'], error)} with weights by latency."
    )


def test_weights_of_bins():
    table = of_run("tables/beyond/weighted_bins.csv")
    table = table[table["stream"] == "dataexpo_atl"].set_index(["learner", "which"]).sort_index()
    value = ("accuracy_percent", "low", "high")
    early, even, late = (
        [number(table.loc[("knn", f"weighted: {name}"), column]) for column in value]
        for name in ("early", "even", "late")
    )
    assert said(f"first bin to bin B (95 % interval {early[1]} to {early[2]}), {even[0]} % with")
    assert said(f"k-NN has {early[0]} % with weights that fall")
    assert said(f"and {late[0]} % ({late[1]} to {late[2]}) with weights that rise 100 times.")
    wide = table["accuracy_percent"].unstack().filter(like="weighted").drop("knn")
    assert said(f"changes by more than {number((wide.max(axis=1) - wide.min(axis=1)).max())}")


def test_skill_under_the_same_delays():
    table = of_run("tables/beyond/delayed_skill.csv")
    table = (
        table[table["stream"] == "dataexpo_atl"]
        .set_index(["reference", "learner", "which"])
        .sort_index()
    )
    own = table.loc["no_change"]
    bayes, late = own.loc[("naive_bayes", "0")], own.loc[("naive_bayes", "B+1")]
    assert said(
        "the published κ_t of No-Change itself is "
        f"{number(own.loc[('no_change', '0'), 'published'], 3)}, and that of Naive Bayes "
        f"{bayes['published']:.3f}."
    )
    assert said(f"{bayes['skill']:.3f} (95 % interval {bayes['low']:.3f} to {bayes['high']:.3f}).")
    assert said(f"{late['skill']:.3f} ({late['low']:.3f} to {late['high']:.3f}).")
    assert not (table.loc["majority", "low"] > 0).any()


def test_inputs_that_change():
    table = of_run("data/beyond/departure_delays/dataexpo_atl_evolving.inputs.csv")
    table = table.set_index(["learner", "variant", "age"]).sort_index()
    variants = ("time_last", "time_each", "later_last", "later_each", "both_each")
    for learner, name in NAMES.items():
        cells = [points(table.loc[(learner, variant, 118)], AGES) for variant in variants]
        assert said(f"| {name} | {' | '.join(cells)} |")
    later, time = (points(table.loc[("naive_bayes", v, 118)], AGES) for v in variants[3:0:-2])
    assert said(
        f"Naive Bayes {later.replace(' (', ' points of accuracy on airlines (95 % interval ')}, "
        f"the time so far alone {time}."
    )
    waiting = table.loc[("naive_bayes", "plain", 118), "at_risk"]
    assert said(f"(118 minutes, {waiting:,.0f} flights without a label)")


def test_what_alarms_are_worth_on_electricity():
    worth = of_run("data/detectors/worth/elec2.worth.csv").set_index("detector")
    ddm, never, previous = worth.loc["ddm"], worth.loc["never"], worth.loc["no_change"]
    percent = {name: f"{100 * row['accuracy']:.2f}" for name, row in worth.iterrows()}
    shuffled = f"{100 * ddm['shuffled']:.2f}"
    assert said(
        f"Naive Bayes on electricity has an accuracy of {percent['never']} %, with resets at the "
        f"{ddm['alarms']} alarms of DDM {percent['ddm']} %, and with the same gaps in "
        f"random order {shuffled} %."
    )
    columns = ("over_shuffled", "over_shuffled_low", "over_shuffled_high")
    gained = number(100 * (ddm["accuracy"] - never["accuracy"]))
    assert said(f"The alarms themselves are worth {points(ddm, columns)} of the {gained} points.")
    assert said(f"No-Change, which does nothing else, has {100 * previous['accuracy']:.2f} %.")
    detectors = worth.drop(["every:n=500", "never", "no_change"])
    verdicts = detectors["over_shuffled_verdict"].value_counts()
    ahead = (detectors["over_shuffled_low"] > 0).sum()
    assert said(
        f"Of nine detectors, {verdicts['beats']} beat their gaps in random order "
        f"and {verdicts['cannot be told from']} cannot be told from them; "
        f"{ahead - verdicts['beats']} of these are ahead, but perhaps by what is practically none"
    )
    assert said(f"the intervals of 7 detectors were above 0, now of {ahead}.")
    assert len(detectors) == verdicts["beats"] + verdicts["cannot be told from"] == 9
    assert not (worth["over_no_change_verdict"] == "beats").any()
    best = detectors["accuracy"].idxmax()
    assert best == "hddm_a"
    assert said(f"not even HDDM-A, whose accuracy of {percent[best]} % is the highest.")


def test_drifts_that_detectors_find():
    found = of_run("data/detectors/injected/elec2.summary.csv")
    f1 = found[found["measure"] == "episode_f1"].set_index(["change", "detector"])["mean"]
    real = [name for name in f1.loc["relabelled"].index if name.split(":")[0] not in BASELINES]
    weights = f1.loc["reweighted"]
    best = weights[real].idxmax()
    assert (best, weights[best] < weights["every:n=1000"]) == ("eddm", True)
    assert said(
        f"no detector has a higher mean F1 than alarms at every 1,000th instance, which have "
        f"{weights['every:n=1000']:.2f}: the highest is {weights[best]:.2f} (EDDM)."
    )
    usual = f1.loc["relabelled"][[name for name in real if ":" not in name]]
    good = usual.drop("eddm")
    assert (len(usual), len(good)) == (9, 8)
    assert said(
        f"{len(good)} of {len(usual)} detectors have a mean F1 of at least {good.min():.2f} with "
        "their usual parameters"
    )
    rates = found[found["measure"] == "false_alarm_rate"].set_index(["change", "detector"])
    assert said(
        f"EDDM has {usual['eddm']:.2f}, as it signals "
        f"{rates.loc[('relabelled', 'eddm'), 'mean']:.1f} times per 1,000 instances without reason"
    )


def test_class_scores_as_forecasts():
    table = of_run("tables/scores/table.csv").query("stream == 'elec2'")
    value = table.set_index(["learner", "measure"])["value"].sort_index()
    tree, proportions, transitions = (
        value[name, "log_loss"]
        for name in ("hoeffding_tree", "label_proportions", "label_transitions")
    )
    assert transitions < proportions < tree
    assert said(
        f"On electricity the log loss of a Hoeffding tree is {tree:.3f}. That of the proportions "
        f"of the labels so far is {proportions:.3f}, and that of the labels that followed the "
        f"previous one so far {transitions:.3f}."
    )
    bins = of_run("data/scores/measures/elec2.bins.csv").query("learner == 'hoeffding_tree'")
    surest = bins.iloc[-1]
    share = surest["predictions"] / bins["predictions"].sum()
    assert said(
        f"In the highest bin, with {100 * share:.1f} % of its predictions, the most probable class "
        f"has a probability of {surest['forecast']:.3f} and is right in "
        f"{100 * surest['correct']:.1f} %."
    )
    clipped = value["hoeffding_tree", "log_loss_clipped"]
    assert said(
        f"In {100 * clipped:.1f} % of the predictions the true class is all but impossible."
    )
    areas = value.xs("auc", level="measure")
    assert abs(areas["hoeffding_tree"] - areas["label_transitions"]) < 0.005
    skills = [f"{loss}_skill_over_label_transitions" for loss in ("log_loss", "brier")]
    wide = value.unstack()[skills].drop(["label_proportions", "label_transitions"])
    assert list(wide.index[(wide > 0).any(axis=1)]) == ["leveraging_bagging"]
    own = wide.loc["leveraging_bagging"]
    assert said(
        f"has skill over the transitions: {own[skills[0]]:.3f} by log loss and "
        f"{own[skills[1]]:.3f} by Brier score."
    )
    names = NAMES | {name: name.replace("_", " ") for name in areas.index if name not in NAMES}
    shown = ("auc", "log_loss", "brier", "expected_calibration_error")
    for learner in areas.index:
        cells = [f"{value[learner, measure]:.3f}" for measure in shown]
        assert said(f"| {names[learner]} | {' | '.join(cells)} |")


def test_prediction_intervals_of_bike_rentals():
    table = of_run("data/intervals/bike/bike.measures.csv").set_index(["delay", "step", "learner"])
    least = 100 * table["least_coverage"]
    ends = {
        (delay, step): [f"{end:.1f}" for end in (part.min(), part.max())]
        for (delay, step), part in least.groupby(["delay", "step"])
    }
    assert said(
        f"the lowest coverage in any window of 1,000 hours is {ends[0, 0.005][0]} to "
        f"{ends[0, 0.005][1]} % for the {len(least.loc[0, 0.005])} regressors, and "
        f"{ends[0, 0.0][0]} to {ends[0, 0.0][1]} % with a fixed level."
    )
    assert said(
        f"With targets that are a week late it is {ends[168, 0.005][0]} to {ends[168, 0.005][1]} "
        f"% with the moving level, {ends[168, 0.0][0]} to {ends[168, 0.0][1]} % with the fixed one."
    )
    scores, all_of = table["interval_score"].unstack("step"), len(least.loc[0, 0.005])
    worse = (scores[0.005] > scores[0.0]).groupby("delay").sum()
    assert said(
        f"the moving level makes the interval score worse for {worse[168]} of {all_of} "
        f"regressors, and without a delay for {worse[0]}."
    )
    skill = table["interval_skill_over_previous_target"].loc[0, 0.005]
    learners = ["fimt_dd", "orto", "amrules", "arf_reg_2018"]
    better = [name for name in learners if skill[name] > 0]
    assert better == ["arf_reg_2018"]
    assert said(
        f"Of the four learners only the forest, ARF-Reg, has better intervals than the previous "
        f"target: a skill of {number(skill['arf_reg_2018'], 3)}; that of FIMT-DD is "
        f"{number(skill['fimt_dd'], 3)}."
    )
    coverage = 100 * table["interval_coverage"].loc[0, 0.005]
    assert said(
        f"All have a coverage of {coverage.min():.1f} to {coverage.max():.1f} %, the mean of all "
        "targets so far included."
    )


def test_a_part_of_the_labels():
    table = of_run("data/labels/budget/elec2.curves.csv").set_index(
        ["learner", "strategy", "budget"]
    )
    own, unchanged = table.loc["naive_bayes"], table.loc["no_change"]
    percent = {key: f"{100 * value:.2f}" for key, value in own["accuracy"].items()}
    one, low, high = 0.01, own["low"], own["high"]
    assert said(
        f"Naive Bayes on electricity has an accuracy of {percent['all', 1.0]} % with all labels "
        f"and {percent['random', one]} % with 1 % of them at random. With as many by variable "
        f"uncertainty it has {percent['variable_uncertainty', one]} %, by randomised uncertainty "
        f"{percent['randomised_uncertainty', one]} %, and by uncertainty with a fixed threshold "
        f"{percent['uncertainty', one]} %"
    )
    ends = low["random", one], high["random", one]
    assert said(
        f"Five runs at random range from {100 * ends[0]:.2f} to {100 * ends[1]:.2f} %, and the "
        "first two are within that range."
    )
    for strategy in ("variable_uncertainty", "randomised_uncertainty"):
        assert ends[0] < own["accuracy"][strategy, one] < ends[1]
    assert own["runs"]["random", one] == 5
    kappa = own["kappa_temporal"]
    whole = f"{kappa['all', 1.0]:.2f}".replace("-", "−")
    assert said(
        f"With all labels κ_t is {whole}, with 10 % at random {kappa['random', 0.1]:.2f}, and with "
        f"1 % {kappa['random', one]:.2f}."
    )
    first, second, third = (
        f"{100 * unchanged['accuracy'][key]:.2f}"
        for key in (("all", 1.0), ("random", 0.1), ("random", one))
    )
    assert said(f"Its accuracy falls from {first} to {second} and {third} %")
