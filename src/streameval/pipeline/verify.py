"""Compare the results of a run with the published run, file by file, and explain differences.

python -m streameval.pipeline.verify results --published tests/digests/default.json
python -m streameval.pipeline.verify results --write tests/digests/default.json

Tables and data have the same bytes on any x86-64 processor, for any number of cores. Pictures also
depend on the versions of the packages that draw them. Files with times have no digest.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from streameval.base.errors import DataError
from streameval.base.files import write_text
from streameval.base.terminal import run_guarded
from streameval.base.values import enumeration, quantity

#: The file of a run with the digests of its results.
DIGESTS = "digests.json"
#: The file of a run with its items, streams and versions, which determine the results.
RUN_FILE = "run.json"
#: Packages that pictures depend on; fonts come with matplotlib.
DRAWING_PACKAGES = ("matplotlib", "numpy", "seaborn")
#: Packages that tables could depend on.
COMPUTING_PACKAGES = ("numpy", "scipy", "pandas", "pyarrow", "numba", "llvmlite")
#: Kinds of files and their folders; summaries are directly in the folder of results.
_KINDS = {
    "tables": "results/tables",
    "data of figures": "results/data",
    "pictures": "figures",
    "summaries": "results",
}
#: Most files that are listed for each reason.
_MAX_LISTED = 8


@dataclass(frozen=True)
class RunDigests:
    """Digests of the results, items and streams of a run, and the versions of packages.

    Parameters
    ----------
    digests : mapping of str to str
        SHA-256 of each table, frame and picture, by its path.
    items : mapping of str to mapping
        For each item, a digest of its ``content`` (kind, settings, learners), and its ``streams``.
    streams : mapping of str to str
        SHA-256 of the content of each stream that was read.
    left_out : mapping of str to str
        Streams that were not available, with reasons.
    versions : mapping of str to str
        Versions of packages; several versions of a package are joined by "or".
    """

    digests: Mapping[str, str]
    items: Mapping[str, Mapping[str, Any]]
    streams: Mapping[str, str]
    left_out: Mapping[str, str]
    versions: Mapping[str, str]

    @classmethod
    def read_folder(cls, folder: Path) -> RunDigests:
        """Read the digests of a finished run from its folder of results.

        Raises
        ------
        DataError
            If the run is not finished.
        """
        content, run = (_read(folder / name) for name in (DIGESTS, RUN_FILE))
        # Number of jobs by version, for each package.
        job_counts: Mapping[str, Mapping[str, int]] = run["origin"]["versions"]
        return cls(
            content,
            {name: _item_digest(item) for name, item in run["items"].items()},
            {name: stream["digest"] for name, stream in run["streams"].items()},
            run["left_out"],
            {name: enumeration(sorted(counts), "or") for name, counts in job_counts.items()},
        )

    @classmethod
    def read_file(cls, file: Path) -> RunDigests:
        """Read digests that `write` wrote."""
        return cls(**_read(file))

    def write(self, file: Path) -> None:
        """Write the digests, without reasons for missing streams: they depend on the machine."""
        packages = sorted({*DRAWING_PACKAGES, *COMPUTING_PACKAGES})
        content = {
            "versions": {name: self.versions[name] for name in packages},
            "left_out": dict.fromkeys(sorted(self.left_out), ""),
            "streams": dict(sorted(self.streams.items())),
            "items": dict(self.items),
            "digests": dict(sorted(self.digests.items())),
        }
        write_text(file, json.dumps(content, indent=1, ensure_ascii=False) + "\n")

    def item_of(self, path: str) -> str | None:
        """Id of the item of a file: "" for a file about all items, None if the item is unknown."""
        parts = PurePosixPath(path).parts
        if parts[0] == "results" and len(parts) == 2:
            return ""
        # figures/STUDY/ITEM/..., results/data/STUDY/ITEM/... or results/tables/STUDY/ITEM.csv
        study, name = parts[1:3] if parts[0] == "figures" else parts[2:4]
        item = f"{study}/{name.removesuffix('.csv')}"
        return item if item in self.items else None

    def streams_of(self, item: str) -> list[str]:
        """Streams that an item shows; for "", the streams of all items."""
        if item:
            return list(self.items[item]["streams"])
        return sorted({name for entry in self.items.values() for name in entry["streams"]})


def _item_digest(item: Mapping[str, Any]) -> dict[str, Any]:
    """A digest of an item's content, and its streams; see `RunDigests.items`."""
    content = {key: item[key] for key in ("kind", "settings", "learners")}
    text = json.dumps(content, sort_keys=True)
    return {"content": hashlib.sha256(text.encode()).hexdigest(), "streams": item["streams"]}


