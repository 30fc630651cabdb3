"""The streams that a run leaves out, as a table: why, and the command that brings each file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from streameval.report.what_ran import Block, TextTable

#: The title of the section, and its id, by which other parts of the page refer to it.
TITLE, SECTION = "What was left out, and why", "what-was-left-out-and-why"
_HEAD = ("stream", "why", "command")


class LeftOut(NamedTuple):
    """A stream that a run leaves out: the reason, and a command that brings its file.

    `page` is the address of a page about the stream, or empty.
    """

    stream: str
    title: str
    why: str
    command: str
    page: str


def left_out_blocks(left_out: Sequence[LeftOut]) -> list[Block]:
    """A table with a row for each stream, and what to do after its command."""
    if not left_out:
        return ["Nothing: all streams that the configuration names were there."]
    rows = [
        [
            Markup("<strong>{}</strong> <small>{}</small>").format(stream.stream, stream.title),
            stream.why,
            _command(stream),
        ]
        for stream in left_out
    ]
    advice = Markup(
        "Each command puts a file where the next run looks for it. If you have a folder with the "
        "files, laid out as <code>resources/raw</code>, name it instead: "
        "<code>export STREAMEVAL_DATA=FOLDER</code>."
    )
    return [TextTable(_HEAD, rows, stacks=True), advice]


def _command(stream: LeftOut) -> str:
    command = Markup('<code class="command">{}</code>').format(stream.command)
    if not stream.page:
        return command
    about = Markup('<small>The file: <a href="{}">{}</a></small>')
    return command + about.format(stream.page, stream.page)
