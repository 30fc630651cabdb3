"""Pages of the reference, made from registries, declarations and helps."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from typing import Any

import docstrings
import yaml

from streameval import cli
from streameval.base.params import Configurable, syntax_of
from streameval.base.references import Reference, references
from streameval.base.schema import fields_of, type_name
from streameval.base.settings import ROOT, load_yaml
from streameval.detectors.registry import DETECTORS
from streameval.evaluation.class_scores import ALL_SCORE_MEASURES
from streameval.evaluation.regression_measures import is_interval_measure, regression_measures
from streameval.learners.adapter_rows import PARAMETERS as ADAPTERS
from streameval.learners.registry import LEARNERS, built_in_learners, load_learners
from streameval.learners.tasks import CLASSIFICATION, REGRESSION, prediction_noun
from streameval.learners.wrappers.registry import WRAPPERS, wrappers_of
from streameval.measures.registry import MEASURES
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.pipeline.configuration import ConfigContent
from streameval.protocols.registry import PROTOCOLS
from streameval.significance.registry import TESTS
from streameval.streams.generators import GENERATORS
from streameval.streams.registry import READERS, FileSpec, GeneratorSpec, load_registry
from streameval.streams.variants import VARIANT_PARAMETERS

#: Columns of a terminal, for helps.
_WIDTH = "100"


def pages() -> dict[str, str]:
    """The pages by their places on the site."""
    return {
        "reference/commands.md": _commands(),
        "reference/measures.md": _measures(),
        "reference/learners.md": _learners(),
        "reference/streams.md": _streams(),
        "reference/protocols.md": _protocols(),
        "reference/detectors.md": _detectors(),
        "reference/tests.md": _tests(),
        "reference/references.md": _references(),
        "reference/defaults.md": _defaults(),
    }


def _commands() -> str:
    parts = [
        "# Commands\n\nThe helps of the command `streameval`, as `streameval COMMAND --help` prints"
    ]
    parts[0] += " them.\n"
    for name, (_, purpose) in cli.COMMANDS.items():
        parts.append(f"## {name}\n\n{_sentence(purpose)}\n\n```text\n{help_of(name)}```\n")
    return "\n".join(parts)


def help_of(command: str) -> str:
    """The help of a command."""
    before, output = os.environ.get("COLUMNS"), io.StringIO()
    os.environ["COLUMNS"] = _WIDTH
    try:
        with redirect_stdout(output):
            cli.main([command, "--help"])
    except SystemExit:
        pass
    finally:
        os.environ.pop("COLUMNS")
        os.environ.update({"COLUMNS": before} if before else {})
    return output.getvalue()


def _measures() -> str:
    head = ["measure", "symbol", "name", "range", "source", "undefined where"]
    rows, scores = (
        [
            [
                f"`{measure.name}`",
                measure.symbol,
                measure.title,
                _range(measure.lower, measure.upper),
                measure.reference,
                "; ".join(dict.fromkeys(cause.text for cause in measure.causes)),
            ]
            for measure in measures.values()
        ]
        for measures in (MEASURES, ALL_SCORE_MEASURES)
    )
    numbers = [
        [f"`{name}`", measure.symbol, measure.title, _range(measure.lower, measure.upper)]
        for name, measure in REGRESSION_MEASURES.items()
    ]
    intervals = [
        [f"`{name}`", measure.symbol, measure.title, _range(measure.lower, measure.upper)]
        for name, measure in regression_measures((), ["any"]).items()
        if is_interval_measure(name)
    ]
    return (
        "# Measures\n\n"
        "All measures by the names that settings and functions take. [Measures and their "
        "baselines](../explanation/measures.md) says what they compare with, and "
        "[the functions](api.md) have examples.\n\n"
        f"## Of predicted classes\n\n{table(head, rows)}\n"
        "An undefined measure is NaN, with the first of these reasons that holds.\n\n"
        f"## Of class scores\n\n{table(head, scores)}\n"
        "A skill is 1 minus the ratio of the losses; undefined where the baseline has none.\n\n"
        f"## Of predicted numbers\n\n{table(head[:4], numbers)}\n"
        "The skill over a baseline is 1 minus the ratio of the mean absolute errors.\n\n"
        f"## Of prediction intervals\n\n{table(head[:4], intervals)}\n"
        "The skill over a baseline is 1 minus the ratio of the interval scores.\n"
    )


def _learners() -> str:
    parts = [
        "# Learners\n\nWhat `streameval learners` lists, and the classes behind it.\n",
        "## Ids\n",
        table(
            ["id", "name", "predicts", "class and parameters", "source"],
            [
                [
                    f"`{spec.id}`",
                    spec.title,
                    prediction_noun(spec.tasks),
                    _code(spec.learner, spec.parameters, spec.wrapper),
                    spec.citation,
                ]
                for spec in load_learners(ROOT / "config" / "learners.yaml").values()
            ],
        ),
    ]
    for title, registry, names in (
        ("Classifiers", LEARNERS, built_in_learners(CLASSIFICATION)),
        ("Regressors", LEARNERS, built_in_learners(REGRESSION)),
        ("Wrappers", WRAPPERS, wrappers_of(CLASSIFICATION)),
        ("Wrappers of regressors", WRAPPERS, wrappers_of(REGRESSION)),
        ("Learners of other tools", LEARNERS, ADAPTERS),
    ):
        parts.append(f"## {title}\n")
        if registry is WRAPPERS:
            syntax = ", ".join(f"`{syntax_of(WRAPPERS[name], 'learner')}`" for name in names)
            parts.append(f"`--wrapper` takes {syntax}.\n")
        parts += [_class(name, registry[name]) for name in names]
    return "\n".join(parts)


def _streams() -> str:
    registry = load_registry(check_options=False)
    rows = []
    for spec in registry.values():
        if isinstance(spec, GeneratorSpec):
            origin = _code(spec.generator, spec.parameters)
            if spec.stands_for:
                origin += f"; stands for `{spec.stands_for}`"
        elif isinstance(spec, FileSpec):
            origin = _of_file(spec)
        sizes = [
            f"{n:,}" if n is not None else "?" for n in (spec.rows, spec.columns, spec.classes)
        ]
        rows.append([f"`{spec.id}`", spec.title, *sizes, origin, spec.citation])
    endings = [
        f"`:{':'.join([name, *map(str.upper, numbers)])}`"
        for name, numbers in VARIANT_PARAMETERS.items()
        if numbers
    ]
    head = ["id", "name", "instances", "inputs", "classes", "origin", "source"]
    listed = "What `streameval streams` lists. A stream with 0 classes has a numeric target."
    readers = "[How files are read](configuration.md#how-files-are-read) lists the options."
    parts = [
        f"# Streams\n\n{listed}\n",
        table(head, rows),
        f"An ending rearranges the instances, or injects drifts: {', '.join(endings)}.\n",
        "## Generators\n\n`se.generate(NAME, rows=N, ...)` takes the parameters.\n",
        *(_class(name, GENERATORS[name]) for name in GENERATORS),
        f"## Readers\n\n{readers}\n",
        table(
            ["reader", "what it reads"],
            [[f"`{name}`", docstrings.summary(READERS[name])] for name in READERS],
        ),
    ]
    return "\n".join(parts)


def _of_file(spec: FileSpec) -> str:
    page = f"[page]({spec.page})" if spec.page else ""
    licence = f"licence: {spec.licence}" if spec.licence else ""
    raw_file = f"`{spec.file}`" if spec.file else ""
    return "; ".join(filter(None, [spec.origin, raw_file, page, licence]))


def _protocols() -> str:
    sentence = "[Evaluation protocols](../explanation/protocols.md) draws them as lines of time."
    parts = [f"# Protocols\n\n{sentence}\n"]
    parts += [_named(protocol, docstrings.summary(protocol)) for protocol in PROTOCOLS.values()]
    return "\n".join(parts)


def _detectors() -> str:
    listed = (
        "What `streameval detectors` lists: functions of a sequence of numbers, such as 1 for an "
        "error and 0 for a correct prediction. The last ones below ignore their inputs: others "
        "must beat them."
    )
    parts = [f"# Drift detectors\n\n{listed}\n"]
    for detector in DETECTORS.values():
        text = f"{docstrings.sections(detector)['']}\n\nTakes {detector.valid_inputs.text}."
        parts.append(_named(detector, text))
    return "\n".join(parts)


def _named(cls: type[Configurable], text: str) -> str:
    """Section about an object that is written as a name and parameters."""
    parts = [
        f"## {cls.name}\n\n{text} Source: {cls.reference}.\n\nWritten `{syntax_of(cls)}`.\n",
    ]
    return "\n".join([*parts, *_parameters(cls)])


def _tests() -> str:
    decides = "[Which of two learners is better?](../howto/which_test.md) says which one decides."
    parts = [f"# Significance tests\n\nEach test with what it is about. {decides}\n"]
    for name, test in TESTS.items():
        facts = {
            "Null hypothesis": test.null,
            "About": test.estimand,
            "Assumes": test.assumptions,
            "Computed from": ", ".join(f"`{field}`" for field in test.evidence._fields),
            "Source": test.reference,
        }
        lines = "".join(f"- **{what}**: {text}\n" for what, text in facts.items())
        parts.append(f"## {name}\n\n{test.title}.\n\n{lines}")
    return "\n".join(parts)


def _references() -> str:
    head = (
        "# References\n\nThe works that streams, learners, measures, tests, protocols and "
        "detectors cite. The pages of a run have the BibTeX entries of those that it used.\n\n"
    )
    works = sorted(references().values(), key=lambda work: (work.surnames, work.fields["year"]))
    return head + "".join(f"- {_work(work)}\n" for work in works)


def _work(work: Reference) -> str:
    """A work as an entry in a list of references."""
    fields = work.fields
    places = ("journal", "booktitle", "institution", "publisher", "howpublished", "series")
    where = ", ".join(fields[name] for name in places if name in fields)
    where += f" {fields['volume']}" if "volume" in fields else ""
    where += f"({fields['number']})" if {"volume", "number"} <= fields.keys() else ""
    where += f", {fields['pages']}" if "pages" in fields else ""
    if doi := fields.get("doi"):
        where += f", [doi:{doi}](https://doi.org/{doi})"
    authors = "; ".join(fields["author"].split(" and "))
    return f"{authors} ({fields['year']}). {fields['title']}. {where}."


def _defaults() -> str:
    defaults = load_yaml(ROOT / "config" / "config.yaml")
    rows = [
        [f"`{key}`", kind, _flow(value) if has_value else "none"]
        for key, kind, value, has_value in _keys(ConfigContent, defaults)
    ]
    return (
        "# Defaults of the configuration\n\nThe keys of `config/config.yaml`, their types and the "
        "values of the default run. [Configuration](configuration.md) explains them.\n\n"
        + table(["key", "type", "value"], rows)
    )


def _keys(content: type, defaults: Any, above: str = "") -> Iterator[tuple[str, str, Any, bool]]:
    for name, field in fields_of(content).items():
        has = isinstance(defaults, dict) and name in defaults
        inner = getattr(field.type, "cls", None)
        if inner is not None and has:
            yield from _keys(inner, defaults[name], f"{above}{name}.")
        else:
            yield f"{above}{name}", type_name(field.type), defaults[name] if has else None, has


def _class(name: str, cls: type[Configurable]) -> str:
    """Section about a class of a registry: a heading and a table of parameters."""
    text = docstrings.sections(cls)
    source = " ".join(text.get("References", "").split())
    parts = [f"### {name}\n", text[""] + "\n", *_parameters(cls)]
    parts += [f"Source: {source.rstrip('.')}.\n"] * bool(source)
    return "\n".join(parts)


def _parameters(cls: type[Configurable]) -> list[str]:
    """Table of the parameters that a class declares; empty without parameters."""
    descriptions = docstrings.parameters(cls)
    rows = [
        [
            f"`{parameter.name}`",
            parameter.accepts,
            "required" if parameter.is_required else f"`{parameter.default}`",
            parameter.description or descriptions.get(parameter.name, ""),
        ]
        for parameter in cls.declared_parameters()
    ]
    return [table(["parameter", "values", "default", "meaning"], rows)] * bool(rows)


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    cells = ([" ".join(str(cell).split()).replace("|", "\\|") for cell in line] for line in lines)
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def _code(name: str, parameters: Any, wrapper: str = "") -> str:
    arguments = ", ".join(f"{key}={_plain(value)}" for key, value in parameters.items())
    return f"`{name}({arguments})`" + f" in `{wrapper}`" * bool(wrapper)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else _bare(value)


def _flow(value: Any) -> str:
    return f"`{_bare(value)}`"


def _bare(value: Any) -> str:
    text: str = yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True)
    return text.removesuffix("\n").removesuffix("\n...")


def _range(lower: float, upper: float) -> str:
    ends = [f"{end:g}".replace("inf", "∞").replace("-", "−") for end in (lower, upper)]
    return f"{ends[0]} to {ends[1]}"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
