"""The tables and figures of a run, each with its kind and its checked settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import msgspec

from streameval.errors import ConfigError, excerpt, near
from streameval.items import kinds
from streameval.items.kind import Kind
from streameval.items.settings import InParts, Settings
from streameval.measures.registry import MEASURES, Measure
from streameval.measures.regression import REGRESSION_MEASURES, RegressionMeasure
from streameval.pipeline.configuration import Configuration
from streameval.plain_data import checked
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import DEFAULT, parse
from streameval.streams.variants import ORIGINAL


@dataclass(frozen=True)
class Item:
    """A table or figure of a study.

    Parameters
    ----------
    study, name : str
        Their ids.
    kind : Kind
        What kind of item it is.
    settings : Settings
        Its settings, of the kind's type.
    """

    study: str
    name: str
    kind: Kind
    settings: Settings

    @property
    def id(self) -> str:
        """Its id in the run, ``study/name``; also its place among tables, data and figures."""
        return f"{self.study}/{self.name}"

    @property
    def streams(self) -> tuple[str, ...]:
        """The ids of the streams that it asks for."""
        return tuple(getattr(self.settings, "streams", ()))

    @property
    def learners(self) -> tuple[str, ...]:
        """The ids of the learners that it names."""
        return tuple(getattr(self.settings, "learners", ()))

    @property
    def known_measures(self) -> Mapping[str, Measure | RegressionMeasure]:
        """The measures that its kind can show, by name."""
        return REGRESSION_MEASURES if self.kind.trains == "regressors" else MEASURES

    @property
    def of(self) -> tuple[str, ...]:
        """The ids of the items whose data it reads: a name alone is one of its own study."""
        named = getattr(self.settings, "of", ())
        names = (named,) if isinstance(named, str) else named
        return tuple(name if "/" in name else f"{self.study}/{name}" for name in names)

    @property
    def is_wanted(self) -> bool:
        """Whether anything is to be made: not if it is about streams and asks for none."""
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
    def in_parts(self) -> InParts:
        """Its settings, of a kind whose studies are done in parts."""
        if not isinstance(self.settings, InParts):
            raise TypeError(f"{self.id}: the kind {self.kind.name} has no parts")
        return self.settings

    @property
    def shows_times(self) -> bool:
        """Whether what is shown holds times of this machine, which no two runs share."""
        return bool(getattr(self.settings, "times", False))

    def plain(self) -> dict[str, Any]:
        """Return the settings as plain data, for the parameters of a job."""
        content: dict[str, Any] = msgspec.to_builtins(self.settings)
        return content


def items_of(configuration: Configuration) -> dict[str, Item]:
    """Return the items of a configuration by their ids, in its order.

    Raises
    ------
    ConfigError
        If a kind is unknown, or a setting is; says in which file, item and key.
    """
    found = {}
    for study, items in configuration.content["items"].items():
        for name, content in items.items():
            item = _item(configuration, study, name, content)
            found[item.id] = item
    return found


def _item(configuration: Configuration, study: str, name: str, content: Any) -> Item:
    keys = ("items", study, name)
    at, known = partial(configuration.at, *keys), kinds()
    if not isinstance(content, Mapping) or "kind" not in content:
        raise ConfigError(
            f"{at()}: expected the key kind, found none. Known kinds are {', '.join(known)}; "
            "config/kinds.md describes them."
        )
    if not isinstance(content["kind"], str) or content["kind"] not in known:
        raise ConfigError(
            f"{at('kind')}: there is no kind {excerpt(repr(content['kind']))}. Known are "
            f"{', '.join(known)}. {near(str(content['kind']), known)}".rstrip()
        )
    kind = kinds()[content["kind"]]
    rest = {key: value for key, value in content.items() if key != "kind"}
    plain = checked(rest, kind.settings, configuration.where, keys)
    item = Item(study, name, kind, kind.settings_from(plain))
    try:
        has_folds = item.protocol.has_folds
    except ConfigError as error:
        where = configuration.where(*keys, "protocol", *error.keys)
        raise ConfigError(f"{where}: at {'.'.join(keys)}.protocol: {error}") from error
    if has_folds and "folds" not in kind.joins:
        able = [name for name in known if "folds" in kinds()[name].joins]
        raise ConfigError(
            f"{at('protocol')}: the kind {kind.name} shows predictions in the order of "
            f"the stream, found {item.protocol.name}, which has several folds. Kinds that can show "
            f"it: {', '.join(able)}."
        )
    return item
