"""Protocols by name: texts and settings that stand for them, and the tapes they give."""

from __future__ import annotations

import dataclasses
import math
import re
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import pytest
from helpers.declared import right
from helpers.strategies import streams
from hypothesis import given, reject
from hypothesis import strategies as st
from naive import protocols as naive

from streameval.base.errors import ConfigError, DataError
from streameval.base.params import Count, Proportion, parameter
from streameval.base.values import NEVER
from streameval.protocols import registry
from streameval.protocols.folds import CrossValidation, RandomAllotment, cross_validation
from streameval.protocols.prequential import before_first_label, typical_delay
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import parse, protocol_forms
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.generators.sea import Sea


@dataclass(frozen=True)
class Everything(Protocol):
    """A protocol with a parameter of each type."""

    first: Count = parameter("a whole number")
    share: Proportion = parameter("a number", 0.5)
    flag: bool = parameter("a flag", False)
    word: Literal["one", "the_other"] = parameter("a word", "one")

    name: ClassVar[str] = "every_1"
    reference: ClassVar[str] = "none"
    needs_times: ClassVar[bool] = True
    title: ClassVar[str] = "everything"

    def _tapes(self, stream):
        return [Tape([0] * self.first, [PREDICT] * self.first, [1] * self.first)]


PROTOCOLS = {**registry.PROTOCOLS, Everything.name: Everything}


@pytest.fixture(autouse=True, scope="module")
def everything():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(registry, "PROTOCOLS", PROTOCOLS)
        yield


def test_each_is_registered_under_its_name():
    for name, protocol in PROTOCOLS.items():
        assert name == protocol.name
        assert re.fullmatch("[a-z][a-z0-9_]*", name)
        assert protocol.reference
        assert protocol.__doc__
        assert all(declared.description for declared in protocol.declared_parameters())


@st.composite
def settings_of(draw, protocols=PROTOCOLS, most=math.inf):
    """A mapping that names any protocol and some of its parameters, numbers up to `most`."""
    protocol = draw(st.sampled_from([*protocols.values()]))
    setting = {"name": protocol.name}
    for declared in protocol.declared_parameters():
        if declared.is_required or draw(st.booleans()):
            setting[declared.name] = draw(right(declared, most))
    try:
        parse(setting)
    except ConfigError:  # values that are wrong together, such as a strategy and its parameters
        reject()
    return setting


@given(settings_of())
def test_all_ways_to_write_a_protocol_mean_the_same(setting):
    result = parse(setting)
    assert result == parse(result) == parse(str(result)) == parse(result.file_form)
    assert hash(result) == hash(parse(str(result)))
    # Which instances test a model follows from how they come to folds, where it is not said.
    said = {key: value for key, value in setting.items() if (key, value) != ("tested", None)}
    assert {key: getattr(result, key) for key in said} == said
    words = [f"{key}={value}" for key, value in said.items() if key != "name"]
    assert parse(":".join([setting["name"], *words])) == result
    values = [str(getattr(result, declared.name)) for declared in result.declared_parameters()]
    assert parse(":".join([setting["name"], *values])) == result


@given(setting=settings_of(), other_setting=settings_of())
def test_a_text_identifies_a_protocol_and_can_be_a_file_name(setting, other_setting):
    first, second = parse(setting), parse(other_setting)
    assert (str(first) == str(second)) == (first.file_form == second.file_form) == (first == second)
    assert re.fullmatch(r"[a-z][a-z0-9_]*(-[a-z0-9_]+)*", first.file_form)


def test_texts_are_short():
    texts = {
        "prequential": {"name": "prequential", "pretrain": 0},
        "delayed-48": {"name": "delayed", "delay": 48},
        "partial-0_1": {"name": "partial", "budget": 0.1},
        "partial-0_01-uncertainty-48": {
            "name": "partial",
            "budget": 0.01,
            "strategy": "uncertainty",
            "delay": 48,
        },
        "cross_validation": {"name": "cross_validation", "tested": "learnt", "seed": 1},
        "cross_validation-10-held_out": {"name": "cross_validation", "tested": "held_out"},
        "bootstrap_validation-10-all-in_turn-7": {
            "name": "bootstrap_validation",
            "allotment": "in_turn",
            "seed": 7,
        },
        "every_1-3-0_25-true": {"name": "every_1", "first": 3, "share": 0.25, "flag": True},
        "every_1-3-0_000001": {"name": "every_1", "first": 3, "share": 1e-6},
    }
    for text, setting in texts.items():
        assert parse(setting).file_form == text
        assert str(parse(setting)) == text.replace("-", ":").replace("0_", "0.")
        assert parse(text) == parse(setting)


