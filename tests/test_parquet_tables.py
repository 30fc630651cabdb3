"""Large tables of a run on disk."""

import pandas as pd
import pytest

from streameval.errors import DataError
from streameval.parquet_tables import read_parquet, write_parquet

FRAME = pd.DataFrame({"name": ["a", "b"], "count": [1, 2], "mean": [0.1, float("nan")]})


def test_tables_are_read_as_they_were_written_and_equal_ones_give_equal_bytes(tmp_path):
    for name in ("one", "two"):
        write_parquet(FRAME, tmp_path / f"{name}.parquet")
    pd.testing.assert_frame_equal(read_parquet(tmp_path / "one.parquet"), FRAME)
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


def test_a_damaged_table_is_named(tmp_path):
    path = tmp_path / "a.parquet"
    write_parquet(FRAME, path)
    whole = path.read_bytes()
    for content in (whole[:-20], whole[: len(whole) // 2], b""):
        path.write_bytes(content)
        with pytest.raises(DataError, match=r"a\.parquet: expected a table .* Delete it"):
            read_parquet(path)
    path.unlink()
    with pytest.raises(DataError, match="FileNotFound"):
        read_parquet(path)
