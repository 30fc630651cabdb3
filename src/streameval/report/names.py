"""Names for people, and escaping of texts for each language of a report.

Measures, items, chapters and variants of streams have names. Titles of streams and learners, names
of classes and of columns are anyone's: ``a<b>``, ``$x$``, ``100 %``. Nothing in them may act as
markup; there is a function for each language of a report. HTML has its function in Python,
`html.escape`; figures take no text for a formula, see `streameval.report.style`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from streameval.errors import DataError
from streameval.measures.registry import MEASURES

#: End of the names of measures whose comparators have the same delays as the learners.
DELAYED = "_delayed"
_KINDS = {"fig": "Figure", "table": "Table", "sec": "Section"}
_ITEM = re.compile(rf"({'|'.join(_KINDS)})(\d[^_]*)(?:_(\w+))?")

#: Orders in which the instances of a stream are predicted; see `streameval.streams.variants`.
VARIANT_TITLES = {
    "original": "original order",
    "temporal": "label order kept",
    "blocks": "blocks",
    "shuffled": "shuffled",
}

#: Schemes of validation with folds, and which predictions of a fold count.
SCHEME_TITLES = {
    "bootstrap_validation": "bootstrap",
    "cross_validation": "cv",
    "split_validation": "split",
}
VALIDATIONS = {
    "prequential": "prequential",
    **SCHEME_TITLES,
    "partial:0.1": "10 % of the labels",
    "partial:0.01": "1 % of the labels",
}
READING_TITLES = {"held_out": "non-prequential", "learnt": "prequential"}
#: Weights by which accuracy is estimated where labels are missing.
ESTIMATOR_TITLES = {
    "arrived": "no weights",
    "by_age": "by age",
    "by_latency": "by latency",
    "by_prediction": "by age and prediction",
    "by_law": "by the true law",
}
#: Words of the keys of published numbers that are not their own words.
_OF_KEYS = {
    "mcnemar": "McNemar",
    "wilcoxon": "Wilcoxon",
    "cv": "cross-validation",
    "p_c": "P(c)",
    "B+1": "bin B+1",
}
_NUMBER = re.compile(r"\d+(\.\d+)?")
_VARIANT = re.compile(rf"(?P<kind>{'|'.join(VARIANT_TITLES)})(:(?P<seed>\d+)(:(?P<size>\d+))?)?")


def measure_words(name: str) -> str:
    """Return the words for a measure, also where its comparator has the same delays."""
    plain = name.removesuffix(DELAYED)
    words = "accuracy" if plain == "accuracy" else MEASURES[plain].symbol
    return words if plain == name else f"{words} under the same delays"


def symbol_parts(text: str) -> tuple[str, str] | None:
    """Return the letter and the subscript of a measure's symbol like κ_t; None for another text."""
    if text not in {measure.symbol for measure in MEASURES.values()}:
        return None
    letter, _, below = text.partition("_")
    return (letter, below) if below else None


def item_title(item: str) -> str:
    """Return the name of an item in its paper: "fig2" is Figure 2, "fig6-8" Figures 6 to 8.

    An addition to such a name is set apart: "fig2_recorded" is "Figure 2, recorded".
    """
    match = _ITEM.fullmatch(item)
    if match is None:
        return item.removeprefix("table_").replace("_", " ").capitalize()
    kind, (first, _, last) = _KINDS[match[1]], match[2].partition("-")
    title = f"{kind}s {first} to {last}" if last else f"{kind} {first}"
    return f"{title}, {match[3].replace('_', ' ')}" if match[3] else title


def key_words(key: str) -> str:
    """Return the words for the key of a published number: "elec2, bin 0, hoeffding tree".

    A number is that of a fold where it stands first, the probability of noise in front of a scheme
    of validation, and otherwise that of a bin.
    """
    parts = key.split("/")
    has_noise, words = parts[-1] in SCHEME_TITLES.values(), list[str]()
    for place, part in enumerate(parts):
        if _NUMBER.fullmatch(part):
            noise = f"noise {part}" if float(part) else "no noise"
            words.append(f"fold {part}" if not place else noise if has_noise else f"bin {part}")
        elif part in MEASURES:
            words.append(measure_words(part))
        else:
            words.append(_OF_KEYS.get(part, part.replace("_", " ")))
    return ", ".join(words)


