"""The registry of streams: title, source and expected content of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from inspect import signature
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from streameval.base import settings
from streameval.base.errors import (
    ConfigError,
    did_you_mean,
    error_prefix,
    excerpt,
    listing,
    unknown_name_text,
)
from streameval.base.matrices import check_matrix
from streameval.base.params import Count, StrictProportion, Whole
from streameval.base.schema import NO_KEY, Text, check_data
from streameval.base.sources import LazyRegistry
from streameval.base.values import arguments_of, check_integer
from streameval.streams.drifts import Drift
from streameval.streams.stream import SMOOTHING as SMOOTHING  # also for users of the registry
from streameval.streams.stream import Stream

if TYPE_CHECKING:
    from streameval.streams.generators.generator import Generator

#: Values of ``FileSpec.reader``.
READERS: LazyRegistry[Callable[..., Stream]] = LazyRegistry(
    {
        "arff": "streameval.streams.readers.arff:read_arff",
        "csv": "streameval.streams.readers.csv_file:read_csv",
        "events": "streameval.streams.readers.events:read_events",
        "parquet": "streameval.streams.readers.parquet_file:read_parquet",
    }
)
#: Values of ``Bundled.rule``: how a stream is computed from a file of the package.
RULES: LazyRegistry[Callable[..., Stream]] = LazyRegistry(
    {
        "arrivals": "streameval.streams.derived:arrivals",
        "day_ahead": "streameval.streams.derived:day_ahead",
    }
)
#: The folder of the package with real streams.
BUNDLED = Path(__file__).with_name("bundled")

#: Id of a stream, also used in file names; it may end with a fraction.
StreamId = Annotated[
    str,
    Meta(
        pattern=r"[a-z][a-z0-9_]*(\.[0-9]+)?",
        title="an id of small letters, digits and _, a letter first, perhaps a fraction last",
    ),
]
_Address = Annotated[str, Meta(pattern=r"https?://\S+", title="an address, https://...")]
#: Maximum number of rows and maximum label delay of a generated stream: the largest 32-bit integer.
_MAX_COUNT = 2**31 - 1


#: A row above 0, or a date. Rows count from 0, and a drift cannot begin with the first row.
DriftStart = (
    Count
    | Annotated[
        str,
        Meta(
            pattern=r"[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9:.]+(Z|[+-][0-9:]+)?)?",
            title="a row from 1, or a date such as 2025-03-10 or 2025-03-10 14:30",
        ),
    ]
)


def _hex_digest(digits: int) -> Meta:
    pattern = f"[0-9a-f]{{{digits}}}"
    return Meta(pattern=pattern, title=f"a digest of {digits} digits from 0 to f")


@dataclass(frozen=True)
class Address:
    """An address of a raw file; `member` is the file to read in a zip archive with several."""

    url: _Address
    member: Text | None = None


@dataclass(frozen=True)
class Bundled:
    """A Parquet file of the package, from which a stream is read or computed.

    `rule` names the function that computes the stream; without it, the file is read. `options` are
    arguments of the rule or of the Parquet reader.
    """

    file: Text
    rule: Text | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The file."""
        return BUNDLED / self.file

    @property
    def read(self) -> Callable[..., Stream]:
        """Function that makes the stream from the path and the options."""
        return READERS["parquet"] if self.rule is None else RULES[self.rule]

    @property
    def module(self) -> str:
        """The dotted name of the module of `read`."""
        return READERS.module("parquet") if self.rule is None else RULES.module(self.rule)


@dataclass(frozen=True, kw_only=True)
class StreamSpec:
    """An entry of the registry: the parts that all streams have in common.

    `classes` is 0 for a numeric target. `smoothing` is the weight of the newest instance in all
    moving averages (the α of Žliobaitė et al., 2015, Section 6.3); streams with more or rarer
    classes need a smaller one. `group` names the input with the entity of each row, if instances of
    several entities are interleaved.
    """

    id: Annotated[str, NO_KEY]
    title: Text
    rows: Count | None = None
    columns: Count | None = None
    classes: Whole | None = None
    citation: str = ""
    smoothing: StrictProportion = SMOOTHING
    group: Annotated[str, Meta(min_length=1)] | None = None

    @property
    def shape(self) -> dict[str, int | None]:
        """Expected numbers of rows, columns and classes; None where unspecified."""
        return {"rows": self.rows, "columns": self.columns, "classes": self.classes}

    @property
    def origin(self) -> str:
        """Origin of the stream in words, such as "in the package"."""
        return ""

    @property
    def has_label_times(self) -> bool:
        """True if the stream has times of its labels."""
        return False

    def known_drifts(self) -> tuple[Drift, ...] | None:
        """Drifts of the concept; None if they are unknown, or if the concept changes steadily."""
        return None


