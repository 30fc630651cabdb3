"""Methods of a study as a paper says them, and what to cite, from the items that ran."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from streameval import __version__
from streameval.base.references import references
from streameval.base.values import enumeration, quantity
from streameval.detectors.registry import DETECTORS
from streameval.evaluation.class_scores import ALL_SCORE_MEASURES
from streameval.evaluation.methods import INTERVAL_KEYS, interval_sentences, region_sentence
from streameval.measures.registry import MEASURES, measure_phrase
from streameval.protocols.registry import PROTOCOLS
from streameval.report.what_ran import SIMULATED, Ran, kind_of, length_of
from streameval.significance.registry import TESTS
from streameval.view.numbers import number_text

#: Settings of draws and tests that a reader of methods needs, as sentences say them.
_SETTINGS = {
    "seed": "seed {}",
    "seeds": "{}",
    "folds": "{} folds",
    "runs": "{} runs",
    "repetitions": "{} repetitions",
    "level": "tests at level {}",
}
#: Ends of sentences, but not that of "et al."
_SENTENCES = re.compile(r"(?<!al)\.\s+(?=[A-Zκ])")
#: What a caption says of intervals.
_INTERVAL = "interval"


class StudyItem(NamedTuple):
    """A table or figure of a study, as the configuration describes it.

    `ran` is None of an item that shows the data of others; `settings` are plain data.
    """

    title: str
    caption: str
    settings: Mapping[str, Any]
    ran: Ran | None = None


class Registered(NamedTuple):
    """Entries of the streams and learners of a run, as plain data, by their ids."""

    streams: Mapping[str, Mapping[str, Any]]
    learners: Mapping[str, Mapping[str, Any]]
    user_streams: Sequence[str] = ()

    def learner_titles(self) -> dict[str, str]:
        """Titles of all learners, by their ids."""
        return {name: str(row["title"]) for name, row in self.learners.items()}


def study_methods(title: str, items: Sequence[StudyItem], registered: Registered, seed: int) -> str:
    """Sentences on the data, protocols, learners, draws, tables and figures of a study.

    Parameters
    ----------
    title : str
        Title of the study.
    items : sequence of StudyItem
        Its items.
    registered : Registered
        Entries of streams and learners.
    seed : int
        Seed of learners whose predictions several items share.
    """
    sentences = [
        *_data(items, registered),
        *_runs(items, registered),
        *_delays(items),
        f"Draws and tests: {seeds_in_words(items, registered, seed)}.",
        *_captions(items),
    ]
    if any(_INTERVAL in item.caption for item in items):
        sentences.append(interval_sentences("Means and differences over instances have"))
    if registered.user_streams:
        sentences.append(region_sentence())
    sentences.append(f"All of it was computed with streameval {__version__} (study: {title}).")
    return " ".join(sentences)


def _data(items: Sequence[StudyItem], registered: Registered) -> Iterator[str]:
    """Yield a sentence on the streams with their sizes."""
    names = [name for item in items if item.ran for name in item.ran.streams]
    rows = [_stream(name, registered) for name in dict.fromkeys(names)]
    if rows:
        yield f"We used {quantity(len(rows), 'data stream')}: {'; '.join(rows)}."


def _stream(name: str, registered: Registered) -> str:
    spec = registered.streams[name]
    classes = spec["classes"]
    unlabelled = spec.get("unlabelled") or 0
    sizes = [
        *([f"{number_text(spec['rows'])} instances"] if spec.get("rows") else []),
        *([f"{number_text(unlabelled)} of them without a label"] if unlabelled else []),
        *([f"{number_text(spec['columns'])} inputs"] if spec.get("columns") is not None else []),
        f"{number_text(classes)} classes" if classes else "a numeric target",
    ]
    if spec.get("has_label_times"):
        sizes.append("labels with times of their own")
    if kind_of(name, spec, registered.user_streams) == SIMULATED:
        sizes.append(f"simulated, stands for {spec['stands_for']}")
    return f"{name}, {spec['title']} ({', '.join(sizes)})"


def _runs(items: Sequence[StudyItem], registered: Registered) -> Iterator[str]:
    """Yield a sentence for the items that share learners and a protocol."""
    groups: dict[tuple[str, str], dict[str, list[str]]] = {}
    called = registered.learner_titles()
    for item in items:
        if item.ran is None or not item.ran.learners:
            continue
        learners = _names_listed([called[name] for name in item.ran.learners])
        streams = enumeration([_extent(item.ran, name, registered) for name in item.ran.streams])
        over = groups.setdefault((learners, item.ran.protocol), {})
        over.setdefault(streams, []).append(item.title)
    for (learners, protocol), over in groups.items():
        where = "; ".join(
            f"{f'on {streams} ' * bool(streams)}({enumeration(titles)})"
            for streams, titles in over.items()
        )
        yield f"We evaluated {learners} {where}{f'; protocol: {protocol}' * bool(protocol)}."


def _names_listed(names: Sequence[str]) -> str:
    """Names as a sentence lists them; names with commas stand between semicolons."""
    return "; ".join(names) if any("," in name for name in names) else enumeration(names)


def _extent(ran: Ran, name: str, registered: Registered) -> str:
    """A stream, with the part of it that is looked at where that is not all."""
    spec = registered.streams[name]
    number, unit = length_of(ran, name, spec)
    if name not in ran.labels and number >= (spec.get("rows") or 0):
        return name
    text = unit.format(number_text(number))
    return f"{name} ({text if name in ran.labels else f'{text} instances'})"


def _delays(items: Sequence[StudyItem]) -> Iterator[str]:
    """Yield a sentence for each delay of labels that an item sets, of streams that it ran on."""
    titles_by_sentence: dict[str, list[str]] = {}
    for item in items:
        delay, streams = item.settings.get("delay"), item.ran.streams if item.ran else ()
        laws = delay if isinstance(delay, Mapping) else {}
        for stream, law in ((name, laws[name]) for name in streams if name in laws):
            words = _law(law)
            titles_by_sentence.setdefault(f"Labels of {stream} arrived {words}", []).append(
                item.title
            )
    for sentence, titles in titles_by_sentence.items():
        yield f"{sentence} ({enumeration(titles)})."


def _law(law: Any) -> str:
    if isinstance(law, Mapping):
        return "by the law " + ", ".join(f"{key} {_value(value)}" for key, value in law.items())
    return f"{_value(law)} instances later"


def seeds_in_words(items: Sequence[StudyItem], registered: Registered, seed: int) -> str:
    """Seeds of the learners that draw at random, and settings of other draws and tests.

    Parameters
    ----------
    items : sequence of StudyItem
        Items of one study or of several.
    registered : Registered
        Entries of streams and learners.
    seed : int
        Seed of learners whose rows have none.
    """
    names = dict.fromkeys(name for item in items if item.ran for name in item.ran.learners)
    by_seed: dict[int, list[str]] = {}
    for row in (registered.learners[name] for name in names):
        if row["draws"]:
            own_seed = row["seed"]
            by_seed.setdefault(seed if own_seed is None else own_seed, []).append(str(row["title"]))
    parts = [
        f"seed {seed_of_learners} of {_names_listed(titles)}"
        for seed_of_learners, titles in by_seed.items()
    ]
    return "; ".join([*(parts or ["no learner draws at random"]), *_draws(items)])


def _draws(items: Sequence[StudyItem]) -> Iterator[str]:
    """Yield seeds, runs, folds and levels of tests that items set."""
    groups: dict[str, list[str]] = {}
    for item in items:
        words = [
            text.format(_seeds(item.settings[key]) if key == "seeds" else item.settings[key])
            for key, text in _SETTINGS.items()
            if item.settings.get(key) not in (None, {}, [], ())
        ]
        if words:
            groups.setdefault(enumeration(words), []).append(item.title)
    yield from (f"{words} ({enumeration(titles)})" for words, titles in groups.items())


def _seeds(value: Any) -> str:
    """Return seeds in words: their number, the number of each learner, or a list of them."""
    if isinstance(value, Mapping):
        return ", ".join(f"{_seeds(number)} of {name}" for name, number in value.items())
    return f"seeds {_value(value)}" if isinstance(value, list | tuple) else quantity(value, "seed")


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return enumeration([_value(element) for element in value])
    return number_text(value) if isinstance(value, int) else str(value)


def _captions(items: Sequence[StudyItem]) -> Iterator[str]:
    """Yield what tables and figures show, once where several show the same.

    It is the first sentence of each caption: others say how to read it.
    """
    groups: dict[str, list[str]] = {}
    for item in items:
        if item.caption:
            first = _SENTENCES.split(item.caption, 1)[0].rstrip(".")
            words = [measure_phrase(name) for name in _names(item, "measures") if name in MEASURES]
            if not all(word in first for word in words):
                first += f" ({enumeration(words)})"
            groups.setdefault(first, []).append(item.title)
    for caption, titles in groups.items():
        yield f"{enumeration(titles)}: {caption}."


def cited_works(
    study: str, items: Sequence[StudyItem], registered: Registered
) -> tuple[list[str], dict[str, str]]:
    """Keys and citations of what a study used, for `streameval.base.references.bibtex`.

    They are those of its paper, its learners, streams, measures, protocols, detectors and tests.
    """
    text = " ".join(item.caption for item in items)
    keys = [study] * (study in references())
    keys += INTERVAL_KEYS * (_INTERVAL in text)
    citations: dict[str, str] = {}
    for item in items:
        learners = item.ran.learners if item.ran else ()
        for row in (registered.learners[name] for name in learners):
            citations[str(row["title"])] = str(row["citation"])
        for name in item.ran.streams if item.ran else ():
            citations[name] = str(registered.streams[name].get("citation", ""))
        citations |= _of_settings(item)
    citations |= {
        name: test.reference
        for name, test in TESTS.items()
        if any(author in text for author in _authors(test.reference))
    }
    return keys, {name: cited for name, cited in citations.items() if cited}


def _of_settings(item: StudyItem) -> dict[str, str]:
    """The citations of an item's measures, detectors, tests and protocol."""
    words = _letters(item.ran.protocol) if item.ran else ""
    registries: list[tuple[Mapping[str, Any], list[str]]] = [
        (MEASURES, _names(item, "measures")),
        (ALL_SCORE_MEASURES, _names(item, "measures")),
        (DETECTORS, [text.partition(":")[0] for text in _names(item, "detectors")]),
        (TESTS, _names(item, "tests")),
        (PROTOCOLS, [name for name in PROTOCOLS if _letters(name) in words]),
    ]
    references = {
        name: str(registry[name].reference)
        for registry, names in registries
        for name in names
        if name in registry
    }
    return {name: text for name, text in references.items() if not text.startswith("none")}


def _names(item: StudyItem, key: str) -> list[str]:
    """A setting that is a list of names; other kinds may call a number so."""
    names = item.settings.get(key)
    return [*map(str, names)] if isinstance(names, list | tuple) else []


def _letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalpha())


def _authors(reference: str) -> list[str]:
    """The first surname of a test's first work: what captions call the test by."""
    return [reference.split()[0].strip(",")] if reference else []
