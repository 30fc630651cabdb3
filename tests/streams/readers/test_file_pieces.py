"""Files in pieces have the instances, the schema and the messages of files in one go."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fuzzing.files import make_case
from fuzzing.inputs import wrapped
from hypothesis import given, settings
from hypothesis import strategies as st
from test_paths_agree import in_blocks, outcome

from streameval.base import memory
from streameval.base.errors import DataError
from streameval.learners.adapters.moa import write_arff
from streameval.streams.columnar import write_stream
from streameval.streams.pieces import BESIDE
from streameval.streams.readers import columns, suspicion
from streameval.streams.readers import file_pieces as module
from streameval.streams.readers.any_file import read_any
from streameval.streams.readers.file_pieces import file_pieces
from streameval.streams.readers.sizes import estimated_bytes
from streameval.streams.readers.table import StreamWarning


class Reading:
    """Read files in pieces, and join these; count the files that were never in memory."""

    def __init__(self, size):
        self.size, self.in_pieces = size, 0

    def __call__(self, path, target=None, **options):
        with pytest.MonkeyPatch.context() as patch:
            whole = []
            patch.setattr(module, "read_any", lambda *a, **b: whole.append(1) or read_any(*a, **b))
            found = file_pieces(path, target, **options)
        pieces = [*found.pieces(self.size)]
        assert [len(piece) for piece in pieces[:-1]] == [self.size] * (len(pieces) - 1)
        assert {piece.schema for piece in pieces} == {found.schema}
        self.in_pieces += not whole
        joined = {name: np.concatenate([getattr(one, name) for one in pieces]) for name in "Xy"}
        assert len(joined["y"]) == len(found)
        return replace(pieces[0], **joined, _digest=[])


@pytest.fixture(autouse=True)
def no_leaks(monkeypatch):
    """Look for no inputs that tell the target, and for no order of dates, as files in pieces do."""
    monkeypatch.setattr(suspicion, "leaking", lambda stream: [])
    monkeypatch.setattr(suspicion, "nearly_leaking", lambda stream, leaks: [])
    monkeypatch.setattr(columns, "order_of_dates", lambda table, dates: "")


@pytest.mark.parametrize("seed", range(4))
def test_generated_and_mangled_files(seed, tmp_path):
    reading = Reading(1 + 5 * seed)
    for number in range(120):
        case = make_case(random.Random(f"{seed}:{number}"))
        name, content = wrapped(case)
        if case.is_for_registry or {"time", "label_time"} & case.options.keys():
            continue
        path = tmp_path / name
        path.write_bytes(content)
        with in_blocks(30 + 40 * seed):
            found = outcome(reading, path, case.target, **case.options)
        expected = outcome(read_any, path, case.target, **case.options)
        assert found == expected, number
        path.unlink()
    assert reading.in_pieces > 10


CELLS = {
    "number": st.sampled_from(["1", "2.5", "-3", "-0", "?", "", "1e5", "1e999"]),
    "plain": st.sampled_from(["1", "2.5", "-3", "?"]),
    "text": st.sampled_from(["a", "b", "é", "?", "", '"a,b"']),
    "late": st.sampled_from([*["1", "2"] * 10, "x"]),
}


@given(st.data(), st.integers(1, 40), st.integers(1, 7))
@settings(max_examples=150, deadline=None)
def test_tables_of_any_columns(tmp_path_factory, data, n, size):
    kinds = data.draw(st.lists(st.sampled_from([*CELLS]), min_size=1, max_size=3))
    columns = [data.draw(st.lists(CELLS[kind], min_size=n, max_size=n)) for kind in kinds]
    columns.append(data.draw(st.lists(st.sampled_from("uvwx"), min_size=n, max_size=n)))
    names = [f"x{j}" for j in range(len(kinds))] + ["y"]
    folder = tmp_path_factory.mktemp("tables")
    (folder / "a.csv").write_text(
        "\n".join(map(",".join, [names, *zip(*columns, strict=True)])) + "\n", encoding="utf-8"
    )
    table = {
        name: [None if text in ("?", "") else text for text in column]
        for name, column in zip(names, columns, strict=True)
    }
    for j, kind in enumerate(kinds):
        if kind == "plain":
            table[f"x{j}"] = [text and float(text) for text in table[f"x{j}"]]
    pq.write_table(pa.table(table), folder / "a.parquet")
    for name in ("a.csv", "a.parquet"):
        with in_blocks(40):
            found = outcome(Reading(size), folder / name, "y")
        assert found == outcome(read_any, folder / name, "y")


@pytest.fixture
def files(tmp_path):
    """Return a file of each kind with the same thousand rows."""
    rows = [f"{i / 7},{'ab?'[i % 3]},{'no' if i % 5 else 'yes'}" for i in range(999)]
    text = "\n".join(["size,name,y", *rows, "1,a,late"]) + "\n"
    (tmp_path / "a.csv").write_text(text)
    stream = read_any(tmp_path / "a.csv", "y")
    write_arff(stream, tmp_path / "a.arff")
    table = {"size": stream.X[:, 0], "name": [row.split(",")[1] for row in [*rows, "1,a,late"]]}
    table["y"] = [stream.schema.classes[code] for code in stream.y]
    pq.write_table(pa.table(table), tmp_path / "a.parquet")
    write_stream(stream, tmp_path / "b.parquet")
    return tmp_path


@pytest.mark.parametrize("name", ["a.csv", "a.arff", "a.parquet"])
def test_a_file_is_never_in_memory(files, name, monkeypatch):
    monkeypatch.delattr(module, "read_any")
    rows = []
    with in_blocks(900):
        found = file_pieces(files / name, "y", progress=rows.append)
        assert [len(piece) for piece in found.pieces(300)] == [300, 300, 300, 100]
    assert (sum(rows), len(rows) > 3, len(found)) == (1000, True, 1000)
    assert found.schema.classes == ("late", "no", "yes")
    # Of each row two inputs, and what an evaluation has of an instance.
    assert 0.95 < estimated_bytes(files / name) / (1000 * (16 + BESIDE)) < 1.2


def test_what_only_the_whole_explains_is_read_if_there_is_room(files, monkeypatch):
    assert len(file_pieces(files / "b.parquet")) == 1000
    monkeypatch.setattr(memory, "_SMALL", 0)
    monkeypatch.setattr(memory, "free_bytes", lambda: 1000)
    with pytest.raises(DataError, match=r"b\.parquet cannot .* in pieces .* half of the"):
        file_pieces(files / "b.parquet")


def test_a_target_that_identifies_rows_is_refused_as_elsewhere(tmp_path):
    (tmp_path / "a.csv").write_text("a,y\n" + "".join(f"{i % 7},n{i}\n" for i in range(101)))
    with pytest.raises(DataError, match="identifies rows"):
        file_pieces(tmp_path / "a.csv", "y")


@pytest.mark.parametrize("change", [lambda text: text[:-9], lambda text: text.replace("a", "c")])
def test_a_file_that_changes_while_it_is_read_is_refused(files, change):
    found = file_pieces(files / "a.csv", "y")
    (files / "a.csv").write_text(change((files / "a.csv").read_text()))
    with pytest.raises(DataError, match=r"a\.csv: .* found another content"):
        [*found.pieces(10)]


def test_the_size_of_other_files_is_not_estimated(tmp_path):
    (tmp_path / "a.csv.gz").write_bytes(b"1,2\n" * 100)
    (tmp_path / "a.parquet").write_bytes(b"1,2\n" * 100)
    (tmp_path / "a.csv").write_bytes(b"")
    for name in ("a.csv.gz", "a.parquet", "a.csv", "missing.csv"):
        assert estimated_bytes(tmp_path / name) == 0


@pytest.mark.parametrize("kind", ["csv", "arff"])
def test_a_file_in_pieces_may_be_sorted_by_the_class(tmp_path, kind):
    head = (
        "@relation a\n@attribute x real\n@attribute y {u,v,w}\n@data\n"
        if kind == "arff"
        else "x,y\n"
    )
    rows = [f"{i * 7 % 11},{y}\n" for i, y in enumerate("v" * 300 + "w" * 300 + "u" * 300)]
    path = tmp_path / f"a.{kind}"
    path.write_text(head + "".join(rows))
    with (
        in_blocks(100),
        pytest.warns(StreamWarning, match=r"'y' comes in 3 runs: .* sorted by it"),
    ):
        file_pieces(path, "y")
    path.write_text(head + "".join(rows[300:301] + rows))
    with in_blocks(100):
        assert len(file_pieces(path, "y")) == 901  # and no warning
