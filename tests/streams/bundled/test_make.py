"""The script that makes the files of bundled streams."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from helpers.flights import FLIGHT

from streameval.base.errors import DownloadError
from streameval.base.values import NEVER
from streameval.streams import bundled
from streameval.streams.bundled import make
from streameval.streams.raw.fetch import mirror_folder
from streameval.streams.readers.parquet_file import read_parquet
from streameval.streams.stream import Attribute, Schema, Stream

FOLDER = Path(bundled.__file__).parent
RAW_FLIGHT = {name: str(value) for name, value in FLIGHT.items()}
RAW_FLIGHT |= {"DayofMonth": "7", "Dest": "ATL"}


def test_a_table_has_names_for_codes_and_null_for_missing():
    attributes = (Attribute("n"), Attribute("w"), Attribute("z"), Attribute("a", ("1", "b", "c")))
    X = [[0.5, 3, -0.0, 2], [np.nan, -4, 1, np.nan], [1e300, np.nan, 0, 0]]
    stream = Stream(
        X,
        np.array([1, -1, 0]),
        Schema(attributes, "y", ("UP", "DOWN")),
        time=np.array([5, 6, 7]),
        label_time=np.array([9, NEVER, 8]),
    )
    table = make.table_of(stream)
    assert table.to_pydict() == {
        "n": [0.5, None, 1e300],
        "w": [3, -4, None],
        "z": [0, 1, 0],
        "a": ["c", None, "1"],
        "y": ["DOWN", None, "UP"],
        "time": [5, 6, 7],
        "label_time": [9, None, 8],
    }
    kinds = [pa.float64(), pa.int64(), pa.float64(), pa.string(), pa.string(), *2 * [pa.int64()]]
    assert table.schema.types == kinds
    assert np.signbit(table["z"].to_numpy()[0])


def test_the_flights_of_a_week(tmp_path):
    others = [{"Dest": "JFK"}, {"ArrDelay": "NA"}, {"DayofMonth": "8"}, {"Month": "2"}]
    flights = [
        RAW_FLIGHT | change for change in [*others, {}, {"DepDelay": "NA", "DayofMonth": "1"}]
    ]
    lines = [
        ",".join([*RAW_FLIGHT, "Plane"]),
        *(",".join([*flight.values(), "N1"]) for flight in flights),
    ]
    (tmp_path / "flights.csv.xz").write_bytes(lzma.compress("\n".join(lines).encode()))
    table = make.first_week(tmp_path / "flights.csv.xz")
    assert table.column_names == [*make.FLIGHT_COLUMNS]
    assert table["DepDelay"].to_pylist() == [8, None]
    assert table["DayofMonth"].to_pylist() == [7, 1]


def test_a_raw_file_is_checked(tmp_path):
    (tmp_path / "elec2").mkdir()
    (tmp_path / "elec2" / "elecNormNew.arff").write_text("@relation wrong")
    with pytest.raises(
        DownloadError, match=r"'elec2' .* is not available(.|\n)*expected content with"
    ):
        make.main([str(tmp_path), str(tmp_path)])
    with pytest.raises(SystemExit, match=r"bundled\.make RAW \[TO\]"):
        make.main([])


def test_files_are_what_is_written_of_their_streams():
    """A stream that is read from a file gives the same file again."""
    targets = {"elec2": "class", "ozone": "class", "bike": "cnt"}
    for name, target in targets.items():
        path = FOLDER / f"{name}.parquet"
        stream = read_parquet(path, target, numeric_target=name == "bike")
        assert make.table_of(stream).equals(pq.read_table(path))


@pytest.mark.realdata
def test_raw_files_give_the_files_of_the_package(tmp_path):
    names = sorted(path.name for path in FOLDER.glob("*.parquet"))
    make.main([str(mirror_folder()), str(tmp_path)])
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    for name in names:
        # Another version of pyarrow may write other bytes.
        made, bundled_table = pq.read_table(tmp_path / name), pq.read_table(FOLDER / name)
        assert made.equals(bundled_table, check_metadata=True)
