"""What ends a command or a job: one line and an exit code, never a traceback or half a table."""

from __future__ import annotations

import errno
import io
import logging
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from streameval.base.errors import DataError
from streameval.base.files import replacing_file, write_text
from streameval.base.terminal import run_guarded
from streameval.cli import main
from streameval.pipeline.runs import job, time_of

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.is_char_device(), reason="there is no /dev/full here")


class Failing(io.StringIO):
    """An output that cannot be written when it is flushed, as real ones."""

    def __init__(self, number: int):
        super().__init__()
        self.number = number

    def flush(self) -> None:
        if self.getvalue():
            raise OSError(self.number, os.strerror(self.number))


def one_line(capsys) -> str:
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("streameval: ")
    return line


@pytest.mark.parametrize("words", [["streams"], ["--help"]])
def test_a_full_disk_is_one_line(capsys, monkeypatch, words):
    monkeypatch.setattr(sys, "stdout", Failing(errno.ENOSPC))
    assert main(words) == 2
    assert one_line(capsys).endswith("Could not write the output: No space left on device.")


def test_a_closed_output_is_one_line(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["streams"]) == 2
    assert "the standard output is closed" in one_line(capsys)
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stdout", closed)
    assert main(["streams"]) == 2
    assert "closed file" in one_line(capsys)


def test_a_closed_error_output_is_no_trouble(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["streams"]) == 0
    assert main(["evaluate", "nothing", "--learner", "majority"]) == 2


def test_a_reader_that_has_seen_enough_is_no_error(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdout", Failing(errno.EPIPE))
    assert main(["streams"]) == 0
    assert not capsys.readouterr().err


def test_a_pipe_that_breaks_elsewhere_is_an_error(capsys):
    def command():
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    assert run_guarded(command) == 2
    assert "Broken pipe" in one_line(capsys)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "Interrupted"),
        (MemoryError(), 2, "Not enough memory"),
        (
            np._core._exceptions._ArrayMemoryError((10**9,), np.dtype(float)),
            2,
            "Unable to allocate",
        ),
        (pa.ArrowMemoryError("malloc of size 1 failed"), 2, "malloc of size 1"),
        (
            PermissionError(errno.EACCES, "Permission denied", "x.csv"),
            2,
            "x.csv: Permission denied.",
        ),
        (DataError("x.csv: wrong"), 2, "x.csv: wrong"),
    ],
)
def test_an_error_of_a_command_is_one_line(capsys, error, code, message):
    def command():
        raise error

    assert run_guarded(command) == code
    assert message in one_line(capsys)


def test_a_mistake_of_ours_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        run_guarded(lambda: 1 / 0)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "κ⁺ ž – ?"),
        ("latin-1", "k+ z - ?"),
    ],
)
def test_letters_that_a_terminal_lacks_are_written_plainly(monkeypatch, encoding, text):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding))
    assert run_guarded(lambda: print("κ⁺ ž – \udcff")) == 0
    assert written.getvalue().decode(encoding) == f"{text}\n"


# --- As users start it ------------------------------------------------------------------


def start(*words: str, **options) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "streameval", *words], stderr=subprocess.PIPE, text=True, **options
    )


def test_the_module_is_the_command(tmp_path):
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    words = ("evaluate", "markov_ozone", "--learner", "majority")
    process = start(*words, stdout=subprocess.PIPE, env=environment)
    output, error = process.communicate(timeout=100)
    assert (process.returncode, error) == (0, "")
    assert "Kappa-Temporal (k_t) " in output


@needs_full
def test_the_end_of_the_interpreter_says_no_more():
    with FULL.open("w") as output:
        process = start("streams", stdout=output)
        _, error = process.communicate(timeout=100)
    assert process.returncode == 2
    assert error.startswith("streameval: ")
    assert error.endswith(": No space left on device.\n")


def test_an_interrupt_while_libraries_are_loaded_is_one_line():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # else a child of a job
    process = start("streams", stdout=subprocess.DEVNULL)  # in the background ignores it
    signal.signal(signal.SIGINT, before)
    maps = Path(f"/proc/{process.pid}/maps")
    for _ in range(2000):  # the interpreter has begun to load numpy
        if not maps.exists() or "numpy" in maps.read_text():
            break
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=100)
    assert process.returncode == 130
    assert error == "streameval: Interrupted.\n"


