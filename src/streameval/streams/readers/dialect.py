"""The dialect of a CSV file: its encoding, the separator of its values, the form of its numbers."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from streameval.base.errors import ConfigError, DataError, excerpt, listing
from streameval.base.values import NUMBER
from streameval.streams.readers.values import SIGN, THOUSANDS

#: Separators that are recognised, with their names in messages.
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
#: Number of bytes at the start of a file from which separator and decimal sign are inferred.
SAMPLE_BYTES = 1 << 18
UTF8 = "UTF-8"
#: Encoding of texts that are not UTF-8: Windows-1252, which contains Latin-1 except control codes.
SINGLE_BYTE = "cp1252"
_BYTE_ORDER_MARKS = (  # UTF-32 first, since its little-endian mark begins like the mark of UTF-16
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_LINE_END = re.compile(rb"\r\n|\r|\n")
#: The line that spreadsheets write before the table, to name the separator.
_SEP_LINE = re.compile(rb"sep=([^\r\n])(?=[\r\n])", re.IGNORECASE)
#: Comments above a table without header: lines without a separator.
_COMMENTS = re.compile(rb"(?:#[^\r\n,;\t|]*(?:\r\n?|\n))+")
#: Comments above a header. A comment with a separator needs a blank after the ``#``, since a header
#: may begin with ``#``, too.
_COMMENTS_ABOVE_HEADER = re.compile(rb"(?:#(?:[^\r\n,;\t|]*|#*[ \t][^\r\n]*)(?:\r\n?|\n))+")
#: Numbers with this decimal sign.
_DECIMAL = {sign: re.compile(rf"\s*{SIGN}?\d*[{sign}]\d+([eE]{SIGN}?\d+)?\s*") for sign in ".,"}
#: Numbers in which this sign may be a decimal sign or may group digits.
_AMBIGUOUS = {sign: re.compile(rf"\s*{SIGN}?[1-9]\d{{0,2}}[{sign}]\d{{3}}\s*") for sign in ".,"}
#: Numbers in which this mark certainly groups digits.
_GROUPED = {
    mark: re.compile(
        rf"\s*{SIGN}?[1-9]\d{{0,2}}([{mark}]\d{{3}}){{1,}}([{mark}]\d{{3}}|[{decimal}]\d*)\s*"
    )
    for mark, decimal in (".,", ",.")
}
_WHOLE = re.compile(rf"\s*{SIGN}?\d+\s*")
_SIGN_NAMES = {".": "point", ",": "comma"}
_NOT_SEPARATORS = re.compile(r'[\w"\r\n.+\-]', re.ASCII)


class Dialect(NamedTuple):
    """Encoding, separator and decimal sign of a file; by default plain CSV."""

    separator: str = ","
    decimal: str = "."
    encoding: str = UTF8

    @property
    def separator_name(self) -> str:
        """Name of the separator in messages."""
        return SEPARATORS.get(self.separator, repr(self.separator))

    def note(self, options: DialectOptions) -> str:
        """Note on the parts that are not plain and that no option names; "" for none."""
        parts = []
        if options.separator is None and self.separator != ",":
            parts.append(f"{self.separator_name}s between values (--separator)")
        if options.decimal is None and self.decimal != ".":
            parts.append("decimal commas (--decimal)")
        if options.encoding is None and self.encoding != UTF8:
            parts.append(f"the encoding {self.encoding} (--encoding)")
        return ", ".join(parts)


class DialectOptions(NamedTuple):
    """Dialect as the user names it.

    None means that a part is inferred, except for `thousands`: None if digits are not grouped.
    """

    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    thousands: str | None = None


#: Options that name plain CSV.
PLAIN = DialectOptions(*Dialect())


def dialect_options(
    separator: str | None,
    decimal: str | None,
    encoding: str | None,
    thousands: str | None = None,
) -> DialectOptions:
    """Options of a reader, after a check."""
    if separator is not None:
        separator = {"\\t": "\t", "tab": "\t"}.get(separator, separator)
        if not isinstance(separator, str) or not _is_separator(separator):
            raise ConfigError(
                "separator (--separator): expected one character such as ; or |, or tab, found "
                f"{excerpt(repr(separator), 60)}."
            )
    if decimal not in (None, ".", ","):
        raise ConfigError(
            f"decimal (--decimal): expected a point or a comma, found {excerpt(repr(decimal), 60)}."
        )
    if thousands is not None:
        if thousands not in THOUSANDS:
            raise ConfigError(
                "thousands (--thousands): expected a point, a comma, ' or a blank, found "
                f"{excerpt(repr(thousands), 60)}."
            )
        if thousands == decimal:
            raise ConfigError(
                "thousands (--thousands): expected another mark than the decimal sign (--decimal), "
                f"found {thousands!r} for both."
            )
        # If points group digits, commas are decimal signs, and the reverse.
        decimal = decimal or {".": ",", ",": "."}.get(thousands)
    if encoding is not None:
        try:
            codec = codecs.lookup(encoding)
            "".encode(encoding)  # fails for codecs that do not encode text
        except (LookupError, TypeError, ValueError) as error:
            raise ConfigError(
                "encoding (--encoding): expected a text encoding such as utf-8, utf-16, cp1252 or "
                f"latin-1, found {excerpt(repr(encoding), 60)}."
            ) from error
        encoding = UTF8 if codec.name in ("utf-8", "utf-8-sig") else codec.name
    return DialectOptions(separator, decimal, encoding, thousands)


def _is_separator(text: str) -> bool:
    return len(text) == 1 and text.isascii() and not _NOT_SEPARATORS.match(text) and text != "\0"


def unpack_encoding(path: Path, body: bytes, options: DialectOptions) -> tuple[bytes, str | None]:
    """Text in which separators and line ends are ASCII bytes, and its encoding if it is certain.

    UTF-16, UTF-32 and an encoding that the user names are converted to UTF-8. Other texts stay
    unchanged.
    """
    if options.encoding not in (None, UTF8):
        return _to_utf8(path, body, options.encoding), options.encoding
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if body.startswith(mark)), None)
    if encoding is None:
        # In UTF-16, every second byte of ASCII text is zero. The first 32 characters are examined,
        # at least two, since a file of one character is no table.
        head = body[: min(len(body), 64) // 2 * 2]
        for name, ascii_byte, zero_byte in (("UTF-16-LE", 0, 1), ("UTF-16-BE", 1, 0)):
            if len(head) >= 4 and not any(head[zero_byte::2]) and all(head[ascii_byte::2]):
                encoding = name
    if encoding is None or options.encoding == UTF8:
        return body, options.encoding
    return _to_utf8(path, body, encoding), encoding


def _to_utf8(path: Path, body: bytes, encoding: str) -> bytes:
    try:
        return body.decode(encoding).removeprefix("\ufeff").encode()
    except UnicodeDecodeError as error:
        before = body[: error.start].decode(encoding, "replace")
        line = 1 + len(_LINE_END.findall(before.encode()))
        byte = body[error.start : error.start + 1].hex() or "nothing"
        raise DataError(
            f"{path}, line {line}: expected {encoding} text, found the byte 0x{byte}. Name "
            "another encoding (--encoding) or save the file as UTF-8."
        ) from error
    except UnicodeError as error:  # surrogates, or an error of a special codec
        raise DataError(
            f"{path}: expected {encoding} text, found other bytes ({excerpt(error)}). Name another "
            "encoding (--encoding) or save the file as UTF-8."
        ) from error


def decode_single_bytes(path: Path, body: bytes, line: int, byte: int) -> bytes:
    """Convert a text that is not UTF-8 to UTF-8: each byte is a character of `SINGLE_BYTE`.

    A text that also has multi-byte characters of UTF-8 is refused as damaged. `byte` is the first
    byte that is not UTF-8, in the line `line`.
    """
    # Decoding turns wrong bytes into surrogates, which this range of characters leaves out.
    if re.search("[\x80-\ud7ff\ue000-\U0010ffff]", body.decode("utf-8", "surrogateescape")):
        raise DataError(
            f"{path}, line {line}: expected UTF-8 text, as elsewhere in the file, found the byte "
            f"0x{byte:02x}. Correct it, or name another encoding (--encoding cp1252)."
        )
    return _to_utf8(path, body, SINGLE_BYTE)


def strip_separator_line(body: bytes) -> tuple[bytes, str | None]:
    """Text with an empty line instead of a first line such as ``sep=;``, and its separator.

    Spreadsheets write such a line. Without it, the separator is None.
    """
    line = _SEP_LINE.match(body)
    if line is None or not _is_separator(separator := line.group(1).decode("latin-1")):
        return body, None
    return body[line.end() :], separator


def without_comments(body: bytes, has_header: bool = True) -> bytes:
    """Text with blank lines instead of comments at the top, such as ``# made by ...``."""
    comments = (_COMMENTS_ABOVE_HEADER if has_header else _COMMENTS).match(body)
    if comments is None:
        return body
    lines = comments[0].splitlines(keepends=True)
    next_lines = re.findall(rb"[^\r\n]+", body[comments.end() : comments.end() + SAMPLE_BYTES])[:2]
    end = comments.end()
    if _is_header(lines[-1], next_lines):
        end -= len(lines[-1])
    return re.sub(rb"[^\r\n]", b"", body[:end]) + body[end:]


