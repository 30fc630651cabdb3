"""Registry of learners, and construction of learners from rows of ``config/learners.yaml``."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

from msgspec import Meta

from streameval.base.errors import CodeError, ConfigError, excerpt, listing
from streameval.base.other_tools import (
    RIVER,
    SKLEARN,
    arguments_for,
    construct,
    find_class,
)
from streameval.base.params import Count
from streameval.base.schema import NO_KEY, Id, ModuleName, check_data
from streameval.base.settings import load_settings, relative_path
from streameval.base.sources import LazyRegistry
from streameval.base.user_code import (
    importing_from,
    named_files,
    search_folder,
    user_module_files,
)
from streameval.learners.adapter_rows import PARAMETERS
from streameval.learners.tasks import BOTH, CLASSIFICATION, REGRESSION, TaskName, Tasks
from streameval.learners.wrappers.registry import WRAPPERS, wrap_learner
from streameval.streams.registry import SMOOTHING

if TYPE_CHECKING:
    from streameval.learners.learner import AnyLearner

L = TypeVar("L", bound="AnyLearner[Any]")


class LearnerRegistry(LazyRegistry["type[AnyLearner[Any]]"]):
    """Classes of learners by name; `tasks` needs no import of their modules.

    Parameters
    ----------
    places : mapping
        For each combination of tasks, the paths of the classes, ``module:Class``, by name.
    """

    def __init__(self, places: Mapping[Tasks, Mapping[str, str]]) -> None:
        super().__init__({name: place for rows in places.values() for name, place in rows.items()})
        self._tasks = {name: tasks for tasks, rows in places.items() for name in rows}

    def tasks(self, name: str) -> Tasks:
        """Tasks of the learner called `name`."""
        return self._tasks[name]


#: The package's learners, and the adapters to other tools and to predictions from files, by task
#: and name. A new learner needs a module and a line here.
LEARNERS = LearnerRegistry(
    {
        (CLASSIFICATION,): {
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
            "random_hoeffding_tree": (
                "streameval.learners.trees.hoeffding_tree:RandomHoeffdingTree"
            ),
            "random_forest": "streameval.learners.ensembles.bagging:RandomForest",
            "adaptive_random_forest": (
                "streameval.learners.ensembles.adaptive_random_forest:AdaptiveRandomForest"
            ),
            "moa": "streameval.learners.adapters.moa:MoaLearner",
        },
        (REGRESSION,): {
            "previous_target": "streameval.learners.regression.baselines:PreviousTarget",
            "seasonal": "streameval.learners.regression.baselines:Seasonal",
            "target_mean": "streameval.learners.regression.baselines:TargetMean",
            "fimt_dd": "streameval.learners.regression.fimt_dd:FimtDD",
            "orto": "streameval.learners.regression.orto:Orto",
            "amrules": "streameval.learners.regression.amrules:AMRules",
            "arf_reg": (
                "streameval.learners.regression.adaptive_random_forest:"
                "AdaptiveRandomForestRegressor"
            ),
        },
        BOTH: {
            "river": "streameval.learners.adapters.river:RiverLearner",
            "sklearn": "streameval.learners.adapters.sklearn:SklearnLearner",
            "retrained": "streameval.learners.adapters.retrained:Retrained",
            "predictions_file": "streameval.learners.adapters.predictions_file:PredictionsFile",
        },
    }
)

#: The package's learners that draw random numbers by the seed of a run. The value is the parameter
#: that has to be true for this, empty if the learner always draws.
RANDOMISED_LEARNERS = {
    **dict.fromkeys(("ddm_random", "online_bagging", "leveraging_bagging", "random_forest"), ""),
    **dict.fromkeys(("random_hoeffding_tree", "adaptive_random_forest"), ""),
    **dict.fromkeys(("fimt_dd", "orto", "amrules", "arf_reg"), ""),
    "hoeffding_adaptive_tree": "own_draws",
}
#: First parts of wrapper specifications whose detector draws its alarms.
_RANDOMISED_WRAPPERS = ("resetting:chance", "resetting:gaps")
#: The tool that provides the models of an adapter.
_TOOLS = {"river": RIVER, "sklearn": SKLEARN, "retrained": SKLEARN}
#: Packages that may be imported although a row does not name them in `imports`.
_ALLOWED_PACKAGES = {tool.package for tool in _TOOLS.values()}

#: Folders and modules of learners that are compiled ahead; see `modules_compiled_ahead`.
_COMPILED_AHEAD = ("bayes", "ensembles", "knn", "regression", "trees")


#: First seed of a row. It is bounded since the seeds of runs and folds count up from it in 32 bits.
LearnerSeed = Annotated[int, Meta(ge=0, le=2**31 - 1)]


@dataclass(frozen=True)
class LearnerSpec:
    """A row of ``config/learners.yaml``: a learner with its parameters and its title.

    A row can only run code of River, of scikit-learn, and of the modules that it names in `learner`
    and `imports`. Learners and estimators of these modules are constructed only when they run, not
    for lists or plans.

    Parameters
    ----------
    id : str
        Key of the row in the registry and in tables.
    learner : str
        A name of `LEARNERS`, or the path of a class, ``package.module:Class`` or
        ``package.module.Class``: a subclass of `Learner` or `Regressor`, or a class with
        ``learn(x, y, w)`` and ``predict(x)``.
    title : str
        Name of the learner in figures and tables.
    parameters : mapping
        The parameters that differ from the learner's defaults.
    wrapper : str
        Specification of the wrapper, see `wrappers.registry.wrap_learner`; empty for none.
        ``{smoothing}`` in it is replaced by the smoothing weight of the stream, see `StreamSpec`.
    citation : str
        Reference for the learner.
    base, adaptation : str
        Texts for readers: the base model, and how the learner adapts to change.
    imports : tuple of str
        Modules besides River and scikit-learn whose classes the `model` of an adapter may name,
        such as ``lightgbm``.
    slow : bool
        Whether a study runs the learner in a separate job on each stream.
    folder : str
        Folder that is also searched for users' modules; empty for none.
    seed : int, optional
        Seed of the learner's first run, instead of the study's seed; later runs count up from it.
    seeds : int, optional
        Number of the learner's runs in items with several seeds, instead of the item's number.
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
    imports: tuple[ModuleName, ...] = ()
    slow: bool = False
    folder: Annotated[str, NO_KEY] = ""
    seed: LearnerSeed | None = None
    seeds: Count | None = None

    def to_dict(self) -> dict[str, Any]:
        """Row as plain data, such that ``LearnerSpec(**row.to_dict()) == row``."""
        content = dataclasses.asdict(self)
        omitted = {
            "imports": not self.imports,
            "slow": not self.slow,
            "seed": self.seed is None,
            "seeds": self.seeds is None,
        }
        return {name: value for name, value in content.items() if not omitted.get(name, False)}

    def recipe(self) -> dict[str, Any]:
        """Part of `to_dict` on which predictions depend: no titles or descriptions."""
        # The title is required, so the id stands in for it.
        relevant = dataclasses.replace(self, title=self.id, citation="", base="", adaptation="")
        relevant = dataclasses.replace(relevant, seeds=None, slow=False)
        return relevant.to_dict()

    def make(self, smoothing: float = SMOOTHING) -> AnyLearner[Any]:
        """Make the learner.

        Parameters
        ----------
        smoothing : float
            Smoothing weight of the stream that the learner will run over.

        Raises
        ------
        ConfigError
            If the class, the wrapper, a parameter or a required tool does not exist, or the wrapper
            is for another task.
        """
        search_folder(self.folder)  # for imports inside functions of users' modules
        learner = self._build(_construct, smoothing)
        if self.seed is None:
            return learner
        from streameval.learners.reseeded import Reseeded  # loads numba

        return Reseeded(learner, self.seed)

    def check(self) -> AnyLearner[Any]:
        """Check the row, and return its learner for further checks, but not for runs.

        No class from outside the package is constructed.

        Raises
        ------
        ConfigError
            See `make`.
        """
        return self._build(_outline)

    def _build(self, make: _Make, smoothing: float = SMOOTHING) -> AnyLearner[Any]:
        """Learner with its wrapper; `make` makes it, or only its outline."""
        try:
            wrapper = self.wrapper.replace("{smoothing}", str(smoothing))
            return wrap_learner(self._build_inner(make), wrapper or None)
        except ConfigError as error:
            kind = CodeError if isinstance(error, CodeError) else ConfigError
            raise kind(f"Learner {self.id!r}: {error}") from error

    @property
    def tasks(self) -> Tasks:
        """Tasks of the learner; empty if the row is wrong.

        Modules of the package's learners are not imported.
        """
        if self.is_compiled:
            return LEARNERS.tasks(self.learner)
        try:
            return self.check().possible_tasks
        except ConfigError:
            return ()

    @cached_property
    def is_random(self) -> bool:
        """True if the learner declares that its predictions depend on the seed of a run.

        Modules of the package's learners are not imported. The result is False if the code of the
        row raises an error, since such a learner has no predictions.

        Raises
        ------
        ConfigError
            If a class of the row does not exist.
        """
        try:
            return self._is_random()
        except CodeError:
            return False

    def _is_random(self) -> bool:
        if self.wrapper.startswith(_RANDOMISED_WRAPPERS):
            return True
        if self.learner in RANDOMISED_LEARNERS:
            parameter = RANDOMISED_LEARNERS[self.learner]
            return not parameter or bool(self.parameters.get(parameter))
        if self.learner in _TOOLS:
            self._check_imports()
            tool, model = _TOOLS[self.learner], self.parameters.get("model")
            steps = model if isinstance(model, list) else [model]
            with importing_from(self.folder):
                return any(tool.is_random(step) for step in steps)
        if self.learner in LEARNERS:
            return False
        cls = _class_of(self.learner, self.folder)
        declared = getattr(cls, "is_random", None)
        if isinstance(declared, bool):
            return declared
        # Without a declaration, a class is random if it takes a seed that the row does not fix.
        return "seed" in signature(cls).parameters and "seed" not in self.parameters

    @property
    def is_compiled(self) -> bool:
        """True for a compiled learner of the package."""
        return self.learner in LEARNERS and not self.is_adapter

    @property
    def is_adapter(self) -> bool:
        """True for a learner of another tool, or predictions from a file."""
        return self.learner in PARAMETERS

    def modules(self) -> list[str]:
        """The module of the learner, without its wrapper; jobs with this learner depend on it."""
        if self.learner in LEARNERS:
            return [LEARNERS.module(self.learner)]
        return [split_class_path(self.learner)[0]]

    def wrapper_modules(self) -> list[str]:
        """The module of the wrapper, if the row has one."""
        name = self.wrapper.partition(":")[0]
        return [WRAPPERS.module(name)] if name in WRAPPERS else []

    def code(self) -> list[Path]:
        """Files of the users' modules that the row names, and of users' modules imported there.

        Files whose paths are parameters of a user's class are included.
        """
        modules = self.user_modules()
        folder = Path(self.folder).absolute()
        files = named_files(_texts(self.parameters), folder) if modules else ()
        return sorted({*user_module_files(modules, self.folder), *files})

    def user_modules(self) -> set[str]:
        """Modules that the row names, except modules of this package, River and scikit-learn."""
        not_users = {__name__.partition(".")[0], *_ALLOWED_PACKAGES}
        modules = [split_class_path(self.learner)[0], *self.imports]
        modules += [path.rpartition(".")[0] for path in self._model_paths()]
        return {name for name in modules if name and name.partition(".")[0] not in not_users}

    def _model_paths(self) -> list[str]:
        """Dotted paths of the classes in the model of an adapter."""
        tool = _TOOLS.get(self.learner)
        return list(tool.paths(self.parameters.get("model"))) if tool else []

    def _build_inner(self, make: _Make) -> AnyLearner[Any]:
        """Learner without its wrapper."""
        if self.learner in LEARNERS:
            registered = LEARNERS[self.learner]
            if self.is_adapter:
                return self._make_adapter(registered)
            return _construct(registered, self.parameters)
        from streameval.learners.learner import AnyLearner  # loads numba

        cls = _class_of(self.learner, self.folder)
        if issubclass(cls, AnyLearner):
            return make(cls, self.parameters)
        from streameval.learners.adapters.one_by_one import CustomLearner

        return CustomLearner(cls, self.parameters)

    def _make_adapter(self, cls: type[L]) -> L:
        """Adapter; it constructs its model only when it runs."""
        self._check_imports()
        with importing_from(self.folder):
            return _construct(cls, self.parameters)

    def _check_imports(self) -> None:
        """Refuse a model with classes of modules that the row does not name; import nothing."""
        for path in self._model_paths():
            module = path.rpartition(".")[0]
            is_named = any(f"{module}.".startswith(f"{name}.") for name in self.imports)
            if path.partition(".")[0] not in _ALLOWED_PACKAGES and not is_named:
                raise ConfigError(
                    f"{excerpt(path)!r}: expected a class of "
                    f"{' or '.join(sorted(_ALLOWED_PACKAGES))}, or of a module that the row names. "
                    "To run code of that module, name it in the row: "
                    f"`imports: [{excerpt(module)}]`."
                )


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in parameters, including those in lists and mappings."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