def test_values_and_names_may_be_mixed():
    expected = CrossValidation(5, seed=3)
    assert parse("cross_validation:5:seed=3") == expected
    assert parse("cross_validation:seed=3:5") == expected
    assert parse({"name": "cross_validation", "folds": "5", "seed": 3.0}) == expected
    assert parse(" cross_validation: 5 :seed=3") == expected
    assert parse("every_1:2:0.5:true") == Everything(2, 0.5, True)


def test_captions_say_what_is_done():
    titles = {
        "prequential:1000": "test-then-train (prequential) after 1,000 instances of training",
        "delayed:48": "labels delayed by 48 instances",
        "delayed:1": "labels delayed by 1 instance",
        "partial:0.005:every:1": "0.5 % of the labels, at equal distances, 1 instance later",
        "partial:0.1:exponent=0": "10 % of the labels, at random, of a class in proportion to its "
        "frequency to the power 0",
        "partial:1:variable_uncertainty:48": "100 % of the labels, by variable uncertainty, 48 "
        "instances later",
        "reevaluation": "continuous re-evaluation every 10 labels",
        "reevaluation:1": "continuous re-evaluation every label",
        "cross_validation:5:all": "5-fold cross-validation",
        "split_validation:tested=held_out": "10-fold split validation, tested on held-out "
        "instances",
        "bootstrap_validation:tested=learnt:allotment=in_turn": "10-fold bootstrap validation, "
        "tested on instances before they are learnt, instances allotted in turn",
    }
    assert {text: parse(text).title for text in titles} == titles


def test_how_each_is_written():
    assert protocol_forms() == [
        "prequential[:PRETRAIN]",
        "delayed:DELAY",
        "partial:BUDGET[:STRATEGY[:DELAY[:SEED[:EXPONENT[:THRESHOLD[:STEP[:RULES]]]]]]]",
        "reevaluation[:EVERY[:TIES]]",
        "cross_validation[:FOLDS[:TESTED[:ALLOTMENT[:SEED]]]]",
        "split_validation[:FOLDS[:TESTED[:ALLOTMENT[:SEED]]]]",
        "bootstrap_validation[:FOLDS[:TESTED[:ALLOTMENT[:SEED]]]]",
        "every_1:FIRST[:SHARE[:FLAG[:WORD]]]",
    ]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("prequental", "no protocol 'prequental'; there are prequential.*mean 'prequential'"),
        ("", "no protocol ''"),
        ({"name": "x" * 3000}, r"no protocol 'xxx.*\.\.\.'"),
        ({"name": ["delayed"]}, r"no protocol \"\['delayed'\]\""),
        (None, "expected a name or a mapping, found None"),
        ({}, "expected the key name, found no keys"),
        ({"delayed": 48}, "expected the key name, found delayed. Write {name: delayed, delay: 48}"),
        ("delayed", r"expected a value for delay \(number of .*Write delayed:DELAY"),
        ("delayed--1", "delayed: too many values in ':1'"),
        ("partial:0.1:evry", "at strategy: .*, found 'evry'. Did you mean 'every'"),
        ("delayed:1:2", "delayed: too many values in '1:2'. Write delayed:DELAY"),
        ("delayed:1:delay=2", "two values for delay in '1:delay=2'"),
        ({"name": "delayed", "delay": 10**400}, "at delay: .*, found 1000"),
        ({"name": "delayed", "lag": 3}, "unknown key 'lag'; known are delay"),
        ({"name": "delayed", 3: 3}, "unknown key '3'; known are delay"),
        ("cross_validation:fold=5", "unknown key 'fold'; known are .*'folds'"),
    ],
)
def test_mistakes_are_named(setting, message):
    with pytest.raises(ConfigError, match=message) as result:
        parse(setting)
    assert len(str(result.value)) < 1000


