"""Characters of names in figures: fonts that have them, and a warning if no font does."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.text import Text

from streameval.base.errors import listing, warn_caller
from streameval.streams.readers.table import StreamWarning

#: The font of all figures. It comes with matplotlib, so glyphs are the same everywhere.
MAIN_FONT = "DejaVu Sans"
#: Fonts of Linux, Windows and macOS with characters that the main font lacks. Each line is a tuple
#: of its own, so that it stays on one line.
FALLBACK_FONTS = (
    *("Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans JP", "Noto Sans SC", "Noto Sans KR"),
    *("Source Han Sans", "IPAexGothic", "IPAGothic", "TakaoGothic", "VL Gothic"),
    *("WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "Droid Sans Fallback", "NanumGothic"),
    *("Yu Gothic", "MS Gothic", "Meiryo", "Microsoft YaHei", "SimHei", "Malgun Gothic"),
    *("Hiragino Sans", "PingFang SC", "PingFang HK", "Apple SD Gothic Neo", "Arial Unicode MS"),
    *("Noto Sans Devanagari", "Noto Sans Thai", "Noto Sans Bengali", "Noto Sans Tamil"),
    *("Noto Sans Symbols", "Noto Emoji", "Unifont"),
)
#: Start of matplotlib's warning about a missing character.
_MISSING_GLYPH = r"Glyph (\d+) .* missing from font"


@cache
def font_families() -> list[str]:
    """The fonts of figures: `MAIN_FONT`, then the installed fonts for other characters."""
    installed = {font.name for font in fontManager.ttflist}
    return [MAIN_FONT, *(name for name in FALLBACK_FONTS if name in installed)]


@contextmanager
def without_glyph_warnings() -> Iterator[None]:
    """Suppress matplotlib's warnings of missing glyphs; use `warn_of_missing_glyphs` on saving."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", _MISSING_GLYPH)
        yield


@contextmanager
def warn_of_missing_glyphs(figure: Figure) -> Iterator[None]:
    """Warn once of words in a figure with characters that no installed font has.

    If no word of the figure has them, the warning lists the characters.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.filterwarnings("always", _MISSING_GLYPH)
        yield
    missing = set()
    for warning in caught:
        if (glyph := re.match(_MISSING_GLYPH, str(warning.message))) is not None:
            missing.add(chr(int(glyph[1])))
        else:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
    affected = {word for text in figure.findobj(Text) for word in _words(text) if missing & {*word}}
    if missing:
        names = listing(sorted(affected) or missing)
        warn_caller(
            f"No installed font has the characters of {names}: "
            "figures show boxes instead. Install a font that has them, such as Noto Sans CJK.",
            StreamWarning,
        )


def _words(text: object) -> list[str]:
    return text.get_text().split() if isinstance(text, Text) else []
