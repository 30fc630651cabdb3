"""What tests need of the machine, and which of them are left out for want of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import hypothesis
import numba
import pytest
from helpers.browsers import find_chromium, find_driver
from helpers.findings import finished_run
from helpers.projects import copy_project

if numba.config.DISABLE_JIT:  # before any kernel is defined
    from helpers import plain_python

    plain_python.install()

from streameval import settings
from streameval.errors import ConfigError
from streameval.learners.adapters import moa
from streameval.streams.raw.fetch import fetch, mirror_folder
from streameval.streams.registry import FileSpec, convert, find_spec, load_registry
from streameval.streams.stream import Stream

# The first example of a property may have to wait for a compiler.
hypothesis.settings.register_profile("streameval", deadline=None)
hypothesis.settings.load_profile("streameval")

#: Markers of the tests that take minutes, and the seconds after which one hangs.
LONG = {"install", "browser", "workflow"}
HANGS_AFTER = 900


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
    missing = set(unavailable())
    left_out = [item for item in items if missing & {mark.name for mark in item.iter_markers()}]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
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
