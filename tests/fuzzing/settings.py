"""Drawing settings for the fuzz test: registries and configurations, some of them mangled."""

from __future__ import annotations

import copy
import random
import tempfile
import warnings
from collections.abc import Callable
from contextlib import chdir
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import yaml
from helpers.all_kinds import VALIDATION, all_kinds

from fuzzing.studies import check_study, draw_study
from streameval.base.settings import load_yaml
from streameval.learners.registry import LearnerSpec, load_learners
from streameval.pipeline import plan
from streameval.streams.registry import GeneratorSpec, StreamSpec, load_registry

ROOT = Path(__file__).resolve().parents[2]
#: What may stand where something else is expected.
_JUNK: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 7, 1e-7, "1e-7", 1e14, 10**14, 10**30, -0.5, 1.5, float("nan"),
    float("inf"), "", " ", "a", "no", "x" * 3000, "é", "../up", "markov_ozone", "hoeffding_tree",
    [], [1], ["a"], [[]], [None], {}, {"a": 1}, {1: 2}, {None: None}, ["x"] * 500, [1e300],
    "2020-01-01",
)  # fmt: skip
_SPECIAL = (
    b":", b"-", b"\t", b"\n", b"  ", b"{", b"}", b"[", b"]", b"&a ", b"*a", b"!!python/name:os",
    b"#", b"'", b'"', b"\xff", b"\xe9", b"\x00", b"? ", b"|\n", b">", b"%", b"@", b"---\n",
    b"...\n", b"<<: *a", b"~",
)  # fmt: skip


@cache
def _contents() -> dict[str, Any]:
    folders = (ROOT / "config" / "studies", VALIDATION)
    studies = [load_yaml(path) for folder in folders for path in folder.glob("*.yaml")]
    items = {study: items for content in studies for study, items in content["items"].items()}
    return {
        "kinds": {name: study.get("kinds", []) for study in studies for name in study["items"]},
        "streams": _read("streams"),
        "learners": {k: v for k, v in _read("learners").items() if ":" not in v["learner"]},
        "config": _read("config") | {"data": _read("config")["data"] | {"offline": True}},
        "items": {study: items[study] for study in sorted(items)},
        "changes": _read("test")["items"],
    }


def _read(name: str) -> Any:
    return yaml.safe_load((ROOT / "config" / f"{name}.yaml").read_text(encoding="utf-8"))


def _of(item: dict[str, Any]) -> list[str]:
    of = item.get("of", [])
    return [of] if isinstance(of, str) else of


def _draw_configuration(rng: random.Random) -> dict[str, Any]:
    """A configuration that changes a study of the project and adds another."""
    contents = copy.deepcopy(_contents())
    changed = rng.choice([*contents["changes"]])
    changes = contents["changes"][changed]
    read = [name for item in contents["items"][changed].values() for name in _of(item)]
    further = [name.partition("/")[0] for name in read if "/" in name]
    study = rng.choice([study for study, items in contents["items"].items() if items])
    study_items = contents["items"][study]
    for items in (changes, study_items):
        for name in rng.sample([*items], max(len(items) - rng.randint(1, 4), 0)):
            del items[name]
    for name in [
        name for name, item in study_items.items() if not study_items.keys() >= {*_of(item)}
    ]:
        del study_items[name]
    content: dict[str, Any] = contents["config"]
    content |= {
        "studies": [*dict.fromkeys([changed, "own", *further])],
        "titles": {"own": "Our own"},
        "kinds": contents["kinds"][study],
        "items": {changed: changes, "own": study_items},
        "streams": {"mine": {"generator": "sea", "rows": 100, "parameters": {"function": 2}}},
        "learners": {"ours": {"learner": "knn", "parameters": {"k": 3}}},
    }
    for item in study_items.values():
        several = "streams" in all_kinds()[item["kind"]].joins
        if "streams" in item and rng.random() < 0.5 and not several:
            item["streams"] = ["mine"]
    return content


def draw_settings(rng: random.Random) -> tuple[str, bytes, bool]:
    """The role of a YAML file, its bytes, and whether it was mangled."""
    what = rng.choice(("streams", "learners", "config", "study"))
    if what == "study":
        content = draw_study(rng)
    elif what == "config":
        content = _draw_configuration(rng)
    else:
        content = copy.deepcopy(_contents()[what])
        rows = content["streams"] if what == "streams" else content
        for name in rng.sample([*rows], len(rows) - rng.randint(1, 4)):
            del rows[name]
        for row in rows.values():
            row.pop("stands_for", None)  # what it stands for may be gone
    fate = rng.random()
    if fate < 0.6:
        for _ in range(rng.choice((1, 1, 2))):
            items = content.get("items") if what in ("config", "study") else None
            deep = isinstance(items, dict) and rng.random() < 0.6
            _put_junk(rng, items if deep else content)
    body = bytearray(yaml.safe_dump(content, allow_unicode=True).encode())
    if fate >= 0.8:
        for _ in range(rng.randint(1, 4)):
            at = rng.randint(0, len(body))
            if rng.random() < 0.5:
                del body[at : at + rng.randint(1, 20)]
            body[at:at] = rng.choice(_SPECIAL)
    return what, bytes(body), not 0.6 <= fate < 0.8


def _put_junk(rng: random.Random, content: Any) -> None:
    """Replace, add or rename something at a random place."""
    while True:
        keys = [*content] if isinstance(content, dict) else [*range(len(content))]
        if not keys:
            return
        key = rng.choice(keys)
        if isinstance(content[key], dict | list) and rng.random() < 0.85:
            content = content[key]
            continue
        match rng.randint(0, 4):
            case 0 if isinstance(content, dict):
                content[rng.choice(("unknown", 1, None, "", "x" * 3000))] = rng.choice(_JUNK)
            case 1:
                del content[key]
            case _:
                content[key] = rng.choice(_JUNK)
        return


def load_settings(what: str, path: Path) -> None:
    """Load a YAML file as the package or a pipeline run does, and make all that it describes."""
    warnings.simplefilter("ignore")
    if what == "streams":
        for spec in load_registry(path).values():
            if isinstance(spec, GeneratorSpec):
                spec.make()
    elif what == "learners":
        for row in load_learners(path).values():
            row.make()
    elif what == "study":
        check_study(path)
    else:
        _plan(path)


@cache
def _registries() -> tuple[dict[str, StreamSpec], dict[str, LearnerSpec]]:
    config = ROOT / "config"
    return load_registry(config / "streams.yaml"), load_learners(config / "learners.yaml")


def _plan(path: Path) -> None:
    streams, learners = _registries()
    read: Callable[[Path], Any] = plan.settings.load_yaml
    config = read(path.absolute())
    with (
        tempfile.TemporaryDirectory() as folder,
        chdir(folder),
        patch.object(plan, "load_registry", lambda path: streams),
        patch.object(plan, "load_learners", lambda path: learners),
    ):
        plan.make_plan(config, decide=True, files=[path.absolute()])
