"""The columns of a CSV text, or of a block of it, as Arrow reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pyarrow as pa
from pyarrow import csv

from streameval.base.errors import DataError, excerpt
from streameval.streams.readers import csv_text
from streameval.streams.readers.columns import is_plain_number
from streameval.streams.readers.csv_layout import CsvText
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.values import ValueRules, has_hexadecimal

#: Number of bytes that pyarrow parses at a time, unless a record needs more.
MIN_BLOCK_BYTES = 1 << 22
#: Maximum number of bytes that pyarrow can parse at a time.
_MAX_BLOCK_BYTES = 2**31 - 1
#: Arrow type of columns of texts.
TEXT = pa.dictionary(pa.int32(), pa.string())


def read_columns(text: CsvText, names: list[str], roles: Roles) -> dict[str, pa.ChunkedArray]:
    """Columns `names` of a text, as finite numbers or dictionaries of texts."""
    if re.compile(rb"\S").search(text.body, text.data_start) is None:
        raise DataError(f"{text.path}: expected rows of data, found none. Check the file.")
    text_columns = {name for name in names if roles.is_nominal(name)}
    columns = parse_columns(text, names, text_columns, roles.rules)
    # Columns that may not be numbers are read again as texts.
    all_in_doubt = roles.rules.has_doubtful_numbers(text.contains)
    is_hexadecimal = has_hexadecimal(text.contains)

    def are_numbers(chunks: pa.ChunkedArray) -> bool:
        in_doubt = all_in_doubt or (is_hexadecimal and pa.types.is_integer(chunks.type))
        return not in_doubt and is_plain_number(chunks)

    to_reread = [
        name for name in names if name not in text_columns and not are_numbers(columns[name])
    ]
    if to_reread:
        columns |= parse_columns(text, to_reread, set(to_reread), roles.rules)
    return restore_missing_labels(text, columns, roles)


def restore_missing_labels(
    text: CsvText, columns: dict[str, pa.ChunkedArray], roles: Roles
) -> dict[str, pa.ChunkedArray]:
    """Columns in which a missing label is its text, such as "?", so that messages can name it."""
    labels = columns.get(roles.target)
    if labels is not None and labels.null_count and roles.is_nominal(roles.target):
        columns |= parse_columns(text, [roles.target], {roles.target}, rules=None)
    return columns


def _block_size(text: CsvText) -> int:
    """Number of bytes for pyarrow to parse at a time."""
    longest = text.record_summary.max_bytes
    # pyarrow reads a row that spans two blocks, but none that spans more.
    if longest > _MAX_BLOCK_BYTES // 2:
        raise DataError(
            f"{text.path}: expected rows of at most {_MAX_BLOCK_BYTES // 2:,} bytes, found one of "
            f"{longest:,}. Is a quote missing?"
        )
    if not text.record_summary.has_line_breaks:
        return max(MIN_BLOCK_BYTES, 2 * longest)
    # If a quoted \r\n spans two blocks, pyarrow loses the \n. So one block is used, or blocks that
    # do not end between these characters.
    total = len(text.body) - text.parser_start
    size = min(total, _MAX_BLOCK_BYTES)
    while any(
        text.body[text.parser_start + end - 1 : text.parser_start + end + 1] == b"\r\n"
        for end in range(size, total, size)
    ):
        size -= 1
    return size


def parse_columns(
    text: CsvText,
    names: list[str],
    text_columns: set[str],
    rules: ValueRules | None,
    number_columns: Iterable[str] = (),
) -> dict[str, pa.ChunkedArray]:
    """Columns `names` as read by pyarrow, after a check of the number of records.

    pyarrow infers the types of columns that are neither in `text_columns` nor in `number_columns`.
    Without `rules`, no text is missing.
    """
    # Generated names, since names in the file may be any text.
    fields = {name: f"f{j}" for j, name in enumerate(text.names)}

    # Arrow may abort a program that ends just after it has started threads (apache/arrow, issue
    # 34314), such as a program that reads a small file.
    threads = len(text.body) > MIN_BLOCK_BYTES

    def parse(block: int) -> pa.Table:
        return csv.read_csv(
            pa.BufferReader(pa.py_buffer(text.body).slice(text.parser_start)),
            csv.ReadOptions(
                use_threads=threads, block_size=block, column_names=list(fields.values())
            ),
            csv.ParseOptions(
                delimiter=text.dialect.separator,
                quote_char='"' if text.is_quoted else False,
                newlines_in_values=text.is_quoted and text.record_summary.has_line_breaks,
            ),
            csv.ConvertOptions(
                column_types={fields[name]: TEXT for name in text_columns}
                | {fields[name]: pa.float64() for name in number_columns},
                include_columns=[fields[name] for name in names],
                **({"null_values": []} if rules is None else rules.arrow_options),
            ),
        )

    try:
        try:
            table = parse(_block_size(text) if text.is_quoted else MIN_BLOCK_BYTES)
        except pa.ArrowInvalid:
            # The length of rows, which takes time to find, matters only after this error.
            if text.is_quoted or _block_size(text) == MIN_BLOCK_BYTES:
                raise
            table = parse(_block_size(text))
    except pa.ArrowInvalid as error:
        raise (
            csv_text.ragged_row_error(
                text.path, text.body, text.data_start, len(fields), text.dialect
            )
            or DataError(f"{text.path}: expected a CSV file, found: {excerpt(error)!r}.")
        ) from error
    # Without quotes, pyarrow cannot misread where a record ends.
    if text.is_quoted and len(table) != text.record_summary.count:
        raise DataError(
            f"{text.path}: expected {text.record_summary.count:,} rows, found {len(table):,} when "
            "the values were read. Remove quotes and line breaks from the values."
        )
    return {name: table.column(fields[name]) for name in names}
