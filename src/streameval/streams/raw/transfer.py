"""Downloads over HTTP that end in bounded time, with a file or with an error."""

from __future__ import annotations

import shutil
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import requests
from pooch import HTTPDownloader

from streameval.base.errors import DownloadError, excerpt

_TOO_SLOW = "the host sends too slowly"
#: Limit in bytes if the size is unknown: a hundred times the registry's largest stream.
DEFAULT_MAX_BYTES = 10 << 30
#: Allowance in bytes for the headers of compressed files.
_HEADER_ALLOWANCE = 1 << 16
#: Number of bytes between two checks of the free space.
_CHECK_INTERVAL = 1 << 24


def max_download_bytes(size: int | None) -> int:
    """Maximum number of bytes that a host may send for content of this size, compressed or not.

    Compression enlarges content that it cannot shrink, by less than a thousandth plus headers.
    """
    return DEFAULT_MAX_BYTES if size is None else size + size // 1000 + _HEADER_ALLOWANCE


@dataclass(frozen=True)
class DownloadLimits:
    """Time limits and retries of a download, in seconds.

    A transfer of less than `minimum` bytes in a `window` fails as too slow. `pause` is the wait
    before a retry, and doubles with each retry.
    """

    connect: float = 10.0
    read: float = 30.0
    window: float = 30.0
    minimum: int = 32 * 1024
    retries: int = 2
    pause: float = 1.0


class _TransferMonitor:
    """Output of a download that ends a transfer which is too slow or too long.

    A read timeout alone is not enough: each byte that arrives restarts it, so a host that sends a
    byte every few seconds would never time out.
    """

    def __init__(
        self, file: BinaryIO, folder: Path, limits: DownloadLimits, max_bytes: int
    ) -> None:
        self.stalled = False
        self._file = file
        self._folder = folder
        self._limits = limits
        self._max_bytes = max_bytes
        self._received = 0
        self._response: requests.Response | None = None
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._check_rate, daemon=True)

    def __enter__(self) -> _TransferMonitor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
        if self._response is not None:
            self._response.close()

    def write(self, chunk: bytes) -> None:
        before, self._received = self._received, self._received + len(chunk)
        if self._received > self._max_bytes:
            raise DownloadError(
                f"expected at most {self._max_bytes:,} bytes, and the host sends more"
            )
        # The content is checked and then copied, so it needs the same space again.
        if before // _CHECK_INTERVAL != self._received // _CHECK_INTERVAL:
            free = shutil.disk_usage(self._folder).free
            if free < self._received:
                raise DownloadError(
                    f"{self._received:,} bytes came and the host sends more, while "
                    f"{free:,} bytes are free in {self._folder}"
                )
        self._file.write(chunk)

    def flush(self) -> None:
        """Do nothing: the downloader calls this after every chunk; closing flushes the file."""

    def attach(self, response: requests.Response, **_: Any) -> None:
        """Store the response that is being read (a hook of `requests`)."""
        self._response = response

    def _check_rate(self) -> None:
        before = 0
        while not self._done.wait(self._limits.window):
            if self._response is None:
                continue
            if self._received - before < self._limits.minimum:
                self.stalled = True
                # If the transfer ends at this moment, there is no connection left to close.
                with suppress(OSError, RuntimeError, ValueError):
                    self._response.raw.shutdown()
            before = self._received


def download(
    url: str,
    path: Path,
    limits: DownloadLimits,
    progress: bool = False,
    *,
    max_bytes: int = DEFAULT_MAX_BYTES,
) -> None:
    """Download an address to a file, with retries after temporary failures.

    A transfer fails when more than `max_bytes` arrive, or when the disk has no space left for the
    content and a copy of it.
    """
    for attempt in range(limits.retries + 1):
        try:
            return _attempt(url, path, limits, progress, max_bytes)
        except _TemporaryError as error:
            if attempt == limits.retries:
                raise DownloadError(f"{error} ({attempt + 1} attempts)") from error
            time.sleep(limits.pause * 2**attempt)
    return None


class _TemporaryError(DownloadError):
    """A temporary failure: another attempt may succeed."""


def _attempt(url: str, path: Path, limits: DownloadLimits, progress: bool, max_bytes: int) -> None:
    try:
        with (
            path.open("wb") as file,
            _TransferMonitor(file, path.parent, limits, max_bytes) as monitor,
        ):
            downloader = HTTPDownloader(
                progressbar=progress,
                chunk_size=1 << 16,
                timeout=(limits.connect, limits.read),
                hooks={"response": monitor.attach},
            )
            try:
                downloader(url, monitor, None)  # writes chunks to the monitor
            finally:
                stalled = monitor.stalled
    except (requests.RequestException, ValueError) as error:
        reason = _TOO_SLOW if stalled else explain(error)
        raise (_TemporaryError if not stalled and _is_temporary(error) else DownloadError)(
            reason
        ) from error
    if stalled:
        raise DownloadError(_TOO_SLOW)


def _is_temporary(error: requests.RequestException | ValueError) -> bool:
    if isinstance(error, ValueError):  # a malformed address
        return False
    if error.response is None:
        return True
    return error.response.status_code >= 500 or error.response.status_code == 429


def explain(error: requests.RequestException | ValueError) -> str:
    """Reason of a failed request in a few words."""
    if isinstance(error, ValueError):  # requests raises it for a malformed redirect
        return f"the address, or one that it leads to, is malformed ({excerpt(error)})"
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"HTTP {error.response.status_code}"
    if isinstance(error, requests.ConnectTimeout):
        return "no connection in time"
    if isinstance(error, requests.Timeout):
        return "no reply in time"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the transfer broke off"
    if isinstance(error, requests.ConnectionError):
        # urllib3's message ends with the message of the operating system.
        inner = getattr(error.args[0], "reason", error) if error.args else error
        return f"no connection ({str(inner).rpartition(': ')[2]})"
    return type(error).__name__
