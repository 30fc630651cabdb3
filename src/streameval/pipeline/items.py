"""The tables and figures of a run: kind, checked settings, captions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import msgspec

from streameval import papers
from streameval.base.errors import ConfigError, near, unknown
from streameval.base.schema import check_data
from streameval.base.settings import relative_path
from streameval.base.values import enumeration
from streameval.evaluation.number_measures import NumberMeasure, number_measures, words_of_measure
from streameval.evaluation.task import TASKS
from streameval.items.kind import Kind, texts_of
from streameval.items.settings import ALL, PartedItemSettings, Settings
from streameval.learners.registry import LearnerSpec
from streameval.learners.tasks import CLASSIFICATION, REGRESSION, TaskName
from streameval.measures.registry import DELAYED, MEASURES, Measure, measure_phrase
from streameval.measures.regression import REGRESSION_MEASURES, RegressionMeasure
from streameval.pipeline.configuration import Configuration, known_kinds
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import DEFAULT, parse
from streameval.report.names import item_title
from streameval.significance.stream_mean import MIN_EFFECTIVE_SIZE, SECTIONS
from streameval.streams.registry import FileSpec, StreamSpec
from streameval.streams.variants import ORIGINAL


@dataclass(frozen=True)
class Item:
    """A table or figure of a study."""

    study: str
    name: str
    kind: Kind
    settings: Settings
    task: TaskName = CLASSIFICATION

    @property
    def id(self) -> str:
        """Its id in the run, ``study/name``; also its place among tables, data and figures."""
        return f"{self.study}/{self.name}"

    @property
    def streams(self) -> tuple[str, ...]:
        """The ids of its streams."""
        return tuple(getattr(self.settings, "streams", ()))

    @property
    def learners(self) -> tuple[str, ...]:
        """The ids of the learners that it names."""
        return tuple(getattr(self.settings, "learners", ()))

    @property
    def known_measures(self) -> Mapping[str, Measure | RegressionMeasure | NumberMeasure]:
        """The measures that it can show, by name."""
        if self.kind.trains == "regressors":
            return REGRESSION_MEASURES
        if self.task == CLASSIFICATION:
            return MEASURES
        return number_measures((*TASKS[self.task].baselines, *self.settings.learners_read()))

    @property
    def baselines(self) -> tuple[str, ...]:
        """The learners that run beside its own over each stream, if it reads predictions."""
        return tuple(TASKS[self.task].baselines) if self.kind.reads == "predictions" else ()

    def for_task(self, task: TaskName) -> Item:
        """The item with the defaults of a task."""
        return replace(self, task=task, settings=self.settings.for_task(task))

    def about(self, items: Mapping[str, Item]) -> Item:
        """The item with the defaults that follow from those that it is about."""
        named = [items[name] for name in self.of if name in items]
        if not named or any(other.kind.name != self.kind.source_kind for other in named):
            return self
        settings = self.settings.for_items([other.settings for other in named])
        return replace(self, task=named[0].task, settings=settings)

    @property
    def of(self) -> tuple[str, ...]:
        """The ids of the items whose data it reads: a name alone is one of its own study."""
        named = getattr(self.settings, "of", ())
        names = (named,) if isinstance(named, str) else named
        return tuple(name if "/" in name else f"{self.study}/{name}" for name in names)

    @property
    def is_wanted(self) -> bool:
        """Whether it is computed: not if it is about streams and names none."""
        return bool(self.streams) or not hasattr(self.settings, "streams")

    @cached_property
    def protocol(self) -> Protocol:
        """The protocol of the predictions that it reads."""
        return parse(getattr(self.settings, "protocol", DEFAULT))

    @property
    def variants(self) -> tuple[str, ...]:
        """The orders of the instances that it compares."""
        return tuple(getattr(self.settings, "variants", (ORIGINAL,)))

    @property
    def shows_seeds(self) -> bool:
        """Whether it reads the predictions of several runs of each learner that draws."""
        return self.kind.reads == "predictions" and hasattr(self.settings, "seeds")

    @property
    def in_parts(self) -> PartedItemSettings:
        """Its settings, of a kind whose studies are done in parts."""
        if not isinstance(self.settings, PartedItemSettings):
            raise TypeError(f"{self.id}: the kind {self.kind.name} has no parts")
        return self.settings

    @property
    def shows_times(self) -> bool:
        """Whether the table or figure shows times of this machine, which differ from run to run."""
        return bool(getattr(self.settings, "times", False))

    @property
    def table_shows_times(self) -> bool:
        """Whether its table holds such times; that of a figure is one of its frames."""
        return self.shows_times and self.kind.table_frame in ("", *self.kind.times)

    def plain(self) -> dict[str, Any]:
        """The settings as plain data, for the parameters of a job."""
        content: dict[str, Any] = msgspec.to_builtins(self.settings)
        return content


def asked_streams(item: Item, items: Mapping[str, Item]) -> Sequence[str]:
    """The streams of an item, available or not; "all" are those that other items name."""
    if item.streams != (ALL,):
        return item.streams
    others = (other for other in items.values() if other.kind.reads not in ("generator", "source"))
    return list(dict.fromkeys(name for other in others for name in other.streams if name != ALL))


def task_of_stream(spec: StreamSpec) -> TaskName | None:
    """Task of a stream by its entry; None where the entry does not say its target."""
    if isinstance(spec, FileSpec) and spec.options.get("numeric_target"):
        return REGRESSION
    if spec.classes is None:
        return None
    return CLASSIFICATION if spec.classes else REGRESSION


def task_of_item(
    item: Item,
    streams: Iterable[str],
    registry: Mapping[str, StreamSpec],
    learners: Mapping[str, LearnerSpec],
) -> TaskName:
    """Task of an item: that of its kind, of its streams, or of its learners, the first known."""
    if len(item.kind.tasks) == 1:
        return item.kind.tasks[0]
    known = (task_of_stream(registry[name]) for name in streams if name in registry)
    for task in known:
        if task is not None:
            return task
    named = (learners[name].tasks for name in item.learners if name in learners)
    return REGRESSION if (REGRESSION,) in named else CLASSIFICATION


def items_of(
    configuration: Configuration,
    registry: Mapping[str, StreamSpec] | None = None,
    learners: Mapping[str, LearnerSpec] | None = None,
) -> dict[str, Item]:
    """The items of a configuration by their ids, in its order.

    The entries of streams and learners decide which task an item is about, where its kind has
    several; without them it is classification.

    Raises ConfigError if a kind is unknown, or a setting is; says in which file, item and key.
    """
    items_by_id, known = {}, known_kinds(configuration)
    for study, items in configuration.content["items"].items():
        for name, content in items.items():
            item = _item(configuration, known, study, name, content)
            items_by_id[item.id] = item
    for name, item in items_by_id.items():
        task = task_of_item(item, asked_streams(item, items_by_id), registry or {}, learners or {})
        items_by_id[name] = item.for_task(task)
    return {name: item.about(items_by_id) for name, item in items_by_id.items()}


def _item(
    configuration: Configuration, known: Mapping[str, Kind], study: str, name: str, content: Any
) -> Item:
    keys = ("items", study, name)
    at = partial(configuration.at, *keys)
    others = [other for other in configuration.content["items"][study] if other != name]
    if not isinstance(content, Mapping) or "kind" not in content:
        raise ConfigError(
            f"{at()}: expected the key kind, found none. Known kinds are {', '.join(known)}; "
            f"config/kinds.md describes them. {near(name, others)}".rstrip()
        )
    if not isinstance(content["kind"], str) or content["kind"] not in known:
        raise ConfigError(f"{at('kind')}: there is {unknown('kind', content['kind'], known)}")
    kind = known[content["kind"]]
    rest = {key: value for key, value in content.items() if key != "kind"}
    plain = check_data(rest, kind.settings, configuration.where, keys)
    settings = kind.settings_from(plain)
    if getattr(settings, "seeds", 1) is None:
        settings = msgspec.structs.replace(settings, seeds=configuration.seeds_of(study))
    if settings.published_values():
        folder = configuration.folder_of(*keys, "published")
        path = str(relative_path(folder / settings.published_values()))
        settings = msgspec.structs.replace(settings, published=path)
    item = Item(study, name, kind, settings)
    try:
        has_folds = item.protocol.has_folds
    except ConfigError as error:
        where = configuration.where(*keys, "protocol", *error.keys)
        raise ConfigError(f"{where}: at {'.'.join(keys)}.protocol: {error}") from error
    if has_folds and "folds" not in kind.joins:
        able = [name for name in known if "folds" in known[name].joins]
        raise ConfigError(
            f"{at('protocol')}: the kind {kind.name} shows predictions in the order of "
            f"the stream, found {item.protocol.name}, which has several folds. Kinds that can show "
            f"it: {', '.join(able)}."
        )
    return item


#: Limits of intervals and tests over the instances of streams, which captions quote.
_LIMITS = {"effective": MIN_EFFECTIVE_SIZE, "sections": SECTIONS}
#: Titles of the papers, by their ids.
PAPERS = {paper.id: paper.title for paper in papers.listed().values()}


def subject_of(item: Item) -> str:
    """The subject of an item, in words."""
    return _filled(item, texts_of(item.kind).subject)


def table_title(item: Item) -> str:
    """The title of a table."""
    title = _filled(item, texts_of(item.kind).title) + other_protocol(item)
    if item.study not in PAPERS:
        return f"{title}."
    paper = PAPERS[item.study].translate({ord("("): None, ord(")"): None})
    return f"{title} ({paper}, {item_title(item.name)})."


def other_protocol(item: Item) -> str:
    """The words that name the protocol of a table, if it is not the usual one."""
    if item.kind.reads != "predictions" or item.protocol == parse(DEFAULT):
        return ""
    return f"; protocol: {item.protocol.title}{_measured(item)}"


def _measured(item: Item) -> str:
    """The note on which predictions of an instance count, if there are several."""
    return ", predictions on arrival" if item.protocol.needs_times else ""


def _named(item: Item) -> str:
    return f" Protocol: {item.protocol.title}{_measured(item)}." if other_protocol(item) else ""


def protocol_of(item: Item) -> str:
    """The protocol by which an item's learners are evaluated, in words; "" without any."""
    if item.kind.reads == "predictions":
        return item.protocol.title
    words = _filled(item, texts_of(item.kind).evaluation)
    return words.replace("cross_validation", "cross-validation").replace("_", " ")


