"""Figures, tables and captions of the propositions about baselines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from streameval.base.rounding import format_number
from streameval.drawing import style
from streameval.drawing.scales import LINEAR_TO, bend
from streameval.drawing.subject import Subject
from streameval.items.columns import frame_table, number_column, text_column, text_frame_table
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.propositions import PropositionBaselinesSettings
from streameval.items.propositions.baseline_accuracies import persistence_landmarks
from streameval.items.propositions.error_dependence import CONDITIONS
from streameval.items.propositions.propositions import DERIVED, RESOLUTION, verdict_on_sign
from streameval.items.text_templates import TextTemplates
from streameval.measures.registry import MEASURES
from streameval.view.numbers import DECIMALS, number_text, plus_minus
from streameval.view.parts import Column, Table

#: Title, menu entry and captions of each kind; braces quote settings.
TEXTS = {
    "proposition_baselines": TextTemplates(
        title="Which baseline is better",
        menu_entry="which baseline is better",
        caption=(
            "Accuracy of Persistent (predicts the previous label) minus the accuracy of Majority "
            "(predicts the most frequent label) on simulated labels: balanced or not, independent "
            "or not."
        ),
    ),
    "propositions": TextTemplates(
        title="Propositions 5 to 9 by simulation",
        menu_entry="all cases",
        caption=(
            "Every case: the stated sign, the result over {seeds} simulated streams of {instances} "
            "labels, and a verdict."
        ),
        evaluation="test-then-train (prequential)",
        pictures={
            "baselines": (
                "Accuracies of Majority, Persistent, Random and Naive Bayes, and κ, κ_per and κ⁺ "
                "of Naive Bayes, by P(T), the probability that a label repeats, on simulated "
                "streams with three kinds of class proportions. Bands are 95 % intervals over "
                "seeds."
            ),
            "memory": (
                "Left and middle: accuracy of Majority over the last n labels only (Proposition "
                "9); with n = 1 it is Persistent. Among equally frequent classes it predicts the "
                "first, here the class that is more frequent overall. Right: dependence of errors "
                "of a fixed rule on the previous error, under the conditions of Proposition 8; "
                "lines are exact, points are simulated, with 95 % intervals over seeds."
            ),
        },
    ),
}


_RANDOM = style.Look("#AA4499", style.DASH_DOT)
#: Looks and names of accuracies, by quantity.
_ACCURACIES: dict[str, tuple[style.Look, str]] = {
    "p_majority": (style.LEARNER_LOOKS["majority"], "Majority"),
    "p_persistent": (style.LEARNER_LOOKS["no_change"], "Persistent"),
    "p_random": (_RANDOM, "Random (Naive Bayes, permuted)"),
    "accuracy": (style.LEARNER_LOOKS["naive_bayes"], "Naive Bayes"),
}
#: Looks and names of kappas, by quantity.
_KAPPAS: dict[str, tuple[style.Look, str]] = {
    name: (look, f"{MEASURES[name].title} {style.symbol_text(MEASURES[name].symbol)}")
    for name, look in (
        ("kappa", style.Look("#6699CC", style.SOLID)),
        ("kappa_temporal", style.Look("#661100", style.LONG)),
        ("kappa_combined", style.Look("#44AA99", style.DASH_DOT, "", 2.1)),
    )
}
#: Looks and names of accuracies in the figure of memories, by quantity.
_MEMORIES: dict[str, tuple[style.Look, str]] = {
    "p_persistent": (style.LEARNER_LOOKS["no_change"], "Persistent"),
    "p_majority": (style.LEARNER_LOOKS["majority"], "Majority of all labels"),
    "p_proved": (style.Look("#AA4499", style.LONG), "the proof's formula"),
    "p_majority_n": (
        style.Look(style.LEARNER_LOOKS["moving_majority"].color, style.SOLID, "o"),
        "Majority of the last n labels",
    ),
}
#: Markers of the conditions of Proposition 8.
_MARKERS = ("o", "s", "D", "^")
_POINT_SIZE = 3.2

#: Look of the line at the P(T) of independent labels.
_INDEPENDENT = style.Look(style.SIMULATED_COLOR, style.DOTTED, "", 1.3)
#: Look of the line at P(M), above which Persistent is better than Majority.
_OVERTAKES = style.Look(style.SIMULATED_COLOR, style.SHORT, "", 1.2)


def draw_propositions(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw one of the pictures of an item from its frames."""
    if subject.picture == "baselines":
        return baselines_by_persistence(frames["sweep"])
    return majority_memory(frames["memory"], frames["errors"])


