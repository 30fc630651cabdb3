r"""Text as text, whatever letters it has: a function for each language of a report.

HTML has its function in Python, `html.escape`; figures take no text for a formula, see
`streameval.report.style`.

Titles of streams and learners, names of classes and of columns are anyone's: ``a<b>``, ``$x$``,
``100 %``. Nothing in them may act as markup.
"""

from __future__ import annotations

import re

#: What CommonMark, its tables, and GitHub's formulas and struck out text take for markup.
_MARKDOWN = {
    **{sign: f"\\{sign}" for sign in "\\`*_[]$~#|"},
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
}

#: What reStructuredText takes for markup inside a line.
_RST = re.compile(r"([\\*`|_])")

_GREEK = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "iota",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "o",
    "pi",
    "rho",
    "varsigma",
    "sigma",
    "tau",
    "upsilon",
    "phi",
    "chi",
    "psi",
    "omega",
]
#: Capital letters for which LaTeX has names; the others look like Latin ones.
_GREEK_CAPITALS = {
    sign: rf"$\{name}$"
    for sign, name in zip(
        "ΓΔΘΛΞΠΣΥΦΨΩ",
        [
            "Gamma",
            "Delta",
            "Theta",
            "Lambda",
            "Xi",
            "Pi",
            "Sigma",
            "Upsilon",
            "Phi",
            "Psi",
            "Omega",
        ],
        strict=True,
    )
} | dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧ", "ABEZHIKMNOPTX", strict=True))
#: What LaTeX takes for markup, and signs that its fonts have as formulas only.
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}", "'": r"\textquotesingle{}", '"': r"\textquotedbl{}",
    "|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "−": "$-$", "–": "--", "—": "---", "·": r"$\cdot$", "±": r"$\pm$", "×": r"$\times$",
    "∞": r"$\infty$", "≤": r"$\leq$", "≥": r"$\geq$", "≠": r"$\neq$", "…": r"\ldots{}",
    "²": "$^{2}$", "³": "$^{3}$", "¹": "$^{1}$", "⁺": "$^{+}$", "′": "$'$", "\u00a0": "~",
    **{chr(0x2080 + i): f"$_{{{i}}}$" for i in range(10)},
    **{chr(0x3B1 + i): name if name == "o" else rf"$\{name}$" for i, name in enumerate(_GREEK)},
    **_GREEK_CAPITALS,
}  # fmt: skip
#: What documents with our tables need: letters of the European languages, and the tables' commands.
LATEX_PREAMBLE = r"\usepackage[T1]{fontenc}\usepackage{array,booktabs,longtable,pdflscape}"
#: The letters that need no more than this, besides those of `_LATEX`.
_EUROPEAN = frozenset(map(chr, range(0xA1, 0x17F))).difference("ĦħĸĿŀŉŦŧ")
#: Hyphens and commas that LaTeX would join to another sign.
_JOINED = re.compile(r"([-,])(?=\1)")
_BREAKS = re.compile(r"\s*[\x00-\x1f\x7f-\x9f\u2028\u2029]\s*")


def markdown_text(text: str) -> str:
    """Return a text for a line of Markdown, or for a cell of one of its tables."""
    return "".join(_MARKDOWN.get(sign, sign) for sign in _BREAKS.sub(" ", text))


def rst_text(text: str) -> str:
    """Return a text for a line of reStructuredText."""
    return _BREAKS.sub(" ", _RST.sub(r"\\\1", text))


def latex_text(text: str) -> str:
    """Return a text for LaTeX with `LATEX_PREAMBLE`; `foreign_letters` stay as they are."""
    line = _JOINED.sub("\\1\ufeff", _BREAKS.sub(" ", text.replace("\ufeff", "")))
    return "".join(_LATEX.get(sign, sign) for sign in line).replace("\ufeff", "{}")


def foreign_letters(text: str) -> str:
    """Return the letters of a text that pdfLaTeX lacks, each once; LuaLaTeX takes them."""
    signs = set(_BREAKS.sub(" ", text)) - set(_LATEX) - _EUROPEAN - {"\ufeff"}
    return "".join(sorted(sign for sign in signs if not sign.isascii()))
