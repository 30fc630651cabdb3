"""From a row of ``config/learners.yaml`` to a learner."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

from msgspec import Meta

from streameval.base.errors import ConfigError, excerpt, some
from streameval.base.other_tools import (
    RIVER,
    SKLEARN,
    arguments_for,
    construct,
    find_class,
    importing_from,
    user_module_files,
)
from streameval.base.schema import NO_KEY, Id, checked
from streameval.base.settings import load
from streameval.base.sources import LazyRegistry
from streameval.learners.adapter_rows import PARAMETERS
from streameval.learners.wrappers.registry import (
    REGRESSOR_WRAPPERS,
    WRAPPERS,
    wrapped,
    wrapped_regressor,
)
from streameval.streams.registry import SMOOTHING

if TYPE_CHECKING:
    from streameval.learners.learner import AnyLearner, Learner
    from streameval.learners.regression.regressor import Regressor

L = TypeVar("L", bound="AnyLearner[Any]")

#: The classifiers that come with the package, by name. To add one: its module, and a line here.
LEARNERS: LazyRegistry[type[Learner]] = LazyRegistry(
    {
        "no_change": "streameval.learners.baselines:NoChange",
        "majority": "streameval.learners.baselines:Majority",
        "moving_majority": "streameval.learners.baselines:MovingMajority",
        "label_proportions": "streameval.learners.label_forecasts:LabelProportions",
        "label_transitions": "streameval.learners.label_forecasts:LabelTransitions",
        "naive_bayes": "streameval.learners.bayes.naive_bayes:NaiveBayes",
        "ddm_nb": "streameval.learners.bayes.ddm:DDMNaiveBayes",
        "ddm_random": "streameval.learners.bayes.ddm:DDMRandom",
        "hoeffding_tree": "streameval.learners.trees.hoeffding_tree:HoeffdingTree",
        "hoeffding_adaptive_tree": (
            "streameval.learners.trees.hoeffding_adaptive_tree:HoeffdingAdaptiveTree"
        ),
        "online_bagging": "streameval.learners.ensembles.bagging:OnlineBagging",
        "leveraging_bagging": "streameval.learners.ensembles.bagging:LeveragingBagging",
        "knn": "streameval.learners.knn:KNN",
        "random_hoeffding_tree": ("streameval.learners.trees.hoeffding_tree:RandomHoeffdingTree"),
        "random_forest": "streameval.learners.ensembles.bagging:RandomForest",
        "adaptive_random_forest": (
            "streameval.learners.ensembles.adaptive_random_forest:AdaptiveRandomForest"
        ),
    }
)

#: The regressors that come with the package, by name.
REGRESSORS: LazyRegistry[type[Regressor]] = LazyRegistry(
    {
        "previous_target": "streameval.learners.regression.baselines:PreviousTarget",
        "seasonal": "streameval.learners.regression.baselines:Seasonal",
        "target_mean": "streameval.learners.regression.baselines:TargetMean",
        "fimt_dd": "streameval.learners.regression.fimt_dd:FimtDD",
        "orto": "streameval.learners.regression.orto:Orto",
        "amrules": "streameval.learners.regression.amrules:AMRules",
        "arf_reg": (
            "streameval.learners.regression.adaptive_random_forest:AdaptiveRandomForestRegressor"
        ),
    }
)

#: Learners of other tools, and predictions from files: their parameters specify them.
ADAPTERS: LazyRegistry[type[Learner]] = LazyRegistry(
    {
        "river": "streameval.learners.adapters.river:RiverLearner",
        "sklearn": "streameval.learners.adapters.sklearn:SklearnLearner",
        "retrained": "streameval.learners.adapters.retrained:Retrained",
        "moa": "streameval.learners.adapters.moa:MoaLearner",
        "predictions_file": "streameval.learners.adapters.predictions_file:PredictionsFile",
    }
)

#: Those of them that predict numbers, where a target is numeric.
ADAPTERS_OF_NUMBERS: LazyRegistry[type[Regressor]] = LazyRegistry(
    {
        "river": "streameval.learners.adapters.river:RiverRegressor",
        "sklearn": "streameval.learners.adapters.sklearn:SklearnRegressor",
        "retrained": "streameval.learners.adapters.retrained:RetrainedRegressor",
        "predictions_file": "streameval.learners.adapters.predictions_file:ValuesFile",
    }
)

#: The tools whose classes the models of adapters are.
_TOOLS = {"river": RIVER, "sklearn": SKLEARN, "retrained": SKLEARN}
#: The packages of which settings need not name the modules.
_PACKAGES = {tool.package for tool in _TOOLS.values()}
_MODULE = Meta(pattern=r"[^\W\d]\w*(\.[^\W\d]\w*)*", title="a module, package.module")

#: The folders, and the modules, of learners that are compiled ahead; see `compiled_ahead`.
_COMPILED_AHEAD = ("bayes", "ensembles", "knn", "regression", "trees")


@dataclass(frozen=True)
class LearnerSpec:
    """A row of the registry: which learner, with which parameters, under which title.

    A row runs code of the modules that it names, in `learner` and `imports`, of River and of
    scikit-learn, and of no others. Of these modules it constructs learners and estimators, only
    when they run: neither lists nor plans construct any.

    Parameters
    ----------
    id : str
        Its key in the registry, and in every table.
    learner : str
        A name of `LEARNERS`, `REGRESSORS` or `ADAPTERS`, or a dotted path
        ``package.module:Class``, or with a dot, to a subclass of `Learner` or a class with
        ``learn(x, y, w)`` and ``predict(x)``.
    title : str
        Its name in figures and tables.
    parameters : mapping
        The parameters that differ from the learner's defaults.
    wrapper : str
        The wrapper around it, as `wrappers.registry.wrapped` reads it; none if empty.
        ``{smoothing}`` in it stands for that of the stream, see `StreamSpec`.
    citation : str
        Where the learner is described.
    base, adaptation : str
        What kind of model it is made of, and what it does about change, for people.
    imports : tuple of str
        Modules besides those of River and scikit-learn whose classes the `model` of an adapter may
        name, such as ``lightgbm``.
    folder : str
        Where modules of one's own are looked for too; empty for nowhere.
    """

    id: Annotated[str, NO_KEY]
    learner: str
    title: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    wrapper: Annotated[
        str, Meta(pattern=r"([a-z_]+(:[^:\n]+)*)?", title="a wrapper, NAME:FIRST:SECOND")
    ] = ""
    citation: str = ""
    base: str = ""
    adaptation: str = ""
    imports: tuple[Annotated[str, _MODULE], ...] = ()
    folder: Annotated[str, NO_KEY] = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain data: ``LearnerSpec(**row.to_dict())`` is the row again."""
        content = dataclasses.asdict(self)
        return content if self.imports else {k: x for k, x in content.items() if k != "imports"}

    def recipe(self) -> dict[str, Any]:
        """Return the part of `to_dict` that predictions depend on, without titles."""
        bare = dataclasses.replace(self, title=self.id, citation="", base="", adaptation="")
        return bare.to_dict()

    def make(self, smoothing: float = SMOOTHING) -> Learner:
        """Return the learner, a classifier.

        Parameters
        ----------
        smoothing : float
            That of the stream that it will run over.

        Raises
        ------
        ConfigError
            If the class, the wrapper or one of the parameters does not exist, or a tool that it
            needs; and if it is a regressor.
        """
        return self._classifier(_constructed, smoothing)

    def _classifier(self, make: _Make, smoothing: float = SMOOTHING) -> Learner:
        if self.learner in REGRESSORS:
            raise ConfigError(
                f"Learner {self.id!r} is a regressor, which predicts numbers: expected a "
                "classifier, or a stream with a numeric target. `streameval learners` says which "
                "of them are regressors."
            )
        try:
            wrapper = self.wrapper.replace("{smoothing}", str(smoothing))
            return wrapped(self._bare(make), wrapper or None)
        except ConfigError as error:
            raise ConfigError(f"Learner {self.id!r}: {error}") from error

    def make_regressor(self) -> Regressor:
        """Return the regressor.

        Raises
        ------
        ConfigError
            If it is none, has a wrapper of classifiers, or one of its parameters does not exist.
        """
        return self._regressor(_constructed)

    def check(self) -> Learner | Regressor:
        """Check the row, and return its learner for further checks, not for runs.

        No class from outside the package is constructed.

        Raises
        ------
        ConfigError
            See `make` and `make_regressor`.
        """
        return self._regressor(_outline) if self.is_regressor else self._classifier(_outline)

    def _regressor(self, make: _Make) -> Regressor:
        if self.learner in LEARNERS or (
            self.learner in ADAPTERS and self.learner not in ADAPTERS_OF_NUMBERS
        ):
            raise ConfigError(
                f"Learner {self.id!r} predicts classes: expected one that predicts numbers. There "
                f"are {some([*REGRESSORS])}, and those of River, scikit-learn and your own."
            )
        try:
            return wrapped_regressor(self._bare_regressor(make), self.wrapper or None)
        except ConfigError as error:
            raise ConfigError(f"Learner {self.id!r}: {error}") from error

    @property
    def is_regressor(self) -> bool:
        """True if it predicts numbers only; a class of two methods may predict either."""
        if self.is_compiled:
            return self.learner in REGRESSORS
        return self._can_be(self._regressor) and not self._can_be(self._classifier)

    @property
    def is_classifier(self) -> bool:
        """True if it predicts classes only."""
        if self.is_compiled:
            return self.learner in LEARNERS
        return self._can_be(self._classifier) and not self._can_be(self._regressor)

    def _can_be(self, kind: Callable[[_Make], object]) -> bool:
        """Return whether the row is one of a classifier or regressor; nothing is constructed."""
        try:
            kind(_outline)
        except ConfigError:
            return False
        return True

    @property
    def is_compiled(self) -> bool:
        """True for a compiled learner of the package."""
        return self.learner in LEARNERS or self.learner in REGRESSORS

    def modules(self) -> list[str]:
        """Return the modules of the package that only jobs with this learner depend on."""
        registries = (LEARNERS, REGRESSORS, ADAPTERS, ADAPTERS_OF_NUMBERS)
        found = [one.module(self.learner) for one in registries if self.learner in one]
        return list(dict.fromkeys(found)) or [class_place(self.learner)[0]]

    def wrapper_modules(self) -> list[str]:
        """Return the modules of the package that its wrapper takes."""
        name = self.wrapper.partition(":")[0]
        registries = (WRAPPERS, REGRESSOR_WRAPPERS)
        return [one.module(name) for one in registries if name in one]

    def code(self) -> list[Path]:
        """Return the files of the modules that the row names; of a user's, what they import too."""
        package, module = __name__.partition(".")[0], class_place(self.learner)[0]
        named = [name for name in (module, *self.imports) if name]
        own = (name for name in named if name.partition(".")[0] != package)
        return user_module_files(own, self.folder)

    def _bare(self, make: _Make) -> Learner:
        from streameval.learners.learner import Learner  # loads numba

        if self.learner in LEARNERS:
            return _constructed(LEARNERS[self.learner], self.parameters)
        if self.learner in ADAPTERS:
            return self._adapter(ADAPTERS[self.learner])
        cls = _class_of(self.learner, self.folder)
        if issubclass(cls, Learner):
            return make(cls, self.parameters)
        from streameval.learners.adapters.one_by_one import PlainLearner
        from streameval.learners.regression.regressor import Regressor

        if issubclass(cls, Regressor):
            raise ConfigError("it predicts numbers: expected a classifier.")
        return PlainLearner(cls, self.parameters)

    def _bare_regressor(self, make: _Make) -> Regressor:
        from streameval.learners.adapters.one_by_one import PlainRegressor
        from streameval.learners.learner import Learner
        from streameval.learners.regression.regressor import Regressor

        if self.learner in REGRESSORS:
            return _constructed(REGRESSORS[self.learner], self.parameters)
        if self.learner in ADAPTERS_OF_NUMBERS:
            return self._adapter(ADAPTERS_OF_NUMBERS[self.learner])
        cls = _class_of(self.learner, self.folder)
        if issubclass(cls, Regressor):
            return make(cls, self.parameters)
        if issubclass(cls, Learner):
            raise ConfigError("it predicts classes: expected a regressor.")
        return PlainRegressor(cls, self.parameters)

    def _adapter(self, cls: type[L]) -> L:
        """Return an adapter, which constructs its model when it runs."""
        self._check_imports()
        with importing_from(self.folder):
            return _constructed(cls, self.parameters)

    def _check_imports(self) -> None:
        """Refuse a model with classes of modules that the row does not name, before any import."""
        tool = _TOOLS.get(self.learner)
        for path in tool.paths(self.parameters.get("model")) if tool else ():
            module = path.rpartition(".")[0]
            named = any(f"{module}.".startswith(f"{name}.") for name in self.imports)
            if path.partition(".")[0] not in _PACKAGES and not named:
                raise ConfigError(
                    f"{excerpt(path)!r}: expected a class of {' or '.join(sorted(_PACKAGES))}, or "
                    "of a module that the row names. To run code of that module, name it in the "
                    f"row: `imports: [{excerpt(module)}]`."
                )


