"""Compute values from a run of all studies: those of ``validation``."""

from __future__ import annotations

from findings.groups import FROM_ALL_STUDIES, Run, Values
from findings.text import in_words, interval, join_numbers, number, percent, span, texts

_AGES = ["gain", "gain_low", "gain_high"]
#: Detectors that ignore their inputs.
_BASELINES = ("chance", "every")


@FROM_ALL_STUDIES.add
def order(run: Run) -> Values:
    """Accuracy that learners lose when electricity is shuffled."""
    table = run.table("data/beyond/order/elec2_mlj.shares.csv")
    whole = table[table["part"] == "all"].set_index("learner")
    bagging = (
        table[table["learner"] == "leveraging_bagging"].set_index(["part", "size"]).sort_index()
    )
    return texts(
        bagging=interval(whole.loc["leveraging_bagging", ["mean", "low", "high"]]),
        within_day=percent(bagging.loc[("within", 48.0), "mean"]),
        labels=percent(bagging.xs("labels", level="part")["mean"].item()),
        bayes=percent(whole.loc["naive_bayes", "mean"]),
        tree=percent(whole.loc["hoeffding_tree", "mean"]),
    )


@FROM_ALL_STUDIES.add
def delays(run: Run) -> Values:
    """Gain from the latest known label under delays, on electricity."""
    table = run.table("data/beyond/delays/elec2.delays.csv").query("measure == 'accuracy'")
    table = table.set_index(["learner", "option", "delay"]).sort_index()
    columns = ["gain", "low", "high"]
    first, second = (table.loc[("hoeffding_tree", "older_label", d), columns] for d in (0, 1))
    assert second["gain"] < first["gain"]
    predicted = table.loc[("naive_bayes", "predicted_label", 0), columns]
    assert predicted["high"] < 0
    return texts(
        at_once=interval(first),
        one_later=interval(second),
        gain_at_once=percent(first["gain"]),
        gain_one_later=percent(second["gain"]),
        no_change=join_numbers(
            (table.loc[("no_change", "ordinary", d), "value"] for d in (0, 1)), 3
        ),
        own_prediction=interval((-predicted["gain"], -predicted["high"], -predicted["low"])),
    )


@FROM_ALL_STUDIES.add
def pending(run: Run) -> Values:
    """Labels that are pending when the evaluation of airlines stops."""
    table = run.table("tables/beyond/waiting_classes.csv").set_index(["stream", "class"])
    table = table.sort_index().loc["dataexpo_atl"]
    late, others = table.loc["delayed"], table["median"].drop("delayed")
    bias = (
        run.table("tables/beyond/stopping_bias.csv").set_index(["stream", "learner"]).sort_index()
    )
    bias = bias.loc["dataexpo_atl"]
    assert late["median"] > others.max()
    (window,) = {percent(bias.loc[name, "window_bias"]) for name in ("majority", "knn")}
    return texts(
        labels=late["pending_labels"],
        pending=percent(late["pending_fraction"], 0),
        arrived=percent(late["arrived_fraction"], 0),
        minutes=number(late["median"], 0),
        other_minutes=span(others, 0, 1),
        bias=percent(bias["bias"].abs().max(), 2),
        window=window,
    )


@FROM_ALL_STUDIES.add
def ages(run: Run) -> Values:
    """Accuracy on airlines by the time since an instance arrived."""
    table = run.table("data/beyond/accuracy_by_age/dataexpo_atl.ages.csv")
    table = table.set_index(["learner", "age"]).sort_index()
    first, late = table.loc[("naive_bayes", 0)], table.xs(195, level="age")
    assert [*late.index[late["gain_low"] > 0]] == ["knn"]
    bayes = late.loc["naive_bayes"]
    assert bayes["accuracy"] < first["accuracy"] < bayes["overall"]
    return texts(
        minutes=195,
        first=number(first["accuracy"], 3),
        late=number(bayes["accuracy"], 3),
        overall=number(bayes["overall"], 3),
        knn=interval(late.loc["knn", _AGES]),
    )


