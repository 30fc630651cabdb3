"""What a run does, item by item: which learners, by which protocol, over which streams."""

from __future__ import annotations

from typing import Any

from streameval.evaluation.roles import COMPARATORS
from streameval.pipeline import work
from streameval.pipeline.captions import protocol_of
from streameval.pipeline.items import Item
from streameval.pipeline.plan import Plan
from streameval.protocols.registry import DEFAULT, parse

#: More instances than any stream has.
_ALL = 2**62
#: The frame of skills by bin.
_SKILLS = "skills"


def what_ran(plan: Plan) -> list[dict[str, Any]]:
    """Return what each item evaluates or reads, for a job's parameters.

    Items that read other items, or nothing, and run no learner are left out.

    Returns
    -------
    list of dict
        ``item``, its id; ``protocol``, in words, "" where no learner runs; ``learners``, their ids
        in the order of the registry; ``streams``, how many instances of each it looks at, at most;
        ``labels``, after how many labels it stops, by stream; and ``orders``, in which orders it
        runs over the instances.
    """
    rows = []
    for item in plan.items.values():
        streams = plan.streams_of(item) if item.streams else []
        learners = _learners(plan, item) if streams or item.kind.reads == "nothing" else []
        if streams or learners:
            labels = getattr(item.settings, "labels", {})
            most = {name: item.settings.rows(plan.registry[name].rows or _ALL) for name in streams}
            rows.append(
                {
                    "item": item.id,
                    "protocol": protocol_of(item) if learners else "",
                    "learners": learners,
                    "streams": most,
                    "labels": {name: labels[name] for name in streams if name in labels},
                    "orders": list(item.variants),
                }
            )
    return rows


def _learners(plan: Plan, item: Item) -> list[str]:
    named = {*item.learners, *item.settings.learners_read(), *item.settings.learners_run()}
    if item.kind.reads == "predictions":
        named |= {*COMPARATORS}
    elif not item.kind.trains:
        named = {*item.settings.learners_run()}
    return [name for name in plan.learners if name in named]


def own_evidence(plan: Plan) -> list[dict[str, Any]]:
    """Return where it stands whether learners beat baselines on streams of one's own.

    Returns
    -------
    list of dict
        ``stream``; ``protocol``, in words; and ``file``, with predictions in one sequence, or with
        skills by bin. For each stream files of predictions come first, the usual protocol before
        others.
    """
    usual = parse(DEFAULT)
    found = [
        (name, protocol.title, work.predictions_for(plan, name, protocol))
        for name, protocol in sorted(plan.predictions, key=lambda key: key[1] != usual)
        if name in plan.own and not protocol.has_folds
    ]
    for item in plan.items.values():
        if _SKILLS in item.kind.frames:
            found += [
                (name, protocol_of(item), work.frame_files(item, name)[_SKILLS])
                for name in work.shown_in(plan, item)
                if name in plan.own
            ]
    found.sort(key=lambda one: plan.streams.index(one[0]))
    return [dict(zip(("stream", "protocol", "file"), one, strict=True)) for one in found]
