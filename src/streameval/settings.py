"""Reading YAML settings, with one clear message for unknown keys and wrong types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from streameval.coercion import coerced
from streameval.errors import ConfigError, excerpt, near, some
from streameval.yaml_files import load_yaml

if TYPE_CHECKING:
    import jsonschema


def _root() -> Path:
    package = Path(__file__).resolve().parent
    installed = package / "project"
    return installed if installed.is_dir() else package.parents[1]


#: The folder of ``config``, ``workflow``, ``resources/published`` and ``resources/recorded``: the
#: top folder of a clone, or a folder inside an installed package.
ROOT = _root()
SCHEMAS = ROOT / "workflow" / "schemas"
#: The folder of raw files, relative to that of a run.
RAW = Path("resources", "raw")


def load_validated(path: Path, schema: str) -> Any:
    """Read a YAML file and check it.

    Parameters
    ----------
    path : Path
        The file.
    schema : str
        Name of a schema in ``workflow/schemas``, without its ending.

    Raises
    ------
    ConfigError
        If the file is missing, is not YAML, or violates the schema.
    """
    return check(load_yaml(path), schema, str(path))


def check(content: Any, schema: str, where: str) -> Any:
    """Return settings in the form of a schema; see `coerced`.

    Raises
    ------
    ConfigError
        If they violate the schema; names the first wrong key.
    """
    return check_rules(content, rules_of(schema), where)


@cache  # every job of a run reads them again and again
def rules_of(schema: str) -> dict[str, Any]:
    """Return a schema of ``workflow/schemas`` by its name without ending."""
    text = (SCHEMAS / f"{schema}.schema.yaml").read_text(encoding="utf-8")
    rules: dict[str, Any] = yaml.safe_load(text)
    return rules


def check_rules(
    content: Any,
    rules: Mapping[str, Any],
    where: str | Callable[..., str],
    place: Sequence[str] = (),
) -> Any:
    """Return a content as the rules of a schema have it; see `coerced`.

    Parameters
    ----------
    content : object
        What YAML was read into.
    rules : mapping
        A JSON schema.
    where : str or callable
        The file, for messages, or what returns it for the keys of a wrong setting.
    place : sequence of str
        The keys at which the content stands in the file.

    Raises
    ------
    ConfigError
        If it breaks the schema; names the first key that does.
    """
    import jsonschema  # takes long to load, and commands on files need no schema

    try:
        content = coerced(content, rules, place)
    except ConfigError as error:
        file = where if isinstance(where, str) else where(*error.keys)
        raise ConfigError(f"{file}: {error}") from error
    validator = jsonschema.Draft202012Validator(dict(rules))
    wrong = jsonschema.exceptions.best_match(validator.iter_errors(content))
    if wrong is not None:
        keys = [*place, *map(str, wrong.absolute_path)]
        said = _explain(wrong, excerpt(".".join(keys) or "the top level"))
        keys += _unknown(wrong)[:1]
        file = where if isinstance(where, str) else where(*keys)
        raise ConfigError(f"{file}: {said}")
    return content


def _unknown(error: jsonschema.ValidationError) -> list[str]:
    """Return the keys that a schema does not have."""
    if error.validator != "additionalProperties" or not isinstance(error.schema, dict):
        return []
    known = error.schema.get("properties", {})
    return [key for key in error.instance if key not in known]  # type: ignore[union-attr]


def _explain(error: jsonschema.ValidationError, place: str) -> str:
    if error.instance is None and not error.absolute_path:
        return "expected settings, found none: it is empty."
    unknown = _unknown(error)
    if unknown:
        known = sorted(error.schema.get("properties", {}))  # type: ignore[union-attr]
        hint = near(str(unknown[0]), known)
        return f"at {place}: unknown key {some(unknown)}; known are {some(known)}. {hint}".rstrip()
    return f"at {place}: {excerpt(error.message, 500)}."


def locate(path: str) -> Path:
    """Return a path in the working folder or, if there is none, among the project's own files."""
    with suppress(OSError):  # a name too long for the file system
        for base in (Path.cwd(), ROOT):
            if (base / path).exists():
                return base / path
    return Path(path)
