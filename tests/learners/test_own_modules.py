"""Modules beside a study that its learners import while they run, inside functions."""

from __future__ import annotations

import sys

import pytest

from streameval.base import user_code
from streameval.learners.registry import LearnerSpec, load_learners
from streameval.protocols.prequential import prequential
from streameval.streams.generators.sea import Sea

MODULES = {
    "late_plain": """
class Late:
    def __init__(self):
        import late_constructed

    def learn(self, x, y, w):
        import late_learnt

    def predict(self, x):
        from late_predicted import LABEL
        return LABEL
""",
    "late_river": """
from river import base

class Late(base.Classifier):
    y = None

    def learn_one(self, x, y):
        import late_learnt
        self.y = y

    def predict_proba_one(self, x):
        from late_predicted import LABEL
        return {} if self.y is None else {self.y: 1.0}
""",
    "late_sklearn": """
from sklearn.linear_model import SGDClassifier

class Late(SGDClassifier):
    def fit(self, X, y):
        import late_learnt
        return super().fit(X, y)

    def partial_fit(self, X, y, classes=None):
        import late_learnt
        return super().partial_fit(X, y, classes)

    def predict(self, X):
        from late_predicted import LABEL
        return super().predict(X)
""",
    "late_constructed": "",
    "late_learnt": "",
    "late_predicted": "LABEL = 1",
}
ROWS = {
    "plain": {"learner": "late_plain:Late"},
    "wrapped": {"learner": "late_plain:Late", "wrapper": "temporally_augmented"},
    "river": {"learner": "river", "parameters": {"model": "late_river.Late"}},
    "nested": {
        "learner": "river",
        "parameters": {
            "model": {"river.ensemble.BaggingClassifier": {"model": {"late_river.Late": {}}}}
        },
    },
    "sklearn": {"learner": "sklearn", "parameters": {"model": "late_sklearn.Late"}},
    "retrained": {
        "learner": "retrained",
        "parameters": {
            "model": ["sklearn.preprocessing.StandardScaler", "late_sklearn.Late"],
            "every": 10,
        },
    },
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the modules, which no other test finds."""
    for name, text in MODULES.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(user_code, "_searched", [])
    yield tmp_path
    for name in MODULES:
        sys.modules.pop(name, None)


@pytest.mark.parametrize("row", ROWS)
def test_learners_import_modules_of_their_folder_while_they_run(folder, row):
    tool = ROWS[row]["learner"]
    if ":" not in tool:
        pytest.importorskip("river" if tool == "river" else "sklearn")
    imports = ("late_river", "late_sklearn")
    spec = LearnerSpec(id=row, title=row, imports=imports, folder=str(folder), **ROWS[row])
    predictions = spec.make().run(Sea().stream(40), prequential(40))
    assert len(predictions.label) == 40
    assert {"late_learnt", "late_predicted"} <= {*sys.modules}


def test_modules_beside_a_registry_are_found(folder, monkeypatch):
    """Rows of learners of the package depend on no folder."""
    (folder / "config").mkdir()
    registry = folder / "config" / "learners.yaml"
    (folder / "late_plain.py").rename(folder / "config" / "late_plain.py")
    rows = [
        "mine: {learner: 'late_plain:Late', title: Mine}",
        "tree: {learner: hoeffding_tree, title: Tree}",
        "file: {learner: predictions_file, title: File, parameters: {file: a.csv}}",
    ]
    registry.write_text("\n".join(rows), encoding="utf-8")
    monkeypatch.chdir(folder)
    specs = load_learners(registry)
    assert {name: spec.folder for name, spec in specs.items()} == {
        "mine": "config",
        "tree": "",
        "file": "",
    }
    assert specs["mine"].check().possible_tasks
    assert [path.name for path in specs["mine"].code()] == ["late_plain.py"]
