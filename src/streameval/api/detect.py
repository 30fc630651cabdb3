"""Judging drift detectors by the accuracy gained when a learner is reset at their alarms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from streameval.api.arguments import MOST_RUNS, names_in, one_of, workers_of
from streameval.api.learners import LearnerLike
from streameval.api.progress import bar
from streameval.api.request import Request
from streameval.base.arrays import Codes
from streameval.base.errors import ConfigError
from streameval.base.values import check_integer, enumeration
from streameval.detectors.registry import parse
from streameval.evaluation.alarm_worth import (
    RUNS,
    WORTH_COLUMNS,
    AlarmWorth,
    AlarmWorths,
    alarm_worth,
    error_curves,
    worth_rows,
)
from streameval.evaluation.delays import (
    first_label_line,
    stream_entry,
    unlabelled_counts,
    waiting_line,
)
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.evaluation.verdicts import check_rope
from streameval.streams.stream import Stream
from streameval.view.blocks import Column, Table, View, Words, sentence_part
from streameval.view.formats import score
from streameval.view.mixin import Viewed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from streameval.drawing.panels import Panels

#: Alarms that are named one by one; of more, the first and the last are named.
_MOST_NAMED = 3
#: The window of error rates is so much of the stream, but at least and at most so many predictions.
WINDOW, SHARE = 1000, 40
LIMITS = (
    "In brackets: 95 % intervals, in points of accuracy, that hold for all comparisons at once. "
    "They cover other instances of such streams, and other orders of the gaps between alarms."
)

_LIMITS_WITHOUT_RESETS = (
    "In brackets: a 95 % interval, in points of accuracy, for other instances of such streams."
)


def detect(
    stream: Stream,
    learner: LearnerLike,
    detectors: Any = "adwin",
    *,
    runs: int = RUNS,
    rope: float | None = None,
    delay: int | str | timedelta | None = None,
    label_first: bool = False,
    ignore_label_times: bool = False,
    seed: int = 1,
    cores: int | None = None,
    progress: bool | None = None,
) -> Detection:
    """Find drifts from the errors of a learner, and judge resets at the alarms.

    The learner is reset at each alarm of a detector, which reads its errors. Its accuracy is then
    compared with that of resets with the same gaps in random order: where labels depend on each
    other, resets gain accuracy whatever they are due to, since a new model follows the latest
    labels, and more or less by the distances between them. There is no verdict on this where the
    gaps have fewer than 20 orders, as those of up to three alarms, or of equal distances. It is
    also compared with the learner that is never reset, and with No-Change, which repeats the
    previous label. The comparisons are those of `compare`.

    Predictions of another system, such as a model in production, do not learn, so that no reset
    changes them: the result says where they get worse, and compares them with No-Change only.

    Parameters
    ----------
    stream : Stream
        A stream with classes.
    learner : object
        What is reset, as for `evaluate`: one of the package's learners, not wrapped, a class with
        ``learn`` and ``predict``, or a model of River or scikit-learn. Or predictions, as for
        `evaluate`: ``"column:NAME"``, ``"predictions.csv:COLUMN"``, a series or an array.
    detectors : str or object, or a list of such
        Drift detectors that ``streameval detectors`` lists: ``"adwin"``, ``"every:500"``,
        ``"ddm:min_instances=50"``; or objects with ``update`` and ``drift_detected``, such as
        ``river.drift.KSWIN(seed=1)``.
    runs : int
        Runs with the gaps of each detector in random order, at least 2, and of a learner that draws
        at random; by default 10. Predictions of another system have none.
    rope : float
        Region of practical equivalence, as for `compare`: differences up to this are practically
        none.
    delay, label_first, ignore_label_times
        As for `compare`: the detector reads an error when the label arrives.
    seed : int
        Seed of random orders, and of randomised learners; by default 1.
    cores : int, optional
        Number of models that run side by side, each on one core; by default the number of
        processors. The result does not depend on it.
    progress : bool, optional
        Whether to show a bar; by default where the error output is a terminal.

    Returns
    -------
    Detection
        Alarms, accuracies, verdicts and a plot.

    Raises
    ------
    StreamevalError
        If a parameter is wrong, or the learner or a detector is unknown or does not suit the
        stream.

    References
    ----------
    Žliobaitė et al. (2015), Section 6.9.

    Examples
    --------
    >>> import streameval as se
    >>> found = se.detect(se.load("markov_ozone"), "naive_bayes", ["ddm", "every:500"])
    >>> found.alarms["every:n=500"].tolist()
    [499, 999, 1499, 1999, 2499]
    """
    if isinstance(learner, list | tuple | Mapping):
        raise ConfigError(f"learner: expected one, found {len(learner)}. Call detect for each.")
    request = Request.of(locals() | {"learners": learner})
    request.require_classes("detect")
    name = next(iter(request.recipes))
    if request.tuned:
        raise ConfigError(
            f"learner: expected one that was not tuned on stream {stream.name!r}, found {name}: "
            "detect judges on all instances, also on those that chose. Tune on another stream."
        )
    wanted = [parse(detector) for detector in _several(detectors)]
    runs = check_integer(runs, "runs", least=2, most=MOST_RUNS)
    workers, arrival = workers_of(cores), request.arrival()
    tape, classifier = arrival.tape, request.classifiers[name]
    events = (len(wanted) * (2 + runs) * classifier.learns + 4) * len(tape)
    with bar(progress, lambda: events, [classifier], len(stream)) as update:
        worths = alarm_worth(
            arrival.stream,
            tape,
            classifier,
            wanted,
            scored=arrival.scored,
            n_runs=runs,
            rope=None if rope is None else check_rope(rope),
            key=("detect", request.seed),
            workers=workers,
            progress=update,
        )
    at = {detector: tape.row[worth.alarms] for detector, worth in worths.by_detector.items()}
    return Detection(request, arrival.stream, name, worths, at, arrival.before_first_label)


def _several(detectors: Any) -> Sequence[Any]:
    """List of detectors; a single object with ``update`` is one detector."""
    if not isinstance(detectors, Iterable):
        return [detectors]
    several = names_in(detectors, "detectors")
    if not several:
        raise ConfigError("detectors: expected one or more, such as 'adwin', found none.")
    return several


class Detection(Viewed):
    """Alarms of drift detectors and the effect of resets; see `streameval.detect`.

    Attributes
    ----------
    stream : Stream
        The instances with labels.
    learner : str
        The name of the learner.
    detectors : list of str
        The detectors, each with the parameters that differ from the usual ones.
    runs : int
        Runs with gaps in random order; 0 for predictions, which no reset changes.
    """

    def __init__(
        self,
        request: Request,
        stream: Stream,
        learner: str,
        worths: AlarmWorths,
        alarms: Mapping[str, Codes],
        first: int = 0,
    ) -> None:
        self.request, self.stream, self.learner = request, stream, learner
        self._worths, self._timeline = worths, request.timeline(stream)
        self._alarms = {name: self._timeline.take(at) for name, at in alarms.items()}
        labels = self._timeline.of_labels(stream)
        self._label_times = {name: labels and labels.take(at) for name, at in alarms.items()}
        self.detectors, self.runs = [*worths.by_detector], worths.n_runs
        #: How many instances come before the first label, and are not scored.
        self.before_first_label = first

    @cached_property
    def alarms(self) -> dict[str, pd.Series[int]]:
        """Rows of the file or frame at whose labels a detector signals a change, by detector.

        They are those of the first run, counted from 0. The index of each series has the dates of
        these instances, where they have some. A learner predicts again just before a label is
        learnt, and the detector reads that error: where labels are delayed, `Result.signals`, which
        reads the errors of predictions on arrival of a model that is never reset, may differ. For
        predictions of another system both are the same.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.detect(se.load("markov_ozone"), "naive_bayes", "every:1000", runs=2)
        >>> found.alarms["every:n=1000"].tolist()
        [999, 1999]
        """
        return {name: alarms.rows for name, alarms in self._alarms.items()}

    def worth(self, detector: str) -> AlarmWorth:
        """Verdicts on the alarms of a detector.

        Parameters
        ----------
        detector : str
            One of `detectors`.

        Returns
        -------
        AlarmWorth
            ``over_shuffled``, ``over_never`` and ``over_no_change``: each a verdict with
            difference, low, high, verdict, reason and signs; ``alarms``, ``rate``. Of predictions
            that do not learn, the first two are None.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.detect(se.load("markov_ozone"), "naive_bayes", "ddm")
        >>> found.worth("ddm").over_shuffled.verdict
        'cannot be told from'
        """
        return self._worths.by_detector[one_of(detector, self.detectors, "detector")]

    def table(self) -> pd.DataFrame:
        """Frame with a row for each detector, for the learner without resets, and for No-Change.

        Returns
        -------
        pandas.DataFrame
            By detector: alarms, accuracy, kappa_temporal, shuffled (the accuracy with the
            same gaps in random order, the mean over runs); over_shuffled, over_never and
            over_no_change, differences of accuracies with their intervals (_low, _high) and
            verdicts (_verdict). What resets change is missing for predictions that do not learn.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.detect(se.load("markov_ozone"), "naive_bayes", "ddm")
        >>> found.table().index.tolist()
        ['ddm', 'never', 'no_change']
        """
        import pandas as pd

        table = pd.DataFrame(worth_rows(self._worths), columns=list(WORTH_COLUMNS)).set_index(
            "detector"
        )
        numbers = [name for name in table if not str(name).endswith("_verdict")]
        return table.astype(dict.fromkeys(numbers, np.float64) | {"alarms": np.int64})

    def _view(self) -> View:
        stream, resets = self.stream, self.runs > 0
        table = Table(COLUMNS if resets else _WITHOUT_RESETS, worth_rows(self._worths))
        about = (
            f"{self.learner} on {stream.name}, {len(stream):,} instances{self.request.stream.span}"
            f"{', reset at the alarms of each detector' if resets else ''}."
        )
        open_ = [Words([line])] if (line := waiting_line(self.request.stream)) else []
        head = Words([about, *filter(None, [first_label_line(self.before_first_label)])])
        worths = self._worths.by_detector
        texts = [
            _sentence(worth, self.learner, self._where(name)) for name, worth in worths.items()
        ]
        if not resets:
            over = next(iter(worths.values())).over_no_change.predicate("No-Change")
            texts.append(f"{self.learner} {over}. It does not learn, so that no reset changes it.")

        def numbers() -> dict[str, Any]:
            rows = [{**row, **self._alarm_numbers(row["detector"])} for row in table.numbers]
            about = {
                "stream": stream.name,
                **stream_entry(stream),
                **unlabelled_counts(self.request.stream),
            }
            return {**about, "learner": self.learner, "runs": self.runs, "detectors": rows}

        limits = LIMITS if resets else _LIMITS_WITHOUT_RESETS
        return View([*open_, head, table, sentence_part(texts)], numbers, limits, self.plot)

    def _alarm_numbers(self, detector: str) -> dict[str, list[Any]]:
        """Rows and dates of the alarms of a detector, for JSON."""
        if detector not in self._alarms:
            return {"rows": []}
        alarms, labels = self._alarms[detector], self._label_times[detector]
        times = {} if alarms.time is None else {"times": alarms.iso_texts()}
        label_times = {} if labels is None else {"label_times": labels.iso_texts()}
        return {"rows": alarms.row.tolist(), **times, **label_times}

    def _where(self, detector: str) -> str:
        """Rows and dates of a detector's alarms in words: all of a few, else first and last."""
        alarms, labels = self._alarms[detector], self._label_times[detector]
        if not (n := len(alarms)):
            return ""
        places = np.arange(n) if n <= _MOST_NAMED else np.array([0, n - 1])
        texts = [f"row {row}" for row in alarms.row[places].tolist()]
        if dates := alarms.take(places).date_texts():
            if labels is not None:
                known = labels.take(places).date_texts()
                dates = [
                    f"{label_date}, label {other}"
                    for label_date, other in zip(dates, known, strict=True)
                ]
            texts = [f"{text} ({date})" for text, date in zip(texts, dates, strict=True)]
        if n > _MOST_NAMED:
            return f", first at {texts[0]}, last at {texts[1]}"
        return f", at {enumeration(texts)}"

    def plot(self, window: int | None = None, points: int = 400) -> Axes | Panels:
        """Draw the error rate over time, the alarms, and the effect of resets.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        window : int, optional
            Predictions of a sliding window; by default a fortieth of the stream, at most 1,000.
        points : int
            At most that many positions of it.

        Returns
        -------
        Panels
            Its four panels, axes of matplotlib, of predictions that do not learn the first two;
            ``.figure`` is the figure, to be saved with its ``savefig``.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.detect(se.load("markov_ozone"), "naive_bayes", "ddm")
        >>> found.plot().figure.savefig("alarms.svg")
        """
        from streameval.drawing.results import draw_detector_results

        window = _window(len(self.stream)) if window is None else check_integer(window, "window")
        frames = self._frames(window, check_integer(points, "points"))
        return draw_detector_results(frames, self.stream.name, self.learner, self._timeline.begin)

    def _frames(self, window: int, points: int) -> dict[str, pd.DataFrame]:
        """Frames to draw, as of the study ``alarm_worth``, at dates where there are some."""
        import pandas as pd

        curves = error_curves(self._worths, window, points)
        ends = self._worths.runs.instances(self.learner)[curves.pop("instance") - 1]
        at = self._timeline.take(ends).columns()
        errors = [
            pd.DataFrame({**at, "name": name, "error": curve}) for name, curve in curves.items()
        ]
        alarms = [
            pd.DataFrame({**alarms.columns(), "detector": name})
            for name, alarms in self._alarms.items()
        ]
        return {
            "worth": self.table().reset_index(),
            "errors": pd.concat(errors, ignore_index=True),
            "alarms": pd.concat(alarms, ignore_index=True),
        }


