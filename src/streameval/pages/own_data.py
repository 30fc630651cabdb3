"""The page about learners on one's own data: its sections, in the order of questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from streameval.base.errors import excerpt
from streameval.drawing.looks import looks_apart
from streameval.evaluation.by_group import group_line
from streameval.evaluation.tuning import Tuned
from streameval.measures.registry import MEASURES
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.pages import draw_learners
from streameval.pages.findings import Findings
from streameval.pages.in_short import MOST_PAIRS, in_short, of_verdict
from streameval.pages.interval_section import interval_section
from streameval.pages.label_sections import label_section, waiting_section
from streameval.pages.methods import citations, methods
from streameval.pages.page import Chapter, Page, Section, interval, listed, number, picture, present
from streameval.significance.intervals import Interval
from streameval.significance.stream_mean import LEAST_EFFECTIVE, SECTIONS, StreamMean
from streameval.view.blocks import Code, Facts, Part, Sentences, Table, Words, texts_table

#: Pairs that are drawn; reasons that are given one by one.
_MOST_DRAWN, _MOST_REASONS = 15, 2


def page_of(found: Sequence[Findings]) -> Page:
    """Return the page of learners on one stream or on several."""
    names = dict.fromkeys(name for one in found for name in one.all_learners)
    with looks_apart(names):
        chapters = [
            _chapter(one, f"s{place}-" * (len(found) > 1)) for place, one in enumerate(found)
        ]
    if len(found) == 1:
        return Page(chapters[0].title, chapters[0].about, chapters)
    learners = listed(dict.fromkeys(name for one in found for name in one.learners))
    top = [
        replace(_short(one, f"s{place}-"), title=chapter.title, about=chapter.id)
        for place, (chapter, one) in enumerate(zip(chapters, found, strict=True))
    ]
    return Page(f"{len(found)} streams", learners, chapters, top)


def _chapter(found: Findings, prefix: str) -> Chapter:
    stream = found.stream
    sections = [
        *([] if prefix else [_short(found, prefix)]),  # of several streams they stand on top
        _over_time(found, prefix),
        _baselines(found, prefix),
        *_pairs(found, prefix),
        *_groups(found, prefix),
        *interval_section(found, prefix),
        *label_section(found, prefix),
        _order(found, prefix),
        *waiting_section(found, prefix),
        _obtained(found, prefix),
    ]
    inputs = stream.schema.n_attributes
    classes = f", {stream.n_classes:,} classes" if stream.schema.classes is not None else ""
    behind = f", judged on the last {len(stream) - found.pretrain:,}" if found.pretrain else ""
    about = (
        f"{listed(found.learners)}. {len(stream):,} instances{behind}, {inputs:,} "
        f"input{'s' * (inputs != 1)}{classes}, target {stream.schema.target}."
        + (f" {missing}, neither scored nor learnt." if (missing := stream.unlabelled_text) else "")
    )
    return Chapter(f"{prefix}stream", stream.name, about, sections)


def _short(found: Findings, prefix: str) -> Section:
    """Return the sentences on top, and what their brackets are."""
    several = len(found.judged)
    unit = "in points of accuracy" if found.is_accuracy else "in the unit of the target"
    text = f"In brackets: 95 % intervals, {unit}."
    if several > 1:
        text += f" Those between learners hold for all {several} pairs at once."
    if several > MOST_PAIRS:
        text += f" Verdicts on the other {several - MOST_PAIRS} pairs are below."
    if found.stream.groups is not None:
        text += f" {group_line(found.stream.groups, found.task)}"
    parts: list[Part] = [Sentences(in_short(found), large=True), Words([text], note=True)]
    return Section(f"{prefix}short", "In short", parts)


def _over_time(found: Findings, prefix: str) -> Section:
    time, base = found.over_time, next(iter(found.task.baselines))
    name = found.task.name
    caption = f"Top: {name} over the last {time.window:,} predictions"
    caption += ", of one run. It has no band: no sound one is known for a sliding window. "
    if time.signals:
        caption += (
            "Middle: where the drift detector ADWIN (δ = 0.002) signals that a learner errs more "
            "often. A signal is no proof of drift: ADWIN also gives false alarms, more where "
            "errors depend on each other, and signals a large rise several times. "
        )
    base = found.task.called(base)
    caption += f"Bottom: by how much each learner is better than {base} in the mean so far"
    if found.is_accuracy:
        caption += (
            "; each band holds at all times at once with at least 95 % probability, for these runs "
            "on this stream."
        )
    else:
        caption += (
            "; errors have no bound, so that there is no band. Nor are there signals of drift: the "
            "false alarms of ADWIN are limited only for values with bounds that are known before."
        )
    drawn = picture(
        f"{prefix}time",
        f"{name} over time of {listed(found.titles().values())}",
        caption,
        lambda width: draw_learners.over_time(found, width),
    )
    return Section(f"{prefix}time", "Over time", present([drawn]))


def _baselines(found: Findings, prefix: str) -> Section:
    baselines = list(found.task.baselines.values())
    drawn = picture(
        f"{prefix}baselines",
        f"By how much {listed(found.learners)} are better than {listed(baselines)}",
        f"Difference in {found.task.name} from each baseline, with 95 % intervals that hold "
        "the dependence between instances. Right of 0 the learner is better.",
        lambda width: draw_learners.over_baselines(found, width),
    )
    more = MEASURES if found.is_accuracy else REGRESSION_MEASURES
    keys = list(next(iter(found.measures.values())))
    symbols = [more[key].symbol for key in keys]
    heads = ["", found.task.head, *(f"over {name}" for name in baselines)]
    rows = [
        [
            found.title(name),
            _level(found, found.levels[name]),
            *(_gap(found, found.over[name].get(base)) for base in found.task.baselines),
        ]
        for name in found.all_learners
    ]
    unit = (
        "Accuracy in %, differences in points" if found.is_accuracy else "In the unit of the target"
    )
    table = texts_table(f"{unit}, with 95 % intervals.", heads, rows)
    of_measures = [
        [
            found.title(name),
            *(_measure(found.measures[name][key], _digits(found, key)) for key in keys),
        ]
        for name in found.all_learners
    ]
    ends = ", with 95 % intervals" * found.is_accuracy
    beside = texts_table(f"{listed(symbols)}{ends}.", ["", *symbols], of_measures)
    notes = [_why_none(found)]
    if found.is_accuracy:
        notes.append(
            "κ compares with chance, κ_t with No-Change and κ_m with Majority: 0 is as good, 1 "
            f"perfect. {found.coverage}"
        )
    if found.draws:
        of_one_run = symbols[:1] if found.is_accuracy else symbols  # κ_t and κ_m are of all runs
        notes.append(_on_seeds(found, of_one_run))
    words = [Words([text], note=True) for text in notes if text]
    return Section(
        f"{prefix}baselines", "Against the baselines", present([drawn, table, beside, *words])
    )


def _digits(found: Findings, measure: str) -> int:
    """Return how many decimals a further measure has."""
    if found.is_accuracy:
        return 3
    return found.digits if REGRESSION_MEASURES[measure].lower == 0.0 else 3


def _on_seeds(found: Findings, symbols: Sequence[str]) -> str:
    draws = f"{listed(found.draws)} draw{'s' * (len(found.draws) == 1)} at random"
    return (
        f"{draws}: means over {found.runs} runs, and intervals that cover other seeds; "
        f"{listed(symbols)} {'is' if len(symbols) == 1 else 'are'} of one run, without an interval."
    )


def _level(found: Findings, level: StreamMean) -> str:
    factor, digits = found.task.factor, found.digits
    ends = interval(factor * level.low, factor * level.high, digits)
    return f"{number(factor * level.mean, digits)} {ends}".strip()


def _measure(one: Interval, digits: int) -> str:
    """Return a measure with its interval, if it has one."""
    ends = interval(one.low, one.high, digits)
    return f"{number(one.mean, digits)} {ends}".strip()


def _gap(found: Findings, over: StreamMean | None) -> str:
    if over is None:
        return ""
    factor, digits = found.task.factor, found.digits
    ends = interval(factor * over.low, factor * over.high, digits, sign=True)
    return f"{number(factor * over.mean, digits, sign=True)} {ends}".strip()


def _why_none(found: Findings) -> str:
    """Return why differences and levels have no interval."""
    why = []
    for name in found.all_learners:
        for base, one in found.over[name].items():
            why.append((one.reason, f"{found.title(name)} over {found.task.baselines[base]}"))
        why.append((found.levels[name].reason, found.title(name)))
    return _reasons(why)


def _reasons(why: Sequence[tuple[str, str]]) -> str:
    """Return the reasons of values without an interval, given each with the name of the value."""
    by_reason: dict[str, list[str]] = {}
    for reason, name in why:
        if reason:
            by_reason.setdefault(reason, []).append(name)
    if len(by_reason) > _MOST_REASONS:
        return (
            "Values without brackets have no interval: their instances are worth fewer than "
            f"{LEAST_EFFECTIVE} independent ones, nearly all have the same value, or simulated "
            "intervals of their kind miss too often."
        )
    told = [f"{listed(names)}: no interval, as {reason}." for reason, names in by_reason.items()]
    return " ".join(told)


def _groups(found: Findings, prefix: str) -> list[Section]:
    """Return the section on the entities of a stream; none without groups."""
    groups = found.stream.groups
    if groups is None:
        return []
    return [Section(f"{prefix}groups", f"By {excerpt(groups.column)}", found.by_group)]


def _pairs(found: Findings, prefix: str) -> list[Section]:
    """Return the verdicts about pairs, and how stable the ranking is."""
    parts: list[Part | None] = []
    if found.judged:
        parts.append(
            Sentences([of_verdict(*one) for one in found.judged[MOST_PAIRS:]])
            if len(found.judged) > MOST_PAIRS
            else None
        )
        if len(found.judged) <= _MOST_DRAWN:
            region = f" Grey: practically equal, ±{found.plan.points}." if found.plan.rope else ""
            parts.append(
                picture(
                    f"{prefix}pairs",
                    "Differences between learners",
                    f"Difference {found.task.about.partition(',')[0]} of each pair, with "
                    f"intervals that decide. Right of 0 the first one is better.{region}",
                    lambda width: draw_learners.pairs(found, width),
                )
            )
        parts.append(_verdict_table(found))
        parts.append(
            Words([f"Subject: difference {found.estimand}. Rule: {found.plan.rule}."], note=True)
        )
    else:
        parts.append(
            Words(["There is one learner, so that no pair is compared. Name another --learner."])
        )
    parts += _stability(found, prefix)
    if found.judged:
        limits = re.sub(r" \(beyond/[^)]*\)", "", found.limits)
        parts.append(Words([limits], note=True))
    return [Section(f"{prefix}pairs", "Against each other", present(parts))]


def _verdict_table(found: Findings) -> Table:
    heads = ["A and B", "A − B", "verdict", "p-value", "effective instances", "A ahead", "B ahead"]
    rows = [
        [
            f"{one.first} and {one.second}",
            found.task.interval(one.difference, one.low, one.high, unit=False),
            one.verdict,
            "–" if np.isnan(one.p_value) else f"{one.p_value:.2g}",
            f"{one.effective:,.0f}",
            str(one.ahead),
            str(one.behind),
        ]
        for one, _ in found.judged
    ]
    several = len(rows) > 1
    adjusted = "; they and the p-values hold for all pairs at once (Bonferroni)" * several
    return texts_table(
        "Verdicts by one interval for each pair, 95 %"
        f"{adjusted}. Ahead: of {SECTIONS} sections of the stream, those in which one learner is "
        "surely ahead by more than is practically equal.",
        heads,
        rows,
    )


def _stability(found: Findings, prefix: str) -> list[Part | None]:
    ranks = draw_learners.rank_table(found.sections, found.is_accuracy)
    if not ranks:
        return [Words(["There are too few instances for sections of the stream."], note=True)]
    first = {name: int((values == 1.0).sum()) for name, values in ranks.items()}
    ahead = [f"{found.title(name)} in {count}" for name, count in first.items() if count]
    best = "highest accuracy" if found.is_accuracy else "smallest error"
    shared = SECTIONS - sum(first.values())
    told = f"In all {SECTIONS} sections of the stream, several share the {best}."
    if ahead:
        told = f"Of the {SECTIONS} sections of the stream, the {best} is that of {listed(ahead)}."
        told += f" In {shared} several share it." if shared else ""
    drawn = picture(
        f"{prefix}ranks",
        f"Ranks of {listed(map(found.title, ranks))} in {SECTIONS} sections",
        f"Rank of each learner in {SECTIONS} sections of equal length, 1 is best. It describes "
        "this stream: ranks in single sections have no interval.",
        lambda width: draw_learners.ranks(found, width),
    )
    return [Words([told]), drawn]


def _order(found: Findings, prefix: str) -> Section:
    order, name, title = found.order, found.task.name, "What order is worth"
    if order is None:
        told = "No label arrives before the last instance: in no order is anything learnt."
        return Section(f"{prefix}order", title, [Words([told])])
    later = (
        " Each instance keeps the delay of its label. Not scored in either order: the first "
        f"{f'{order.first:,} instances' if order.first > 1 else 'instance'}, as before the first "
        "label nothing is known."
        if order.first is not None
        else ""
    )
    drawn = picture(
        f"{prefix}order",
        f"{name} in the order of the stream and in random order",
        f"{name.capitalize()} in the order of the stream (filled) and in random order (hollow), "
        f"with 95 % intervals. One run of each learner over one random order, seed {order.seed}."
        f"{later}",
        lambda width: draw_learners.order(found, order, width),
    )
    sign = 1.0 if found.is_accuracy else -1.0
    rows = []
    for learner, real in order.real.items():
        gap = sign * found.task.factor * (real.mean - order.shuffled[learner].mean)
        cells = [_level(found, one) for one in (real, order.shuffled[learner])]
        rows.append([found.title(learner), *cells, number(gap, found.digits, sign=True)])
    table = texts_table(
        "Above 0, order is worth something. The difference has no interval: there is one random "
        "order, and its instances are not paired with those of the stream.",
        ["", "order of the stream", "random order", "worth of order"],
        rows,
    )
    why = _reasons([(real.reason, found.title(name)) for name, real in order.real.items()])
    words = Words([why], note=True) if why else None
    return Section(f"{prefix}order", title, present([drawn, table, words]))


def _obtained(found: Findings, prefix: str) -> Section:
    parts: list[Part] = [
        Facts([row for row in found.obtained if row[1]]),
        *map(_trials, found.tuned.values()),
        Code("To repeat it", found.command),
        methods(found),
        citations(found),
    ]
    return Section(f"{prefix}obtained", "How it was obtained", parts)


def _trials(tuned: Tuned) -> Table:
    """Return all settings of a learner that were tried, the chosen one marked."""
    names, best = list(tuned.trials[0].parameters), tuned.trials[tuned.best]
    digits = 4 if tuned.measure == "accuracy" else 6
    rows = [
        [
            "chosen" if one is best else "",
            *(str(one.parameters[name]) for name in names),
            f"{one.value:.{digits}g}",
        ]
        for one in tuned.trials
    ]
    return texts_table(
        f"Settings of {tuned.learner} that ran over the first {tuned.instances:,} instances. The "
        "value of the best one is no estimate of how good it is: it is the best by chance, too.",
        ["", *names, tuned.measure.replace("_", " ")],
        rows,
    )
