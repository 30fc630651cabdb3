"""Reading YAML settings: unknown keys and wrong types give one clear message."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import yaml

from streameval.errors import ConfigError

#: The source tree: where ``config`` and ``workflow`` stand.
ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "workflow" / "schemas"


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
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"{path}: no such file.") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: not valid YAML: {error}") from error
    check(content, schema, str(path))
    return content


def check(content: Any, schema: str, where: str) -> None:
    """Raise a `ConfigError` that names the first key of `content` that breaks a schema."""
    rules = yaml.safe_load((SCHEMAS / f"{schema}.schema.yaml").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(rules)
    errors = sorted(validator.iter_errors(content), key=lambda error: list(map(str, error.path)))
    if errors:
        raise ConfigError(f"{where}: {_explain(errors[0])}")


def _explain(error: jsonschema.ValidationError) -> str:
    place = ".".join(map(str, error.absolute_path)) or "the top level"
    if error.validator == "additionalProperties" and isinstance(error.schema, dict):
        known = sorted(error.schema.get("properties", {}))
        unknown = sorted(set(error.instance) - set(known))
        return f"at {place}: unknown key {', '.join(unknown)}; known are {', '.join(known)}."
    return f"at {place}: {error.message}."
