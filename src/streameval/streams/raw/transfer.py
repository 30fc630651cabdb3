"""One download over HTTP that ends: in a file, or in an error, but not in a long wait."""

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


@dataclass(frozen=True)
class Patience:
    """How long to wait for a host.

    Parameters
    ----------
    connect, read : float
        Seconds until the connection stands, and between two pieces of the answer.
    window : float
        Every so many seconds ...
    minimum : int
        ... at least so many bytes must have come; else the host trickles and is given up.
    retries : int
        Further attempts after a failure that may pass.
    pause : float
        Seconds before the first of them, doubled before each further one.
    """

    connect: float = 10.0
    read: float = 30.0
    window: float = 30.0
    minimum: int = 32 * 1024
    retries: int = 2
    pause: float = 1.0


class _Watch:
    """Counts what arrives and cuts the connection of a host that trickles.

    A read timeout does not help against a byte every few seconds: each one starts it anew.
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
        """Remember the answer that is being read (a hook of `requests`)."""
        self._response = response

    def _look(self) -> None:
        before = 0
        while not self._done.wait(self._patience.window):
            if self._response is None:
                continue
            if self._received - before < self._patience.minimum:
                self.stalled = True
                # If the transfer ends in this very moment, nothing is left to cut.
                with suppress(OSError, RuntimeError, ValueError):
                    self._response.raw.shutdown()
            before = self._received


def download(url: str, path: Path, patience: Patience, progress: bool = False) -> None:
    """Download an address to a file, trying again where that may help.

    Parameters
    ----------
    url : str
        The address.
    path : Path
        The file; overwritten by each attempt.
    patience : Patience
        How long to wait and how often to try.
    progress : bool
        Draw a progress bar.

    Raises
    ------
    DownloadError
        If no attempt succeeded; the message is the reason alone.
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
    """A failure that another attempt may not meet."""


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
        reason = "the host trickles" if stalled else explain(error)
        raise (_PassingError if not stalled and _may_pass(error) else DownloadError)(
            reason
        ) from error
    if stalled:
        raise DownloadError("the host trickles")


def _may_pass(error: requests.RequestException) -> bool:
    if error.response is None:
        return True
    return error.response.status_code >= 500 or error.response.status_code == 429


def explain(error: requests.RequestException) -> str:
    """Return in a few words why a request failed."""
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"HTTP {error.response.status_code}"
    if isinstance(error, requests.ConnectTimeout):
        return "no connection in time"
    if isinstance(error, requests.Timeout):
        return "no answer in time"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the transfer broke off"
    if isinstance(error, requests.ConnectionError):
        # Inside is urllib3's account, which ends with what the system said.
        inner = getattr(error.args[0], "reason", error) if error.args else error
        return f"no connection ({str(inner).rpartition(': ')[2]})"
    return type(error).__name__
