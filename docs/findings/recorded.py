"""Compute values from the recorded runs in ``resources/recorded``."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from scipy.special import ndtri

from calibration.verdict_laws import DIFFERENT, ENTITIES, NULLS
from findings.errata import PUBLISHED
from findings.groups import FROM_FILES, Values
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
from streameval import papers
from streameval.base.settings import ROOT
from streameval.base.table_files import read_csv_table
from streameval.base.values import enumeration
from streameval.evaluation import coverage as calibrations
from streameval.evaluation.error_simulation import proportion_interval
from streameval.evaluation.records import Record, read_record
from streameval.evaluation.verdict_words import REGION_FRACTION
from streameval.papers.bifet2015.published import RUNS_PER_STREAM
from streameval.report.recorded_scorecard import average_intervals, recorded_scorecard

_RECORDED = ROOT / "resources" / "recorded"
#: Greatest rate of false intervals by the rule that was fixed before the simulations.
LIMIT = 0.09
_FOLDS = ["bootstrap_validation", "cross_validation"]


@cache
def _record(scale: str) -> Record:
    return read_record(_RECORDED / "bifet2015" / scale)


@FROM_FILES.add
def million() -> Values:
    """Rates of Tables 2 to 4 of Bifet et al. (2015) at a million instances."""
    record, bifet2015 = _record("paper"), papers.select_papers(["bifet2015"])
    card = recorded_scorecard(bifet2015, PUBLISHED, [record])
    rates = card[card["item"].isin(["table3", "table4"])]
    keys = rates["key"].str.split("/", expand=True)
    within, is_same = rates["verdict"] == "within sampling error", keys[1] == "0"
    generator = keys.loc[~within, 0].str.partition("_")[0]
    averages = average_intervals(bifet2015, PUBLISHED, record)
    is_average_same = averages["key"].str.split("/").str[2] == "0"
    same, noisy = averages[is_average_same], averages[~is_average_same]
    assert not noisy["agrees"].any()
    counts = pd.concat([pd.read_csv(file) for file in record.folder.glob("*.rates.csv")])
    assert counts["runs"].unique() == [RUNS_PER_STREAM]
    return texts(
        rates=len(rates),
        within=within.sum(),
        within_same=within[is_same].sum(),
        same=is_same.sum(),
        within_noise=within[~is_same].sum(),
        noise=(~is_same).sum(),
        averages_within=same["agrees"].sum(),
        averages_same=len(same),
        averages_noise=len(noisy),
        detected=span(rates.loc[~is_same, "ours"], 0),
        differ=(~within).sum(),
        of_sea=(generator == "sea").sum(),
        of_rbf=(generator == "rbf").sum(),
        streams=in_words(len(record.streams)),
        runs=RUNS_PER_STREAM,
    )


_LENGTHS = (1000, 5000, 20_000, 50_000)


@FROM_FILES.add
def lengths() -> Values:
    """Rates of rejection by the length of the stream, from both recorded scales."""
    tests = pd.read_csv(_RECORDED / "bifet2015" / "middle" / "tables" / "tests.csv")
    (streams,), (runs,) = tests["streams"].unique(), tests["runs"].unique()
    rates = tests[tests["alternative"] == "noise 0.05"].set_index(["test", "instances"])
    sizes = {
        test: [rates.loc[(test, n), "size"] for n in _LENGTHS]
        for test in ("mcnemar", "paired_t", "wilcoxon")
    }
    assert (np.diff(sizes["mcnemar"]) > 0).all()
    assert join_numbers(sizes["wilcoxon"], 0, 100) == join_numbers(sizes["paired_t"], 0, 100)
    powers = [rates.loc[("paired_t", n), "power"] for n in _LENGTHS]
    assert powers[0] < powers[1] < powers[2]
    return texts(
        instances=enumeration(f"{n:,}" for n in _LENGTHS),
        first=_LENGTHS[0],
        last=_LENGTHS[-1],
        streams=streams,
        runs=runs // streams,
        mcnemar=join_numbers(sizes["mcnemar"], 0, 100),
        mcnemar_first=percent(sizes["mcnemar"][0], 0),
        mcnemar_last=percent(sizes["mcnemar"][-1], 0),
        paired_t=join_numbers(sizes["paired_t"], 0, 100),
        power=join_numbers(powers[:3], 2),
        power_instances=enumeration(f"{n:,}" for n in _LENGTHS[:3]),
    )


@FROM_FILES.add
def theorem_1() -> Values:
    """How many times as many instances as needed the bound of Theorem 1 asks for, in the limit."""
    delta, errors = 0.05, (0.5, 0.2, 0.05)
    needed = [float(ndtri(1 - delta / 2)) ** 2 * error * (1 - error) for error in errors]
    times = [np.log(2 / delta) / 2 / instances for instances in needed]
    return texts(delta=number(delta, 2), times=number(times[-1]), error=number(errors[-1], 2))


@cache
def _rates(name: str) -> pd.DataFrame:
    return read_csv_table(_RECORDED / f"{name}.csv")


def _steady(rates: pd.DataFrame) -> pd.DataFrame:
    changing = (calibrations.TURNS, calibrations.FREQUENT)
    return rates[rates["law"].isin([law for law in NULLS if not law.startswith(changing)])]


@FROM_FILES.add
def verdicts() -> Values:
    """False verdicts of ``compare`` where both learners are equal."""
    rates = _rates("beyond/verdict_calibration")
    steady, plain = _steady(rates), rates[rates["validation"] == "prequential"]
    largest = rates.groupby("law")["excludes"].max()
    simple = steady[steady["validation"].isin(_FOLDS) & (steady["law"] != "forests")]
    with_interval = steady[steady["interval"] > 0]
    classes, turns = (80, 90, 95), (3, 10, 30, 100)
    by_class = rates.pivot_table("excludes", "law", "validation", aggfunc="max")
    by_class = by_class.loc[[f"frequent_{share}" for share in classes]]
    power = plain.set_index(["law", "instances"])
    streams = rates.groupby("instances")["streams"].unique()
    assert list(streams.pop(streams.index.max())) == [200]
    assert {*map(int, streams.explode())} == {400}
    assert rates.loc[rates["law"].isin([*DIFFERENT]), "equal"].max() == 0
    return texts(
        span=span(steady["excludes"]),
        most=upper_bound(steady["excludes"].max(), 0),
        least=lower_bound(steady["excludes"].min()),
        greatest=upper_bound(steady["excludes"].max()),
        cells=len(steady),
        folds=span(simple["by_other"]),
        folds_least=percent(simple["by_other"].min()),
        folds_most=percent(simple["by_other"].max()),
        turns=enumeration(map(str, turns)),
        by_turns=enumeration(upper_bound(largest[f"turns_{n}"]) for n in turns),
        classes=enumeration(map(str, classes)),
        most_frequent=classes[-1],
        by_class=enumeration(map(upper_bound, by_class["prequential"])),
        of_most_frequent=upper_bound(by_class["prequential"].iloc[-1]),
        short=upper_bound((with_interval["excludes"] / with_interval["interval"]).max()),
        three_points=enumeration(
            percent(power.loc[("three_points", n), "better"]) for n in (1000, 10_000, 100_000)
        ),
        lengths=enumeration(f"{n:,}" for n in (1000, 10_000, 100_000)),
        half_point=upper_bound(rates.loc[rates["law"] == "half_point", "better"].max()),
        region=f"{100 * REGION_FRACTION:g}",
        streams=400,
        longest=200,
    )


@FROM_FILES.add
def single_learners() -> Values:
    """Intervals of single learners that miss the expected value."""
    rates, worst = _rates("beyond/interval_coverage"), calibrations.interval_miss_rates()
    accuracy, *kappas = worst.by_measure.values()
    missed = rates[rates["learner"] == "learner"].set_index(["law", "runs"])["missed"]
    by_run = [missed.loc[[("forests", runs)]].max() for runs in (1, 5)]
    assert by_run[0] > LIMIT > by_run[1]
    return texts(
        limit=percent(LIMIT, 0),
        kappas=enumeration(map(upper_bound, kappas)),
        accuracy=upper_bound(accuracy),
        frequent=percent(calibrations.MAX_CLASS_PROPORTION, 0),
        classes=enumeration(map(str, sorted(worst.by_class))),
        by_class=enumeration(
            upper_bound(worst.by_class[share]) for share in sorted(worst.by_class)
        ),
        single_run=upper_bound(by_run[0]),
        five_runs=upper_bound(by_run[1]),
        of_majority=upper_bound(worst.kappa_of_majority),
        turns=enumeration(map(str, sorted(worst.by_changes))),
        by_turns=enumeration(upper_bound(worst.by_changes[n]) for n in sorted(worst.by_changes)),
        short=upper_bound(worst.short),
    )


@FROM_FILES.add
def entities() -> Values:
    """False verdicts, and intervals that miss, where rows of several entities are interleaved."""
    rates, singles = (
        _rates("beyond/verdict_calibration_groups"),
        _rates("beyond/interval_coverage_groups"),
    )
    nulls = rates[rates["law"].isin([*ENTITIES])]
    plain = nulls[nulls["validation"] == "prequential"]
    folds = nulls[nulls["validation"].isin(_FOLDS)]
    is_usual = singles["law"].isin([*ENTITIES]) & singles["learner"].eq("learner")
    missed = singles[is_usual & (singles["interval"] > 0.5)].groupby("measure")["missed"].max()
    return texts(
        entities=enumeration(map(str, sorted({law.entities for law in ENTITIES.values()}))),
        prequential=upper_bound(plain["excludes"].max()),
        most=upper_bound(nulls["excludes"].max()),
        mcnemar=span(plain["by_other"]),
        folds=span(folds["by_other"]),
        missed=upper_bound(missed.max()),
    )


@FROM_FILES.add
def slow() -> Values:
    """False verdicts where error rates move slowly."""
    rates = pd.concat(
        [_rates("beyond/verdict_calibration"), _rates("beyond/verdict_calibration_groups")]
    )
    rates = rates[rates["validation"] == "prequential"].set_index(["law", "instances"])["excludes"]
    lengths, of_entities = (1000, 10_000, 100_000), (1000, 4000)
    return texts(
        half_life=calibrations.SlowLaw.of("slow_99").half_life,
        rates=join_numbers((rates["slow_99", n] for n in lengths), 1, 100),
        lengths=enumeration(f"{n:,}" for n in lengths),
        few=join_numbers((rates["slow_99_3", n] for n in of_entities), 1, 100),
        many=join_numbers((rates["slow_99_20", n] for n in of_entities), 1, 100),
        of_entities=enumeration(f"{n:,}" for n in of_entities),
    )


@FROM_FILES.add
def alarms() -> Values:
    """False verdicts on uninformed alarms beside the same gaps in random order."""
    rates = _rates("detectors/alarm_calibration")
    counts = (rates["excludes"] * rates["streams"]).round().astype(int).groupby(rates["null"]).sum()
    streams = rates.groupby("null")["streams"].sum()
    worst = counts.idxmax()
    of_kind = proportion_interval(int(counts[worst]), int(streams[worst]))
    assert of_kind.low <= 0.05
    assert rates["excludes_low"].max() <= LIMIT
    return texts(
        of_kind=interval(of_kind),
        of_cell=interval(
            rates.loc[rates["excludes"].idxmax(), ["excludes", "excludes_low", "excludes_high"]]
        ),
        cells=len(rates),
        bound=upper_bound(of_kind[0]),
    )


@FROM_FILES.add
def skills() -> Values:
    """Intervals of skills that exclude 0 where both forecasts are equally good."""
    rates = _rates("scores/skill_calibration")
    rates = rates[rates["interval"] > 0.5]
    cells, above, largest = {}, {}, {}
    for loss, part in rates.groupby("loss"):
        is_above = part["excludes_low"] > LIMIT
        assert is_above.any()  # otherwise its interval may be shown
        assert part.loc[is_above, "law"].str.startswith(("frequent_9", "turns_10")).all()
        cells[loss], above[loss], largest[loss] = len(part), is_above.sum(), part["excludes"].max()
    return texts(
        **{f"{loss}_cells": count for loss, count in cells.items()},
        **{f"{loss}_above": count for loss, count in above.items()},
        **{f"{loss}_most": upper_bound(rate) for loss, rate in largest.items()},
    )


@FROM_FILES.add
def coverages() -> Values:
    """Intervals of a coverage and of a skill of the interval score that are false."""
    rates = _rates("intervals/interval_calibration")
    above = {name: rates[rates[f"{name}_low"] > LIMIT] for name in ("misses", "excludes")}
    for part in above.values():
        assert len(part)  # otherwise the interval may be shown
        assert {*part["law"]} == {"turns"}
        assert (part["interval"] < 0.5).all()
    steady = rates[rates["law"] != "turns"]
    return texts(
        cells=len(rates),
        misses_above=len(above["misses"]),
        excludes_above=len(above["excludes"]),
        misses=upper_bound(above["misses"]["misses"].max()),
        excludes=upper_bound(above["excludes"]["excludes"].max()),
        steady=enumeration(upper_bound(steady[name].max()) for name in above),
    )


@FROM_FILES.add
def few_labels() -> Values:
    """Intervals of a difference that exclude 0 where learners have a part of the labels."""
    rates = _rates("labels/verdict_calibration")
    rates = rates[
        rates["law"].isin([law for law in NULLS if not law.startswith(calibrations.TURNS)])
    ]
    is_above = rates["excludes_low"] > LIMIT
    above = is_above.groupby(rates["validation"]).sum()
    largest = rates.groupby("validation")["excludes"].max()
    whole = rates["validation"] == "prequential"
    assert {*rates.loc[whole & is_above, "law"]} == {"frequent_90"}
    (cells,) = rates["validation"].value_counts().unique()
    return texts(
        cells=cells,
        above_10=above["partial:0.1"],
        above_1=above["partial:0.01"],
        above_all=above["prequential"],
        most_10=upper_bound(largest["partial:0.1"]),
        most_1=upper_bound(largest["partial:0.01"]),
        most_all=upper_bound(largest["prequential"]),
    )
