"""Reading YAML strictly: ambiguous or broken files are refused with one message."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from streameval.errors import ConfigError, excerpt

#: Settings are written by hand: a larger file is something else, or uses aliases of aliases.
MAX_BYTES, MAX_NODES = 4 << 20, 200_000


class _Loader(yaml.SafeLoader):
    """A YAML loader that refuses repeated keys instead of taking the last one.

    Numbers are those of YAML 1.2: ``1e-7`` is a number, while ``1:30``, ``010`` and dates, which
    YAML 1.1 converts, are texts. ``yes`` and ``no`` are true and false, as in YAML 1.1.
    """

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - as yaml declares it

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        times = Counter(key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode))
        twice = [key for key, count in times.items() if count > 1]
        if twice:
            raise ConfigError(
                f"{node.start_mark.name}, line {node.start_mark.line + 1}: the key "
                f"{excerpt(twice[0])!r} occurs twice. Remove or rename one."
            )
        return super().construct_mapping(node, deep)


_FLOAT = (
    r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*)([eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+"
    r"|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
for _tag, _form, _first in (
    ("null", r"~|null|Null|NULL|", [*"~nN", ""]),
    ("bool", r"(?i:true|false|yes|no|on|off)", [*"tTfFyYnNoO"]),
    ("int", r"[-+]?(0|[1-9][0-9_]*)|0x[0-9a-fA-F]+", [*"-+0123456789"]),
    ("float", _FLOAT, [*"-+.0123456789"]),
    ("merge", "<<", ["<"]),
):
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"(?:{_form})\\Z"), _first
    )


def load_yaml(path: Path) -> Any:
    """Read a YAML file; a file that is missing or broken is a `ConfigError`."""
    loader = None
    try:
        if not path.is_file():
            raise ConfigError(f"{path}: expected a YAML file, found none. Check the path.")
        loader = _Loader(_text(path))
        loader.name = str(path)
        root = loader.get_single_node()
        _check_size(root, path)
        return None if root is None else loader.construct_document(root)
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
    except (yaml.YAMLError, ValueError) as error:
        raise ConfigError(f"{path}: expected YAML, found an error: {excerpt(error)}.") from error
    finally:
        if loader is not None:
            loader.dispose()


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
    """Refuse aliases that contain themselves or multiply each other."""
    sizes: dict[int, int] = {}

    def size(node: Any) -> int:
        if id(node) not in sizes:
            sizes[id(node)] = MAX_NODES  # a node that contains itself is infinite
            parts = [node.value] if isinstance(node, yaml.ScalarNode) else node.value
            pairs = isinstance(node, yaml.MappingNode)
            inner = [part for pair in parts for part in pair] if pairs else parts
            sizes[id(node)] = 1 + sum(size(part) for part in inner if isinstance(part, yaml.Node))
        return sizes[id(node)]

    if root is not None and size(root) > MAX_NODES:
        raise ConfigError(
            f"{path}: expected settings, found aliases (*) that expand to more than {MAX_NODES:,} "
            "values, or contain themselves. Write them out."
        )
