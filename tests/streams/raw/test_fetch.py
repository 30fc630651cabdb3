"""Fetching raw files, against a real server on this machine."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import json
import shutil
import socket
import stat
import threading
import time
import zipfile
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from streameval.base.errors import ConfigError, DownloadError
from streameval.streams.raw import transfer
from streameval.streams.raw.fetch import Availability, fetch, mirror_folder, survey
from streameval.streams.raw.transfer import DownloadLimits
from streameval.streams.readers.content import open_content
from streameval.streams.registry import Address, Bundled, FileSpec, load_registry

CONTENT = b"a,c\n1,u\n2,v\n" * 50
QUICK = DownloadLimits(connect=1.0, read=0.3, window=0.3, minimum=1000, retries=1, pause=0.01)


def zipped(*members: tuple[str, bytes], links: tuple[str, ...] = ()) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members:
            archive.writestr(name, content)
        for name in links:
            info = zipfile.ZipInfo(name)
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, "/etc/passwd")
    return buffer.getvalue()


BODIES = {
    "/good.csv": CONTENT,
    "/good.csv.gz": gzip.compress(CONTENT),
    "/good.zip": zipped(("data/good.csv", CONTENT), ("other.txt", b"other")),
    "/nested.zip": zipped(("good.csv.gz", gzip.compress(CONTENT))),
    "/wrong.csv": CONTENT.replace(b"u", b"w"),
    "/long.csv": CONTENT + b"3,u\n",
    "/cut.csv.gz": gzip.compress(CONTENT)[:-20],
    "/climbs.zip": zipped(("good.csv", CONTENT), ("../../evil.csv", b"evil")),
    "/absolute.zip": zipped(("/good.csv", CONTENT)),
    "/drive.zip": zipped(("C:\\good.csv", CONTENT)),
    "/link.zip": zipped(("good.csv", CONTENT), links=("link",)),
}


class Handler(BaseHTTPRequestHandler):
    """Serves BODIES and several kinds of failure."""

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        if self.path == "/no-head.csv":
            self.send_error(405)
            return
        self.respond(with_body=False)

    def do_GET(self):
        self.server.requests.append(self.path)
        self.respond(with_body=True)

    def respond(self, with_body):
        path = self.path.replace("/no-head.csv", "/good.csv")
        if path == "/slow":
            self.server.closing.wait(5)
        elif path == "/trickle":
            self.trickle(with_body)
        elif path == "/endless":
            self.endless(with_body)
        elif path.startswith("/to/"):
            self.send_response(302)
            self.send_header("Location", path.removeprefix("/to/"))
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif path == "/truncated":
            self.reply(200, CONTENT[:-5], len(CONTENT), with_body)
        elif path == "/flaky" and len(self.server.requests) < 2:
            self.reply(503, b"", 0, with_body)
        elif path in BODIES or path == "/flaky":
            body = BODIES.get(path, CONTENT)
            self.reply(200, body, len(body), with_body)
        else:
            self.reply(404, b"", 0, with_body)

    def reply(self, status, body, length, with_body):
        self.send_response(status)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def endless(self, with_body):
        self.send_response(200)
        self.end_headers()
        try:
            while with_body and not self.server.closing.is_set():
                self.server.sent += self.wfile.write(bytes(1 << 16))
        except OSError:
            self.close_connection = True

    def trickle(self, with_body):
        self.reply(200, b"", len(CONTENT), with_body)
        # A byte at a time, well within the read timeout, until the client hangs up.
        try:
            while with_body and not self.server.closing.wait(0.05):
                self.wfile.write(b"a")
        except OSError:
            self.close_connection = True


@pytest.fixture
def server(monkeypatch):
    # A proxy of this machine's owner must not come between the test and its own server.
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.requests, server.closing, server.sent = [], threading.Event(), 0
    server.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.closing.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def dead_url():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{unused.getsockname()[1]}/good.csv"


def make(*urls: str | Address, file: str = "own/good.csv.gz", **changes) -> FileSpec:
    fields = {
        "sha256": hashlib.sha256(CONTENT).hexdigest(),
        "size": len(CONTENT),
        "licence": "free",
        "citation": "Somebody, 1999",
        "page": "https://example.org/good",
    }
    addresses = tuple(Address(url) if isinstance(url, str) else url for url in urls)
    return FileSpec(
        id="good", title="Good", file=file, addresses=addresses, reader="csv", **(fields | changes)
    )


def content_of(path: Path) -> bytes:
    with open_content(path) as file:
        return file.read()


def files_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("path", "member", "file"),
    [
        ("/good.csv", None, "own/good.csv.gz"),
        ("/good.csv.gz", None, "own/good.csv"),
        ("/good.zip", "data/good.csv", "good.csv.xz"),
        ("/nested.zip", None, "good.zip"),
    ],
)
def test_every_wrapper_ends_as_the_file_of_the_mirror_layout(server, tmp_path, path, member, file):
    spec = make(Address(server.url + path, member), file=file)
    for _ in range(2):
        assert fetch(spec, tmp_path, limits=QUICK) == tmp_path / file
        assert content_of(tmp_path / file) == CONTENT
        assert files_below(tmp_path) == [file]
    assert server.requests == [path]  # what is there is not fetched again


@pytest.mark.parametrize("place", ["absolute", "../../good.csv", "own/../../good.csv", "."])
def test_no_download_leaves_the_raw_folder(server, tmp_path, place):
    victim = tmp_path / "good.csv"
    victim.write_bytes(b"precious")
    file = str(victim) if place == "absolute" else place
    entry = {"title": "Good", "file": file, "reader": "csv", "options": {"target": "c"}}
    downloaded = entry | {
        "addresses": [{"url": server.url + "/good.csv"}],
        "sha256": hashlib.sha256(CONTENT).hexdigest(),
    }
    registry = tmp_path / "streams.yaml"
    registry.write_text(json.dumps({"streams": {"good": downloaded}}))
    message = r"Stream 'good': file: expected a path within resources/raw, .*since it is downl"
    with pytest.raises(ConfigError, match=message):
        load_registry(registry)
    if place != "absolute":  # a mirror would be copied there
        registry.write_text(json.dumps({"streams": {"good": entry}}))
        with pytest.raises(ConfigError, match=r"resources/raw, without '\.\.', or an absolute one"):
            load_registry(registry)
    assert server.requests == []
    assert victim.read_bytes() == b"precious"


def test_a_file_elsewhere_is_read_and_nothing_is_written_beside_it(tmp_path):
    plain = tmp_path / "own" / "good.csv"
    plain.parent.mkdir()
    plain.write_bytes(CONTENT)
    before = files_below(tmp_path)
    assert fetch(make(file=str(plain)), tmp_path / "raw", tmp_path) == plain
    packed = make(file=f"{plain}.gz")  # of which only the plain content is there
    with pytest.raises(DownloadError, match=rf"Put a copy at {plain}\.gz\.\n"):
        fetch(packed, tmp_path / "raw", tmp_path)
    assert survey([packed], tmp_path / "raw", tmp_path)["good"].where == "missing"
    assert files_below(tmp_path) == before


def test_a_raw_folder_that_cannot_be_written_is_named_with_advice(server, tmp_path):
    (tmp_path / "taken").write_text("a file")
    mirror = tmp_path / "mirror" / "own"
    mirror.mkdir(parents=True)
    (mirror / "good.csv").write_bytes(CONTENT)
    message = r"'good': expected a folder .* found .*taken/own: Not a directory\. .*XDG_CACHE_HOME"
    for where in (None, tmp_path / "mirror"):
        with pytest.raises(DownloadError, match=message):
            fetch(make(server.url + "/good.csv"), tmp_path / "taken", where, limits=QUICK)
    assert server.requests == []


def reason_of(tmp_path, spec) -> str:
    with pytest.raises(DownloadError) as caught:
        fetch(spec, tmp_path, limits=QUICK)
    assert files_below(tmp_path) == []
    assert not list(tmp_path.rglob(".part-*"))
    return str(caught.value)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/none.csv", "HTTP 404"),
        ("/slow", "no reply in time (2 attempts)"),
        ("/trickle", "the host sends too slowly"),
        ("/truncated", "the transfer broke off (2 attempts)"),
        ("/wrong.csv", f"found sha256 {hashlib.sha256(BODIES['/wrong.csv']).hexdigest()}"),
        ("/long.csv", f"expected {len(CONTENT):,} bytes of content, found more"),
        ("/cut.csv.gz", "damaged or cut short"),
        ("/climbs.zip", "'../../evil.csv' points outside the archive"),
        ("/absolute.zip", "'/good.csv' points outside the archive"),
        ("/drive.zip", "points outside the archive"),
        ("/link.zip", "'link' points outside the archive"),
        ("/good.zip", "expected exactly one data file in the archive"),
    ],
)
def test_bad_addresses_give_a_reason_and_leave_nothing(server, tmp_path, path, reason):
    start = time.monotonic()
    message = reason_of(tmp_path, make(server.url + path))
    assert f"{server.url}{path}: " in message
    assert reason in message
    assert time.monotonic() - start < 4


def test_the_next_address_is_tried(server, tmp_path, dead_url):
    urls = [dead_url, server.url + "/none", server.url + "/wrong.csv", server.url + "/good.csv"]
    assert content_of(fetch(make(*urls), tmp_path, limits=QUICK)) == CONTENT
    # A missing or wrong file is not asked for twice.
    assert server.requests == ["/none", "/wrong.csv", "/good.csv"]


def test_a_download_without_end_stops_after_the_size(server, tmp_path):
    """After 600 bytes of content, a thousandth of it and the headers of any packing."""
    message = reason_of(tmp_path, make(server.url + "/endless"))
    assert f"expected at most {600 + (1 << 16):,} bytes, and the host sends more" in message
    assert server.requests == ["/endless"]
    assert server.sent < 16 << 20  # what the buffers of both ends hold
    urls = [server.url + "/endless", server.url + "/good.csv"]
    assert content_of(fetch(make(*urls), tmp_path, limits=QUICK)) == CONTENT


@pytest.mark.parametrize("size", [None, len(CONTENT)])
def test_a_download_without_end_and_size_stops_at_the_cap(server, tmp_path, monkeypatch, size):
    """The size of one member of an archive does not limit the sizes of the others."""
    monkeypatch.setattr(transfer, "DEFAULT_MAX_BYTES", 3_000_000)
    url = server.url + "/endless"
    address = url if size is None else Address(url, "good.csv")
    assert "expected at most 3,000,000 bytes" in reason_of(tmp_path, make(address, size=size))


def test_a_download_leaves_room_for_its_copy(server, tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=40_000_000))
    message = reason_of(tmp_path, make(server.url + "/endless", size=None))
    # It is looked up every 16 MiB: at 32 MiB there is room for that much again, at 48 none.
    assert "50,331,648 bytes came" in message
    assert "40,000,000 bytes are free" in message


@pytest.mark.parametrize("target", ["http://[::1", "http://a b:x/"])
def test_a_malformed_address_leads_to_the_next(server, tmp_path, target):
    malformed, good = f"{server.url}/to/{target}", server.url + "/good.csv"
    reason = reason_of(tmp_path, make(malformed))
    assert "is malformed" in reason
    assert "attempts" not in reason
    server.requests.clear()
    assert content_of(fetch(make(malformed, good), tmp_path, limits=QUICK)) == CONTENT
    assert len(server.requests) == 2
    places = survey([make(malformed, good)], tmp_path / "none", timeout=1.0)
    assert places["good"].where == "host"


def test_a_failure_that_passes_is_tried_again(server, tmp_path):
    assert content_of(fetch(make(server.url + "/flaky"), tmp_path, limits=QUICK)) == CONTENT
    assert server.requests == ["/flaky", "/flaky"]


def test_the_last_error_says_what_to_do(server, tmp_path, dead_url):
    spec = make(dead_url, server.url + "/none.csv")
    message = reason_of(tmp_path, spec)
    for part in (
        "'good' (Good)",
        dead_url,
        f"{server.url}/none.csv: HTTP 404",
        f"sha256 {spec.sha256}, {len(CONTENT):,} bytes",
        f"Put a copy at {tmp_path / 'own' / 'good.csv.gz'}",
        f"unpacked, at {tmp_path / 'own' / 'good.csv'})",
        "Licence: free. Citation: Somebody, 1999",
        "https://example.org/good",
    ):
        assert part in message


@pytest.mark.parametrize("name", ["good.csv", "good.csv.gz"])
def test_mirror_and_local_files_under_either_name(tmp_path, name):
    mirror, raw = tmp_path / "mirror", tmp_path / "raw"
    for folder in (mirror, raw / "local"):
        (folder / "own").mkdir(parents=True)
        (folder / "own" / name).write_bytes(
            gzip.compress(CONTENT) if name.endswith("gz") else CONTENT
        )
    for fetched in (fetch(make(), raw / "new", mirror), fetch(make(), raw / "local")):
        assert fetched.name == "good.csv.gz"
        assert content_of(fetched) == CONTENT


def test_a_wrong_local_file_is_fetched_again(server, tmp_path, caplog):
    path = tmp_path / "own" / "good.csv.gz"
    path.parent.mkdir()
    path.write_bytes(b"half")
    assert fetch(make(server.url + "/good.csv"), tmp_path, limits=QUICK) == path
    assert content_of(path) == CONTENT
    assert "looking for another copy" in caplog.text
    assert str(path) in caplog.text


def test_a_git_blob_id_will_do(server, tmp_path):
    # What `git hash-object` answers: the SHA-1 of "blob <size>\0" and the content.
    blob = hashlib.sha1(b"blob %d\0" % len(CONTENT) + CONTENT).hexdigest()
    spec = make(server.url + "/good.csv", sha256=None, size=None, git_blob=blob)
    assert content_of(fetch(spec, tmp_path, limits=QUICK)) == CONTENT
    wrong = make(server.url + "/wrong.csv", sha256=None, size=None, git_blob=blob)
    assert f"expected content with git blob id {blob}" in reason_of(tmp_path / "other", wrong)


def refuse_sockets(monkeypatch):
    def refuse(*_args, **_kwargs):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def test_a_bundled_stream_is_had_from_the_package_before_any_host(monkeypatch, tmp_path):
    refuse_sockets(monkeypatch)
    raw, mirror = tmp_path / "raw", tmp_path / "mirror"
    bundled = Bundled("elec2.parquet")
    spec = replace(make("http://example.org/good.csv"), bundled=bundled)
    alone = FileSpec(id="alone", title="T", bundled=bundled)
    for offline in (False, True):
        for entry in (spec, alone):
            assert fetch(entry, raw, mirror, offline) == bundled.path
            availability = survey([entry], raw, mirror, offline)[entry.id]
            assert availability == Availability("package", str(bundled.path))
    assert not raw.exists()
    # The mirror and the raw folder come first, and what is wrong there is said.
    copy = mirror / spec.file
    copy.parent.mkdir(parents=True)
    copy.write_bytes(b"wrong")
    with pytest.raises(DownloadError, match=r"mirror file .* Replace or remove it"):
        fetch(spec, raw, mirror)
    copy.write_bytes(CONTENT)
    assert survey([spec], raw, mirror)[spec.id].where == "mirror"
    assert fetch(spec, raw, mirror) == raw / spec.file
    assert survey([spec], raw, mirror)[spec.id].where == "local"
    (raw / spec.file).write_bytes(b"wrong")
    assert fetch(spec, raw) == bundled.path


def test_offline_opens_no_socket(monkeypatch, tmp_path):
    refuse_sockets(monkeypatch)
    spec = make("http://example.org/good.csv")
    with pytest.raises(DownloadError, match=r"good\.csv: not tried, offline"):
        fetch(spec, tmp_path, offline=True)
    with pytest.raises(DownloadError, match=r"no address .*download"):
        fetch(make(), tmp_path)
    availability = survey([spec], tmp_path, offline=True)
    assert availability == {spec.id: Availability("missing", f"not in {tmp_path}, offline")}
    with pytest.raises(AssertionError, match="a socket was opened"):
        fetch(spec, tmp_path, limits=QUICK)


def test_survey(server, tmp_path, dead_url, caplog):
    caplog.set_level("INFO", "streameval.streams.raw.fetch")
    raw, mirror = tmp_path / "raw", tmp_path / "mirror"
    for folder, name in ((raw, "a.csv"), (mirror, "b.csv")):
        folder.mkdir()
        (folder / name).write_bytes(CONTENT)
    url = server.url
    entries = {
        "local": make(url + "/good.csv", file="a.csv.gz"),
        "mirror": make(url + "/good.csv", file="b.csv"),
        "host": make(dead_url, url + "/none", url + "/good.csv"),
        "no_head": make(url + "/no-head.csv"),
        "slow": make(url + "/slow"),
        "dead": make(dead_url, url + "/none"),
        "cut_off": make(dead_url, dead_url),
        "own": make(),
    }
    specs = [FileSpec(**(vars(spec) | {"id": key})) for key, spec in entries.items()]
    start = time.monotonic()
    result = survey(specs, raw, mirror, timeout=0.5)
    assert time.monotonic() - start < 10  # the slow host never answers
    assert {key: availability.where for key, availability in result.items()} == {
        "local": "local",
        "mirror": "mirror",
        "host": "host",
        "no_head": "host",
        "slow": "missing",
        "dead": "missing",
        "cut_off": "missing",
        "own": "missing",
    }
    assert result["local"].detail == str(raw / "a.csv")
    assert result["host"].detail == url + "/good.csv"
    assert "no reply in time" in result["slow"].detail
    assert result["dead"].detail == "127.0.0.1: no connection; 127.0.0.1: HTTP 404"
    # What the system says is for the log: the report says it once, for all streams.
    assert result["cut_off"].detail == "no connection to its hosts"
    assert f"Errno {errno.ECONNREFUSED}" in caplog.text
    assert "no address known" in result["own"].detail
    # Asking is not getting.
    assert "/good.csv" not in server.requests


def test_a_name_server_that_hangs_does_not_hold_up_the_survey(monkeypatch, tmp_path):
    released = threading.Event()

    def hang(*_args, **_kwargs):
        released.wait(5)
        raise OSError

    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(socket, "getaddrinfo", hang)
    start = time.monotonic()
    (availability,) = survey([make("http://example.org/good.csv")], tmp_path, timeout=0.1).values()
    assert time.monotonic() - start < 10  # the slow host never answers
    assert availability.where == "missing"
    assert "no reply in time" in availability.detail
    released.set()


def test_mirror_folder(monkeypatch):
    monkeypatch.delenv("STREAMEVAL_DATA", raising=False)
    assert mirror_folder() is None
    assert mirror_folder("a") == Path("a")
    monkeypatch.setenv("STREAMEVAL_DATA", "b")
    assert mirror_folder() == Path("b")
    assert mirror_folder("a") == Path("a")
