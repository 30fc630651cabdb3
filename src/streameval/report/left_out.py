"""Table of the streams that a run leaves out: the reason, and a command that gets the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from streameval.report.what_ran import Block, TextTable

#: Title of the section.
TITLE = "What was left out, and why"
#: HTML id of the section, for links. The template ``index.html`` computes the same id from `TITLE`.
SECTION_ID = "what-was-left-out-and-why"
_HEAD = ("stream", "why", "command")


class LeftOutStream(NamedTuple):
    """A stream that a run leaves out; `why` is the reason, and `command` gets its file.

    `page` is the address of a page from which the file can be downloaded, or empty.
    """

    stream: str
    title: str
    why: str
    command: str
    page: str


def left_out_blocks(left_out: Sequence[LeftOutStream]) -> list[Block]:
    """Table of the streams, followed by a note for users who already have the files."""
    if not left_out:
        return ["Nothing: all streams in the configuration were available."]
    rows = [
        [
            Markup("<strong>{}</strong> <small>{}</small>").format(stream.stream, stream.title),
            stream.why,
            _command(stream),
        ]
        for stream in left_out
    ]
    advice = Markup(
        "Each command puts a file where the next run looks for it. If you already have a folder "
        "with the files, with the structure of <code>resources/raw</code>, name it instead: "
        "<code>export STREAMEVAL_DATA=FOLDER</code>."
    )
    return [TextTable(_HEAD, rows, stacks_when_narrow=True), advice]


def _command(stream: LeftOutStream) -> str:
    command = Markup('<code class="command">{}</code>').format(stream.command)
    if not stream.page:
        return command
    link = Markup('<small>The file: <a href="{}">{}</a></small>')
    return command + link.format(stream.page, stream.page)