def _read(file: Path) -> Any:
    if not file.is_file():
        raise DataError(
            f"{file}: expected a file of a finished run, found none. Finish the run first, with "
            "`make reproduce`."
        )
    return json.loads(file.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Verification:
    """Result of a comparison: equal paths, and the other paths by the reason of the difference.

    A reason is expected if the run itself differs, for example by a missing stream. It is
    unexpected if code, packages or machine give other numbers.
    """

    equal: Sequence[str]
    expected: Mapping[str, Sequence[str]]
    unexpected: Mapping[str, Sequence[str]]

    @property
    def _unequal(self) -> list[Sequence[str]]:
        return [*self.expected.values(), *self.unexpected.values()]

    def lines(self, *, list_equal: bool = False) -> Iterator[str]:
        """Yield the comparison in words; with `list_equal`, equal files are listed, too."""
        unequal = [path for paths in self._unequal for path in paths]
        for kind, folder in _KINDS.items():
            equal = [path for path in self.equal if _is_in(path, folder)]
            total = len(equal) + sum(_is_in(path, folder) for path in unequal)
            if total:
                yield f"{kind}: {len(equal):,} of {total:,} equal to the published run"
            if list_equal:
                yield from (f"    {path}" for path in equal)
        for reason, paths in (*self.unexpected.items(), *self.expected.items()):
            yield f"{quantity(len(paths), 'file')}: {reason}"
            yield from (f"    {path}" for path in paths[:_MAX_LISTED])
            if len(paths) > _MAX_LISTED:
                yield f"    and {len(paths) - _MAX_LISTED:,} more"


def _is_in(path: str, folder: str) -> bool:
    """Whether a file is below a folder; files in subfolders of ``results`` are of other kinds."""
    return PurePosixPath(path).is_relative_to(folder) and (
        folder != "results" or path.count("/") == 1
    )


def verify(here: RunDigests, published: RunDigests) -> Verification:
    """Compare a run with the published one.

    Parameters
    ----------
    here, published : RunDigests
        Digests of both runs.

    Returns
    -------
    Verification
        Covers all files of the published run. Files that only this run has are left out, as they
        belong to other streams or studies.
    """
    equal, expected, unexpected = [], dict[str, list[str]](), dict[str, list[str]]()
    for path, digest in published.digests.items():
        if here.digests.get(path) == digest:
            equal.append(path)
            continue
        reason = _run_difference(path, here, published)
        if reason:
            expected.setdefault(reason, []).append(path)
        else:
            unexpected.setdefault(_code_difference(path, here, published), []).append(path)
    return Verification(equal, expected, unexpected)


def _run_difference(path: str, here: RunDigests, published: RunDigests) -> str:
    """The difference between the runs that explains a changed file; "" if there is none."""
    item = published.item_of(path)
    if item is None:
        return ""
    if item and item not in here.items:
        return "this run did not include the item"
    if not item and here.items.keys() != published.items.keys():
        return "this run had other items, and the file is about all of them"
    items = [item] if item else list(published.items)
    if any(here.items[name]["content"] != published.items[name]["content"] for name in items):
        return "the item has other settings or learners than in the published run"
    if difference := _stream_difference(item, here, published):
        return difference
    if path.endswith(".svg"):
        return _version_difference("drawn", DRAWING_PACKAGES, here, published)
    return ""


def _stream_difference(item: str, here: RunDigests, published: RunDigests) -> str:
    """The streams of an item that are missing, additional, or have another content."""
    names, published_names = here.streams_of(item), published.streams_of(item)
    missing = [name for name in published_names if name not in names]
    added = [name for name in names if name not in published_names]
    if missing or added:
        absent = [
            f"{name} ({here.left_out[name]})" if here.left_out.get(name) else name
            for name in missing
        ]
        phrases = [
            f"{preposition} {enumeration(streams)}"
            for preposition, streams in (("without", absent), ("with", added))
            if streams
        ]
        return f"the item was run {', '.join(phrases)}"
    changed = [name for name in names if here.streams.get(name) != published.streams.get(name)]
    return f"the content of {enumeration(changed)} differs" if changed else ""


def _version_difference(
    action: str, packages: Sequence[str], here: RunDigests, published: RunDigests
) -> str:
    """The packages of other versions, after an `action` such as "drawn"; "" if all are the same."""
    differences = [
        f"{name} {here.versions.get(name, 'unknown')} instead of {published.versions[name]}"
        for name in packages
        if here.versions.get(name) != published.versions[name]
    ]
    return f"{action} with {enumeration(differences)}" if differences else ""


def _code_difference(path: str, here: RunDigests, published: RunDigests) -> str:
    """The remaining reason if items, settings and streams are the same."""
    if path not in here.digests:
        return "the file is missing, although its item was run"
    difference = _version_difference("computed", COMPUTING_PACKAGES, here, published)
    return difference or (
        "the content differs, with the same streams, settings and versions: other code, or a "
        "processor of another kind"
    )


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m streameval.pipeline.verify")
    parser.add_argument("folder", type=Path, help="folder with the results of the run")
    parser.add_argument("--published", type=Path, help="file with the digests to compare with")
    parser.add_argument("--write", type=Path, help="file to write the digests of the run to")
    parser.add_argument("--all", action="store_true", help="list the equal files, too")
    options = parser.parse_args()
    here = RunDigests.read_folder(options.folder)
    if options.write:
        here.write(options.write)
    if options.published:
        comparison = verify(here, RunDigests.read_file(options.published))
        print("\n".join(comparison.lines(list_equal=options.all)))
        if comparison.unexpected:
            sys.exit(1)


if __name__ == "__main__":
    sys.exit(run_guarded(_main))
