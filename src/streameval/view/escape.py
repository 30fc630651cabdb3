"""Escaping of text such as ``a<b>``, ``$x$`` and ``100 %`` for HTML, Markdown and LaTeX."""

from __future__ import annotations

import html
import re
import unicodedata

from streameval.base.errors import escape_controls

#: Markup of CommonMark, its tables, and GitHub's formulas and struck out text.
_MARKDOWN = {
    **{character: f"\\{character}" for character in "\\`*_[]$~#|"},
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
}
#: Greek letters. LaTeX has commands for most of them, named as in Unicode except LAMDA. The others
#: are replaced by the Latin letters that they look like.
_GREEK = {
    character: f"$\\{name.lower() if character.islower() else name.capitalize()}$"
    for character in "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ"
    for name in [unicodedata.name(character).split()[-1].replace("LAMDA", "LAMBDA")]
} | {"ς": r"$\varsigma$", **dict(zip("οΑΒΕΖΗΙΚΜΝΟΡΤΧ", "oABEZHIKMNOPTX", strict=True))}
#: Markup of LaTeX, and characters that its fonts have only in formulas.
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}", "'": r"\textquotesingle{}", '"': r"\textquotedbl{}",
    "|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "−": "$-$", "–": "--", "—": "---", "·": r"$\cdot$", "±": r"$\pm$", "×": r"$\times$",
    "∞": r"$\infty$", "≤": r"$\leq$", "≥": r"$\geq$", "≠": r"$\neq$", "≈": r"$\approx$",
    "…": r"\ldots{}",
    "²": "$^{2}$", "³": "$^{3}$", "¹": "$^{1}$", "⁺": "$^{+}$", "′": "$'$", "\u00a0": "~",
    **{chr(0x2080 + i): f"$_{{{i}}}$" for i in range(10)},
    **_GREEK,
}  # fmt: skip
#: Packages that our tables need, for letters of the European languages and for their commands.
LATEX_PREAMBLE = r"\usepackage[T1]{fontenc}\usepackage{adjustbox,array,booktabs,longtable}"
#: The letters that `LATEX_PREAMBLE` covers, in addition to the letters of `_LATEX`: Latin-1 and
#: Latin Extended-A without letters that T1 fonts lack.
_EUROPEAN = frozenset(map(chr, range(0xA1, 0x17F))).difference("ĦħĸĿŀŉŦŧ")
#: A hyphen or comma before another: LaTeX would join them to a dash or a low quotation mark.
_JOINED = re.compile(r"([-,])(?=\1)")
#: Control characters and line breaks, with the blanks around them.
_BREAKS = re.compile(r"\s*[\x00-\x1f\x7f-\x9f\u2028\u2029]\s*")


def html_text(text: object) -> str:
    """A text for HTML, with its control characters visible."""
    return html.escape(escape_controls(str(text)))


def markdown_text(text: str) -> str:
    """Text escaped for a line of Markdown, or for a cell of a Markdown table."""
    return "".join(_MARKDOWN.get(character, character) for character in _BREAKS.sub(" ", text))


def latex_text(text: str) -> str:
    """Text escaped for LaTeX with `LATEX_PREAMBLE`; `foreign_letters` are left as they are."""
    # U+FEFF stands for {}, which keeps joined characters apart, until braces are escaped.
    line = _JOINED.sub("\\1\ufeff", _BREAKS.sub(" ", text.replace("\ufeff", "")))
    return "".join(_LATEX.get(character, character) for character in line).replace("\ufeff", "{}")


def foreign_letters(text: str) -> str:
    """Distinct letters of a text that pdfLaTeX lacks and that need LuaLaTeX."""
    characters = set(_BREAKS.sub(" ", text)) - set(_LATEX) - _EUROPEAN - {"\ufeff"}
    return "".join(sorted(character for character in characters if not character.isascii()))
