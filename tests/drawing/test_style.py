"""The style of the figures: fixed looks, sizes, and files that come out the same each time."""

from __future__ import annotations

import itertools
import re
import zlib
from contextlib import nullcontext
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from streameval.base import files
from streameval.base.files import replacing_file, with_ending, write_figure, write_text
from streameval.drawing import style
from streameval.drawing.looks import REGRESSOR_LOOKS, distinct_looks
from streameval.learners.registry import LEARNERS


def small_figure() -> Figure:
    figure = style.figure(columns=1)
    style.add_title(figure, "A stream", simulated=True)
    axes = figure.subplots()
    axes.plot([0, 1000, 2000], [0.1, 0.9, 0.4], label="line")
    style.label_counts(axes)
    return figure


def luminance(color: str) -> float:
    # ITU-R BT.709 weights: what is left of a colour in greyscale.
    red, green, blue = to_rgb(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_looks_differ_in_colour_and_without_it_with_a_fixed_one_or_not() -> None:
    assert set(style.LEARNER_LOOKS) <= set(LEARNERS)
    new = [f"new_tree_{i}" for i in range(5)]
    for known in (style.LEARNER_LOOKS, REGRESSOR_LOOKS):
        with distinct_looks([*known, *new]):
            looks = [style.learner_look(name) for name in (*known, *new)]
        assert len({look.color for look in looks}) == len(looks)
        assert len({(look.dash, look.marker) for look in looks}) == len(looks)


def test_learners_without_a_fixed_look_are_bright_beside_the_baselines() -> None:
    with distinct_looks(f"mine_{i}" for i in range(12)):
        looks = [style.learner_look(f"mine_{i}") for i in range(12)]
    for color in (look.color for look in looks):
        assert max(to_rgb(color)) - min(to_rgb(color)) > 0.3  # no grey
        assert luminance(color) > 0.3  # of No-Change: 0
    assert len({look.color for look in looks[:5]}) == 5
    in_grey = {(look.dash, look.marker) for look in (*looks, *style.LEARNER_LOOKS.values())}
    assert len(in_grey) == len(looks) + len(style.LEARNER_LOOKS)


def test_colours_are_readable_on_white() -> None:
    looks = [
        *style.LEARNER_LOOKS.values(),
        *REGRESSOR_LOOKS.values(),
        *style.CLASS_LOOKS,
        style.OTHER_CLASSES_LOOK,
    ]
    assert max(luminance(look.color) for look in looks) < 0.7


def test_classes_differ_without_colour() -> None:
    for first, second in itertools.combinations((*style.CLASS_LOOKS, style.OTHER_CLASSES_LOOK), 2):
        grey = abs(luminance(first.color) - luminance(second.color))
        assert first.dash != second.dash or grey > 0.2


@given(st.text(), st.lists(st.text(), max_size=5))
def test_look_of_unknown_learner_depends_on_its_id_alone(name: str, others: list[str]) -> None:
    alone = style.learner_look(name)
    assert [style.learner_look(other) for other in [*others, name]][-1] == alone
    with distinct_looks(others):  # of a run that it is not in
        assert name in others or style.learner_look(name) == alone
    assert style.learner_look(name) == alone


def test_looks_of_the_learners_of_a_run_do_not_collide() -> None:
    alone = {name: style.learner_look(name) for name in ("river_tree", "river_tree_100")}
    assert len(set(alone.values())) == 1  # as it happens
    titles = ["hoeffding_tree", "river_tree_100", "river_tree", "river_tree_augmented"]
    with distinct_looks(titles):
        apart = {name: style.learner_look(name) for name in titles}
    assert len(set(apart.values())) == 4
    assert apart["hoeffding_tree"] == style.LEARNER_LOOKS["hoeffding_tree"]
    with distinct_looks(["river_tree_100"]):  # the first of the registry has the first colour
        assert style.learner_look("river_tree_100") == apart["river_tree_100"]
    assert apart["river_tree_augmented"].color == apart["river_tree"].color
    assert style.learner_look("river_tree_100") == alone["river_tree_100"]  # afterwards
    many = [f"learner_{i}" for i in range(100)]
    with distinct_looks(many):
        assert len({style.learner_look(name) for name in many}) == 100
    with distinct_looks([*many, "one_more"]):
        assert style.learner_look("one_more") in {style.learner_look(name) for name in many}


def test_looks_of_unknown_learners_vary() -> None:
    # Pinned: the look of a user's own learner is the same in every process and version.
    assert style.learner_look("my_learner") == style.Look("#AA4499", style.LONG, "h")
    assert len({style.learner_look(f"learner_{i}") for i in range(40)}) > 20


@pytest.mark.parametrize(("columns", "millimetres"), [(1, 84), (2, 174)])
def test_figure_has_journal_width(columns: int, millimetres: float) -> None:
    figure = style.figure(columns=columns, aspect=0.5)
    width, height = (inches * 25.4 for inches in figure.get_size_inches())
    assert width == pytest.approx(millimetres)
    assert height == pytest.approx(millimetres / 2)


def test_no_font_is_smaller_than_seven_points() -> None:
    sizes = [value for key, value in style.STYLE.items() if key.endswith("size")]
    points = [size for size in sizes if isinstance(size, float) and size > 5]
    assert len(points) >= 6
    assert min(points) >= 7


def test_style_leaves_no_trace_and_takes_none() -> None:
    before = dict(mpl.rcParams)
    with mpl.rc_context({"lines.linewidth": 9.0}):
        widths = style.styled(lambda: mpl.rcParams["lines.linewidth"])()
    assert widths == style.STYLE["lines.linewidth"]
    assert dict(mpl.rcParams) == before


def test_save_gives_the_same_bytes_and_leaves_nothing_aside(tmp_path: Path) -> None:
    for folder in ("one", "other"):
        style.save(small_figure(), tmp_path / folder / "rbf_50_0.001")
    for ending in ("pdf", "svg"):
        first, second = (
            (tmp_path / folder / f"rbf_50_0.001.{ending}").read_bytes()
            for folder in ("one", "other")
        )
        assert first == second
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == [
        "rbf_50_0.001.pdf",
        "rbf_50_0.001.svg",
    ]


def test_files_hold_no_date_and_no_text_that_needs_a_font(tmp_path: Path) -> None:
    style.save(small_figure(), str(tmp_path / "figure"))
    svg = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    pdf = (tmp_path / "figure.pdf").read_bytes()
    assert "<dc:date>" not in svg
    assert "<text" not in svg
    assert b"CreationDate" not in pdf
    assert b"/CIDFontType2" in pdf  # an embedded TrueType font, PDF "type 42"
    assert b"/Type3" not in pdf
    parts = [part for part in re.split(rb"stream\r?\n", pdf) if part.startswith(b"x")]
    fonts = [part for part in map(inflated, parts) if part.startswith(b"\0\1\0\0")]
    assert fonts
    for font in fonts:  # a few letters of a font do without its tables for the layout of texts
        assert b"glyf" in font[:400]
        assert not {b"GDEF", b"GPOS", b"GSUB"} & {*re.findall(b"G[A-Z]{3}", font[:400])}


def inflated(part: bytes) -> bytes:
    """The content of a compressed part of a PDF."""
    return zlib.decompressobj().decompress(part)


@pytest.mark.parametrize("columns", [1, 2])
def test_long_title_does_not_run_into_the_mark(columns: int) -> None:
    figure = style.figure(columns=columns)
    style.add_title(figure, "Markov stream that resembles Forest Covertype " * 4, simulated=True)
    figure.subplots()
    figure.draw_without_rendering()
    title, mark = (text.get_window_extent() for text in figure.texts)
    title, mark = sorted((title, mark), key=lambda box: box.x0)
    assert title.x1 < mark.x0
    assert mark.x1 < figure.bbox.x1


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.txt"
    write_text(path, "first\n")

    def fail_half_way() -> None:
        with replacing_file(path) as part:
            part.write_text("half")
            raise InterruptedError

    with pytest.raises(InterruptedError):
        fail_half_way()
    assert path.read_bytes() == b"first\n"
    assert [entry.name for entry in path.parent.iterdir()] == ["file.txt"]


@given(st.from_regex(re.compile(r"[a-z0-9_.]{0,20}[a-z0-9]"), fullmatch=True))
def test_dots_in_names_are_kept(name: str) -> None:
    assert with_ending(Path("folder") / name, "csv") == Path(f"folder/{name}.csv")
    assert with_ending(f"folder/{name}", "csv") == Path(f"folder/{name}.csv")


def test_a_wrapped_learner_is_drawn_like_the_one_inside_but_for_dash_and_light() -> None:
    inside = style.learner_look("hoeffding_tree")
    for key, (_, light) in style.WRAPPED_LOOKS.items():
        shade = np.array(to_rgb(inside.color)) * light
        look = style.learner_look(f"hoeffding_tree{key}")
        assert look.dash != inside.dash
        assert to_rgb(look.color) == pytest.approx(shade, abs=1 / 255)


@pytest.mark.parametrize(
    "inside", [*style.LEARNER_LOOKS, *REGRESSOR_LOOKS, "my_own", "hoeffding_tree_2"]
)
def test_each_learner_differs_from_itself_in_a_wrapper(inside: str) -> None:
    looks = [style.learner_look(f"{inside}{key}") for key in ("", *style.WRAPPED_LOOKS)]
    assert len({(look.color, look.dash) for look in looks}) == len(looks)
    assert len({look.marker for look in looks}) == 1
    augmented = style.learner_look(f"{inside}_augmented")
    assert augmented.color == looks[0].color


def test_bands_have_gaps() -> None:
    axes = style.figure().subplots()
    nan = float("nan")
    style.band(axes, [1, 2, 3, 4, 5], [0, 0, nan, 0, 0], [1, 1, 1, 1, 1], style.CLASS_LOOKS[1])
    (band,) = axes.collections
    assert len(band.get_paths()) == 2  # one on each side of the gap


@pytest.mark.parametrize("lines", [1, 4, 9])
def test_the_mark_of_simulated_streams_stays_in_the_corner_of_a_figure_that_grows(
    lines: int,
) -> None:
    figure = small_figure()
    before = figure.get_figheight()
    style.make_room(figure, 3.0 * lines)
    assert (figure.get_figheight() - before) * 25.4 == pytest.approx(3.0 * lines)
    figure.draw_without_rendering()
    box = figure.texts[-1].get_window_extent()
    millimetre = figure.dpi / 25.4
    assert figure.bbox.y1 - box.y1 == pytest.approx(1.4 * millimetre, abs=millimetre)


def test_a_title_of_many_lines_makes_the_figure_higher() -> None:
    short, long = style.figure(), style.figure()
    style.add_title(short, "A stream", simulated=False)
    style.add_title(long, "A stream with a name of many words " * 20, simulated=False)
    assert short.get_figheight() == style.figure().get_figheight()
    panels = [figure.subplots() for figure in (short, long)]
    for figure in (short, long):
        figure.draw_without_rendering()
    heights = [axes.get_window_extent().height / axes.figure.dpi * 25.4 for axes in panels]
    # Two lines are what every figure has room for.
    assert heights[1] > heights[0] - style.TITLE_ROOM_LINES * style.TITLE_LINE_MM


@pytest.mark.parametrize("points", [10, 1000])
def test_a_full_disk_is_said_of_a_pdf_too(points, tmp_path, monkeypatch) -> None:
    """What matplotlib does with the rest of a PDF must not hide it: AttributeError, zlib.error."""
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full")
    monkeypatch.setattr(files, "replacing_file", lambda path: nullcontext(full))
    figure = style.figure()
    values = np.random.default_rng(1).random((2, points))
    axes = figure.subplots()
    axes.plot(values[0])
    axes.fill_between(range(points), values[1])
    with pytest.raises(OSError, match="No space left"):
        write_figure(figure, tmp_path / "large.pdf")
