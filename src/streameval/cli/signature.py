"""Options of a command from the signature and the docstring of a function of the API."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any

#: Placeholders for values in help, by type.
_TYPE_METAVARS = {"int": "N", "float": "X", "str": "TEXT"}
#: Placeholders by parameter, if the placeholder of the type would not be specific enough.
_PARAMETER_METAVARS = {
    **dict.fromkeys(("target", "drop", "nominal", "numeric", "time", "label_time", "group"), "COL"),
    "separator": "MARK",
    "decimal": "MARK",
    "thousands": "MARK",
    "encoding": "NAME",
    "member": "NAME",
    "protocol": "P",
    "every": "K",
    "bins": "B",
    "rope": "D",
    "runs": "R",
    "seasonal": "P",
    "detectors": "D",
    "budgets": "B",
    "strategies": "S",
    "intervals": "C[:GAMMA[:WINDOW[:INFINITE]]]",
}
#: The section "Parameters" of a docstring in NumPy style.
_PARAMETERS_SECTION = re.compile(
    r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", re.DOTALL | re.MULTILINE
)
_SENTENCE_END = re.compile(r"(?<=[.)])\s+(?=[A-Z`])")
#: A value in an annotation such as ``Literal["label", "age"]``.
_LITERAL_VALUE = re.compile(r"""['"](\w+)['"]""")
#: A single backtick encloses a name of the Python API; such sentences are left out of help.
_BACKTICK = re.compile(r"(?<!`)`(?!`)")
#: Endings of plurals and their singulars.
_SINGULAR = (("ies", "y"), ("s", ""))


def add_options(
    command: argparse._ActionsContainer,
    function: Callable[..., Any],
    names: Collection[str],
    **help_texts: str,
) -> None:
    """Add an option for each named parameter of a function.

    Help is from `help_texts`, by parameter, or from the docstring. A flag stands for the opposite
    of the default: ``--no-header`` if `header` is true by default. An option for several values is
    in the singular and repeated: ``--budget`` for `budgets`.
    """
    parameters = inspect.signature(function).parameters
    texts = {**parameter_texts(function), **help_texts}
    for name in names:
        default, annotation = parameters[name].default, str(parameters[name].annotation)
        types = annotation.split(" | ")
        settings: dict[str, Any] = {"help": texts.get(name, "").replace("%", "%%"), "dest": name}
        if isinstance(default, bool):
            flag = f"no-{name}" if default else name
            action = "store_false" if default else "store_true"
            command.add_argument(_option(flag), action=action, default=default, **settings)
            continue
        if choices := _LITERAL_VALUE.findall(annotation):
            command.add_argument(_option(name), choices=choices, **settings)
            continue
        scalar = next((kind for kind in types if kind in _TYPE_METAVARS), "str")
        collections = [kind for kind in types if kind.startswith(("Sequence[", "Iterable["))]
        if collections:
            scalar = collections[0].partition("[")[2].removesuffix("]")
        convert: Callable[[str], Any] = {"int": int, "float": float}.get(scalar, str)
        if "str" in types and scalar != "str":
            # Functions that take float | str convert the text themselves.
            convert = _number_or_text if scalar == "int" else str
        settings |= {
            "type": convert,
            "metavar": _PARAMETER_METAVARS.get(name, _TYPE_METAVARS[scalar]),
        }
        if collections:
            # Several texts may follow one option: --drop A B. Numbers need one option each, as do
            # parameters in the plural, whose options are singular: --budget 0.1 --budget 0.2.
            settings["action"] = "append" if scalar != "str" or name.endswith("s") else "extend"
        if settings.get("action") == "extend":
            settings["nargs"] = "+"
        command.add_argument(_option(_singular(name) if collections else name), **settings)


def keyword_arguments(
    options: argparse.Namespace, function: Callable[..., Any], **other_arguments: Any
) -> dict[str, Any]:
    """Arguments of a function: the options that are set, and `other_arguments`."""
    parameters = inspect.signature(function).parameters
    values = {name: getattr(options, name, None) for name in parameters}
    return {name: value for name, value in values.items() if value is not None} | other_arguments


@cache
def parameter_texts(function: Callable[..., Any]) -> Mapping[str, str]:
    """Help texts of the parameters from a docstring, for readers who do not know Python."""
    section = _PARAMETERS_SECTION.search(inspect.getdoc(function) or "")
    texts: dict[str, list[str]] = {}
    names: list[str] = []
    for line in section[1].splitlines() if section else ():
        if line and not line.startswith(" "):
            names = line.partition(" :")[0].split(", ")
            texts |= {name: [] for name in names}
        else:
            for name in names:
                texts[name].append(line.strip())
    return {name: _help_text(" ".join(lines)) for name, lines in texts.items()}


def _help_text(text: str) -> str:
    """Help from the description of a parameter.

    Markup, sentences about Python, the full stop at the end and "Whether to" are left out. The
    first letter is small, unless an acronym begins.
    """
    sentences = [
        sentence for sentence in _SENTENCE_END.split(text.strip()) if not _BACKTICK.search(sentence)
    ]
    plain = " ".join(sentences).replace('``"', "").replace('"``', "").replace("``", "")
    plain = plain if plain.endswith("..") else plain.removesuffix(".")  # "..." stays
    plain = plain.removeprefix("Whether to ")
    return plain[:1].lower() + plain[1:] if plain[1:2].islower() or plain[1:2] == " " else plain


def _number_or_text(text: str) -> int | str:
    return int(text) if re.fullmatch(r"\s*[+-]?\d+\s*", text) else text


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _singular(name: str) -> str:
    for plural_ending, singular_ending in _SINGULAR:
        if name.endswith(plural_ending):
            return name.removesuffix(plural_ending) + singular_ending
    return name
