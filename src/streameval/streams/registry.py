"""The registry of streams: title, source and expected content of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from streameval import settings
from streameval.coercion import arguments_of
from streameval.errors import ConfigError, DataError, excerpt, near, some
from streameval.lazy_registry import LazyRegistry
from streameval.room import check_room
from streameval.streams.contents import wrong_counts, wrong_shape
from streameval.streams.stream import SMOOTHING as SMOOTHING
from streameval.streams.stream import Stream
from streameval.streams.variants import file_stem

if TYPE_CHECKING:
    from streameval.streams.generators.recipe import Recipe

#: Values of ``FileSpec.reader``.
READERS: LazyRegistry[Callable[..., Stream]] = LazyRegistry(
    {
        "arff": "streameval.streams.readers.arff:read_arff",
        "csv": "streameval.streams.readers.csv_file:read_csv",
        "data_expo": "streameval.streams.readers.data_expo:read_data_expo",
        "events": "streameval.streams.readers.events:read_events",
        "parquet": "streameval.streams.readers.parquet_file:read_parquet",
    }
)


@dataclass(frozen=True)
class Address:
    """An address of a raw file.

    Parameters
    ----------
    url : str
        The address.
    member : str, optional
        The member to read, if it is a zip archive with several.
    """

    url: str
    member: str | None = None


@dataclass(frozen=True, kw_only=True)
class StreamSpec:
    """An entry of the registry: the parts that all streams have in common.

    Parameters
    ----------
    id : str
        Key in the registry and ``Stream.name``.
    title : str
        Its title in tables and figures.
    rows : int, optional
        Number of instances.
    columns : int, optional
        Number of inputs.
    classes : int, optional
        Number of declared classes; 0 for a numeric target.
    citation : str
        What to cite.
    smoothing : float
        Smoothing weight λ, the weight of the newest instance in all moving averages of class
        proportions and measures (the α of Žliobaitė et al., 2015, Section 6.3). Streams with more
        or rarer classes need a smaller one.
    """

    id: str
    title: str
    rows: int | None = None
    columns: int | None = None
    classes: int | None = None
    citation: str = ""
    smoothing: float = SMOOTHING

    @property
    def shape(self) -> dict[str, int | None]:
        """Expected numbers of rows, columns and classes; None where unspecified."""
        return {"rows": self.rows, "columns": self.columns, "classes": self.classes}

    @property
    def has_label_times(self) -> bool:
        """True if the stream has times of its labels."""
        return False


@dataclass(frozen=True, kw_only=True)
class GeneratorSpec(StreamSpec):
    """A generated stream.

    Parameters
    ----------
    generator : str
        Name of the generator.
    parameters : mapping
        Its keyword arguments.
    label_delay : int, optional
        Time from each instance to its label. The stream then has time stamps: instances arrive at
        0, 1, 2, ... The protocol says which comes first if an instance and a label have the same
        time, so that `label_delay` instances arrive in between, or one fewer.
    decimals : int, optional
        Digits after the point to which inputs are rounded, as in the file of a paper; trees may
        depend on the last ones.
    stands_for : str, optional
        The stream of the registry that it imitates: tables and figures call it simulated, and no
        published number is compared with it.
    """

    generator: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    label_delay: int | None = None
    decimals: int | None = None
    stands_for: str | None = None

    @property
    def has_label_times(self) -> bool:
        """See `StreamSpec`."""
        return self.label_delay is not None

    def recipe(self) -> Recipe:
        """Return the generator together with its parameters.

        Raises
        ------
        ConfigError
            If the generator or a parameter is unknown, or a parameter is missing.
        """
        from streameval.streams.generators import make_recipe  # loads numba

        with self.named_in_errors():
            return make_recipe(self.generator, self.parameters)

    def check(self) -> None:
        """Check that the stream can be generated, before any work.

        Raises
        ------
        ConfigError
            If the generator or a parameter is unknown, missing or outside its range.
        DataError
            If the stream is too large for this machine.
        """
        recipe, rows = self.recipe(), self.rows or 0
        with self.named_in_errors():
            recipe.check(rows)
        numbers = [recipe.parameters.get(key, 0) for key in ("attributes", "nominal", "numeric")]
        columns = max(self.columns or 1, *(n for n in numbers if isinstance(n, int)))
        check_room(
            8 * rows * columns,
            f"Stream {self.id!r}, of {rows:,} instances with {columns:,} inputs,",
            "Set fewer of them in its entry of the registry.",
        )

    @contextmanager
    def named_in_errors(self) -> Iterator[None]:
        """Name the entry of the registry in errors of the generator."""
        try:
            yield
        except ConfigError as error:
            raise ConfigError(f"Stream {self.id!r}: {error}") from error


@dataclass(frozen=True, kw_only=True)
class FileSpec(StreamSpec):
    """A stream from a file.

    Parameters
    ----------
    file : str
        Path within the raw folder and within the mirror.
    addresses : tuple of Address
        Where to download it, in order of preference.
    sha256, git_blob : str, optional
        Digests of the content after decompression.
    size : int, optional
        Bytes of content.
    class_counts : mapping of str to int, optional
        Rows per class, counting known labels only.
    generated : bool
        Whether a generator made the file: nobody observed what is in it.
    known_at : mapping of str to str
        For inputs that are known only after an instance has arrived, the inputs that say when.
    licence, page : str
        Terms of use, and a page about the stream.
    reader : str
        Key of `READERS`.
    options : mapping
        Keyword arguments of the reader.
    """

    file: str
    addresses: tuple[Address, ...] = ()
    sha256: str | None = None
    git_blob: str | None = None
    size: int | None = None
    class_counts: Mapping[str, int] | None = None
    generated: bool = False
    known_at: Mapping[str, str] = field(default_factory=dict)
    licence: str = ""
    page: str = ""
    reader: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def has_label_times(self) -> bool:
        """See `StreamSpec`."""
        # A reader that is not told of label times reads them from every file.
        told = "label_time" in signature(READERS[self.reader]).parameters
        return not told or bool(self.options.get("label_time"))

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> FileSpec:
        """Rebuild an entry from plain data, such as `dataclasses.asdict` of it."""
        addresses = tuple(Address(**address) for address in content.get("addresses", ()))
        return cls(**{**content, "addresses": addresses})


def load_registry(
    path: str | Path | None = None, check_options: bool = True
) -> dict[str, StreamSpec]:
    """Read and check the registry.

    Parameters
    ----------
    path : str or Path, optional
        The file, by default ``config/streams.yaml`` of the working folder or, failing
        that, of the folder that the package was installed from.
    check_options : bool
        Whether to check the parameters of generators and the options of readers too, which
        imports all of them. `synthesise` and `convert` check those of their entry in any case.

    Returns
    -------
    dict of str to StreamSpec
        `FileSpec` and `GeneratorSpec` by id, in the order of the file.

    Raises
    ------
    ConfigError
        If there is no such file, or an entry violates the schema or the requirements of its reader
        or generator.
    """
    path = settings.locate("config/streams.yaml") if path is None else Path(path)
    content = settings.load_validated(path, "streams")
    registry = {
        key: spec_from(key, entry, check_options) for key, entry in content["streams"].items()
    }
    for key, spec in registry.items():
        original = spec.stands_for if isinstance(spec, GeneratorSpec) else None
        if original is not None and original not in registry:
            raise ConfigError(
                f"Stream {key!r}: stands_for: expected the id of a stream, found {original!r}."
            )
    return registry


def spec_from(key: str, entry: dict[str, Any], check_options: bool = True) -> StreamSpec:
    """Return the entry of a stream, checked by the schema, with its options checked too."""
    if "generator" in entry:
        spec = GeneratorSpec(id=key, **entry)
        if check_options:
            spec.recipe()  # checks the parameters and names the entry in errors
        return spec
    file = FileSpec.from_dict({"id": key, **entry})
    return replace(file, options=_checked_options(file)) if check_options else file


def _checked_options(spec: FileSpec) -> dict[str, Any]:
    """Return the options as arguments of the reader; refuse unknown and missing options."""
    known = {
        name: parameter
        for name, parameter in signature(READERS[spec.reader]).parameters.items()
        if name not in ("path", "name")  # these come from the entry
    }
    unknown = [str(name) for name in spec.options if name not in known]
    needed = [name for name, p in known.items() if p.default is p.empty]
    missing = [name for name in needed if name not in spec.options]
    wrong = [f"unknown {', '.join(unknown)}"] * bool(unknown)
    wrong += [f"no {', '.join(missing)}"] * bool(missing)
    if wrong:
        raise ConfigError(
            f"Stream {spec.id!r}: expected options of the reader {spec.reader!r}, found "
            f"{'; '.join(wrong)}. Its options are {', '.join(known)}"
            + (f"; required: {', '.join(needed)}." if needed else ".")
        )
    try:
        return arguments_of(READERS[spec.reader], spec.options)
    except ConfigError as error:
        raise ConfigError(f"Stream {spec.id!r}, options: {error}") from error


def find_spec(registry: Mapping[str, StreamSpec], spec_id: str) -> StreamSpec:
    """Return an entry of the registry.

    Raises
    ------
    ConfigError
        If there is none of that id; names the known ids.
    """
    if spec_id not in registry:
        raise ConfigError(
            f"There is no stream {excerpt(spec_id)!r} in the registry. Known: {some(registry)}. "
            f"{near(spec_id, registry)}".rstrip()
        )
    return registry[spec_id]


def converted_path(spec_id: str, resources_dir: str | Path) -> Path:
    """Return the path of the converted file of a stream or a variant, as "elec2:shuffled:1"."""
    return Path(resources_dir) / "streams" / f"{file_stem(spec_id)}.parquet"


def load(spec_id: str, resources_dir: str | Path) -> Stream:
    """Read the converted file of a stream or variant; see `read_stream` for the errors."""
    from streameval.streams.columnar import read_stream

    return read_stream(converted_path(spec_id, resources_dir))


def convert(spec: FileSpec, raw_path: str | Path) -> Stream:
    """Read the raw file of a stream and check its content against the entry.

    Parameters
    ----------
    spec : FileSpec
        The entry.
    raw_path : str or Path
        The file that `streameval.streams.raw.fetch.fetch` returned.

    Returns
    -------
    Stream
        The stream, named by the entry's id.

    Raises
    ------
    ConfigError
        If an option of the reader is unknown or missing.
    DataError
        If the file cannot be read, or rows, columns, classes or class counts differ from those of
        the entry; lists all differences.
    """
    stream = READERS[spec.reader](raw_path, name=spec.id, **_checked_options(spec))
    wrong = wrong_shape(stream, **spec.shape) + wrong_counts(stream, spec.class_counts)
    if wrong:
        raise DataError(
            f"Stream {spec.id!r} from {raw_path}: {'; '.join(wrong)}. Check the file and the entry "
            "in the registry."
        )
    return replace(stream, source=spec.title, smoothing=spec.smoothing)


def synthesise(spec: GeneratorSpec) -> Stream:
    """Generate the stream of an entry and check it against the entry.

    Parameters
    ----------
    spec : GeneratorSpec
        The entry.

    Returns
    -------
    Stream
        The stream, named by the entry's id; with time stamps if its labels are delayed.

    Raises
    ------
    ConfigError
        If the generator or a parameter is unknown, a parameter is missing or outside its range,
        or columns and classes differ from those of the entry.
    """
    recipe = spec.recipe()
    spec.check()
    with spec.named_in_errors():
        stream = recipe.stream(spec.rows or 0)
        wrong = wrong_shape(stream, **spec.shape)
        if wrong:
            raise ConfigError(f"{'; '.join(wrong)}. Correct the parameters or these numbers.")
    about: dict[str, Any] = {"name": spec.id, "source": spec.title, "smoothing": spec.smoothing}
    if spec.decimals is not None:
        about["X"] = np.round(stream.X, spec.decimals)
    stream = replace(stream, **about, _digest=[])
    if spec.label_delay is None:
        return stream
    time = np.arange(len(stream))
    return replace(stream, time=time, label_time=time + spec.label_delay, _digest=[])
