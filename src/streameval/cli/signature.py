"""Options of a command from the signature of a function of the API, and its docstring."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any

#: Letters for values, by their type; of options that say more, by name.
_LETTERS = {"int": "N", "float": "X", "str": "TEXT"}
_METAVARS = {
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
_SECTION = re.compile(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", re.DOTALL | re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.)])\s+(?=[A-Z`])")
_CHOICE = re.compile(r"""['"](\w+)['"]""")
#: What only Python has: names of its functions and parameters.
_OF_PYTHON = re.compile(r"(?<!`)`(?!`)")
_SINGULAR = (("ies", "y"), ("s", ""))


def add_options(
    command: argparse._ActionsContainer,
    function: Callable[..., Any],
    names: Collection[str],
    **about: str,
) -> None:
    """Add an option for some parameters of a function, with the help of `about` or the docstring.

    Flags are those that change the default; several values are repeated, in the singular.
    """
    known = inspect.signature(function).parameters
    texts = {**described(function), **about}
    for name in names:
        kinds, default = str(known[name].annotation).split(" | "), known[name].default
        settings: dict[str, Any] = {"help": texts.get(name, "").replace("%", "%%"), "dest": name}
        if isinstance(default, bool):
            word = f"no-{name}" if default else name
            action = "store_false" if default else "store_true"
            command.add_argument(_option(word), action=action, default=default, **settings)
            continue
        if choices := _CHOICE.findall(str(known[name].annotation)):
            command.add_argument(_option(name), choices=choices, **settings)
            continue
        scalar = next((kind for kind in kinds if kind in _LETTERS), "str")
        several = [kind for kind in kinds if kind.startswith(("Sequence[", "Iterable["))]
        if several:
            scalar = several[0].partition("[")[2].removesuffix("]")
        read: Callable[[str], Any] = {"int": int, "float": float}.get(scalar, str)
        if "str" in kinds and scalar != "str":
            read = _number_or_text if scalar == "int" else str
        settings |= {"type": read, "metavar": _METAVARS.get(name, _LETTERS[scalar])}
        if several:
            settings["action"] = "append" if scalar != "str" or name.endswith("s") else "extend"
        if settings.get("action") == "extend":
            settings["nargs"] = "+"
        command.add_argument(_option(_singular(name) if several else name), **settings)


def keyword_arguments(
    options: argparse.Namespace, function: Callable[..., Any], **more: Any
) -> dict[str, Any]:
    """Arguments of a function that were set as options, and further ones."""
    known = inspect.signature(function).parameters
    values = {name: getattr(options, name, None) for name in known}
    return {name: value for name, value in values.items() if value is not None} | more


@cache
def described(function: Callable[..., Any]) -> Mapping[str, str]:
    """Texts of the parameters in a docstring, for readers who do not know Python."""
    section = _SECTION.search(inspect.getdoc(function) or "")
    texts: dict[str, list[str]] = {}
    names: list[str] = []
    for line in section[1].splitlines() if section else ():
        if line and not line.startswith(" "):
            names = line.partition(" :")[0].split(", ")
            texts |= {name: [] for name in names}
        else:
            for name in names:
                texts[name].append(line.strip())
    return {name: _plain(" ".join(lines)) for name, lines in texts.items()}


def _plain(text: str) -> str:
    kept = [
        sentence for sentence in _SENTENCE.split(text.strip()) if not _OF_PYTHON.search(sentence)
    ]
    plain = " ".join(kept).replace('``"', "").replace('"``', "").replace("``", "")
    plain = plain if plain.endswith("..") else plain.removesuffix(".")
    return plain[:1].lower() + plain[1:] if plain[1:2].islower() or plain[1:2] == " " else plain


def _number_or_text(text: str) -> int | str:
    return int(text) if re.fullmatch(r"\s*[+-]?\d+\s*", text) else text


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _singular(name: str) -> str:
    ending = next(
        (ending_pair for ending_pair in _SINGULAR if name.endswith(ending_pair[0])), ("", "")
    )
    return name.removesuffix(ending[0]) + ending[1]
