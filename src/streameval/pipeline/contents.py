"""Digests of the files that users own, by which an edit reruns jobs whatever the files' times.

Snakemake looks at an input only if it is newer than the output. A file that `mv`, `cp -p` or
`rsync` put in place of another one may be older, so jobs have the content of such files as a
parameter. The digests of large files are remembered between runs.
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

#: Smaller files are read as fast as a remembered digest is looked up.
SMALL = 1 << 20
#: A file that changed so recently may change again without another time.
_SETTLED_NS = 2_000_000_000


class ContentDigests:
    """SHA-256 of files, remembered while size, inode and the times of change are the same.

    Parameters
    ----------
    memory : Path
        File with the digests of earlier runs; a missing or damaged one is empty.
    """

    def __init__(self, memory: Path) -> None:
        self._memory = memory
        self._entries: dict[str, list[object]] = {}
        self._digests: dict[str, str] = {}
        with suppress(OSError, ValueError, TypeError):
            content = json.loads(memory.read_text(encoding="utf-8"))
            self._entries = {str(path): list(entry) for path, entry in dict(content).items()}
        self._remembered = dict(self._entries)

    def digest_all(self, paths: Iterable[str | Path]) -> str:
        """Digest of the content of several files, in their order; a missing file has none."""
        sha = hashlib.sha256()
        for path in map(str, paths):
            if path not in self._digests:
                self._digests[path] = self._digest(path)
            sha.update(f"{self._digests[path]}\n".encode())
        return sha.hexdigest()

    def _digest(self, path: str) -> str:
        try:
            about = Path(path).stat()
            if about.st_size < SMALL:
                return file_digest(path)
            stamp = [about.st_size, about.st_ino, about.st_mtime_ns, about.st_ctime_ns]
            entry = self._entries.get(path)
            if entry is None or entry[:-1] != stamp:
                entry = [*stamp, file_digest(path)]
                if time.time_ns() - max(about.st_mtime_ns, about.st_ctime_ns) > _SETTLED_NS:
                    self._entries[path] = entry
            return str(entry[-1])
        except OSError:  # Snakemake names the file
            return ""

    def remember(self) -> None:
        """Write the digests of large files for the next run; without a place, none is kept."""
        if self._entries != self._remembered:
            with suppress(OSError):
                write_text(self._memory, json.dumps(self._entries))
