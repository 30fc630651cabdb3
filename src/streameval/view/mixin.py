"""Shared methods of all results: text, notebook, JSON and figure from one view."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from streameval.view import notebook, text
from streameval.view.parts import View


class Viewable(ABC):
    """Base class of results: text, notebook output and JSON all come from `_view`."""

    @abstractmethod
    def _view(self, *display: Any, **display_options: Any) -> View:
        """View of the result; each class declares its own display options."""

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        return notebook.html(self._view())

    @property
    def limits(self) -> str:
        """Meaning and limits of the numbers."""
        return self._view().limits

    def sentences(self) -> list[str]:
        """Findings in a few sentences.

        Examples
        --------
        >>> import streameval as se
        >>> budgets = se.budget(se.generate("sea", rows=3000), "naive_bayes", 0.1, "every")
        >>> budgets.sentences()[0]
        'With all labels naive_bayes has an accuracy of 86.53 %, No-Change of 53.65 %.'
        """
        return self._view().sentences

    def lines(self) -> list[str]:
        """Lines of text of the whole result.

        Examples
        --------
        >>> import streameval as se
        >>> detection = se.detect(se.load("markov_ozone"), "naive_bayes", "ddm")
        >>> detection.lines()[0]
        'naive_bayes on markov_ozone, 2,536 instances, reset at the alarms of each detector.'
        """
        return text.text_lines(self._view())

    def to_dict(self) -> dict[str, Any]:
        """All results as plain data for JSON.

        Examples
        --------
        >>> import streameval as se
        >>> detection = se.detect(se.load("markov_ozone"), "naive_bayes", "ddm")
        >>> sorted(detection.to_dict())
        ['detectors', 'learner', 'limits', 'n', 'runs', 'sentences', 'stream', 'target']
        """
        return as_json(self._view())


def view_of(result: Viewable, *display: Any, **display_options: Any) -> View:
    """View of a result with its display options, for code outside the classes of results."""
    return result._view(*display, **display_options)


def as_json(view: View) -> dict[str, Any]:
    """JSON data of a view."""
    limits = {"limits": view.limits} if view.limits else {}
    return {**view.make_json(), "sentences": view.sentences, **limits}
