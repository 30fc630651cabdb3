"""Build the documentation: ``make docs``.

The pages of the repository, and others that are made from code, are put into a folder, from which
Sphinx builds HTML. Beside each page stands its Markdown, and ``llms.txt`` lists all of them.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path, PurePosixPath

import api_pages
import docstrings
import gallery
import notebooks
import reference
import timelines
from pages import MENU, Site, stage

import streameval
from streameval.base.settings import ROOT
from streameval.cli import COMMANDS

HERE = Path(__file__).resolve().parent
_MARK = re.compile(r"<!-- timeline: (\S+) -->")
_NOTEBOOKS = {"tutorials/first_notebook.md": ROOT / "docs" / "tutorials" / "first_notebook.ipynb"}


def main() -> None:
    """Build the documentation as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where it is built: source, run, html")
    parser.add_argument("--cores", type=int, default=1, help="cores of the tiny run")
    parser.add_argument(
        "--results", type=Path, help="folder of a tiny run that is there, for the gallery"
    )
    options = parser.parse_args()
    folder = options.folder.resolve()
    if options.results is None:
        gallery.run(folder / "run", options.cores)
    site = make_site(folder, options.results or folder / "run")
    source, html = folder / "source", folder / "html"
    write(site, source)
    shutil.rmtree(html, ignore_errors=True)
    words = ["-W", "--keep-going", "--quiet", "--fresh-env", "--builder", "html"]
    places = ["--conf-dir", str(HERE), str(source), str(html)]
    done = subprocess.run([sys.executable, "-m", "sphinx", *words, *places], check=False)  # noqa: S603
    if done.returncode:
        sys.exit("The documentation has warnings, see above; `make docs` wants none.")
    for place in site.texts:
        (html / place).write_text(site.readable(place), encoding="utf-8")
    for place, path in site.files.items():
        (html / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, html / place)
    (html / "llms.txt").write_text(llms(site), encoding="utf-8")


def make_site(folder: Path, results: Path) -> Site:
    """Make the whole site.

    Parameters
    ----------
    folder : Path
        Where pictures are put, and where notebooks run.
    results : Path
        The folder of a tiny run.
    """
    site = Site()
    pictures = folder / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)

    def keep(name: str, content: bytes) -> None:
        (pictures / name).write_bytes(content)
        site.files[f"pictures/{name}"] = pictures / name

    for protocol in timelines.DRAWN:
        keep(timelines.file_name(protocol), timelines.picture(protocol).encode())
    stage(site, _with_timelines, is_there)
    site.texts |= reference.pages()
    api = api_pages.add(site)
    gallery.add(site, results)
    notebooks.quiet()
    shutil.copytree(ROOT / "examples", folder / "notebook", dirs_exist_ok=True)
    for place, path in _NOTEBOOKS.items():

        def linked(name: str, content: bytes, place: str = place) -> str:
            keep(name, content)
            return _link(f"pictures/{name}", place)

        site.texts[place] = notebooks.as_markdown(path, folder / "notebook", linked)
    site.plain["index.md"] = site.texts["index.md"]
    site.texts["index.md"] += _menu()
    site.texts["reference/api.md"] += "\n" + _toctree(
        [page.removeprefix("reference/") for page in api]
    )
    return site


def is_there(name: str) -> bool:
    """Whether there is a command of a name, or a method of results."""
    result = import_module("streameval.api.result").Result
    return name in COMMANDS or hasattr(result, name)


def write(site: Site, folder: Path) -> None:
    """Write the pages and files of a site into a folder, anew."""
    shutil.rmtree(folder, ignore_errors=True)
    for place, text in site.texts.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for place, path in site.files.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / place)


def llms(site: Site) -> str:
    """The list of all pages for programs that read Markdown."""
    parts = [f"# streameval\n\n> {docstrings.summary(streameval)}\n"]
    listed = {*_listed(), "index.md"}
    others = [place.removesuffix(".md") for place in site.texts if place not in listed]
    for section, names in {**MENU, "Python, by page": others}.items():
        lines = [
            f"- [{title(site.texts[f'{name}.md'])}]({name}.md): "
            f"{_first_sentence(site.readable(f'{name}.md'))}\n"
            for name in names
        ]
        parts.append(f"## {section}\n\n{''.join(lines)}")
    return "\n".join(parts)


def title(text: str) -> str:
    """The title of a page."""
    return text.partition("\n")[0].removeprefix("# ")


def _listed() -> list[str]:
    return [f"{name}.md" for names in MENU.values() for name in names]


def _first_sentence(text: str) -> str:
    """The first sentence of the first paragraph of text on a page."""
    for part in text.split("\n\n")[1:]:
        if re.match(r"\w|`(?!``)|\*\*", part):
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|\*\*", r"\1", " ".join(part.split()))
            return re.split(r"(?<=[.?!:]) (?=[A-Z`\"])", plain)[0]
    return title(text)


def _with_timelines(text: str, place: str) -> str:
    def picture(mark: re.Match[str]) -> str:
        caption = timelines.DRAWN[mark[1]]
        target = _link(f"pictures/{timelines.file_name(mark[1])}", place)
        return f"![{caption}]({target})\n\n*{caption}*"

    return _MARK.sub(picture, text)


def _link(target: str, place: str) -> str:
    return os.path.relpath(target, PurePosixPath(place).parent)


def _menu() -> str:
    return "".join(f"\n{_toctree(names, section)}" for section, names in MENU.items())


def _toctree(names: Sequence[str], caption: str = "") -> str:
    lines = [":hidden:", *([f":caption: {caption}"] * bool(caption)), "", *names]
    return "```{toctree}\n" + "\n".join(lines) + "\n```\n"


if __name__ == "__main__":
    main()
