"""The meaning of the distinct texts of a column; see `readers.values`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from streameval.base.arrays import Flags, Floats, Integers
from streameval.streams.arrow_arrays import arrow_texts, integers
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import FirstRow, Origin, nominal_codes
from streameval.streams.readers.values import BLANKS, MISSING, is_certainly_nominal
from streameval.streams.stream import Attribute

#: Maximum number of texts that are examined in Python; more texts are examined by Arrow.
_MAX_TEXTS = 1 << 12


class Texts(NamedTuple):
    """The distinct texts of a column, and for each row the index of its text.

    The index of null is the number of distinct texts.
    """

    distinct: pa.Array
    text_index: Integers

    def first_row(self, mask: Flags) -> tuple[int, int]:
        """First row with one of the texts that `mask` selects, and the index of this text."""
        row = int(np.flatnonzero(np.append(mask, False)[self.text_index])[0])
        return row, int(self.text_index[row])

    def drop_unused(self) -> Texts:
        """Texts that occur in a row, in the order of their first rows."""
        n, k = len(self.text_index), len(self.distinct)
        first = np.full(k + 1, n)
        first[self.text_index[::-1]] = np.arange(n)[::-1]  # backwards, as the last assignment holds
        order = np.argsort(first[:k])[: np.count_nonzero(first[:k] < n)]
        if np.array_equal(order, np.arange(k)):
            return self
        texts, renumbered = self.distinct.to_pylist(), np.full(k + 1, len(order))
        renumbered[order] = np.arange(len(order))
        return Texts(arrow_texts([texts[i] for i in order]), renumbered[self.text_index])


def texts_of_column(chunks: pa.ChunkedArray) -> Texts:
    """Distinct texts of an Arrow column, and the index of the text of each row."""
    if not pa.types.is_dictionary(chunks.type):
        chunks = chunks.dictionary_encode()
    chunks = chunks.unify_dictionaries()
    raw = chunks.chunk(0).dictionary if chunks.num_chunks else pa.array([], pa.string())
    rows = [integers(chunk.indices, missing=len(raw)) for chunk in chunks.chunks]
    return Texts(raw, np.concatenate(rows) if rows else np.empty(0, np.int64))


def number_lookup(
    origin: Origin, name: str, raw: pa.Array, roles: Roles, first_row: FirstRow
) -> tuple[tuple[str, ...] | None, Floats]:
    """Values of a nominal column, else None; and the code or number of each distinct text.

    `raw` are the distinct texts. A missing text has NaN. One more NaN follows, since `Texts` gives
    null the index after the last text. `first_row` is a function such as `Texts.first_row`.
    """
    texts = _texts_if_nominal(name, raw, roles)
    if texts is None:
        # Loads pyarrow.compute.
        from streameval.streams.readers.text_kinds import nominal_texts_or_numbers

        indices, labels, numbers = nominal_texts_or_numbers(origin, name, raw, roles, first_row)
    else:
        indices, labels, numbers = np.array([*texts]), [*texts.values()], None
    values: tuple[str, ...] | None = None
    if numbers is None:
        is_target = name == roles.target
        suffix = roles.strip_label_suffix if is_target else ""
        labels = [text.removesuffix(suffix) for text in labels]
        numbers, values = nominal_codes(labels, roles.classes if is_target else None)
    lookup = np.full(len(raw) + 1, np.nan)
    lookup[indices] = numbers
    return values, lookup


def attribute_of_texts(
    origin: Origin, name: str, raw: pa.Array, roles: Roles, first_row: FirstRow
) -> tuple[Attribute, Floats]:
    """Attribute of a column of texts, and the number or code of each; see `number_lookup`."""
    values, lookup = number_lookup(origin, name, raw, roles, first_row)
    missing = tuple[str, ...]()
    if name == roles.target and values is not None:
        missing = _missing_texts(raw, lookup, roles)
    return Attribute(name, values, sorted_by_name=True, missing_texts=missing), lookup


def _missing_texts(raw: pa.Array, codes: Floats, roles: Roles) -> tuple[str, ...]:
    """Texts of a column that stand for missing values by default, not by the user's options."""
    if roles.rules.missing != MISSING:
        return ()
    missing = {raw[int(i)].as_py() for i in np.flatnonzero(np.isnan(codes[:-1]))}
    return tuple(sorted({text.strip(BLANKS) for text in missing if text is not None}))


def _texts_if_nominal(name: str, raw: pa.Array, roles: Roles) -> dict[int, str] | None:
    """Texts that are not missing, by index; None if they are many, or may not be nominal.

    Nearly all class columns pass this test, so most files do not need `pyarrow.compute`.
    """
    if len(raw) > _MAX_TEXTS or roles.is_numeric(name) or name in roles.times:
        return None
    trimmed = (None if text is None else text.strip(BLANKS) for text in raw.to_pylist())
    present = {
        i: text
        for i, text in enumerate(trimmed)
        if text is not None and not roles.rules.is_missing(text)
    }
    are_nominal = (
        roles.has_types
        or roles.is_nominal(name)
        or any(map(is_certainly_nominal, present.values()))
    )
    return present if present and are_nominal else None
