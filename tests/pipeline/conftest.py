"""Plans of studies that a test writes, and of all studies of the project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from numba.core.dispatcher import Dispatcher

from streameval.pipeline.configuration import merge_files
from streameval.pipeline.plan import Plan, make_plan


@pytest.fixture
def plan_of(config: dict[str, Any], tmp_path: Path) -> Callable[..., Plan]:
    """A function that plans the study `mine` of some items, which stands in `mine.yaml`."""

    def plan(items: dict[str, Any], **content: Any) -> Plan:
        content |= {"studies": ["mine"], "items": {"mine": items}}
        path = tmp_path / "mine.yaml"
        path.write_text(yaml.safe_dump(content), encoding="utf-8")
        return make_plan(config | content, decide=True, files=[path])

    return plan


@pytest.fixture(scope="session")
def full_plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """The plan of all studies, offline, which no test may change; it compiles nothing."""
    config = {**merge_files([]), "studies": "all"}
    config["data"]["offline"] = True
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("full"))
        patch.delenv("STREAMEVAL_DATA", raising=False)
        patch.setattr(Dispatcher, "compile", lambda *_: pytest.fail("compiled"))
        return make_plan(config, decide=True)
