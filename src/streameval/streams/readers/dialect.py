"""The dialect of a CSV file: its encoding, the separator of its values, the form of its numbers."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from streameval.base.errors import ConfigError, DataError, excerpt, some
from streameval.base.values import NUMBER
from streameval.streams.readers.values import SIGN, THOUSANDS, with_quotes

#: Separators that are looked for, and what messages call them.
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
#: How many bytes at the start of a file decide on separator and decimal sign.
DECISIVE = 1 << 18
UTF8 = "UTF-8"
#: Read where a text is no UTF-8: Windows-1252, of which Latin-1 without control codes is a part.
SINGLE_BYTE = "cp1252"
_MARKED = (  # the longer marks first: that of UTF-32 begins like that of UTF-16
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_LINE_END = re.compile(rb"\r\n|\r|\n")
#: The line that spreadsheets write before the table, to name the separator.
_SEP_LINE = re.compile(rb"sep=([^\r\n])(?=[\r\n])", re.IGNORECASE)
#: Comments above the table, which have no separator; and such lines above a header that may have
#: one, with a blank behind the sign: a header may begin with the same sign.
_COMMENTS = re.compile(rb"(?:#[^\r\n,;\t|]*(?:\r\n?|\n))+")
_ABOVE = re.compile(rb"(?:#(?:[^\r\n,;\t|]*|#*[ \t][^\r\n]*)(?:\r\n?|\n))+")
#: Floats with one decimal sign; those that may be grouped digits as well; surely grouped digits.
_DECIMAL = {sign: re.compile(rf"\s*{SIGN}?\d*[{sign}]\d+([eE]{SIGN}?\d+)?\s*") for sign in ".,"}
_AMBIGUOUS = {sign: re.compile(rf"\s*{SIGN}?[1-9]\d{{0,2}}[{sign}]\d{{3}}\s*") for sign in ".,"}
_GROUPED = {
    mark: re.compile(
        rf"\s*{SIGN}?[1-9]\d{{0,2}}([{mark}]\d{{3}}){{1,}}([{mark}]\d{{3}}|[{decimal}]\d*)\s*"
    )
    for mark, decimal in (".,", ",.")
}
_WHOLE = re.compile(rf"\s*{SIGN}?\d+\s*")
_SIGNS = {".": "point", ",": "comma"}
_NOT_SEPARATORS = re.compile(r'[\w"\r\n.+\-]', re.ASCII)


class Dialect(NamedTuple):
    """Encoding, separator and decimal sign of a file; by default plain CSV."""

    separator: str = ","
    decimal: str = "."
    encoding: str = UTF8

    @property
    def separated_by(self) -> str:
        """Name of a separator in messages."""
        return SEPARATORS.get(self.separator, repr(self.separator))

    def note(self, options: DialectOptions) -> str:
        """Note on the dialect where it is not plain and no option says it; "" for none."""
        parts = []
        if options.separator is None and self.separator != ",":
            parts.append(f"{self.separated_by}s between values (--separator)")
        if options.decimal is None and self.decimal != ".":
            parts.append("decimal commas (--decimal)")
        if options.encoding is None and self.encoding != UTF8:
            parts.append(f"the encoding {self.encoding} (--encoding)")
        return ", ".join(parts)


class DialectOptions(NamedTuple):
    """Dialect given by the user; None: to be found, but for `thousands`, which are then none."""

    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    thousands: str | None = None


PLAIN = DialectOptions(*Dialect())


def dialect_options(
    separator: str | None,
    decimal: str | None,
    encoding: str | None,
    thousands: str | None = None,
) -> DialectOptions:
    """Options of a reader, checked."""
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
        decimal = decimal or {".": ",", ",": "."}.get(thousands)
    if encoding is not None:
        try:
            known = codecs.lookup(encoding)
            "".encode(encoding)  # some codecs are not about text
        except (LookupError, TypeError, ValueError) as error:
            raise ConfigError(
                "encoding (--encoding): expected a text encoding such as utf-8, utf-16, cp1252 or "
                f"latin-1, found {excerpt(repr(encoding), 60)}."
            ) from error
        encoding = UTF8 if known.name in ("utf-8", "utf-8-sig") else known.name
    return DialectOptions(separator, decimal, encoding, thousands)


def _is_separator(text: str) -> bool:
    return len(text) == 1 and text.isascii() and not _NOT_SEPARATORS.match(text) and text != "\0"


def unpack_encoding(path: Path, body: bytes, options: DialectOptions) -> tuple[bytes, str | None]:
    """Text with one byte for each ASCII character, and its encoding if that is certain.

    Encodings of two or four bytes, and those that the user names, become UTF-8. All others are
    left: their separators and line ends are those of ASCII.
    """
    if options.encoding not in (None, UTF8):
        return _transcoded(path, body, options.encoding), options.encoding
    encoding = next((name for mark, name in _MARKED if body.startswith(mark)), None)
    if encoding is None:
        head = body[: min(len(body), 64) // 2 * 2]
        for name, text, zeros in (("UTF-16-LE", 0, 1), ("UTF-16-BE", 1, 0)):
            if len(head) >= 4 and not any(head[zeros::2]) and all(head[text::2]):
                encoding = name
    if encoding is None or options.encoding == UTF8:
        return body, options.encoding
    return _transcoded(path, body, encoding), encoding


def _transcoded(path: Path, body: bytes, encoding: str) -> bytes:
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
    except UnicodeError as error:  # surrogates, or a codec's own words
        raise DataError(
            f"{path}: expected {encoding} text, found another ({excerpt(error)}). Name another "
            "encoding (--encoding) or save the file as UTF-8."
        ) from error


def single_bytes(path: Path, body: bytes, line: int, byte: int) -> bytes:
    """Text that is no UTF-8 as UTF-8: each byte is a character of `SINGLE_BYTE`.

    A text with characters of UTF-8 besides is damaged; `line` and `byte` are of the first other
    one.
    """
    if re.search("[\x80-\ud7ff\ue000-\U0010ffff]", body.decode("utf-8", "surrogateescape")):
        raise DataError(
            f"{path}, line {line}: expected UTF-8 text, as elsewhere in the file, found the byte "
            f"0x{byte:02x}. Correct it, or name another encoding (--encoding cp1252)."
        )
    return _transcoded(path, body, SINGLE_BYTE)


def named_in_first_line(body: bytes) -> tuple[bytes, str | None]:
    """Text without a first line like ``sep=;``, which stays as a blank one, and its mark.

    Spreadsheets write such a line.
    """
    line = _SEP_LINE.match(body)
    if line is None or not _is_separator(mark := line.group(1).decode("latin-1")):
        return body, None
    return body[line.end() :], mark


def without_comments(body: bytes, has_header: bool = True) -> bytes:
    """Text whose first lines are blank where they are comments, ``# made by ...``."""
    comments = (_ABOVE if has_header else _COMMENTS).match(body)
    if comments is None:
        return body
    lines = comments[0].splitlines(keepends=True)
    below = re.findall(rb"[^\r\n]+", body[comments.end() : comments.end() + DECISIVE])[:2]
    end = comments.end() - len(lines[-1]) * _is_header(lines[-1], below)
    return re.sub(rb"[^\r\n]", b"", body[:end]) + body[end:]


