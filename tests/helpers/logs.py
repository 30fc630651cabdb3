"""A log of hours, inputs and two targets, and its entries in a configuration."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd


def hourly_log(n: int, *further: str) -> pd.DataFrame:
    """Labels are due two days later; the class y and the amount follow from the input x."""
    rng = np.random.default_rng(3)
    hour = np.sort(rng.choice(24 * 60, n, replace=False))
    inputs = {name: rng.normal(size=n).round(2) for name in ("x", "z", *further)}
    x = inputs["x"]
    targets = {"y": np.where(x > 0, "good", "bad"), "amount": (2 * x).round(1)}
    return pd.DataFrame({"hour": hour, "due": hour + 48, **inputs, **targets})


def log_entry(target: str, roles: dict[str, str], unused: set[str], **more: Any) -> dict[str, Any]:
    """An entry of log.csv; of the unused columns, the target and those with roles are kept."""
    about = {"file": "log.csv", "target": target, **roles, **more}
    about |= {"numeric_target": True} if target == "amount" else {}
    return {**about, "drop": sorted(unused - {target, *roles.values()})}
