"""The page about learners on one's own data: its sections, in the order of questions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from streameval.api.comparison import level_text, over_baselines_table, rule_of, verdict_table
from streameval.api.measure_intervals import level_interval, measures_table
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
from streameval.drawing.looks import looks_apart
from streameval.evaluation.by_group import group_line
from streameval.evaluation.coverage import coverage_in_words
from streameval.pages.findings import ORDER_SEED, Findings
from streameval.pages.in_short import MOST_PAIRS, in_short, on_pairs
from streameval.pages.label_section import label_section
from streameval.pages.obtained import obtained_section
from streameval.pages.page import Chapter, Page, Section, picture
from streameval.significance.stream_mean import SECTIONS, StreamMean
from streameval.view.blocks import (
    Column,
    Facts,
    Part,
    Sentences,
    Table,
    Words,
)

#: Pairs that are drawn; bins of the time to the label.
_MOST_DRAWN, _BINS = 15, 20


def page_of(findings: Sequence[Findings]) -> Page:
    """The page of learners on one stream or on several."""
    names = dict.fromkeys(name for on_stream in findings for name in on_stream.names)
    with looks_apart(names):
        chapters = [
            _chapter(on_stream, f"s{place}-" * (len(findings) > 1))
            for place, on_stream in enumerate(findings)
        ]
    if len(findings) == 1:
        return Page(chapters[0].title, chapters[0].about, chapters)
    learners = enumeration(
        dict.fromkeys(name for on_stream in findings for name in on_stream.learners)
    )
    top = [
        replace(_short(on_stream, f"s{place}-"), title=chapter.title, about=chapter.id)
        for place, (chapter, on_stream) in enumerate(zip(chapters, findings, strict=True))
    ]
    return Page(f"{len(findings)} streams", learners, chapters, top)


def _chapter(findings: Findings, prefix: str) -> Chapter:
    stream = findings.stream
    sections = [
        *([] if prefix else [_short(findings, prefix)]),  # of several streams they stand on top
        _over_time(findings, prefix),
        _baselines(findings, prefix),
        _pairs(findings, prefix),
        *_groups(findings, prefix),
        *_intervals(findings, prefix),
        *label_section(findings, prefix),
        _order(findings, prefix),
        *_waiting(findings, prefix),
        obtained_section(findings, prefix),
    ]
    inputs = stream.schema.n_attributes
    classes = f", {stream.n_classes:,} classes" if stream.schema.classes is not None else ""
    first = findings.result.pretrain
    judged = f", judged on the last {len(stream) - first:,}" if first else ""
    about = (
        f"{enumeration(findings.learners)}. {len(stream):,} instances{findings.request.stream.span}"
        f"{judged}, "
        f"{inputs:,} "
        f"input{'s' * (inputs != 1)}{classes}, target {stream.schema.target}."
        + (f" {missing}, neither scored nor learnt." if (missing := stream.unlabelled_text) else "")
    )
    return Chapter(f"{prefix}stream", stream.name, about, sections)


def _short(findings: Findings, prefix: str) -> Section:
    """The sentences on top, and what their brackets are."""
    several = len(findings.pairs)
    unit = "the unit of the target" if findings.task.is_error else "points of accuracy"
    text = f"In brackets: 95 % intervals, in {unit}."
    if several > 1:
        text += f" Those between learners hold for all {several} pairs at once."
    if several > MOST_PAIRS:
        text += f" Verdicts on the other {several - MOST_PAIRS} pairs are below."
    if findings.stream.groups is not None:
        text += f" {group_line(findings.stream.groups, findings.task)}"
    parts: list[Part] = [Sentences(in_short(findings), large=True), Words([text], note=True)]
    return Section(f"{prefix}short", "In short", parts)


def _over_time(findings: Findings, prefix: str) -> Section:
    name, base = findings.task.name, findings.task.name_in_text(next(iter(findings.task.baselines)))
    caption = f"Top: {name} over the last {findings.window:,} predictions"
    caption += ", of one run. It has no band: no sound one is known for a sliding window. "
    if findings.signals:
        caption += (
            "Middle: where the drift detector ADWIN (δ = 0.002) signals that a learner errs more "
            "often. A signal is no proof of drift: ADWIN also gives false alarms, more where "
            "errors depend on each other, and signals a large rise several times. "
        )
    caption += f"Bottom: by how much each learner is better than {base} in the mean so far"
    caption += (
        "; errors have no bound, so that there is no band. Nor are there signals of drift: the "
        "false alarms of ADWIN are limited only for values with bounds that are known before."
        if findings.task.is_error
        else "; each band holds at all times at once with at least 95 % probability, for these "
        "runs on this stream."
    )
    curves = picture(
        f"{prefix}time",
        f"{name} over time of {enumeration(findings.titles().values())}",
        caption,
        partial(
            draw_over_time,
            findings.curves,
            findings.signals,
            findings.leads,
            findings.titles(),
            findings.task,
            findings.window,
            findings.timeline.begin,
        ),
    )
    return Section(f"{prefix}time", "Over time", [curves])


def _baselines(findings: Findings, prefix: str) -> Section:
    baselines = list(findings.task.baselines.values())
    over = {name: findings.over[name] for name in findings.learners}
    differences = picture(
        f"{prefix}baselines",
        f"By how much {enumeration(findings.learners)} are better than {enumeration(baselines)}",
        f"Difference in {findings.task.name} from each baseline, with 95 % intervals that hold "
        "the dependence between instances. Right of 0 the learner is better.",
        partial(draw_over_baselines, over, findings.titles(), findings.task),
    )
    measures = measures_table(findings.result, findings.compared, findings.title)
    symbols = [column.head for column in measures.columns[1:]]
    if findings.task.is_error:
        unit, of_one_run, on_kappas = "In the unit of the target", symbols, ""
    else:
        unit = "Accuracy in %, differences in points"
        of_one_run = symbols[:1]  # κ_t and κ_m are of all runs
        on_kappas = (
            "κ compares with chance, κ_t with No-Change and κ_m with Majority: 0 is as good, 1 "
            f"perfect. {coverage_in_words(grouped=findings.stream.groups is not None)}"
        )
    table = over_baselines_table(findings.compared, findings.levels, findings.title)
    ends = "" if findings.task.is_error else ", with 95 % intervals"
    measured = replace(measures, title=f"{enumeration(symbols)}{ends}.")
    on_seeds = _on_seeds(findings, of_one_run) if findings.compared.draws else ""
    notes = [*table.without_interval, on_kappas, on_seeds]
    words = [Words([text], note=True) for text in notes if text]
    table = replace(table, title=f"{unit}, with 95 % intervals.")
    return Section(
        f"{prefix}baselines", "Against the baselines", [differences, table, measured, *words]
    )


def _on_seeds(findings: Findings, symbols: Sequence[str]) -> str:
    names = findings.compared.draws
    return (
        f"{enumeration(names)} draw{'s' * (len(names) == 1)} at random: means over "
        f"{findings.compared.runs} runs, and intervals that cover other seeds; "
        f"{enumeration(symbols)} {'is' if len(symbols) == 1 else 'are'} of one run, "
        "without an interval."
    )


def _groups(findings: Findings, prefix: str) -> list[Section]:
    """The section on the entities of a stream; none without groups."""
    groups = findings.stream.groups
    if groups is None:
        return []
    tables = findings.result._of_groups(DisplayOptions())
    return [Section(f"{prefix}groups", f"By {excerpt(groups.column)}", tables)]


def _pairs(findings: Findings, prefix: str) -> Section:
    """The verdicts about pairs, and how stable the ranking is."""
    title, plan = "Against each other", findings.compared.plan
    if not findings.pairs:
        alone = Words(
            ["There is one learner, so that no pair is compared. Name another --learner."]
        )
        return Section(f"{prefix}pairs", title, [alone, *_stability(findings, prefix)])
    more = on_pairs(findings)[MOST_PAIRS:]
    parts: list[Part] = [Sentences(more)] if more else []
    if len(findings.pairs) <= _MOST_DRAWN:
        region = f" Grey: practically equal, ±{plan.points}." if plan.rope else ""
        differences = picture(
            f"{prefix}pairs",
            "Differences between learners",
            f"Difference {findings.task.about.partition(',')[0]} of each pair, with intervals that "
            f"decide. Right of 0 the first one is better.{region}",
            partial(draw_pairs, findings.pairs, findings.titles(), plan),
        )
        parts.append(differences)
    parts += [verdict_table(findings.compared), Facts(rule_of(findings.compared))]
    limits = Words([findings.compared.limits], note=True)
    return Section(f"{prefix}pairs", title, [*parts, *_stability(findings, prefix), limits])


def _stability(findings: Findings, prefix: str) -> list[Part]:
    ranks = findings.compared.section_ranks()
    if not ranks:
        return [Words(["There are too few instances for sections of the stream."], note=True)]
    first = {name: int((values == 1.0).sum()) for name, values in ranks.items()}
    ahead = [f"{findings.title(name)} in {count}" for name, count in first.items() if count]
    best = "smallest error" if findings.task.is_error else "highest accuracy"
    shared = SECTIONS - sum(first.values())
    sentence = f"In all {SECTIONS} sections of the stream, several share the {best}."
    if ahead:
        sentence = (
            f"Of the {SECTIONS} sections of the stream, the {best} is that of {enumeration(ahead)}."
        )
        sentence += f" In {shared} several share it." if shared else ""
    rank_picture = picture(
        f"{prefix}ranks",
        f"Ranks of {enumeration(map(findings.title, ranks))} in {SECTIONS} sections",
        f"Rank of each learner in {SECTIONS} sections of equal length, 1 is best. It describes "
        "this stream: ranks in single sections have no interval.",
        partial(draw_ranks, ranks, findings.titles(), findings.task),
    )
    return [Words([sentence]), rank_picture]


def _order(findings: Findings, prefix: str) -> Section:
    order, name, title = findings.order, findings.task.name, "What order is worth"
    if order is None:
        no_order = "No label arrives before the last instance: in no order is anything learnt."
        return Section(f"{prefix}order", title, [Words([no_order])])
    later = (
        " Each instance keeps the delay of its label. Not scored in either order: the first "
        f"{f'{order.first:,} instances' if order.first > 1 else 'instance'}, as before the first "
        "label nothing is known."
        if order.first is not None
        else ""
    )
    levels = {
        learner: [
            level_interval(findings.compared, learner, run.level(learner))
            for run in (order.real, order.shuffled)
        ]
        for learner in order.shuffled.learners
    }
    both_orders = picture(
        f"{prefix}order",
        f"{name} in the order of the stream and in random order",
        f"{name.capitalize()} in the order of the stream (filled) and in random order (hollow), "
        f"with 95 % intervals. One run of each learner over one random order, seed {ORDER_SEED}."
        f"{later}",
        partial(draw_orders, levels, findings.titles(), findings.task),
    )
    table = _order_table(findings, levels)
    words = [Words(table.without_interval, note=True)] if table.without_interval else []
    return Section(f"{prefix}order", title, [both_orders, table, *words])


def _order_table(findings: Findings, levels: Mapping[str, Sequence[StreamMean]]) -> Table:
    task, nan = findings.task, math.nan
    rows = [
        {
            "learner": findings.title(learner),
            "real": level_text(findings.compared, *real[:3]),
            "random": level_text(findings.compared, *mixed[:3]),
            "worth": task.interval(
                (real.mean - mixed.mean) * (-1.0 if task.is_error else 1.0), nan, nan, unit=False
            ),
            "reason": real.reason,
        }
        for learner, (real, mixed) in levels.items()
    ]
    columns = [
        Column("", ["learner"], kind="name"),
        Column("order of the stream", ["real"], reason="reason"),
        Column("random order", ["random"]),
        Column("worth of order", ["worth"]),
    ]
    title = (
        "Above 0, order is worth something. The difference has no interval: there is one random "
        "order, and its instances are not paired with those of the stream."
    )
    return Table(columns, rows, title)


def _intervals(findings: Findings, prefix: str) -> list[Section]:
    """The section on prediction intervals; none where there are none."""
    tables = []
    for table in findings.result._of_intervals():
        names, *columns = table.columns
        title = f"{names.head}; widths and scores in the unit of the target."
        learners = replace(names, head="", text=findings.title)
        tables.append(replace(table, columns=[learners, *columns], title=title))
    return [Section(f"{prefix}intervals", "Prediction intervals", tables)] if tables else []


def _waiting(findings: Findings, prefix: str) -> list[Section]:
    """The section on delayed labels; none where labels are not delayed."""
    name = findings.task.name
    if findings.result.delays is None:
        return []
    bins = findings.result.bins(_BINS)
    together = "band_low" in bins
    ends = ("band_low", "band_high") if together else ("low", "high")
    held = "for all bins of a learner at once" if together else "for each bin alone"
    has_bands = bins[ends[0]].notna().any()
    bands = f" Bands are 95 % intervals that hold {held}." if has_bands else ""
    by_bin = picture(
        f"{prefix}waiting",
        f"{name} of {enumeration(findings.titles().values())} by the time until the label arrives",
        f"{name.capitalize()} by the time until the label arrives: the first bin is the prediction "
        f"on arrival, the last one that just before the label is learnt, of one run.{bands}",
        partial(draw_by_bin, bins, ends, findings.titles(), findings.task),
    )
    words = [Words(lines) for lines in findings.result._of_labels()]
    return [Section(f"{prefix}waiting", "Until the label arrives", [*words, by_bin])]