def _is_header(line: bytes, next_lines: list[bytes]) -> bool:
    """Whether a line that may be a comment is the header, judged by the next two lines.

    A header has as many values as the next line. The next line is the header instead if it has no
    numbers, and the line after it has numbers.
    """
    separators = [separator for separator in SEPARATORS if separator.encode() in line]
    if not next_lines:
        return bool(separators)
    for separator in separators:
        first, *rows = (_cells(text, separator) for text in (line, *next_lines))
        if len(first) == len(rows[0]):
            have_numbers = [any(map(NUMBER.fullmatch, row)) for row in rows]
            next_is_header = have_numbers == [False, True]
            return not next_is_header
    return False


def _cells(line: bytes, separator: str) -> list[str]:
    try:
        row = next(csv.reader([line.decode("latin-1").rstrip("\r\n")], delimiter=separator), [])
    except csv.Error:
        return []
    return [cell.strip() for cell in row]


def separator_of(path: Path, body: bytes) -> str:
    """Separator with which all records at the start of a file have the same number of values.

    Several such separators are refused. Without any, it is the separator with which most records
    have as many values as the first, so that the reader can name a line that differs.
    """
    first = re.match(rb"\s*([^\r\n]*)", body)
    head = first.group(1) if first else b""
    if b'"' not in head and not any(mark in head for mark in (b";", b"\t", b"|")):
        return ","  # the only separator that the first line can have
    #: By separator: proportion of records with as many values as the first, and this number.
    agreement: dict[str, tuple[float, int]] = {}
    for mark in SEPARATORS:
        widths = [len(cells) for cells in _first_records(body, mark)]
        if widths and widths[0] > 1:
            agreement[mark] = widths.count(widths[0]) / len(widths), widths[0]
    consistent = [mark for mark, (proportion, _) in agreement.items() if proportion == 1.0]
    if len(consistent) > 1:
        marks = (f"{SEPARATORS[mark]}s ({agreement[mark][1]} values)" for mark in consistent)
        example = "tab" if consistent[-1] == "\t" else repr(consistent[-1])
        raise DataError(
            f"{path}: expected one separator, found rows that {' or '.join(marks)} could separate. "
            f"Name it, as in --separator {example}."
        )
    return max(agreement, key=lambda mark: agreement[mark][0], default=",")


