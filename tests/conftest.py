"""Requirements of tests on the machine; tests that miss one are left out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

# Before numpy is loaded. Matrices are small here, and a second thread that waits for the first
# keeps the core of another worker busy. Jobs of the pipeline have one thread, too.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import hypothesis
import numba
import pytest
from helpers.approved import differences
from helpers.browsers import find_chromium, find_driver
from helpers.finished_runs import finished_run
from helpers.projects import copy_project
from helpers.tiny_run import finished_project

if numba.config.DISABLE_JIT:  # before any kernel is defined
    from helpers import plain_python

    plain_python.install()

from streameval.base import settings
from streameval.base.errors import ConfigError
from streameval.learners.adapters import moa
from streameval.streams.making import convert
from streameval.streams.raw.fetch import fetch, mirror_folder
from streameval.streams.registry import FileSpec, find_spec, load_registry
from streameval.streams.stream import Stream

# The first example of a property may have to wait for a compiler.
hypothesis.settings.register_profile("streameval", deadline=None)
hypothesis.settings.load_profile("streameval")

#: Markers of tests that take minutes.
NEEDING_MINUTES = {"install", "browser", "workflow"}
#: Seconds after which a test that takes minutes hangs.
HANGS_AFTER = 900
#: Seconds of one test, without what it shares with others, after which it says why.
LONG_FOR_ONE = 20
_long: dict[str, float] = {}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that renews approved files."""
    parser.addoption("--approve", action="store_true", help="write outputs into tests/approved")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember the tests that take long without saying why."""
    if report.when == "call" and report.duration > LONG_FOR_ONE and "long" not in report.keywords:
        _long[report.nodeid] = report.duration


def _name(path: Path) -> str:
    return path.relative_to(settings.ROOT).as_posix()


def _markers(item: pytest.Item) -> set[str]:
    return {mark.name for mark in item.iter_markers()}


def unavailable() -> dict[str, str]:
    """The markers whose tests cannot run here, and why."""
    reasons = {}
    if numba.config.DISABLE_JIT:
        reasons["compiled"] = "numba is switched off"
    if mirror_folder() is None:
        reasons["realdata"] = "STREAMEVAL_DATA is not set"
    run = finished_run()
    if not run:
        reasons["finished_run"] = "STREAMEVAL_RUN is not set"
    if not run or not run.is_of_all_studies:
        reasons["all_studies"] = "STREAMEVAL_RUN names no run of all studies"
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
    left_out = [item for item in items if missing & _markers(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        dropped = set(left_out)
        items[:] = [item for item in items if item not in dropped]
    for item in items:
        if NEEDING_MINUTES & _markers(item):
            item.add_marker(pytest.mark.timeout(HANGS_AFTER))
    if hasattr(config, "workerinput"):  # files are dealt out in this order
        items.sort(key=_rank(items))


def _rank(items: list[pytest.Item]) -> Callable[[pytest.Item], int]:
    """The rank of a test by its file: files that take minutes first.

    Of the files that share the finished run one makes it; the others would only wait for it, and
    come after the first four of the rest.
    """
    long, sharing = (
        dict.fromkeys(_name(item.path) for item in items if chosen(item))
        for chosen in (
            lambda item: NEEDING_MINUTES & _markers(item),
            lambda item: "finished" in item.fixturenames,
        )
    )
    maker, *waiting = [*sharing] or [""]
    others = [file for file in long if file not in sharing]
    order = [maker, *others[:3], *waiting, *others[3:]]
    ranks = {file: rank for rank, file in enumerate(order)}
    return lambda item: ranks.get(_name(item.path), len(ranks))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tests are left out; a report header would be hidden by ``-q``."""
    for marker, reason in unavailable().items():
        terminalreporter.write_line(f"Tests marked '{marker}' were left out: {reason}.")
    for test, seconds in _long.items():
        terminalreporter.write_line(
            f"{test} took {seconds:.0f} s: make it shorter, or mark it 'long' with the reason."
        )


@pytest.fixture
def approved(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """A function that fails if a text differs from its approved file."""
    file = _name(request.path)

    def compare(name: str, text: str) -> None:
        message = differences(name, text, approve=request.config.getoption("--approve"))
        if message:
            how = f"If this is what users should see: pytest {file} --approve"
            pytest.fail(f"{message}\n{how}", pytrace=False)

    return compare


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One browser for all files of tests."""
    pytest.importorskip("selenium")
    from helpers.readers import start_browser

    driver = start_browser(tmp_path_factory.mktemp("browser"))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def reader(browser: Any) -> Any:
    """Somebody who looks at pages in a browser; see `helpers.readers.Reader`."""
    from helpers.readers import Reader

    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    browser.get_log("browser")  # what it holds is of other files
    return Reader(browser)


@pytest.fixture(scope="session")
def real_stream(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Stream]:
    """A function that reads a stream of the registry, from the package if that has it."""
    raw = tmp_path_factory.mktemp("raw")
    registry = load_registry()

    @cache
    def read(name: str) -> Stream:
        spec = find_spec(registry, name)
        assert isinstance(spec, FileSpec), f"{name} is generated"
        if spec.bundled is not None:
            return convert(spec, spec.bundled.path)
        return convert(spec, fetch(spec, raw, mirror_folder(), offline=True))

    return read


@pytest.fixture
def config(tmp_path, monkeypatch):
    """The default configuration, of all studies, in an empty folder, offline."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STREAMEVAL_DATA", raising=False)
    changed = settings.load_yaml(settings.ROOT / "config" / "config.yaml")
    changed["data"]["offline"] = True
    return changed | {"studies": "all"}


@pytest.fixture(scope="session")
def environment():
    """The variables of a run's environment, without a mirror of raw files."""
    return {key: value for key, value in os.environ.items() if key != "STREAMEVAL_DATA"}


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Path:
    """The project of a finished tiny run, the same for all processes: no test may change it."""
    return finished_project(_shared(tmp_path_factory) / "tiny", environment)


def _shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of all processes that share these tests."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture
def project(tmp_path):
    """The parts of the project that a run needs; the package is a link to this one."""
    return copy_project(tmp_path / "project")
