"""Slow, literal twins of the wrappers: lists of past events, searched again each time.

They are written from the papers and from what the wrappers' documentation promises, go
through a tape event by event, and share no code with the package.
"""

from __future__ import annotations


class History:
    """What has happened on a tape so far."""

    def __init__(self, start: float | None, length: int) -> None:
        self.start, self.length = start, length
        self.arrived: list[float] = []  # labels, as they came
        self.shown: list[int] = []  # rows, as they were first predicted or learnt
        self.known_when_shown: dict[int, list[float | None]] = {}

    def last_labels(self) -> list[float | None]:
        """The last `length` labels, the oldest first; `start` where there are none."""
        return ([self.start] * self.length + self.arrived)[len(self.arrived) :]

    def show(self, row: int) -> None:
        if row not in self.known_when_shown:
            self.shown.append(row)
            self.known_when_shown[row] = self.last_labels()


def events(tape):
    """The row, operation and weight of each prediction, and of each learning that counts."""
    for row, op, weight in zip(tape.row, tape.op, tape.weight, strict=True):
        if op in (1, 3):
            yield int(row), "predict", 1.0
        if op in (2, 3) and weight > 0:
            yield int(row), "learn", float(weight)


def augmented(stream, tape, lags: int, features: int, start: float) -> list[tuple]:
    """What a Temporally Augmented learner predicts and learns: operation, inputs, label, weight.

    `start` stands for labels before the first.
    """
    history, met = History(start, lags), []
    missing = [float("nan")] * stream.X.shape[1]
    for row, op, weight in events(tape):
        history.show(row)
        labels = history.last_labels() if op == "predict" else history.known_when_shown[row]
        earlier = history.shown[: history.shown.index(row)]
        inputs = [missing] * features + [stream.X[r].tolist() for r in earlier]
        lagged = [x for vector in inputs[len(earlier) :] for x in vector]
        met.append((op, [*labels, *lagged, *stream.X[row].tolist()], int(stream.y[row]), weight))
        if op == "learn":
            history.arrived.append(float(stream.y[row]))
    return met


def prediction_augmented(stream, tape, older: bool, model) -> tuple[list[int], list[tuple]]:
    """Predictions of a learner with its last prediction as an input, and its instances.

    `model` has the methods predict(x), which returns -1 for no answer, and learn(x, y, w). What
    is met is listed as by `augmented`.
    """
    unknown = float("nan")
    history, carried, said, answers, met = History(unknown, 1), {}, [unknown], [], []
    for row, op, weight in events(tape):
        is_new = row not in carried
        if is_new:
            latest = history.last_labels() if older else []
            carried[row] = [*latest, said[-1], *stream.X[row].tolist()]
            said.append(unknown)  # unless there is an answer to this very event
        x, y = carried[row], int(stream.y[row])
        met.append((op, x, y, weight))
        if op == "predict":
            answers.append(model.predict(x))
            if is_new and answers[-1] != -1:
                said[-1] = float(answers[-1])
        else:
            model.learn(x, y, weight)
            history.arrived.append(float(y))
    return answers, met


def corrected(
    stream, tape, scores: list[list[float]], alpha: float, order: int
) -> list[list[float]]:
    """Scores of a Temporal Correction learner, given the scores of its inner learner.

    They are multiplied by P(y_t | context) / P(y_t), and not normalised.
    """
    history, seen, result = History(None, order), [], []
    k = stream.schema.n_classes

    def probability(c: int, context: list) -> float:
        """Faded share of class c among the labels that followed a context, of any length."""
        doubt = probability(c, context[1:]) if context else 1 / k
        among = [
            (label, weight * (1 - alpha) ** (len(seen) - 1 - i))
            for i, (before, label, weight) in enumerate(seen)
            if before[order - len(context) :] == context
        ]
        right = sum(weight for label, weight in among if label == c)
        return (right + doubt) / (sum(weight for _, weight in among) + 1)

    for row, op, weight in events(tape):
        history.show(row)
        if op == "predict":
            context = history.last_labels()
            result.append(
                [
                    score * probability(c, context) / probability(c, [])
                    for c, score in enumerate(scores[len(result)])
                ]
            )
        else:
            label = int(stream.y[row])
            seen.append((history.known_when_shown[row], label, weight))
            history.arrived.append(label)
    return result


def resetting(stream, tape, make, detector, warnings: bool) -> tuple[list[int], list[int]]:
    """The answers of a learner that is reset at alarms, and the events of these.

    `make()` returns an empty model; `detector.input(error)` says whether it warns, and whether it
    finds a change.
    """
    model, following, was_warned, answers, changes = make(), None, False, [], []
    for event, (row, op, weight) in enumerate(zip(tape.row, tape.op, tape.weight, strict=True)):
        x, y = stream.X[row].tolist(), int(stream.y[row])
        answer = model.predict(x)
        if op in (1, 3):
            answers.append(answer)
        if op in (2, 3) and weight > 0:
            warns, changed = detector.input(float(answer != y))
            if warns:
                following = following if was_warned else make()
                following.learn(x, y, float(weight))
            if changed:
                changes.append(event)
                model = following if warnings and following is not None else make()
                following = None
            was_warned = warns
            model.learn(x, y, float(weight))
    return answers, changes
