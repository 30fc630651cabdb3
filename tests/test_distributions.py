"""Wheel and source distribution: the same bytes from the same sources, and their contents."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tomllib
from email import message_from_bytes

import pytest
import yaml
from helpers.distributions import build, content, unpack

from streameval import __version__
from streameval.base.settings import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PARTIES = (ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8")
#: What a file holds that repeats the notice of somebody else, or parts of a font.
NOTICE = re.compile(
    rb"(?i)copyright|fdlibm|all rights reserved|permission to use|SPDX-|okabe|id=.DejaVu"
)
#: The pages that are about licences, the tests of them, and a file with a setting of that name.
ABOUT = {"LICENSE", "THIRD_PARTY.md", "docs/site/conf.py", "tests/test_distributions.py"}
#: Real streams, the only data inside, and bytes of the largest and of all.
BUNDLED = "src/streameval/streams/bundled/"
LARGEST_STREAM, ALL_STREAMS = 1_300_000, 2_100_000
#: Bytes of any other file, of the wheel, and of the sources.
LARGEST, WHEEL, SOURCES = 300_000, 5_000_000, 8_000_000


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build(ROOT, tmp_path_factory.mktemp("built"), "wheel", "sdist")


def metadata(distribution):
    (name,) = (
        n for n in content(distribution) if re.search(r"(^|dist-info/)(METADATA|PKG-INFO)$", n)
    )
    return message_from_bytes(content(distribution)[name])


def test_the_same_bytes_are_built_elsewhere_and_at_another_time(built, tmp_path):
    """In another folder, from unpacked sources with other times and permissions."""
    tree = unpack(built[".gz"], tmp_path / "somewhere" / "else")
    for path in tree.rglob("*"):
        if path.is_file() and not path.is_symlink():
            os.utime(path, (1_600_000_000, 1_600_000_000))
            path.chmod(0o600 | path.stat().st_mode & 0o100)
    again = build(tree, tmp_path / "built", "wheel", "sdist")
    for ending, path in built.items():
        assert path.name == again[ending].name
        digests = [hashlib.sha256(it.read_bytes()).hexdigest() for it in (path, again[ending])]
        assert digests[0] == digests[1], ending


def test_there_is_one_version(built):
    card = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    latest = re.search(r"^## (\S+) \((\d{4}-\d\d-\d\d|not released yet)\)$", changes, re.MULTILINE)
    said = {ending: metadata(path)["Version"] for ending, path in built.items()}
    said |= {"CITATION.cff": card["version"], "CHANGELOG.md": latest[1]}
    assert said == dict.fromkeys(said, __version__)
    assert str(card.get("date-released", "not released yet")) == latest[2]


def test_an_index_can_show_the_first_page(built):
    """It has no neighbours there, and no pictures: links and pictures lead to addresses."""
    description = metadata(built[".whl"]).get_payload(decode=True).decode()
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    assert metadata(built[".gz"]).get_payload(decode=True).decode() == description
    outside_code = re.sub(r"(?s)```.*?```", "", description)
    for target in re.findall(r"\]\(([^)\s]+)\)", outside_code):
        assert target.startswith("https://"), target
    headings = re.compile(r"^#+ .*$", re.MULTILINE)
    assert headings.findall(description) == headings.findall(page)

    def words(text):
        """Words of a text without targets of links, and without pictures and their captions."""
        text = re.sub(r"(?s)!\[[^\]]*\]\([^h][^)]*\)\n\n\*[^*].*?\*\n\n", "", text)
        return re.sub(r"\]\([^)\s]+\)|[\[\]]", "", text).split()

    assert words(description) == words(page)


def test_the_sources_are_all_there_and_small(built):
    members = content(built[".gz"])
    streams = [
        len(members[name]) for name in members if re.fullmatch(BUNDLED + r"\w+\.parquet", name)
    ]
    assert max(streams) <= LARGEST_STREAM
    assert sum(streams) <= ALL_STREAMS
    others = [len(text) for name, text in members.items() if not name.startswith(BUNDLED)]
    assert max(others) <= LARGEST
    assert built[".whl"].stat().st_size <= WHEEL
    assert built[".gz"].stat().st_size <= SOURCES
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone: what belongs to the sources cannot be listed")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.check_output(listed, cwd=ROOT).decode().rstrip("\0").split("\0")
    files = {name for name in names if (ROOT / name).is_file() and not (ROOT / name).is_symlink()}
    assert set(members) == files | {"PKG-INFO"}


# --- Licences -----------------------------------------------------------------------------


def test_each_file_with_the_notice_of_others_is_listed(built):
    noticed = {name for name, text in content(built[".gz"]).items() if NOTICE.search(text)} - ABOUT
    assert {name for name in noticed if f"`{name}`" not in PARTIES} == set()
    assert "src/streameval/compiled/java_exp.py" in noticed


def test_what_is_listed_is_there():
    named = re.findall(
        r"`((?:src|tests|docs|config|resources|benchmarks|examples)/[^`*]+)`", PARTIES
    )
    assert len(named) > 5
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_each_folder_of_published_numbers_has_its_source():
    folders = {f"resources/published/{path.name}" for path in _folders("resources/published")}
    assert folders == set(re.findall(r"^\| `(resources/published/\w+)` \|", PARTIES, re.MULTILINE))


def _folders(place):
    return [path for path in (ROOT / place).iterdir() if path.is_dir()]


def test_the_licence_of_the_package_names_those_of_its_parts():
    parts = re.findall(r"^\| .*`src/.*\| ([\w.-]+) \| \[\w+\]\(#", PARTIES, re.MULTILINE)
    assert set(PROJECT["license"].split(" AND ")) == {"BSD-3-Clause", *parts}


def test_notices_are_printed_in_full_and_travel(built):
    """Copyright, conditions and disclaimer, as both licences ask for."""
    for words in (
        "Copyright (c) 2014, Intel Corporation",
        "Redistributions in binary form must reproduce",
        'SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"',
        "Copyright (C) 1993 by Sun Microsystems, Inc.",
        "provided that this notice",
    ):
        assert words in PARTIES
    wheel = content(built[".whl"])
    for name in PROJECT["license-files"]:
        (inside,) = (path for path in wheel if path.endswith(f".dist-info/licenses/{name}"))
        assert wheel[inside] == (ROOT / name).read_bytes()


def test_each_bundled_stream_has_its_licence_and_source():
    readme = (ROOT / BUNDLED / "README.md").read_text(encoding="utf-8")
    names = [path.name for path in (ROOT / BUNDLED).glob("*.parquet")]
    assert len(names) == 6
    for name in names:
        (row,) = re.findall(rf"^\| `{name}` \|.*\|$", readme, re.MULTILINE)
        licence = row.split("|")[-2].strip()
        (listed,) = re.findall(rf"^\|.*`{BUNDLED}{name}` \| ([^|]+) \|", PARTIES, re.MULTILINE)
        assert licence.replace(" ", "-") == listed.replace(" ", "-")
        assert listed in ("CC-BY-4.0", "public domain", "none stated")


def test_each_file_of_a_stream_has_a_licence():
    streams = yaml.safe_load((ROOT / "config/streams.yaml").read_text(encoding="utf-8"))["streams"]
    files = {name: row for name, row in streams.items() if "file" in row}
    assert files
    assert [name for name, row in files.items() if not row.get("licence")] == []
