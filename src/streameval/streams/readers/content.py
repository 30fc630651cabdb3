"""The content of a file: transparent decompression, safe archives, digests."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import re
import shutil
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO, cast

from streameval.base.errors import DataError, excerpt, listing
from streameval.base.matrices import NoRoomError
from streameval.base.memory import check_room

#: Maximum number of nested wrappers; known sources have two at most, a gzip inside a zip.
MAX_LAYERS = 3
#: Bytes that are read at a time.
CHUNK = 1 << 20
#: Memory to read a file as a whole, for its text and its values, as a multiple of its size.
_MEMORY_RATIO = 3
#: Endings of compressed files and archives.
WRAPPERS = (".gz", ".bz2", ".xz", ".zip")
#: Errors that a damaged or truncated wrapper raises when it is read.
_DAMAGE = (gzip.BadGzipFile, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
#: Further errors of zipfile if the directory of an archive is damaged or unusual.
_ARCHIVE_ERRORS = (
    NotImplementedError,
    RuntimeError,
    ValueError,
    struct.error,
    OverflowError,
    OSError,
)
_FILE_TYPES = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}

_JOIN_ADVICE = "A stream is one file: join the parts into one, in the order of their rows."
#: Entries of folders in which not every Parquet file is a part of the table, with advice.
_NOT_ONLY_PARTS = {
    "_delta_log": "the log of a Delta table says which parts count. Write the table as Parquet.",
    ".hoodie": "the log of a Hudi table says which parts count. Write the table as Parquet.",
    "_temporary": "it is still being written. Read it when that has finished.",
}
#: Beginnings of the names of documents in an archive, which are not data.
_DOCUMENTS = ("readme", "license", "licence", "copying", "notice", "changelog")
#: Readers of the registry by the endings of files.
READER_OF = {
    ".arff": "arff",
    ".dat": "arff",
    ".csv": "csv",
    ".tsv": "csv",
    ".data": "csv",
    ".txt": "csv",
    ".parquet": "parquet",
}


def check_readable(path: Path) -> None:
    """Refuse everything but readable regular files, without waiting for a pipe.

    A name with control characters or invalid bytes is refused, too.
    """
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in str(path)):
        raise DataError(
            f"{excerpt(ascii(str(path)))}: expected a file name that can be written as text, found "
            "control characters or bytes that are not UTF-8. Rename the file."
        )
    name = excerpt(path)
    try:
        kind = stat.S_IFMT(path.stat().st_mode)
        if kind == stat.S_IFREG:
            path.open("rb").close()
    except (FileNotFoundError, NotADirectoryError) as error:
        problem = "a link to a file that is not there" if path.is_symlink() else "none"
        advice = "Check the path."
        if re.search(r"[*?\[]", path.name):
            advice = f"Patterns of several files are not expanded. {_JOIN_ADVICE}"
        raise DataError(f"{name}: expected a file, found {problem}. {advice}") from error
    except OSError as error:
        raise DataError(_unreadable_message(path, error)) from error
    if kind == stat.S_IFDIR:
        raise DataError(_folder_message(path))
    if kind != stat.S_IFREG:
        file_type = _FILE_TYPES.get(kind, "something else")
        raise DataError(
            f"{name}: expected a file, found {file_type}. Save its content to a file first."
        )


def parquet_files(path: Path) -> list[Path]:
    """Files of a Parquet table: a single file, or the parts in a folder, sorted by name.

    Numbers in names count as numbers: ``part-2`` comes before ``part-10``. Hidden files, names that
    begin with ``_`` and checksums (``.crc``), which Spark and Dask write, are left out.

    Raises
    ------
    DataError
        If there is no such file, or if a folder has no parts, has other files, or has a log that
        says which parts count.
    """
    if not path.is_dir():
        check_readable(path)
        return [path]
    names = {entry.name for entry in path.iterdir()}
    for entry, advice in _NOT_ONLY_PARTS.items():
        if entry in names:
            raise DataError(
                f"{excerpt(path)}: expected a folder of Parquet parts, found {entry}: {advice}"
            )
    visible = [name for name in names if not name.startswith((".", "_")) and name[-4:] != ".crc"]
    parts = [name for name in visible if Path(name).suffix.lower() == ".parquet"]
    if not parts:
        raise DataError(_folder_message(path))
    others = [*({*visible} - {*parts}), *(name for name in parts if not (path / name).is_file())]
    if others:
        raise DataError(
            f"{excerpt(path)}: expected only files that end in .parquet in a folder of Parquet "
            f"parts, found also {listing(sorted(others))}. Put these elsewhere."
        )
    return [path / name for name in sorted(parts, key=_number_order_key)]


def _number_order_key(name: str) -> list[str | int]:
    """Sort key that compares the numbers in names as numbers."""
    parts = re.split("([0-9]+)", name)  # numbers have odd indices
    return [int(part) if i % 2 else part for i, part in enumerate(parts)]


def _folder_message(path: Path) -> str:
    names = sorted(entry.name for entry in path.iterdir() if not entry.name.startswith((".", "_")))
    content = f"{len(names):,} entries ({listing(names[:3])}{', ...' * (len(names) > 3)})"
    in_python = (
        " In Python, se.from_pandas(pandas.read_parquet(FOLDER), TARGET) also reads the folders in "
        "it, and the values in their names."
        if next(path.rglob("*.parquet"), None) is not None
        else ""
    )
    return (
        f"{excerpt(path)}: expected a file, or a folder of Parquet parts, found a folder of "
        f"{content}. {_JOIN_ADVICE}{in_python}"
    )


def _unreadable_message(path: Path, error: OSError) -> str:
    return (
        f"{excerpt(path)}: expected a readable file, found: {error.strerror}. Check the path and "
        "the permissions."
    )


@dataclass(frozen=True)
class Source:
    """A readable file, or the files of a Parquet table; `of` and `of_table` check and make it."""

    path: Path
    files: Sequence[Path]
    member: str | None = None

    @classmethod
    def of(cls, file: str | Path | Source, member: str | None = None) -> Source:
        """File to read, or a member of a zip; refuse what `check_readable` refuses."""
        if isinstance(file, Source):
            return file
        check_readable(Path(file))
        return cls(Path(file), [Path(file)], member)

    @classmethod
    def of_table(cls, path: str | Path | Source) -> Source:
        """Files of a Parquet table; see `parquet_files`."""
        return path if isinstance(path, Source) else cls(Path(path), parquet_files(Path(path)))

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.stat().st_size for file in self.files)

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Open the content, unpacking gzip, bzip2, xz and zip, also nested.

        Wrappers are recognised by their first bytes, as servers and browsers may rename files. An
        archive with a member that would be written outside its folder is refused.
        """
        path = self.path
        try:
            with ExitStack() as stack:
                try:
                    file = _unwrap(stack.enter_context(path.open("rb")), self.member, stack, path)
                except OSError as error:
                    if error.errno is None:
                        raise
                    raise DataError(_unreadable_message(path, error)) from error
                yield file
        except _DAMAGE as error:
            raise DataError(_damage_message(path, error)) from error
        except OSError as error:
            # Only bzip2 raises errors without a number; others come from the system.
            if error.errno is not None:
                raise
            raise DataError(_damage_message(path, error)) from error

    def content(self) -> bytes:
        """All of the content."""
        with self.opened() as file:
            return file.read()

    def check_fits_in_memory(self, error: Exception) -> None:
        """Refuse to read a file as a whole, after an error in a block, if it is too large."""
        if isinstance(error, NoRoomError):
            raise error
        check_room(
            _MEMORY_RATIO * self.size,
            # `check_room` continues this text with "would need".
            f"{self.path} can only be read as a whole ({error}). It",
            "Correct the file, or name its columns of texts (--nominal COLUMN).",
        )


