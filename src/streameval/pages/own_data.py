"""The page about learners on a user's stream: its sections in order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from streameval.api.comparison import (
    definitions,
    estimate_text,
    over_baselines_table,
    verdict_table,
)
from streameval.api.measure_intervals import estimate_with_interval, measures_table
from streameval.api.result_view import DisplayOptions
from streameval.base.errors import excerpt
from streameval.base.values import enumeration
from streameval.drawing.learner_panels import (
    draw_by_bin,
    draw_orders,
    draw_over_baselines,
    draw_over_time,
    draw_pairs,
    draw_ranks,
)
from streameval.drawing.looks import distinct_looks
from streameval.evaluation.by_group import group_line
from streameval.evaluation.coverage import coverage_sentences
from streameval.pages.findings import ORDER_SEED, Findings
from streameval.pages.in_short import MOST_PAIRS, in_short, pair_sentences
from streameval.pages.label_section import label_section
from streameval.pages.obtained import obtained_section
from streameval.pages.page import Chapter, Page, Section, picture
from streameval.significance.stream_mean import N_SECTIONS, StreamMean
from streameval.view.parts import (
    Column,
    Facts,
    Part,
    Sentences,
    Table,
    Words,
)

#: Largest number of pairs in the figure of differences: all pairs of six learners.
_MAX_DRAWN_PAIRS = 15
#: Number of bins of the time until the label arrives.
_N_DELAY_BINS = 20


def build_page(all_findings: Sequence[Findings]) -> Page:
    """The page of learners on one stream or on several, with a chapter for each stream."""
    names = dict.fromkeys(name for findings in all_findings for name in findings.names)
    with distinct_looks(names):
        chapters = [
            _chapter(findings, f"s{i}-" if len(all_findings) > 1 else "")
            for i, findings in enumerate(all_findings)
        ]
    if len(all_findings) == 1:
        return Page(chapters[0].title, chapters[0].about, chapters)
    learners = enumeration(
        dict.fromkeys(name for findings in all_findings for name in findings.learners)
    )
    summaries = [
        replace(_in_short_section(findings, f"s{i}-"), title=chapter.title, target=chapter.id)
        for i, (chapter, findings) in enumerate(zip(chapters, all_findings, strict=True))
    ]
    return Page(f"{len(all_findings)} streams", learners, chapters, summaries)


def _chapter(findings: Findings, prefix: str) -> Chapter:
    """The chapter of a stream; `prefix` begins the ids of its sections if there are several."""
    stream = findings.stream
    sections = [
        # The page of several streams has this section of each stream at the top.
        *([] if prefix else [_in_short_section(findings, prefix)]),
        _over_time_section(findings, prefix),
        _baselines_section(findings, prefix),
        _pairs_section(findings, prefix),
        *_group_sections(findings, prefix),
        *_interval_sections(findings, prefix),
        *label_section(findings, prefix),
        _order_section(findings, prefix),
        *_delay_sections(findings, prefix),
        obtained_section(findings, prefix),
    ]
    n_inputs = stream.schema.n_attributes
    classes = f", {stream.n_classes:,} classes" if stream.schema.classes is not None else ""
    n_pretrain = findings.result.pretrain
    scored = f", scored on the last {len(stream) - n_pretrain:,}" if n_pretrain else ""
    unlabelled = stream.unlabelled_text
    about = (
        f"{enumeration(findings.learners)}. {len(stream):,} instances"
        f"{findings.request.stream.date_range_text}{scored}, "
        f"{n_inputs:,} input{'s' * (n_inputs != 1)}{classes}, target {stream.schema.target}."
    )
    if unlabelled:
        about += f" {unlabelled}, neither scored nor learnt."
    return Chapter(f"{prefix}stream", stream.name, about, sections)


def _in_short_section(findings: Findings, prefix: str) -> Section:
    """The section with the most important sentences, and a note on their intervals."""
    n_pairs = len(findings.pairs)
    unit = "the unit of the target" if findings.task.is_error else "points of accuracy"
    text = f"In brackets: 95 % intervals, in {unit}."
    if n_pairs > 1:
        text += f" Intervals of pairs of learners hold for all {n_pairs} pairs at once."
    if n_pairs > MOST_PAIRS:
        text += f" Verdicts on the other {n_pairs - MOST_PAIRS} pairs are below."
    if findings.stream.groups is not None:
        text += f" {group_line(findings.stream.groups, findings.task)}"
    parts: list[Part] = [Sentences(in_short(findings), large=True), Words([text], note=True)]
    return Section(f"{prefix}short", "In short", parts)


def _over_time_section(findings: Findings, prefix: str) -> Section:
    name = findings.task.name
    baseline = findings.task.name_in_text(next(iter(findings.task.baselines)))
    caption = (
        f"Top: {name} of one run over the last {findings.window:,} predictions. It has no band, as "
        "no valid band is known for a sliding window. "
    )
    if findings.signals:
        caption += (
            "Middle: where the drift detector ADWIN (δ = 0.002) signals that the error rate of a "
            "learner has risen. A signal does not prove a drift: ADWIN also has false alarms, more "
            "of them if errors depend on each other, and signals a large rise several times. "
        )
    caption += f"Bottom: mean difference of each learner from {baseline} so far. "
    caption += (
        "There is no band, as errors have no upper bound. For the same reason there are no signals "
        "of drift: ADWIN limits false alarms only for values with known bounds."
        if findings.task.is_error
        else "Each band holds at all times at once with at least 95 % probability, for these runs "
        "on this stream."
    )
    curves = picture(
        f"{prefix}time",
        f"{name} over time of {enumeration(findings.titles().values())}",
        caption,
        partial(
            draw_over_time,
            findings.curves,
            findings.signals,
            findings.baseline_leads,
            findings.titles(),
            findings.task,
            findings.window,
            findings.timeline.begin,
        ),
    )
    return Section(f"{prefix}time", "Over time", [curves])


def _baselines_section(findings: Findings, prefix: str) -> Section:
    baselines = list(findings.task.baselines.values())
    learner_differences = {name: findings.baseline_differences[name] for name in findings.learners}
    differences = picture(
        f"{prefix}baselines",
        f"Differences of {enumeration(findings.learners)} from {enumeration(baselines)}",
        f"Difference in {findings.task.name} from each baseline, with 95 % intervals that account "
        "for dependence between instances. Right of 0 the learner is better.",
        partial(draw_over_baselines, learner_differences, findings.titles(), findings.task),
    )
    measures = measures_table(findings.result, findings.comparison, findings.title)
    _, *measure_columns = measures.columns  # the first column has the learners
    symbols = [column.head for column in measure_columns]
    if findings.task.is_error:
        unit, single_run_symbols, kappa_note = "In the unit of the target", symbols, ""
    else:
        unit = "Accuracy in %, differences in points"
        single_run_symbols = symbols[:1]  # κ_t and κ_m are means over all runs
        kappa_note = (
            "κ compares with chance, κ_t with No-Change and κ_m with Majority: 0 is as good, 1 is "
            f"perfect. {coverage_sentences(grouped=findings.stream.groups is not None)}"
        )
    table = over_baselines_table(findings.comparison, findings.estimates, findings.title)
    with_intervals = "" if findings.task.is_error else ", with 95 % intervals"
    measures = replace(measures, title=f"{enumeration(symbols)}{with_intervals}.")
    seed_note = (
        _note_on_seeds(findings, single_run_symbols) if findings.comparison.random_learners else ""
    )
    notes = [*table.no_interval_sentences, kappa_note, seed_note]
    words = [Words([text], note=True) for text in notes if text]
    table = replace(table, title=f"{unit}, with 95 % intervals.")
    return Section(
        f"{prefix}baselines", "Against the baselines", [differences, table, measures, *words]
    )


def _note_on_seeds(findings: Findings, symbols: Sequence[str]) -> str:
    """The note on learners that draw at random; `symbols` are measures of a single run."""
    names = findings.comparison.random_learners
    return (
        f"{enumeration(names)} draw{'s' * (len(names) == 1)} at random: means over "
        f"{findings.comparison.runs} runs, and intervals that cover other seeds; "
        f"{enumeration(symbols)} {'is' if len(symbols) == 1 else 'are'} of one run, "
        "without an interval."
    )


def _group_sections(findings: Findings, prefix: str) -> list[Section]:
    """The section on the entities of a stream; empty without groups."""
    groups = findings.stream.groups
    if groups is None:
        return []
    tables = findings.result._group_tables(DisplayOptions())
    return [Section(f"{prefix}groups", f"By {excerpt(groups.column)}", tables)]


def _pairs_section(findings: Findings, prefix: str) -> Section:
    """The section with the verdicts about pairs, and on the stability of the ranking."""
    title, plan = "Against each other", findings.comparison.plan
    if not findings.pairs:
        no_pairs = Words(["There is only one learner, so no pair is compared. Add a --learner."])
        return Section(f"{prefix}pairs", title, [no_pairs, *_rank_parts(findings, prefix)])
    further_sentences = pair_sentences(findings)[MOST_PAIRS:]
    parts: list[Part] = [Sentences(further_sentences)] if further_sentences else []
    if len(findings.pairs) <= _MAX_DRAWN_PAIRS:
        rope_note = f" Grey: practically equal, ±{plan.rope_text}." if plan.rope else ""
        differences = picture(
            f"{prefix}pairs",
            "Differences between learners",
            f"Difference in {findings.task.name} of each pair, with "
            "the intervals by which verdicts are made. Right of 0 the first learner is better."
            f"{rope_note}",
            partial(draw_pairs, findings.pairs, findings.titles(), plan),
        )
        parts.append(differences)
    parts += [verdict_table(findings.comparison), Facts(definitions(findings.comparison))]
    limits = Words([findings.comparison.limits], note=True)
    return Section(f"{prefix}pairs", title, [*parts, *_rank_parts(findings, prefix), limits])


def _rank_parts(findings: Findings, prefix: str) -> list[Part]:
    """A sentence and a figure on the ranks of learners in sections of the stream."""
    ranks = findings.comparison.section_ranks()
    if not ranks:
        return [Words(["There are too few instances for sections of the stream."], note=True)]
    n_first = {name: int((values == 1.0).sum()) for name, values in ranks.items()}
    # Learners that share the first rank have a rank above 1.
    leaders = [f"{findings.title(name)} in {count}" for name, count in n_first.items() if count]
    best = "smallest error" if findings.task.is_error else "highest accuracy"
    n_shared = N_SECTIONS - sum(n_first.values())
    sentence = f"In all {N_SECTIONS} sections of the stream, several learners have the {best}."
    if leaders:
        sentence = (
            f"In {N_SECTIONS} sections of the stream, the learners with the {best} are "
            f"{enumeration(leaders)}."
        )
        sentence += f" In {n_shared}, several learners have it." if n_shared else ""
    rank_picture = picture(
        f"{prefix}ranks",
        f"Ranks of {enumeration(map(findings.title, ranks))} in {N_SECTIONS} sections",
        f"Rank of each learner in {N_SECTIONS} sections of equal length, 1 is the best. Ranks "
        "describe this stream: ranks in single sections have no interval.",
        partial(draw_ranks, ranks, findings.titles(), findings.task),
    )
    return [Words([sentence]), rank_picture]


def _order_section(findings: Findings, prefix: str) -> Section:
    """The section that compares the stream's order with a random order."""
    order, name, title = findings.order, findings.task.name, "The effect of the order"
    if order is None:
        no_order = (
            "No label arrives before the last instance, so learners learn nothing in any order."
        )
        return Section(f"{prefix}order", title, [Words([no_order])])
    delay_note = ""
    if order.n_unscored is not None:
        first = f"{order.n_unscored:,} instances" if order.n_unscored > 1 else "instance"
        delay_note = (
            " Each instance keeps the delay of its label. The first "
            f"{first} in either order {'are' if order.n_unscored > 1 else 'is'} not scored, as no "
            "label is known then."
        )
    estimates = {
        learner: [
            estimate_with_interval(findings.comparison, learner, run.estimate(learner))
            for run in (order.original, order.shuffled)
        ]
        for learner in order.shuffled.learners
    }
    both_orders = picture(
        f"{prefix}order",
        f"{name} in the order of the stream and in random order",
        f"{name.capitalize()} in the order of the stream (filled) and in random order (hollow), "
        f"with 95 % intervals. One run of each learner over one random order, seed {ORDER_SEED}."
        f"{delay_note}",
        partial(draw_orders, estimates, findings.titles(), findings.task),
    )
    table = _order_table(findings, estimates)
    notes = [Words(table.no_interval_sentences, note=True)] if table.no_interval_sentences else []
    return Section(f"{prefix}order", title, [both_orders, table, *notes])


