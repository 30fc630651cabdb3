"""The configuration of a run, merged from its files, and the file of each setting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from streameval.base import settings
from streameval.base.errors import (
    ConfigError,
    DataError,
    did_you_mean,
    error_prefix,
    listing,
    unknown_name_text,
)
from streameval.base.params import Count
from streameval.base.schema import UNIQUE_ITEMS, Id, ModuleName, Text, check_data, fields_of
from streameval.base.settings import load_yaml, relative_path
from streameval.base.user_code import file_of_module
from streameval.items import kinds, kinds_in
from streameval.items.kind import INPUTS, ItemKind
from streameval.learners import registry as learner_registry
from streameval.learners.adapters.predictions_file import PredictionsFile
from streameval.learners.registry import LearnerSpec
from streameval.streams.readers.content import READER_OF, content_name
from streameval.streams.registry import (
    DriftStart,
    FileSpec,
    StreamId,
    StreamSpec,
    check_row,
    make_spec,
    reader_arguments,
)

#: The folder of studies, below the folder of a run or of the project.
STUDIES = Path("config", "studies")
#: The folder of studies that only a clone of the project has, and of their kinds.
VALIDATION = Path("validation")
#: Stands, among the studies of a run, for all studies that come with the project.
ALL = "all"


class _Study(Struct, kw_only=True):
    """The content of ``config/studies/STUDY.yaml``; the kind of an item checks its settings.

    Streams and learners are added to the registries; their rows have the same form, or a shorter
    one. Modules of kinds are added to the modules of the package. `seeds` is the number of runs of
    each random learner, for items that show several runs and do not set the number.
    """

    titles: dict[str, Text] = {}
    streams: dict[str, dict[str, Any]] = {}
    learners: dict[str, dict[str, Any]] = {}
    kinds: Annotated[tuple[ModuleName, ...], Meta(extra_json_schema=UNIQUE_ITEMS)] = ()
    seeds: Count | None = None
    items: dict[str, dict[Id, dict[str, Any]]]


#: The keys that the file of a study may have.
STUDY_KEYS = tuple(fields_of(_Study))
#: Keys of a study whose mappings are merged over all files.
_MERGED = tuple(key for key in STUDY_KEYS if key not in ("kinds", "seeds"))


class _Registries(Struct):
    """The files that list all streams and learners."""

    streams: str
    learners: str


class _Data(Struct):
    """Where raw files come from."""

    mirror: str | None
    offline: bool
    missing: Literal["skip", "fail"]
    stand_ins: Literal["missing", "always"]


class ConfigContent(_Study, kw_only=True):
    """The content of ``config/config.yaml``; see ``config/README.md``."""

    scale: Literal["quick", "middle", "paper"]
    registries: _Registries
    data: _Data
    studies: Annotated[tuple[Id, ...], Meta(min_length=1, extra_json_schema=UNIQUE_ITEMS)]
    items: dict[str, dict[Id, dict[str, Any]]] = {}


@dataclass(frozen=True)
class Configuration:
    """A checked configuration, and the content of each of its files in descending precedence.

    If an item has the key `rows`, the first rows of each of its streams are a stream of their own.
    `rows_settings` has, by the id of such a stream, the keys that lead to the setting `rows`.
    """

    content: Mapping[str, Any]
    files: Mapping[str, Mapping[str, Any]]
    rows_settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def file_of(self, *keys: str) -> Path | None:
        """The file that decides a setting, or None if no file sets it.

        Mappings of several files are merged; any other value replaces all settings below it.
        """
        for path, content in self.files.items():
            value: Any = content
            for key in keys:
                if not isinstance(value, Mapping) or key not in value:
                    break
                value = value[key]
            else:
                return Path(path)
            if not isinstance(value, Mapping):
                return Path(path)
        return None

    def file_name_of(self, *keys: str) -> str:
        """The name of the file of a setting, for messages."""
        path = self.file_of(*keys)
        return "the configuration" if path is None else short_path(path)

    def place_of(self, *keys: str) -> str:
        """The name of a setting, for messages: its file and its keys."""
        return f"{self.file_name_of(*keys)}: at {'.'.join(keys)}"

    def place_of_stream(self, name: str) -> str:
        """The name of the setting that describes a stream, for messages; "" if none does."""
        if name in self.rows_settings:
            return self.place_of(*self.rows_settings[name])
        is_described = self.file_of("streams", name) is not None
        return self.place_of("streams", name) if is_described else ""

    def seeds_of(self, study: str) -> int:
        """Number of runs of each random learner, set by the configuration or the study's file.

        The configuration overrides the file of a study, as it does for items.
        """
        study_file = self.files.get(str(file_of_study(study)), {})
        number: int = self.content.get("seeds") or study_file.get("seeds") or 1
        return number

    def folder_of(self, *keys: str) -> Path:
        """The folder of the file that decides a setting; relative paths in the file start there."""
        path = self.file_of(*keys)
        return Path() if path is None else relative_path(path.parent)


def short_path(path: Path) -> str:
    """A path as messages show it: relative if that is shorter."""
    return str(relative_path(path))


#: The scale of the default run; other scales override settings of its items.
QUICK = "quick"


def merge_files(paths: Sequence[Path]) -> dict[str, Any]:
    """The default configuration, overridden by files in the way Snakemake overrides it."""
    content: dict[str, Any] = load_yaml(settings.locate("config/config.yaml"))
    for path in paths:
        override = load_yaml(path)
        if not isinstance(override, Mapping):
            raise ConfigError(f"{short_path(path)}: expected settings, found none: it is empty.")
        content = _merge(content, override)
    return content


def with_command_line(config: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration overridden by options of the command line, whose values are read as YAML."""
    return _merge(config, settings.typed_settings(options))


