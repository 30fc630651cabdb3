"""The classes of a significance test and of its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from numpy.typing import ArrayLike

#: Default level of significance: a smaller p-value rejects the null hypothesis.
LEVEL = 0.05

Evidence = TypeVar("Evidence")


@dataclass(frozen=True)
class SignificanceResult:
    """The result of a test; arrays where the evidence has leading axes.

    Parameters
    ----------
    statistic : float or ndarray
        The test statistic.
    p_value : float or ndarray
        NaN where the test is undefined.
    p_value_error : float
        Monte Carlo standard error of a simulated p-value; otherwise 0.
    details : mapping of str to object
        Further results by name, such as mean ranks or the ends of an interval.
    """

    statistic: Any
    p_value: Any
    p_value_error: float = 0.0
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SignificanceTest(Generic[Evidence]):
    """A significance test with the texts that reports print about it.

    Parameters
    ----------
    name : str
        Id in the registry.
    title : str
        Name in reports.
    null : str
        The null hypothesis.
    estimand : str
        The quantity that the null hypothesis is about.
    assumptions : str
        Assumptions of the p-value.
    reference : str
        Works that describe the test.
    evidence : type
        Input of the test: a NamedTuple of counts, differences, scores, ...
    function : callable
        Maps the evidence to the result.
    """

    name: str
    title: str
    null: str
    estimand: str
    assumptions: str
    reference: str
    evidence: type[Evidence]
    function: Callable[[Evidence], SignificanceResult]

    def __call__(self, *evidence: ArrayLike) -> SignificanceResult:
        """Run the test on the fields of its evidence."""
        return self.function(self.evidence(*evidence))
