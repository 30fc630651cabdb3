"""Files of a run that were damaged or edited: one message, never other content."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from streameval.base.errors import DataError, StreamevalError
from streameval.base.table_files import read_csv_table, write_csv
from streameval.evaluation.predictions import PredictionTable, read_predictions, write_predictions
from streameval.learners.adapters.predictions_file import PredictionsFile
from streameval.protocols.prequential import prequential
from streameval.streams.generators.sea import Sea


@pytest.fixture
def predictions():
    rng = np.random.default_rng(1)
    names = ("no_change", "majority", "naive_bayes")
    predicted = {name: rng.integers(-1, 3, 400).astype(np.int16) for name in names}
    return PredictionTable(rng.integers(0, 3, 400).astype(np.int32), predicted, 3)


def equal(table: PredictionTable, other_table: PredictionTable) -> bool:
    return (
        table.n_classes == other_table.n_classes
        and [*table.predicted] == [*other_table.predicted]
        and table.true.tobytes() == other_table.true.tobytes()
        and all(
            table.predicted[n].tobytes() == other_table.predicted[n].tobytes()
            for n in table.predicted
        )
    )


def test_no_flipped_bit_gives_other_predictions(predictions, tmp_path):
    path = tmp_path / "a.parquet"
    write_predictions(predictions, path)
    whole = path.read_bytes()
    messages = []
    for bit in range(0, len(whole) * 8, 11):  # by and by each bit of a byte, and every byte
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        try:
            assert equal(read_predictions(path), predictions), f"bit {bit}"
        except DataError as error:
            messages.append(str(error))
    assert len(messages) > len(whole) / 2
    assert all("Delete it and run again." in message for message in messages)
    assert max(map(len, messages)) < 2000


def test_half_a_file_of_predictions_is_refused(predictions, tmp_path):
    path = tmp_path / "a.parquet"
    write_predictions(predictions, path)
    whole = path.read_bytes()
    for size in range(0, len(whole), 101):
        path.write_bytes(whole[:size])
        with pytest.raises(DataError, match="Delete it and run again"):
            read_predictions(path)
    path.unlink()
    with pytest.raises(DataError, match="found none"):
        read_predictions(path)


def test_a_table_that_was_changed_is_refused(tmp_path):
    path = tmp_path / "deep" / "t.csv"
    frame = pd.DataFrame({"learner": ["a", "", "NA"], "value": [0.1, np.nan, 2.0]})
    write_csv(frame, path)
    assert path.read_text(encoding="utf-8") == "learner,value\na,0.1\n,\nNA,2.0\n"
    pd.testing.assert_frame_equal(read_csv_table(path), frame)
    whole = path.read_bytes()
    for bit in range(len(whole) * 8):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        with pytest.raises(DataError, match=r"t\.csv: .*that the pipeline wrote"):
            read_csv_table(path)
    write_csv(frame, path)  # made anew
    pd.testing.assert_frame_equal(read_csv_table(path), frame)


@pytest.mark.parametrize("content", [b"", b"a,b\n1\xff,2\n", b'a,b\n"1,2\n', b"a\n1,2\n1,2,3\n"])
def test_a_table_of_ones_own_that_is_none_is_refused(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"t\.csv: expected a CSV table"):
        read_csv_table(path)
    with pytest.raises(DataError, match="No such file"):
        read_csv_table(tmp_path / "nothing.csv")


@pytest.mark.filterwarnings("ignore:.* which is no class of the stream")
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_damaged_predictions_from_elsewhere_end_in_one_message(tmp_path, ending):
    stream, tape = Sea().stream(50), prequential(50)
    path = tmp_path / f"p.{ending}"
    frame = pd.DataFrame({"row": np.arange(50), "label": [*stream.schema.classes] * 25})
    if ending == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path)
    whole, messages = path.read_bytes(), [""]
    for bit in range(0, len(whole) * 8, max(1, len(whole) * 8 // 400)):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        try:
            PredictionsFile(str(path)).run(stream, tape)
        except StreamevalError as error:
            messages.append(str(error))
    assert max(map(len, messages)) < 2000


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_name_that_is_not_utf8_ends_in_one_message(tmp_path, ending):
    path = tmp_path / f"p.{ending}"
    if ending == "csv":
        path.write_bytes(b"label,r\xe9sultat\n1,2\n")
    else:
        pd.DataFrame({"label": ["1"], "resultat": [2]}).to_parquet(path)
        path.write_bytes(path.read_bytes().replace(b"resultat", b"r\xe9sultat"))
    with pytest.raises(DataError, match=r"p\..*UTF-8"):
        PredictionsFile(str(path)).run(Sea().stream(1), prequential(1))
