"""Folders of settings, and strict reading of YAML.

A file is read by libyaml, which is fast. PyYAML's parser, whose messages are more exact, reads
files that libyaml refuses or might read differently.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streameval.base.errors import ConfigError, excerpt

if TYPE_CHECKING:
    import yaml


def _root() -> Path:
    package = Path(__file__).resolve().parents[1]
    installed = package / "project"
    return installed if installed.is_dir() else package.parents[1]


#: The folder of ``config``, ``workflow``, ``resources/published`` and ``resources/recorded``: the
#: top folder of a clone, or a folder inside an installed package.
ROOT = _root()
#: The folder of downloaded data files, relative to the working folder.
RAW = Path("resources", "raw")
#: Largest size of a file of settings; a larger file was not written by hand.
MAX_BYTES = 4 << 20
#: Largest number of values, with aliases expanded.
MAX_NODES = 200_000
#: Maximum number of brackets for libyaml, whose stack is limited.
_MAX_BRACKETS = 5000
#: Texts that libyaml and PyYAML's parser may read differently: tabs, tags, byte order marks,
#: complex keys (``? key``), and block texts whose ``|`` or ``>`` is followed by a comment at once.
_READ_DIFFERENTLY = re.compile(r"[\t!\ufeff]|\?(?!\w)|(?<!\w)\?|[>|][-+0-9]*#")


class _StrictLoaderMixin:
    """Mixin for a YAML loader that refuses repeated keys, where YAML loaders use the last one.

    Numbers are as in YAML 1.2: ``1:30``, ``010`` and dates are texts. As in YAML 1.1, ``yes`` is
    true, and ``1_000`` is a number.
    """

    name: str
    n_nodes = 0  # so far
    # Empty, without PyYAML's rules of YAML 1.1: `_loaders` adds the forms of values.
    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - declared so in yaml

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Stop after `MAX_NODES` nodes, since PyYAML's parser takes minutes for a long text."""
        self.n_nodes += 1
        if self.n_nodes > MAX_NODES:
            raise ConfigError(_too_many(self.name))
        return super().compose_node(parent, index)  # type: ignore[misc]

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        import yaml

        counts = Counter(key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode))
        repeated = [key for key, count in counts.items() if count > 1]
        if repeated:
            raise ConfigError(
                f"{self.name}, line {node.start_mark.line + 1}: the key "
                f"{excerpt(repeated[0])!r} occurs twice. Remove or rename one."
            )
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)  # type: ignore[misc]
        return mapping


