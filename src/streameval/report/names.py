"""What things that have an id are called, for people."""

from __future__ import annotations

import re
from collections.abc import Iterable

from streameval.errors import DataError

#: Orders in which the instances of a stream are played; see `streameval.streams.variants`.
VARIANTS = {
    "original": "original order",
    "temporal": "label order kept",
    "blocks": "blocks",
    "shuffled": "shuffled",
}
_VARIANT = re.compile(rf"(?P<kind>{'|'.join(VARIANTS)})(:(?P<seed>\d+)(:(?P<size>\d+))?)?")


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
