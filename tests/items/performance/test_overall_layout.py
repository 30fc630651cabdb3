"""The table of measures for people: no column says the same in every row."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
from helpers.shown_tables import cells_of

from streameval.drawing.subject import Subject
from streameval.items.performance.show import layout_overall_measures as layout
from streameval.items.performance.show import with_published_measures


def table(*streams: tuple[str, bool]) -> pd.DataFrame:
    rows = [
        (*stream, learner, value, "delayed:48")
        for stream in streams
        for learner, value in (("No-Change", 0.0), ("a <b> & $x$", -0.25))
    ]
    columns = ["stream", "simulated", "learner", "kappa_temporal", "protocol"]
    return pd.DataFrame(rows, columns=columns)


ABOUT = Subject(settings=SimpleNamespace(measures=("kappa_temporal",)))


def test_one_stream_stands_below_and_several_in_a_column() -> None:
    alone = layout(table(("weather", False)), ABOUT)
    assert list(cells_of(alone)) == ["learner", "κ_t"]
    assert cells_of(alone).to_numpy().tolist() == [
        ["No-Change", "0.0000"],
        ["a <b> & $x$", "−0.2500"],
    ]
    assert (alone.alignment, alone.notes) == ("lr", ("Stream: weather.",))
    both = layout(table(("weather", False), ("markov", True)), ABOUT)
    assert list(cells_of(both)) == ["stream", "learner", "κ_t"]
    assert cells_of(both)["stream"].tolist() == ["weather"] * 2 + ["markov (simulated)"] * 2
    assert len(both.notes) == 1
    assert "not the real one" in both.notes[0]


def test_streams_have_their_titles():
    about = Subject(settings=ABOUT.settings, streams={"weather": "Weather in Sydney"})
    assert layout(table(("weather", False)), about).notes == ("Stream: Weather in Sydney.",)


def test_published_values_stand_behind_the_measures(tmp_path):
    path = tmp_path / "table2.csv"
    rows = ["weather,knn,accuracy,0.81,A", "weather,majority,accuracy,60.0%,A", "sea,knn,kappa,1,A"]
    head = "stream,learner,measure,value,source"
    path.write_text("\n".join([head, *rows, ""]), encoding="utf-8")
    values = {"stream": "weather", "simulated": False, "learner": ["knn", "majority", "ht"]}
    values |= {"accuracy": [0.81, 0.61, 0.7], "kappa": [0.5, 0.0, 0.4]}
    measures = ["accuracy", "kappa"]
    frame = with_published_measures(pd.DataFrame(values), measures, path)
    assert not [name for name in frame if name.startswith("kappa_")]
    made_up = with_published_measures(pd.DataFrame(values | {"simulated": True}), measures, path)
    assert set(made_up["accuracy_agreement"]) == {"not run", ""}
    about = Subject(settings=SimpleNamespace(measures=measures), titles={}, streams={})
    cells = cells_of(layout(frame, about))
    assert cells.drop(columns="κ").to_numpy().tolist() == [
        ["knn", "0.8100", "0.81", "0.0000", "reproduced"],
        ["majority", "0.6100", "60.0%", "1.0000", "differs"],
        ["ht", "0.7000", "", "", ""],
    ]
    assert list(cells)[-3:] == ["accuracy, published", "accuracy, difference", "Verdict"]
