"""The meaning of the distinct texts of a column; see `readers.values`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from streameval.base.arrays import Flags, Floats, Integers
from streameval.streams.arrow_arrays import arrow_texts, integers
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import First, Origin, nominal_codes
from streameval.streams.readers.values import BLANKS, MISSING, is_name, name_of_text
from streameval.streams.stream import Attribute

#: More texts than this are looked at by Arrow.
_FEW = 1 << 12


class Texts(NamedTuple):
    """The distinct texts of a column, and the place of each row's among them, or their number."""

    distinct: pa.Array
    place: Integers

    def first(self, which: Flags) -> tuple[int, int]:
        """First row that has one of the texts, and where it is among them."""
        row = int(np.flatnonzero(np.append(which, False)[self.place])[0])
        return row, int(self.place[row])

    def occurring(self) -> Texts:
        """Them without the texts of no row, in the order in which they occur."""
        n, k = len(self.place), len(self.distinct)
        first = np.full(k + 1, n)
        first[self.place[::-1]] = np.arange(n)[::-1]  # of equal places the last one counts
        order = np.argsort(first[:k])[: np.count_nonzero(first[:k] < n)]
        if np.array_equal(order, np.arange(k)):
            return self
        texts, renumbered = self.distinct.to_pylist(), np.full(k + 1, len(order))
        renumbered[order] = np.arange(len(order))
        return Texts(arrow_texts([texts[place] for place in order]), renumbered[self.place])


def texts_of_column(chunks: pa.ChunkedArray) -> Texts:
    """Texts of a column of Arrow."""
    if not pa.types.is_dictionary(chunks.type):
        chunks = chunks.dictionary_encode()
    chunks = chunks.unify_dictionaries()
    raw = chunks.chunk(0).dictionary if chunks.num_chunks else pa.array([], pa.string())
    rows = [integers(chunk.indices, missing=len(raw)) for chunk in chunks.chunks]
    return Texts(raw, np.concatenate(rows) if rows else np.empty(0, np.int64))


def meaning(
    origin: Origin, name: str, raw: pa.Array, roles: Roles, first: First
) -> tuple[tuple[str, ...] | None, Floats]:
    """Values of a nominal column, or None, and the number or code of each text.

    It is NaN if it is missing, and behind them for no text. `first` is as `Texts.first`.
    """
    texts = _few_names(name, raw, roles)
    if texts is None:
        from streameval.streams.readers.text_kinds import meaning_of  # loads Arrow's computations

        where, labels, numbers = meaning_of(origin, name, raw, roles, first)
    else:
        where, labels, numbers = np.array([*texts]), [*texts.values()], None
    values: tuple[str, ...] | None = None
    if numbers is None:
        is_target = name == roles.target
        suffix = roles.strip_label_suffix if is_target else ""
        named = labels if roles.typed else map(name_of_text, labels)
        labels = [text.removesuffix(suffix) for text in named]
        numbers, values = nominal_codes(labels, roles.classes if is_target else None)
    # The last place is for null.
    lookup = np.full(len(raw) + 1, np.nan)
    lookup[where] = numbers
    return values, lookup


def attribute_of_texts(
    origin: Origin, name: str, raw: pa.Array, roles: Roles, first: First
) -> tuple[Attribute, Floats]:
    """Attribute of a column of texts, and the number or code of each text; see `meaning`."""
    values, lookup = meaning(origin, name, raw, roles, first)
    missing = tuple[str, ...]()
    if name == roles.target and values is not None:
        missing = _missing_texts(raw, lookup, roles)
    return Attribute(name, values, sorted_by_name=True, missing=missing), lookup


def _missing_texts(raw: pa.Array, codes: Floats, roles: Roles) -> tuple[str, ...]:
    """Texts of a column that stand for missing values by default, not by the user's options."""
    if roles.rules.missing != MISSING:
        return ()
    lacking = {raw[int(place)].as_py() for place in np.flatnonzero(np.isnan(codes[:-1]))}
    return tuple(sorted({text.strip(BLANKS) for text in lacking if text is not None}))


def _few_names(name: str, raw: pa.Array, roles: Roles) -> dict[int, str] | None:
    """Texts that are not missing by their places, if they are few and surely names.

    Nearly all classes are, and so Arrow's library of computations need not be loaded.
    """
    if len(raw) > _FEW or roles.is_numeric(name) or name in roles.times:
        return None
    trimmed = (None if text is None else text.strip(BLANKS) for text in raw.to_pylist())
    present = {
        place: text
        for place, text in enumerate(trimmed)
        if text is not None and not roles.rules.is_missing(text)
    }
    are_names = roles.typed or roles.is_nominal(name) or any(map(is_name, present.values()))
    return present if present and are_names else None
