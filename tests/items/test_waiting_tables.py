"""Tables of labels that wait, from frames as studies write them."""

from __future__ import annotations

import pytest
from helpers.all_kinds import all_kinds
from helpers.shown_tables import cells_of
from helpers.study_inputs import stream_input_for

from streameval.base.table_files import read_csv_table, write_csv
from streameval.drawing.subject import Subject
from streameval.items.inputs import ItemInput
from streameval.items.kind import function_of

DELAYED = {"delay": {"markov_ozone": 50}, "learners": ["majority", "no_change"]}
LAW = {"latency": [20], "distribution": "geometric", "never": [0.2, 0.1]}
CASES = {
    "waiting_classes": ("markov_ozone", {**DELAYED, "stops": 9, "window": 60}),
    "stopping_bias": ("markov_ozone", {**DELAYED, "stops": 9, "window": 60}),
    "delayed_skill": ("markov_ozone", {**DELAYED, "bins": 3, "stages": []}),
    "bin_rules": ("markov_ozone", {**DELAYED, "bins": 3, "stages": []}),
    "censored_table": (
        "sea_50",
        {"learners": ["majority"], "laws": {"a_law": LAW}, "instances": 200, "runs": 2},
    ),
}
LINES = {
    "waiting_classes": 2,
    "stopping_bias": 2,
    "delayed_skill": 4,
    "bin_rules": 2,
    "censored_table": 1,
}


@pytest.mark.parametrize("name", CASES)
def test_tables_are_laid_out_from_files(name, tmp_path):
    stream, item = CASES[name]
    kind = all_kinds()[name]
    frames = function_of(all_kinds()[kind.source_kind], "study")(
        stream_input_for(kind.source_kind, stream, item)
    )
    files = {f"{stream}.{frame}": str(tmp_path / f"{frame}.csv") for frame in frames}
    for frame, path in zip(frames.values(), files.values(), strict=True):
        write_csv(frame, path)
    settings = kind.settings_from({"of": ["a"]})
    item_input = ItemInput(settings=settings, columns=kind.columns, frames=files)
    table = function_of(kind, "study")({}, item_input)
    write_csv(table, tmp_path / "table.csv")
    for rows in (table, read_csv_table(tmp_path / "table.csv")):
        table_layout = function_of(kind, "layout")(rows, Subject(settings=settings))
        assert len(table_layout.alignment) == cells_of(table_layout).shape[1]
        assert len(cells_of(table_layout)) == LINES[name]
        assert not cells_of(table_layout).map(lambda text: "nan" in text).any(axis=None)
        assert set(cells_of(table_layout)["Stream"]) == {stream}
    marked = table.assign(simulated=True)
    table_layout = function_of(kind, "layout")(marked, Subject(settings=settings))
    assert set(cells_of(table_layout)["Stream"]) == {f"{stream} (simulated)"}
    assert "not the real one" in table_layout.notes[-1]
