"""What a result tells of all its predictions: measures, verdicts on baselines, classes."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

from streameval.base.rounding import format_number, percentage
from streameval.base.values import defined
from streameval.evaluation.by_group import group_line
from streameval.evaluation.delays import (
    first_label_line,
    of_stream,
    same_time_line,
    waiting_line,
)
from streameval.evaluation.number_measures import number_measures
from streameval.evaluation.task import CLASSES, Task
from streameval.evaluation.tuning import called
from streameval.evaluation.tuning import sentences as tuning_sentences
from streameval.evaluation.verdict_words import error_sentence, magnitude, summary
from streameval.evaluation.verdict_words import sentences as class_sentences
from streameval.measures.prediction_intervals import INTERVAL_MEASURES
from streameval.measures.registry import MEASURES
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.view.blocks import Column, Later, Part, Table, View, Words, sentences
from streameval.view.mixin import Viewed
from streameval.view.words import score

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from streameval.drawing.panels import Panels
    from streameval.evaluation.differences import Difference
    from streameval.evaluation.persistence import Within
    from streameval.evaluation.tuning import Tuned
    from streameval.measures.tally import Tally
    from streameval.streams.stream import Stream

#: The measures of classes that are shown where none are named.
SHOWN = ("accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined")
#: Predictions in the window of a picture, and what part of all at most.
_WINDOW, _PART = 1000, 10
#: A class with less than this proportion of the labels is rare: measures over all hide it.
RARE = 0.05
#: The most classes of a confusion matrix that is shown.
_MOST_CLASSES = 10
_LEGEND = "A row is a true class, a column a predicted class."
_FOLDS = "`streameval compare` has intervals over folds."


@dataclass(frozen=True)
class DisplayOptions:
    """What is shown of a result beside the measures of all predictions.

    Parameters
    ----------
    by_class : bool
        Also show precision, recall and F1 of each class, and the confusion matrix: what an accuracy
        hides where a class is rare; with delayed labels of the predictions on arrival.
    bins : int
        Bins between the first and the last prediction; by default 50. See `Result.bins`.
    by : {"label", "age"}
        Bins of the time from an instance to its label (default), or of the time since the instance,
        its age, which is known when predicting.
    rule : {"paper", "published"}
        Which prediction counts where some are made in a bin: by the paper (default) each as long as
        it is in force, by the published program a single one for the whole bin, and the first class
        where there is no prediction.
    more : bool
        All measures by bin: also Cohen's kappa, and those of MOA, which use later labels.
    by_group : bool
        Of a stream with groups, the numbers of all entities, instead of the worst, the median one
        and the best.
    """

    by_class: bool = False
    bins: int = 50
    by: Literal["label", "age"] = "label"
    rule: Literal["paper", "published"] = "paper"
    more: bool = False
    by_group: bool = False


class ResultView(Viewed):
    """What results know of all their predictions, and how it is told."""

    stream: Stream
    task: Task
    #: All learners, and those of them that were asked for.
    learners: list[str]
    named: list[str]
    tuned: Mapping[str, Tuned]
    pretrain: int
    before_first_label: int

    @property
    @abstractmethod
    def delays(self) -> dict[str, int] | None:
        """Numbers of delayed labels; None if the labels are not delayed."""

    @property
    @abstractmethod
    def has_folds(self) -> bool:
        """Whether the predictions are those of several models, each over a fold."""

    @property
    @abstractmethod
    def rope(self) -> float:
        """Region of practical equivalence: differences up to this are practically none."""

    @abstractmethod
    def to_dict(self, *names: str) -> dict[str, dict[str, float | int | None]]:
        """Return measures and costs by learner; undefined is None."""

    @abstractmethod
    def over_baselines(self) -> dict[str, dict[str, Difference]]:
        """Return by how much each learner is better than each baseline."""

    @abstractmethod
    def measured_labels(self, learner: str) -> int:
        """Return how many labels the measures of a learner are over."""

    @abstractmethod
    def missing(self, learner: str) -> int:
        """Return how many labels a learner did not predict."""

    @abstractmethod
    def tally(self, learner: str) -> Tally:
        """Return the counts of a learner's predictions."""

    @abstractmethod
    def _why(self, names: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        """Return why measures are undefined, by learner; "" where one is defined."""

    @abstractmethod
    def _draw(self, shown: DisplayOptions) -> Axes | Panels:
        """Draw measures over a sliding window, or by bin."""

    @abstractmethod
    def _counts(self, learner: str) -> list[list[int]]:
        """Return a confusion matrix, its last column without a prediction."""

    @property
    def summary(self) -> str:
        """A sentence on the best of the learners, and what it beats.

        Examples
        --------
        >>> import streameval as se
        >>> se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree").summary
        'hoeffding_tree has an accuracy of 85.65 %; it beats No-Change and Majority.'
        """
        names = {name: self.task.called(name) for name in self.task.baselines_of(self.learners)}
        found = self.to_dict(self.task.measure)
        values = {name: _number(found[name][self.task.measure]) for name in self.named}
        when = "" if self.delays is None else "On arrival, "
        return summary(values, self.over_baselines(), self.rope, self.task, names, when)

    def _view(self, shown: DisplayOptions = DisplayOptions()) -> View:
        parts: list[Part | Later] = [*self._opening(), Words([self.summary]), *self._about()]
        parts += [*self._tables(shown), *self._verdicts(shown)]
        if shown.by_class:
            parts += [part for name in self.named for part in self._classes_of(name)]
        parts += self._further(shown)
        return View(parts, lambda: self._numbers(shown), picture=lambda: self._draw(shown))

    def _opening(self) -> list[Part]:
        """Return what stands above all."""
        return []

    def _about(self) -> list[Part]:
        """Return what is to be known of labels and learners before any number."""
        groups = getattr(self.stream, "groups", None)
        blocks = [[group_line(groups, self.task)]] if groups is not None else []
        blocks += [*self._of_labels(), tuning_sentences(self.tuned, self.pretrain)]
        return [Words(told) for told in blocks if told]

    def _of_labels(self) -> list[list[str]]:
        """Return how many labels are missing, and how many instances come before the first."""
        lines = [waiting_line(self.stream), *self._before_first_label()]
        if self.delays is None and not self.has_folds:
            lines.append(same_time_line(self.stream))
        return [[line] for line in lines if line]

    def _before_first_label(self) -> list[str]:
        """Return how many predictions come before the first label, and what is measured."""
        return [first_label_line(self.before_first_label, has_folds=self.has_folds)]

    def _tables(self, shown: DisplayOptions) -> list[Part | Later]:
        return [self._measures()]

    def _further(self, shown: DisplayOptions) -> list[Part]:
        """Return what stands behind the verdicts and the classes."""
        return []

    def _titles(self) -> dict[str, str]:
        """Return the measures that are shown, with their titles."""
        known = MEASURES if self.task is CLASSES else number_measures(self.learners)
        return {name: titled(known[name]) for name in (SHOWN if self.task is CLASSES else known)}

    def _measures(self) -> Table:
        """Return a row for each learner: instances, measures, and costs."""
        titles = self._titles()
        rows = self._rows([*titles])
        columns = [
            Column("", ["learner"], kind="name"),
            Column("predictions" if self.has_folds else "instances", ["measured"], count),
        ]
        if any(row["missing"] for row in rows):
            left_out = (
                "left out, as not predicted" if self.task.is_error else "of these not predicted"
            )
            columns.append(Column(left_out, ["missing"], count))
        if any(row["labels"] is not None for row in rows):
            columns.append(Column("labels learnt", ["bought"], count))
            columns.append(Column("of these instances", ["bought", "instances"], _share))
        columns += [
            Column(title, [name], partial(shown_value, name), reason=f"{name} reason")
            for name, title in titles.items()
        ]
        columns.append(Column("instances per second", ["instances", "seconds"], _rate))
        columns.append(Column("model, bytes", ["size"], lambda n: count(n) if n else "not known"))
        if any(row["fits"] is not None for row in rows):
            columns.append(Column("fits", ["fitted"]))
        return Table(columns, rows, turned=True, only="text")

    def _rows(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Return measures, why some are undefined, and costs: a row for each learner."""
        found = self.to_dict(*names)
        is_undefined = any(None in own.values() for own in found.values())
        why = self._why(names) if is_undefined else {}
        return [
            {
                "learner": learner,
                "labels": None,
                "fits": None,
                **own,
                **{name: _number(own[name]) for name in names},
                **{f"{name} reason": why.get(learner, {}).get(name, "") for name in names},
                "measured": self.measured_labels(learner),
                "missing": self.missing(learner),
                "bought": own.get("labels") or 0,
                "size": own["model_bytes"] or 0,
                "fitted": count(own["fits"] or 0) if "fits" in own else "–",
            }
            for learner, own in found.items()
        ]

    def _verdicts(self, shown: DisplayOptions) -> list[Part]:
        """Return sentences on the learners and baselines, and what their numbers are."""
        over, told = self.over_baselines(), list[str]()
        when = "" if self.delays is None else "On arrival, "
        for name in self.named:
            told += [when + one for one in self._on_one(name, over[name])]
        told += [within.sentence] if (within := self._within) is not None else []
        told += [] if shown.by_class or self.task is not CLASSES else self._rarest()
        has_interval = any(not one.reason for name in self.named for one in over[name].values())
        note = f"In brackets: 95 % intervals of the difference in {self.task.name}."
        if not has_interval:
            note = _FOLDS if self.has_folds and self.task is CLASSES else ""
        return [sentences(told, [note] if note else [])]

    def _on_one(self, learner: str, over: Mapping[str, Difference]) -> list[str]:
        name, task = called(self.tuned, learner), self.task
        if task is CLASSES:
            return class_sentences(name, over, self.rope)
        return [
            error_sentence(name, task.called(base), one, self.rope) for base, one in over.items()
        ]

    @cached_property
    def _within(self) -> Within | None:
        """The column within which labels repeat, or None."""
        from streameval.evaluation.persistence import within_columns

        return within_columns(self.stream)

    def _class_rows(self, learner: str) -> list[dict[str, Any]]:
        """Return the rows of `Result.by_class` of a learner, without loading pandas."""
        from streameval.evaluation.tallies import class_measures  # loads numba

        return class_measures(self.tally(learner), self.stream.schema.classes or ())

    def _rarest(self) -> list[str]:
        """Return a sentence on the rarest class that occurs, if it is rare; or none."""
        occurring = [one for one in self._class_rows(self.named[0]) if one["instances"]]
        rarest = min(occurring, key=lambda one: int(one["instances"]), default={"instances": 0})
        part = rarest["instances"] / max(sum(one["instances"] for one in occurring), 1)
        if len(occurring) < 2 or part >= RARE:
            return []
        text = percentage(part) if part >= 0.001 else "less than 0.1 %"
        hidden = f"The class {rarest['class']!r} has {text} of the labels, which an accuracy hides"
        return [f"{hidden}: --by-class shows how well each class is predicted."]

    def _classes_of(self, learner: str) -> Iterator[Part]:
        """Yield the measures of each class, and the confusion matrix."""
        rows, matrix = self._class_rows(learner), self._counts(learner)
        on_arrival = "" if self.delays is None else ", on arrival"
        columns = [
            Column("class", ["class"], kind="name"),
            *(Column(head, [head], count) for head in ("instances", "predicted")),
            *(Column(head, [head.lower()], score) for head in ("precision", "recall", "F1")),
        ]
        yield Table(columns, rows, f"{learner} by class{on_arrival}")
        classes = [str(one["class"]) for one in rows]
        if len(classes) > _MOST_CLASSES:
            where = "is in --json and Result.confusion."
            yield Words([f"The confusion matrix of {len(classes)} classes {where}"])
        else:
            heads = [*classes, "none"] if any(row[-1] for row in matrix) else classes
            cells = [
                {"class": name, **{f"{i}": cell for i, cell in enumerate(row)}}
                for name, row in zip(classes, matrix, strict=True)
            ]
            columns = [Column(head, [f"{i}"], count) for i, head in enumerate(heads)]
            named = Column("", ["class"], kind="name")
            yield Table([named, *columns], cells, notes=[_LEGEND])

    def _numbers(self, shown: DisplayOptions) -> dict[str, Any]:
        """Return what JSON has of the result."""
        tuned = {name: one.to_dict() for name, one in self.tuned.items()}
        how = {"pretrain": self.pretrain, "tuned": tuned} if self.pretrain else {}
        late = self.delays or {}
        if self.delays is None and self.before_first_label:
            late = {"before_first_label": self.before_first_label}
        about = {**of_stream(self.stream), "summary": self.summary, **how, **late}
        within = {} if self._within is None else {"within": asdict(self._within)}
        groups = getattr(self.stream, "groups", None)
        if groups is not None:
            within = {"group": {"column": groups.column, "entities": len(groups.names)}}
        return {**about, "learners": self._numbers_of_learners(shown), **within}

    def _numbers_of_learners(self, shown: DisplayOptions) -> dict[str, dict[str, Any]]:
        """Return what JSON has of each learner."""
        found: dict[str, dict[str, Any]] = {}
        titles = [*self._titles()]
        why = self._why(titles)
        for name, values in self.to_dict(*titles).items():
            del values["instances"]
            found[name] = {**values, "not_predicted": self.missing(name)}
            if reasons := {key: text for key, text in why[name].items() if text}:
                found[name]["reasons"] = reasons
            found[name] |= self._more_of(name, shown)
        return found

    def _more_of(self, learner: str, shown: DisplayOptions) -> dict[str, Any]:
        """Return what JSON has of a learner beside its measures: baselines, and its classes."""
        over = self.over_baselines()[learner]
        found: dict[str, Any] = {"over": {base: plain(one.as_dict()) for base, one in over.items()}}
        if shown.by_class:
            found["by_class"] = [plain(one) for one in self._class_rows(learner)]
            found["confusion"] = self._counts(learner)
        return found


def window_of(instances: int) -> int:
    """Return how many predictions are in the window of a picture."""
    return max(1, min(_WINDOW, instances // _PART))


def count(number: float) -> str:
    """Return a number of things."""
    return format_number(number, ",.0f")


def shown_value(measure: str, value: float) -> str:
    """Return the value of a measure; errors can have any magnitude."""
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "infinite"
    of_numbers = REGRESSION_MEASURES.get(measure) or INTERVAL_MEASURES.get(measure)
    has_unit = of_numbers is not None and (of_numbers.lower, of_numbers.upper) == (0, math.inf)
    return magnitude(value) if has_unit else score(value)


def titled(measure: Any) -> str:
    """Return the title of a measure, with its symbol."""
    has_symbol = measure.symbol not in ("S", "", MEASURES["accuracy"].symbol)
    return f"{measure.title} ({measure.symbol})" if has_symbol else str(measure.title)


def _share(labels: int, n: int) -> str:
    return percentage(Fraction(labels, n), 2)


def _rate(instances: float, seconds: float | None) -> str:
    return count(instances / seconds) if seconds else "not known"


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a row as JSON has it: None where a value is undefined."""
    return {str(key): defined(value) for key, value in row.items()}
