"""Make the files of this folder from raw files: python -m streameval.streams.bundled.make RAW [TO].

RAW has the raw files, laid out as ``resources/raw``; files are written into the folder TO, by
default this one. With one version of pyarrow, the same raw files give the same bytes.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError
from streameval.base.files import replacing_file
from streameval.base.values import NEVER
from streameval.streams.making import convert
from streameval.streams.raw.fetch import fetch
from streameval.streams.readers.content import open_content
from streameval.streams.registry import FileSpec, find_spec, load_registry
from streameval.streams.stream import Stream

#: Entries of the registry whose streams are written as they are read.
STREAMS = ("elec2", "kdd99", "ozone", "bike", "hyperplane_delayed")
#: Arrivals at Atlanta from January to April 2008, an extract of the Data Expo 2009.
FLIGHTS = FileSpec(
    id="flights",
    title="Flights to Atlanta",
    file="dataexpo2009/atl_arrivals_2008_01-04.csv.xz",
    reader="csv",
    sha256="89393ea4349f45b3457eed12ffbd78825c75c775f2a88ce9c70aaf930c637fda",
)
#: Columns of the flights. The first ten are the inputs of dataexpo_atl, in order. The arrival times
#: give the times of its labels, the arrival delays its classes. The departure delays are an input
#: of dataexpo_atl_evolving.
FLIGHT_COLUMNS = (
    *("Year", "Month", "DayofMonth", "DayOfWeek", "UniqueCarrier", "CRSArrTime", "CRSDepTime"),
    *("CRSElapsedTime", "Origin", "Distance", "ArrTime", "ArrDelay", "DepDelay"),
)
#: Number of days of flights.
_DAYS = 7


def main(arguments: list[str]) -> None:
    """Write all files."""
    if not 1 <= len(arguments) <= 2:
        raise SystemExit(__doc__)
    raw = Path(arguments[0])
    folder = Path(arguments[1]) if len(arguments) == 2 else Path(__file__).parent
    registry = load_registry()
    for name in STREAMS:
        spec = find_spec(registry, name)
        if not isinstance(spec, FileSpec):
            raise ConfigError(f"Stream {name!r}: expected an entry with a file, found a generator.")
        _write(table_of(convert(spec, _raw_file(spec, raw))), folder / f"{name}.parquet")
    _write(first_week(_raw_file(FLIGHTS, raw)), folder / "flights.parquet")


def _raw_file(spec: FileSpec, raw: Path) -> Path:
    """Path of the raw file of a stream, after a check of its digest."""
    # Without `bundled`, as `fetch` would else accept the Parquet file that is to be made.
    return fetch(replace(spec, bundled=None), raw, offline=True)


def table_of(stream: Stream) -> pa.Table:
    """Table of the inputs, the target and the times of a stream, with names for codes."""
    columns = {
        attribute.name: _column(stream.X[:, j], attribute.values)
        for j, attribute in enumerate(stream.schema.attributes)
    }
    labels = np.where(stream.labelled, stream.y, np.nan)
    columns[stream.schema.target] = _column(labels, stream.schema.classes)
    for name in ("time", "label_time"):
        times = getattr(stream, name)
        if times is not None:
            columns[name] = pa.array(times, mask=times == NEVER)
    return pa.table(columns)


def _column(values: Floats, names: tuple[str, ...] | None) -> pa.Array:
    """Names for codes, or numbers, as integers if all are whole; null for missing values."""
    missing = np.isnan(values)
    filled = np.where(missing, 0, values)
    if names is not None:
        return pa.array(np.array(names, object)[filled.astype(np.int64)], pa.string(), missing)
    is_whole = (filled == np.floor(filled)) & (np.abs(filled) < 2**53)
    is_whole &= ~(np.signbit(filled) & (filled == 0))  # -0.0 is no integer
    return pa.array(filled.astype(np.int64) if is_whole.all() else filled, mask=missing)


def first_week(path: Path) -> pa.Table:
    """Flights of the first seven days of January 2008 that arrived in Atlanta."""
    with open_content(path) as file:
        options = pyarrow.csv.ConvertOptions(
            include_columns=[*FLIGHT_COLUMNS, "Dest"], null_values=["", "NA"]
        )
        table = pyarrow.csv.read_csv(file, convert_options=options)
    condition = (
        (pc.field("Dest") == "ATL")
        & (pc.field("Year") == 2008)
        & (pc.field("Month") == 1)
        & (pc.field("DayofMonth") <= _DAYS)
        & pc.field("ArrDelay").is_valid()  # neither cancelled nor diverted
    )
    return table.filter(condition).select(FLIGHT_COLUMNS)


def _write(table: pa.Table, path: Path) -> None:
    """Write a table to a small file: one row group, large dictionaries, no statistics."""
    with replacing_file(path) as part:
        pq.write_table(
            table.replace_schema_metadata(),
            part,
            compression="zstd",
            compression_level=19,
            row_group_size=max(1, table.num_rows),
            dictionary_pagesize_limit=1 << 24,
            write_statistics=False,
        )
    print(f"{path.name}: {table.num_rows:,} rows, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
