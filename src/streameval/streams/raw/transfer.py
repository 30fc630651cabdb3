"""Downloads over HTTP that end in bounded time, with a file or with an error."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import requests
from pooch import HTTPDownloader

from streameval.errors import DownloadError

_TOO_SLOW = "the host sends too slowly"


@dataclass(frozen=True)
class Patience:
    """Time limits and retries of a download.

    Parameters
    ----------
    connect, read : float
        Seconds until the connection is established, and between two parts of the response.
    window : float
        Seconds over which the amount of data is measured.
    minimum : int
        Bytes that must arrive in each window; otherwise the download fails as too slow.
    retries : int
        Further attempts after a temporary failure.
    pause : float
        Seconds before the first retry, doubled before each further one.
    """

    connect: float = 10.0
    read: float = 30.0
    window: float = 30.0
    minimum: int = 32 * 1024
    retries: int = 2
    pause: float = 1.0


class _Watch:
    """Counts the bytes that arrive and closes the connection if they are too few.

    A read timeout does not help against one byte every few seconds, since each byte restarts it.
    """

    def __init__(self, file: BinaryIO, patience: Patience) -> None:
        self.stalled = False
        self._file = file
        self._patience = patience
        self._received = 0
        self._response: requests.Response | None = None
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
        if self._response is not None:
            self._response.close()

    def write(self, chunk: bytes) -> None:
        self._received += len(chunk)
        self._file.write(chunk)

    def flush(self) -> None:
        """Do nothing: the downloader flushes after every chunk, the file when it is closed."""

    def attach(self, response: requests.Response, **_: Any) -> None:
        """Store the response that is being read (a hook of `requests`)."""
        self._response = response

    def _look(self) -> None:
        before = 0
        while not self._done.wait(self._patience.window):
            if self._response is None:
                continue
            if self._received - before < self._patience.minimum:
                self.stalled = True
                # If the transfer ends at this moment, there is no connection left to close.
                with suppress(OSError, RuntimeError, ValueError):
                    self._response.raw.shutdown()
            before = self._received


def download(url: str, path: Path, patience: Patience, progress: bool = False) -> None:
    """Download an address to a file, with retries after temporary failures.

    The file is overwritten by each attempt.

    Raises DownloadError if no attempt succeeded; the message is the reason only.
    """
    for attempt in range(patience.retries + 1):
        try:
            return _attempt(url, path, patience, progress)
        except _PassingError as error:
            if attempt == patience.retries:
                raise DownloadError(f"{error} ({attempt + 1} attempts)") from error
            time.sleep(patience.pause * 2**attempt)
    return None


class _PassingError(DownloadError):
    """A temporary failure: another attempt may succeed."""


def _attempt(url: str, path: Path, patience: Patience, progress: bool) -> None:
    try:
        with path.open("wb") as file, _Watch(file, patience) as watch:
            downloader = HTTPDownloader(
                progressbar=progress,
                chunk_size=1 << 16,
                timeout=(patience.connect, patience.read),
                hooks={"response": watch.attach},
            )
            try:
                downloader(url, watch, None)
            finally:
                stalled = watch.stalled
    except requests.RequestException as error:
        reason = _TOO_SLOW if stalled else explain(error)
        raise (_PassingError if not stalled and _may_pass(error) else DownloadError)(
            reason
        ) from error
    if stalled:
        raise DownloadError(_TOO_SLOW)


def _may_pass(error: requests.RequestException) -> bool:
    if error.response is None:
        return True
    return error.response.status_code >= 500 or error.response.status_code == 429


def explain(error: requests.RequestException) -> str:
    """Return the reason of a failed request in a few words."""
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"HTTP {error.response.status_code}"
    if isinstance(error, requests.ConnectTimeout):
        return "no connection in time"
    if isinstance(error, requests.Timeout):
        return "no reply in time"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the transfer broke off"
    if isinstance(error, requests.ConnectionError):
        # urllib3's message ends with that of the system.
        inner = getattr(error.args[0], "reason", error) if error.args else error
        return f"no connection ({str(inner).rpartition(': ')[2]})"
    return type(error).__name__
