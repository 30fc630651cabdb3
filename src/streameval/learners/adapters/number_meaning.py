"""Whether whole numbers that other tools' models predict are class codes or class names.

A model gets codes from the labels of a run, or from the schema of its stream. A model that uses
neither was trained elsewhere and predicts the labels of that training, so its numbers are class
names.
"""

from __future__ import annotations

import dis
import inspect
from enum import Enum
from types import FunctionType
from typing import Any

#: Parameters of ``learn``, ``fit``, ``partial_fit`` and ``learn_one`` that hold labels or classes.
_LABELS = ("y", "classes")
#: Functions that read local variables without naming them.
_INDIRECT = frozenset({"locals", "vars", "eval", "exec"})
#: Kinds of the parameters ``*args`` and ``**kwargs``, which may hold labels, too.
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class NumberMeaning(Enum):
    """The meaning of whole numbers that a model predicts as classes."""

    #: The model begins untrained and learns codes.
    CODES = "codes"
    #: The model uses neither labels nor schema. Its numbers are names if the class names of the
    #: stream are whole numbers or truth values that differ from the class codes.
    NAMES = "names"
    #: The model learns codes, but may have been trained on other labels before. Its numbers are
    #: read as codes.
    UNCLEAR = "unclear"


def number_meaning(
    learn: Any, *, begins_untrained: bool = False, has_schema: bool = False
) -> NumberMeaning:
    """Meaning of the whole numbers that a model predicts.

    Parameters
    ----------
    learn : callable
        The bound method that gets instances and labels.
    begins_untrained : bool
        True if the model had no training before the run.
    has_schema : bool
        Whether the model gets the schema of the stream, from which it can infer codes.
    """
    if ignores_labels(learn) and not has_schema:
        return NumberMeaning.NAMES
    return NumberMeaning.CODES if begins_untrained else NumberMeaning.UNCLEAR


def ignores_labels(learn: Any) -> bool:
    """True if the code of a method does not use the labels that it gets.

    False if the code cannot be read, as in compiled or wrapped methods.
    """
    function = getattr(learn, "__func__", learn)
    if not isinstance(function, FunctionType):
        return False
    parameters = [*inspect.signature(learn, follow_wrapped=False).parameters.values()]
    label_parameters = {p.name for p in parameters if p.kind in _VARIADIC or p.name in _LABELS}
    label_parameters |= {p.name for p in parameters[1:2]}  # labels are the second argument
    if _INDIRECT & {*function.__code__.co_names}:
        return False
    # The operand of a bytecode instruction can be the name of a local variable, or a pair of names.
    operands = (instruction.argval for instruction in dis.get_instructions(function))
    return not any(
        operand in label_parameters
        for operand_or_pair in operands
        for operand in (
            operand_or_pair if isinstance(operand_or_pair, tuple) else (operand_or_pair,)
        )
        if isinstance(operand, str)
    )