# --- Jobs of the pipeline ---------------------------------------------------------------


@pytest.fixture(autouse=True)
def logging_as_before():
    """Undo what a job does to logging."""
    root = logging.getLogger()
    handlers, level, raising = root.handlers[:], root.level, logging.raiseExceptions
    yield
    logging.captureWarnings(False)
    for handler in root.handlers:
        if handler not in handlers:
            with suppress(OSError):  # a full disk
                handler.close()
    root.handlers[:], root.level, logging.raiseExceptions = handlers, level, raising


def run_job(log: Path, error: BaseException) -> str | int | None:
    with pytest.raises(SystemExit) as stopped, job(str(log)):
        raise error
    return stopped.value.code


@pytest.mark.parametrize(
    ("error", "ending"),
    [
        (DataError("x.csv: wrong"), "x.csv: wrong"),
        (
            OSError(errno.ENOSPC, "No space left on device", "r.csv"),
            "r.csv: No space left on device. Free some disk space and run it again.",
        ),
        (MemoryError(), "Not enough memory: the request was refused. Use less data at a time."),
        (ValueError("two\nlines"), "ValueError: two"),
    ],
)
def test_a_job_ends_in_one_line_that_says_where_its_log_is(tmp_path, error, ending):
    log = tmp_path / "logs" / "j.log"
    assert run_job(log, error) == f"Error: {ending} (log: {log})"


def test_a_job_that_is_interrupted_says_nothing(tmp_path):
    assert run_job(tmp_path / "j.log", KeyboardInterrupt()) == 130


def test_the_log_says_where_only_for_what_is_not_the_inputs_fault(tmp_path):
    run_job(tmp_path / "j.log", DataError("wrong"))
    assert "Traceback" not in (tmp_path / "j.log").read_text()
    run_job(tmp_path / "j.log", OSError(errno.ENOSPC, "No space left on device"))
    assert "Traceback" in (tmp_path / "j.log").read_text()


def test_a_log_that_cannot_be_opened_is_one_line(tmp_path):
    (tmp_path / "logs").touch()
    with (
        pytest.raises(SystemExit, match=r"^Error: .*logs: "),
        job(str(tmp_path / "logs" / "j.log")),
    ):
        pass


@needs_full
def test_a_log_that_cannot_be_written_stops_nothing(tmp_path, capsys):
    with job(str(FULL)) as log:
        log.info("on a full disk")
        write_text(tmp_path / "t.csv", "a\n")
    assert "Traceback" not in capsys.readouterr().err


def test_a_job_that_is_done_says_how_long_it_took(tmp_path):
    log = tmp_path / "job.log"
    assert time_of(log) is None
    with pytest.raises(SystemExit, match=r"^Error: ZeroDivisionError: "), job(str(log)):
        _ = 1 / 0
    assert time_of(log) is None
    with job(str(log)) as to:
        to.info("half of it")
        time.sleep(0.03)
        before = time.process_time()
    took = time_of(log)
    assert took.seconds >= before + 0.02  # a sleep takes no processor, and two digits are kept
    assert took.processor >= before - 0.02
    assert "half of it" in log.read_text(encoding="utf-8")


# --- What killed processes leave behind -------------------------------------------------


def test_parts_of_killed_processes_are_removed_after_a_day(tmp_path):
    parts = {name: tmp_path / f".part-{name}" for name in ("old", "new", "growing")}
    long_ago = time.time() - 90_000
    for name, part in parts.items():
        part.mkdir()
        (part / "x.csv").touch()
        if name != "growing":
            os.utime(part / "x.csv", (long_ago, long_ago))
        if name != "new":
            os.utime(part, (long_ago, long_ago))
    with replacing_file(tmp_path / "x.csv") as part:
        part.touch()
    assert {path.name for path in tmp_path.iterdir()} == {".part-new", ".part-growing", "x.csv"}
