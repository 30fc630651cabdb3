"""The content of files that users own decides whether a job runs again, not their times."""

from __future__ import annotations

import os

import pytest

from streameval.pipeline import content_digests
from streameval.pipeline.content_digests import SMALL_FILE_BYTES, ContentDigests

OLD_NS = 10**18


@pytest.mark.parametrize("size", [100, SMALL_FILE_BYTES])
def test_another_content_has_another_digest_whatever_the_times(tmp_path, size):
    path, other = tmp_path / "own.csv", tmp_path / "other.csv"
    path.write_bytes(bytes(size))
    os.utime(path, ns=(OLD_NS, OLD_NS))
    first = ContentDigests(tmp_path / "memory.json")
    assert first.digest_all([path, path]) != first.digest_all([path]) != first.digest_all([])
    expected = first.digest_all([path])
    first.remember()
    # As `mv`, `cp -p` and `rsync` do it: the same size, and a time that is not newer.
    other.write_bytes(b"1" + bytes(size - 1))
    os.utime(other, ns=(OLD_NS, OLD_NS))
    other.replace(path)
    later = ContentDigests(tmp_path / "memory.json")
    assert later.digest_all([path]) != expected
    path.write_bytes(bytes(size))
    assert ContentDigests(tmp_path / "memory.json").digest_all([path]) == expected


def test_a_large_file_that_is_as_it_was_is_not_read_again(tmp_path, monkeypatch):
    path, memory = tmp_path / "own.csv", tmp_path / "state" / "memory.json"
    path.write_bytes(bytes(SMALL_FILE_BYTES))
    recent = ContentDigests(memory)
    expected = recent.digest_all([path])
    recent.remember()
    assert not memory.exists()  # it may change again within the resolution of its times
    monkeypatch.setattr(content_digests, "_SETTLED_NS", -(10**9))
    settled = ContentDigests(memory)
    assert settled.digest_all([path]) == expected
    settled.remember()
    monkeypatch.setattr(
        content_digests, "file_digest", lambda path: pytest.fail("it was read again")
    )
    assert ContentDigests(memory).digest_all([path]) == expected
    monkeypatch.undo()
    for damage in (b"", b"{", b"[1]", b"\xff"):
        memory.write_bytes(damage)
        assert ContentDigests(memory).digest_all([path]) == expected
