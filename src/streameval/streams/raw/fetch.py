"""Finding the files of streams, fetching raw files from a mirror or their hosts, and checking them.

Files of the package are never copied.
"""

from __future__ import annotations

import logging
import os
import tempfile
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from streameval.base.errors import DataError, DownloadError
from streameval.base.files import PART_PREFIX, check_writable, replacing_file
from streameval.streams.readers.content import measure, pack, plain_name
from streameval.streams.registry import Address, FileSpec

if TYPE_CHECKING:
    from streameval.streams.raw.transfer import DownloadLimits

#: Environment variable that names a mirror folder.
MIRROR_VARIABLE = "STREAMEVAL_DATA"
log = logging.getLogger(__name__)


def mirror_folder(configured: str | Path | None = None) -> Path | None:
    """Mirror folder: `configured`, or else the folder in ``STREAMEVAL_DATA``; None without both.

    `configured` is ``data.mirror`` of the configuration.
    """
    folder = configured or os.environ.get(MIRROR_VARIABLE)
    return Path(folder) if folder else None


def fetch(
    spec: FileSpec,
    raw_dir: str | Path,
    mirror: str | Path | None = None,
    offline: bool = False,
    progress: bool = False,
    *,
    limits: DownloadLimits | None = None,
) -> Path:
    """File of a stream; its raw file is fetched and checked if needed.

    Places are tried in order: the raw folder, the mirror, the package, each address. In folders,
    the name without ``.gz``, ``.bz2``, ``.xz`` or ``.zip`` is tried, too. No partial file is left.
    Only files within the raw folder are written; files of the package are not copied there.
    """
    target = Path(raw_dir) / spec.file
    reasons: list[str] = []
    for path in _candidates(spec, raw_dir):
        fault = _content_fault(spec, path)
        if fault is None:
            return path if path == target else _store(spec, path, None, target)
        reasons.append(f"{path}: {fault}")
        log.warning("Stream %r: %s: %s; looking for another copy.", spec.id, path, fault)
    for path in _candidates(spec, mirror) if mirror else ():
        fault = _content_fault(spec, path)
        if fault is not None:
            raise DownloadError(
                f"Stream {spec.id!r}, mirror file {path}: {fault}. Replace or remove it."
            )
        return _store(spec, path, None, target)
    if spec.bundled is not None:
        return spec.bundled.path
    if spec.addresses and not offline:
        _make_folder(spec, target.parent)
    for address in () if offline else spec.addresses:
        try:
            return _download(spec, address, target, progress, limits)
        except (DataError, DownloadError) as error:
            reasons.append(f"{address.url}: {error}")
    raise DownloadError(_unavailable_message(spec, target, mirror, offline, reasons))


def _candidates(spec: FileSpec, folder: str | Path) -> list[Path]:
    if not spec.file:
        return []
    # An uncompressed copy may be used, since `_store` compresses it into the raw folder. A
    # read-only file is outside the raw folder and is never compressed.
    plain = [] if spec.is_read_only else [plain_name(spec.file)]
    names = dict.fromkeys((spec.file, *plain))
    return [path for path in (Path(folder) / name for name in names) if path.is_file()]


def _content_fault(
    spec: FileSpec, path: Path, member: str | None = None, limit: int | None = None
) -> str | None:
    """Difference of the content of a file from its entry, as text; None if there is none."""
    try:
        content = measure(path, member, spec.git_blob is not None, limit)
    except DataError as error:
        return str(error).removeprefix(f"{path}: ").rstrip(".")
    if (
        spec.size in (None, content.size)
        and spec.sha256 in (None, content.sha256)
        and spec.git_blob in (None, content.git_blob)
    ):
        return None
    git_id = f"git blob id {content.git_blob}, " if spec.git_blob else ""
    return (
        f"expected content with {_expected(spec)}, found {git_id}sha256 {content.sha256}, "
        f"{content.size:,} bytes"
    )


def _expected(spec: FileSpec) -> str:
    parts = [
        f"git blob id {spec.git_blob}" if spec.git_blob else "",
        f"sha256 {spec.sha256}" if spec.sha256 else "",
        f"{spec.size:,} bytes" if spec.size else "",
    ]
    return ", ".join(part for part in parts if part) or "anything"