def _is_header(line: bytes, below: list[bytes]) -> bool:
    """Whether a line that may be a comment is the header, by the lines below.

    It has as many values as the next line, which is the header itself if it alone has no numbers.
    """
    marks = [mark for mark in SEPARATORS if mark.encode() in line]
    if not below:
        return bool(marks)
    for mark in marks:
        first, *rows = (_cells(each, mark) for each in (line, *below))
        if len(first) == len(rows[0]):
            return [any(map(NUMBER.fullmatch, row)) for row in rows] != [False, True]
    return False


def _cells(line: bytes, mark: str) -> list[str]:
    try:
        row = next(csv.reader([line.decode("latin-1").rstrip("\r\n")], delimiter=mark), [])
    except csv.Error:
        return []
    return [cell.strip() for cell in row]


def separator_of(path: Path, body: bytes, has_header: bool = True) -> str:
    """Separator by which all records at the start of a file have as many values.

    Where none divides all alike, it is the one that divides most like the first, so that the reader
    names the line that is not; several are refused.
    """
    first = re.match(rb"\s*([^\r\n]*)", body)
    head = first.group(1) if first else b""
    if b'"' not in head and not any(mark in head for mark in (b";", b"\t", b"|")):
        return ","
    like_first: dict[str, tuple[float, int]] = {}
    for mark in SEPARATORS:
        widths = [len(cells) for cells in _first_records(body, mark)]
        if widths and widths[0] > 1:
            like_first[mark] = widths.count(widths[0]) / len(widths), widths[0]
    whole = [mark for mark, (part, _) in like_first.items() if part == 1.0]
    if len(whole) > 1 and has_header:
        marks = (f"{SEPARATORS[mark]}s ({like_first[mark][1]} values)" for mark in whole)
        several = " or ".join(marks)
        raise DataError(
            f"{path}: expected one separator, found rows that {several} could separate. Name it, "
            f"as in --separator {'tab' if whole[-1] == chr(9) else repr(whole[-1])}."
        )
    return max(like_first, key=lambda mark: like_first[mark][0], default=",")


