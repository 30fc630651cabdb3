"""The table of measures for people: no column says the same in every row."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
from helpers.shown_tables import cells_of

from streameval.drawing.subject import Subject
from streameval.items.performance.show import layout_overall_measures as layout


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
    assert (alone.sides, alone.notes) == ("lr", ("Stream: weather.",))
    both = layout(table(("weather", False), ("markov", True)), ABOUT)
    assert list(cells_of(both)) == ["stream", "learner", "κ_t"]
    assert cells_of(both)["stream"].tolist() == ["weather"] * 2 + ["markov (simulated)"] * 2
    assert len(both.notes) == 1
    assert "not the real one" in both.notes[0]


def test_streams_have_their_titles():
    about = Subject(settings=ABOUT.settings, streams={"weather": "Weather in Sydney"})
    assert layout(table(("weather", False)), about).notes == ("Stream: Weather in Sydney.",)
