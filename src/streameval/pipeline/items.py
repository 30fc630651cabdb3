"""The tables and figures of a run: their kinds, checked settings, titles and captions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import msgspec

from streameval import papers
from streameval.base.errors import ConfigError, did_you_mean, unknown_name_text
from streameval.base.schema import check_data
from streameval.base.settings import relative_path
from streameval.base.values import enumeration
from streameval.evaluation.regression_measures import (
    TableMeasure,
    phrase_of_measure,
    regression_measures,
)
from streameval.evaluation.task import TASKS
from streameval.items.kind import ItemKind, texts_of
from streameval.items.settings import ALL, PartitionedItemSettings, Settings
from streameval.learners.registry import LearnerSpec
from streameval.learners.tasks import CLASSIFICATION, REGRESSION, TaskName
from streameval.measures.registry import DELAYED_SUFFIX, MEASURES, Measure, measure_phrase
from streameval.measures.regression import REGRESSION_MEASURES, RegressionMeasure
from streameval.pipeline.configuration import Configuration, known_kinds
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import DEFAULT, parse
from streameval.report.names import item_title
from streameval.significance.stream_mean import MIN_EFFECTIVE_SIZE, N_SECTIONS
from streameval.streams.registry import FileSpec, StreamSpec
from streameval.streams.variants import ORIGINAL


@dataclass(frozen=True)
class Item:
    """A table or figure of a study."""

    study: str
    name: str
    kind: ItemKind
    settings: Settings
    task: TaskName = CLASSIFICATION

    @property
    def id(self) -> str:
        """Its id in the run, ``study/name``; also its path below folders of results."""
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
    def known_measures(self) -> Mapping[str, Measure | RegressionMeasure | TableMeasure]:
        """The measures that it can show, by name."""
        if self.kind.trains == "regressors":
            return REGRESSION_MEASURES
        if self.task == CLASSIFICATION:
            return MEASURES
        return regression_measures(
            (*TASKS[self.task].baselines, *self.settings.evaluated_learners())
        )

    @property
    def baselines(self) -> tuple[str, ...]:
        """The baselines that also run over each stream, if the item reads predictions."""
        return tuple(TASKS[self.task].baselines) if self.kind.reads == "predictions" else ()

    def for_task(self, task: TaskName) -> Item:
        """The item with defaults that depend on its task, such as its measures."""
        return replace(self, task=task, settings=self.settings.for_task(task))

    def with_source_defaults(self, items: Mapping[str, Item]) -> Item:
        """The item with the defaults that follow from the items whose data it reads."""
        sources = [items[name] for name in self.source_items if name in items]
        # `checks.check_known_names` refuses missing sources, and sources of another kind.
        if not sources or any(source.kind.name != self.kind.source_kind for source in sources):
            return self
        settings = self.settings.for_sources([source.settings for source in sources])
        return replace(self, task=sources[0].task, settings=settings)

    @property
    def source_items(self) -> tuple[str, ...]:
        """The ids of the items whose data it reads; names without a study are of its own study."""
        setting = getattr(self.settings, "of", ())
        names = (setting,) if isinstance(setting, str) else setting
        return tuple(name if "/" in name else f"{self.study}/{name}" for name in names)

    @property
    def is_computed(self) -> bool:
        """False if the item needs streams and names none: it is not computed then."""
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
        """Whether it reads the predictions of several runs of each random learner."""
        return self.kind.reads == "predictions" and hasattr(self.settings, "seeds")

    @property
    def partitioned_settings(self) -> PartitionedItemSettings:
        """Its settings, for a kind whose studies run in parts."""
        if not isinstance(self.settings, PartitionedItemSettings):
            raise TypeError(f"{self.id}: the kind {self.kind.name} has no parts")
        return self.settings

    @property
    def shows_times(self) -> bool:
        """Whether the table or figure shows times of this machine, which differ from run to run."""
        return bool(getattr(self.settings, "times", False))

    @property
    def table_shows_times(self) -> bool:
        """Whether its table shows such times.

        The table of a figure is one of its frames; `ItemKind.times` names the frames with times.
        """
        return self.shows_times and self.kind.table_frame in ("", *self.kind.times)

    def plain_settings(self) -> dict[str, Any]:
        """Its settings as builtin types, for the parameters of a job."""
        content: dict[str, Any] = msgspec.to_builtins(self.settings)
        return content


def streams_of_item(item: Item, items: Mapping[str, Item]) -> Sequence[str]:
    """The streams of an item, available or not; "all" stands for the streams of other items.

    Streams of items that draw their own instances, or that read other items, do not count.
    """
    if item.streams != (ALL,):
        return item.streams
    others = (other for other in items.values() if other.kind.reads not in ("generator", "source"))
    return list(dict.fromkeys(name for other in others for name in other.streams if name != ALL))


def task_of_stream(spec: StreamSpec) -> TaskName | None:
    """Task of a stream by its entry; None if the entry does not describe the target."""
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
    """Task of an item: the task of its kind, else of its streams, else of its learners."""
    if len(item.kind.tasks) == 1:
        return item.kind.tasks[0]
    stream_tasks = (task_of_stream(registry[name]) for name in streams if name in registry)
    for task in stream_tasks:
        if task is not None:
            return task
    learner_tasks = (learners[name].tasks for name in item.learners if name in learners)
    return REGRESSION if (REGRESSION,) in learner_tasks else CLASSIFICATION


def items_of(
    configuration: Configuration,
    registry: Mapping[str, StreamSpec] | None = None,
    learners: Mapping[str, LearnerSpec] | None = None,
) -> dict[str, Item]:
    """The items of a configuration by their ids, in its order.

    If a kind has several tasks, the entries of streams and learners decide which one an item is
    about; without entries it is classification.

    Raises ConfigError if a kind or a setting is unknown; the message names file, item and key.
    """
    items_by_id, kinds = {}, known_kinds(configuration)
    for study, items in configuration.content["items"].items():
        for name, content in items.items():
            item = _checked_item(configuration, kinds, study, name, content)
            items_by_id[item.id] = item
    for name, item in items_by_id.items():
        task = task_of_item(
            item, streams_of_item(item, items_by_id), registry or {}, learners or {}
        )
        items_by_id[name] = item.for_task(task)
    return {name: item.with_source_defaults(items_by_id) for name, item in items_by_id.items()}


def _checked_item(
    configuration: Configuration, kinds: Mapping[str, ItemKind], study: str, name: str, content: Any
) -> Item:
    """The item that a block of the configuration describes, checked."""
    keys = ("items", study, name)
    place_of = partial(configuration.place_of, *keys)
    # An item without a kind may be the misspelt name of another item.
    others = [other for other in configuration.content["items"][study] if other != name]
    if not isinstance(content, Mapping) or "kind" not in content:
        raise ConfigError(
            f"{place_of()}: expected the key kind, found none. Known kinds are {', '.join(kinds)}; "
            f"config/kinds.md describes them. {did_you_mean(name, others)}".rstrip()
        )
    if not isinstance(content["kind"], str) or content["kind"] not in kinds:
        raise ConfigError(
            f"{place_of('kind')}: there is {unknown_name_text('kind', content['kind'], kinds)}"
        )
    kind = kinds[content["kind"]]
    keys_of_kind = {key: value for key, value in content.items() if key != "kind"}
    content_of_settings = check_data(keys_of_kind, kind.settings, configuration.file_name_of, keys)
    settings = kind.settings_from(content_of_settings)
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
        where = configuration.file_name_of(*keys, "protocol", *error.keys)
        raise ConfigError(f"{where}: at {'.'.join(keys)}.protocol: {error}") from error
    if has_folds and "folds" not in kind.joins:
        with_folds = [name for name in kinds if "folds" in kinds[name].joins]
        raise ConfigError(
            f"{place_of('protocol')}: the kind {kind.name} shows predictions in the order of "
            f"the stream, found {item.protocol.name}, which has several folds. Kinds that can show "
            f"it: {', '.join(with_folds)}."
        )
    return item


#: Numbers that templates of captions can quote, by name: the smallest effective sample size of an
#: interval, and the number of sections of a stream.
_LIMITS = {"effective": MIN_EFFECTIVE_SIZE, "sections": N_SECTIONS}
#: Titles of the papers, by their ids.
PAPERS = {paper.id: paper.title for paper in papers.all_papers().values()}


def subject_of(item: Item) -> str:
    """The subject of an item, in words."""
    return _fill(item, texts_of(item.kind).menu_entry)


def table_title(item: Item) -> str:
    """The title of a table."""
    title = _fill(item, texts_of(item.kind).title) + _other_protocol_phrase(item)
    if item.study not in PAPERS:
        return f"{title}."
    # "Bifet et al. 2013", as the title is in parentheses itself.
    paper = PAPERS[item.study].translate({ord("("): None, ord(")"): None})
    return f"{title} ({paper}, {item_title(item.name)})."


def _other_protocol_phrase(item: Item) -> str:
    """The phrase that names the protocol of a table, if it is not the default protocol."""
    if item.kind.reads != "predictions" or item.protocol == parse(DEFAULT):
        return ""
    return f"; protocol: {item.protocol.title}{_on_arrival_phrase(item)}"


def _on_arrival_phrase(item: Item) -> str:
    """The phrase that says which prediction of an instance counts, if it has several."""
    return ", predictions on arrival" if item.protocol.needs_times else ""


def _protocol_sentence(item: Item) -> str:
    """The sentence that names the protocol, if it is not the default protocol."""
    text = f" Protocol: {item.protocol.title}{_on_arrival_phrase(item)}."
    return text if _other_protocol_phrase(item) else ""


def protocol_of(item: Item) -> str:
    """The protocol by which an item's learners are evaluated, in words; "" if there is none."""
    if item.kind.reads == "predictions":
        return item.protocol.title
    text = _fill(item, texts_of(item.kind).evaluation)
    # Settings fill the template with ids, such as "bootstrap_validation".
    return text.replace("cross_validation", "cross-validation").replace("_", " ")


