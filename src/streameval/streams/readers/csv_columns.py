"""The columns of a CSV text, or of a block of it, as Arrow reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pyarrow as pa
from pyarrow import csv

from streameval.base.errors import DataError, excerpt
from streameval.streams.readers import csv_text
from streameval.streams.readers.columns import is_plain_number
from streameval.streams.readers.csv_layout import Text
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.values import ValueRules, has_hexadecimal

#: Minimum number of bytes that pyarrow parses at a time.
BLOCK = 1 << 22
#: Maximum number of these bytes, a limit of pyarrow.
_LONGEST_BLOCK = 2**31 - 1
#: Type of columns of texts.
TEXT = pa.dictionary(pa.int32(), pa.string())


def read_columns(text: Text, names: list[str], roles: Roles) -> dict[str, pa.ChunkedArray]:
    """Columns `names` of a text, as finite numbers or dictionaries of texts."""
    if re.compile(rb"\S").search(text.body, text.data_start) is None:
        raise DataError(f"{text.path}: expected rows of data, found none. Check the file.")
    texts = {name for name in names if roles.is_nominal(name)}
    columns = parse_columns(text, names, texts, roles.rules)
    # Columns that may not be numbers are read again as texts.
    all_in_doubt = roles.rules.has_doubtful_numbers(text.has)
    is_hexadecimal = has_hexadecimal(text.has)

    def are_numbers(chunks: pa.ChunkedArray) -> bool:
        in_doubt = all_in_doubt or (is_hexadecimal and pa.types.is_integer(chunks.type))
        return not in_doubt and is_plain_number(chunks)

    to_reread = [name for name in names if name not in texts and not are_numbers(columns[name])]
    if to_reread:
        columns |= parse_columns(text, to_reread, set(to_reread), roles.rules)
    return restore_missing_labels(text, columns, roles)


def restore_missing_labels(
    text: Text, columns: dict[str, pa.ChunkedArray], roles: Roles
) -> dict[str, pa.ChunkedArray]:
    """Columns in which missing labels are their texts, so that messages can name the texts."""
    labels = columns.get(roles.target)
    if labels is not None and labels.null_count and roles.is_nominal(roles.target):
        columns |= parse_columns(text, [roles.target], {roles.target}, rules=None)
    return columns


def _block_size(text: Text) -> int:
    """Number of bytes for pyarrow to parse at a time."""
    longest = text.layout.longest
    if longest > _LONGEST_BLOCK // 2:
        raise DataError(
            f"{text.path}: expected rows of at most {_LONGEST_BLOCK // 2:,} bytes, found one of "
            f"{longest:,}. Is a quote missing?"
        )
    # A row may span at most two blocks.
    if not text.layout.breaks:
        return max(BLOCK, 2 * longest)
    # If a quoted \r\n spans two blocks, pyarrow loses the \n. So one block is used, or blocks that
    # do not end between these characters.
    total = len(text.body) - text.parser_start
    size = min(total, _LONGEST_BLOCK)
    while any(
        text.body[text.parser_start + end - 1 : text.parser_start + end + 1] == b"\r\n"
        for end in range(size, total, size)
    ):
        size -= 1
    return size


def parse_columns(
    text: Text,
    names: list[str],
    texts: set[str],
    rules: ValueRules | None,
    numbers: Iterable[str] = (),
) -> dict[str, pa.ChunkedArray]:
    """Columns `names` as read by pyarrow, after a check of the number of records.

    pyarrow infers the types of columns that are neither in `texts` nor in `numbers`. Without
    `rules`, no text is missing.
    """
    text = text.with_quotes()
    # Generated names, since names in the file may be any text.
    fields = {name: f"f{j}" for j, name in enumerate(text.names)}

    # Arrow may abort a program that ends just after it has started threads (apache/arrow, issue
    # 34314), such as a program that reads a small file.
    threads = len(text.body) > BLOCK

    def parse(block: int) -> pa.Table:
        return csv.read_csv(
            pa.BufferReader(pa.py_buffer(text.body).slice(text.parser_start)),
            csv.ReadOptions(
                use_threads=threads, block_size=block, column_names=list(fields.values())
            ),
            csv.ParseOptions(
                delimiter=text.dialect.separator,
                quote_char='"' if text.quoted else False,
                newlines_in_values=text.quoted and text.layout.breaks,
            ),
            csv.ConvertOptions(
                column_types={fields[name]: TEXT for name in texts}
                | {fields[name]: pa.float64() for name in numbers},
                include_columns=[fields[name] for name in names],
                **({"null_values": []} if rules is None else rules.parsing),
            ),
        )

    try:
        try:
            table = parse(_block_size(text) if text.quoted else BLOCK)
        except pa.ArrowInvalid:
            # The length of rows, which takes time to find, matters only after this error.
            if text.quoted or _block_size(text) == BLOCK:
                raise
            table = parse(_block_size(text))
    except pa.ArrowInvalid as error:
        raise (
            csv_text.ragged_row_error(
                text.path, text.body, text.data_start, len(fields), text.dialect
            )
            or DataError(f"{text.path}: expected a CSV file, found: {excerpt(error)!r}.")
        ) from error
    if text.quoted and len(table) != text.layout.records:
        raise DataError(
            f"{text.path}: expected {text.layout.records:,} rows, found {len(table):,} when the "
            "values were read. Remove quotes and line breaks from the values."
        )
    return {name: table.column(fields[name]) for name in names}
