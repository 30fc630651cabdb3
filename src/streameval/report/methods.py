"""Methods paragraph of a study for a paper, and the works to cite, from the items that ran."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from streameval import __version__
from streameval.base.references import references
from streameval.base.values import enumeration, quantity
from streameval.detectors.registry import DETECTORS
from streameval.evaluation.class_scores import ALL_SCORE_MEASURES
from streameval.evaluation.methods import INTERVAL_REFERENCES, interval_sentences, region_sentence
from streameval.measures.registry import MEASURES, measure_phrase
from streameval.protocols.registry import PROTOCOLS
from streameval.report.what_ran import SIMULATED, ItemRun, run_length, stream_kind
from streameval.significance.registry import TESTS
from streameval.view.numbers import number_text

#: Texts of the settings of random draws and tests, for the methods paragraph.
_SETTING_TEXTS = {
    "seed": "seed {}",
    "seeds": "{}",
    "folds": "{} folds",
    "runs": "{} runs",
    "repetitions": "{} repetitions",
    "level": "tests at level {}",
}
#: End of a sentence, but not the full stop of "et al."; a sentence may begin with κ.
_SENTENCE_END = re.compile(r"(?<!al)\.\s+(?=[A-Zκ])")
#: A caption with this word is about intervals.
_INTERVAL_WORD = "interval"


class StudyItem(NamedTuple):
    """A table or figure of a study, as the configuration describes it.

    `run` is None for an item that only shows the data of other items. `settings` are as in the
    configuration file.
    """

    title: str
    caption: str
    settings: Mapping[str, Any]
    run: ItemRun | None = None


class Registries(NamedTuple):
    """Registry entries of the streams and learners of a run: mappings of plain values, by id.

    `user_streams` are the ids of the user's own streams.
    """

    streams: Mapping[str, Mapping[str, Any]]
    learners: Mapping[str, Mapping[str, Any]]
    user_streams: Sequence[str] = ()

    def learner_titles(self) -> dict[str, str]:
        """Titles of all learners, by their ids."""
        return {name: str(row["title"]) for name, row in self.learners.items()}


def study_methods(title: str, items: Sequence[StudyItem], registries: Registries, seed: int) -> str:
    """Sentences on the data, protocols, learners, draws, tables and figures of a study.

    Parameters
    ----------
    title : str
        Title of the study.
    items : sequence of StudyItem
        Items of the study.
    registries : Registries
        Entries of streams and learners.
    seed : int
        Seed of random learners whose registry entries have no seed.
    """
    sentences = [
        *_stream_sentences(items, registries),
        *_learner_sentences(items, registries),
        *_delay_sentences(items),
        f"Draws and tests: {seeds_text(items, registries, seed)}.",
        *_content_sentences(items),
    ]
    if any(_INTERVAL_WORD in item.caption for item in items):
        sentences.append(interval_sentences("Means and differences over instances have"))
    if registries.user_streams:
        sentences.append(region_sentence())
    sentences.append(f"All of it was computed with streameval {__version__} (study: {title}).")
    return " ".join(sentences)


def _stream_sentences(items: Sequence[StudyItem], registries: Registries) -> Iterator[str]:
    """Yield a sentence on the streams with their sizes."""
    names = [name for item in items if item.run for name in item.run.streams]
    texts = [_stream_text(name, registries) for name in dict.fromkeys(names)]
    if texts:
        yield f"We used {quantity(len(texts), 'data stream')}: {'; '.join(texts)}."


def _stream_text(name: str, registries: Registries) -> str:
    spec = registries.streams[name]
    classes = spec["classes"]
    unlabelled = spec.get("unlabelled") or 0
    sizes = [
        *([f"{number_text(spec['rows'])} instances"] if spec.get("rows") else []),
        *([f"{number_text(unlabelled)} of them without a label"] if unlabelled else []),
        *([f"{number_text(spec['columns'])} inputs"] if spec.get("columns") is not None else []),
        f"{number_text(classes)} classes" if classes else "a numeric target",
    ]
    if spec.get("has_label_times"):
        sizes.append("labels with arrival times")
    if stream_kind(name, spec, registries.user_streams) == SIMULATED:
        sizes.append(f"simulated, stands for {spec['stands_for']}")
    return f"{name}, {spec['title']} ({', '.join(sizes)})"


def _learner_sentences(items: Sequence[StudyItem], registries: Registries) -> Iterator[str]:
    """Yield a sentence for the items that share learners and a protocol."""
    # Outer keys: learners and protocol. Inner keys: streams. Values: titles of items.
    groups: dict[tuple[str, str], dict[str, list[str]]] = {}
    learner_titles = registries.learner_titles()
    for item in items:
        if item.run is None or not item.run.learners:
            continue
        learners = _enumerate_names([learner_titles[name] for name in item.run.learners])
        streams = enumeration(
            [_stream_with_length(item.run, name, registries) for name in item.run.streams]
        )
        titles_by_streams = groups.setdefault((learners, item.run.protocol), {})
        titles_by_streams.setdefault(streams, []).append(item.title)
    for (learners, protocol), titles_by_streams in groups.items():
        streams_text = "; ".join(
            f"{f'on {streams} ' if streams else ''}({enumeration(titles)})"
            for streams, titles in titles_by_streams.items()
        )
        protocol_text = f"; protocol: {protocol}" if protocol else ""
        yield f"We evaluated {learners} {streams_text}{protocol_text}."


def _enumerate_names(names: Sequence[str]) -> str:
    """Enumeration of names; names with commas are separated by semicolons."""
    return "; ".join(names) if any("," in name for name in names) else enumeration(names)


def _stream_with_length(run: ItemRun, name: str, registries: Registries) -> str:
    """Name of a stream, with the number of instances that the item uses if not all."""
    spec = registries.streams[name]
    length, template = run_length(run, name, spec)
    if name not in run.labels and length >= (spec.get("rows") or 0):
        return name
    text = template.format(number_text(length))
    return f"{name} ({text if name in run.labels else f'{text} instances'})"


def _delay_sentences(items: Sequence[StudyItem]) -> Iterator[str]:
    """Yield a sentence for each label delay that items set on their streams."""
    titles_by_sentence: dict[str, list[str]] = {}
    for item in items:
        setting, streams = item.settings.get("delay"), item.run.streams if item.run else ()
        delays = setting if isinstance(setting, Mapping) else {}
        for stream in (name for name in streams if name in delays):
            sentence = f"Labels of {stream} arrived {_delay_text(delays[stream])}"
            titles_by_sentence.setdefault(sentence, []).append(item.title)
    for sentence, titles in titles_by_sentence.items():
        yield f"{sentence} ({enumeration(titles)})."


def _delay_text(delay: Any) -> str:
    """Text of a delay: a number of instances, or the parameters of a random delay."""
    if isinstance(delay, Mapping):
        return "by the law " + ", ".join(
            f"{key} {_value_text(value)}" for key, value in delay.items()
        )
    return f"{_value_text(delay)} instances later"


def seeds_text(items: Sequence[StudyItem], registries: Registries, seed: int) -> str:
    """Text on the seeds of random learners, and on settings of other draws and tests.

    Parameters
    ----------
    items : sequence of StudyItem
        Items of one study or of several.
    registries : Registries
        Entries of streams and learners.
    seed : int
        Seed of learners whose registry entries have no seed.
    """
    names = dict.fromkeys(name for item in items if item.run for name in item.run.learners)
    by_seed: dict[int, list[str]] = {}
    for row in (registries.learners[name] for name in names):
        if row["is_random"]:
            learner_seed = seed if row["seed"] is None else row["seed"]
            by_seed.setdefault(learner_seed, []).append(str(row["title"]))
    parts = [
        f"seed {learner_seed} of {_enumerate_names(titles)}"
        for learner_seed, titles in by_seed.items()
    ]
    return "; ".join([*(parts or ["no learner draws at random"]), *_setting_texts(items)])


def _setting_texts(items: Sequence[StudyItem]) -> Iterator[str]:
    """Yield seeds, runs, folds and levels of tests that items set, with the titles of the items."""
    titles_by_text: dict[str, list[str]] = {}
    for item in items:
        texts = [
            text.format(_seeds_text(item.settings[key]) if key == "seeds" else item.settings[key])
            for key, text in _SETTING_TEXTS.items()
            if item.settings.get(key) not in (None, {}, [], ())
        ]
        if texts:
            titles_by_text.setdefault(enumeration(texts), []).append(item.title)
    yield from (f"{text} ({enumeration(titles)})" for text, titles in titles_by_text.items())


def _seeds_text(value: Any) -> str:
    """Text of a setting of seeds: a number, a list, or a number or list for each learner."""
    if isinstance(value, Mapping):
        return ", ".join(f"{_seeds_text(seeds)} of {name}" for name, seeds in value.items())
    if isinstance(value, list | tuple):
        return f"seeds {_value_text(value)}"
    return quantity(value, "seed")


def _value_text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return enumeration([_value_text(element) for element in value])
    return number_text(value) if isinstance(value, int) else str(value)


def _content_sentences(items: Sequence[StudyItem]) -> Iterator[str]:
    """Yield a sentence on the content of tables and figures, once for items with the same content.

    The content is the first sentence of the caption; the others explain how to read the item.
    """
    titles_by_content: dict[str, list[str]] = {}
    for item in items:
        if item.caption:
            content = _SENTENCE_END.split(item.caption, 1)[0].rstrip(".")
            measures = [
                measure_phrase(name) for name in _listed_names(item, "measures") if name in MEASURES
            ]
            if not all(measure in content for measure in measures):
                content += f" ({enumeration(measures)})"
            titles_by_content.setdefault(content, []).append(item.title)
    for content, titles in titles_by_content.items():
        yield f"{enumeration(titles)}: {content}."


def cited_works(
    study: str, items: Sequence[StudyItem], registries: Registries
) -> tuple[list[str], dict[str, str]]:
    """Keys and citations of the works that a study uses, for `streameval.base.references.bibtex`.

    The works are the study's paper, and the sources of its learners, streams, measures, protocols,
    detectors and tests.
    """
    text = " ".join(item.caption for item in items)
    keys = [study] * (study in references())
    keys += INTERVAL_REFERENCES * (_INTERVAL_WORD in text)
    citations: dict[str, str] = {}
    for item in items:
        learners = item.run.learners if item.run else ()
        for row in (registries.learners[name] for name in learners):
            citations[str(row["title"])] = str(row["citation"])
        for name in item.run.streams if item.run else ():
            citations[name] = str(registries.streams[name].get("citation", ""))
        citations |= _citations_of_settings(item)
    citations |= {
        name: test.reference
        for name, test in TESTS.items()
        if test.reference and _first_surname(test.reference) in text
    }
    return keys, {name: citation for name, citation in citations.items() if citation}


def _citations_of_settings(item: StudyItem) -> dict[str, str]:
    """Citations of an item's measures, detectors, tests and protocol."""
    protocol = _letters(item.run.protocol) if item.run else ""
    registries: list[tuple[Mapping[str, Any], list[str]]] = [
        (MEASURES, _listed_names(item, "measures")),
        (ALL_SCORE_MEASURES, _listed_names(item, "measures")),
        (DETECTORS, [text.partition(":")[0] for text in _listed_names(item, "detectors")]),
        (TESTS, _listed_names(item, "tests")),
        # The title of a protocol contains its id in words, such as "cross-validation".
        (PROTOCOLS, [name for name in PROTOCOLS if _letters(name) in protocol]),
    ]
    references = {
        name: str(registry[name].reference)
        for registry, names in registries
        for name in names
        if name in registry
    }
    # References of baselines and of the package's own methods begin with "none".
    return {name: text for name, text in references.items() if not text.startswith("none")}


def _listed_names(item: StudyItem, key: str) -> list[str]:
    """Names in a setting that is a list; empty otherwise, for example if it is a number."""
    names = item.settings.get(key)
    return [*map(str, names)] if isinstance(names, list | tuple) else []


def _letters(text: str) -> str:
    """Letters of a text, to compare titles with ids."""
    return "".join(letter for letter in text.lower() if letter.isalpha())


def _first_surname(reference: str) -> str:
    """First surname in the reference of a test; captions call the test by this name."""
    return reference.split()[0].strip(",")