def table_caption(item: Item) -> str:
    """The caption of a table."""
    text = _filled(item, texts_of(item.kind).caption) + _named(item)
    if item.study not in PAPERS:
        return text
    return f"{text} {_place(item) or f'After {PAPERS[item.study]}'}."


def figure_caption(item: Item, stream_or_picture: str, simulated: bool) -> str:
    """The caption of a picture.

    `stream_or_picture` is the id of the stream, or the name of the picture.
    """
    if stream_or_picture in item.kind.pictures:
        return _filled(item, texts_of(item.kind).pictures[stream_or_picture]) + _named(item)
    text = f"Stream {stream_or_picture}: {_filled(item, texts_of(item.kind).caption)}"
    if protocol_of(item):
        of = _measured(item) if item.kind.reads == "predictions" else ""
        text += f" Protocol: {protocol_of(item)}{of}."
    if item.study not in PAPERS:
        return text
    source = f"After {_place(item) or PAPERS[item.study]}"
    return f"{text} {source}{', here for a simulated stream' if simulated else ''}."


def methods_caption(item: Item) -> str:
    """The subject of a table or figure, without its stream, protocol and source."""
    texts = texts_of(item.kind)
    named = [_filled(item, texts.pictures[name]) for name in item.kind.pictures]
    return " ".join(filter(None, [_filled(item, texts.caption), *dict.fromkeys(named)]))