def _over(baseline: str) -> Column:
    key = "over_" + baseline.lower().replace("-", "_")
    ends = [key, f"{key}_low", f"{key}_high"]
    return Column(f"over {baseline}", ends, partial(CLASSIFICATION_TASK.interval, unit=False))


COLUMNS = (
    Column("", ["detector"], kind="name"),
    Column("alarms", ["alarms"], "{:,}".format),
    Column("accuracy", ["accuracy"], CLASSIFICATION_TASK.value_text),
    Column("κ_t", ["kappa_temporal"], partial(score, undefined="")),
    Column("shuffled", ["shuffled"], CLASSIFICATION_TASK.value_text),
    *map(_over, ("shuffled", "never", "No-Change")),
)
_WITHOUT_RESETS = (*COLUMNS[:4], COLUMNS[-1])


def _sentence(worth: AlarmWorth, learner: str, where: str) -> str:
    if not worth.rate:
        return f"{worth.detector} signals nothing."
    times = "once" if len(worth.alarms) == 1 else f"{len(worth.alarms):,} times"
    signals = f"{worth.detector} signals {times}{where}."
    if worth.over_shuffled is None or worth.over_never is None:
        return signals
    return (
        f"{signals} Resets at its alarms "
        f"{worth.over_shuffled.predicate('the same gaps in random order', plural=True)}; they "
        f"{worth.over_never.predicate(f'{learner} without resets', plural=True)}, and "
        f"{worth.over_no_change.predicate('No-Change', plural=True)}."
    )


def _window(n: int) -> int:
    return max(min(WINDOW, n // SHARE), 1)
