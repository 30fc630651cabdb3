"""New instances of the concept that a generated stream has at a time.

Hold-out evaluation of a stream that drifts tests a model on instances of the concept of the
moment, which the model has never seen. Of a generated stream there are as many as wanted.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from streameval.errors import ConfigError
from streameval.seeds import generator
from streameval.streams.registry import GeneratorSpec
from streameval.streams.stream import Stream


def fresh_sample(spec: GeneratorSpec, times: ArrayLike, size: int, seed: int) -> Stream:
    """Return new instances of the concepts that are in force at some times of a stream.

    An instance of time t is drawn like row t of the stream, given all that the concept has
    come to by then: from the weights or clouds where they have moved to, and during a
    transition from the new concept with the probability that it has at t. Noise and balance
    are those of the stream. All draws are independent of the stream's own.

    Parameters
    ----------
    spec : GeneratorSpec
        The stream's entry in the registry.
    times : int or array_like of int, shape (q,)
        Row numbers of the stream, in order, from 0 to its length (what would come next).
    size : int
        Instances for each time, at least 1.
    seed : int
        Which sample; any integer.

    Returns
    -------
    Stream
        q * `size` instances; rows ``i * size`` to ``(i + 1) * size`` are of ``times[i]``.

    Raises
    ------
    ConfigError
        If the entry's parameters, the times or the size are wrong.

    Notes
    -----
    What moves is moved from the start of the stream to the last of the times, once: ask for
    many times together.
    """
    rows = spec.rows or 0
    when = np.atleast_1d(np.asarray(times))
    in_order = when.ndim == 1 and when.size > 0 and when.dtype.kind in "iu"
    if not in_order or when[0] < 0 or when[-1] > rows or (np.diff(when) < 0).any():
        raise ConfigError(
            f"Stream {spec.id!r}: the times of a fresh sample must be integers from 0 to {rows}, "
            f"in order, found {times!r}."
        )
    if size < 1:
        raise ConfigError(
            f"Stream {spec.id!r}: a fresh sample has at least 1 instance, found {size!r}."
        )
    fresh_seed = int(generator("fresh", spec.id, seed).integers(2**63))
    recipe = spec.recipe()
    with spec.named_in_errors():
        recipe.stream(1)  # refuses wrong parameters, also those that a sample does not use
        stream = recipe.fresh(rows, np.repeat(when.astype(np.int64), size), fresh_seed)
    return replace(stream, name=f"{spec.id}:fresh:{seed}", source=spec.title, _digest=[])
