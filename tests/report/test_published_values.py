"""Published values of a study of one's own: their file, and how they are compared."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from streameval.base.errors import ConfigError
from streameval.report.number_verdicts import DIFFERS, REPRODUCED, TRUNCATED, WITHIN
from streameval.report.published_values import PublishedValue, compare_values, read_published_values

HEAD = "stream,learner,measure,value,source"
KNOWN = (["elec2", "sea"], ["knn", "naive_bayes"], ["accuracy", "kappa"])


def write(tmp_path, *rows, head=HEAD):
    path = tmp_path / "table2.csv"
    path.write_text("\n".join([head, *rows, ""]), encoding="utf-8")
    return path


def test_values_keep_their_digits(tmp_path):
    path = write(
        tmp_path,
        "elec2,knn,accuracy,81.6%,A,2,",
        "elec2,naive_bayes,accuracy,0.84,B,,5",
        "sea,knn,kappa,−0.1,C,,",
        head=f"{HEAD},digits,seeds",
    )
    values = read_published_values(path, *KNOWN)
    assert [(value.printed, value.source, value.n_runs) for value in values] == [
        ("81.60%", "A", 1),
        ("0.84", "B", 5),
        ("-0.1", "C", 1),
    ]
    assert [str(value.number(is_percent=True)) for value in values] == ["81.60", "84", "-1E+1"]
    assert [str(value.number(is_percent=False)) for value in values] == ["0.8160", "0.84", "-0.1"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["elec3,knn,accuracy,0.5,A"], "line 2: there is no stream 'elec3'.*Did you mean 'elec2'"),
        (["elec2,kn,accuracy,0.5,A"], "line 2: there is no learner 'kn'.*Did you mean 'knn'"),
        (["elec2,knn,acuracy,0.5,A"], "line 2: there is no measure 'acuracy'"),
        (["elec2,knn,accuracy,high,A"], "line 2: expected a number such as .*, found 'high'"),
        (["elec2,knn,accuracy,nan,A"], "line 2: expected a number"),
        (
            ["elec2,knn,accuracy,0.5,A", "sea,knn,accuracy,0.5,A", "elec2,knn,accuracy,0.6,A"],
            "line 4: expected one value of elec2 / knn / accuracy, found another value in line 2",
        ),
    ],
)
def test_each_fault_has_a_message_with_its_line(tmp_path, rows, message):
    with pytest.raises(ConfigError, match=message):
        read_published_values(write(tmp_path, *rows), *KNOWN)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("0.85,A,1,", "expected at least 2 as digits, the number of decimals of 0.85, found 1"),
        ("0.85,A,two,", "expected a whole number from 0 as digits, found 'two'"),
        ("0.85,A,,0", "expected a whole number from 1 as seeds, found '0'"),
    ],
)
def test_numbers_beside_a_value_are_checked(tmp_path, cells, message):
    path = write(tmp_path, f"elec2,knn,accuracy,{cells}", head=f"{HEAD},digits,seeds")
    with pytest.raises(ConfigError, match=message):
        read_published_values(path, *KNOWN)


def test_a_file_that_is_missing_or_lacks_a_column_is_named(tmp_path):
    with pytest.raises(ConfigError, match="published: expected a file, found none at"):
        read_published_values(tmp_path / "none.csv", *KNOWN)
    path = write(tmp_path, head="stream,learner,value")
    with pytest.raises(ConfigError, match="without measure"):
        read_published_values(path, *KNOWN)


def published(printed, seeds=1):
    return PublishedValue("elec2", "knn", "accuracy", printed, "A", seeds)


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        ("82.65%", 0.82650, REPRODUCED),
        ("82.6%", 0.8265, TRUNCATED),  # half is rounded up
        ("0.827", 0.8265, REPRODUCED),
        ("82.65%", 0.8266, DIFFERS),
    ],
)
def test_one_run_has_to_have_the_same_digits(printed, ours, verdict):
    comparison = compare_values(published(printed), [ours], is_ratio=True)
    assert comparison.verdict == verdict
    scale = 100 if printed.endswith("%") else 1
    assert comparison.difference == pytest.approx(scale * ours - float(printed.rstrip("%")))


@given(
    st.lists(st.integers(800, 900), min_size=2, max_size=8, unique=True),
    st.integers(700, 999),
    st.integers(1, 9),
)
def test_several_runs_are_compared_by_an_interval_for_other_seeds(counts, theirs, seeds):
    ours = [count / 1000 for count in counts]
    n, mean = len(ours), sum(ours) / len(ours)
    sd = math.sqrt(sum((x - mean) ** 2 for x in ours) / (n - 1))
    half = stats.t.ppf(0.975, n - 1) * sd * math.sqrt(1 / n + 1 / seeds) + 0.0005
    comparison = compare_values(published(f"0.{theirs}", seeds), ours)
    distance = abs(mean - theirs / 1000)
    if abs(distance - half) > 1e-9:
        assert comparison.verdict == (WITHIN if distance < half else DIFFERS)
    assert comparison.difference == pytest.approx(mean - theirs / 1000)


def test_what_this_run_lacks_is_not_run_and_says_why():
    comparison = compare_values(published("82%"), [math.nan], "it failed")
    assert (comparison.verdict, comparison.reason) == ("not run", "it failed")
    assert math.isnan(comparison.difference)
    assert "no such value" in compare_values(published("82%"), []).reason