def study_titles(studies: Iterable[str], titles: Mapping[str, str]) -> dict[str, str]:
    """Return the titles of studies; one without a title is named by its id."""
    return {one: titles.get(one, one.replace("_", " ").capitalize()) for one in studies}


def variant_titles(variants: Iterable[str]) -> dict[str, str]:
    """Return the names of variants of a stream, by their ids.

    Variants are, for example, "original", "shuffled:1", "temporal:1", "blocks:1:500"; seed and size
    may be left out. Seeds are named only where they tell variants apart.

    Raises DataError if one is not a variant.
    """
    plain, full = {}, {}
    for variant in dict.fromkeys(variants):
        match = _VARIANT.fullmatch(str(variant))
        if match is None:
            raise DataError(
                f"Variant {variant!r}: expected original, shuffled:<seed>, temporal:<seed> or "
                "blocks:<seed>:<size>."
            )
        size = f" of {int(match['size']):,}" if match["size"] else ""
        plain[variant] = VARIANT_TITLES[match["kind"]] + size
        full[variant] = plain[variant] + (f", seed {match['seed']}" if match["seed"] else "")
    alike = list(plain.values())
    return {name: full[name] if alike.count(text) > 1 else text for name, text in plain.items()}


#: Markup of CommonMark, its tables, and GitHub's formulas and struck out text.
_MARKDOWN = {
    **{sign: f"\\{sign}" for sign in "\\`*_[]$~#|"},
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
}

#: Letters for which LaTeX has names, and those that look like Latin ones.
_GREEK = {
    sign: f"$\\{name.lower() if sign.islower() else name.capitalize()}$"
    for sign in "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ"
    for name in [unicodedata.name(sign).split()[-1].replace("LAMDA", "LAMBDA")]
} | {"ς": r"$\varsigma$", **dict(zip("οΑΒΕΖΗΙΚΜΝΟΡΤΧ", "oABEZHIKMNOPTX", strict=True))}
#: Markup of LaTeX, and signs that its fonts have as formulas only.
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}", "'": r"\textquotesingle{}", '"': r"\textquotedbl{}",
    "|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "−": "$-$", "–": "--", "—": "---", "·": r"$\cdot$", "±": r"$\pm$", "×": r"$\times$",
    "∞": r"$\infty$", "≤": r"$\leq$", "≥": r"$\geq$", "≠": r"$\neq$", "…": r"\ldots{}",
    "²": "$^{2}$", "³": "$^{3}$", "¹": "$^{1}$", "⁺": "$^{+}$", "′": "$'$", "\u00a0": "~",
    **{chr(0x2080 + i): f"$_{{{i}}}$" for i in range(10)},
    **_GREEK,
}  # fmt: skip
#: Packages for our tables: letters of the European languages, and the tables' commands.
LATEX_PREAMBLE = r"\usepackage[T1]{fontenc}\usepackage{array,booktabs,longtable,pdflscape}"
#: The letters that need no more than this, besides those of `_LATEX`.
_EUROPEAN = frozenset(map(chr, range(0xA1, 0x17F))).difference("ĦħĸĿŀŉŦŧ")
#: Hyphens and commas that LaTeX would join to another sign.
_JOINED = re.compile(r"([-,])(?=\1)")
_BREAKS = re.compile(r"\s*[\x00-\x1f\x7f-\x9f\u2028\u2029]\s*")


def markdown_text(text: str) -> str:
    """Return a text for a line of Markdown, or for a cell of one of its tables."""
    return "".join(_MARKDOWN.get(sign, sign) for sign in _BREAKS.sub(" ", text))


def latex_text(text: str) -> str:
    """Return a text for LaTeX with `LATEX_PREAMBLE`; `foreign_letters` stay as they are."""
    line = _JOINED.sub("\\1\ufeff", _BREAKS.sub(" ", text.replace("\ufeff", "")))
    return "".join(_LATEX.get(sign, sign) for sign in line).replace("\ufeff", "{}")


def foreign_letters(text: str) -> str:
    """Return the letters of a text that pdfLaTeX lacks, each once; LuaLaTeX takes them."""
    signs = set(_BREAKS.sub(" ", text)) - set(_LATEX) - _EUROPEAN - {"\ufeff"}
    return "".join(sorted(sign for sign in signs if not sign.isascii()))
