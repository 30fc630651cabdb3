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


def published():
    """Table 1 as our table would have it."""
    frame = pd.read_csv(FOLDER / "grzenda2019" / "table1.csv", dtype={"bin": str})
    names = {"bin": "which", "labelled_instances": "labels"}
    frame = frame.rename(columns=names).replace({"stream": OUR_STREAMS, "learner": OUR_LEARNERS})
    return frame.assign(simulated=False, bin=0, low=np.nan, high=np.nan)


def test_every_number_of_table_1_is_looked_up():
    table = published()
    table.loc[0, "accuracy_percent"] += 0.4
    card = card_of({"grzenda2019/table1": table}, paper="grzenda2019")
    rows = card[(card["item"] == "table1") & card["key"].str.contains("/")]  # and no claim
    rows = rows.set_index("key")
    assert len(rows) == 126 + 12
    differs = rows[rows["verdict"] != "reproduced"]
    assert differs["verdict"].to_dict() == {"hyperplane/0/naive_bayes": "differs"}
    assert rows["difference"].drop(differs.index).eq(0).all()


def test_what_is_missing_is_not_run():
    table = published()
    table = table[table["stream"] != "covtype"]
    card = card_of({"grzenda2019/table1": table}, {"covtype": "no copy"})
    row = row_of(card, "grzenda2019/table1", "covtype/45/knn")
    assert row["verdict"] == "not run"
    assert "covtype was not available: no copy" in row["reason"]


# --- The claims -------------------------------------------------------------------------


def verdict(key, frames):
    return judge(CLAIMS[key], Results(frames, {}))


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


def bins(ends, labels=None):
    frames_by_name = {}
    for stream in REAL_STREAMS:
        frames_by_name[f"{BIN_FIGURES[stream]}/{stream}.contrasts"] = contrasts(ends)
        reached = (labels or N_LABELS)[stream]
        frames_by_name[f"{BIN_FIGURES[stream]}/{stream}.stages"] = pd.DataFrame(
            {"labels": [1, reached]}
        )
    return frames_by_name


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        (CROSSING, "claim holds"),
        (DOMINANT, "claim does not hold"),
        (UNCLEAR, "claim undecided"),
    ],
    ids=["crossing", "dominant", "unclear"],
)
def test_no_single_best(ends, expected):
    assert verdict("no_single_best", bins(ends)).verdict == expected


def test_no_single_best_needs_the_papers_labels():
    few = dict.fromkeys(REAL_STREAMS, 100)
    assert verdict("no_single_best", bins(CROSSING, few)).verdict.startswith("not run")


def costs(means, labels=N_LABELS["dataexpo_atl"]):
    at = np.linspace(1, labels, len(means)).astype(int)
    frame = pd.DataFrame({"labels": at, "every": 10, "per_label": means})
    return {"grzenda2019/fig12/dataexpo_atl.repredictions": frame}


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
    assert verdict("predictions_per_label", costs(means)).verdict == expected


def numbers(fine, coarse):
    """A wave of No-Change; how far the bins of 50, and of 5 and 10, are from it."""
    wave = np.sin(np.arange(100) / 10) / 4 + 0.5
    parts = []
    for count in (5, 10, 50, 100):
        away = {100: 0.0, 50: fine}.get(count, coarse)
        accuracy = wave[:: 100 // count] + away
        if count < 50 and not coarse:
            accuracy = np.full(count, 0.5)
        flat = wave if fine else np.repeat(wave[::2], 2)
        accuracy = flat if count == 100 else accuracy
        part = {"learner": "no_change", "bins": count, "bin": range(1, count + 1)}
        parts.append(pd.DataFrame(part | {"accuracy": accuracy, "predictions": 44_204}))
    return {"grzenda2019/fig13/elec2_dayahead.bin_numbers": pd.concat(parts)}


@pytest.mark.parametrize(
    ("fine", "expected"), [(0.0, "claim holds"), (0.05, "claim does not hold")]
)
def test_bins_fine_enough(fine, expected):
    assert verdict("bins_fine_enough", numbers(fine, 0.02)).verdict == expected


# --- Regression -------------------------------------------------------------------------


def published_errors():
    """Table 2 as our table would have it; the forest's numbers are means over seeds."""
    frame = pd.read_csv(FOLDER / "grzenda2019" / "table2.csv", dtype={"bin": str})
    names = {"bin": "which", "labelled_instances": "labels"}
    frame = frame.rename(columns=names).replace({"learner": REGRESSORS})
    frame = frame.assign(simulated=False, bin=0, low=np.nan, high=np.nan)
    over_seeds, error = frame["learner"] == "arf_reg_moa", frame["mean_absolute_error"]
    return frame.assign(
        seeds=np.where(over_seeds, 10, 1),
        seeds_low=np.where(over_seeds, error - 0.5, np.nan),
        seeds_high=np.where(over_seeds, error + 0.5, np.nan),
    )


@pytest.mark.parametrize(("away", "expected"), [(0.0, "within"), (0.4, "within"), (0.6, "differs")])
def test_every_number_of_table_2_is_looked_up(away, expected):
    table = published_errors()
    ends = ["mean_absolute_error", "seeds_low", "seeds_high"]
    table.loc[table["seeds"] > 1, ends] += away
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
    assert verdict("better_than_target_mean", regressors(ends)).verdict == expected


@pytest.mark.parametrize(
    ("band", "expected"),
    [(BETTER, "claim holds"), (OPEN, "claim undecided"), (WORSE, "claim does not hold")],
)
@pytest.mark.parametrize(
    ("key", "reference"), [("arf_reg_is_best", "best"), ("arf_reg_gains", "first")]
)
def test_claims_about_the_forest(key, reference, band, expected):
    frames = regressors({("arf_reg_moa", reference): band})
    assert verdict(key, frames).verdict == expected
    none = regressors({("orto_moa", reference): band})
    assert verdict(key, none).verdict.startswith("not run")


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
    assert verdict("little_variation", frames).verdict == expected


def test_claims_about_regressors_need_all_labels():
    frames = regressors({("arf_reg_moa", "best"): BETTER})
    frames["grzenda2019/fig14/bike.bins"] = pd.DataFrame({"predictions": [100]})
    assert verdict("arf_reg_is_best", frames).verdict.startswith("not run")