def complete(config: Mapping[str, Any], merged_files: Sequence[Path] = ()) -> Configuration:
    """Check a configuration and add the studies that it names.

    `merged_files` have been merged into it; each overrides the files before it and the default.
    """
    files = {str(path): load_yaml(path) for path in reversed([*merged_files])}
    files = {  # descending precedence; a file need not have all keys
        path: check_data(content or {}, ConfigContent, short_path(Path(path)), is_partial=True)
        for path, content in files.items()
    }
    content = check_data(config, ConfigContent, "the configuration")
    content["studies"] = _resolve_all(content["studies"])
    paths = {study: file_of_study(study) for study in content["studies"]}
    # A study without a file has its items in the configuration.
    study_files = {str(path): study_content(name) for name, path in paths.items() if path.is_file()}
    configuration = Configuration(content, {**files, **study_files})
    _refuse_unknown(configuration)
    for key in _MERGED:
        merged: dict[str, Any] = {}
        for settings_of_file in (*study_files.values(), content):
            merged = _merge(merged, settings_of_file.get(key, {}))
        content[key] = merged
    content["items"] = {study: content["items"].get(study, {}) for study in content["studies"]}
    content["scale"] = _scale_text(content["scale"], content["items"])
    return configuration


def shipped_studies() -> list[str]:
    """The studies that come with the project: first the studies of the default run."""
    default: list[str] = load_yaml(settings.ROOT / "config" / "config.yaml")["studies"]
    return [*default, *sorted(_studies_below(settings.ROOT) - {*default})]


def _studies_below(root: Path) -> set[str]:
    """Names of the studies that have a file below a folder."""
    folders = (root / folder for folder in (STUDIES, VALIDATION))
    return {path.stem for folder in folders for path in folder.glob("*.yaml")}


def _resolve_all(studies: Sequence[str]) -> tuple[str, ...]:
    """The studies of a run, with `ALL` replaced by the studies that come with the project."""
    if ALL not in studies:
        return tuple(studies)
    return tuple(dict.fromkeys([*shipped_studies(), *(name for name in studies if name != ALL)]))


