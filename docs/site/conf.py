"""Settings of Sphinx; `make.py` calls it."""

from __future__ import annotations

import posixpath
from typing import Any

from pygments.lexers.special import TextLexer
from sphinx.domains.python import PyObject
from sphinx.ext.napoleon import NumpyDocstring

from streameval import __version__

project = "streameval"
author = "The streameval authors"
copyright = author  # noqa: A001 - Sphinx's name
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
exclude_patterns = ["files/**"]
highlight_language = "none"
default_role = "py:obj"
add_module_names = False
autodoc_typehints = "none"
autodoc_class_signature = "separated"  # most classes are returned, not called
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
myst_heading_anchors = 6
myst_enable_extensions = ["colon_fence"]

html_theme = "furo"
html_title = "streameval"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}


def setup(app: Any) -> None:
    """Name the Markdown of each page in its head; show lines of CSV as they are."""
    app.add_lexer("csv", TextLexer)
    NumpyDocstring._consume_inline_attribute = _whole
    for field in PyObject.doc_field_types:
        if field.name == "variable":
            field.label = "Attributes"
    app.connect("html-page-context", _with_markdown)


def _whole(docstring: Any) -> tuple[str, list[str]]:
    """A property's docstring; Napoleon takes the text before a colon for its type."""
    lines = docstring._dedent(docstring._consume_to_end())
    return "", docstring.__class__(lines, docstring._config).lines()


def _with_markdown(app: Any, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    if tree is not None:
        link = f'<link rel="alternate" type="text/markdown" href="{posixpath.basename(page)}.md">'
        context["metatags"] = context.get("metatags", "") + link
