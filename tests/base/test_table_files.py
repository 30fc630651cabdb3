"""Tables on disk are read as they were written."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from streameval.base.errors import DamageError, DataError
from streameval.base.file_digests import check_unchanged, digest_path, write_digest
from streameval.base.table_files import read_csv_table, read_parquet_table, write_csv, write_parquet

NUMBERS = st.floats(allow_nan=True, allow_infinity=False)
WORDS = st.sampled_from(["", "a", "nan", "NA", "a, b", "two\nlines", 'a "word"'])


@given(rows=st.lists(st.tuples(NUMBERS, WORDS, st.integers(-9, 9)), min_size=1, max_size=8))
def test_a_table_comes_back_as_it_was(rows, tmp_path_factory):
    frame = pd.DataFrame(rows, columns=["made", "what", "labels"])
    path = tmp_path_factory.mktemp("table") / "table.csv"
    write_csv(frame, path)
    assert_frame_equal(read_csv_table(path), frame)


def test_a_table_of_the_project_has_numbers_where_all_cells_are(tmp_path):
    (tmp_path / "table.csv").write_text("made,what,none,when\n,,,3\n1.5,x,,4\n", encoding="utf-8")
    table = read_csv_table(tmp_path / "table.csv")
    assert table["made"].isna().tolist() == [True, False]
    assert table["what"].tolist() == ["", "x"]
    assert table["none"].tolist() == ["", ""]
    assert table["when"].tolist() == [3, 4]


FRAME = pd.DataFrame({"name": ["a", "b"], "count": [1, 2], "mean": [0.1, float("nan")]})


def test_large_tables_are_read_as_they_were_written_and_equal_ones_give_equal_bytes(tmp_path):
    for name in ("one", "two"):
        write_parquet(FRAME, tmp_path / f"{name}.parquet")
    pd.testing.assert_frame_equal(read_parquet_table(tmp_path / "one.parquet"), FRAME)
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


def test_an_edited_table_is_refused_also_where_nothing_reads_it(tmp_path):
    path = tmp_path / "table1.csv"
    write_csv(pd.DataFrame({"a": [0.5, 0.25]}), path)
    check_unchanged(path)
    path.write_text(path.read_text().replace("0.5", "0.95"))
    for look in (check_unchanged, read_csv_table):
        with pytest.raises(DataError, match=r"table1\.csv: .*edited"):
            look(path)
    digest_path(path).unlink()  # as the message says, to use it as it is
    check_unchanged(path)


@settings(max_examples=40)
@given(at=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7), of_digest=st.booleans())
def test_no_single_bit_of_a_table_can_change_unnoticed(at, bit, of_digest, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bits")
    for name, write, read in (
        ("a.csv", write_csv, read_csv_table),
        ("a.parquet", write_parquet, read_parquet_table),
    ):
        path = folder / name
        write(FRAME, path)
        if write is write_parquet:
            write_digest(path)
        assert_frame_equal(read(path), FRAME)
        file = digest_path(path) if of_digest else path
        content = bytearray(file.read_bytes())
        content[int(at * len(content))] ^= 1 << bit
        file.write_bytes(content)
        with pytest.raises(DamageError, match="run again") as caught:
            read(path)
        assert caught.value.path == str(path)


def test_a_damaged_large_table_is_named(tmp_path):
    path = tmp_path / "a.parquet"
    write_parquet(FRAME, path)
    whole = path.read_bytes()
    for content in (whole[:-20], whole[: len(whole) // 2], b""):
        path.write_bytes(content)
        with pytest.raises(DataError, match=r"a\.parquet: expected a table .* Delete it"):
            read_parquet_table(path)
    path.unlink()
    with pytest.raises(DataError, match="FileNotFound"):
        read_parquet_table(path)