def open_content(path: Path, member: str | None = None) -> AbstractContextManager[BinaryIO]:
    """Open a file, or a member of a zip; see `Source.opened`."""
    return Source.of(path, member).opened()


def _damage_message(path: Path, error: Exception) -> str:
    return (
        f"{path}: the compressed data are damaged or cut short ({excerpt(error)}). "
        "Get the file again."
    )


def _unwrap(file: BinaryIO, member: str | None, stack: ExitStack, path: Path) -> BinaryIO:
    for layer in range(MAX_LAYERS + 1):
        kind = _wrapper_of(cast(io.BufferedReader, file).peek(8))  # enough for all signatures
        if kind and layer == MAX_LAYERS:
            raise DataError(
                f"{path}: expected at most {MAX_LAYERS} wrappers (gzip, bzip2, xz, zip) around the "
                "data, found more. Unpack the file."
            )
        if kind == ".gz":
            file = cast(BinaryIO, stack.enter_context(gzip.GzipFile(fileobj=file, mode="rb")))
        elif kind == ".bz2":
            file = cast(BinaryIO, stack.enter_context(bz2.BZ2File(file)))
        elif kind == ".xz":
            file = cast(BinaryIO, stack.enter_context(lzma.open(file)))  # noqa: SIM115
        elif kind == ".zip":
            try:
                archive = stack.enter_context(zipfile.ZipFile(file))
                content = archive.open(_select_member(archive, member, path))
            except _ARCHIVE_ERRORS as error:
                raise DataError(_damage_message(path, error)) from error
            file = cast(BinaryIO, stack.enter_context(content))
        else:
            return file
    return file