#: Makes a learner of a class and parameters.
_Make: TypeAlias = Callable[[type[Any], Mapping[str, Any]], Any]


def _constructed(cls: type[L], parameters: Mapping[str, Any]) -> L:
    return construct(cls, arguments_for(cls, parameters))


def _outline(cls: type[L], parameters: Mapping[str, Any]) -> L:
    """Return an object of a learner's class with its declared parameters, without a constructor."""
    values, learner = arguments_for(cls, parameters), object.__new__(cls)
    for one in cls.declared():
        if one.name in values or not one.is_required:
            value = one.read(values.get(one.name, one.default), cls.called())
            object.__setattr__(learner, one.name, value)
    return learner


def load_learners(path: Path) -> dict[str, LearnerSpec]:
    """Read and check ``config/learners.yaml``.

    Returns
    -------
    dict
        The rows by their id, in the order of the file.
    """
    content = load(path, Annotated[dict[Id, dict[str, Any]], Meta(min_length=1)])
    return {
        key: LearnerSpec(id=key, **checked_row(row, str(path), (key,)))
        for key, row in content.items()
    }


def checked_row(
    row: Mapping[str, Any], where: str | Callable[..., str], place: Sequence[str]
) -> dict[str, Any]:
    """Return the row of a learner, checked by what `LearnerSpec` and its adapter declare."""
    content: dict[str, Any] = checked(row, LearnerSpec, where, place)
    if content["learner"] in ADAPTERS:
        wanted, below = PARAMETERS[content["learner"]], (*place, "parameters")
        content["parameters"] = checked(content.get("parameters", {}), wanted, where, below)
    return content


