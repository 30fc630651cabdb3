"""What can be wrong with a plan though the schema has let it pass: said before any work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from streameval.errors import ConfigError, some
from streameval.learners.registry import LearnerSpec
from streameval.measures.registry import MEASURES
from streameval.streams.registry import GeneratorSpec, StreamSpec
from streameval.studies.delays import OPTIONS
from streameval.studies.roles import COMPARATORS

#: The kinds of figures that show answers which are played once for all items.
_SHOWING = ("measures", "estimates", "wrapped")
#: A table that does so, too.
_SIGNIFICANCE = "zliobaite2015/table_significance"


class Plan(Protocol):
    """What the checks read of a `pipeline.plan.Plan`, which is checked where it is made."""

    @property
    def config(self) -> Mapping[str, Any]:
        """The configuration, checked by the schema."""

    @property
    def items(self) -> Mapping[str, dict[str, Any]]:
        """The settings of all items, by ``paper/item``."""

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

    def kind(self, name: str) -> str | None:
        """Return how an item is drawn."""

    def learners_shown(self, name: str) -> Sequence[str]:
        """Return the learners that an item shows."""


def check_names(plan: Plan) -> None:
    """Refuse names of learners and measures that do not exist, or mean nothing where they stand.

    Items without streams are not drawn: they may name learners that the run does not play.

    Parameters
    ----------
    plan : Plan
        The run, its configuration checked by the schema.

    Raises
    ------
    ConfigError
        If a learner or measure does not exist; an item with streams has no learners, shows
        answers that are not played, or studies what it cannot.
    """
    for name in plan.config["learners"]:
        _check_learner(plan, "`learners`", name)
    for item, content in plan.items.items():
        for name in content.get("learners", ()):
            _check_learner(plan, f"the item {item}", name)
        for name in content.get("measures", ()):
            if name not in MEASURES:
                raise ConfigError(
                    f"The item {item} names the measure {name!r}, which does not exist. There are "
                    f"{', '.join(MEASURES)}."
                )
        if content.get("streams"):
            _check_drawn(plan, item, content)


def check_rows(plan: Plan) -> None:
    """Refuse rows of the registry that make no learner: make all those of the run.

    Nothing is compiled by that; packages that a row needs are imported.

    Parameters
    ----------
    plan : Plan
        The run, its names checked by `check_names`.

    Raises
    ------
    ConfigError
        If a row's learner, parameters or wrapper are wrong, or the study of delays cannot play
        a learner that it names.
    """
    where = plan.config["registries"]["learners"]
    made = {}
    for name in plan.all_learners:
        try:
            made[name] = plan.learners[name].make()
        except ConfigError as error:
            raise ConfigError(f"{where}: {error}") from error
    for item, content in plan.items.items():
        if plan.kind(item) == "delays" and content["streams"]:
            for name in content["learners"]:
                try:
                    for give in OPTIONS.values():
                        give(made[name])
                except ConfigError as error:
                    raise ConfigError(
                        f"The item {item} cannot play the learner {name!r}: {error}"
                    ) from error


def check_generated(plan: Plan) -> None:
    """Refuse entries of the registry that no stream of the run can be generated from.

    Raises
    ------
    ConfigError
        If a generator's parameter is outside its range.
    DataError
        If a stream is too large for this machine.
    """
    for name in plan.streams:
        spec = plan.registry[name]
        if isinstance(spec, GeneratorSpec):
            spec.check()


def _check_learner(plan: Plan, where: str, name: str) -> None:
    if name not in plan.learners:
        raise ConfigError(
            f"The configuration, at {where}, names the learner {name!r}, which is not in the "
            f"registry. There are {some(plan.learners)}."
        )


def _check_drawn(plan: Plan, item: str, content: dict[str, Any]) -> None:
    """Check the learners of an item that is drawn for some stream."""
    if "learners" in content and not content["learners"]:
        raise ConfigError(
            f"The item {item} has streams and no learners. Name one of them at least under its "
            "`learners`, or empty its `streams` to leave it out."
        )
    if plan.kind(item) in _SHOWING or item == _SIGNIFICANCE:
        for name in plan.learners_shown(item):
            if name not in plan.config["learners"]:
                raise ConfigError(
                    f"The item {item} shows the learner {name!r}, which is not played. Name it "
                    "under `learners` too, or leave it out of the item."
                )
    if plan.kind(item) == "delays":
        for name in content["learners"]:
            _check_delayed(item, plan.learners[name])


def _check_delayed(item: str, row: LearnerSpec) -> None:
    if row.id in COMPARATORS:
        raise ConfigError(
            f"The item {item} names the learner {row.id!r}, which it always plays. Leave it out "
            "of the item's `learners`."
        )
    if row.wrapper:
        raise ConfigError(
            f"The item {item} names the learner {row.id!r}, which is in the wrapper "
            f"{row.wrapper!r}. Expected learners without one, as the study puts them into its "
            "own: name the one inside."
        )
