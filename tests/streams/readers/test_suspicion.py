"""What makes an evaluation pointless is named when a file is read."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import streameval as se
from streameval.base.errors import ConfigError, DataError
from streameval.streams.readers.table import StreamWarning

N = 3_000
COMPUTED = "can be computed from inputs, which may not be known before it:"
NEARLY = "follows from one input in at least 98% of the rows, which may not be known before it:"


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def said(folder, frame, target, header=True, **options):
    """All warnings about a file as one text."""
    path = folder / "a.csv"
    frame.to_csv(path, index=False, header=header)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        se.read(path, target, **options)
    assert len(caught) <= 1
    assert all(issubclass(w.category, StreamWarning) for w in caught)
    return "".join(str(w.message) for w in caught)


def rentals(rng):
    """Hourly rentals: the count is the sum of casual and registered rentals."""
    casual, registered = rng.poisson(20, N), rng.poisson(100, N)
    return pd.DataFrame(
        {
            "hour": np.arange(N) % 24,
            "temp": rng.normal(15, 8, N).round(2),
            "casual": casual,
            "registered": registered,
            "cnt": casual + registered,
        }
    )


def test_inputs_that_add_up_to_the_target(tmp_path, rng):
    frame = rentals(rng)
    text = said(tmp_path, frame, "cnt", numeric_target=True)
    assert f"the target 'cnt' {COMPUTED} casual, registered." in text
    assert said(tmp_path, frame, "cnt", numeric_target=True, drop=["casual"]) == ""
    gaps = frame.astype(float)
    gaps.loc[::7, "casual"] = np.nan
    assert "casual, registered" in said(tmp_path, gaps, "cnt", numeric_target=True)
    # One row that does not fit.
    frame.loc[N - 1, "cnt"] += 1
    assert said(tmp_path, frame, "cnt", numeric_target=True) == ""


@pytest.mark.parametrize("size", [1e300, 1e-290])
def test_huge_and_tiny_inputs_add_up_without_a_word_of_numpy(tmp_path, rng, size):
    """`said` refuses other warnings than those about the stream."""
    frame = rentals(rng)
    frame[["casual", "registered", "cnt"]] = frame[["casual", "registered", "cnt"]] * size
    text = said(tmp_path, frame, "cnt", numeric_target=True)
    assert f"the target 'cnt' {COMPUTED}" in text
    frame["registered"] = rng.normal(size=N) * size
    assert said(tmp_path, frame, "cnt", numeric_target=True) == ""


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("equal", lambda cnt: cnt),
        ("doubled", lambda cnt: -2 * cnt + 7),
        ("logarithm", lambda cnt: np.log(cnt + 1)),
    ],
)
def test_an_input_that_rises_or_falls_with_the_target(tmp_path, rng, name, of):
    frame = rentals(rng).drop(columns=["casual", "registered"])
    frame[name] = of(frame["cnt"])
    text = said(tmp_path, frame, "cnt", numeric_target=True)
    assert f"{COMPUTED} {name}." in text
    frame[name] = rng.permutation(frame[name])
    assert said(tmp_path, frame, "cnt", numeric_target=True) == ""


@pytest.mark.parametrize("values", [["paid", "open"], [1, 0], [0.5, -3]])
def test_an_input_that_stands_for_the_class(tmp_path, rng, values):
    label = rng.integers(0, 2, N)
    frame = pd.DataFrame({"x": rng.normal(size=N), "state": np.array(values)[label], "y": label})
    assert f"the target 'y' {COMPUTED} state." in said(tmp_path, frame, "y")
    # In 59 of 3,000 rows, or 1.97 %, it is another one; then in 61 rows.
    frame.loc[:58, "state"] = np.array(values)[1 - label[:59]]
    assert f"the target 'y' {NEARLY} state." in said(tmp_path, frame, "y")
    frame.loc[59:60, "state"] = np.array(values)[1 - label[59:61]]
    assert said(tmp_path, frame, "y") == ""


def test_a_rare_class_is_no_leak_by_being_rare(tmp_path, rng):
    """2 % are faults: any input gives the label in 98 % of rows, as the majority class does."""
    fault = np.arange(N) % 50 == 7
    flag = np.where(rng.random(N) < 0.5, "on", "off")
    frame = pd.DataFrame({"x": rng.normal(size=N), "flag": flag, "y": fault})
    assert said(tmp_path, frame, "y") == ""
    # An alarm at half of the faults leaves a half, one at 50 of 60 leaves a sixth.
    faults = np.flatnonzero(fault)
    frame.loc[faults[:30], "flag"] = "alarm"
    assert said(tmp_path, frame, "y") == ""
    frame.loc[faults[:50], "flag"] = "alarm"
    assert f"{NEARLY} flag." in said(tmp_path, frame, "y")
    # Names that hardly repeat tell nothing.
    frame["flag"] = [f"{'v' if y else 'u'}{i // 3}" for i, y in enumerate(fault)]
    assert "follows" not in said(tmp_path, frame, "y")


@pytest.mark.parametrize("kind", ["csv", "parquet", "arff", "frame"])
def test_identifiers_beyond_2_to_the_53_are_named(tmp_path, rng, kind):
    ids = 2**60 + np.arange(N) % 40  # neighbours: as doubles all are one number
    frame = pd.DataFrame({"id": ids, "x": rng.normal(size=N), "y": rng.choice(["u", "v"], N)})
    path = tmp_path / f"a.{kind}"
    if kind == "parquet":
        frame.to_parquet(path)
    elif kind == "arff":
        head = "@relation a\n@attribute id real\n@attribute x real\n@attribute y {u,v}\n@data\n"
        path.write_text(head + frame.to_csv(index=False, header=False))
    else:
        frame.to_csv(path, index=False)

    def read(**options):
        if kind == "frame":
            return se.from_pandas(frame, "y", **options)
        return se.read(path, "y", **options)

    with pytest.warns(StreamWarning, match=r"beyond 2\^53, .*rounded: id\..* \(--nominal COLUMN\)"):
        read()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(drop=["id"])
    named = read(nominal=["id"]).schema.attributes[0]
    assert named.values == tuple(str(2**60 + i) for i in range(40))


def test_a_class_cut_from_a_number(tmp_path, rng):
    count = rng.gamma(2, 40, N)
    level = np.array(["low", "middle", "high"])[np.digitize(count, [50, 120])]
    frame = pd.DataFrame({"hour": np.arange(N) % 24, "count": count, "level": level})
    assert f"{COMPUTED} count." in said(tmp_path, frame, "level")
    # With one exception it is no longer exact. Of labels one may occur too rarely to say.
    frame.loc[N // 2, "level"] = "low" if frame.loc[N // 2, "level"] != "low" else "high"
    frame["count"] = 5e305 * (frame["count"] - 250)  # a difference is beyond all doubles
    assert f"{NEARLY} count." in said(tmp_path, frame, "level")
    frame["level"] = np.where(count >= np.sort(count)[-19], "high", "low")
    assert said(tmp_path, frame, "level") == ""


def test_what_does_not_repeat_is_no_function(tmp_path, rng):
    """Each row has a number of its own, so the number says nothing."""
    frame = pd.DataFrame({"row": rng.permutation(N), "y": rng.integers(0, 2, N)})
    assert said(tmp_path, frame, "y") == ""
    # Few rows can be fitted by many inputs.
    wide = pd.DataFrame(rng.normal(size=(30, 20)), columns=[f"a{j}" for j in range(20)])
    assert said(tmp_path, wide.assign(y=rng.normal(size=30)), "y", numeric_target=True) == ""


def test_a_class_for_each_row(tmp_path, rng):
    frame = pd.DataFrame({"x": rng.normal(size=N), "id": [f"k{i}" for i in range(N)]})
    with pytest.raises(DataError, match=r"classes .*\b3,000 rows"):
        said(tmp_path, frame, "id")
    frame["id"] = [f"k{i // 2 * 2}" if i % 3 else f"k{i}" for i in range(N)]
    text = said(tmp_path, frame, "id")
    assert "has a class for nearly each row, 2,000 in 3,000: probably an identifier" in text


def test_a_missing_header(tmp_path, rng):
    frame = pd.DataFrame(rng.normal(size=(N, 3)).round(3), columns=list("abc"))
    frame["y"] = rng.choice(["u", "v"], N)
    text = said(tmp_path, frame, str(frame.loc[0, "y"]), header=False)
    first = ", ".join(map(str, frame.iloc[0, :3]))
    assert f"column names that are numbers, as if a header were missing: {first}." in text
    with pytest.raises(DataError, match=r"no column 'y'\..* header missing"):
        said(tmp_path, frame, "y", header=False)
    path = tmp_path / "a.csv"
    stream = se.read(path, "x4", header=False)
    assert len(stream) == N
    assert stream.X.tolist() == frame[list("abc")].to_numpy().tolist()
    assert [attribute.name for attribute in stream.schema.attributes] == ["x1", "x2", "x3"]
    frame.to_parquet(tmp_path / "a.parquet")
    with pytest.raises(ConfigError, match="--no-header"):
        se.read(tmp_path / "a.parquet", "y", header=False)
    # Those that count the columns, as pandas writes them, and years are names.
    for names in (range(3), range(1, 4), range(2019, 2022)):
        assert said(tmp_path, frame.set_axis([*names, "y"], axis=1), "y") == ""
    frame.loc[0, "b"] = frame.loc[0, "a"]
    with pytest.raises(DataError, match=r"2 times\. .*header missing"):
        said(tmp_path, frame, str(frame.loc[0, "y"]), header=False)


@pytest.mark.parametrize(
    "text",
    [
        lambda i: f"{i + 1},{i % 1000:03}.50",
        lambda i: f"${i}.95",
        lambda i: f"{i / 7:.2f} kg",
        lambda i: f"{1 + i % 28:02}/{1 + i % 12:02}/{i % 90:02}",
        lambda i: f"{i % 12}:{i // 12 % 60:02} PM",
    ],
)
def test_texts_that_look_like_numbers_or_dates(tmp_path, rng, text):
    texts = [text(i) for i in range(N)]
    frame = pd.DataFrame({"when": texts, "y": rng.choice(["u", "v"], N)})
    text = said(tmp_path, frame, "y")
    assert "columns of texts that look like numbers or dates: when (" in text
    assert f"({min(texts)!r} and {len({*texts}) - 1:,} others)" in text
    # The kind of a declared column is not inferred.
    assert "look like" not in said(tmp_path, frame, "y", nominal=["when"])


@pytest.mark.parametrize("n", [5, 6])
def test_at_most_five_columns_are_examples(tmp_path, rng, n):
    columns = {name: [f"{i + 1},{i % 1000:03}.50" for i in range(N)] for name in "abcdef"[:n]}
    text = said(tmp_path, pd.DataFrame({**columns, "y": rng.choice(["u", "v"], N)}), "y")
    assert [f"{name} ('" in text for name in "abcdef"] == [True] * 5 + [False]
    assert ("(6 in all)" in text) == (n == 6)


@pytest.mark.parametrize("text", [lambda i: f"A{i}", lambda i: f"{i}AB", lambda i: f"x-{i % 40}"])
def test_other_texts_do_not_look_like_numbers(tmp_path, rng, text):
    frame = pd.DataFrame({"t": [text(i % 900) for i in range(N)], "y": rng.choice(["u", "v"], N)})
    assert said(tmp_path, frame, "y") == ""


def test_a_file_that_is_sorted_by_the_class(tmp_path, rng):
    frame = pd.DataFrame({"x": rng.normal(size=N), "y": np.repeat([*"acb"], N // 3)})
    assert "the target 'y' comes in 3 runs: is the file sorted by it? " in said(
        tmp_path, frame, "y"
    )
    # One row in another place, classes in random order, or few rows of each.
    frame.loc[5, "y"] = "b"
    assert said(tmp_path, frame, "y") == ""
    assert said(tmp_path, frame.sample(frac=1, random_state=1), "y") == ""
    few = pd.DataFrame({"x": rng.normal(size=30), "y": np.repeat([*"ab"], 15)})
    assert said(tmp_path, few, "y") == ""


@pytest.mark.parametrize("start", [0, 1, 7])
@pytest.mark.parametrize("name", ["", "Unnamed: 0", "index"])
def test_an_index_that_was_written_beside_the_table(tmp_path, rng, name, start):
    frame = pd.DataFrame({"x": rng.normal(size=N), "y": rng.choice(["u", "v"], N)})
    counted = [*range(start, start + N)]
    frame.insert(0, name, counted)
    message = f"columns that only count the rows, as an index: {name or 'x1'}."
    assert message in said(tmp_path, frame, "y")
    # Other numbers, and numbers with a name of their own, are inputs.
    frame[name] = rng.permutation(counted)
    assert said(tmp_path, frame, "y") == ""
    assert said(tmp_path, frame.assign(**{name: counted}).rename(columns={name: "day"}), "y") == ""
