"""Names for people: of measures, items, chapters, schemes and variants of streams."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from streameval.base.errors import DataError
from streameval.measures.registry import MEASURES, measure_phrase

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
READING_TITLES = {"held_out": "non-prequential", "learnt": "prequential"}
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


def item_title(item: str) -> str:
    """The name of an item in its paper: "fig2" is Figure 2, "fig6-8" Figures 6 to 8.

    An addition to such a name is set apart: "fig2_recorded" is "Figure 2, recorded".
    """
    match = _ITEM.fullmatch(item)
    if match is None:
        return item.removeprefix("table_").replace("_", " ").capitalize()
    kind, (first, _, last) = _KINDS[match[1]], match[2].partition("-")
    title = f"{kind}s {first} to {last}" if last else f"{kind} {first}"
    return f"{title}, {match[3].replace('_', ' ')}" if match[3] else title


def key_words(key: str) -> str:
    """The words for the key of a published number: "elec2, bin 0, hoeffding tree".

    A number is that of a fold where it is first, of noise before a scheme, and else of a bin.
    """
    parts = key.split("/")
    has_noise, words = parts[-1] in SCHEME_TITLES.values(), list[str]()
    for place, part in enumerate(parts):
        if _NUMBER.fullmatch(part):
            noise = f"noise {part}" if float(part) else "no noise"
            words.append(f"fold {part}" if not place else noise if has_noise else f"bin {part}")
        elif part in MEASURES:
            words.append(measure_phrase(part))
        else:
            words.append(_OF_KEYS.get(part, part.replace("_", " ")))
    return ", ".join(words)


def study_titles(studies: Iterable[str], titles: Mapping[str, str]) -> dict[str, str]:
    """The titles of studies; one without a title is named by its id."""
    return {study: titles.get(study, study.replace("_", " ").capitalize()) for study in studies}


def variant_titles(variants: Iterable[str]) -> dict[str, str]:
    """The names of variants of a stream, such as "blocks:1:500", by their ids.

    Seed and size may be left out; seeds are named only where they tell variants apart.
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
