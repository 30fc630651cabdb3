"""Hypothesis strategies for streams and tapes that are hard on a learner.

Hypothesis draws what a stream is like, numpy fills it in: failures shrink to few columns,
classes and rows, and examples stay cheap to draw.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from streameval.learners.bayes.engine import FEW_CLASSES
from streameval.protocols.tape import Tape
from streameval.streams.stream import Attribute, Schema, Stream

#: Kinds of columns. Integers have many ties, "step" is constant within a class, "rare" is
#: nearly always 0, and "point" is nearly constant with a spread far below its mean.
NUMERIC = ("normal", "integer", "step", "constant", "rare", "point")


def column(
    rng: np.random.Generator, y: NDArray[np.int32], kind: str, exponent: int, values: int
) -> NDArray[np.float64]:
    """The values (n,) of one column, which tell something about the classes `y`."""
    n = len(y)
    if kind == "nominal":
        noise = rng.integers(0, values, n)
        return np.where(rng.random(n) < 0.5, y % values, noise).astype(np.float64)
    plain = {
        "normal": lambda: rng.normal(size=n) + y,
        "integer": lambda: rng.integers(0, 4, n) + y,
        "step": lambda: y.astype(np.float64),
        "constant": lambda: np.full(n, rng.integers(-1, 2)),
        "rare": lambda: np.where(rng.random(n) < 0.05, rng.normal(size=n), 0.0),
        "point": lambda: 1.0 + 1e-12 * rng.integers(0, 3, n) * (y + 1),
    }
    return np.asarray(plain[kind](), dtype=np.float64) * 10.0**exponent


@st.composite
def streams(
    draw: Any,
    rows: tuple[int, int] = (1, 120),
    exponents: tuple[int, int] = (0, 0),
    columns: int = 6,
) -> Stream:
    """Streams of few or many classes and 1 to `columns` columns of any kinds.

    Parameters
    ----------
    rows : tuple of int
        Smallest and largest number of instances.
    exponents : tuple of int
        Smallest and largest power of ten that a numeric column is multiplied by.
    columns : int
        Largest number of columns.
    """
    classes = draw(st.one_of(st.integers(1, 6), st.integers(FEW_CLASSES + 1, FEW_CLASSES + 5)))
    shapes = draw(
        st.lists(
            st.tuples(
                st.sampled_from((*NUMERIC, "nominal", "nominal", "nominal")),
                st.integers(*exponents),
                st.integers(1, 5),
            ),
            min_size=1,
            max_size=columns,
        )
    )
    missing, repeated = draw(st.sampled_from([0.0, 0.0, 0.1, 0.6])), draw(st.booleans())
    n = draw(st.integers(*rows))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    y = np.minimum(rng.integers(0, classes, n), rng.integers(0, 2 * classes, n)).astype(np.int32)
    X = np.column_stack([column(rng, y, *shape) for shape in shapes])
    X[rng.random(X.shape) < missing] = np.nan
    if draw(st.integers(0, 9)) == 0:
        X[:, draw(st.integers(0, len(shapes) - 1))] = np.nan
    if repeated:
        again = rng.integers(0, n, n)
        X, y = X[again], y[again]
    return Stream(X, y, schema(classes, [v if k == "nominal" else 0 for k, _, v in shapes]))


def schema(classes: int, n_values: list[int]) -> Schema:
    """A schema with that many values per attribute; 0 makes one numeric."""
    return Schema(
        tuple(
            Attribute(f"a{i}", tuple(f"v{v}" for v in range(values)) if values else None)
            for i, values in enumerate(n_values)
        ),
        classes=tuple(f"c{c}" for c in range(classes)),
    )


@st.composite
def tapes(draw: Any, n: int) -> Tape:
    """Tapes over `n` rows: prequential ones, or a medley with weights 0, 0.5, 1, 2."""
    rows = np.arange(n, dtype=np.int32)
    if draw(st.booleans()):
        return Tape(rows, np.full(n, 3), np.ones(n))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    disorder = rng.integers(0, n, n) if draw(st.booleans()) else rows
    return Tape(disorder, rng.choice([1, 2, 3, 3], n), rng.choice([0, 0.5, 1, 1, 2], n))


@st.composite
def cases(draw: Any, **options: Any) -> tuple[Stream, Tape]:
    """A stream and a tape over it; `options` are those of `streams`."""
    stream = draw(streams(**options))
    return stream, draw(tapes(len(stream)))


@st.composite
def medleys(draw: Any) -> tuple[Stream, Tape]:
    """A stream of a few rows, and any events over them with weights 0, 1, 2."""
    n, classes = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    y = draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n))
    X = np.column_stack([np.arange(n, dtype=np.float64), np.full(n, np.nan)])
    event = st.tuples(st.integers(0, n - 1), st.integers(1, 3), st.integers(0, 2))
    row, op, weight = zip(*draw(st.lists(event, min_size=1, max_size=25)), strict=True)
    return Stream(X, np.array(y), schema(classes, [0, 0])), Tape(row, op, weight)
