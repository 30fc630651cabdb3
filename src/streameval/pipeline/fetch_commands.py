"""The streams that a run leaves out, with commands that bring their files, as plain data."""

from __future__ import annotations

import shlex

from streameval.base.settings import RAW
from streameval.pipeline.plan import Plan
from streameval.streams.readers.content import WRAPPERS, plain_name
from streameval.streams.registry import FileSpec

#: Placeholder for the path of the user's file in a command.
_FILE = "FILE"


def left_out_streams(plan: Plan) -> list[dict[str, str]]:
    """Id, title, reason, command and page of each stream that a run leaves out.

    The keys are the field names of `streameval.report.left_out.LeftOutStream`.
    """
    rows = []
    for stream, why in plan.left_out.items():
        spec = plan.registry[stream]
        command, page = (
            (fetch_command(spec), "" if spec.addresses else spec.page)
            if isinstance(spec, FileSpec)
            else ("", "")
        )
        title = plan.title(stream)
        rows.append(
            {"stream": stream, "title": title, "why": why, "command": command, "page": page}
        )
    return rows


def fetch_command(spec: FileSpec) -> str:
    """A shell command that puts the file of a stream where a run looks for it.

    The command downloads the file itself if an address has it; otherwise it downloads an archive
    and unpacks it. For a stream without an address, it copies the user's file.
    """
    target = RAW / spec.file
    folder = shlex.quote(str(target.parent))
    if not spec.addresses:
        return f"mkdir -p {folder} && cp {_FILE} {shlex.quote(str(target))}"
    address = next(
        (candidate for candidate in spec.addresses if candidate.member is None), spec.addresses[0]
    )
    url = shlex.quote(address.url)
    if address.member is None:
        return f"curl --create-dirs -fLo {shlex.quote(str(target))} {url}"
    archive = shlex.quote(f"{target.parent}/download.zip")  # only zip archives have members
    is_compressed = address.member.lower().endswith(WRAPPERS)
    unpacked = shlex.quote(str(target) if is_compressed else plain_name(str(target)))
    member = shlex.quote(address.member)
    return (
        f"curl --create-dirs -fLo {archive} {url} && unzip -p {archive} {member} > {unpacked} "
        f"&& rm {archive}"
    )