_FLOAT = (
    r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*)([eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+"
    r"|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
#: Pattern and first characters of the plain values of each type; "" is for an empty value.
_FORMS = {
    "null": (r"~|null|Null|NULL|", [*"~nN", ""]),
    "bool": (r"(?i:true|false|yes|no|on|off)", [*"tTfFyYnNoO"]),
    "int": (r"[-+]?(0|[1-9][0-9_]*)|0x[0-9a-fA-F]+", [*"-+0123456789"]),
    "float": (_FLOAT, [*"-+.0123456789"]),
    "merge": ("<<", ["<"]),
}


@functools.cache
def _loaders() -> tuple[Any, Any]:
    """YAML loaders: the fast one of libyaml, if PyYAML has it, and the exact one.

    PyYAML is imported here: few commands read settings, and the import is slow.
    """
    import yaml

    kinds = getattr(yaml, "CSafeLoader", yaml.SafeLoader), yaml.SafeLoader
    loaders = [type("_Loader", (_StrictLoaderMixin, kind), {}) for kind in kinds]
    for loader, (tag, (form, first_characters)) in itertools.product(loaders, _FORMS.items()):
        pattern = re.compile(f"(?:{form})\\Z")
        loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", pattern, first_characters)
    fast, exact = loaders
    return fast, exact


def load_yaml(path: Path) -> Any:
    """Read a YAML file; a missing or broken file raises `ConfigError`."""
    import yaml

    fast, exact = _loaders()
    try:
        if not path.is_file():
            raise ConfigError(f"{path}: expected a YAML file, found none. Check the path.")
        text = _text(path)
        if _is_safe_for_libyaml(text):
            # After an error, the exact loader reads the text again for its message.
            with suppress(yaml.YAMLError, ValueError, IndexError):
                return _content(fast(text), path)
        return _content(exact(text), path)
    except OSError as error:
        raise ConfigError(f"{excerpt(path)}: expected a YAML file: {error.strerror}.") from error
    except RecursionError as error:
        raise ConfigError(f"{path}: expected YAML, found too deeply nested lists.") from error
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        hint = " Indent with blanks." if "'\\t'" in str(error.problem) else ""
        raise ConfigError(
            f"{path}{line}: expected YAML, found an error: {excerpt(error.problem)}.{hint}"
        ) from error
    except (yaml.YAMLError, ValueError, IndexError) as error:
        raise ConfigError(f"{path}: expected YAML, found an error: {excerpt(error)}.") from error


def typed_settings(settings: Any) -> Any:
    """Settings of a command line, with nested texts read as in a YAML file.

    Snakemake leaves nested values as texts: ``data={offline: true}`` is ``{"offline": "true"}``.
    """
    if isinstance(settings, Mapping | list):
        pairs = settings.items() if isinstance(settings, Mapping) else enumerate(settings)
        # An empty text stays a text, like `""` in a file; only `null` is a missing value.
        values = {
            key: _read(value) if isinstance(value, str) and value else typed_settings(value)
            for key, value in pairs
        }
        return values if isinstance(settings, Mapping) else [*values.values()]
    return settings


def _read(text: str) -> Any:
    """Value of an unquoted text in a YAML file: a number, truth value, None or the text."""
    import yaml

    loader = _loaders()[1]("")
    try:
        is_plain, is_quoted = True, False
        tag = loader.resolve(yaml.ScalarNode, text, (is_plain, is_quoted))
        node = yaml.ScalarNode(tag, text)
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _content(loader: Any, path: Path) -> Any:
    try:
        loader.name = str(path)
        root = loader.get_single_node()
        _check_size(root, path)
        return None if root is None else loader.construct_document(root)
    finally:
        loader.dispose()


def _is_safe_for_libyaml(text: str) -> bool:
    """Whether libyaml reads a text as PyYAML's parser does, within the limits of its stack."""
    nested = text.count("[") + text.count("{")
    return nested <= _MAX_BRACKETS and not _READ_DIFFERENTLY.search(text)


def _text(path: Path) -> str:
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ConfigError(
            f"{path}: expected settings, found more than {MAX_BYTES:,} bytes. Check the path."
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{path}, line {line}: expected text in UTF-8, found the byte "
            f"0x{content[error.start]:02x}. Save the file in UTF-8."
        ) from error


def _check_size(root: yaml.Node | None, path: Path) -> None:
    """Refuse too many values, and aliases that contain themselves or multiply each other."""
    import yaml

    sizes: dict[int, int] = {}

    def size(node: Any) -> int:
        if id(node) not in sizes:
            sizes[id(node)] = MAX_NODES  # a node that contains itself is infinite
            parts = [node.value] if isinstance(node, yaml.ScalarNode) else node.value
            is_mapping = isinstance(node, yaml.MappingNode)  # its parts are pairs
            inner = [part for pair in parts for part in pair] if is_mapping else parts
            sizes[id(node)] = 1 + sum(size(part) for part in inner if isinstance(part, yaml.Node))
        return sizes[id(node)]

    if root is not None and size(root) > MAX_NODES:
        raise ConfigError(_too_many(str(path)))


def _too_many(name: str) -> str:
    return (
        f"{name}: expected settings, found more than {MAX_NODES:,} values, or aliases (*) that "
        "expand to so many or contain themselves. Check the path, or write the aliases out."
    )


def load_settings(path: Path, expected_type: Any) -> Any:
    """Read a YAML file and check it; see `streameval.base.schema.check_data`."""
    from streameval.base.schema import check_data  # imported here: help needs no msgspec

    return check_data(load_yaml(path), expected_type, str(path))


def relative_path(path: Path) -> Path:
    """Path relative to the working folder if it is below, so that the folder may be moved."""
    here, path = Path.cwd().resolve(), path.resolve()
    return path.relative_to(here) if path.is_relative_to(here) else path


def locate(path: str) -> Path:
    """Path of a file in the working folder or, if the file is not there, in `ROOT`."""
    with suppress(OSError):  # a name too long for the file system
        for base in (Path.cwd(), ROOT):
            if (base / path).exists():
                return base / path
    return Path(path)
