"""The frame of all pages: templates, style, and how numbers are written."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from streameval import __version__

_SYMBOL = re.compile(r"\b(κ|P)_(\w+)")


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("streameval.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["symbols"] = symbols
    made.globals["version"] = __version__
    made.globals["style"] = _style
    return made


def symbols(text: str) -> Markup:
    """Return a text with the subscripts of measures set below the line: κ_t."""
    return Markup(_SYMBOL.sub(r"\1<sub>\2</sub>", str(escape(text))))  # noqa: S704  escaped before


def _style(name: str) -> Markup:
    return Markup(files("streameval.pages").joinpath("templates", name).read_text("utf-8"))


def render(template: str, **content: Any) -> str:
    """Return the page of a template with this content, all of it escaped."""
    return _environment().get_template(template).render(content)
