"""Variants of a stream: rearrangements that remove one kind of structure and keep the others.

Žliobaitė, Bifet, Read, Pfahringer and Holmes, *Evaluation methods and decision theory for
classification of streaming data with temporal dependence*, Machine Learning 98, 2015, compare the
original, a shuffled and a ``temporal`` order. Variants have no time stamps.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Integers
from streameval.base.errors import ConfigError, DataError
from streameval.base.seeds import generator
from streameval.streams.drifts import CHANGES, equidistant_drifts, with_drifts
from streameval.streams.stream import NEVER, Stream

#: The variant that changes nothing.
ORIGINAL = "original"
#: Kinds of variants with the names of their whole-number parameters, as in ``kind:1:2``. For the
#: kinds in `CHANGES`, see `with_drifts`.
VARIANT_PARAMETERS = {
    ORIGINAL: (),
    "shuffled": ("seed",),
    "temporal": ("seed",),
    "blocks": ("seed", "size"),
    **dict.fromkeys(CHANGES, ("seed", "drifts", "width")),
}
#: A kind of variant in the stem of a file name; `ORIGINAL`, the first kind, is not in names.
_VARIANT_IN_STEM = rf"\.({'|'.join([*VARIANT_PARAMETERS][1:])})\."


def shuffled(stream: Stream, seed: int) -> Stream:
    """Instances in random order, without temporal dependence and drift."""
    return _rearrange(stream, _permutation(stream, seed), f"shuffled:{seed}")


def shuffled_with_delays(stream: Stream, seed: int) -> Stream:
    """Instances in random order, each with its own label delay.

    The sorted arrival times are those of the stream. The result is named like `shuffled`, which has
    the same order.
    """
    if stream.time is None or stream.label_time is None:
        raise DataError(
            f"Stream {stream.name!r}: expected times of the instances and of their labels, by "
            "which labels are delayed, found none. Use 'shuffled'."
        )
    rows, time = _permutation(stream, seed), np.sort(stream.time)
    delays = (stream.label_time - stream.time)[rows]
    arrives = stream.label_time[rows] != NEVER
    # A label that never arrives has no delay: `NEVER` minus a time is no number of ticks.
    label_time = np.where(arrives, time + np.where(arrives, delays, 0), NEVER)
    return _rearrange(stream, rows, f"shuffled:{seed}", time, label_time)


def _permutation(stream: Stream, seed: int) -> Integers:
    return generator("variant", "shuffled", stream.name, seed).permutation(len(stream))


def temporal(stream: Stream, seed: int) -> Stream:
    """Instances permuted within each class, so that the sequence of labels stays.

    This keeps the dependence of labels and removes all change of inputs within a class.
    """
    if stream.schema.classes is None:
        raise DataError(
            f"Stream {stream.name!r}: the variant 'temporal' permutes instances within classes; "
            "expected classes, found a numeric target. Use 'shuffled' or 'blocks'."
        )
    rng = generator("variant", "temporal", stream.name, seed)
    rows = np.empty(len(stream), dtype=np.intp)
    for code in range(stream.n_classes):
        members = np.flatnonzero(stream.y == code)
        rows[members] = rng.permutation(members)
    unlabelled = np.flatnonzero(~stream.labelled)
    if unlabelled.size:
        rows[unlabelled] = rng.permutation(unlabelled)
    return _rearrange(stream, rows, f"temporal:{seed}")


def shuffled_blocks(stream: Stream, seed: int, size: int) -> Stream:
    """Blocks of `size` consecutive instances in random order; the last block may be shorter."""
    _check_size(size)
    rng = generator("variant", "blocks", stream.name, seed, size)
    starts = np.arange(0, len(stream), size)
    rows = [np.arange(start, min(start + size, len(stream))) for start in rng.permutation(starts)]
    return _rearrange(stream, np.concatenate(rows), f"blocks:{seed}:{size}")


def _check_size(size: int) -> None:
    if size < 1:
        raise ConfigError(f"Variant 'blocks': expected a block size of 1 or more, found {size}.")


def _rearrange(
    stream: Stream,
    rows: NDArray[np.intp],
    suffix: str,
    time: Integers | None = None,
    label_time: Integers | None = None,
) -> Stream:
    result = stream.take(rows, f"{stream.name}:{suffix}")
    return replace(result, time=time, label_time=label_time)


def split_name(text: str) -> tuple[str, str]:
    """Split ``"elec2:shuffled:1"`` into stream ``"elec2"`` and variant ``"shuffled:1"``.

    The variant of a plain name is ``"original"``.
    """
    name, _, variant_text = text.partition(":")
    return name, variant_text or ORIGINAL


def file_stem(name: str) -> str:
    """File name, without ending, of a stream or variant: dots replace its colons.

    Some systems do not allow colons.
    """
    return name.replace(":", ".")


def name_of_stem(stem: str) -> str:
    """Stream or variant of a file name; the inverse of `file_stem`."""
    # The last colon is the one that is inserted after the kind; only numbers follow.
    name, colon, numbers = re.sub(_VARIANT_IN_STEM, r":\1:", stem).rpartition(":")
    return f"{name}{colon}{numbers.replace('.', ':')}" if colon else stem


def check_variant(stream_name: str, text: str) -> tuple[str, list[int]]:
    """Kind and numbers of a variant (see `variant`); errors name the stream."""
    kind, *parts = text.split(":")
    # int() would also accept signs, blanks and the digits of other scripts.
    numbers = [int(part) for part in parts if part.isdecimal() and part.isascii()]
    if kind not in VARIANT_PARAMETERS or not len(numbers) == len(parts) == len(
        VARIANT_PARAMETERS[kind]
    ):
        forms = [
            ":".join([kind, *(f"<{number}>" for number in names)])
            for kind, names in VARIANT_PARAMETERS.items()
        ]
        raise ConfigError(
            f"Variant {text!r} of stream {stream_name!r}: expected "
            f"{', '.join(forms[:-1])} or {forms[-1]}."
        )
    if kind == "blocks":
        _check_size(numbers[1])
    return kind, numbers


def variant(stream: Stream, text: str) -> Stream:
    """Variant of a stream.

    It is ``"original"``, ``"shuffled:<seed>"``, ``"temporal:<seed>"`` (label order kept),
    ``"blocks:<seed>:<size>"``, or a change of `CHANGES`, such as
    ``"relabelled:<seed>:<drifts>:<width>"``, with drifts at equal distances.
    """
    kind, numbers = check_variant(stream.name, text)
    if kind in CHANGES:
        seed, drifts, width = numbers
        # `with_drifts` leaves out the unlabelled instances.
        drifting = with_drifts(
            stream, kind, equidistant_drifts(_n_labelled(stream), drifts, width), seed
        )
        return replace(drifting, name=f"{stream.name}:{text}")
    if kind == "shuffled":
        return shuffled(stream, *numbers)
    if kind == "temporal":
        return temporal(stream, *numbers)
    return shuffled_blocks(stream, *numbers) if kind == "blocks" else stream


def _n_labelled(stream: Stream) -> int:
    return len(stream) - stream.n_unlabelled
