"""What an evaluation or a comparison was asked for, so that a page can run more of the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from streameval.errors import ConfigError
from streameval.protocols.registry import DEFAULT, parse
from streameval.streams.stream import Stream
from streameval.values import plain


@dataclass(frozen=True)
class Asked:
    """A stream, learners and options.

    Parameters
    ----------
    stream : Stream
        As it was given, without the times that a delay gives it.
    learners : mapping of str to object
        Those that were given, by name, each as `streameval.evaluate` takes it.
    options : mapping of str to object
        Of `streameval.evaluate` and `streameval.compare` by name, without those that are usual.
    unsuited : str
        What keeps it from a page, and what to do instead; empty if nothing does.
    """

    stream: Stream
    learners: Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    unsuited: str = ""


class Reportable:
    """Results that a page can be written about."""

    #: What was asked for; None of results that are put together otherwise.
    asked: Asked | None = None

    def report(self, path: str | Path) -> None:
        """Write a page about the learners on this stream: one HTML file that needs nothing else.

        It says whether they beat the baselines and which one is better, and shows it over time;
        what the labels look like, what order is worth, and how all was obtained. What this result
        lacks is run: the comparison or the evaluation, and a run over the stream in random order.
        Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        path : str or Path
            The file, which ends in .html.

        Raises
        ------
        ConfigError
            If the protocol was not the usual one: a page is about instances that are predicted
            before their labels are learnt, by one model.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), ["hoeffding_tree", "naive_bayes"])
        >>> result.report("report.html")
        """
        if self.asked is None:
            raise ConfigError(
                "report: expected what evaluate or compare returned, which knows its learners, "
                "found another result. Call one of the two."
            )
        # By its name: it runs evaluations and comparisons, whose results inherit from here.
        import_module("streameval.api.reporting").report_of(self, path)


def asked_of(
    stream: Stream,
    learners: Any,
    made: Mapping[str, Any],
    protocol: Any,
    options: Mapping[str, Any],
) -> Asked:
    """Return what was asked for; `made` are all learners, those given before the baselines.

    Options that are None, False or empty are left out.
    """
    several = len(learners) if isinstance(learners, Mapping | list | tuple) else 1
    found = None if protocol is None else parse(protocol)
    unsuited = ""
    if found is not None and found != parse(DEFAULT):
        unsuited = (
            f"report: expected instances that are predicted before their labels are learnt, by one "
            f"model, found the protocol {found}. Leave it out; for delayed labels give a delay."
        )
    kept = {
        name: plain(value)
        for name, value in options.items()
        if value is not None and value is not False and not (isinstance(value, tuple) and not value)
    }
    return Asked(stream, dict(list(made.items())[:several]), kept, unsuited)
