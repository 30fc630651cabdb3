"""Readable titles of items, studies, variants of streams, and keys of published numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from streameval.base.errors import DataError
from streameval.measures.registry import MEASURES, measure_phrase

_KINDS = {"fig": "Figure", "table": "Table", "sec": "Section"}
#: Ids of figures, tables and sections, such as "fig6-8" or "fig2_recorded".
_ITEM = re.compile(rf"({'|'.join(_KINDS)})(\d[^_]*)(?:_(\w+))?")

#: Orders in which the instances of a stream are predicted; see `streameval.streams.variants`.
VARIANT_TITLES = {
    "original": "original order",
    "temporal": "label order kept",
    "blocks": "blocks",
    "shuffled": "shuffled",
}

#: Titles of protocols with folds, the values of the column "scheme", as in Bifet et al. (2015).
SCHEME_TITLES = {
    "bootstrap_validation": "bootstrap",
    "cross_validation": "cv",
    "split_validation": "split",
}
#: Titles of the values of the column "reading", as in Bifet et al. (2015): a model is tested on
#: instances that it does not learn, or on instances before it learns them.
READING_TITLES = {"held_out": "non-prequential", "learnt": "prequential"}
#: Titles of parts of the keys of published numbers; other parts are their own title.
_KEY_TITLES = {
    "mcnemar": "McNemar",
    "wilcoxon": "Wilcoxon",
    "cv": "cross-validation",
    "p_c": "P(c)",
    "B+1": "bin B+1",
}
_NUMBER = re.compile(r"\d+(\.\d+)?")
_VARIANT = re.compile(rf"(?P<kind>{'|'.join(VARIANT_TITLES)})(:(?P<seed>\d+)(:(?P<size>\d+))?)?")


def item_title(item: str) -> str:
    """Title of an item: "fig2" is "Figure 2", "fig6-8" is "Figures 6 to 8".

    A suffix follows after a comma: "fig2_recorded" is "Figure 2, recorded".
    """
    match = _ITEM.fullmatch(item)
    if match is None:
        return item.removeprefix("table_").replace("_", " ").capitalize()
    kind, (first, _, last) = _KINDS[match[1]], match[2].partition("-")
    title = f"{kind}s {first} to {last}" if last else f"{kind} {first}"
    return f"{title}, {match[3].replace('_', ' ')}" if match[3] else title


def key_title(key: str) -> str:
    """Title of the key of a published number: "elec2, bin 0, hoeffding tree".

    The parts of a key are separated by slashes. A number in the first part is a fold. A number in
    another part is a noise level if the last part is a protocol with folds, and otherwise a bin.
    """
    parts = key.split("/")
    has_noise, texts = parts[-1] in SCHEME_TITLES.values(), list[str]()
    for index, part in enumerate(parts):
        if _NUMBER.fullmatch(part):
            if index == 0:
                texts.append(f"fold {part}")
            elif has_noise:
                texts.append(f"noise {part}" if float(part) else "no noise")
            else:
                texts.append(f"bin {part}")
        elif part in MEASURES:
            texts.append(measure_phrase(part))
        else:
            texts.append(_KEY_TITLES.get(part, part.replace("_", " ")))
    return ", ".join(texts)


def study_titles(studies: Iterable[str], titles: Mapping[str, str]) -> dict[str, str]:
    """Titles of studies by id; the default title is the id in plain words."""
    return {study: titles.get(study, study.replace("_", " ").capitalize()) for study in studies}


def variant_titles(variants: Iterable[str]) -> dict[str, str]:
    """Titles of variants of a stream, such as "blocks:1:500", by id.

    Variants may lack a seed and a size. A title names the seed only if another variant has the same
    kind and size.
    """
    without_seed, with_seed = {}, {}
    for variant in dict.fromkeys(variants):
        match = _VARIANT.fullmatch(str(variant))
        if match is None:
            raise DataError(
                f"Variant {variant!r}: expected original, shuffled:<seed>, temporal:<seed> or "
                "blocks:<seed>:<size>."
            )
        size = f" of {int(match['size']):,}" if match["size"] else ""
        title = VARIANT_TITLES[match["kind"]] + size
        without_seed[variant] = title
        with_seed[variant] = title + (f", seed {match['seed']}" if match["seed"] else "")
    titles = list(without_seed.values())
    return {
        variant: with_seed[variant] if titles.count(title) > 1 else title
        for variant, title in without_seed.items()
    }