@style.styled
def baselines_by_persistence(sweep: pd.DataFrame) -> Figure:
    """Draw accuracies (top) and kappas over P(T), with a column for each set of proportions."""
    all_shares = list(dict.fromkeys(sweep["shares"]))
    figure = style.titled_figure(0.66, "Baselines and kappas by persistence, simulated")
    panels = figure.subplots(2, len(all_shares), sharex="col", sharey="row", squeeze=False)
    for column, shares in enumerate(all_shares):
        part = sweep[sweep["shares"] == shares]
        upper, lower = panels[:, column]
        _draw_turning_marks(upper, shares)
        _draw_turning_marks(lower, shares)
        style.zero_line(lower)
        for axes, lines in ((upper, _ACCURACIES), (lower, _KAPPAS)):
            for quantity, (look, _) in lines.items():
                _draw_mean(axes, part, "persistence", quantity, look)
        upper.set_title(_heading(shares), loc="left")
        upper.set_ylim(0, 1.03)
        lower.set_xlim(part["persistence"].min(), 1)
        lower.set_xlabel("P(T), proportion of repeated labels")
    panels[0, 0].set_ylabel("accuracy")
    panels[1, 0].set_ylabel("kappas of Naive Bayes")
    _bend(panels[1], sweep.loc[sweep["quantity"].isin(_KAPPAS), "low"])
    marks = [
        style.handle(_INDEPENDENT, "independent labels"),
        style.handle(_OVERTAKES, "P(T) = P(M)"),
    ]
    style.legend(figure, [*_handles(_ACCURACIES), *_handles(_KAPPAS), *marks], columns=3)
    figure.align_ylabels(list(panels[:, 0]))
    return figure


@style.styled
def majority_memory(memory: pd.DataFrame, errors: pd.DataFrame) -> Figure:
    """Draw Majority by the number of labels that it remembers, beside the dependence of errors.

    There is a panel for each chain (class proportions and P(T)) of `memory`, and a last one for the
    errors with the class proportions of the last chain.
    """
    chains = list(dict.fromkeys(zip(memory["shares"], memory["persistence"], strict=True)))
    figure = style.titled_figure(0.5, "Forgetting, and dependent errors, simulated")
    panels = figure.subplots(1, len(chains) + 1)
    for axes, (shares, persistence) in zip(panels, chains, strict=False):
        part = memory[(memory["shares"] == shares) & (memory["persistence"] == persistence)]
        axes.set_xscale("log")
        for quantity, (look, _) in _MEMORIES.items():
            _draw_mean(axes, part, "window", quantity, look)
        axes.set_title(f"{shares}, P(T) = {persistence:g}", loc="left")
        axes.set_xlim(part["window"].min() * 0.9, part["window"].max() * 1.1)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.set_xlabel("labels remembered, n")
        _decimal_ticks(axes)
    panels[0].set_ylabel("accuracy")
    shares = chains[-1][0]
    conditions = _draw_errors(panels[-1], errors[errors["shares"] == shares], shares)
    mark = style.handle(_INDEPENDENT, "independent labels (condition 1)")
    style.legend(figure, [*_handles(_MEMORIES), mark, *conditions], columns=3)
    return figure


def _draw_errors(axes: Axes, errors: pd.DataFrame, shares: str) -> list[Line2D]:
    axes.axvline(persistence_landmarks(_numbers(shares))[1], **_INDEPENDENT.line)
    style.zero_line(axes)
    handles = []
    for class_look, marker, condition in zip(style.CLASS_LOOKS, _MARKERS, CONDITIONS, strict=False):
        look = replace(class_look, marker=marker)
        part = errors[errors["condition"] == condition].sort_values("persistence")
        if part.empty:
            continue
        persistence, mean = part["persistence"], part["mean"]
        axes.plot(persistence, part["expected"], linewidth=0.8, **look.line)
        axes.errorbar(
            persistence,
            mean,
            yerr=(mean - part["low"], part["high"] - mean),
            color=look.color,
            linestyle="none",
            elinewidth=0.7,
            marker=marker,
            markersize=_POINT_SIZE,
        )
        rates = " and ".join(
            format_number(part[name].iloc[0], ".2g") for name in ("error_a", "error_b")
        )
        handles.append(style.handle(look, f"{condition}: {rates}", markersize=_POINT_SIZE))
    axes.set_title(f"{shares}, errors of fixed rules", loc="left")
    axes.set_xlabel("P(T), proportion of repeated labels")
    axes.set_ylabel("autocorrelation of errors, lag 1")
    _decimal_ticks(axes)
    return handles