@FROM_ALL_STUDIES.add
def missing(run: Run) -> Values:
    """Accuracy of Naive Bayes on SEA where labels never arrive."""
    table = run.table("tables/beyond/censored_table.csv").query("learner == 'naive_bayes'")
    table = table.set_index(["law", "estimator"]).sort_index().loc["never_by_class"]
    weighted = table.loc[["by_age", "by_latency", "by_prediction"], "error"]
    return texts(
        arrived=interval(table.loc["arrived", ["error", "low", "high"]]),
        weighted=span(weighted),
        truth=percent(table["truth"].iloc[0]),
        bounds=join_numbers(table.loc[["lower", "upper"], "estimate"], 1, 100),
    )


@FROM_ALL_STUDIES.add
def weights(run: Run) -> Values:
    """Accuracy of k-NN on airlines by the weights of bins."""
    table = run.table("tables/beyond/weighted_bins.csv").query("stream == 'dataexpo_atl'")
    table = table.set_index(["learner", "which"])["accuracy_percent"].sort_index()
    early, even, late = (table["knn", f"weighted: {name}"] for name in ("early", "even", "late"))
    wide = table.unstack().filter(like="weighted").drop("knn")
    others = (wide.max(axis=1) - wide.min(axis=1)).max()
    assert others < late - early
    return texts(accuracies=join_numbers((early, even, late)), others=number(others))


@FROM_ALL_STUDIES.add
def delayed_skill(run: Run) -> Values:
    """Skill on airlines over No-Change, published and under the same delays."""
    table = run.table("tables/beyond/delayed_skill.csv").query("stream == 'dataexpo_atl'")
    table = table.set_index(["reference", "learner", "which"]).sort_index()
    assert not (table.loc["majority", "low"] > 0).any()
    bayes = table.loc[("no_change", "naive_bayes", "0")]
    return texts(
        no_change=number(table.loc[("no_change", "no_change", "0"), "published"], 3),
        published=number(bayes["published"], 3),
        bayes=interval(bayes[["skill", "low", "high"]], 3, 1),
    )


@FROM_ALL_STUDIES.add
def inputs(run: Run) -> Values:
    """Gain of Naive Bayes on airlines from inputs that change while labels wait."""
    table = run.table("data/beyond/departure_delays/dataexpo_atl_evolving.inputs.csv")
    table = table.set_index(["learner", "variant", "age"]).sort_index()
    later, time = (
        table.loc[("naive_bayes", f"{name}_each", 118), _AGES] for name in ("later", "time")
    )
    tree = table.loc[("hoeffding_adaptive_tree", "later_each", 118), _AGES]
    assert tree["gain_high"] < 0
    return texts(
        minutes=118,
        later=interval(later),
        time=interval(time),
        adaptive_tree=interval((-tree["gain"], -tree["gain_high"], -tree["gain_low"])),
    )


@FROM_ALL_STUDIES.add
def worth(run: Run) -> Values:
    """Accuracy of Naive Bayes on electricity with resets at alarms."""
    table = run.table("data/detectors/worth/elec2.worth.csv").set_index("detector")
    detectors = table.drop(["every:n=500", "never", "no_change"])
    verdicts = detectors["over_shuffled_verdict"].value_counts()
    beats, undecided = verdicts["beats"], verdicts["cannot be told from"]
    assert beats + undecided == len(detectors)
    assert detectors["accuracy"].max() < table.loc["no_change", "accuracy"]
    ddm, columns = table.loc["ddm"], ["over_shuffled", "over_shuffled_low", "over_shuffled_high"]
    return texts(
        never=percent(table.loc["never", "accuracy"], 2),
        ddm=percent(ddm["accuracy"], 2),
        shuffled=percent(ddm["shuffled"], 2),
        alarms=interval(ddm[columns]),
        gained=percent(ddm["accuracy"] - table.loc["never", "accuracy"]),
        no_change=percent(table.loc["no_change", "accuracy"], 2),
        detectors=in_words(len(detectors)),
        beats=in_words(beats),
        undecided=in_words(undecided),
    )


@FROM_ALL_STUDIES.add
def drifts(run: Run) -> Values:
    """Drifts of two kinds that detectors find on electricity."""
    table = run.table("data/detectors/injected/elec2.summary.csv").query("measure == 'episode_f1'")
    f1 = table.set_index(["change", "detector"])["mean"].sort_index()
    reweighted, relabelled = f1.loc["reweighted"], f1.loc["relabelled"]
    real = [name for name in relabelled.index if name.split(":")[0] not in _BASELINES]
    usual = relabelled[[name for name in real if ":" not in name]]
    good = usual.drop("eddm")
    assert usual.idxmin() == "eddm"
    assert reweighted[real].max() < reweighted["every:n=1000"]
    return texts(
        periodic=number(reweighted["every:n=1000"], 2),
        best=number(reweighted[real].max(), 2),
        good=in_words(len(good)),
        usual=in_words(len(usual)),
        least=number(good.min(), 2),
        every="1,000",
    )


