"""What things that have an id are called, for people."""

from __future__ import annotations

import re
from collections.abc import Iterable

from streameval.errors import DataError

#: The papers, by their ids, in the order of the scorecard.
PAPERS = {
    "bifet2013": "Bifet et al. (2013)",
    "zliobaite2015": "Žliobaitė et al. (2015)",
    "bifet2015": "Bifet et al. (2015)",
    "grzenda2019": "Grzenda et al. (2019)",
}
#: Chapters of the report. Its menu sorts them as text: the numbers keep their order.
CHAPTERS = {
    key: f"{number} {title}"
    for number, (key, title) in enumerate(
        {
            "overview": "Overview",
            "bifet2013": PAPERS["bifet2013"],
            "zliobaite2015": PAPERS["zliobaite2015"],
            "beyond": "Beyond the papers",
        }.items(),
        start=1,
    )
}
#: As wide as a digit, and before all digits in the alphabet.
FIGURE_SPACE = "\u2007"
_KINDS = {"fig": "Figure", "table": "Table", "sec": "Section"}
_ITEM = re.compile(rf"({'|'.join(_KINDS)})(\d.*)")

#: Orders in which the instances of a stream are played; see `streameval.streams.variants`.
VARIANTS = {
    "original": "original order",
    "temporal": "label order kept",
    "blocks": "blocks",
    "shuffled": "shuffled",
}
_VARIANT = re.compile(rf"(?P<kind>{'|'.join(VARIANTS)})(:(?P<seed>\d+)(:(?P<size>\d+))?)?")


def item_title(item: str) -> str:
    """Return what a paper calls an item: "fig2" is its Figure 2, "fig6-8" its Figures 6 to 8."""
    match = _ITEM.fullmatch(item)
    if match is None:
        return item.removeprefix("table_").replace("_", " ").capitalize()
    kind, (first, _, last) = _KINDS[match[1]], match[2].partition("-")
    return f"{kind}s {first} to {last}" if last else f"{kind} {first}"


def in_order(title: str) -> str:
    """Return a title with room for two digits, so that Figure 2 is sorted before Figure 10."""
    return re.sub(r" (\d)(?!\d)", rf" {FIGURE_SPACE}\1", title, count=1)


def listed(words: Iterable[str]) -> str:
    """Return words as a sentence lists them: "a", "a and b", "a, b and c"."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def variant_titles(variants: Iterable[str]) -> dict[str, str]:
    """Return what the variants of a stream are called, by their ids.

    Parameters
    ----------
    variants : iterable of str
        For example "original", "shuffled:1", "temporal:1", "blocks:1:500"; seed and size may be
        left out. Seeds are named only where they tell variants apart.

    Raises
    ------
    DataError
        If one is not a variant.
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
        plain[variant] = VARIANTS[match["kind"]] + size
        full[variant] = plain[variant] + (f", seed {match['seed']}" if match["seed"] else "")
    alike = list(plain.values())
    return {name: full[name] if alike.count(text) > 1 else text for name, text in plain.items()}