@dataclass(frozen=True, kw_only=True)
class GeneratorSpec(StreamSpec):
    """A generated stream.

    With `label_delay`, instances arrive at 0, 1, 2, ...; the protocol orders an instance and a
    label of the same time. Inputs are rounded to `decimals`, as in the file of a paper, since trees
    may depend on the last digits. `stands_for` is the id of a real stream that this stream
    replaces; published results of the real stream are not compared with it.
    """

    generator: Text
    rows: Annotated[int, Meta(ge=1, le=_MAX_COUNT)] | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    label_delay: Annotated[int, Meta(ge=0, le=_MAX_COUNT)] | None = None
    decimals: Annotated[int, Meta(ge=0, le=15)] | None = None
    stands_for: str | None = None

    @staticmethod
    def required_keys(row: Mapping[str, Any]) -> list[str]:
        """Keys without default that an entry must have in the YAML file, given its other keys."""
        return ["rows"]

    @property
    def origin(self) -> str:
        """See `StreamSpec`."""
        return "generated"

    @property
    def has_label_times(self) -> bool:
        """See `StreamSpec`."""
        return self.label_delay is not None

    def known_drifts(self) -> tuple[Drift, ...] | None:
        """See `StreamSpec`."""
        return self.make().drifts(self.rows or 0)

    def make(self) -> Generator:
        """Generator with its parameters.

        Raises ConfigError if the generator or a parameter is unknown, or a parameter is missing.
        """
        from streameval.streams.generators import make_generator  # loads numba

        with error_prefix(f"Stream {self.id!r}"):
            return make_generator(self.generator, self.parameters)

    def check(self) -> None:
        """Check that the stream can be generated and fits into this machine, before any work."""
        generator, rows = self.make(), self.rows or 0
        with error_prefix(f"Stream {self.id!r}"):
            check_integer(rows, "rows")
        # Some generators have these parameters, whose values are numbers of inputs.
        n_inputs = [getattr(generator, key, 0) for key in ("attributes", "nominal", "numeric")]
        columns = max(self.columns or 1, *(n for n in n_inputs if isinstance(n, int)))
        check_matrix(
            rows, columns, f"Stream {self.id!r}, of {rows:,} instances with {columns:,} inputs,"
        )


