"""Class names as files and programs spell them: ``True`` for ``true``, ``1.0`` for ``1``."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from streameval.base.values import NUMBER
from streameval.streams.readers.values import BLANKS

_TRUTH = {"true": True, "false": False}
#: What stands for a name in comparisons: its number, its truth value, or the text in lower case.
_Key = tuple[str, float | str]
_TRUTHS: tuple[_Key, ...] = (("truth", False), ("truth", True))
_BITS: tuple[_Key, ...] = (("number", 0.0), ("number", 1.0))


class ClassNames:
    """The classes of a stream, to be recognised in other spellings.

    A name that is spelt as a class is that class. Otherwise it is the only class with the same
    number, the same truth value, or the same letters in upper or lower case. 1 and 0 are true and
    false if all classes are truth values, and the other way round.
    """

    def __init__(self, classes: Sequence[str]) -> None:
        self.classes = classes
        self._exact = {name: code for code, name in enumerate(classes)}
        keys = [_key(name) for name in classes]
        times = Counter(keys)
        self._alike = {key: code for code, key in enumerate(keys) if times[key] == 1}
        self._keys = keys
        for names, other in ((_TRUTHS, _BITS), (_BITS, _TRUTHS)):
            if {*keys} <= {*names} and len(self._alike) == len(classes):
                pairs = zip(names, other, strict=True)
                self._alike |= {also: self._alike[key] for key, also in pairs if key in self._alike}

    def code(self, name: str) -> int | None:
        """Code of the class with a name, or None if it is no class."""
        code = self._exact.get(name)
        return self._alike.get(_key(name)) if code is None else code

    def by_number(self) -> dict[float, int]:
        """Codes of classes by the whole numbers that their names stand for.

        Truth values stand for 1 and 0. Empty if the name of a class stands for no whole number, two
        stand for the same number, or the numbers are the codes themselves.
        """
        numbers = [float(value) for kind, value in self._keys if kind != "text"]
        codes = {number: code for code, number in enumerate(numbers) if number.is_integer()}
        is_complete = len(codes) == len(self.classes)
        return codes if is_complete and [*codes] != [*codes.values()] else {}

    def places(self, names: Iterable[str]) -> dict[int, int]:
        """Place of each class among names, the first one if there are several."""
        place_of_code: dict[int, int] = {}
        for place, name in enumerate(names):
            code = self.code(name)
            if code is not None and (code not in place_of_code or name == self.classes[code]):
                place_of_code[code] = place
        return place_of_code


def _key(name: str) -> _Key:
    text = unicodedata.normalize("NFC", name).strip(BLANKS).casefold()
    if text in _TRUTH:
        return "truth", _TRUTH[text]
    return ("number", float(text)) if NUMBER.fullmatch(text) else ("text", text)