#: A function that makes a learner from a class and parameters.
_Make: TypeAlias = Callable[[type[Any], Mapping[str, Any]], Any]


def _construct(cls: type[L], parameters: Mapping[str, Any]) -> L:
    return construct(cls, arguments_for(cls, parameters))


def _outline(cls: type[L], parameters: Mapping[str, Any]) -> L:
    """Object of a learner's class with its declared parameters; the constructor is not called."""
    values, learner = arguments_for(cls, parameters), object.__new__(cls)
    for parameter in cls.declared_parameters():
        if parameter.name in values or not parameter.is_required:
            value = parameter.read(
                values.get(parameter.name, parameter.default), cls.message_name()
            )
            object.__setattr__(learner, parameter.name, value)
    return learner


def load_learners(path: Path) -> dict[str, LearnerSpec]:
    """Read and check ``config/learners.yaml``.

    Returns
    -------
    dict
        The rows by id, in the order of the file. The folder of the file is also searched for
        users' modules that a row names.
    """
    content = load_settings(path, Annotated[dict[Id, dict[str, Any]], Meta(min_length=1)])
    rows = {
        key: LearnerSpec(id=key, **checked_learner_row(row, str(path), (key,)))
        for key, row in content.items()
    }
    folder = str(relative_path(path.parent))
    return {
        key: dataclasses.replace(row, folder=folder) if row.user_modules() else row
        for key, row in rows.items()
    }


