"""The gallery: a picture or table of each kind of item, beside the block of YAML that makes it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from pages import Site

from streameval.base.settings import ROOT
from streameval.items import kinds, kinds_of_studies
from streameval.items.kind import ItemKind
from streameval.pipeline.configuration import complete, merge_files

CONFIG = ROOT / "config" / "test.yaml"
#: Rows of a table that are shown.
_ROWS = 6
_HEAD = """\
# Gallery

Each kind of figure and table, as the tiny run of `config/test.yaml` makes it: short simulated
streams, so that the pictures show the form and not a result. The block of YAML stands beside it.
[Kinds](reference/kinds.md) and [Kinds of validation](reference/validation_kinds.md) list all
settings, and [A study of your own](howto/own_study.md) says where such a block belongs.
"""


def run(folder: Path, cores: int) -> None:
    """Make the missing and outdated files of the tiny run in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    words = ["--cores", str(cores), "--quiet", "all", "--configfile", str(CONFIG)]
    snakemake = [sys.executable, "-m", "snakemake", *words, "--directory", str(folder)]
    print("The tiny run for the gallery (minutes if nothing of it is there) ...", flush=True)
    subprocess.run(snakemake, check=True, cwd=ROOT)  # noqa: S603


def add(site: Site, folder: Path) -> None:
    """Add the page to the site.

    Parameters
    ----------
    site : Site
        The site.
    folder : Path
        Where the run left its figures and tables.
    """
    items = complete(merge_files([CONFIG]), [CONFIG]).content["items"]
    parts = [_HEAD]
    known = {**kinds(), **kinds_of_studies(ROOT / "validation")}
    for name, kind in sorted(known.items()):
        parts += [f"## {name}\n", f"{kind.settings.__doc__}\n"]
        parts += _shown(site, folder, kind, dict(_of_kind(items, name)))
    site.texts["gallery.md"] = "\n".join(parts)
    bare = re.sub(r"^:{3,}.*\n", "", site.texts["gallery.md"], flags=re.MULTILINE)
    site.plain["gallery.md"] = bare


def _of_kind(items: Mapping[str, Any], kind: str) -> Iterator[tuple[str, Any]]:
    for study, study_items in items.items():
        for name, settings in study_items.items():
            if settings["kind"] == kind:
                yield f"{study}/{name}", settings


def _shown(site: Site, folder: Path, kind: ItemKind, items: Mapping[str, Any]) -> list[str]:
    for place, settings in items.items():
        study, _, name = place.partition("/")
        pictures = sorted((folder / "figures" / place).glob("*.svg"))
        table = folder / "results" / "tables" / f"{place}.md"
        block = yaml.safe_dump({name: settings}, sort_keys=False, allow_unicode=True, width=60)
        block = f"```yaml\n# items.{study}\n{block}```\n"
        if pictures:
            where = f"gallery/{study}-{name}.svg"
            site.files[where] = pictures[0]
            alternative = f"The picture of kind {kind.name} that the tiny run makes"
            return [_beside(block, f"[![{alternative}]({where})]({where})\n")]
        if table.is_file() and not kind.is_figure:
            return [block, _head_of(table)]
    if not items:
        return ["No item of the repository is of this kind.\n"]
    place = next(iter(items))
    needs = f"`items.{place.replace('/', '.')}` needs a stream that has to be downloaded"
    return [f"The tiny run has no result of this kind: {needs}.\n"]


def _beside(block: str, picture: str) -> str:
    parts = (f":::{{container}}\n{part}:::\n" for part in (block, picture))
    return f"::::{{container}} beside\n{''.join(parts)}::::\n"


def _head_of(table: Path) -> str:
    """The first rows of a table, without the text around it."""
    lines = table.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("|")]
    more = len(rows) - 2 - _ROWS
    left_out = [f"\n{more} more row{'s' * (more != 1)}."] * (more > 0)
    return "\n".join([*rows[: 2 + _ROWS], *left_out]) + "\n"