def _make_folder(spec: FileSpec, folder: Path) -> None:
    """Make the folder of a raw file; refuse one that cannot be written, before a download."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        check_writable(folder)
    except OSError as error:
        raise DownloadError(
            f"Stream {spec.id!r}: expected a folder for raw files that can be written, found "
            f"{folder}: {error.strerror}. Make it writable, or set XDG_CACHE_HOME to another "
            "folder, which is used outside a clone."
        ) from error


def _store(spec: FileSpec, source: Path, member: str | None, target: Path) -> Path:
    _make_folder(spec, target.parent)
    with replacing_file(target) as part:
        pack(source, member, part)
        # Even a copy can fail: a full disk, a mirror that disappears.
        fault = _content_fault(spec, part)
        if fault is not None:
            raise DownloadError(f"Stream {spec.id!r}: copy of {source}: {fault}.")
    return target


def _download(
    spec: FileSpec, address: Address, target: Path, progress: bool, limits: DownloadLimits | None
) -> Path:
    # Imported here, since the module loads requests.
    from streameval.streams.raw.transfer import DownloadLimits, download, max_download_bytes

    with tempfile.TemporaryDirectory(dir=target.parent, prefix=PART_PREFIX) as folder:
        part = Path(folder) / "download"
        # The size of an archive is unknown: `spec.size` is that of one member.
        max_bytes = max_download_bytes(spec.size if address.member is None else None)
        download(address.url, part, limits or DownloadLimits(), progress, max_bytes=max_bytes)
        fault = _content_fault(spec, part, address.member, spec.size)
        if fault is not None:
            raise DownloadError(fault)
        return _store(spec, part, address.member, target)


def _unavailable_message(
    spec: FileSpec, target: Path, mirror: str | Path | None, offline: bool, reasons: list[str]
) -> str:
    tried = [f"not in the mirror {mirror}"] if mirror else [f"no mirror ({MIRROR_VARIABLE}) given"]
    tried += reasons
    if not spec.addresses:
        tried.append("no address known to download it from")
    if offline:
        tried += [f"{address.url}: not tried, offline" for address in spec.addresses]
    plain = "" if spec.is_read_only else f" (or, unpacked, at {plain_name(str(target))})"
    lines = [
        f"Stream {spec.id!r} ({spec.title}) is not available.",
        *(f"  - {reason}" for reason in tried),
        f"Expected content after decompression: {_expected(spec)}.",
        f"Put a copy at {target}{plain}.",
        f"Licence: {spec.licence or 'not stated'}. Citation: {spec.citation or 'none'}.",
    ]
    return "\n".join([*lines, f"More about it: {spec.page}"] if spec.page else lines)


@dataclass(frozen=True)
class Availability:
    """The first place that has the file of a stream; `detail` is its path, address or problem."""

    where: Literal["local", "mirror", "package", "host", "missing"]
    detail: str


def survey(
    specs: Iterable[FileSpec],
    raw_dir: str | Path,
    mirror: str | Path | None = None,
    offline: bool = False,
    *,
    timeout: float = 3.0,
) -> dict[str, Availability]:
    """Where the files of streams are available, by id, without fetching or checking files.

    `timeout` is in seconds. Addresses without a response after three times the timeout count as
    unavailable, since look-ups of host names have no timeout.
    """
    availability: dict[str, Availability] = {}
    remote: list[FileSpec] = []
    for spec in specs:
        local = _candidates(spec, raw_dir)
        mirrored = _candidates(spec, mirror) if mirror else []
        if local:
            availability[spec.id] = Availability("local", str(local[0]))
        elif mirrored:
            availability[spec.id] = Availability("mirror", str(mirrored[0]))
        elif spec.bundled is not None:
            availability[spec.id] = Availability("package", str(spec.bundled.path))
        else:
            availability[spec.id] = Availability("missing", _missing_reason(spec, raw_dir, mirror))
            remote.append(spec)
    urls = [] if offline else [address.url for spec in remote for address in spec.addresses]
    responses = _probe_all(urls, timeout)
    for spec in remote:
        if not offline and spec.addresses:
            availability[spec.id] = _first_response(spec, responses)
    return availability


def _missing_reason(spec: FileSpec, raw_dir: str | Path, mirror: str | Path | None) -> str:
    """Reason why a file is missing if no host was queried."""
    if spec.addresses:
        return f"not in {raw_dir}, offline"
    # An absolute path is the same in every folder.
    places = dict.fromkeys(str(Path(folder) / spec.file) for folder in (raw_dir, mirror) if folder)
    return f"no file {' or '.join(places)}, and no address known to download it from"


def _first_response(spec: FileSpec, responses: dict[str, str]) -> Availability:
    urls = [address.url for address in spec.addresses]
    for url in urls:
        if responses.get(url) == "":
            return Availability("host", url)
    failures = {url: responses.get(url, "no reply in time") for url in urls}
    log.info("Stream %r: %s", spec.id, "; ".join(f"{url}: {failures[url]}" for url in urls))
    # Reasons end with the system's own message in parentheses. These messages differ between hosts
    # and do not help users.
    brief = {url: reason.partition(" (")[0] for url, reason in failures.items()}
    if all(reason.startswith("no connection") for reason in brief.values()):
        return Availability("missing", "no connection to its hosts")
    reasons = (f"{urlsplit(url).hostname}: {brief[url]}" for url in urls)
    return Availability("missing", "; ".join(dict.fromkeys(reasons)))


def _probe_all(urls: Iterable[str], timeout: float) -> dict[str, str]:
    """Reason of failure of each address that responds in time; "" for success."""
    responses: dict[str, str] = {}

    def probe(url: str) -> None:
        responses[url] = _probe(url, timeout)

    # Daemon threads instead of a pool: a thread that waits for a name server must neither block
    # the program nor delay its end.
    threads = [
        threading.Thread(target=probe, args=(url,), daemon=True) for url in dict.fromkeys(urls)
    ]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 3 * timeout
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    return dict(responses)


def _probe(url: str, timeout: float) -> str:
    """Reason of failure of a HEAD request or else of a request of one byte; "" for success."""
    import requests

    from streameval.streams.raw.transfer import explain

    try:
        with requests.head(url, allow_redirects=True, timeout=timeout) as response:
            if response.ok:
                return ""
        first_byte = {"Range": "bytes=0-0"}
        with requests.get(url, headers=first_byte, stream=True, timeout=timeout) as response:
            return "" if response.ok else f"HTTP {response.status_code}"
    except (requests.RequestException, ValueError) as error:
        return explain(error)
