"""Reading YAML settings: unknown keys and wrong types give one clear message."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import yaml

from streameval.errors import ConfigError, some


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
    content = load_yaml(path)
    check(content, schema, str(path))
    return content


class _Loader(yaml.SafeLoader):
    """YAML in which a key that occurs twice is an error, not silently the last one."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value]
        twice = [key for key in keys if keys.count(key) > 1]
        if twice:
            raise ConfigError(
                f"{node.start_mark.name}, line {node.start_mark.line + 1}: the key {twice[0]!r} "
                "occurs twice. Remove or rename one."
            )
        return super().construct_mapping(node, deep)


def load_yaml(path: Path) -> Any:
    """Read a YAML file; a file that is missing or broken is a `ConfigError`."""
    if not path.is_file():
        raise ConfigError(f"{path}: expected a YAML file, found none. Check the path.")
    try:
        with path.open(encoding="utf-8") as file:
            # A SafeLoader with one more check.
            return yaml.load(file, _Loader)  # noqa: S506
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: expected YAML, found {error}.") from error


def check(content: Any, schema: str, where: str) -> None:
    """Raise a `ConfigError` that names the first key of `content` that breaks a schema."""
    rules = yaml.safe_load((SCHEMAS / f"{schema}.schema.yaml").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(rules)
    error = jsonschema.exceptions.best_match(validator.iter_errors(content))
    if error is not None:
        raise ConfigError(f"{where}: {_explain(error)}")


def _explain(error: jsonschema.ValidationError) -> str:
    place = ".".join(map(str, error.absolute_path)) or "the top level"
    if error.validator == "additionalProperties" and isinstance(error.schema, dict):
        known = sorted(error.schema.get("properties", {}))
        unknown = [key for key in error.instance if key not in known]  # type: ignore[union-attr]
        return f"at {place}: unknown key {some(unknown)}; known are {some(known)}."
    return f"at {place}: {error.message}."


def locate(path: str) -> Path:
    """Return a path of the working folder or, failing that, of the project's own files."""
    return next((base / path for base in (Path.cwd(), ROOT) if (base / path).exists()), Path(path))