def make_learners(
    rows: Mapping[str, Mapping[str, Any]], smoothing: float = SMOOTHING
) -> dict[str, Learner]:
    """Return the learners of rows that `LearnerSpec.to_dict` made; see `LearnerSpec.make`."""
    return {name: LearnerSpec(**row).make(smoothing) for name, row in rows.items()}


def compiled_ahead() -> dict[str, str]:
    """Return the modules whose learners are compiled before jobs train them, by short names.

    They are those that take longest, and those that several jobs at the beginning of a run would
    each compile for themselves: others compile in seconds.
    """
    modules = {one.module(name) for one in (LEARNERS, REGRESSORS) for name in one}
    short = {module.removeprefix("streameval.learners."): module for module in sorted(modules)}
    return {
        name: module for name, module in short.items() if name.partition(".")[0] in _COMPILED_AHEAD
    }


def class_place(learner: str) -> tuple[str, str]:
    """Return module and name of ``module:Class`` or ``package.Class``; two "" of anything else."""
    before, mark, after = learner.rpartition(":" if ":" in learner else ".")
    return (before, after) if mark else ("", "")


def _class_of(learner: str, folder: str) -> type:
    module, name = class_place(learner)
    if not module:
        raise ConfigError(
            f"no learner is called {learner!r}. Known are {some([*LEARNERS, *ADAPTERS])}; a class "
            "of your own is written package.module:Class."
        )
    return find_class(module, name, learner, folder)
