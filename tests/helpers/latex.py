r"""A strict reader of the LaTeX that our tables are written in: anything else is an error."""

from __future__ import annotations

import re
import unicodedata

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}$&#%^_~]|[^\\{}$&#%^_~]+", re.S)
#: What commands put on the page.
_SHOWN = {
    **{rf"\{sign}": sign for sign in "&%$#_{}"},

        r"\textbackslash": "\\", r"\textasciitilde": "~", r"\textasciicircum": "^",
        r"\textasciigrave": "`", r"\textquotesingle": "'", r"\textquotedbl": '"',
        r"\textbar": "|", r"\textless": "<", r"\textgreater": ">", r"\ldots": "…",
        r"\cdot": "·", r"\pm": "±", r"\times": "×", r"\infty": "∞", r"\leq": "≤", r"\geq": "≥",
        r"\neq": "≠", r"\approx": "≈",
}  # fmt: skip
_COMMANDS = set(
    re.findall(
        r"\\\\|\\[A-Za-z]+",
        r"\begin \end \centering \caption \label \footnotesize \setlength "
        r"\tabcolsep \raggedright \arraybackslash \toprule \midrule \bottomrule \cmidrule "
        r"\multicolumn \shortstack \textsubscript \textbf \underline "
        r"\par \smallskip \noindent \parbox \linewidth "
        r"\LTcapwidth \begingroup \endgroup \endfirsthead \endhead \endfoot \\",
    )
)
_SCRIPTS = (
    dict(zip("0123456789+", "₀₁₂₃₄₅₆₇₈₉₊", strict=True)),
    dict(zip("0123456789+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺", strict=True)),
)


def read_latex(source: str) -> str:
    """The text that a source shows.

    Raises
    ------
    ValueError
        If braces, formulas or environments are not balanced, a command is unknown, or a sign of
        LaTeX stands where it is not meant to act.
    """
    source = re.sub(r"^%.*\n", "", source, flags=re.M)
    named = re.findall(r"\\(begin|end)\{(\w+)\}", source)
    open_ones: list[str] = []
    for turn, name in named:
        if turn == "begin":
            open_ones.append(name)
        elif not open_ones or open_ones.pop() != name:
            raise ValueError(f"expected the end of another environment, found that of {name}")
    if open_ones:
        raise ValueError(f"expected the end of {open_ones[-1]}, found none")
    text, depth, is_formula, script = "", 0, False, -1
    in_table = bool(named)
    for token in _TOKEN.findall(source):
        if token == "{":
            depth += 1
        elif token == "}":
            depth, script = depth - 1, -1
            if depth < 0:
                raise ValueError("expected an opening brace before '}'")
        elif token == "$":
            is_formula = not is_formula
        elif token in "^_" and is_formula:
            script = "_^".index(token)
        elif token == "&" and in_table:
            text += "&"
        elif token == "~":
            text += " "
        elif token in "&#%^_":
            raise ValueError(f"expected {token!r} as text, found it as a sign of LaTeX")
        elif token in _SHOWN:
            text += _SHOWN[token]
        elif token.startswith("\\"):
            text += _greek(token) if is_formula else ""
            if not is_formula and token not in _COMMANDS:
                raise ValueError(f"expected a known command, found {token}")
        elif is_formula:
            scripts = _SCRIPTS[script] if script >= 0 else {"-": "−", "'": "′"}
            text += "".join(scripts[sign] for sign in token)
        else:
            if re.search(r"''|,,|``", token):
                raise ValueError(f"expected no signs that LaTeX joins, found {token!r}")
            text += token.replace("---", "—").replace("--", "–")
    if depth or is_formula:
        raise ValueError("expected balanced braces and formulas")
    return text


def _greek(token: str) -> str:
    name = token[1:].replace("varsigma", "final sigma").replace("ambda", "amda")
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {size} LETTER {name.upper()}")
    except KeyError:
        raise ValueError(f"expected a Greek letter, found {token}") from None