def _draw_mean(axes: Axes, frame: pd.DataFrame, x: str, quantity: str, look: style.Look) -> None:
    """Draw the mean of a quantity over the column `x`, with a band and about nine markers."""
    part = frame[frame["quantity"] == quantity].sort_values(x)
    values = part[x].to_numpy()
    style.band(axes, values, part["low"], part["high"], look)
    markers: dict[str, Any] = {"marker": look.marker, "markersize": _POINT_SIZE}
    axes.plot(values, part["mean"], markevery=max(1, len(values) // 9), **markers, **look.line)


def _draw_turning_marks(axes: Axes, shares: str) -> None:
    _, independent, majority = persistence_landmarks(_numbers(shares))
    axes.axvline(independent, **_INDEPENDENT.line)
    axes.axvline(majority, **_OVERTAKES.line)


def _numbers(shares: str) -> list[float]:
    return [float(proportion) for proportion in shares.split("/")]


def _heading(shares: str) -> str:
    parts = shares.split("/")
    kind = "balanced" if len(set(parts)) == 1 else "imbalanced"
    return f"{kind}, {shares}"


def _handles(lines: Mapping[str, tuple[style.Look, str]]) -> list[Line2D]:
    return [style.handle(look, name, markersize=_POINT_SIZE) for look, name in lines.values()]


def _bend(panels: Sequence[Axes], values: pd.Series) -> None:
    """Make the axes logarithmic below `LINEAR_TO` if κ_t, which has no lower bound, is below it."""
    lowest = float(values.min())
    for index, axes in enumerate(panels):
        if lowest >= LINEAR_TO:
            axes.set_ylim(min(lowest, 0) - 0.05, 1.05)
            continue
        note = bend(axes, lowest, 1.0)
        if index == 0:
            axes.set_title(note, loc="left", pad=2.5)


def _decimal_ticks(axes: Axes) -> None:
    axes.yaxis.set_major_formatter(
        # Rounded, since the positions of ticks have rounding errors such as 0.30000000000000004.
        FuncFormatter(lambda value, _: style.with_minus_sign(round(value, 9)))
    )


#: Texts of signs.
_SIGNS = {
    "> 0": "positive",
    ">= 0": "not negative",
    "= 0": "zero",
    "!= 0": "not zero",
    "< 0": "negative",
}
#: Texts of quantities. Longer names are first, as some begin with shorter ones.
_NAMES = (
    ("p_majority_n", "Majority of n"),
    ("p_majority", "Majority"),
    ("p_persistent", "Persistent"),
    ("p_random", "Random"),
    ("p_uniform", "Uniform"),
    (" - ", " − "),
)


def layout_propositions(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the statements of the propositions and the simulated results by case."""
    names = table["proposition"].astype(str)
    is_derived = table["origin"] == DERIVED
    # The name of a proposition stands in the first of its rows.
    rows = table.assign(first=names.where(names != names.shift(), ""), derived=is_derived)
    columns = [
        text_column("Prop.", "first"),
        text_column("Case", "case"),
        Column("Quantity", ["quantity"], lambda name: _quantity(str(name)), kind="text"),
        Column("Sign", ["stated", "derived"], _sign, kind="text"),
        number_column("Mean", "mean"),
        Column("Interval", ["low", "high"], _interval),
        text_column("Verdict", "verdict"),
    ]
    zero_note = (
        f"Zero is as stated where the interval contains 0 and lies between −{RESOLUTION:g} "
        f"and {RESOLUTION:g}."
    )
    notes = [seeds_note(table), zero_note]
    if is_derived.any():
        notes.append(
            "* The paper does not state this sign; it follows from the algebra of the case, where "
            "the first class, here the more frequent one, wins ties."
        )
    return frame_table(rows, columns, notes)


def _sign(stated: str, is_derived: bool) -> str:
    return _SIGNS[stated] + "*" * is_derived


def _interval(low: float, high: float) -> str:
    return f"[{number_text(float(low), DECIMALS)}, {number_text(float(high), DECIMALS)}]"


def _quantity(name: str) -> str:
    for code, text in _NAMES:
        name = name.replace(code, text)
    return name


def seeds_note(table: pd.DataFrame) -> str:
    """The note on seeds and intervals."""
    fewest, most = table["seeds"].min(), table["seeds"].max()
    seeds = f"{most}" if fewest == most else f"{fewest} to {most}"
    return (
        f"Simulated streams, {seeds} seeds per case. Intervals are for the mean; they are so wide "
        "that all intervals of the table hold at once with 95 %."
    )


def study_proposition_baselines(
    stream_inputs: StreamInputs, item: ItemInput[PropositionBaselinesSettings]
) -> pd.DataFrame:
    """The table; see `streameval.items.propositions.propositions.baselines_table`."""
    return item.frame("baselines")


def layout_proposition_baselines(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out Table 2 of Žliobaitė et al. (2015), three rows for each set of class proportions.

    They have the better baseline, the P(T), and the difference of the baselines.
    """
    kinds = list(dict.fromkeys(table["dependence"]))
    rows = []
    for shares, part in table.groupby("shares", sort=False):
        by_kind = part.set_index("dependence")
        kind_rows = [by_kind.loc[kind] for kind in kinds]
        name = f"{str(by_kind['classes'].iloc[0]).capitalize()}, {shares}"
        rows.append([name, "better", *(_better(cell) for cell in kind_rows)])
        rows.append(["", "P(T)", *(f"{cell['persistence']:g}" for cell in kind_rows)])
        leads = [plus_minus(cell["mean"], cell["low"], cell["high"]) for cell in kind_rows]
        rows.append(["", "Persistent − Majority", *leads])
    header = ["Classes", "", *(kind[0].upper() + kind[1:] for kind in kinds)]
    notes = (
        seeds_note(table),
        "The paper's table has no column for dependent labels whose P(T) is below P(M).",
    )
    return text_frame_table(pd.DataFrame(rows, columns=header), "ll" + "l" * len(kinds), notes)


def _better(cell: pd.Series) -> str:
    if cell["low"] > 0:
        return "Persistent"
    if cell["high"] < 0:
        return "Majority"
    is_equal = verdict_on_sign("= 0", cell["low"], cell["high"]) == "as stated"
    return "equal" if is_equal else "not decided"
