"""What learners are made of."""

from __future__ import annotations

from streameval.items.kind import Kind
from streameval.items.settings import Learners
from streameval.items.settings import Settings as AnySettings


class Settings(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of classifiers."""

    learners: Learners


KIND = Kind(
    name="classifiers",
    settings=Settings,
    reads="nothing",
    columns=("learner", "title", "adaptation", "base", "models"),
)
