"""Guarded output and errors of commands: one-line messages and exit codes."""

from __future__ import annotations

import codecs
import errno
import os
import signal
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import Any

from streameval.base.errors import StreamevalError

#: Exit code if some results are missing.
INCOMPLETE = 1
#: Exit code after an error.
ERROR = 2
#: Exit code after Ctrl-C, as in shells: 128 + SIGINT.
INTERRUPTED = 130
#: Errors that are not mistakes in the program.
EXPECTED_ERRORS = (StreamevalError, OSError, MemoryError)
#: Substitutes for characters in our texts that Unicode does not decompose to ASCII.
_ASCII_FORMS = str.maketrans("καλδΔΦ×–−′“”‘’·±", "kaldDPx--'\"\"''.~")


class OutputError(StreamevalError):
    """The output of a command could not be written."""


class IncompleteError(StreamevalError):
    """A command could not compute some of its results."""


class TerminationSignal(KeyboardInterrupt):
    """A signal other than SIGINT, which Ctrl-C sends, ended the command."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class _ReaderGoneError(OutputError):
    """The output is a pipe whose reader has finished."""


def error_message(error: BaseException) -> str:
    """Message for users about one of the errors in `EXPECTED_ERRORS`."""
    if isinstance(error, MemoryError):
        reason = str(error) or "the request was refused"
        return f"Not enough memory: {reason}. Use less data at a time."
    if isinstance(error, OSError) and error.errno is not None:
        place = "" if error.filename is None else f"{error.filename}: "
        is_disk_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        hint = " Free some disk space and run it again." if is_disk_full else ""
        return f"{place}{os.strerror(error.errno)}.{hint}"
    return str(error)


def run_guarded(command: Callable[[], object]) -> int:
    """Run a command; print an expected error as one line to the standard error output.

    The exit code is 0 for success, also if the reader of a pipe has closed it. It is 1 if some
    results are missing, 2 after an error, and 128 plus the number of the signal that ended the
    command.
    """
    if sys.stderr is None:  # closed by the caller
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    try:
        with _checked_output():
            command()
    except _ReaderGoneError:
        return 0
    except EXPECTED_ERRORS as error:
        code = INCOMPLETE if isinstance(error, IncompleteError) else ERROR
        return _print_error(error_message(error), code)
    except TerminationSignal as received:
        return _print_error(
            f"Ended by {signal.Signals(received.number).name}.", 128 + received.number
        )
    except KeyboardInterrupt:
        return _print_error("Interrupted.", INTERRUPTED)
    return 0


def _print_error(message: str, code: int) -> int:
    """Print an error, and return the exit code."""
    with suppress(OSError):
        print(f"streameval: {message}", file=sys.stderr, flush=True)
    return code


@contextmanager
def _checked_output() -> Iterator[None]:
    """Raise an `OutputError` for each failure to write to the standard output."""
    if sys.stdout is None:
        raise OutputError("Could not write the output: the standard output is closed.")
    output = _Output(sys.stdout)
    with redirect_stdout(output):
        try:
            yield
        finally:
            output.flush()


class _Output:
    """A text stream that raises `OutputError` if writing fails; other files raise OSError."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        with suppress(AttributeError):  # streams of tests and notebooks lack `reconfigure`
            stream.reconfigure(errors=_to_ascii.__name__)  # registered below

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with self._output_errors():
            return int(self._stream.write(text))

    def flush(self) -> None:
        with self._output_errors():
            self._stream.flush()

    @contextmanager
    def _output_errors(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:  # a ValueError if the stream is closed
            self._discard()
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise _ReaderGoneError from error
            reason = (isinstance(error, OSError) and error.strerror) or error
            raise OutputError(f"Could not write the output: {reason}.") from error

    def _discard(self) -> None:
        """Discard the remaining output, which the interpreter would otherwise write at its end."""
        with suppress(OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, self._stream.fileno())
            os.close(null)


def _to_ascii(error: UnicodeError) -> tuple[str, int]:
    """Replace letters that a terminal cannot show by similar ones: κ by k, ž by z."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    replacement = ""
    for letter in error.object[error.start : error.end].translate(_ASCII_FORMS):
        ascii_form = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
        replacement += ascii_form or "?"
    return replacement, error.end


codecs.register_error(_to_ascii.__name__, _to_ascii)