def _scale_text(scale: str, items: Mapping[str, Mapping[str, Any]]) -> str:
    """The scale of a run, and whether all its items follow it; refuse a scale that changes none."""
    if scale == QUICK:
        return scale
    file = f"config/{scale}.yaml"
    items_of_scale = load_yaml(settings.locate(file))["items"]
    agrees: list[bool] = []  # for each setting to which the scale gives another value
    for study in items_of_scale.keys() & items.keys():
        default_items = study_content(study)["items"][study]
        for name in items_of_scale[study].keys() & items[study].keys():
            for key, value in items_of_scale[study][name].items():
                if default_items[name].get(key) != value:
                    agrees.append(items[study][name].get(key) == value)
    if not any(agrees):
        raise ConfigError(
            f"scale: expected {QUICK!r}, which the items of this run have, found {scale!r}: the "
            f"key alone changes no item. Use --configfile {file}, which sets the items too."
        )
    return scale if all(agrees) else f"{scale}, with some settings of its own"


def file_of_study(study: str) -> Path:
    """The path of a study's file, which is missing if only the configuration describes it."""
    file, other = (
        settings.locate(str(folder / f"{study}.yaml")) for folder in (STUDIES, VALIDATION)
    )
    return other if other.is_file() and not file.is_file() else file


def study_content(study: str) -> Mapping[str, Any]:
    """The content of the file of a study; refuse entries of other studies."""
    path = file_of_study(study)
    content: Mapping[str, Any] = check_data(load_yaml(path), _Study, short_path(path))
    for key in ("items", "titles"):
        for other in set(content.get(key, {})) - {study}:
            raise ConfigError(
                f"{short_path(path)}: at {key}.{other}: expected {key} of the study {study!r}, "
                f"as the file is named, found {key} of {other!r}."
            )
    return content


def _refuse_unknown(configuration: Configuration) -> None:
    """Refuse unknown studies, and items and titles of unknown studies."""
    content = configuration.content
    items = content.get("items", {})
    shipped = {*shipped_studies(), *_studies_below(Path())}
    hint = _hint_at_clone()
    for study in content["studies"]:
        if study not in items and study not in shipped:
            known = dict.fromkeys([*sorted(shipped), *items])
            raise ConfigError(
                f"{configuration.place_of('studies')}: there is no study {study!r}: "
                f"expected its tables and figures under items.{study}, or a file "
                f"{STUDIES / study}.yaml, or {ALL!r}. Known are {listing(known)}. {hint}"
                f"{did_you_mean(study, known)}".rstrip()
            )
    entries = [(key, study) for key in ("items", "titles") for study in content.get(key, ())]
    for key, study in entries:
        file = configuration.file_of(key, study)
        # The scales of the project set items of studies that an installed package lacks.
        is_scale = file is not None and file.resolve().parent == settings.ROOT / "config"
        if study not in content["studies"] and study not in shipped and not (hint and is_scale):
            raise ConfigError(
                f"{configuration.file_name_of(key, study)}: at {key}.{study}: expected one of the "
                f"studies {listing(content['studies'])}, found {study!r}. Name it under `studies`. "
                f"{hint}{did_you_mean(study, content['studies'])}".rstrip()
            )


def _hint_at_clone() -> str:
    """The place of the studies beyond the papers, for messages; "" in a clone, which has them."""
    if (settings.ROOT / VALIDATION).is_dir():
        return ""
    return (
        f"Studies beyond the papers are in the folder {VALIDATION} of a clone of the project; the "
        "installed package does not have them. "
    )


def _merge(content: Mapping[str, Any], override: Mapping[str, Any]) -> dict[str, Any]:
    """Content with nested keys overridden; lists are replaced as a whole."""
    merged = dict(content)
    for key, value in override.items():
        are_mappings = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = _merge(merged[key], value) if are_mappings else value
    return merged


class _Part(Struct, kw_only=True):
    """The entry of a stream that is a part of another; further keys are options of its reader.

    Without `rows` the part has all rows. `drifts` replace the known drifts of a stream from a file.
    """

    of: Text
    rows: Count | None = None
    title: Text = ""
    drifts: Annotated[tuple[DriftStart, ...], Meta(min_length=1)] = ()
    options: dict[str, Any] = {}


