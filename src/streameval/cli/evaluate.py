"""The subcommand ``evaluate``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streameval.cli import (
    baselines,
    bins,
    by_class,
    in_pieces,
    intervals,
    numbers,
    over_bins,
    scores,
    tuning,
)
from streameval.cli.opening import (
    add_delay,
    add_learners,
    add_protocol,
    add_stream,
    add_threads,
    add_values,
    given_options,
    learners_of,
    open_stream,
    print_target,
    save_figure,
    with_working_folder,
)
from streameval.errors import ConfigError, some
from streameval.evaluation.delays import of_stream
from streameval.evaluation.task import CLASSES
from streameval.files import written_aside
from streameval.protocols.registry import parse

if TYPE_CHECKING:
    from streameval.api.pieces_evaluation import PiecesResult
    from streameval.api.result import Result
    from streameval.cli.opening import Subparsers

#: The measures that ``evaluate`` prints, in this order.
REPORTED = ("accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined")
_TITLE, _CELL = 32, 14
#: Values by learner.
Values = dict[str, dict[str, Any]]


def add_to(commands: Subparsers) -> None:
    """Add the subcommand to the command's parser."""
    parser = commands.add_parser(
        "evaluate",
        usage="%(prog)s STREAM --learner L [--learner L ...] [OPTION ...]",
        examples=(
            "streameval evaluate elec2 --learner hoeffding_tree",
            "streameval evaluate bills.csv --target paid --learner naive_bayes --delay 47",
        ),
        description="Run learners over a stream, by default predict each instance before learning "
        "from it, and compare the predictions with two baselines: the previous label, and the most "
        "frequent label so far. Labels that arrive later (--delay, or --time and --label-time) are "
        "learnt when they arrive. Learners that predict numbers, such as fimt_dd, are compared "
        "with the previous target, and with the mean of the targets so far. It prints accuracy, "
        "κ, κ_t and κ_m, and says whether each learner beats No-Change and Majority.",
    )
    add_stream(parser)
    add_learners(parser, "again for each further one")
    add_protocol(parser)
    in_pieces.add_option(parser)
    scores.add_option(parser)
    by_class.add_option(parser)
    intervals.add_option(parser)
    add_threads(parser)
    tuning.add_options(parser)
    figure = (
        "draw the measures of all learners and baselines into this file, .svg, .pdf or .png: over "
        f"a sliding window of {in_pieces.WINDOW:,} predictions, or of a tenth of a shorter stream; "
        "with delayed labels by bin"
    )
    add_values(parser, Path, figure=("FILE", figure))
    bins.add_options(add_delay(parser, bins.ABOUT))
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    from streameval.api.evaluate import evaluate
    from streameval.evaluation.delays import waiting_line
    from streameval.evaluation.tuned import sentences
    from streameval.room import threads

    with_working_folder()
    learners, of_regressors = learners_of(options)
    protocol = None if options.protocol is None else parse(options.protocol)
    bins.check_options(options)
    tuning.check_options(options)
    if options.figure is not None and protocol is not None and protocol.has_folds:
        raise ConfigError(
            f"--figure: expected a protocol with one model, whose measures can be drawn over time, "
            f"found {protocol}. Leave the figure out, or evaluate with --protocol prequential."
        )
    around = intervals.asked(options, of_regressors)
    pieces = in_pieces.opened(options, learners, protocol, of_regressors)
    scores.check_option(options, of_regressors, pieces is not None)
    by_class.check_option(options, of_regressors)
    if pieces is not None:
        tuning.refuse_pieces(options)
        with threads(options.threads):
            found = in_pieces.run(pieces, learners, protocol, options)
        print_target(pieces, options)
        _print_summary(found, options)
        _print_first(found.before_first_label, options)
        _print(found, options)
        return
    with threads(options.threads):
        stream = open_stream(options, numeric_target=of_regressors)
        result = evaluate(
            stream,
            tuning.tuned(options, stream, learners),
            protocol,
            delay=options.delay,
            every=options.every,
            label_first=options.label_first,
            ignore_label_times=options.ignore_label_times,
            seasonal=options.seasonal or (),
            intervals=around,
            scores=options.scores,
        )
    bare = given_options(options, "bins", "by", "rule", "priority", "all")
    if result.delays is None and bare:
        raise ConfigError(
            f"{some(bare)}: expected delayed labels, found none. Give --delay N, or the columns "
            "--time and --label-time."
        )
    print_target(result.stream, options)
    _print_summary(result, options)
    if result.delays is None:
        if not options.json and (line := waiting_line(result.stream)):
            print(f"{line}\n")
        _print_first(result.before_first_label, options)
    if not options.json and (told := sentences(result.tuned, result.pretrain)):
        print("\n".join([*told, ""]))
    if result.delays is not None:
        _print_bins(result, options)
    else:
        if options.table is not None:
            with written_aside(options.table) as part:
                result.predictions.to_csv(part, index=False)
        window = in_pieces.window_of(len(result.stream))
        save_figure(options.figure, lambda: result.plot(window=window))
        _print(result, options)


def _print_summary(result: Result | PiecesResult, options: argparse.Namespace) -> None:
    """Print which learner is the best, and what it beats."""
    if not options.json:
        told = baselines.summary_of(result, len(options.learner))
        print("\n".join([*baselines.filled(told), ""]))


def _print_first(instances: int, options: argparse.Namespace) -> None:
    """Print how many instances came before the first label."""
    from streameval.evaluation.delays import first_label_line

    if not options.json and (line := first_label_line(instances)):
        print(f"{line}\n")