def _order_table(findings: Findings, estimates: Mapping[str, Sequence[StreamMean]]) -> Table:
    task, nan = findings.task, math.nan
    rows = [
        {
            "learner": findings.title(learner),
            "real": estimate_text(findings.comparison, real.mean, real.low, real.high),
            "random": estimate_text(
                findings.comparison, shuffled.mean, shuffled.low, shuffled.high
            ),
            "effect": task.interval(
                (real.mean - shuffled.mean) * (-1.0 if task.is_error else 1.0),
                nan,
                nan,
                unit=False,
            ),
            "reason": real.reason,
        }
        for learner, (real, shuffled) in estimates.items()
    ]
    columns = [
        Column("", ["learner"], kind="name"),
        Column("order of the stream", ["real"], reason_key="reason"),
        Column("random order", ["random"]),
        Column("effect of the order", ["effect"]),
    ]
    title = (
        "Above 0, learners are better in the order of the stream. The difference has no interval: "
        "there is only one random order, and its instances are not paired with those of the stream."
    )
    return Table(columns, rows, title)


def _interval_sections(findings: Findings, prefix: str) -> list[Section]:
    """The section on prediction intervals; empty if learners predict none."""
    tables = []
    for table in findings.result._interval_tables():
        name_column, *columns = table.columns
        title = f"{name_column.head}; widths and scores in the unit of the target."
        name_column = replace(name_column, head="", format_values=findings.title)
        tables.append(replace(table, columns=[name_column, *columns], title=title))
    return [Section(f"{prefix}intervals", "Prediction intervals", tables)] if tables else []


def _delay_sections(findings: Findings, prefix: str) -> list[Section]:
    """The section on delayed labels; empty if labels are not delayed."""
    name = findings.task.name
    if findings.result.delays is None:
        return []
    bins = findings.result.bins(_N_DELAY_BINS)
    is_simultaneous = "band_low" in bins
    interval_columns = ("band_low", "band_high") if is_simultaneous else ("low", "high")
    scope = "for all bins of a learner at once" if is_simultaneous else "for each bin alone"
    has_bands = bins[interval_columns[0]].notna().any()
    bands = f" Bands are 95 % intervals that hold {scope}." if has_bands else ""
    by_bin = picture(
        f"{prefix}waiting",
        f"{name} of {enumeration(findings.titles().values())} by the time until the label arrives",
        f"{name.capitalize()} of one run by the time until the label arrives. The first bin has "
        f"predictions on arrival, the last bin predictions just before the label is learnt.{bands}",
        partial(draw_by_bin, bins, interval_columns, findings.titles(), findings.task),
    )
    words = [Words(lines) for lines in findings.result._label_lines()]
    return [Section(f"{prefix}waiting", "Until the label arrives", [*words, by_bin])]