def configured_streams(
    configuration: Configuration, registry: Mapping[str, StreamSpec]
) -> dict[str, StreamSpec]:
    """The streams that a configuration describes itself.

    Entries may be shorter than in the registry: the reader follows from the ending of the file,
    whose path starts at the configuration's file, and its options may stand beside other keys. For
    a file that is not downloaded, the key `rows` limits the stream to its first rows. An entry with
    the key `of` has the first rows, or some columns, of a stream of the registry.
    """
    specs: dict[str, StreamSpec] = {}
    for name, row in configuration.content["streams"].items():
        where, place = configuration.file_name_of("streams", name), f"streams.{name}"
        if "of" in row:
            check_data(name, StreamId, where, ("streams",))
            options = {key: value for key, value in row.items() if key not in fields_of(_Part)}
            declared = {key: value for key, value in row.items() if key not in options}
            part = _Part(**check_data(declared, _Part, where, ("streams", name)))
            if part.of not in registry:
                message = unknown_name_text("stream", part.of, registry)
                raise ConfigError(f"{where}: at {place}.of: there is {message}")
            part.options = {**part.options, **options}
            with error_prefix(f"{where}: at {place}"):
                specs[name] = _part_of(name, part, registry[part.of])
            continue
        full_row = {"title": name, **row}
        if "generator" not in row:
            full_row = _full_row(full_row, configuration.folder_of("streams", name), where, place)
        check_data(name, StreamId, where, ("streams",))
        row = check_row(full_row, where, ("streams", name))
        with error_prefix(where):
            spec = make_spec(name, row)
        if isinstance(spec, FileSpec) and not spec.addresses:  # `first`: rows to use; 0 for all
            spec = replace(spec, first=spec.rows or 0)
        specs[name] = spec
    return specs


def first_rows_of(stream: StreamSpec, name: str, rows: int) -> StreamSpec:
    """The entry of the first rows of a stream."""
    return _part_of(name, _Part(of=stream.id, rows=rows), stream)


def _part_of(name: str, part: _Part, stream: StreamSpec) -> StreamSpec:
    """The entry of a part of a stream."""
    title = part.title or stream.title + (f", the first {part.rows:,}" if part.rows else "")
    entry = replace(stream, id=name, title=title, rows=part.rows or stream.rows)
    if not isinstance(entry, FileSpec):
        if part.drifts:
            raise ConfigError(
                "expected no key drifts, as the drifts of a generated stream follow from its "
                f"parameters, found {listing(map(str, part.drifts))}. Leave the key out."
            )
        if part.options:
            keys = (key for key in fields_of(_Part) if key != "drifts")
            raise ConfigError(
                f"expected the keys {', '.join(keys)} of a generated stream, found "
                f"{listing(part.options)}. Write an entry with the key generator instead."
            )
        return entry
    drifts = part.drifts or entry.drifts
    # The class counts are those of the whole stream.
    entry = replace(entry, first=part.rows or 0, class_counts=None, drifts=drifts)
    if not part.options:
        return entry
    bundled, options = entry.bundled, {**entry.options, **part.options}
    if bundled is None:
        entry = replace(entry, columns=None, options=options)
        return replace(entry, options=reader_arguments(entry))
    bundled = replace(bundled, options={**bundled.options, **part.options})
    # The options are those of the file in the package, so the raw file is not used.
    no_raw_file: dict[str, Any] = {"file": "", "reader": "", "addresses": (), "options": {}}
    entry = replace(entry, columns=None, bundled=bundled, **no_raw_file)
    options = reader_arguments(entry, in_package=True)
    return replace(entry, bundled=replace(bundled, options=options))


def _full_row(row: dict[str, Any], folder: Path, where: str, place: str) -> dict[str, Any]:
    """The entry of a file in the form of the registry, from an entry that may be shorter."""
    if not isinstance(row.get("file"), str):
        raise ConfigError(
            f"{where}: at {place}: expected the key file, a path from the folder of this file, or "
            f"the key generator; found {', '.join(key for key in row if key != 'title')}."
        )
    options = {key: value for key, value in row.items() if _is_option(key, value)}
    row = {key: value for key, value in row.items() if key not in options}
    row["options"] = {**row.get("options", {}), **options}
    if "addresses" in row:  # downloaded: the path is below the folder of raw files
        return row
    path = (folder / row["file"]).absolute()
    if not path.is_file():
        obstacle = "a folder" if path.is_dir() else "none"
        raise ConfigError(f"{where}: at {place}.file: expected a file, found {obstacle} at {path}.")
    row["file"] = str(path)
    if "reader" not in row:
        row["reader"] = _reader_of(path, where, place)
    return row