@dataclass(frozen=True, kw_only=True)
class FileSpec(StreamSpec):
    """A stream from a file.

    `file` is a path below the raw folder and below the mirror, or an absolute path. A file with an
    absolute path is only read, and has no `addresses`, since downloads go into the raw folder.
    `addresses` are in order of preference. `sha256`, `git_blob` (the id of git) and `size` describe
    the decompressed content. `generated` marks the output of a generator. `drifts` are the first
    instances of new concepts, if known, counted from 0 in the order of arrival, or dates.
    `known_at` maps an input that is known only after the instance arrives to the input with the
    time at which it is known. `page` is the address of a
    description. `options` are arguments of the reader. A `bundled` stream is also in the package,
    with the same content; it may have no `file`. `first` is the number of instances to use, in the
    order of arrival; 0 for all.
    """

    file: str = ""
    addresses: Annotated[tuple[Address, ...], Meta(min_length=1)] = ()
    sha256: Annotated[str, _hex_digest(64)] | None = None
    git_blob: Annotated[str, _hex_digest(40)] | None = None
    size: Count | None = None
    class_counts: Annotated[Mapping[str, Whole], Meta(min_length=1)] | None = None
    generated: bool = False
    drifts: Annotated[tuple[DriftStart, ...], Meta(min_length=1)] = ()
    known_at: Annotated[Mapping[str, Text], Meta(min_length=1)] = field(default_factory=dict)
    licence: str = ""
    page: _Address = ""
    reader: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    bundled: Bundled | None = None
    first: Annotated[int, NO_KEY] = 0

    def __post_init__(self) -> None:
        """Refuse drifts out of order, and paths of downloads that leave the raw folder."""
        self._check_order()
        if self.bundled is not None and not (self.file or self.reader or self.addresses):
            return  # a stream in the package only has no raw file
        parts = Path(self.file).parts
        if ".." in parts or not parts or (self.addresses and self.is_read_only):
            raise ConfigError(
                f"Stream {self.id!r}: file: expected a path within {settings.RAW}, without '..'"
                f"{', since it is downloaded' if self.addresses else ', or an absolute one'}; "
                f"found {excerpt(self.file)!r}. Write such a path"
                f"{', or leave the addresses out' if self.addresses else ''}."
            )

    def _check_order(self) -> None:
        """Refuse drifts that are not increasing rows, or increasing dates."""
        place = f"Stream {self.id!r}: drifts"
        dates = [start for start in self.drifts if isinstance(start, str)]
        if dates and len(dates) < len(self.drifts):
            raise ConfigError(
                f"{place}: expected rows or dates, found both: {listing(map(str, self.drifts))}. "
                "Write all as rows, or all as dates."
            )
        starts: list[Any] = list(self.drifts)
        try:
            if dates:
                starts = [datetime.fromisoformat(text) for text in dates]
            is_increasing = all(start < later for start, later in pairwise(starts))
        except (ValueError, TypeError) as error:  # no such day; dates with and without a zone
            raise ConfigError(
                f"{place}: expected dates such as 2025-03-10 14:30, all with an offset such as "
                f"+01:00 or none, found {listing(dates)}: {error}. Correct them."
            ) from error
        if not is_increasing:
            raise ConfigError(
                f"{place}: expected increasing rows or dates, found "
                f"{listing(map(str, self.drifts))}. Put them in order, each once."
            )

    @property
    def is_read_only(self) -> bool:
        """True for a file outside the raw folder, which is read in its place and never written."""
        return Path(self.file).is_absolute()

    @property
    def origin(self) -> str:
        """See `StreamSpec`; the size of a download is the size after decompression."""
        if self.bundled is not None:
            return "in the package"
        if not self.addresses:
            return "your file" if self.is_read_only else "your copy"
        return "download" + (f", {self.size / 1e6:,.0f} MB" if self.size else "")

    @staticmethod
    def required_keys(row: Mapping[str, Any]) -> list[str]:
        """Keys without default that an entry must have in the YAML file, given its other keys."""
        needed = ["sha256"] if "addresses" in row and "git_blob" not in row else []
        in_package_only = "bundled" in row and not {"file", "reader", "addresses"} & {*row}
        return needed if in_package_only else [*needed, "file", "reader"]

    @property
    def has_label_times(self) -> bool:
        """See `StreamSpec`."""
        _, read, options = self.reader_for(in_package=not self.reader)
        # A reader without the option, such as `read_events`, reads label times from every file.
        is_option = "label_time" in signature(read).parameters
        return not is_option or bool(options.get("label_time"))

    def reader_for(self, in_package: bool) -> tuple[str, Callable[..., Stream], Mapping[str, Any]]:
        """Reader of the raw file, or of the file `in_package`: name, function and options."""
        if in_package and self.bundled is not None:
            name = (
                "reader 'parquet'" if self.bundled.rule is None else f"rule {self.bundled.rule!r}"
            )
            return name, self.bundled.read, self.bundled.options
        return f"reader {self.reader!r}", READERS[self.reader], self.options

    def read(self, path: str | Path) -> Stream:
        """Stream of its raw file, or of its file in the package.

        Raises ConfigError if an option is wrong, DataError if the content of the file is wrong.
        """
        in_package = self.is_in_package(path)
        _, read, _ = self.reader_for(in_package)
        return read(path, name=self.id, **reader_arguments(self, in_package))

    def is_in_package(self, path: str | Path) -> bool:
        """Whether a file is the bundled file of the package."""
        return self.bundled is not None and Path(path) == self.bundled.path

    def known_drifts(self) -> tuple[Drift, ...] | None:
        """See `StreamSpec`; None for dates, whose rows are known only after reading the stream."""
        rows = [start for start in self.used_drifts() if isinstance(start, int)]
        return tuple(map(Drift, rows)) or None

    def used_drifts(self) -> tuple[int | str, ...]:
        """Rows or dates of drifts, without rows after the `first` instances."""
        if not self.first:
            return self.drifts
        return tuple(start for start in self.drifts if isinstance(start, str) or start < self.first)

    def check_drifts(self, n: int) -> None:
        """Check that drifts given as rows lie within the `n` instances of the whole stream."""
        last = self.drifts[-1] if self.drifts else 0
        if isinstance(last, int) and last >= n:
            raise ConfigError(
                f"Stream {self.id!r}: drifts: expected rows from 1 to {n - 1:,}, since the "
                f"stream has {n:,} instances, counted from 0; found {last:,}. Correct it, or "
                "leave it out."
            )

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> FileSpec:
        """Rebuild an entry from plain data, such as `dataclasses.asdict` of it."""
        addresses = tuple(Address(**address) for address in content.get("addresses", ()))
        drifts = tuple(content.get("drifts", ()))
        bundled = content.get("bundled")
        bundled = bundled if bundled is None else Bundled(**bundled)
        converted = {"addresses": addresses, "drifts": drifts, "bundled": bundled}
        return cls(**{**content, **converted})


