"""Figures of matplotlib as small inline SVG with colours for light and dark pages."""

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

#: Background colour of a dark page.
DARK_PAPER = "#14181f"
#: Text colour of a dark page.
DARK_INK = "#e8ebf0"
#: Smallest contrast of a colour with dark paper: WCAG 2.1 requires 4.5 for text (3 for graphics).
LEAST_CONTRAST = 4.5
#: The default colour of SVG, for elements without a colour.
_DEFAULT_COLOR = "#000000"
#: A colour is grey if its channels differ by less. The tinted bands behind rows are grey, too.
_GREY = 0.035
_COLOR = re.compile(r"#[0-9a-fA-F]{6}\b")
# Patterns of parts of an SVG file; the group is the value.
_STYLE = re.compile(r'style="([^"]*)"')
_PATH = re.compile(r' d="([^"]*)"')
_NUMBER = re.compile(r"-?\d+\.\d+")
_ID = re.compile(r' id="([^"]*)"')
#: The start of the figure; the group is its view box.
_VIEW_BOX = re.compile(r'<svg [^>]*viewBox="([^"]*)"[^>]*>', re.DOTALL)
#: The start of the figure; the groups are its width and height in points.
_SIZE_IN_POINTS = re.compile(r'<svg\b[^>]*?\bwidth="([\d.]+)pt" height="([\d.]+)pt"')
#: Parts of an SVG file that pages do not need.
_REMOVED = (
    re.compile(r"<metadata>.*?</metadata>", re.DOTALL),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"<style[^>]*>.*?</style>", re.DOTALL),
)


def inline_svg(figure: Figure, name: str, label: str) -> str:
    """A figure as an element of a page; `label` describes it for screen readers.

    Colours are the variables ``--c-RRGGBB`` of `color_rules`. Ids begin with `name`, which must be
    unique in the page.
    """
    buffer = io.StringIO()
    options: dict[str, Any] = {"metadata": {"Creator": None, "Date": None}, "transparent": True}
    with without_glyph_warnings():  # browsers have other fonts for the texts
        figure.savefig(buffer, format="svg", **options)
    return inline_file(buffer.getvalue(), name, label)


def inline_file(text: str, name: str, label: str) -> str:
    """The text of an SVG file as an element of a page; see `inline_svg`."""
    text = text[text.index("<svg") :]
    for part in _REMOVED:
        text = part.sub("", text)
    box = _VIEW_BOX.match(text)
    content = text[box.end() :] if box else text
    content = content.replace("xlink:href", "href")
    content = _STYLE.sub(lambda match: _style_attribute(match[1]), content)
    content = _PATH.sub(lambda match: f' d="{_short_path(match[1])}"', content)
    content = _with_ids(content, name)
    content = re.sub(r">\s+<", "><", content)
    size = box[1] if box else "0 0 1 1"
    label = escape(label, quote=False).replace('"', "&quot;")
    attributes = f'viewBox="{size}" role="img" aria-label="{label}"'
    return f'<svg {attributes} style="fill:var(--c-{_DEFAULT_COLOR[1:]})">{content}'.strip()


def size_in_points(text: str) -> tuple[float, float]:
    """Width and height in points that the text of an SVG file states; 0 if it states none."""
    match = _SIZE_IN_POINTS.search(text)
    return (float(match[1]), float(match[2])) if match else (0.0, 0.0)


def _style_attribute(rules: str) -> str:
    """A style attribute with variables for colours, and without font families."""
    new_rules = []
    for rule in rules.split(";"):
        key, _, value = (part.strip() for part in rule.partition(":"))
        if key == "font":  # "8px 'DejaVu Sans', ..."
            size = re.search(r"[\d.]+px", value)
            weight = "font-weight:600" if "bold" in value or "700" in value else ""
            new_rules += [f"font-size:{size[0]}" if size else "", weight]
        elif key and key != "font-family":
            new_rules.append(f"{key}:{_COLOR.sub(lambda c: f'var(--c-{c[0][1:].lower()})', value)}")
    return f'style="{";".join(filter(None, new_rules))}"'


def _short_path(path: str) -> str:
    """A path with one decimal, a tenth of a pixel."""
    return _NUMBER.sub(lambda match: f"{float(match[0]):.1f}".removesuffix(".0"), path).replace(
        "\n", ""
    )


def _with_ids(text: str, name: str) -> str:
    """A text with only the ids that are referred to, each prefixed by the figure's name."""
    used = {*re.findall(r'href="#([^"]+)"', text), *re.findall(r"url\(#([^)]+)\)", text)}
    text = _ID.sub(lambda match: f' id="{name}-{match[1]}"' if match[1] in used else "", text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    return re.sub(r"url\(#", f"url(#{name}-", text)


def color_rules(figures: Iterable[str]) -> tuple[str, str]:
    """The colours of figures as rules of style sheets, for light pages and for dark pages."""
    names = sorted({name for text in figures for name in re.findall(r"--c-([0-9a-f]{6})", text)})
    light = "".join(f"--c-{name}:#{name};" for name in names)
    return light, "".join(f"--c-{name}:{dark_color(f'#{name}')};" for name in names)


def dark_color(color: str) -> str:
    """The colour for dark pages: greys are inverted, other colours are made light enough."""
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


#: Settings of matplotlib for figures of pages: unlike in print, texts stay texts, sizes are pixels.
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
