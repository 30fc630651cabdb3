"""The requested roles and kinds of columns, for CSV, Parquet and frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from streameval.base.errors import DataError, excerpt
from streameval.streams.readers.table import IF_NUMBERS, Origin, check_columns
from streameval.streams.readers.times import check_times
from streameval.streams.readers.values import ValueRules


@dataclass(frozen=True)
class Roles:
    """The requested roles and kinds of the columns of a table.

    `nominal` columns are nominal even if they contain numbers; texts in `numeric` columns must be
    numbers. `has_types` is true for formats that declare the type of a column, so that texts are
    nominal; in CSV, texts may also be numbers or dates. `classes` are in the order of their codes.
    """

    target: str
    nominal: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    rules: ValueRules = field(default_factory=ValueRules)
    numeric_target: bool = False
    strip_label_suffix: str = ""
    classes: tuple[str, ...] | None = None
    has_types: bool = False
    time: str | None = None
    label_time: str | None = None

    @property
    def times(self) -> tuple[str, ...]:
        """The columns that hold times."""
        return tuple(name for name in (self.time, self.label_time) if name is not None)

    def check(self, origin: Origin, names: Sequence[str]) -> None:
        """Refuse unknown columns, and columns with two roles."""
        check_columns(origin.path, names, [*self.nominal, *self.numeric, *self.times])
        check_times(origin.path, self.target, self.time, self.label_time)
        nominal, numeric = {*self.nominal}, {*self.numeric}
        if self.numeric_target:
            in_both = nominal & (numeric | {self.target})
        else:
            in_both = (nominal | {self.target}) & numeric
        if in_both:
            column = sorted(in_both)[0]
            if column != self.target:
                advice = ". Name it once."
            elif self.numeric_target:
                advice = ": the target is numeric. Leave it out, or choose classifiers."
            else:
                advice = (
                    ": the target is nominal, since classes are names. Leave it out. " + IF_NUMBERS
                )
            raise DataError(
                f"{origin.path}: expected column {excerpt(column)!r} to be nominal or numeric, "
                f"found both{advice}"
            )

    def is_nominal(self, name: str) -> bool:
        """Whether a column is nominal, even if its values look like numbers."""
        return name in self.nominal or (name == self.target and not self.numeric_target)

    def is_numeric(self, name: str) -> bool:
        """Whether a column must be numbers."""
        return name in self.numeric or (name == self.target and self.numeric_target)