def load_registry(
    path: str | Path | None = None, check_options: bool = True
) -> dict[str, StreamSpec]:
    """Read and check the registry, by default from the working folder or else the package.

    `check_options` also checks the parameters of generators and the options of readers, which
    imports all of them. `synthesise` and `convert` always check their entry.
    """
    path = settings.locate("config/streams.yaml") if path is None else Path(path)
    content = settings.load_settings(path, _File)
    registry = {
        key: make_spec(key, check_row(row, str(path), ("streams", key)), check_options)
        for key, row in content["streams"].items()
    }
    for key, spec in registry.items():
        if isinstance(spec, FileSpec) and spec.rows:
            spec.check_drifts(spec.rows)
        original = spec.stands_for if isinstance(spec, GeneratorSpec) else None
        if original is not None and original not in registry:
            raise ConfigError(
                f"Stream {key!r}: stands_for: expected the id of a stream, found {original!r}."
            )
    return registry


class _File(Struct):
    """The content of ``config/streams.yaml``."""

    streams: dict[StreamId, dict[str, Any]]


def check_row(row: Mapping[str, Any], where: str, place: Sequence[str]) -> dict[str, Any]:
    """Row of a stream after a check against the fields of its entry.

    Errors name the file `where` and the keys `place` that lead to the row.
    """
    entry_type = GeneratorSpec if "generator" in row else FileSpec
    content: dict[str, Any] = check_data(row, entry_type, where, place)
    bundled = content.get("bundled") or {}
    files = sorted(path.name for path in BUNDLED.glob("*.parquet")) if bundled else []
    for key, value, what, known in (
        ("reader", content.get("reader"), "reader", READERS),
        ("bundled.file", bundled.get("file"), "bundled file", files),
        ("bundled.rule", bundled.get("rule"), "rule", RULES),
    ):
        if value is not None and value not in known:
            prefix = f"{where}: at {'.'.join([*place, key])}: there is"
            raise ConfigError(f"{prefix} {unknown_name_text(what, value, known)}")
    return content


def make_spec(key: str, entry: dict[str, Any], check_options: bool = True) -> StreamSpec:
    """Entry of a stream from its checked row; `check_options` checks its options, too."""
    if "generator" in entry:
        spec = GeneratorSpec(id=key, **entry)
        if check_options:
            spec.make()  # checks the parameters and names the entry in errors
        return spec
    file = FileSpec.from_dict({"id": key, **entry})
    if not check_options:
        return file
    bundled = file.bundled
    if bundled is not None:
        bundled = replace(bundled, options=reader_arguments(file, in_package=True))
    options = reader_arguments(file) if file.reader else file.options
    return replace(file, options=options, bundled=bundled)


def reader_arguments(spec: FileSpec, in_package: bool = False) -> dict[str, Any]:
    """Options as arguments of the function that reads the raw file, or the file `in_package`.

    Raises ConfigError if options are unknown, missing or wrong.
    """
    reader, read, options = spec.reader_for(in_package)
    known = {
        name: parameter
        for name, parameter in signature(read).parameters.items()
        if name not in ("path", "name")  # these come from the entry
    }
    unexpected = [str(name) for name in options if name not in known]
    required = [name for name, p in known.items() if p.default is p.empty]
    missing = [name for name in required if name not in options]
    problems = [f"unknown {', '.join(unexpected)}"] * bool(unexpected)
    problems += [f"no {', '.join(missing)}"] * bool(missing)
    if problems:
        raise ConfigError(
            f"Stream {spec.id!r}: expected options of the {reader}, found "
            f"{'; '.join(problems)}. Its options are {', '.join(known)}"
            + (f"; required: {', '.join(required)}." if required else ".")
        )
    with error_prefix(f"Stream {spec.id!r}, options"):
        return arguments_of(read, options)


def find_spec(registry: Mapping[str, StreamSpec], spec_id: str) -> StreamSpec:
    """Entry of the registry with an id.

    Raises ConfigError if the id is unknown; the message lists the known ids and the generators.
    """
    from streameval.streams.generators import GENERATORS

    if spec_id not in registry:
        raise ConfigError(
            f"There is no stream {excerpt(spec_id)!r} in the registry. Known: {listing(registry)}; "
            f"and with a number of instances (--rows N, in Python generate()) the generators "
            f"{listing(GENERATORS)}. {did_you_mean(spec_id, [*registry, *GENERATORS])}".rstrip()
        )
    return registry[spec_id]
