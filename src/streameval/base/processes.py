"""Processes that end together: a command, the child process that it starts, and their jobs."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import IO, Any

from streameval.base.terminal import TerminationSignal

#: Environment variable with the id of the command's process, which the child watches.
CALLER_VARIABLE = "STREAMEVAL_CALLER"
#: Seconds after which a child that has not ended its jobs is killed.
KILL_SECONDS = 60
#: Signals that end the command and the child: Ctrl-C, `kill`, and a closed terminal.
_END_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_Handler = Callable[[int, FrameType | None], Any] | int | None


@contextmanager
def child(
    command: Sequence[str], environment: Mapping[str, str], stdout: IO[str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Start a child process with a pipe for its errors; it ends before the block ends.

    The child leads a process group. At Ctrl-C, SIGTERM or SIGHUP, the command sends SIGINT to the
    child and its jobs, and raises KeyboardInterrupt. A child that has not ended after
    `KILL_SECONDS`, or at a second signal, is killed. Ctrl-Z pauses both. A child that calls
    `end_with_caller` also ends when the command is killed.
    """
    previous_handlers: dict[signal.Signals, _Handler] = {}
    # The child once it has started; a list, since `pause` is defined before.
    processes: list[subprocess.Popen[str]] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise TerminationSignal(number)

    def pause(_number: int, _frame: FrameType | None) -> None:
        _signal_all(processes, signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGSTOP)
        _signal_all(processes, signal.SIGCONT)  # reached when this process is continued

    try:
        if threading.current_thread() is threading.main_thread():
            # A child inherits ignored signals, but not handlers. Shells make programs in the
            # background ignore interrupts; their children would then ignore ours. So ignored
            # signals get a handler that does nothing.
            if signal.getsignal(signal.SIGTSTP) != signal.SIG_IGN:
                previous_handlers[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, pause)
            for number in _END_SIGNALS:
                is_ignored = signal.getsignal(number) == signal.SIG_IGN
                previous_handlers[number] = signal.signal(number, _ignore if is_ignored else stop)
            # A group in the background may write to the terminal, even with `stty tostop`.
            previous_handlers[signal.SIGTTOU] = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        with subprocess.Popen(  # noqa: S603, the options come from the user who runs it
            command,
            env={**environment, CALLER_VARIABLE: str(os.getpid())},
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            process_group=0,
        ) as process:
            processes.append(process)
            try:
                yield process
            except BaseException:
                _end(process)
                raise
    finally:
        for number, handler in previous_handlers.items():
            signal.signal(number, handler)


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """Ignore a signal in this process only."""


def _end(process: subprocess.Popen[str]) -> None:
    """Interrupt a child and its jobs; kill them after `KILL_SECONDS` seconds."""
    try:
        _signal_all([process], signal.SIGINT)
        process.communicate(timeout=KILL_SECONDS)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        _signal_all([process], signal.SIGKILL)
        process.communicate()


def _signal_all(processes: Sequence[subprocess.Popen[str]], number: signal.Signals) -> None:
    """Send a signal to the groups of children that have not ended."""
    for process in processes:
        if process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)


def _exit() -> None:
    os._exit(1)


def exit_with_process(process_id: int, end: Callable[[], object] = _exit) -> None:
    """Exit, or call `end` in a thread, as soon as another process has ended (Linux)."""
    if not hasattr(os, "pidfd_open"):
        return
    try:
        process_file = os.pidfd_open(process_id)
    except ProcessLookupError:  # it has ended already
        process_file = None
    except OSError:  # the system cannot watch the process
        return
    threading.Thread(target=_wait_and_end, args=(process_file, end), daemon=True).start()


def _wait_and_end(process_file: int | None, end: Callable[[], object]) -> None:
    if process_file is not None:
        select.select([process_file], [], [])  # readable when the process has ended
    end()


def end_with_caller() -> None:
    """End this Snakemake run when the `streameval run` that called it is killed (Linux)."""
    with suppress(ValueError):  # the variable is not set, or no number
        exit_with_process(int(os.environ.pop(CALLER_VARIABLE, "")), _end_run)


def _end_run() -> None:
    """Interrupt this process and its jobs like Ctrl-C; kill them if they do not end."""
    with suppress(OSError):  # nobody reads the output any more: writing to it would fail
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
    if os.getpgrp() != os.getpid():  # the group has processes that are not ours
        os._exit(1)
    os.killpg(0, signal.SIGINT)
    time.sleep(KILL_SECONDS)
    os.killpg(0, signal.SIGKILL)
