"""Calls of commands whose whole output is approved, and the files that they read."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from streameval.base.settings import ROOT

#: A class that predicts the label before, but for fifty instances.
_SHY = """
class Shy:
    label, calls = None, 0

    def learn(self, x, y, w):
        self.label = y

    def predict(self, x):
        self.calls += 1
        return None if 100 < self.calls <= 150 else self.label
"""


def machines(path: Path, rows: int = 1500) -> Path:
    """Write a file of 6 machines in turn, each of which keeps its state for about 25 rows."""
    draws = np.random.default_rng(5)
    state, lines = draws.integers(0, 2, 6), ["machine,x,state"]
    for machine in draws.integers(0, 6, rows):
        if draws.random() < 0.08:
            state[machine] = draws.integers(0, 2)
        words = ("ok", "fail")[state[machine]]
        lines.append(f"m{machine},{state[machine] + draws.normal():.3f},{words}")
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def write_inputs(folder: Path) -> None:
    """Write all files that the calls read."""
    for name in ("loans.csv", "demand.csv"):
        shutil.copy(ROOT / "examples" / name, folder)
    machines(folder / "machines.csv")
    machines(folder / "more.csv", rows=900)
    rows = [f"{i % 9},{('NA', 'u', 'v', 'v')[i % 4 or i % 3]}" for i in range(240)]
    (folder / "missing.csv").write_text("\n".join(["a,y", *rows]), encoding="utf-8")
    (folder / "one.csv").write_text("a,label\n" + "1,x\n2,x\n" * 20, encoding="utf-8")
    (folder / "constant.csv").write_text("x,y\n" + "".join(f"{i},3\n" for i in range(50)), "utf-8")
    (folder / "shy.py").write_text(_SHY, encoding="utf-8")


_LOANS = "loans.csv --target paid"
_TIMED = f"{_LOANS} --time asked --label-time settled"
_DEMAND = "demand.csv --target count --drop time --numeric-target"
_MACHINES = "machines.csv --target state --group machine"
_CLASSES = "--learner naive_bayes --learner knn"
_NUMBERS = "--learner fimt_dd --learner amrules"
_TREE = "--learner hoeffding_tree --learner naive_bayes"

#: What is asked of `streameval`, by the name of the file that holds its output.
CALLS = {
    "check": f"check {_LOANS}",
    "check_delay": "check sea --rows 900 --delay 20",
    "check_label_times": f"check {_TIMED}",
    "check_groups": f"check {_MACHINES}",
    "check_by_group": f"check {_MACHINES} --by-group",
    "check_missing": "check missing.csv --target y",
    "check_one_class": "check one.csv --target label",
    "check_sample": "check markov_elec2 --sample 500",
    "check_within": "check machines.csv --target state",
    "evaluate": f"evaluate sea --rows 1500 {_CLASSES}",
    "evaluate_one": "evaluate markov_ozone --learner naive_bayes",
    "evaluate_numbers": f"evaluate {_DEMAND} {_NUMBERS} --seasonal 24",
    "evaluate_numbers_constant": "evaluate constant.csv --target y --numeric-target "
    "--learner amrules",
    "evaluate_bins": f"evaluate {_TIMED} {_CLASSES} --bins 4 --all",
    "evaluate_bins_ages": f"evaluate {_TIMED} {_CLASSES} --bins 3 --by age",
    "evaluate_bins_many": f"evaluate {_TIMED} --learner naive_bayes",
    "evaluate_bins_many_learners": f"evaluate {_TIMED} {_CLASSES}",
    "evaluate_bins_many_numbers": f"evaluate {_DEMAND} --learner amrules --delay 23",
    "evaluate_bins_numbers": f"evaluate {_DEMAND} {_NUMBERS} --delay 23 --bins 2 --all",
    "evaluate_bins_numbers_short": f"evaluate {_DEMAND} {_NUMBERS} --rows 50 --delay 5 --bins 2",
    "evaluate_bins_numbers_constant": "evaluate constant.csv --target y --numeric-target "
    "--learner amrules --delay 3 --bins 1",
    "evaluate_bins_published": f"evaluate {_TIMED} --learner naive_bayes --bins 4 --rule published",
    "evaluate_bins_short": "evaluate sea --rows 50 --learner naive_bayes --delay 5 --bins 2",
    "evaluate_again": f"evaluate sea --rows 900 {_TREE} --protocol reevaluation:10 --delay 50",
    "evaluate_bootstrap": f"evaluate sea --rows 900 {_CLASSES} --protocol "
    "bootstrap_validation:5:all",
    "evaluate_corrected": f"evaluate {_LOANS} {_TREE} --wrapper temporal_correction",
    "evaluate_ignored_times": f"evaluate {_TIMED} {_CLASSES} --ignore-label-times",
    "evaluate_conformal": f"evaluate {_DEMAND} --learner fimt_dd --wrapper conformal",
    "evaluate_by_class": "evaluate markov_ozone --learner naive_bayes --by-class",
    "evaluate_by_group": f"evaluate {_MACHINES} --learner naive_bayes --by-group",
    "evaluate_folds": f"evaluate sea --rows 900 {_CLASSES} --protocol cross_validation:3:all",
    "evaluate_groups": f"evaluate {_MACHINES} {_CLASSES}",
    "evaluate_intervals": f"evaluate {_DEMAND} {_NUMBERS} --intervals 0.9",
    "evaluate_label_first": f"evaluate {_TIMED} {_CLASSES} --bins 2 --label-first",
    "evaluate_names": "evaluate sea --rows 900 --learner knn --learner knn:k=3 --name now "
    "--name then --wrapper temporally_augmented",
    "evaluate_not_predicted": "evaluate sea --rows 900 --learner shy:Shy",
    "evaluate_not_predicted_bins": "evaluate sea --rows 900 --learner shy:Shy --delay 9 --bins 1",
    "evaluate_not_predicted_two": "evaluate sea --rows 900 --learner shy:Shy --learner majority "
    "--delay 9 --bins 1",
    "evaluate_one_class": "evaluate one.csv --target label --learner naive_bayes",
    "evaluate_partial": f"evaluate sea --rows 1500 {_TREE} --protocol partial:0.1:uncertainty",
    "evaluate_scores": "evaluate sea --rows 900 --learner naive_bayes --scores",
    "evaluate_scores_ten": "evaluate led_50000 --rows 600 --learner naive_bayes --scores",
    "evaluate_scores_bins": f"evaluate {_TIMED} --learner naive_bayes --bins 2 --scores",
    "evaluate_scores_one_class": "evaluate one.csv --target label --learner majority --scores",
    "evaluate_tuned": "evaluate sea --rows 1500 --learner knn --tune knn:k=1,5",
    "evaluate_tuned_delay": "evaluate sea --rows 1500 --learner knn --tune knn:k=1,5 --delay 40 "
    "--bins 1",
    "evaluate_tuned_numbers": "evaluate planes --rows 2000 --learner fimt_dd "
    "--tune fimt_dd:grace_period=50,200",
    "evaluate_within": "evaluate machines.csv --target state --learner naive_bayes",
    "evaluate_within_delay": "evaluate machines.csv --target state --learner naive_bayes --delay 5 "
    "--bins 1",
    "compare": f"compare sea --rows 1500 {_CLASSES} --all",
    "compare_alike": f"compare sea --rows 1500 {_TREE}",
    "compare_bins": f"compare {_TIMED} {_CLASSES} --bins 3",
    "compare_bootstrap": f"compare sea --rows 900 {_CLASSES} --protocol "
    "bootstrap_validation:5:allotment=in_turn",
    "compare_by_group": f"compare {_MACHINES} --learner naive_bayes --learner knn --by-group",
    "compare_equal": f"compare sea --rows 1500 {_CLASSES} --rope 0.05",
    "compare_folds": f"compare sea --rows 1000 {_CLASSES} --protocol cross_validation:4 "
    "--runs 2 --all",
    "compare_groups": f"compare {_MACHINES} --learner naive_bayes --learner no_change",
    "compare_numbers": f"compare {_DEMAND} {_NUMBERS} --seasonal 24 --runs 2",
    "compare_numbers_bins": f"compare {_DEMAND} {_NUMBERS} --delay 23 --bins 2 --runs 2",
    "compare_three": "compare sea --rows 1000 --learner random_forest --learner knn "
    "--learner naive_bayes --runs 2",
    "compare_tuned": "compare sea --rows 1500 --learner knn --learner naive_bayes --tune knn:k=1,5",
    "compare_short": f"compare sea --rows 50 {_CLASSES} --runs 1",
    "detect": "detect markov_ozone --learner naive_bayes --detector ddm --detector every:500 "
    "--runs 2",
    "detect_none": "detect sea_50 --rows 1500 --learner naive_bayes --detector ddm --runs 2",
    "detect_delay": "detect agrawal_delayed --rows 3000 --learner naive_bayes --detector "
    "every:500 --detector hddm_a --runs 2",
    "budget": "budget sea --rows 1000 --learner naive_bayes --budget 0.02 --budget 0.2 --runs 3",
    "budget_delay": "budget sea --rows 1000 --learner naive_bayes --delay 50 --budget 0.1 "
    "--strategy random --strategy variable_uncertainty --runs 3",
    "report": f"report {_LOANS} --drop asked settled {_CLASSES} --runs 1",
    "report_two": "report machines.csv more.csv --target state --group machine --learner knn "
    "--runs 1",
    "report_delay": f"report {_DEMAND} {_NUMBERS} --delay 23 --seasonal 24 --runs 1",
    "report_tuned": "report sea --rows 1500 --learner knn --tune knn:k=1,5",
    "report_within": "report machines.csv --target state --learner naive_bayes",
    "streams": "streams",
    "learners": "learners",
    "detectors": "detectors",
}

#: Calls whose JSON has other keys than those of others.
JSON_CALLS = (
    *("check", "check_label_times", "check_by_group", "check_within"),
    *("evaluate", "evaluate_numbers", "evaluate_bins", "evaluate_bins_ages"),
    *("evaluate_bins_numbers", "evaluate_by_class", "evaluate_by_group", "evaluate_intervals"),
    *("evaluate_not_predicted_bins", "evaluate_within"),
    *("evaluate_partial", "evaluate_scores_bins", "evaluate_tuned"),
    *("compare", "compare_bins", "compare_folds", "compare_groups", "compare_numbers"),
    *("compare_three", "compare_tuned", "detect", "budget", "report"),
)