@given(stream=streams(), setting=settings_of())
def test_tapes_hold_rows_of_the_stream(stream, setting):
    if setting["name"] == Everything.name or setting.get("folds", 0) > 50:
        return
    result = parse(setting)
    if result.needs_times:
        clock = np.arange(len(stream))
        stream = dataclasses.replace(stream, time=clock // 2, label_time=clock + clock % 5)
    tapes = result.tapes(stream)
    assert len(tapes) == (result.folds if result.has_folds else 1)
    for tape in tapes:
        assert ((tape.row >= 0) & (tape.row < len(stream))).all()
        assert (tape.weight[(tape.op & LEARN) != 0] > 0).all()


@given(
    n=st.integers(1, 40),
    folds=st.integers(2, 6),
    scheme=st.sampled_from(["cross_validation", "split_validation", "bootstrap_validation"]),
    tested=st.sampled_from(["all", "held_out", "learnt"]),
    seed=st.integers(0, 2**31 - 1),
)
def test_folds_in_turn_are_those_of_the_twin(n, folds, scheme, tested, seed):
    result = parse(f"{scheme}:{folds}:{tested}:in_turn:{seed}").tapes(Sea().stream(n))
    expected = naive.folds_in_turn(n, folds, scheme, tested, seed)
    for tape, events in zip(result, expected, strict=True):
        assert [*zip(tape.row, tape.op, tape.weight, strict=True)] == events


def test_folds_at_random_depend_on_stream_and_seed():
    stream = Sea().stream(200)
    other = dataclasses.replace(stream, name="another")

    def weights(text, of=stream):
        return parse(text).tapes(of).weight

    first = weights("cross_validation:4:seed=2")
    key = ("protocol", stream.name, 2)
    np.testing.assert_array_equal(
        first, cross_validation(200, 4, allotment=RandomAllotment(key)).weight
    )
    np.testing.assert_array_equal(first, weights("cross_validation:4:tested=learnt:seed=2"))
    assert (first != weights("cross_validation:4:seed=3")).any()
    assert (first != weights("cross_validation:4:seed=2", other)).any()


@pytest.mark.parametrize("delay", [0, 1, 50, 500])
def test_the_typical_delay_is_that_of_constant_delays(delay):
    n = 200
    times = np.arange(n) * 7
    rng = np.random.default_rng(1)
    shuffled = rng.permutation(times)  # rows need not be in the order of their times
    stream = dataclasses.replace(Sea().stream(n), time=shuffled, label_time=shuffled + 7 * delay)
    result = typical_delay(stream)
    # Fewer instances than the delay are left at the end.
    expected = sorted(min(delay, n - 1 - row) for row in range(n))
    assert result == (expected[n // 2 - 1] + expected[n // 2]) // 2
    assert typical_delay(Sea().stream(n)) is None


def test_labels_that_never_arrive_are_later_than_all_others():
    never = np.iinfo(np.int64).max
    times = np.arange(5)
    stream = dataclasses.replace(
        Sea().stream(5), time=times, label_time=np.array([1, 2, never, 3, never])
    )
    assert typical_delay(stream) == 1  # 1, 1, 2, 0, 0


@pytest.mark.parametrize("ties", ["instance", "label"])
@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_known_before_the_first_label(ties, seed):
    n, rng = 12, np.random.default_rng(seed)
    time = rng.integers(0, 9, n)
    label_time = np.where(rng.random(n) < 0.5, NEVER, time + rng.integers(0, 9, n))
    label_time[0] = time[0] + 3
    stream = dataclasses.replace(Sea().stream(n), time=time, label_time=label_time)
    (tape,) = parse({"name": "reevaluation", "every": n, "ties": ties}).tapes(stream)
    learns = np.flatnonzero(tape.op != PREDICT)[0]
    assert before_first_label(stream, ties) == len({*tape.row[:learns].tolist()})


def test_without_any_label_nothing_is_known_at_all():
    stream = dataclasses.replace(Sea().stream(3), time=np.arange(3), label_time=np.full(3, NEVER))
    assert before_first_label(stream) == 3


def test_a_protocol_that_needs_times_says_so():
    stream = Sea().stream(4)
    with pytest.raises(DataError, match=rf"every_1: expected times .*{stream.name!r}.*label_time"):
        Everything(2).tapes(stream)
    times = np.arange(4)
    with pytest.raises(DataError, match="expected times"):
        Everything(2).tapes(dataclasses.replace(stream, time=times))
    timed = dataclasses.replace(stream, time=times, label_time=times + 1)
    assert len(Everything(2).tapes(timed)) == 1


def test_too_many_folds_for_the_memory_are_refused():
    with pytest.raises(DataError, match=r"100 instances .*2,000,000,000 folds"):
        parse("cross_validation:2000000000").tapes(Sea().stream(100))
