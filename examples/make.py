"""Make the simulated example files ``loans.csv`` and ``demand.csv``: python examples/make.py."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).parent


def loans(n: int = 2_000) -> pd.DataFrame:
    """Return loans in the order of their applications; those that still run have no label.

    A loan is paid back after some months, or not at all. From the middle on incomes count less.
    """
    rng = np.random.default_rng(20260101)
    asked = pd.Timestamp("2023-01-02 09:00") + pd.to_timedelta(
        np.cumsum(rng.exponential(13.0, n)).round(2), unit="h"
    )
    income = rng.lognormal(10.3, 0.4, n).round(-2)
    amount = rng.lognormal(8.6, 0.6, n).round(-1)
    purpose = rng.choice(["car", "home", "debt", "other"], n, p=[0.3, 0.25, 0.3, 0.15])
    # Times are good and bad by turns, so neighbours are alike.
    season = np.sin(np.arange(n) / n * 6 * np.pi)
    weight = np.where(np.arange(n) < n // 2, 1.6, 0.6)
    score = (
        0.9
        + weight * (np.log(income) - 10.3) / 0.4
        - 0.9 * (np.log(amount) - 8.6) / 0.6
        - 0.8 * (purpose == "debt")
        + 0.8 * season
    )
    paid = rng.random(n) < 1 / (1 + np.exp(-score))
    # Defaults are known earlier than the last instalment.
    days = np.where(paid, rng.gamma(9.0, 20.0, n), rng.gamma(4.0, 25.0, n))
    settled = asked + pd.to_timedelta(days.round(2), unit="D")
    is_open = settled > asked[-1]  # the file ends with the last application
    return pd.DataFrame(
        {
            "asked": asked.strftime("%Y-%m-%d"),
            "settled": np.where(is_open, "", settled.strftime("%Y-%m-%d")),
            "income": income.astype(int),
            "amount": amount.astype(int),
            "purpose": purpose,
            "paid": np.where(is_open, "", np.where(paid, "yes", "no")),
        }
    )


def demand(n: int = 3_000) -> pd.DataFrame:
    """Return hourly counts with a daily and a weekly pattern, weather and growth."""
    rng = np.random.default_rng(20260102)
    time = pd.date_range("2024-03-01", periods=n, freq="h")
    hour, day = time.hour.to_numpy(), time.day_of_week.to_numpy()
    slow = np.zeros(n)
    for i in range(1, n):
        slow[i] = 0.98 * slow[i - 1] + rng.normal(0, 0.6)
    temperature = 12 + 8 * np.sin(2 * np.pi * (np.arange(n) / 24 - 100) / 365) + slow
    temperature += 4 * np.sin(2 * np.pi * (hour - 9) / 24)
    rain = (rng.random(n) < 0.1).astype(int)
    rush = np.exp(-((hour - 8) ** 2) / 6) + 1.2 * np.exp(-((hour - 17.5) ** 2) / 8)
    rush = np.where(day < 5, rush, 0.7 * np.exp(-((hour - 14) ** 2) / 20))
    level = (0.15 + rush) * (1 + 0.03 * (temperature - 12)) * (1 - 0.5 * rain)
    count = rng.poisson(np.maximum(level, 0.02) * np.linspace(120, 200, n))
    return pd.DataFrame(
        {
            "time": time.strftime("%Y-%m-%d %H:%M"),
            "hour": hour,
            "workday": np.where(day < 5, "yes", "no"),
            "temperature": temperature.round(1),
            "rain": rain,
            "count": count,
        }
    )


if __name__ == "__main__":
    for make in (loans, demand):
        make().to_csv(HERE / f"{make.__name__}.csv", index=False, lineterminator="\n")
