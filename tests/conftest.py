"""What tests need of the machine, and which of them are left out for want of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import hypothesis
import numba
import pytest
from helpers.browsers import find_chromium, find_driver
from helpers.changed import changed_files, reached
from helpers.findings import finished_run
from helpers.projects import copy_project

if numba.config.DISABLE_JIT:  # before any kernel is defined
    from helpers import plain_python

    plain_python.install()

from streameval import settings
from streameval.errors import ConfigError
from streameval.learners.adapters import moa
from streameval.streams.making import convert
from streameval.streams.raw.fetch import fetch, mirror_folder
from streameval.streams.registry import FileSpec, find_spec, load_registry
from streameval.streams.stream import Stream

# The first example of a property may have to wait for a compiler.
hypothesis.settings.register_profile("streameval", deadline=None)
hypothesis.settings.load_profile("streameval")

#: Markers of the tests that take minutes, and the seconds after which one hangs.
LONG = {"install", "browser", "workflow"}
HANGS_AFTER = 900
#: Those of tests that need something besides the package.
NEEDING = {*LONG, "realdata", "finished_run", "moa"}
#: What each file of tests takes on one core, in seconds; `make durations` renews it.
DURATIONS = Path(__file__).with_name("durations.json")
#: For how long `--quick` tests, on one core.
QUICK = 60.0
_spent: dict[str, float] = {}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what chooses tests."""
    parser.addoption("--quick", action="store_true", help="the files of tests that take least")
    parser.addoption(
        "--changed",
        nargs="?",
        const="HEAD",
        metavar="COMMIT",
        help="the tests that the changes since a commit, by default the last one, can reach",
    )
    parser.addoption("--keep-durations", action="store_true", help="write down what files take")


def chosen(config: pytest.Config, items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests that the options ask for."""
    if config.getoption("--quick"):
        plain = [one for one in items if not NEEDING & {mark.name for mark in one.iter_markers()}]
        known = json.loads(DURATIONS.read_text(encoding="utf-8"))
        files = sorted({one.path for one in plain}, key=lambda at: (known.get(_name(at), 0.0), at))
        taken = accumulate(known.get(_name(path), 0.0) for path in files)
        quick = {path for path, seconds in zip(files, taken, strict=True) if seconds <= QUICK}
        items = [one for one in plain if one.path in quick]
    if since := config.getoption("--changed"):
        changed = changed_files(since)
        hit = {path for path in {one.path for one in items} if reached(path, changed)}
        items = [one for one in items if one.path in hit]
    return items


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up what the files of tests take; with several cores, in the process that deals out."""
    file = report.nodeid.partition("::")[0]
    _spent[file] = _spent.get(file, 0.0) + report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write down what the files of tests took, if so wanted."""
    if session.config.getoption("--keep-durations") and not hasattr(session.config, "workerinput"):
        kept = {file: round(seconds, 1) for file, seconds in sorted(_spent.items())}
        DURATIONS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def _name(path: Path) -> str:
    return path.relative_to(settings.ROOT).as_posix()


def unavailable() -> dict[str, str]:
    """Return the markers whose tests cannot run here, and why."""
    reasons = {}
    if numba.config.DISABLE_JIT:
        reasons["compiled"] = "numba is switched off"
    if mirror_folder() is None:
        reasons["realdata"] = "STREAMEVAL_DATA is not set"
    if not finished_run():
        reasons["finished_run"] = "STREAMEVAL_RUN is not set"
    try:
        moa.find_java()
        moa.find_jar()
    except ConfigError as error:
        reasons["moa"] = str(error).rstrip(".")
    if not (find_chromium() and find_driver()):
        reasons["browser"] = "no chromium with its chromedriver is there"
    return reasons


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that cannot run here; start with the longest where cores share them."""
    if numba.config.DISABLE_JIT:
        plain_python.shorten(items)
    missing, wanted = set(unavailable()), set(chosen(config, items))
    left_out = [
        item
        for item in items
        if item not in wanted or missing & {mark.name for mark in item.iter_markers()}
    ]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        dropped = set(left_out)
        items[:] = [item for item in items if item not in dropped]
    long = [item for item in items if LONG & {mark.name for mark in item.iter_markers()}]
    for item in long:
        item.add_marker(pytest.mark.timeout(HANGS_AFTER))
    if hasattr(config, "workerinput"):  # files are dealt out in this order
        items[:] = long + [item for item in items if item not in long]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tests are left out; a report header would be hidden by ``-q``."""
    for marker, reason in unavailable().items():
        terminalreporter.write_line(f"Tests marked '{marker}' were left out: {reason}.")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Somebody who looks at pages in a browser; see `helpers.readers.Reader`."""
    pytest.importorskip("selenium")
    from helpers.readers import Reader, start_browser

    driver = start_browser(tmp_path_factory.mktemp("browser"))
    yield Reader(driver)
    driver.quit()


@pytest.fixture(scope="session")
def real_stream(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Stream]:
    """Return a function that reads a stream of the registry from ``STREAMEVAL_DATA``."""
    raw = tmp_path_factory.mktemp("raw")
    registry = load_registry()

    @cache
    def read(name: str) -> Stream:
        spec = find_spec(registry, name)
        assert isinstance(spec, FileSpec), f"{name} is generated"
        return convert(spec, fetch(spec, raw, mirror_folder(), offline=True))

    return read


@pytest.fixture
def config(tmp_path, monkeypatch):
    """The default configuration in an empty folder, offline."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STREAMEVAL_DATA", raising=False)
    changed = settings.load_yaml(settings.ROOT / "config" / "config.yaml")
    changed["data"]["offline"] = True
    return changed


@pytest.fixture(scope="module")
def environment():
    """The variables of a run's environment, without a mirror of raw files."""
    return {key: value for key, value in os.environ.items() if key != "STREAMEVAL_DATA"}


@pytest.fixture
def project(tmp_path):
    """The parts of the project that a run needs; the package is a link to this one."""
    return copy_project(tmp_path / "project")
