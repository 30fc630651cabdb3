"""Checks of a plan before any job runs, for errors that the schema cannot see."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Protocol

from streameval.base.errors import (
    CodeError,
    ConfigError,
    StreamevalError,
    did_you_mean,
    error_prefix,
    listing,
    unknown_name_text,
)
from streameval.items.kind import function_of, texts_of
from streameval.items.settings import ALL
from streameval.learners.registry import LearnerSpec, built_in_learners
from streameval.learners.tasks import CLASSIFICATION, REGRESSION
from streameval.measures.registry import DELAYED_SUFFIX
from streameval.pipeline.configuration import Configuration, known_kinds, modules_of_kinds
from streameval.pipeline.items import Item, streams_of_item, task_of_stream
from streameval.streams.making import convert
from streameval.streams.readers.table import StreamWarning
from streameval.streams.registry import FileSpec, GeneratorSpec, StreamSpec
from streameval.streams.variants import check_variant


class PlanToCheck(Protocol):
    """The part of a `pipeline.plan.Plan` that the checks read."""

    @property
    def configuration(self) -> Configuration:
        """The configuration, checked by the schema."""

    @property
    def items(self) -> Mapping[str, Item]:
        """The items by their ids."""

    @property
    def registry(self) -> Mapping[str, StreamSpec]:
        """All streams of the registry."""

    @property
    def streams(self) -> Sequence[str]:
        """The streams of the run."""

    @property
    def learners(self) -> Mapping[str, LearnerSpec]:
        """All learners of the registry."""

    @property
    def all_learners(self) -> Sequence[str]:
        """The learners of the run."""


def check_known_names(plan: PlanToCheck) -> None:
    """Refuse unknown or unsuitable names of streams, learners, measures and items."""
    for item in plan.items.values():
        place_of = partial(plan.configuration.place_of, "items", item.study, item.name)
        streams = streams_of_item(item, plan.items)
        _refuse_ignored_label_delays(place_of("streams"), item, streams, plan.registry)
        _refuse_ignored_entities(place_of("streams"), item, streams, plan)
        if item.streams != (ALL,):  # `ALL` stands for streams that other items name
            for name in item.streams:
                _check_name(place_of("streams"), "stream", name, plan.registry)
                _refuse_inputs_known_later(place_of("streams"), item, plan.registry[name])
        _check_targets(place_of("streams"), item, streams, plan.registry)
        if item.kind.reads == "generator":
            _check_are_generated(place_of("streams"), item, plan.registry)
        with error_prefix(place_of("variants")):
            for stream, text in product(item.streams, item.variants):
                check_variant(stream, text)
        for name in item.learners:
            _check_name(place_of("learners"), "learner", name, plan.learners)
            _check_predicts(place_of("learners"), item, plan.learners[name])
        for name in item.settings.evaluated_learners():
            _check_name(
                f"{place_of()}: the item reads the learner {name!r}", "row", name, plan.learners
            )
            if name not in item.learners:
                where = f"{place_of()}: the item reads the learner {name!r}"
                _check_predicts(where, item, plan.learners[name])
        for name in getattr(item.settings, "measures", ()):
            base_name = name.removesuffix(DELAYED_SUFFIX)
            _check_name(place_of("measures"), "measure", base_name, item.known_measures)
        # For an item about other items, `source_faults` checks the measure.
        if hasattr(item.settings, "measure") and not item.kind.source_kind:
            _check_name(place_of("measure"), "measure", item.settings.measure, item.known_measures)
        if hasattr(item.settings, "learners") and item.is_computed and not item.learners:
            raise ConfigError(
                f"{place_of()}: the item has no learners. Name at least one under its `learners`, "
                "or remove the item."
            )
        if item.is_computed:
            for fault in item.settings.setting_faults(plan.learners):
                raise ConfigError(f"{place_of()}: {fault}")
        if item.kind.source_kind:
            _check_source_items(place_of("of"), item, plan)
            for source in item.source_items:
                for fault in item.settings.source_faults(plan.items[source].settings):
                    raise ConfigError(f"{place_of()}: {fault}")


def check_published(plan: PlanToCheck) -> None:
    """Refuse a file of published values that has errors, or no value that its item can show.

    Further values that the item does not show are allowed.
    """
    for item in plan.items.values():
        path = item.settings.published_values()
        if path:
            from streameval.report.published_values import read_published_values  # loads pandas

            with error_prefix(plan.configuration.place_of("items", item.study, item.name)):
                values = read_published_values(
                    path, plan.registry, plan.learners, item.known_measures
                )
                has_bins = item.settings.has_bins  # a value of a whole stream has the bin ""
                if values and not any(bool(value.bin) == has_bins for value in values):
                    expected, actual = ("a", "no") if has_bins else ("no", "a")
                    raise ConfigError(
                        f"{path}: expected a value with {expected} bin, since {item.kind.name} "
                        f"shows no others; each has {actual} bin. Correct the column bin."
                    )


def check_learner_rows(plan: PlanToCheck) -> list[CodeError]:
    """Refuse rows of the registry from which no learner can be made; return errors in users' code.

    The check imports the packages that a row needs. It compiles nothing, and constructs no object
    from outside the package. A row whose code raises an error is refused only if a study trains the
    learner itself. Otherwise the job that runs the learner records the error, which is returned.
    """
    _refuse_namesakes(plan)
    code_errors: list[CodeError] = []
    checked_learners: dict[str, object] = {}
    trained = {name for item in plan.items.values() if item.kind.trains for name in item.learners}
    for name in plan.all_learners:
        try:
            checked_learners[name] = plan.learners[name].check()
        except ConfigError as error:
            if isinstance(error, CodeError) and name not in trained:
                code_errors.append(error)
                continue
            configuration = plan.configuration
            is_own = configuration.file_of("learners", name) is not None
            registry = str(configuration.content["registries"]["learners"])
            where = configuration.file_name_of("learners", name) if is_own else registry
            raise ConfigError(f"{where}: {error}") from error
    for item in plan.items.values():
        if item.is_computed:
            with error_prefix(plan.configuration.place_of("items", item.study, item.name)):
                item.settings.check_learners(checked_learners)
    return code_errors


def _refuse_namesakes(plan: PlanToCheck) -> None:
    """Refuse modules with the same name in several folders: Python imports only one of them."""
    # Kinds and learners from outside the package.
    kinds = [item.kind for item in plan.items.values() if item.kind.folder]
    rows = [row for name in plan.all_learners if (row := plan.learners[name]).user_modules()]
    if len({kind.folder for kind in kinds} | {row.folder for row in rows}) < 2:
        return
    code = [(kind.folder, kind.code(kind.study_module)) for kind in kinds]
    code += [(row.folder, row.code()) for row in rows]
    places = dict[str, Path]()
    for folder, files in code:
        root = Path(folder).absolute()
        for file in files:
            if file.is_relative_to(root) and file.suffix == ".py":
                module = root / file.relative_to(root).parts[0]  # a file, or a package's folder
                if places.setdefault(module.stem, module) != module:
                    raise ConfigError(
                        f"expected modules of different names, found {module} and "
                        f"{places[module.stem]}. Python imports one of them; rename the other one."
                    )


def check_kinds(plan: PlanToCheck) -> None:
    """Refuse kinds from outside the package whose modules lack a function or `WORDS`.

    The check imports their modules, including the modules with functions that draw.
    """
    files = {
        (module, folder): where for module, folder, where in modules_of_kinds(plan.configuration)
    }
    for item in plan.items.values():
        kind = item.kind
        if kind.folder:
            with error_prefix(f"{files[kind.module, kind.folder]}: at kinds: {kind.module}"):
                function_of(kind, "study")
                if kind.parts:
                    function_of(kind, "part")
                if kind.is_figure:
                    function_of(kind, "draw")
                if kind.is_table:
                    function_of(kind, "layout")
                texts_of(kind)


def check_generated(plan: PlanToCheck) -> None:
    """Refuse generated streams whose entry is wrong, or that are too large for this machine."""
    for name in plan.streams:
        spec = plan.registry[name]
        if isinstance(spec, GeneratorSpec):
            spec.check()


def check_files(plan: PlanToCheck) -> None:
    """Refuse streams of the configuration whose files do not match their entries.

    The check reads each file completely, so only dry runs do it; a run reads them in jobs.
    """
    for name in plan.streams:
        spec, place = plan.registry[name], plan.configuration.place_of_stream(name)
        if isinstance(spec, FileSpec) and place:
            path = Path(spec.file)
            if path.is_absolute():
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", StreamWarning)  # the job's own log has them
                    try:
                        convert(spec, path)
                    except StreamevalError as error:
                        raise ConfigError(f"{place}: {error}") from error


def _check_predicts(where: str, item: Item, row: LearnerSpec) -> None:
    """Refuse regressors in items about classifiers, and classifiers in items about regressors."""
    if item.task in row.tasks or not row.tasks:  # the tasks of users' code may be unknown
        return
    subject = f"{item.streams[0]!r} has " if len(item.kind.tasks) > 1 and item.streams else ""
    if item.task == CLASSIFICATION:
        reason = f", since {subject}classes" if subject else ""
        raise ConfigError(
            f"{where}: expected classifiers{reason}, found the regressor {row.id!r}, which "
            "predicts numbers. Choose another learner."
        )
    reason = f", since {subject}a numeric target" if subject else ""
    raise ConfigError(
        f"{where}: expected regressors{reason}, found {row.id!r}, which predicts classes. Choose "
        f"another learner: {listing(built_in_learners(REGRESSION))}, or one of your own."
    )


def _check_targets(
    where: str, item: Item, streams: Sequence[str], registry: Mapping[str, StreamSpec]
) -> None:
    """Refuse streams whose targets the learners of an item cannot predict."""
    if not (item.kind.trains or item.settings.evaluated_learners()):
        return
    stream_tasks = {name: task_of_stream(registry[name]) for name in streams if name in registry}
    kind, tasks = item.kind, item.kind.tasks
    # The first stream of each task is named in errors.
    by_task = {task: name for name, task in reversed(stream_tasks.items()) if task is not None}
    if len(tasks) > 1 and len(by_task) > 1:
        raise ConfigError(
            f"{where}: expected streams that all have classes, or all have a numeric target, found "
            f"{by_task[CLASSIFICATION]!r} with classes and {by_task[REGRESSION]!r} with a numeric "
            f"target. No measure fits both: write an item of the kind {kind.name} for each."
        )
    if len(tasks) > 1 or {*by_task} <= {*tasks}:
        return
    if tasks == (CLASSIFICATION,):
        raise ConfigError(
            f"{where}: expected a stream with classes, since {kind.name} is about classifiers, "
            f"found the numeric target of {by_task[REGRESSION]!r}. Choose another stream, a kind "
            "such as benchmark or binned_errors, or `streameval compare` with regressors."
        )
    name = by_task[CLASSIFICATION]
    raise ConfigError(
        f"{where}: expected a stream with a numeric target, since {kind.name} is about "
        f"regressors, found {name!r} with {registry[name].classes} classes. Choose another stream."
    )


def _refuse_inputs_known_later(where: str, item: Item, spec: StreamSpec) -> None:
    """Refuse inputs that are not known yet when an instance is predicted."""
    known_later = dict(spec.known_at) if isinstance(spec, FileSpec) else {}
    if known_later and known_later != dict(getattr(item.settings, "known_at", {})):
        known_at = ", ".join(f"{name}: {when}" for name, when in known_later.items())
        raise ConfigError(
            f"{where}: {spec.id!r} has inputs that are known only after an instance has arrived. "
            f"Expected a kind such as evolving_inputs with known_at: {{{known_at}}}, found "
            f"the kind {item.kind.name} without it. Set it, or choose another stream."
        )


def _refuse_ignored_label_delays(
    where: str, item: Item, streams: Sequence[str], registry: Mapping[str, StreamSpec]
) -> None:
    """Refuse items that ignore label delays without saying so."""
    protocol = item.protocol
    is_delayed = getattr(protocol, "delay", 0) > 0
    # Kinds that respect the times of labels do not have the setting `ignore_label_times`.
    if getattr(item.settings, "ignore_label_times", True) or protocol.needs_times or is_delayed:
        return
    delayed = [name for name in streams if name in registry and registry[name].has_label_times]
    if delayed:
        raise ConfigError(
            f"{where}: the labels of {delayed[0]!r} arrive later than their instances, and an item "
            f"of the kind {item.kind.name} learns each before the next instance. Use the kind "
            "binned_measures, `protocol: delayed:N` if the kind has a protocol, or "
            "`ignore_label_times: true` to ignore the delays."
        )


def _refuse_ignored_entities(
    where: str, item: Item, streams: Sequence[str], plan: PlanToCheck
) -> None:
    """Refuse streams of several entities in items whose kinds ignore entities."""
    registry = plan.registry
    grouped = [name for name in streams if name in registry and registry[name].group]
    if grouped and not item.kind.by_entity and not item.kind.source_kind:
        kinds = known_kinds(plan.configuration).items()
        kinds_of_entities = sorted(name for name, kind in kinds if kind.by_entity)
        raise ConfigError(
            f"{where}: {grouped[0]!r} interleaves several entities, which its `group` names, and "
            f"an item of the kind {item.kind.name} ignores entities. Use one of "
            f"{', '.join(kinds_of_entities)}, or leave `group` out of its entry."
        )


def _check_source_items(where: str, item: Item, plan: PlanToCheck) -> None:
    """Refuse unknown items under the key `of`, and streams that several of these items have."""
    studies = plan.configuration.content["studies"]
    sources = {
        name: other
        for name, other in plan.items.items()
        if other.kind.name == item.kind.source_kind
    }
    source_of_stream: dict[str, str] = {}
    for source in item.source_items:
        study = source.partition("/")[0]
        if study not in studies:
            raise ConfigError(
                f"{where}: expected an item of a study of this run, found {source!r}. Add "
                f"{study!r} to `studies`, which are {listing(studies)}. "
                f"{did_you_mean(study, studies)}".rstrip()
            )
        _check_name(where, f"item of kind {item.kind.source_kind} called", source, sources)
        for stream in sources[source].streams:
            if source_of_stream.setdefault(stream, source) != source:
                raise ConfigError(
                    f"{where}: expected each stream in one of the items, found {stream!r} in "
                    f"{source_of_stream[stream]!r} and {source!r}. Leave one of them out."
                )


def _check_are_generated(where: str, item: Item, registry: Mapping[str, StreamSpec]) -> None:
    """Refuse streams of files for a kind that draws its instances from a generator."""
    generated = [name for name, spec in registry.items() if isinstance(spec, GeneratorSpec)]
    others = [name for name in item.streams if name not in generated]
    if others:
        raise ConfigError(
            f"{where}: the kind {item.kind.name} needs more instances than a file has. Expected "
            f"streams with a generator, such as {listing(generated)}, found {others[0]!r}."
        )


def _check_name(where: str, noun: str, name: str, known: Mapping[str, object]) -> None:
    if name not in known:
        raise ConfigError(f"{where}: there is {unknown_name_text(noun, name, known)}")