def _print(result: Result | PiecesResult, options: argparse.Namespace) -> None:
    """Print measures over all predictions."""
    if options.json:
        print(json.dumps(_as_json(result, options)))
        return
    names = result.learners[: len(options.learner)]
    # Errors have a unit: they say little without those of the baselines beside them.
    is_one = len(names) == 1 and result.task is CLASSES
    (_print_one if is_one else _print_table)(result)
    told = by_class.lines(result, names) if options.by_class else by_class.hint(result, names)
    print("\n".join(["", *baselines.verdicts(result, names), *told, *intervals.lines(result)]))
    scores.print_scores(result, options)


def _print_bins(result: Result, options: argparse.Namespace) -> None:
    """Print measures by bin of the time to the label."""
    found = bins.binned(result, options)
    if not options.json:
        names = result.learners[: len(options.learner)]
        print("\n".join(bins.lines(result, found, names, options)))
        told = [*intervals.lines(result)]
        told += by_class.lines(result, names) if options.by_class else []
        print("".join(f"{line}\n" for line in told), end="")
        scores.print_scores(result, options)
        return
    costs = result.to_dict(result.task.measure)
    by_learner: Values = {
        name: {"bins": rows, **{key: costs[name][key] for key in ("seconds", "model_bytes")}}
        for name, rows in bins.as_json(found).items()
    }
    if options.priority is not None:
        for name, found_over in over_bins.as_json(bins.over_all(result, options)).items():
            by_learner[name]["over_bins"] = found_over
    for name, more in _more_as_json(result, options).items():
        by_learner[name] |= more
    print(json.dumps(_about_all(result, options, by_learner, result.delays or {})))


def _as_json(result: Result | PiecesResult, options: argparse.Namespace) -> dict[str, Any]:
    found: Values = {**result.to_dict(*_titles(result))}
    more = _more_as_json(result, options)
    for name, values in found.items():
        del values["instances"]
        values["not_predicted"] = result.missing(name)
        values |= more[name]
    open_ = {"labels_not_arrived": missing} if (missing := result.stream.unlabelled) else {}
    if first := result.before_first_label:
        open_["before_first_label"] = first
    return _about_all(result, options, found, open_)


def _more_as_json(result: Result | PiecesResult, options: argparse.Namespace) -> Values:
    """Return by learner what is said of baselines, classes and intervals."""
    found = Values()
    if result.task is CLASSES:
        for name, over in result.over_baselines().items():
            found[name] = {"over": baselines.differences_as_json(over)}
    else:
        for name, skills in baselines.skills_as_json(result).items():
            found[name] = {"skills": skills, **intervals.as_json(result, name)}
    for name in found if options.by_class else ():
        found[name] |= by_class.as_json(result, name)
    return found


def _about_all(
    result: Result | PiecesResult, options: argparse.Namespace, learners: Values, more: Any
) -> dict[str, Any]:
    """Return what JSON has of a result: about the stream, the learners, the scores."""
    how = tuning.tuned_as_json(result.tuned, result.pretrain)
    summary = baselines.summary_of(result, len(options.learner))
    about = {**of_stream(result.stream), "summary": summary, **how, **more}
    scored = baselines.within_as_json(result) | scores.as_json(result, options)
    return {**about, "learners": learners, **scored}


def _print_one(result: Result | PiecesResult) -> None:
    first = result.learners[0]
    values = result.to_dict(*REPORTED)
    rows = {title: cells[0] for title, cells in _rows(result, values).items()}
    reasons = _reasons(result, values).get(first, {})
    measure_of = {title: measure for measure, title in _titles(result).items()}
    for title, shown in rows.items():
        measure = measure_of.get(title)
        why = f": {reasons[measure]}" if measure in reasons else ""
        print(f"{title:<{_TITLE}}{shown + why:>{_CELL}}")


def _print_table(result: Result | PiecesResult) -> None:
    values = result.to_dict(*_titles(result))
    rows = {"": result.learners, **_rows(result, values)}
    baselines.print_rows(rows, result.learners, max(_TITLE, *(len(title) + 1 for title in rows)))
    for line in numbers.undefined(_reasons(result, values)):
        print(line)


def _reasons(result: Result | PiecesResult, values: Values) -> dict[str, dict[str, str]]:
    """Return why measures are undefined, by learner, without those that are defined."""
    if all(None not in found.values() for found in values.values()):
        return {}  # and no need to load pandas, which takes 0.4 s
    wanted = _titles(result)
    reasons = result.reasons(*wanted)
    return {
        name: {measure: why for measure in wanted if (why := str(reasons.at[name, measure]))}
        for name in result.learners
    }


def _rows(result: Result | PiecesResult, values: Values) -> dict[str, list[str]]:
    """Return the printed rows: a title, and a cell for each learner."""
    found = [values[name] for name in result.learners]
    instances = len(result.stream) - max(result.pretrain, result.before_first_label)
    rows = {"instances": [f"{instances:,}"] * len(found)}
    rows |= baselines.missing_rows(result) | baselines.label_rows(found)
    for measure, title in _titles(result).items():
        rows[title] = [numbers.shown(measure, one[measure]) for one in found]
    return rows | baselines.cost_rows(found)


def _titles(result: Result | PiecesResult) -> dict[str, str]:
    """Return the measures that are printed, with their titles."""
    if result.task is CLASSES:
        return {name: _title(name) for name in REPORTED}
    return numbers.titles(result.learners)


def _title(measure: str) -> str:
    """Return the title of a measure, with its symbol."""
    from streameval.measures.registry import MEASURES

    about = MEASURES[measure]
    return about.title if measure == "accuracy" else f"{about.title} ({about.symbol})"