def decimal_of(body: bytes, separator: str, thousands: str | None = None) -> str:
    """Decimal sign of the numbers at the start of a file.

    Numbers that can be read in one way only decide, such as ``0.5`` or ``1.234,5``. Without such
    numbers, the sign that occurs is the decimal sign. If commas separate values, ``"1,234"`` means
    thousands.
    """
    # Between separating commas, a decimal comma occurs in quotes only.
    if separator == "," and not re.search(rb'"[^"\w]*[\d.]*,\d', body[:SAMPLE_BYTES]):
        return "."
    commas = points = may_be_comma = False
    for cells in _first_records(body, separator):
        for cell in cells:
            if thousands is not None:
                cell = _without_groups(cell, thousands)
            if _DECIMAL["."].fullmatch(cell):
                if not _AMBIGUOUS["."].fullmatch(cell):
                    return "."
                points = True
            elif _GROUPED[","].fullmatch(cell):
                return "."
            elif not commas:
                is_ambiguous = _AMBIGUOUS[","].fullmatch(cell) is not None
                is_comma = _DECIMAL[","].fullmatch(cell) is not None
                may_be_comma = may_be_comma or is_comma
                commas = (is_comma and not is_ambiguous) or bool(_GROUPED["."].fullmatch(cell))
    if commas:
        return ","
    return "," if may_be_comma and not points and separator != "," else "."


