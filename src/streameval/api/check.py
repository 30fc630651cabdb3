"""Checking a stream: whether labels depend on the previous label."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from streameval.api.arguments import check_stream
from streameval.base.errors import DataError
from streameval.base.values import check_integer, duration_text, json_value
from streameval.evaluation.delays import (
    delay_in_instances,
    median_wait,
    protocol_for,
    unlabelled_counts,
)
from streameval.evaluation.persistence import (
    EntityRepeats,
    PersistenceCheck,
    check_delayed_persistence,
    check_persistence,
    find_entity_column,
)
from streameval.streams.stream import Stream, unlabelled_reason
from streameval.view.by_group import by_group_table
from streameval.view.formats import score
from streameval.view.mixin import Viewable
from streameval.view.parts import Column, Facts, Part, View, sentence_part

if TYPE_CHECKING:
    import pandas as pd

#: Names of the entities whose labels repeat least often, as often as the median, and most often.
_RANK_NAMES = ("least", "median", "most")


def check(
    stream: Stream,
    sample: int | None = None,
    *,
    delay: int | str | None = None,
    label_first: bool = False,
    ignore_label_times: bool = False,
) -> Check:
    """Compare two baselines on the labels of a stream, and recommend measures and wrappers.

    One baseline repeats the previous label, the other predicts the most frequent label. If labels
    are delayed, the previous label is the latest label that has arrived.

    Parameters
    ----------
    stream : Stream
        A stream with a nominal target.
    sample : int, optional
        Number of labels to use from the start of the stream, at least 2; by default all.
    delay : int or str, optional
        Number of instances that arrive between an instance and its label, 0 if the label is known
        before the next prediction. If instances have dates, also a length of time, such as
        ``"30 days"``. By default the stream's own label times are used, if it has any.
    label_first : bool
        Whether to count a label as known before an instance with the same time; by default after.
    ignore_label_times : bool
        Whether to use each label before the next instance, even if the stream says that it arrives
        later.

    Returns
    -------
    Check
        The accuracy of both baselines, a test whether the order of labels is random, and advice.

    Raises
    ------
    ConfigError, DataError
        If an argument is invalid, or the target is a number.

    Examples
    --------
    >>> import streameval as se
    >>> result = se.check(se.load("markov_ozone"))
    >>> round(result.persistence.persistent, 2), round(result.persistence.majority, 2)
    (0.95, 0.97)
    """
    sample = check_sample(sample)
    check_stream(stream)
    # The protocol is not needed: nothing is learnt.
    delayed_stream, _ = protocol_for(
        stream,
        None,
        delay,
        label_first=label_first,
        ignore_label_times=ignore_label_times,
    )
    if delayed_stream.schema.classes is None:
        raise DataError(
            f"Stream {delayed_stream.name!r}: expected a nominal target, found the numeric target "
            f"{delayed_stream.schema.target!r}. A check is about classes. For numbers, `streameval "
            "evaluate STREAM --learner fimt_dd` compares a regressor with the mean so far."
        )
    if delayed_stream.label_time is None or ignore_label_times:
        labelled = delayed_stream.with_labels()
        persistence = check_persistence(labelled.y, sample, labelled.groups)
    else:
        ties = "label" if label_first else "instance"
        persistence = check_delayed_persistence(delayed_stream, sample, ties)
        # Report the requested number of instances; the computed median is at most the stream's
        # length. A length of time is reported as the median.
        if delay is not None:
            persistence = replace(persistence, delay=delay_in_instances(delay) or persistence.delay)
    return Check(
        delayed_stream, replace(persistence, within=find_entity_column(delayed_stream, sample))
    )


def check_sample(sample: int | None) -> int | None:
    """Checked number of labels to use, at least two; there is no upper limit."""
    return None if sample is None else check_integer(sample, "sample", least=2, most=10**100)


class Check(Viewable):
    """Dependence between the labels of a stream, as `streameval.check` returns it.

    Attributes
    ----------
    stream : Stream
        The stream, with label times that follow from the delay, if one was given.
    persistence : PersistenceCheck
        Accuracy of both baselines, with an interval, and the test of the order of labels.

    Examples
    --------
    >>> import streameval as se
    >>> result = se.check(se.generate("sea", rows=2000))
    >>> round(result.persistence.p_value, 2)
    0.85
    """

    def __init__(self, stream: Stream, persistence: PersistenceCheck) -> None:
        self.stream, self.persistence = stream, persistence

    def by_group(self) -> pd.DataFrame:
        """P(T) and P(M) of each entity of a stream with interleaved entities.

        P(T) is the proportion of labels equal to the previous label of the entity, P(M) the
        proportion of the most frequent label.

        Returns
        -------
        pandas.DataFrame
            Columns entity, n (labels), majority (P(M)) and persistent (P(T)); no rows if the stream
            has no groups.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("agrawal", rows=2000).grouped("elevel")
        >>> se.check(stream).by_group().round(2).head(2)
           entity    n  majority  persistent
        0  level3  421      0.67        0.56
        1  level4  395      0.68        0.57
        """
        import pandas as pd

        return pd.DataFrame(self.persistence.entities, columns=[*EntityRepeats._fields])

    @property
    def advice(self) -> str:
        """Recommended measures and wrappers.

        Examples
        --------
        >>> import streameval as se
        >>> se.check(se.generate("sea", rows=2000)).advice
        'These labels show no dependence on the previous label: Kappa and Kappa-M are sufficient.'
        """
        return self.persistence.advice

    def _view(self, *, by_group: bool = False) -> View:
        persistence = self.persistence
        entities = [entity._asdict() for entity in persistence.entities]
        parts: list[Part] = [Facts(self._facts()), sentence_part([self.advice])]
        if persistence.group is not None:
            columns = [
                Column("labels", ["n"], "{:,}".format),
                Column("P(T)", ["persistent"], score),
                Column("P(M)", ["majority"], score),
            ]
            title = f"P(T) and P(M) by {persistence.group}"
            parts.append(
                by_group_table(
                    persistence.group,
                    columns,
                    entities,
                    "persistent",
                    title=title,
                    rank_names=_RANK_NAMES,
                    show_all=by_group,
                )
            )
        return View(parts, lambda: self._numbers(by_group))

    def _facts(self) -> list[tuple[str, str]]:
        persistence, delay_facts = self.persistence, []
        if persistence.delay is not None:
            delay_facts.append(("delay in instances, median", f"{persistence.delay:,}"))
            if wait := median_wait(self.stream):
                delay_facts.append(("delay, median", duration_text(wait)))
        return [
            *self._missing_label_facts(),
            ("labels used", f"{persistence.n:,}"),
            *delay_facts,
            *persistence.facts(),
        ]

    def _missing_label_facts(self) -> list[tuple[str, str]]:
        stream = self.stream
        if not stream.n_unlabelled:
            return []
        reason = unlabelled_reason(stream.unlabelled_kind, 2)  # in the plural
        facts = [(f"labels that {reason}", f"{stream.n_unlabelled:,}")]
        # A fact without a name continues the previous one.
        return facts + ([("", stream.missing_label_texts)] if stream.missing_label_texts else [])

    def _numbers(self, by_group: bool) -> dict[str, object]:
        # Entities are left out: there may be many, and `asdict` would copy them all.
        values = asdict(replace(self.persistence, entities=()))
        rows = [entity._asdict() for entity in self.persistence.entities] if by_group else None
        values["entities"] = rows and [
            {key: json_value(value) for key, value in row.items()} for row in rows
        ]
        for name in ("delay", "within", "group", "entities"):
            if values[name] is None:
                del values[name]
        first = {"n": values.pop("n"), "target": self.stream.schema.target}
        return {**first, **values, **unlabelled_counts(self.stream)}
