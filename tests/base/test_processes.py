"""Commands that end by a signal: the program that they called and its jobs end, too."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from streameval.base.terminal import INTERRUPTED

#: A program with a job that lasts; it tidies up when it is interrupted, or ignores that.
PROGRAM = """\
import signal, subprocess, sys, time
from streameval.base.processes import end_with_caller
end_with_caller()
def stop(*_):
    open('tidied', 'w').close()
    sys.exit(1)
signal.signal(signal.SIGINT, signal.SIG_IGN if {deaf} else stop)
job = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)'])
print(job.pid, file=sys.stderr, flush=True)
time.sleep(300)
"""
COMMAND = """\
import sys, os
from streameval.base.processes import child
from streameval.base.terminal import run_guarded
def command():
    with child([sys.executable, '-c', {program!r}], os.environ) as process:
        for line in process.stderr:
            print(process.pid, line, end='', flush=True)
sys.exit(run_guarded(command))
"""


@contextmanager
def command(
    folder: Path, *, deaf: bool = False, ignored: bool = False
) -> Iterator[tuple[subprocess.Popen[str], list[psutil.Process]]]:
    """Start a command; yield its process, and the processes that it starts."""

    def receive_signals() -> None:  # nohup, which tests may run under, has SIGHUP ignored
        signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)

    with subprocess.Popen(
        [sys.executable, "-c", COMMAND.format(program=PROGRAM.format(deaf=deaf))],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=receive_signals,
    ) as process:
        assert process.stdout is not None
        below = [psutil.Process(int(pid)) for pid in process.stdout.readline().split()]
        try:
            yield process, below
        finally:
            process.kill()
            for each in below:
                with suppress(psutil.NoSuchProcess):
                    each.kill()


def have_ended(processes: list[psutil.Process]) -> bool:
    _, alive = psutil.wait_procs(processes, timeout=10)
    return not [each for each in alive if each.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.parametrize(
    ("number", "code", "message"),
    [(signal.SIGINT, INTERRUPTED, "Interrupted."), (signal.SIGHUP, 129, "Ended by SIGHUP.")],
)
def test_a_signal_to_the_command_alone_ends_all(tmp_path, number, code, message):
    with command(tmp_path) as (process, below):
        os.kill(process.pid, number)
        _, errors = process.communicate(timeout=10)
        assert process.returncode == code
        assert errors.strip().splitlines()[-1] == f"streameval: {message}"
        assert have_ended(below)
    assert (tmp_path / "tidied").exists()


def test_a_command_in_the_background_ends_by_sigterm_and_not_by_the_ctrl_c_of_others(tmp_path):
    with command(tmp_path, ignored=True) as (process, below):
        os.kill(process.pid, signal.SIGINT)
        time.sleep(0.3)
        assert process.poll() is None
        os.kill(process.pid, signal.SIGTERM)
        process.communicate(timeout=10)
        assert have_ended(below)
    assert (tmp_path / "tidied").exists()


def test_a_second_signal_kills_a_program_that_ignores_the_first(tmp_path):
    with command(tmp_path, deaf=True) as (process, below):
        os.kill(process.pid, signal.SIGTERM)
        time.sleep(0.3)
        assert process.poll() is None
        os.kill(process.pid, signal.SIGTERM)
        process.communicate(timeout=10)
        assert process.returncode == 143
        assert have_ended(below)
    assert not (tmp_path / "tidied").exists()


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux tells of ended processes")
def test_a_killed_command_takes_the_program_and_its_jobs_with_it(tmp_path):
    with command(tmp_path) as (process, below):
        process.kill()
        assert have_ended(below)
    assert (tmp_path / "tidied").exists()


def test_ctrl_z_stops_all_until_the_command_goes_on(tmp_path):
    def statuses(wanted: set[str]) -> set[str]:
        for _ in range(100):
            if (seen := {each.status() for each in everyone}) <= wanted:
                break
            time.sleep(0.05)
        return seen

    with command(tmp_path) as (process, below):
        everyone = [psutil.Process(process.pid), *below]
        os.kill(process.pid, signal.SIGTSTP)
        assert statuses({psutil.STATUS_STOPPED}) == {psutil.STATUS_STOPPED}
        os.kill(process.pid, signal.SIGCONT)
        assert psutil.STATUS_STOPPED not in statuses({psutil.STATUS_SLEEPING})
