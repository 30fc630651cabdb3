"""Reading YAML settings: unknown keys and wrong types give one clear message."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import yaml

from streameval.coercion import coerced
from streameval.errors import ConfigError, excerpt, some
from streameval.yaml_files import load_yaml


def _root() -> Path:
    package = Path(__file__).resolve().parent
    installed = package / "project"
    return installed if installed.is_dir() else package.parents[1]


#: Where ``config``, ``workflow`` and ``resources/published`` stand: in a clone its top folder, in
#: an installed package a folder inside it.
ROOT = _root()
SCHEMAS = ROOT / "workflow" / "schemas"
#: Where raw files are kept, from the folder of a run.
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
        If the file is missing, is no YAML, or breaks the schema.
    """
    return check(load_yaml(path), schema, str(path))


def check(content: Any, schema: str, where: str) -> Any:
    """Return a content as a schema has it; see `coerced`.

    Raises
    ------
    ConfigError
        If it breaks the schema; names the first key that does.
    """
    rules = yaml.safe_load((SCHEMAS / f"{schema}.schema.yaml").read_text(encoding="utf-8"))
    try:
        content = coerced(content, rules)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from error
    validator = jsonschema.Draft202012Validator(rules)
    wrong = jsonschema.exceptions.best_match(validator.iter_errors(content))
    if wrong is not None:
        raise ConfigError(f"{where}: {_explain(wrong)}")
    return content


def _explain(error: jsonschema.ValidationError) -> str:
    place = excerpt(".".join(map(str, error.absolute_path)) or "the top level")
    if error.instance is None and not error.absolute_path:
        return "expected settings, found none: it is empty."
    if error.validator == "additionalProperties" and isinstance(error.schema, dict):
        known = sorted(error.schema.get("properties", {}))
        unknown = [key for key in error.instance if key not in known]  # type: ignore[union-attr]
        return f"at {place}: unknown key {some(unknown)}; known are {some(known)}."
    return f"at {place}: {excerpt(error.message, 500)}."


def locate(path: str) -> Path:
    """Return a path of the working folder or, failing that, of the project's own files."""
    return next((base / path for base in (Path.cwd(), ROOT) if (base / path).exists()), Path(path))
