"""Figures of matplotlib as inline SVG: coloured by the page, for light and dark, and small."""

from __future__ import annotations

import colorsys
import io
import re
from collections.abc import Iterable
from html import escape
from typing import Any

from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure

from streameval.drawing import style
from streameval.drawing.glyphs import without_glyph_warnings

#: Paper and ink of a page in the dark.
DARK_PAPER, DARK_INK = "#14181f", "#e8ebf0"
#: Contrast of a colour with dark paper, at least: that of WCAG 2.1 for graphical objects is 3.
LEAST_CONTRAST = 4.5
#: The colour of what has no other: SVG does not name it.
_UNSAID = "#000000"
#: Greys, and the tinted bands behind rows, differ less between their channels.
_GREY = 0.035
_COLOR = re.compile(r"#[0-9a-fA-F]{6}\b")
_STYLE = re.compile(r'style="([^"]*)"')
_PATH = re.compile(r' d="([^"]*)"')
_NUMBER = re.compile(r"-?\d+\.\d+")
_ID = re.compile(r' id="([^"]*)"')
_SIZE = re.compile(r'<svg [^>]*viewBox="([^"]*)"[^>]*>', re.DOTALL)
_POINTS = re.compile(r'<svg\b[^>]*?\bwidth="([\d.]+)pt" height="([\d.]+)pt"')
_LEFT_OUT = (
    re.compile(r"<metadata>.*?</metadata>", re.DOTALL),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"<style[^>]*>.*?</style>", re.DOTALL),
)


def inline_svg(figure: Figure, name: str, label: str) -> str:
    """A figure as an element of a page, with a text for those who do not see it.

    Colours are variables, ``--c-RRGGBB``, of `color_rules`; ids begin with `name`, of no other.
    """
    written = io.StringIO()
    options: dict[str, Any] = {"metadata": {"Creator": None, "Date": None}, "transparent": True}
    with without_glyph_warnings():  # browsers have other fonts for the texts
        figure.savefig(written, format="svg", **options)
    return inline(written.getvalue(), name, label)


def inline(text: str, name: str, label: str) -> str:
    """The content of a file of SVG as an element of a page, see `inline_svg`."""
    text = text[text.index("<svg") :]
    for part in _LEFT_OUT:
        text = part.sub("", text)
    box = _SIZE.match(text)
    inside = text[box.end() :] if box else text
    inside = inside.replace("xlink:href", "href")
    inside = _STYLE.sub(lambda match: _styled(match[1]), inside)
    inside = _PATH.sub(lambda match: f' d="{_short(match[1])}"', inside)
    inside = _with_ids(inside, name)
    inside = re.sub(r">\s+<", "><", inside)
    size = box[1] if box else "0 0 1 1"
    label = escape(label, quote=False).replace('"', "&quot;")
    about = f'viewBox="{size}" role="img" aria-label="{label}"'
    return f'<svg {about} style="fill:var(--c-{_UNSAID[1:]})">{inside}'.strip()


def points_of(text: str) -> tuple[float, float]:
    """The width and the height in points that a file of SVG states; 0 where it does not."""
    match = _POINTS.search(text)
    return (float(match[1]), float(match[2])) if match else (0.0, 0.0)


def _styled(rules: str) -> str:
    """The attribute of a style whose colours are variables and whose fonts the page's."""
    kept = []
    for rule in rules.split(";"):
        key, _, value = (part.strip() for part in rule.partition(":"))
        if key == "font":  # "8px 'DejaVu Sans', ..."
            size = re.search(r"[\d.]+px", value)
            weight = "font-weight:600" if "bold" in value or "700" in value else ""
            kept += [f"font-size:{size[0]}" if size else "", weight]
        elif key and key != "font-family":
            kept.append(f"{key}:{_COLOR.sub(lambda c: f'var(--c-{c[0][1:].lower()})', value)}")
    return f'style="{";".join(filter(None, kept))}"'


def _short(path: str) -> str:
    """A path with one digit behind the point, a tenth of a pixel."""
    return _NUMBER.sub(lambda match: f"{float(match[0]):.1f}".removesuffix(".0"), path).replace(
        "\n", ""
    )


def _with_ids(text: str, name: str) -> str:
    """A text with only those ids that something refers to, each after the figure's name."""
    used = {*re.findall(r'href="#([^"]+)"', text), *re.findall(r"url\(#([^)]+)\)", text)}
    text = _ID.sub(lambda match: f' id="{name}-{match[1]}"' if match[1] in used else "", text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    return re.sub(r"url\(#", f"url(#{name}-", text)


def color_rules(figures: Iterable[str]) -> tuple[str, str]:
    """The colours of figures as rules of a style sheet, for light and for dark pages."""
    named = {name for text in figures for name in re.findall(r"--c-([0-9a-f]{6})", text)}
    names = sorted(named)
    light = "".join(f"--c-{name}:#{name};" for name in names)
    return light, "".join(f"--c-{name}:{in_the_dark(f'#{name}')};" for name in names)


def in_the_dark(color: str) -> str:
    """The colour on dark paper: greys are inverted, others made light enough."""
    red, green, blue = to_rgb(color)
    if max(red, green, blue) - min(red, green, blue) < _GREY:
        paper, ink = to_rgb(DARK_PAPER), to_rgb(DARK_INK)
        mixed = tuple(red * p + (1.0 - red) * i for p, i in zip(paper, ink, strict=True))
        return to_hex(mixed)  # type: ignore[arg-type]
    hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
    lighter = color
    while contrast(lighter, DARK_PAPER) < LEAST_CONTRAST and light < 1.0:
        light = min(light + 0.02, 1.0)
        lighter = to_hex(colorsys.hls_to_rgb(hue, light, saturation))
    return lighter


def contrast(first: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21, as WCAG 2.1 defines it."""
    dark, light = sorted(_luminance(color) for color in (first, other))
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


#: How figures of pages differ from those of print: texts are texts, sizes are pixels.
STYLE = {
    **style.STYLE,
    "svg.fonttype": "none",
    **dict.fromkeys(
        (
            *("font.size", "axes.labelsize", "axes.titlesize"),
            *("xtick.labelsize", "ytick.labelsize", "legend.fontsize"),
        ),
        12.0,
    ),
    "lines.linewidth": 1.5,
    "lines.markersize": 6.0,
    "lines.markeredgewidth": 0.8,
    "axes.linewidth": 0.8,
    "grid.linewidth": 0.7,
    "axes.titlelocation": "left",
    "axes.titlepad": 8.0,
}