def table_caption(item: Item) -> str:
    """The caption of a table."""
    text = _fill(item, texts_of(item.kind).caption) + _protocol_sentence(item)
    if item.study not in PAPERS:
        return text
    return f"{text} {_source_in_paper(item) or f'After {PAPERS[item.study]}'}."


def figure_caption(item: Item, stream_or_picture: str, *, simulated: bool) -> str:
    """The caption of a picture.

    `stream_or_picture` is the id of the stream, or the name of the picture.
    """
    if stream_or_picture in item.kind.pictures:
        return _fill(item, texts_of(item.kind).pictures[stream_or_picture]) + _protocol_sentence(
            item
        )
    text = f"Stream {stream_or_picture}: {_fill(item, texts_of(item.kind).caption)}"
    if protocol_of(item):
        note = _on_arrival_phrase(item) if item.kind.reads == "predictions" else ""
        text += f" Protocol: {protocol_of(item)}{note}."
    if item.study not in PAPERS:
        return text
    source = f"After {_source_in_paper(item) or PAPERS[item.study]}"
    return f"{text} {source}{', here for a simulated stream' if simulated else ''}."


def methods_caption(item: Item) -> str:
    """The captions of a table or figure as one text, without stream, protocol and source."""
    texts = texts_of(item.kind)
    captions = [_fill(item, texts.pictures[name]) for name in item.kind.pictures]
    return " ".join(filter(None, [_fill(item, texts.caption), *dict.fromkeys(captions)]))


