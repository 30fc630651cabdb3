"""Measures of class scores, as ``evaluate --scores`` prints them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from streameval.cli import baselines, bins
from streameval.cli.in_pieces import is_whole
from streameval.cli.numbers import undefined
from streameval.errors import ConfigError
from streameval.values import defined
from streameval.view.words import score

if TYPE_CHECKING:
    from streameval.api.pieces_evaluation import PiecesResult
    from streameval.api.result import Result

#: The measures that are printed where they are defined for the number of classes, in this order.
REPORTED = (
    *("auc", "auc_one_vs_one", "auc_one_vs_rest"),
    *("log_loss", "log_loss_clipped"),
    *("log_loss_skill_over_label_proportions", "log_loss_skill_over_label_transitions"),
    "brier",
    *("brier_skill_over_label_proportions", "brier_skill_over_label_transitions"),
    *("expected_calibration_error", "top_3_accuracy", "no_forecast"),
)
#: Those that are printed by bin beside an area, as well.
_BY_BIN = (
    "log_loss",
    "log_loss_skill_over_label_proportions",
    "log_loss_skill_over_label_transitions",
    "brier",
)
#: With two classes all areas are the same.
_OF_MANY = ("auc_one_vs_one", "auc_one_vs_rest")


def add_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that asks for class scores."""
    parser.add_argument(
        "--scores",
        action="store_true",
        help="also measure the class scores of the learners, as forecasts of probabilities: areas "
        "under the ROC curve, log loss, Brier score and calibration, beside forecasts by past "
        "labels only; with delayed labels of the predictions on arrival, and by bin",
    )


def check_option(options: argparse.Namespace, of_regressors: bool, in_pieces: bool) -> None:
    """Refuse scores of regressors, and those of a stream in pieces.

    Raises
    ------
    ConfigError
        If there are such.
    """
    if not options.scores:
        return
    if of_regressors:
        raise ConfigError(
            "--scores: expected learners that predict classes, found some that predict numbers. "
            "Leave it out."
        )
    if in_pieces:
        raise ConfigError(
            "--scores: expected a stream in one go, found one in pieces, whose scores would not "
            "fit into the memory. Leave out one of the two, or use fewer instances (--rows)."
        )


def as_json(result: Result | PiecesResult, options: argparse.Namespace) -> dict[str, Any]:
    """Return the measures by learner, under the key ``scores``, if asked for; undefined is None."""
    if not options.scores or not is_whole(result):
        return {}
    found = result.scores().to_dict("index")
    by_learner = {
        str(learner): {name: defined(value) for name, value in values.items()}
        for learner, values in found.items()
    }
    if result.delays is None or options.by == "age":
        return {"scores": by_learner}
    binned = result.score_bins(bins=bins.number(options))
    by_bin = {
        str(learner): [
            {str(name): defined(value) for name, value in row.items() if name != "learner"}
            for row in rows.to_dict("records")
        ]
        for learner, rows in binned.groupby("learner", sort=False)
    }
    return {"scores": by_learner, "scores_by_bin": by_bin}


def print_scores(result: Result | PiecesResult, options: argparse.Namespace) -> None:
    """Print the measures, if asked for: a column for each learner and baseline, and reasons."""
    if not options.scores or not is_whole(result):
        return
    from streameval.evaluation.scored import ALL_SCORE_MEASURES

    names = _names(result.stream.n_classes)
    found = result.scores(*names)
    learners = [str(learner) for learner in found.index]
    rows = {"class scores" + ("" if result.delays is None else ", on arrival"): learners}
    for name in names:
        cells = found[name].tolist()
        if name != "no_forecast" or any(cells):
            rows[ALL_SCORE_MEASURES[name].title] = [score(value) for value in cells]
    print()
    baselines.print_rows(rows, learners, 2 + max(map(len, rows)))
    if found.isna().to_numpy().any():
        print("\n".join(undefined(result.score_reasons(*names).to_dict("index"))))
    if result.delays is not None and options.by != "age":
        print("\n".join(["", *_by_bin(result, options)]))


def _by_bin(result: Result, options: argparse.Namespace) -> list[str]:
    """Return the lines of some measures by bin of the time to the label."""
    from streameval.evaluation.scored import ALL_SCORE_MEASURES

    area = "auc" if result.stream.n_classes == 2 else "auc_one_vs_rest"
    titles = {name: ALL_SCORE_MEASURES[name].title for name in (area, *_BY_BIN)}
    found = result.score_bins(*titles, bins=bins.number(options))
    learners = [str(name) for name in found["learner"].unique()]
    return ["Class scores by bin", *bins.by_bin(bins.few_of(found), learners, titles)]


def _names(n_classes: int) -> list[str]:
    """Return the measures that are printed for so many classes."""
    left_out = {*_OF_MANY} if n_classes == 2 else {"auc"}
    left_out |= {"top_3_accuracy"} if n_classes <= 3 else set()
    return [name for name in REPORTED if name not in left_out]
