"""New instances of the current concept of a generated stream.

Hold-out evaluation of a drifting stream tests a model on unseen instances of the current concept.
A generated stream provides as many of them as needed.
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
    """Return new instances of the concepts of a stream at given times.

    An instance of time t is drawn like row t of the stream: with the weights or cloud centres of
    time t and, during a transition, from the new concept with its probability at t. Noise and
    balance are those of the stream. All draws are independent of the stream's own.

    Parameters
    ----------
    spec : GeneratorSpec
        The stream's entry in the registry.
    times : int or array_like of int, shape (q,)
        Row numbers of the stream, in order, from 0 to its length (the row that would follow).
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
    The concept is moved once from the start of the stream to the last time, so one call with many
    times is faster than many calls.
    """
    rows = spec.rows or 0
    when = np.atleast_1d(np.asarray(times))
    in_order = when.ndim == 1 and when.size > 0 and when.dtype.kind in "iu"
    if not in_order or when[0] < 0 or when[-1] > rows or (np.diff(when) < 0).any():
        raise ConfigError(
            f"Stream {spec.id!r}: expected the times of a fresh sample as integers from 0 to "
            f"{rows}, in order, found {times!r}."
        )
    if size < 1:
        raise ConfigError(
            f"Stream {spec.id!r}: expected a fresh sample of at least 1 instance, found {size!r}."
        )
    fresh_seed = int(generator("fresh", spec.id, seed).integers(2**63))
    recipe = spec.recipe()
    with spec.named_in_errors():
        recipe.stream(1)  # also refuses wrong parameters that the sample does not use
        stream = recipe.fresh(rows, np.repeat(when.astype(np.int64), size), fresh_seed)
    return replace(stream, name=f"{spec.id}:fresh:{seed}", source=spec.title, _digest=[])
