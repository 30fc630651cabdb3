"""The table of the streams that a run leaves out."""

from __future__ import annotations

from helpers import first_page

from streameval.report.left_out import TITLE, LeftOutStream, left_out_blocks
from streameval.report.what_ran import FrontSection

STREAMS = [
    LeftOutStream("covtype", "Covertype", "no connection to its hosts", "curl -fLo a 'b?c&d'", ""),
    LeftOutStream("airlines", "Flights", "no connection to its hosts", "curl -fLo e f", ""),
    LeftOutStream("insects", "Insects", "no file", "cp FILE g", "https://example.org/insects"),
]


def page(*streams: LeftOutStream) -> str:
    return first_page.html(sections=[FrontSection(TITLE, left_out_blocks(streams))])


def test_each_stream_has_a_row_with_its_reason_and_command():
    (rows,) = first_page.tables(page(*STREAMS))
    names = ["covtype Covertype", "airlines Flights", "insects Insects"]
    assert [row["stream"] for row in rows] == names
    assert [row["why"] for row in rows] == [stream.why for stream in STREAMS]
    commands = [row["command"] for row in rows]
    assert commands[:2] == [stream.command for stream in STREAMS[:2]]
    assert commands[2] == "cp FILE gThe file: https://example.org/insects"
    assert '<a href="https://example.org/insects">' in page(*STREAMS)


def test_without_any_there_is_no_table():
    assert "Nothing: all streams in the configuration were available." in page()
    assert first_page.tables(page()) == []