def _is_option(key: str, value: object) -> bool:
    # `classes` is the number of classes; as a list it is the option of CSV files that names them.
    return key not in fields_of(FileSpec) or (key == "classes" and isinstance(value, list))


def _reader_of(path: Path, where: str, place: str) -> str:
    try:
        ending = Path(content_name(path)).suffix.lower()
    except DataError as error:
        raise ConfigError(f"{where}: at {place}.file: {error}") from error
    if ending not in READER_OF:
        raise ConfigError(
            f"{where}: at {place}.file: expected a file ending in {', '.join(READER_OF)}, "
            f"perhaps followed by .gz, .bz2, .xz or .zip, found {path.name}. Or name its reader: "
            "`reader: csv`."
        )
    return READER_OF[ending]


def known_kinds(configuration: Configuration) -> dict[str, ItemKind]:
    """The kinds of the package and of the modules that a configuration names.

    Raises
    ------
    ConfigError
        If a module cannot be imported, lists no kinds, or lists a kind whose name is taken. The
        message says in which file the module is named.
    """
    known = dict(kinds())
    _refuse_namesake_modules(modules_of_kinds(configuration))
    for module, folder, where in modules_of_kinds(configuration):
        with error_prefix(f"{where}: at kinds: {module}"):
            for kind in kinds_in(module, folder):
                namesake = known.setdefault(kind.name, kind)
                # Several files may name one module, each by the path of its own folder.
                if namesake != replace(kind, folder=namesake.folder):
                    raise ConfigError(
                        f"expected new names of kinds, found {kind.name!r}, which "
                        f"{namesake.module} has. Rename it."
                    )
                if not kind.frames and not kind.columns:
                    raise ConfigError(
                        f"the kind {kind.name!r}: expected frames, of a figure, or columns, of a "
                        "table, found neither. Name the columns that its study returns."
                    )
                if kind.source_kind and not (
                    kind.source_kind in known and known[kind.source_kind].is_figure
                ):
                    raise ConfigError(
                        f"the kind {kind.name!r}: reads: expected {', '.join(INPUTS)} or a kind "
                        f"with frames, listed before it, found {kind.reads!r}."
                    )
    return known


def _refuse_namesake_modules(modules: Iterable[tuple[str, str, str]]) -> None:
    """Refuse two modules with the same name in two folders: Python imports only one of them."""
    files = dict[str, Path]()
    for module, folder, where in modules:
        path = file_of_module(module, folder)
        if files.setdefault(module, path) != path:
            raise ConfigError(
                f"{where}: at kinds: {module}: expected a module with a name of its own, found "
                f"{path} and {files[module]}. Rename one of them."
            )


def modules_of_kinds(configuration: Configuration) -> Iterator[tuple[str, str, str]]:
    """Yield name, folder and configuration file of each module under the key `kinds`."""
    in_files = set[str]()
    for path, content in configuration.files.items():
        for module in content.get("kinds", ()):
            in_files.add(module)
            yield module, str(relative_path(Path(path).parent)), short_path(Path(path))
    for module in configuration.content.get("kinds", ()):
        if module not in in_files:
            yield module, str(Path()), "the configuration"


def configured_learners(configuration: Configuration) -> dict[str, LearnerSpec]:
    """The learners that a configuration describes itself; paths of files start at its folder."""
    specs = {}
    for name, row in configuration.content["learners"].items():
        folder = configuration.folder_of("learners", name)
        check_data(name, Id, configuration.file_name_of, ("learners", name))
        row = learner_registry.checked_learner_row(
            {"title": name, **row}, configuration.file_name_of, ("learners", name)
        )
        file = row.get("parameters", {}).get("file")
        if row["learner"] == PredictionsFile.name and isinstance(file, str):
            row["parameters"] = {**row["parameters"], "file": str(folder / file)}
        specs[name] = LearnerSpec(id=name, folder=str(folder), **row)
    return specs
