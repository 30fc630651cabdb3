"""Class names as files and programs spell them: ``True`` for ``true``, ``1.0`` for ``1``."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from streameval.base.values import NUMBER
from streameval.streams.readers.values import BLANKS

_TRUTH = {"true": True, "false": False}
#: Kind and value by which names are compared: a number, a truth value, or a text in lower case.
_Key = tuple[str, float | str]
_FALSE_TRUE: tuple[_Key, ...] = (("truth", False), ("truth", True))
_ZERO_ONE: tuple[_Key, ...] = (("number", 0.0), ("number", 1.0))


class ClassNames:
    """The classes of a stream, to be recognised in other spellings.

    A name that is spelt as a class is that class. Otherwise it is the only class with the same
    number, the same truth value, or the same letters in upper or lower case. If all classes are
    truth values, 1 and 0 stand for true and false. If all classes are 1 and 0, true and false stand
    for 1 and 0.
    """

    def __init__(self, classes: Sequence[str]) -> None:
        self.classes = classes
        self._code_of_name = {name: code for code, name in enumerate(classes)}
        keys = [_key(name) for name in classes]
        key_counts = Counter(keys)
        codes = {key: code for code, key in enumerate(keys) if key_counts[key] == 1}
        for spelling, synonyms in ((_FALSE_TRUE, _ZERO_ONE), (_ZERO_ONE, _FALSE_TRUE)):
            if {*keys} <= {*spelling} and len(codes) == len(classes):
                pairs = zip(spelling, synonyms, strict=True)
                codes |= {synonym: codes[key] for key, synonym in pairs if key in codes}
        self._keys = keys
        self._code_of_key = codes

    def code(self, name: str) -> int | None:
        """Code of the class with a name, or None if it is no class."""
        code = self._code_of_name.get(name)
        return self._code_of_key.get(_key(name)) if code is None else code

    def by_number(self) -> dict[float, int]:
        """Codes of classes by the whole numbers that their names stand for.

        Truth values stand for 1 and 0. The result is empty if a name stands for no whole number, if
        two names stand for the same number, or if the numbers are the codes themselves.
        """
        numbers = [float(value) for kind, value in self._keys if kind != "text"]
        codes = {number: code for code, number in enumerate(numbers) if number.is_integer()}
        is_complete = len(codes) == len(self.classes)
        return codes if is_complete and [*codes] != [*codes.values()] else {}

    def indices(self, names: Iterable[str]) -> dict[int, int]:
        """Index of each class in a list of names, by code.

        It is the index of the exact name, or else of the first name that stands for the class.
        """
        index_of_code: dict[int, int] = {}
        for index, name in enumerate(names):
            code = self.code(name)
            if code is not None and (code not in index_of_code or name == self.classes[code]):
                index_of_code[code] = index
        return index_of_code


def _key(name: str) -> _Key:
    text = unicodedata.normalize("NFC", name).strip(BLANKS).casefold()
    if text in _TRUTH:
        return "truth", _TRUTH[text]
    return ("number", float(text)) if NUMBER.fullmatch(text) else ("text", text)