def checked_learner_row(
    row: Mapping[str, Any], where: str | Callable[..., str], place: Sequence[str]
) -> dict[str, Any]:
    """Check the row of a learner against the declarations of `LearnerSpec` and its adapter.

    Errors name the file, `where`, and the position of the row in it: `place` has the keys from the
    top level down to the row.
    """
    content: dict[str, Any] = check_data(row, LearnerSpec, where, place)
    if content["learner"] in PARAMETERS:
        schema, parameters = PARAMETERS[content["learner"]], content.get("parameters", {})
        content["parameters"] = check_data(parameters, schema, where, (*place, "parameters"))
    return content


def make_learners(
    rows: Mapping[str, Mapping[str, Any]], smoothing: float = SMOOTHING
) -> dict[str, AnyLearner[Any]]:
    """Make learners of rows as `LearnerSpec.to_dict` returns them; see `LearnerSpec.make`."""
    return {name: LearnerSpec(**row).make(smoothing) for name, row in rows.items()}


def built_in_learners(task: TaskName) -> list[str]:
    """Names of the package's learners for a task, without adapters; no module is imported."""
    return [name for name in LEARNERS if LEARNERS.tasks(name) == (task,) and name not in PARAMETERS]


def modules_compiled_ahead() -> dict[str, str]:
    """Modules, by short name, whose learners are compiled before jobs train them.

    Their learners take longest to compile, or several jobs at the beginning of a run would each
    compile them. All others compile in seconds.
    """
    modules = sorted({LEARNERS.module(name) for name in LEARNERS})
    by_name = {module.removeprefix("streameval.learners."): module for module in modules}
    return {
        name: module
        for name, module in by_name.items()
        if name.partition(".")[0] in _COMPILED_AHEAD
    }


def default_rows(module: str) -> dict[str, LearnerSpec]:
    """Rows of the learners of a module of the package, with their default parameters.

    Defaults suffice for compilation, which depends on the types of parameters, not on their values.
    """
    names = [name for name in LEARNERS if LEARNERS.module(name) == module]
    return {name: LearnerSpec(id=name, learner=name, title=name) for name in names}


def split_class_path(learner: str) -> tuple[str, str]:
    """(module, class) of ``module:Class`` or ``package.Class``; ("", "") for any other text."""
    module, separator, name = learner.rpartition(":" if ":" in learner else ".")
    return (module, name) if separator else ("", "")


def _class_of(learner: str, folder: str) -> type:
    module, name = split_class_path(learner)
    if not module:
        raise ConfigError(
            f"no learner is called {learner!r}. Known are {listing(LEARNERS)}; a class "
            "of your own is written package.module:Class."
        )
    return find_class(module, name, learner, folder)
