"""Studies of users for the fuzz test, and what `streameval run --dry-run` says of them."""

from __future__ import annotations

import copy
import random
import shutil
import warnings
from contextlib import chdir
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from streameval.cli.run import check_setup

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
_CLASSIFIERS = ("no_change", "majority", "naive_bayes", "knn", "hoeffding_tree")
_REGRESSORS = ("target_mean", "previous_target", "fimt_dd", "amrules")


@cache
def _example() -> dict[str, Any]:
    config: dict[str, Any] = yaml.safe_load((EXAMPLES / "study.yaml").read_text(encoding="utf-8"))
    return config


def draw_study(rng: random.Random) -> dict[str, Any]:
    """The example study with other items, learners and settings."""
    content = copy.deepcopy(_example())
    del content["learners"]  # a class of its own would be imported once for all inputs
    items = content["items"]["example"]
    for item in items.values():
        known = _REGRESSORS if item["kind"] == "binned_errors" else _CLASSIFIERS
        item["learners"] = rng.sample(known, rng.randint(1, len(known)))
    items["fig2"]["delay"]["demand"] = rng.choice((0, 1, 23, 500))
    items["table1"]["protocol"] = rng.choice(("reevaluation:10", "delayed:50", "reevaluation"))
    for name in rng.sample([*items], rng.randint(0, len(items) - 1)):
        del items[name]
    used = {name for item in items.values() for name in item["streams"]}
    if rng.random() < 0.5:
        content["streams"] = {name: content["streams"][name] for name in sorted(used)}
    return content


def check_study(path: Path) -> None:
    """Check a study beside the files that it names, as a dry run does."""
    warnings.simplefilter("ignore")
    for name in ("loans.csv", "demand.csv"):
        if not (path.parent / name).exists():
            shutil.copy(EXAMPLES / name, path.parent)
    with chdir(path.parent):
        check_setup([path.absolute()], contents=True)