def _without_groups(cell: str, thousands: str) -> str:
    return re.sub(f"(?<=[0-9])[{THOUSANDS[thousands]}](?=[0-9])", "", cell)


def ambiguous_columns(body: bytes, dialect: Dialect) -> dict[int, str]:
    """Columns of numbers such as 12.345 at the start of a text, each with its first such number.

    The result is empty if the decimal sign cannot group digits in some number, such as ``12.3``.
    """
    sign, separator = dialect.decimal, re.escape(dialect.separator)
    if sign == dialect.separator:
        return {}
    edge = f'[^{separator}"\\s]'
    fractions = re.compile(
        rf"(?<!{edge})[+-]?(\d*)[{sign}](\d+)(?:[eE][+-]?\d+)?(?!{edge})".encode()
    )
    ambiguous = _AMBIGUOUS[sign]
    has_numbers = False
    for number in fractions.finditer(body, 0, SAMPLE_BYTES):
        if ambiguous.fullmatch(number[0].decode()) is None:
            return {}
        has_numbers = True
    if not has_numbers:
        return {}
    examples: dict[int, str] = {}
    texts: set[int] = set()
    for cells in _first_records(body, dialect.separator):
        for j, cell in enumerate(cells):
            if ambiguous.fullmatch(cell):
                examples.setdefault(j, cell.strip())
            elif not _WHOLE.fullmatch(cell) and re.search("[0-9]", cell):
                texts.add(j)
    return {j: cell for j, cell in examples.items() if j not in texts}


def ambiguity_note(examples: dict[str, str], sign: str) -> str:
    """Note on columns whose numbers may be decimals or grouped digits, with both readings."""
    number = next(iter(examples.values()))
    decimal, grouped = number.replace(sign, "."), number.replace(sign, "")
    return (
        f"Numbers such as {number} in {listing(examples)} are read as {decimal}, with a decimal "
        f"{_SIGN_NAMES[sign]}. Exactly three digits follow every {_SIGN_NAMES[sign]}, so {grouped} "
        f"may be meant: say which (--decimal {sign!r} or --thousands {sign!r})."
    )


def _first_records(body: bytes, separator: str) -> Iterator[list[str]]:
    """Yield the records at the start of a file, as far as they can be read."""
    is_cut = len(body) > SAMPLE_BYTES
    text = io.StringIO(body[:SAMPLE_BYTES].decode("utf-8", "replace"), newline="")
    reader = csv.reader(text, delimiter=separator, strict=True)
    previous: list[str] | None = None
    try:
        for cells in reader:
            if not cells:
                continue
            if previous is not None:
                yield previous
            previous = cells
    except csv.Error:  # an open quote, or a field of more than 128 kB: `csv_text` reports it
        is_cut = False  # the record before the error is complete
    # The last record is left out if it may be cut.
    if previous is not None and not is_cut:
        yield previous
