"""The numbers that commands print and results hold, predictions and ids, as they are committed.

`make digests` writes them anew.
"""

from __future__ import annotations

import hashlib
import io
import json
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import streameval as se
from streameval.base.settings import ROOT
from streameval.cli import main

COMMITTED = Path(__file__).parents[1] / "digests" / "outputs.json"
#: Keys of what a clock or the size of a model says, which no result depends on.
_TIMES = {"seconds", "instances_per_second", "model_bytes", "rate", "minutes"}

#: Commands that list registries.
REGISTRIES = ("learners", "detectors", "streams")

_LOANS = f"{ROOT / 'examples' / 'loans.csv'} --target paid"
_TIMED = f"{_LOANS} --time asked --label-time settled"
_DEMAND = f"{ROOT / 'examples' / 'demand.csv'} --target count --drop time --numeric-target"
_CLASSES = "--learner naive_bayes --learner hoeffding_tree"
_NUMBERS = "--learner fimt_dd --learner amrules"

#: What is asked of `streameval`: both tasks, delays, folds, budgets, detection, intervals, tuning.
COMMANDS = {
    "classes": f"evaluate sea --rows 3000 {_CLASSES}",
    "classes, many": "evaluate led_50000 --rows 1500 --learner knn --learner random_forest",
    "classes, delayed": f"evaluate sea_50 --rows 3000 {_CLASSES} --delay 200 --all",
    "classes, label times": f"evaluate {_TIMED} {_CLASSES} --all",
    "classes, label first": f"evaluate {_TIMED} {_CLASSES} --label-first",
    "classes, ignored times": f"evaluate {_TIMED} {_CLASSES} --ignore-label-times",
    "classes, bins": f"evaluate agrawal_delayed --rows 3000 {_CLASSES} --bins 5 --every 100 --all",
    "classes, bins by age": f"evaluate {_TIMED} {_CLASSES} --bins 4 --by age",
    "classes, published bins": f"evaluate {_TIMED} {_CLASSES} --bins 4 --rule published",
    "classes, folds": f"evaluate sea --rows 2000 {_CLASSES} --protocol cross_validation:5:all",
    "classes, bootstrap": f"evaluate sea --rows 2000 {_CLASSES} --protocol "
    "bootstrap_validation:5:all",
    "classes, again": f"evaluate sea --rows 1000 {_CLASSES} --protocol reevaluation:10 --delay 50",
    "classes, a part": f"evaluate sea --rows 3000 {_CLASSES} --protocol partial:0.1",
    "classes, asked": f"evaluate sea --rows 3000 {_CLASSES} --protocol partial:0.1:uncertainty",
    "classes, scores": f"evaluate sea --rows 2000 {_CLASSES} --scores",
    "classes, scores in bins": f"evaluate {_TIMED} {_CLASSES} --scores --bins 4",
    "classes, by class": f"evaluate led_delayed --rows 1500 {_CLASSES} --by-class",
    "classes, augmented": f"evaluate {_LOANS} {_CLASSES} --wrapper temporally_augmented:2",
    "classes, corrected": f"evaluate {_LOANS} {_CLASSES} --wrapper temporal_correction",
    "classes, tuned": "evaluate sea --rows 2000 --learner knn --tune knn:k=1,5",
    "numbers": f"evaluate {_DEMAND} {_NUMBERS}",
    "numbers, delayed": f"evaluate {_DEMAND} {_NUMBERS} --delay 23 --all",
    "numbers, bins": f"evaluate {_DEMAND} {_NUMBERS} --delay 23 --bins 4 --every 5",
    "numbers, seasonal": f"evaluate {_DEMAND} {_NUMBERS} --seasonal 24",
    "numbers, intervals": f"evaluate {_DEMAND} {_NUMBERS} --intervals 0.9",
    "numbers, tuned": f"evaluate {_DEMAND} --learner fimt_dd --tune fimt_dd:grace_period=50,200",
    "compare": f"compare sea --rows 2000 {_CLASSES} --all --cores 1",
    "compare, label times": f"compare {_TIMED} {_CLASSES} --bins 4 --all --cores 1",
    "compare, folds": f"compare sea --rows 2000 {_CLASSES} --protocol cross_validation:5 "
    "--runs 2 --all --cores 1",
    "compare, bootstrap": f"compare sea --rows 1000 {_CLASSES} --protocol "
    "bootstrap_validation:5:allotment=in_turn --cores 1",
    "compare, random learners": "compare sea --rows 1000 --learner random_forest --learner "
    "online_bagging --runs 2 --cores 1",
    "compare, numbers": f"compare {_DEMAND} {_NUMBERS} --all --cores 1",
    "compare, numbers in bins": f"compare {_DEMAND} {_NUMBERS} --delay 23 --bins 4 --cores 1",
    "detect": "detect sea_50 --rows 3000 --learner naive_bayes --detector ddm --detector adwin "
    "--runs 5 --cores 1",
    "detect, delayed": "detect agrawal_delayed --rows 4000 --learner naive_bayes --detector "
    "every:500 --detector hddm_a --runs 3 --cores 1",
    "budget": f"budget sea --rows 2000 {_CLASSES} --runs 2 --cores 1",
    "budget, delayed": "budget led_delayed --rows 1500 --learner naive_bayes --delay 100 --runs 2 "
    "--budget 0.1 --strategy random --strategy variable_uncertainty --cores 1",
    "check": f"check {_LOANS}",
    "check, label times": f"check {_TIMED}",
    "check, sample": "check led_delayed --rows 3000 --sample 1000",
}