def _place(item: Item) -> str:
    """The figure or table of a paper that an item reproduces; "" if none."""
    called, _, variant = item_title(item.name).partition(", ")
    if not called[-1].isdigit():
        return ""
    return f"{called} of {PAPERS[item.study]}" + (f", {variant}" if variant else "")


def _filled(item: Item, template: str) -> str:
    """A text with settings in the place of the braces."""
    words = _words(item)
    try:
        return template.format(**words)
    except (KeyError, IndexError, ValueError) as error:
        raise ConfigError(
            f"{item.id}: in TEXTS of the kind {item.kind.name!r}, expected names of settings in "
            f"braces, found {template!r} ({error}). Known are {', '.join(words)}."
        ) from error


def _words(item: Item) -> dict[str, Any]:
    """The values that captions can quote: settings in words, and limits."""
    plain = item.plain()
    words = {key: _in_words(value) for key, value in plain.items()}
    if "level" in plain:
        words["percent"] = f"{100 * plain['level']:g}"
    if isinstance(plain.get("seeds"), list | tuple):
        words["seeds"] = str(len(plain["seeds"]))
    measures = getattr(item.settings, "measures", ())
    symbols = [
        measure_phrase(name) if name.removesuffix(DELAYED) in MEASURES else words_of_measure(name)
        for name in measures
    ]
    words["measures"] = enumeration(symbols) if symbols else ""
    return {**_LIMITS, **words, **item.settings.caption_values()}


def _in_words(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