def _source_in_paper(item: Item) -> str:
    """The figure or table of a paper that an item reproduces; "" if none."""
    title, _, variant = item_title(item.name).partition(", ")
    if not title[-1].isdigit():  # not "Table 3" or "Figure 2"
        return ""
    return f"{title} of {PAPERS[item.study]}" + (f", {variant}" if variant else "")


def _fill(item: Item, template: str) -> str:
    """A template whose braces are replaced by settings."""
    values = _caption_values(item)
    try:
        return template.format(**values)
    except (KeyError, IndexError, ValueError) as error:
        raise ConfigError(
            f"{item.id}: in TEXTS of the kind {item.kind.name!r}, expected names of settings in "
            f"braces, found {template!r} ({error}). Known are {', '.join(values)}."
        ) from error


def _caption_values(item: Item) -> dict[str, Any]:
    """The values that captions can quote: settings in words, and limits."""
    settings = item.plain_settings()
    texts = {key: _in_words(value) for key, value in settings.items()}
    if "level" in settings:
        texts["percent"] = f"{100 * settings['level']:g}"
    if isinstance(settings.get("seeds"), list | tuple):
        texts["seeds"] = str(len(settings["seeds"]))
    measures = getattr(item.settings, "measures", ())
    symbols = [
        measure_phrase(name)
        if name.removesuffix(DELAYED_SUFFIX) in MEASURES
        else phrase_of_measure(name)
        for name in measures
    ]
    texts["measures"] = enumeration(symbols) if symbols else ""
    return {**_LIMITS, **texts, **item.settings.caption_values()}


def _in_words(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