def decimal_of(body: bytes, separator: str, thousands: str | None = None) -> str:
    """Decimal sign of the numbers at the start of a file.

    A number that can be read in one way only decides, such as ``0.5`` or ``1.234,5``; if there is
    none, the sign that occurs. Where commas separate the values, ``"1,234"`` means thousands.
    """
    if separator == "," and not re.search(rb'"[^"\w]*[\d.]*,\d', body[:DECISIVE]):
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


def ambiguous_columns(body: bytes, how: Dialect) -> dict[int, str]:
    """Columns of numbers such as 12.345 at the start of a text, each with its first such number.

    There are none if any number has other than three digits behind the decimal sign, or cannot be
    grouped digits for another reason.
    """
    sign, separator = how.decimal, re.escape(how.separator)
    if sign == how.separator:
        return {}
    edge = f'[^{separator}"\\s]'
    fractions = re.compile(
        rf"(?<!{edge})[+-]?(\d*)[{sign}](\d+)(?:[eE][+-]?\d+)?(?!{edge})".encode()
    )
    ambiguous = _AMBIGUOUS[sign]
    is_any = False
    for number in fractions.finditer(body, 0, DECISIVE):
        if ambiguous.fullmatch(number[0].decode()) is None:
            return {}
        is_any = True
    if not is_any:
        return {}
    examples: dict[int, str] = {}
    texts: set[int] = set()
    for cells in _first_records(body, how.separator):
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
        f"Numbers such as {number} in {some(examples)} are read as {decimal}, with a decimal "
        f"{_SIGNS[sign]}. Exactly three digits follow every {_SIGNS[sign]}, so {grouped} may be "
        f"meant: say which (--decimal {sign!r} or --thousands {sign!r})."
    )


def _first_records(body: bytes, separator: str) -> Iterator[list[str]]:
    """Yield the records at the start of a file, as far as they can be read."""
    start = with_quotes(body[:DECISIVE], separator)
    is_cut = len(body) > DECISIVE
    text = io.StringIO(start.decode("utf-8", "replace"), newline="")
    reader = csv.reader(text, delimiter=separator, strict=True)
    held: list[str] | None = None
    try:
        for cells in reader:
            if not cells:
                continue
            if held is not None:
                yield held
            held = cells
    except csv.Error:  # an open quote, or a field of more than 128 kB: the reader says it
        is_cut = False
    # The last record of a part may not be whole.
    if held is not None and not is_cut:
        yield held
