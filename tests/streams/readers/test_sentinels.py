"""Numbers such as -999 that stand for missing values are named when a stream is read."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import streameval as se
from streameval.streams.readers.sentinels import sentinels_of
from streameval.streams.readers.table import StreamWarning

N = 600


def with_numbers(column, number, rows=8):
    """The column with a number in some of its rows."""
    changed = np.array(column, dtype=np.float64)
    changed[np.linspace(3, len(changed) - 1, rows).astype(int)] = number
    return changed


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def frame(rng, number=-999.0):
    x, z = rng.normal(size=(2, N))
    return pd.DataFrame({"x": with_numbers(x, number), "z": z, "y": np.where(x + z > 0, "a", "b")})


@pytest.mark.parametrize("number", [-99, -999, -9999, -99999, 99, 999, 9999, 99999])
def test_a_repeated_number_far_outside_the_others_is_a_sentinel(rng, number):
    assert sentinels_of(with_numbers(rng.normal(size=N), number)) == [(number, 8)]
    assert sentinels_of(with_numbers(rng.normal(size=N), number, rows=3)) == [(number, 3)]
    assert sentinels_of(with_numbers(rng.normal(size=N), number, rows=2)) == []


@pytest.mark.parametrize(
    ("low", "high", "number"),
    [
        (980, 1040, 9999),  # pressure, hPa
        (0, 101, -99),  # relative humidity, %
        (0, 4000, -999),  # elevation, m: the only negative number
        (0, 2, -999),  # flags
    ],
)
def test_sentinels_of_measurements(rng, low, high, number):
    assert sentinels_of(with_numbers(rng.integers(low, high, N), number)) == [(number, 8)]


def test_several_sentinels_of_a_column_do_not_hide_each_other(rng):
    column = with_numbers(with_numbers(rng.normal(size=N), -999, rows=5), 9999, rows=4)
    column[:40] = np.nan
    sentinels = sentinels_of(column)
    assert [sentinel.number for sentinel in sentinels] == [-999, 9999]
    assert [sentinel.rows for sentinel in sentinels] == [
        np.sum(column == -999),
        np.sum(column == 9999),
    ]


def ordinary(rng):
    """Columns of numbers in which none stands for a missing one."""
    counts = np.minimum(rng.integers(0, 1200, N), 999)
    prices = rng.choice([199.0, 299, 399, 499, 999], N)
    balance = np.clip(rng.normal(0, 300, N), -999, 999)
    return {
        "counts up to 999": counts,
        "ages up to 99": np.minimum(rng.integers(0, 120, N), 99),
        "prices": prices,
        "clipped": balance,
        "gains with a top code": np.where(rng.random(N) < 0.02, 99999, rng.integers(0, 41310, N)),
        "waits": np.minimum(rng.exponential(200, N).round(), 999),
        "temperatures": rng.normal(-90, 10, N).round(),
        "only -999": np.full(N, -999.0),
        "two values": rng.choice([0.0, 99.0], N),
        "nothing": np.full(N, np.nan),
        "normal": rng.normal(size=N),
        "years": rng.integers(1900, 2026, N),
        "identifiers": np.arange(99_400, 99_400 + N),
        "heavy tail": np.abs(rng.standard_cauchy(N) * 1000).round(),
        "none": np.empty(0),
    }


def test_ordinary_columns_have_none(rng):
    for name, column in ordinary(rng).items():
        assert sentinels_of(np.asarray(column, dtype=np.float64)) == [], name


def remarks(read):
    """What is said of sentinels, and the stream."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", StreamWarning)
        stream = read()
    texts = [str(warning.message) for warning in caught]
    return [text for text in texts if "missing values" in text], stream


def csv(path, table):
    table.to_csv(path, index=False)


def parquet(path, table):
    table.to_parquet(path)


@pytest.mark.parametrize(("ending", "write"), [(".csv", csv), (".parquet", parquet)])
def test_files_and_frames_name_column_number_rows_and_option(tmp_path, rng, ending, write):
    table, path = frame(rng), tmp_path / f"a{ending}"
    write(path, table)
    readers = [
        lambda **options: se.read(path, "y", **options),
        lambda **options: se.from_pandas(table, "y", **options),
    ]
    for reader in readers:
        (text,), _ = remarks(reader)
        assert ": x (-999 in 8 rows)." in text
        assert "If -999 stands for missing numbers" in text
        assert text.endswith(": --missing -999 NA.")
        # It is what the warning says to do.
        texts, stream = remarks(lambda reader=reader: reader(missing=["-999", "NA"]))
        assert texts == []
        assert np.isnan(stream.X).sum(axis=0).tolist() == [8, 0]


def test_arrays_and_arff_files_are_told_what_they_can_write(tmp_path, rng):
    table = frame(rng, 99999.0)
    (text,), _ = remarks(lambda: se.from_arrays(table[["x", "z"]], table["y"]))
    assert ": x (99999 in 8 rows)." in text
    assert text.endswith("write them as missing values, ? in ARFF and NaN in arrays.")
    rows = [f"{x},{z},{y}" for x, z, y in table.itertuples(index=False)]
    head = ["@relation r", "@attribute x real", "@attribute z real", "@attribute y {a,b}", "@data"]
    (tmp_path / "a.arff").write_text("\n".join([*head, *rows]))
    (text,), _ = remarks(lambda: se.read(tmp_path / "a.arff"))
    assert "--missing" not in text
    assert "? in ARFF" in text


def test_a_numeric_target_is_looked_at_and_names_are_not(rng):
    table = frame(rng).assign(target=lambda t: t["x"] * 1.0, code=lambda t: t["x"].round(1))
    (text,), _ = remarks(
        lambda: se.from_pandas(table, "target", numeric_target=True, nominal=["code"], drop=["x"])
    )
    assert ": target (-999 in 8 rows)." in text


def test_numbers_in_several_columns_are_named_together(rng):
    table = frame(rng).assign(z=lambda t: with_numbers(t["z"], 9999, rows=4))
    (text,), _ = remarks(lambda: se.from_pandas(table, "y"))
    assert "x (-999 in 8 rows), z (9999 in 4 rows)" in text
    assert "If -999 and 9999 stand for missing numbers" in text
    assert "--missing -999 9999 NA" in text


@pytest.mark.parametrize("text", ["-999", "-999.0", "-9.99e2"])
@pytest.mark.parametrize("spelt", ["-999", "-999.00", "−999", "-9.99E+2"])
def test_a_missing_number_may_be_spelt_in_any_way(tmp_path, text, spelt):
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["x,y", *(f"{i}.5,a\n{spelt},b" for i in range(20))]))
    stream = se.read(path, "y", missing=[text])
    assert np.isnan(stream.X[:, 0]).tolist() == [False, True] * 20


def test_a_missing_number_is_none_of_a_column_of_names_or_dates(tmp_path):
    table = pd.DataFrame(
        {"k": ["999", "a", "b", "c"], "t": pd.to_datetime([999, 1, 2, 3], unit="s")}
    )
    stream = se.from_pandas(table.assign(y=list("abab")), "y", missing=["999.0"])
    assert not np.isnan(stream.X).any()