@FROM_ALL_STUDIES.add
def scores(run: Run) -> Values:
    """Class scores on electricity as forecasts."""
    table = run.table("tables/scores/table.csv").query("stream == 'elec2'")
    value = table.set_index(["learner", "measure"])["value"].sort_index()
    baselines = ["label_proportions", "label_transitions"]
    proportions, transitions, tree = (
        value[name, "log_loss"] for name in (*baselines, "hoeffding_tree")
    )
    assert transitions < proportions < tree
    skills = [f"{loss}_skill_over_label_transitions" for loss in ("log_loss", "brier")]
    wide = value.unstack()[skills].drop(baselines)
    assert [*wide.index[(wide > 0).any(axis=1)]] == ["leveraging_bagging"]
    bins = run.table("data/scores/measures/elec2.bins.csv").query("learner == 'hoeffding_tree'")
    surest = bins.iloc[-1]
    assert surest["correct"] < surest["forecast"]
    return texts(
        tree=number(tree, 3),
        proportions=number(proportions, 3),
        transitions=number(transitions, 3),
        share=percent(surest["predictions"] / bins["predictions"].sum()),
        forecast=number(surest["forecast"], 3),
        correct=percent(surest["correct"]),
        skill=number(wide.loc["leveraging_bagging", skills[0]], 3),
    )


@FROM_ALL_STUDIES.add
def bike(run: Run) -> Values:
    """Prediction intervals of regressors on bike rentals, with a moving and a fixed level."""
    table = (
        run.table("data/intervals/bike/bike.measures.csv")
        .set_index(["delay", "step", "learner"])
        .sort_index()
    )
    lowest, scores = table["least_coverage"], table["interval_score"].unstack("step")
    worse = (scores[0.005] > scores[0.0]).groupby("delay").sum()
    skill = table["interval_skill_over_previous_target"].loc[0, 0.005]
    learners = ["fimt_dd", "orto", "amrules", "arf_reg_2018"]
    assert [name for name in learners if skill[name] > 0] == ["arf_reg_2018"]
    return texts(
        moving=span(lowest.loc[0, 0.005]),
        fixed=span(lowest.loc[0, 0.0]),
        moving_week=span(lowest.loc[168, 0.005]),
        fixed_week=span(lowest.loc[168, 0.0]),
        regressors=in_words(len(lowest.loc[0, 0.005])),
        worse_week=in_words(worse[168]),
        worse=in_words(worse[0]),
        skill=number(skill["arf_reg_2018"], 3),
    )


@FROM_ALL_STUDIES.add
def budget(run: Run) -> Values:
    """Accuracy and κ-temporal of Naive Bayes on electricity with a part of the labels."""
    table = run.table("data/labels/budget/elec2.curves.csv")
    table = table.set_index(["learner", "strategy", "budget"]).sort_index()
    bayes, no_change = table.loc["naive_bayes"], table.loc["no_change"]
    accuracy, kappa, part = bayes["accuracy"], bayes["kappa_temporal"], 0.01
    low, high = (bayes[end]["random", part] for end in ("low", "high"))
    uncertain = [accuracy[f"{way}_uncertainty", part] for way in ("variable", "randomised")]
    assert low < min(uncertain)
    assert max(uncertain) < high
    assert accuracy["uncertainty", part] < low
    parts = (("all", 1.0), ("random", 0.1), ("random", part))
    return texts(
        all=percent(accuracy["all", 1.0], 2),
        random=percent(accuracy["random", part], 2),
        runs=in_words(int(bayes["runs"]["random", part])),
        range=f"{percent(low, 2)} to {percent(high, 2)}",
        uncertain=join_numbers(uncertain, 2, 100),
        fixed=percent(accuracy["uncertainty", part], 2),
        kappas=join_numbers((kappa[key] for key in parts), 2),
        no_change=join_numbers((no_change["accuracy"][key] for key in parts), 2, 100),
    )