def is_zip(path: Path) -> bool:
    """Whether a file is a zip archive, by its first bytes."""
    with path.open("rb") as file:
        return _wrapper_of(file.read(8)) == ".zip"


def _wrapper_of(head: bytes) -> str:
    """Ending of the wrapper that begins with these bytes; "" for none."""
    if head.startswith(b"\x1f\x8b\x08"):
        return ".gz"
    if head.startswith(b"\xfd7zXZ\x00"):
        return ".xz"
    # A bzip2 level is followed by the mark of a block, or by the mark of the end.
    if re.match(rb"BZh[1-9](1AY&|\x17rE8)", head):
        return ".bz2"
    return ".zip" if head.startswith((b"PK\x03\x04", b"PK\x05\x06")) else ""


def _select_member(archive: zipfile.ZipFile, member: str | None, path: Path) -> zipfile.ZipInfo:
    for info in archive.infolist():
        _check_member(info, path)
    files = _files(archive)
    if member is None:
        candidates = _data_files(files)
    else:
        candidates = [info for info in files if info.filename == member]
    if len(candidates) != 1:
        names = excerpt(", ".join(repr(info.filename)[1:-1] for info in files[:10])) or "nothing"
        expected = "exactly one data file" if member is None else f"the member {member!r}"
        advice = " Name one of them (--member NAME)." if files else ""
        raise DataError(f"{path}: expected {expected} in the archive, found {names}.{advice}")
    if candidates[0].flag_bits & 1:
        raise DataError(
            f"{path}: the member {excerpt(candidates[0].filename)!r} is encrypted. Unpack it first."
        )
    return candidates[0]


