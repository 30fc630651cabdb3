"""The walk "A new reader" of CONTRIBUTING.md, in a copy of the package."""

from __future__ import annotations

import json

from helpers import walks

from streameval.streams.readers.content import READER_OF

CHECK = """
import json
from pathlib import Path
from streameval.streams.making import convert
from streameval.streams.registry import FileSpec
spec = FileSpec.from_dict(json.loads(Path("row.json").read_text()))
stream = convert(spec, Path("weather.jsonl"))
names = [one.name for one in stream.schema.attributes]
found = {"names": names, "classes": stream.schema.classes, "y": stream.y.tolist()}
print(json.dumps(found | {"times": spec.has_label_times}))
"""


def test_the_walk_adds_a_reader(tmp_path):
    module, line, row = walks.blocks("## A new reader\n")
    streams = walks.copy_package(tmp_path) / "streams"
    (streams / "readers" / "json_lines.py").write_text(module, encoding="utf-8")
    walks.register(streams / "registry.py", line)
    rows = [{"hour": 1, "rain": "no"}, {"hour": 2, "rain": "yes"}, {"hour": None, "rain": "no"}]
    text = "".join(f"{json.dumps(one)}\n" for one in rows)
    (tmp_path / "weather.jsonl").write_text(text, encoding="utf-8")
    (weather,) = walks.yaml_of(row).values()
    spec = json.dumps({"id": "weather", **weather})
    (tmp_path / "row.json").write_text(spec, encoding="utf-8")
    found = walks.read(tmp_path, "-c", CHECK)
    assert found == {"names": ["hour"], "classes": ["no", "yes"], "y": [0, 1, 0], "times": False}
    assert ".jsonl" not in READER_OF
