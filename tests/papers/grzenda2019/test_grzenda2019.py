"""The numbers and claims of Grzenda et al. (2019), with made-up results."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.scorecards import FOLDER, card_of, row_of

from streameval.papers.grzenda2019.claims import CLAIMS
from streameval.papers.grzenda2019.published import (
    BIN_FIGURES,
    N_LABELS,
    OUR_LEARNERS,
    OUR_STREAMS,
    REAL_STREAMS,
    REGRESSORS,
)
from streameval.report.claims import judge
from streameval.report.results import FRAME_COLUMNS, Results


def published(table):
    """A table of the paper as ours would have it."""
    frame = pd.read_csv(FOLDER / "grzenda2019" / f"{table}.csv", dtype={"bin": str})
    frame = frame.rename(columns={"bin": "which", "labelled_instances": "labels"})
    frame = frame.replace({"stream": OUR_STREAMS, "learner": {**OUR_LEARNERS, **REGRESSORS}})
    return frame.assign(simulated=False, bin=0, low=np.nan, high=np.nan)


def test_every_number_of_table_1_is_looked_up():
    table = published("table1")
    table.loc[0, "accuracy_percent"] += 0.4
    card = card_of({"grzenda2019/table1": table}, paper="grzenda2019")
    rows = card[(card["item"] == "table1") & card["key"].str.contains("/")]  # and no claim
    rows = rows.set_index("key")
    assert len(rows) == 126 + 12
    differs = rows[rows["verdict"] != "reproduced"]
    assert differs["verdict"].to_dict() == {"hyperplane/0/naive_bayes": "differs"}
    assert rows["difference"].drop(differs.index).eq(0).all()


def test_what_is_missing_is_not_run():
    table = published("table1")
    table = table[table["stream"] != "covtype"]
    card = card_of({"grzenda2019/table1": table}, {"covtype": "no copy"})
    row = row_of(card, "grzenda2019/table1", "covtype/45/knn")
    assert row["verdict"] == "not run"
    assert "covtype was not available: no copy" in row["reason"]


# --- The claims -------------------------------------------------------------------------


def verdict(key, frames):
    return judge(CLAIMS[key], Results(frames)).verdict


def contrasts(ends):
    """Two learners in two bins; ends of the band by learner and bin."""
    rows = [
        (learner, "best", other, b, sum(ends[learner][b]) / 2, *ends[learner][b])
        for learner, other in (("a", "b"), ("b", "a"))
        for b in (0, 1)
    ]
    return pd.DataFrame(rows, columns=list(FRAME_COLUMNS["contrasts"]))


CROSSING = {"a": [(-0.3, -0.1), (0.1, 0.3)], "b": [(0.1, 0.3), (-0.3, -0.1)]}
DOMINANT = {"a": [(0.1, 0.3), (0.1, 0.3)], "b": [(-0.3, -0.1), (-0.3, -0.1)]}
UNCLEAR = {"a": [(-0.3, 0.1), (-0.1, 0.3)], "b": [(-0.1, 0.3), (-0.3, 0.1)]}


@pytest.mark.parametrize(
    ("ends", "labels", "expected"),
    [
        (CROSSING, N_LABELS, "claim holds"),
        (DOMINANT, N_LABELS, "claim does not hold"),
        (UNCLEAR, N_LABELS, "claim undecided"),
        (CROSSING, dict.fromkeys(REAL_STREAMS, 100), "not run: lower scale"),
    ],
    ids=["crossing", "dominant", "unclear", "few"],
)
def test_no_single_best(ends, labels, expected):
    ours = {}
    for stream in REAL_STREAMS:
        figure = f"{BIN_FIGURES[stream]}/{stream}"
        ours[f"{figure}.contrasts"] = contrasts(ends)
        ours[f"{figure}.stages"] = pd.DataFrame({"labels": [1, labels[stream]]})
    assert verdict("no_single_best", ours) == expected


@pytest.mark.parametrize(
    ("means", "expected"),
    [
        ([0.0, *[10.0] * 20], "claim holds"),
        ([0.0, *[12.5] * 20], "claim holds in part"),
        ([*np.linspace(1, 20, 21)], "claim does not hold"),
    ],
    ids=["ten", "more", "rising"],
)
def test_predictions_per_label(means, expected):
    at = np.linspace(1, N_LABELS["dataexpo_atl"], len(means)).astype(int)
    frame = pd.DataFrame({"labels": at, "every": 10, "per_label": means})
    ours = {"grzenda2019/fig12/dataexpo_atl.repredictions": frame}
    assert verdict("predictions_per_label", ours) == expected


@pytest.mark.parametrize(
    ("fine", "expected"), [(0.0, "claim holds"), (0.05, "claim does not hold")]
)
def test_bins_fine_enough(fine, expected):
    """How far the bins of 50 are from those of 100; those of 5 and 10 are always far."""
    wave = np.sin(np.arange(100) / 10) / 4 + 0.5
    accuracies = {count: wave[:: 100 // count] + 0.02 for count in (5, 10)}
    accuracies |= {50: wave[::2] + fine, 100: wave if fine else np.repeat(wave[::2], 2)}
    parts = []
    for count, accuracy in accuracies.items():
        part = {"learner": "no_change", "bins": count, "bin": range(1, count + 1)}
        parts.append(pd.DataFrame(part | {"accuracy": accuracy, "predictions": 44_204}))
    ours = {"grzenda2019/fig13/elec2_dayahead.bin_numbers": pd.concat(parts)}
    assert verdict("bins_fine_enough", ours) == expected


# --- Regression -------------------------------------------------------------------------


@pytest.mark.parametrize(("away", "expected"), [(0.4, "within"), (0.6, "differs")])
def test_every_number_of_table_2_is_looked_up(away, expected):
    table = published("table2")
    over_seeds = table["learner"] == "arf_reg_moa"  # its numbers are means over seeds
    table["mean_absolute_error"] += np.where(over_seeds, away, 0)
    error = table["mean_absolute_error"].where(over_seeds)
    table = table.assign(
        seeds=np.where(over_seeds, 10, 1), seeds_low=error - 0.5, seeds_high=error + 0.5
    )
    card = card_of({"grzenda2019/table2": table}, paper="grzenda2019")
    rows = card[card["item"] == "table2"]
    assert len(rows) == 15 + 2
    is_forest = rows["key"].str.endswith("arf_reg")
    assert (rows.loc[~is_forest, "verdict"] == "reproduced").all()
    assert rows.loc[is_forest, "verdict"].str.startswith(expected).all()
    assert rows.loc[is_forest, "reason"].str.contains("does not state the settings").all()


def regressors(ends):
    """Bands of `gains` by learner and reference, the same in two bins."""
    rows = [
        (learner, reference, "target_mean", b, sum(band) / 2, *band, *band)
        for (learner, reference), band in ends.items()
        for b in (0, 1)
    ]
    ends = ("low", "high", "band_low", "band_high")
    columns = ["learner", "reference", "other", "bin", "difference", *ends]
    frame = pd.DataFrame(rows, columns=columns)
    bins = pd.DataFrame({"predictions": [N_LABELS["bike"]]})
    folder = "grzenda2019/fig14/bike"
    return {f"{folder}.contrasts": frame, f"{folder}.bins": bins}


BETTER, WORSE, OPEN = (1.0, 3.0), (-3.0, -1.0), (-1.0, 1.0)


@pytest.mark.parametrize(
    ("forest", "orto", "expected"),
    [
        (BETTER, WORSE, "claim holds"),
        (OPEN, WORSE, "claim undecided"),
        (BETTER, BETTER, "claim holds in part"),
        (WORSE, WORSE, "claim holds in part"),
    ],
)
def test_better_than_target_mean(forest, orto, expected):
    ends = dict.fromkeys([(name, "target_mean") for name in REGRESSORS.values()], BETTER)
    ends |= {("arf_reg_moa", "target_mean"): forest, ("orto_moa", "target_mean"): orto}
    assert verdict("better_than_target_mean", regressors(ends)) == expected


@pytest.mark.parametrize(
    ("band", "expected"),
    [(BETTER, "claim holds"), (OPEN, "claim undecided"), (WORSE, "claim does not hold")],
)
@pytest.mark.parametrize(
    ("key", "reference"), [("arf_reg_is_best", "best"), ("arf_reg_gains", "first")]
)
def test_claims_about_the_forest(key, reference, band, expected):
    frames = regressors({("arf_reg_moa", reference): band})
    assert verdict(key, frames) == expected
    none = regressors({("orto_moa", reference): band})
    assert verdict(key, none).startswith("not run")


@pytest.mark.parametrize(
    ("errors", "expected"),
    [([100, 109], "claim holds in part"), ([100, 101], "claim holds")],
)
def test_little_variation(errors, expected):
    # Of the mean, 9 in 104.5 is below a tenth, 40 in 220 is not.
    frame = pd.DataFrame(
        {
            # The paper does not have the last learner, so the claim is not about it.
            "learner": [*["orto_moa"] * 2, *["target_mean"] * 2, *["previous_target"] * 2],
            "mean_absolute_error": [*errors, 200, 240 if errors[1] == 109 else 200, 60, 200],
            "predictions": N_LABELS["bike"],
        }
    )
    frames = {"grzenda2019/fig14/bike.bins": frame}
    assert verdict("little_variation", frames) == expected


def test_claims_about_regressors_need_all_labels():
    frames = regressors({("arf_reg_moa", "best"): BETTER})
    frames["grzenda2019/fig14/bike.bins"] = pd.DataFrame({"predictions": [100]})
    assert verdict("arf_reg_is_best", frames).startswith("not run")
