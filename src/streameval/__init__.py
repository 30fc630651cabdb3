"""Sound evaluation of data-stream classifiers.

Read or generate a stream, run learners over it, and measure their predictions:

>>> import streameval as se
>>> stream = se.generate("sea", rows=2000)
>>> result = se.evaluate(stream, ["naive_bayes", "hoeffding_tree"])  # adds two baselines
>>> result.measures("accuracy", "kappa_temporal").round(2)
                accuracy  kappa_temporal
learner
naive_bayes         0.86            0.69
hoeffding_tree      0.86            0.69
no_change           0.54            0.00
majority            0.64            0.22

The names in ``__all__`` are public and stable; the modules inside the package are not. Each name is
imported at its first use, so that ``import streameval`` takes no time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from streameval.api.batch_models import retrained
    from streameval.api.budget import LabelBudget, budget
    from streameval.api.check import Check, check
    from streameval.api.compare import compare
    from streameval.api.comparison import Comparison
    from streameval.api.detect import Detection, detect
    from streameval.api.evaluate import evaluate
    from streameval.api.learners import learner
    from streameval.api.measures import (
        accuracy,
        arithmetic_mean,
        chance_accuracy,
        determinant,
        f1_prime,
        geometric_mean,
        harmonic_mean,
        kappa,
        kappa_combined,
        kappa_m,
        kappa_p_value,
        kappa_standard_error,
        kappa_temporal,
        kappa_z,
        macro_f1,
        macro_precision,
        macro_recall,
        mcc,
    )
    from streameval.api.over_streams import OverStreams, over_streams
    from streameval.api.result import Result
    from streameval.api.streams import from_arrays, from_pandas, generate, load, read
    from streameval.api.tune import Tuning, tune
    from streameval.api.wrappers import augmented, conformal, corrected
    from streameval.base.errors import StreamevalError, UndefinedMeasureWarning
    from streameval.pages.report import write_report
    from streameval.streams.readers.table import StreamWarning
    from streameval.streams.stream import Stream

__version__ = "0.1.0"

__all__ = [
    "Check",
    "Comparison",
    "Detection",
    "LabelBudget",
    "OverStreams",
    "Result",
    "Stream",
    "StreamWarning",
    "StreamevalError",
    "Tuning",
    "UndefinedMeasureWarning",
    "accuracy",
    "arithmetic_mean",
    "augmented",
    "budget",
    "chance_accuracy",
    "check",
    "compare",
    "conformal",
    "corrected",
    "detect",
    "determinant",
    "evaluate",
    "f1_prime",
    "from_arrays",
    "from_pandas",
    "generate",
    "geometric_mean",
    "harmonic_mean",
    "kappa",
    "kappa_combined",
    "kappa_m",
    "kappa_p_value",
    "kappa_standard_error",
    "kappa_temporal",
    "kappa_z",
    "learner",
    "load",
    "macro_f1",
    "macro_precision",
    "macro_recall",
    "mcc",
    "over_streams",
    "read",
    "retrained",
    "tune",
    "write_report",
]

#: Modules of the public names; names that are not listed are in `api.measures`.
_MODULES = {
    "Comparison": "api.comparison",
    "Result": "api.result",
    "Stream": "streams.stream",
    "StreamWarning": "streams.readers.table",
    **dict.fromkeys(("StreamevalError", "UndefinedMeasureWarning"), "base.errors"),
    "compare": "api.compare",
    **dict.fromkeys(("Check", "check"), "api.check"),
    "retrained": "api.batch_models",
    **dict.fromkeys(("Detection", "detect"), "api.detect"),
    **dict.fromkeys(("LabelBudget", "budget"), "api.budget"),
    **dict.fromkeys(("OverStreams", "over_streams"), "api.over_streams"),
    **dict.fromkeys(("Tuning", "tune"), "api.tune"),
    "evaluate": "api.evaluate",
    "learner": "api.learners",
    "write_report": "pages.report",
    **dict.fromkeys(("augmented", "conformal", "corrected"), "api.wrappers"),
    **dict.fromkeys(("from_arrays", "from_pandas", "generate", "load", "read"), "api.streams"),
}


if not TYPE_CHECKING:  # with `__getattr__`, mypy would accept any name

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        module = import_module(f"{__name__}.{_MODULES.get(name, 'api.measures')}")
        value = globals()[name] = getattr(module, name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
