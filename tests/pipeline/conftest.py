"""Plans of studies that a test writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

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