def _printed(command: str) -> Any:
    """Return what a command prints as JSON."""
    with redirect_stdout(io.StringIO()) as out:
        main([*shlex.split(command), "--json"])
    return json.loads(out.getvalue())


def _loans() -> Any:
    file = ROOT / "examples" / "loans.csv"
    return se.read(file, "paid", time="asked", label_time="settled")


def _demand() -> Any:
    return se.read(ROOT / "examples" / "demand.csv", "count", drop=["time"], numeric_target=True)


def _frames(result: Any) -> Iterator[Any]:
    """Yield the frames of a result."""
    yield result.predictions.select_dtypes("number").sum().to_dict()
    yield result.differences()


def _of_python() -> dict[str, Callable[[], Any]]:
    """Return what no command prints, by name."""
    two = ["naive_bayes", "hoeffding_tree"]
    return {
        "python, classes": lambda: list(_frames(se.evaluate(_loans(), two))),
        "python, scores": lambda: se.evaluate(_loans(), two, scores=True).to_dict(),
        "python, pretrain": lambda: se.evaluate(_loans(), two, pretrain=400).to_dict(),
        "python, numbers": lambda: list(_frames(se.evaluate(_demand(), ["fimt_dd", "orto"]))),
        "python, conformal": lambda: se.evaluate(_demand(), [se.conformal("fimt_dd")]).to_dict(),
        "python, tune": lambda: se.tune(_loans(), "knn", {"k": [1, 5]}, 400).to_dict(),
    }


def numbers_in(found: Any) -> list[str]:
    """Return the distinct numbers in an output, in order, whatever they are called.

    Twelve digits are kept. Names, order and repetitions may change; a number may not.
    """
    kept: set[float] = set()
    left = [found]
    while left:
        one = left.pop()
        if isinstance(one, pd.DataFrame):
            left.extend(one.to_numpy(dtype=object, na_value=None).ravel())
        elif isinstance(one, dict):
            left.extend(value for key, value in one.items() if key not in _TIMES)
        elif isinstance(one, list | tuple):
            left.extend(one)
        elif isinstance(one, int | float | np.number) and not isinstance(one, bool | np.bool_):
            kept.add(float(f"{float(one):.12g}"))
    return [repr(one) for one in sorted(kept)]


def predictions(learner: str, *, of_numbers: bool) -> list[str]:
    """Return a digest of the predictions of a learner of the registry."""
    stream = _demand() if of_numbers else se.generate("led", 800)
    found = se.evaluate(stream, [learner]).predictions
    text = found.to_csv(index=False, float_format="%.12g")
    return [hashlib.sha256(text.encode()).hexdigest()[:16]]


def _rows(registry: str) -> list[list[str]]:
    """Return the words of what a command lists, a list an id."""
    with redirect_stdout(io.StringIO()) as out:
        main([registry])
    return [line.split() for line in out.getvalue().splitlines()[1:]]


def _ids(registry: str) -> list[str]:
    return [row[0] for row in _rows(registry)]


def named() -> dict[str, Callable[[], list[str]]]:
    """Return all that is kept, by name."""
    commands = {name: lambda one=one: numbers_in(_printed(one)) for name, one in COMMANDS.items()}
    results = {name: lambda of=of: numbers_in(of()) for name, of in _of_python().items()}
    lists = {f"ids of {name}": partial(_ids, name) for name in REGISTRIES}
    players = {
        f"predictions of {row[0]}": partial(predictions, row[0], of_numbers="numbers" in row)
        for row in _rows("learners")
    }
    return commands | results | lists | players


def committed() -> dict[str, str]:
    kept: dict[str, str] = json.loads(COMMITTED.read_text(encoding="utf-8"))
    return kept


def _write() -> None:
    found = {}
    for name, of in named().items():
        found[name] = " ".join(of())
        print(f"{name}: {len(found[name]):,} letters", file=sys.stderr)
    COMMITTED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    _write()
