"""Settings of items of any kind that are computed at once."""

from __future__ import annotations

from functools import cache
from typing import Any

from streameval.base.settings import ROOT, load_yaml
from streameval.items.kind import ItemKind
from streameval.pipeline.plan import make_plan

#: Settings that make a study short, of the kinds that have them.
SHORT: dict[str, Any] = {
    "window": 30,
    "windows": [20, 30],
    "points": 20,
    "lags": 5,
    "period": None,
    "stops": 9,
    "bins": 4,
    "stages": [0, 2],
    "rule": "paper",
    "numbers": [5],
    "instances": [80],
    "noise": [],
    "drift_noise": [],
    "runs": 2,
    "runs_per_job": 2,
    "schemes": ["split_validation"],
    "variants": ["original"],
    "orders": 2,
    "sizes": [10],
    "seeds": [1, 2],
    "delays": [0, 9],
    "detectors": ["every:50"],
    "probabilities": [0.1],
    "measures": ["accuracy"],
    "learners": ["naive_bayes"],
    "strategies": ["random"],
    "budgets": [0.2],
}
OF_KIND: dict[str, dict[str, Any]] = {
    "binned_errors": {"measures": ["mean_absolute_error"]},
    "detection": {"instances": 80},
    "label_budget": {"delay": 0},
    "lags": {"lags": {"labels": [0, 1]}},
    "repredictions": {"every": [10]},
    "type_errors": {"bins": 30},
}


@cache
def settings_of_kinds() -> dict[str, dict[str, Any]]:
    """Settings of an item of each kind that a study of the project has, as plain data."""
    config = load_yaml(ROOT / "config" / "config.yaml") | {"studies": "all"}
    plan = make_plan(config, decide=False, files=[ROOT / "config" / "test.yaml"])
    return {item.kind.name: item.plain_settings() for item in plan.items.values()}


def short_settings(kind: ItemKind) -> dict[str, Any]:
    """Settings of an item of a kind that is computed at once, without its streams."""
    wanted = {
        key: {} if isinstance(value, dict) else SHORT.get(key, value)
        for key, value in settings_of_kinds()[kind.name].items()
        if key not in ("majority", "label_first", "streams")
    }
    wanted |= OF_KIND.get(kind.name, {})
    if kind.trains == "regressors":
        wanted["learners"] = ["target_mean"]
    return {"kind": kind.name, **wanted}