def _files(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Members of an archive without folders, hidden files and the files that macOS adds."""
    return [
        info
        for info in archive.infolist()
        if not info.is_dir()
        and not any(part.startswith((".", "__MACOSX")) for part in _path_parts(info.filename))
    ]


def _path_parts(member: str) -> tuple[str, ...]:
    return PurePosixPath(member.replace("\\", "/")).parts


def _data_files(files: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """The only file whose ending belongs to a reader; all files if there is not exactly one."""
    if len(files) < 2:
        return files
    readable = [
        info
        for info in files
        if PurePosixPath(plain_name(name := _path_parts(info.filename)[-1])).suffix.lower()
        in READER_OF
        and not name.lower().startswith(_DOCUMENTS)
    ]
    return readable if len(readable) == 1 else files


def _check_member(info: zipfile.ZipInfo, path: Path) -> None:
    # Members are never written under their names, but such an archive is not the expected file.
    name = PurePosixPath(info.filename.replace("\\", "/"))
    is_outside = name.is_absolute() or ".." in name.parts or PureWindowsPath(info.filename).drive
    if is_outside or stat.S_ISLNK(info.external_attr >> 16):  # the upper bits are a Unix mode
        raise DataError(
            f"{path}: the archive's member {excerpt(info.filename)!r} points outside the archive. "
            "Do not use this file."
        )


@dataclass(frozen=True)
class Content:
    r"""Size in bytes and hexadecimal digests of the content of a file after decompression.

    Git's id is SHA-1 of ``"blob <size>\0"`` and the bytes.
    """

    size: int
    sha256: str
    git_blob: str | None = None


def measure(
    path: Path, member: str | None = None, git_blob: bool = False, limit: int | None = None
) -> Content:
    """Size and digests of the content of a file.

    Git's id needs a second pass, as its digest begins with the size.

    More than `limit` bytes are an error, since a small file may unpack to a huge content.
    """
    sha, size = hashlib.sha256(), 0
    with open_content(path, member) as file:
        while chunk := file.read(CHUNK):
            sha.update(chunk)
            size += len(chunk)
            if limit is not None and size > limit:
                raise DataError(f"{path}: expected {limit:,} bytes of content, found more.")
    if not git_blob:
        return Content(size, sha.hexdigest())
    blob = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    with open_content(path, member) as file:
        while chunk := file.read(CHUNK):
            blob.update(chunk)
    return Content(size, sha.hexdigest(), blob.hexdigest())


def pack(source: Path, member: str | None, target: Path) -> None:
    """Write the content of a file to another, compressed as the new name says.

    A file that already has this wrapper is copied byte by byte.
    """
    with source.open("rb") as file:
        kind = _wrapper_of(file.read(8))
    ending = target.suffix.lower() if target.suffix.lower() in WRAPPERS else ""
    if kind == ending:
        shutil.copyfile(source, target)
        return
    # Without time stamps and names, equal content gives equal bytes.
    with open_content(source, member) as plain, ExitStack() as stack:
        raw = stack.enter_context(target.open("wb"))
        out: BinaryIO = raw
        if ending == ".gz":
            wrapped = gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=0)
            out = cast(BinaryIO, stack.enter_context(wrapped))
        elif ending == ".bz2":
            out = cast(BinaryIO, stack.enter_context(bz2.BZ2File(raw, "wb")))
        elif ending == ".xz":
            out = cast(BinaryIO, stack.enter_context(lzma.open(raw, "wb")))
        elif ending == ".zip":
            archive = stack.enter_context(zipfile.ZipFile(raw, "w"))
            info = zipfile.ZipInfo(member or target.stem)
            info.compress_type = zipfile.ZIP_DEFLATED
            entry = archive.open(info, "w", force_zip64=True)
            out = cast(BinaryIO, stack.enter_context(entry))
        shutil.copyfileobj(plain, out, CHUNK)


def plain_name(name: str) -> str:
    """File name without the ending of its wrapper: ``a.arff.GZ`` gives ``a.arff``."""
    path = PurePosixPath(name)
    return str(path.with_suffix("")) if path.suffix.lower() in WRAPPERS else name


def content_name(path: Path, member: str | None = None) -> str:
    """Name of a file without endings of wrappers, or the name of the zip member to read.

    A zip is opened only if its own name has no other ending, and no member is named. A folder
    counts as a Parquet table.
    """
    if path.is_dir():
        return f"{path.name}.parquet"
    if member is not None:
        return plain_name(member)
    name = plain_name(path.name)
    if PurePosixPath(name).suffix:
        return name
    check_readable(path)
    if not is_zip(path):
        return name
    try:
        with zipfile.ZipFile(path) as archive:
            members = [info.filename for info in _data_files(_files(archive))]
    except (*_DAMAGE, *_ARCHIVE_ERRORS) as error:
        raise DataError(_damage_message(path, error)) from error
    return plain_name(members[0]) if len(members) == 1 else name
