"""Digests of users' files: an edit reruns the jobs that read a file, whatever its time stamp.

Snakemake looks at an input only if it is newer than the output. A file that `mv`, `cp -p` or
`rsync` put in place of another one may be older, so a digest of their content is a parameter of
jobs. The digests of large files are remembered between runs.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from streameval.base.file_digests import file_digest
from streameval.base.files import write_text

#: Size in bytes below which a file is always read: reading is as fast as looking up its digest.
SMALL_FILE_BYTES = 1 << 20
#: Smallest age of a file whose digest is remembered, in nanoseconds. A younger file may change
#: again without a new time stamp, whose resolution is up to 2 s on common file systems (FAT).
_SETTLED_NS = 2_000_000_000


class ContentDigests:
    """SHA-256 digests of files, remembered while size, inode and time stamps stay the same.

    Parameters
    ----------
    memory : Path
        File with the digests of earlier runs. A missing or damaged file counts as empty.
    """

    def __init__(self, memory: Path) -> None:
        self._memory = memory
        # Size, inode, time stamps and digest, by path; kept for the next run.
        self._entries: dict[str, list[object]] = {}
        # The digests of all files of this run.
        self._digests: dict[str, str] = {}
        with suppress(OSError, ValueError, TypeError):
            content = json.loads(memory.read_text(encoding="utf-8"))
            self._entries = {str(path): list(entry) for path, entry in dict(content).items()}
        self._entries_before = dict(self._entries)

    def digest_all(self, paths: Iterable[str | Path]) -> str:
        """Digest of the content of several files in order; a missing file has the digest ""."""
        sha = hashlib.sha256()
        for path in map(str, paths):
            if path not in self._digests:
                self._digests[path] = self._digest(path)
            sha.update(f"{self._digests[path]}\n".encode())
        return sha.hexdigest()

    def _digest(self, path: str) -> str:
        try:
            status = Path(path).stat()
            if status.st_size < SMALL_FILE_BYTES:
                return file_digest(path)
            stamp = [status.st_size, status.st_ino, status.st_mtime_ns, status.st_ctime_ns]
            entry = self._entries.get(path)
            if entry is None or entry[:-1] != stamp:  # the digest is last
                entry = [*stamp, file_digest(path)]
                if time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) > _SETTLED_NS:
                    self._entries[path] = entry
            return str(entry[-1])
        except OSError:  # Snakemake reports a missing input
            return ""

    def remember(self) -> None:
        """Write the digests of large files for the next run, if the file can be written."""
        if self._entries != self._entries_before:
            with suppress(OSError):
                write_text(self._memory, json.dumps(self._entries))
