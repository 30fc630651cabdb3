"""Pages of the public functions and classes, from their docstrings."""

from __future__ import annotations

import inspect
from typing import Any

import docstrings
from pages import Site
from reference import table

import streameval

#: A page for each, with its title and the modules that define what is on it. Exceptions come last.
_GROUPS = {
    "evaluating": (
        "Evaluating and comparing",
        ("evaluate", "compare", "check", "detect", "budget", "tune", "over_streams", "memory"),
    ),
    "streams": ("Streams", ("streams", "stream")),
    "learners": ("Learners", ("learners", "wrappers", "batch_models")),
    "results": ("Results", ("result", "comparison", "report")),
    "measures": ("Measures of labels", ("measures",)),
    "errors": ("Errors and warnings", ()),
}


def groups() -> dict[str, list[str]]:
    """The public names by page."""
    pages: dict[str, list[str]] = {page: [] for page in _GROUPS}
    for name in streameval.__all__:
        pages[_page_of(_thing(name))].append(name)
    return pages


def _page_of(thing: Any) -> str:
    """The page of a public object; a module that no page names is an error here."""
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return "errors"
    module = thing.__module__.rpartition(".")[2]
    return next(page for page, (_, modules) in _GROUPS.items() if module in modules)


def add(site: Site) -> list[str]:
    """Add the pages to the site; return their names without endings."""
    parts = ["# Python\n\nThe public names of the package, `import streameval as se`.\n"]
    for page, names in groups().items():
        title = _GROUPS[page][0]
        rows = [
            [f"[{name}](api/{page}.md#{name.lower()})", docstrings.summary(_thing(name))]
            for name in names
        ]
        parts.append(f"## {title}\n\n{table(['name', 'what it is'], rows)}")
        head = f"# {title}\n\n"
        place = f"reference/api/{page}.md"
        site.texts[place] = head + "\n".join(map(_for_builder, names))
        site.plain[place] = head + "\n".join(map(_for_readers, names))
    site.texts["reference/api.md"] = "\n".join(parts)
    return [f"reference/api/{page}" for page in _GROUPS]


def _thing(name: str) -> Any:
    return getattr(streameval, name)


def _for_builder(name: str) -> str:
    directive = "autofunction"
    options = ""
    if inspect.isclass(_thing(name)):
        is_error = issubclass(_thing(name), Exception)
        directive = "autoexception" if is_error else "autoclass"
        options = "" if is_error else "   :members:\n   :inherited-members:\n"
    rst = f".. {directive}:: streameval.{name}\n{options}"
    return f"## {name}\n\n```{{eval-rst}}\n{rst}```\n"


def _for_readers(name: str) -> str:
    thing = _thing(name)
    parts = [f"## {name}\n", f"```python\n{name}{_signature(thing)}\n```\n"]
    parts.append(docstrings.as_markdown(thing))
    if inspect.isclass(thing) and not issubclass(thing, Exception):
        for member, what in inspect.getmembers(thing):
            if member.startswith("_") or not inspect.getdoc(what):
                continue
            signature = _signature(what) if callable(what) else ""
            parts.append(f"### {name}.{member}{signature}\n\n{docstrings.as_markdown(what)}")
    return "\n".join(parts)


def _signature(thing: Any) -> str:
    try:
        signature = inspect.signature(thing)
    except ValueError:
        return ""
    bare = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in signature.parameters.values()
        if parameter.name != "self"
    ]
    return str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))
