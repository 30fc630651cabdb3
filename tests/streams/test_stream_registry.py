"""The registry of streams."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
import yaml

from streameval.base.errors import ConfigError, DataError
from streameval.streams.generators import generate_instances
from streameval.streams.making import convert, synthesise
from streameval.streams.raw.fetch import mirror_folder
from streameval.streams.readers.content import measure
from streameval.streams.registry import FileSpec, GeneratorSpec, find_spec, load_registry, make_spec
from streameval.streams.variants import file_stem

# id -> rows, inputs, classes as the papers and the files have them, and the digest of the stream
# of the raw file, for those of the package.
REAL = {
    "elec2": (45_312, 8, 2, "ca8a403bd0cf4d88"),
    "elec2_mlj": (45_312, 5, 2, "f575a41712218e07"),
    "covtype": (581_012, 54, 7, ""),
    "kdd99": (494_021, 41, 23, "a162682c6f4ecfd3"),
    "kdd99_head": (65_536, 41, 19, "b79e90512da1fa29"),
    "ozone": (2_536, 72, 2, "ca1f8adfeaf96185"),
    "airlines": (539_383, 7, 2, ""),
    "poker": (829_201, 10, 10, ""),
    "dataexpo_atl": (7_541, 10, 3, "d290f43573945761"),
    "dataexpo_atl_evolving": (7_541, 12, 3, "ca4e51c5dc68f704"),
    "elec2_dayahead": (44_204, 149, 2, "5a9a17177ed6f15f"),
    "hyperplane_delayed": (350, 2, 2, "5ae974096b15bb07"),
    "bike": (17_379, 12, 0, "c0873a3803d17c9c"),
}


def write(folder, entries):
    path = folder / "streams.yaml"
    path.write_text(yaml.safe_dump({"streams": entries}), encoding="utf-8")
    return path


def test_the_registry_has_the_papers_streams():
    registry = load_registry()
    files = {key: spec for key, spec in registry.items() if isinstance(spec, FileSpec)}
    assert set(REAL) <= set(files)
    for key, spec in files.items():
        assert spec.id == key
        # An extract of the flights, and members of an archive, are nowhere to be downloaded.
        nowhere = ("dataexpo_atl_evolving", "insects_abrupt", "insects_abrupt_imbalanced")
        assert bool(spec.addresses) == (key not in nowhere)
        assert spec.licence
        assert spec.citation
        if key in REAL:
            assert (spec.rows, spec.columns, spec.classes) == REAL[key][:3]
        if spec.class_counts is not None:
            assert len(spec.class_counts) == spec.classes
            # Of the Hyperplane stream 100 labels never arrive.
            unlabelled = 100 if key == "hyperplane_delayed" else 0
            assert sum(spec.class_counts.values()) == spec.rows - unlabelled


def test_an_entry_survives_as_plain_data():
    for spec in load_registry().values():
        plain = json.loads(json.dumps(asdict(spec)))
        if isinstance(spec, FileSpec):
            assert FileSpec.from_dict(plain) == spec
        else:
            assert GeneratorSpec(**plain) == spec
            assert spec.citation or spec.generator == "markov"


def test_a_users_own_file_and_a_generator(tmp_path):
    (tmp_path / "mine.csv").write_text("a,c\n1,u\n2,v\n")
    file_entry = {"title": "Mine", "file": str(tmp_path / "mine.csv"), "reader": "csv"}
    generated_entry = {
        "title": "SEA",
        "generator": "sea",
        "parameters": {"function": 2},
        "rows": 1000,
    }
    path = write(
        tmp_path, {"mine": file_entry | {"options": {"target": "c"}}, "sea_2": generated_entry}
    )
    registry = load_registry(path)
    spec = registry["mine"]
    assert isinstance(spec, FileSpec)
    stream = convert(spec, Path("anywhere") / spec.file)
    assert (stream.name, stream.source, len(stream)) == ("mine", "Mine", 2)
    assert spec.origin == "your file"
    sea = registry["sea_2"]
    assert isinstance(sea, GeneratorSpec)
    assert (sea.generator, sea.parameters, sea.rows) == ("sea", {"function": 2}, 1000)
    assert find_spec(registry, "mine") is spec
    with pytest.raises(ConfigError, match=r"no stream 'yours' .*registry.* mine, sea"):
        find_spec(registry, "yours")


ENTRY = {"title": "T", "file": "t.csv", "reader": "csv", "options": {"target": "c"}}
ELEC2 = {"file": "elec2.parquet", "options": {"target": "class"}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reader": "excel"}, "reader.*'excel'"),
        (
            {"addresses": [{"url": "https://example.org/t.csv"}]},
            "expected the key sha256, found addresses",
        ),
        ({"generator": "sea"}, "streams.one"),
        ({"options": {"targt": "c"}}, r"reader 'csv', found unknown targt; no target.*target,"),
        ({"options": {"target": "c", "name": "two"}}, "unknown name"),
        ({"bundled": ELEC2 | {"file": "elec.parquet"}}, "bundled file 'elec.parquet'.*'elec2.par"),
        ({"bundled": ELEC2 | {"rule": "day"}}, r"at streams.one.bundled.rule: .*'day'.*day_ahead"),
        ({"bundled": ELEC2 | {"rule": "day_ahead"}}, "of the rule 'day_ahead', found unknown targ"),
        ({"bundled": {"file": "elec2.parquet"}}, "of the reader 'parquet', found no target"),
        ({"bundled": ELEC2, "file": ""}, "file: expected a path within"),
    ],
)
def test_bad_entries(tmp_path, change, message):
    with pytest.raises(ConfigError, match=message):
        load_registry(write(tmp_path, {"one": ENTRY | change}))


@pytest.mark.parametrize("lacking", ["file", "reader"])
def test_an_entry_has_a_file_and_a_reader_unless_the_package_has_the_stream(tmp_path, lacking):
    rest = {key: ENTRY[key] for key in ENTRY if key != lacking}
    for entry in (rest, rest | {"bundled": ELEC2}):
        with pytest.raises(ConfigError, match=f"expected the key {lacking}, found"):
            load_registry(write(tmp_path, {"one": entry}))
    (spec,) = load_registry(write(tmp_path, {"one": {"title": "T", "bundled": ELEC2}})).values()
    assert (spec.file, spec.origin, spec.has_label_times) == ("", "in the package", False)


@pytest.mark.parametrize("key", [key for key in REAL if REAL[key][3]])
def test_streams_of_the_package_are_those_of_the_raw_files(key):
    spec = load_registry()[key]
    stream = convert(spec, spec.bundled.path)
    assert (*stream.X.shape, stream.n_classes, stream.digest[:16]) == REAL[key]
    assert (stream.name, stream.source) == (key, spec.title)
    assert (stream.time is not None) == spec.has_label_times


def test_convert_lists_all_that_differs(tmp_path):
    (tmp_path / "t.csv").write_text("a,c\n1,u\n2,v\n3,v\n")
    counts = {"u": 1, "v": 2}
    right = FileSpec(id="t", **ENTRY, rows=3, columns=1, classes=2, class_counts=counts)
    assert len(convert(right, tmp_path / "t.csv")) == 3
    counts = {"u": 1, "v": 1, "w": 5}
    wrong = replace(right, rows=4, columns=2, classes=3, class_counts=counts)
    message = (
        "rows: expected 4, found 3; columns: expected 2, found 1; classes: expected 3, found 2; "
        "rows of class 'v': expected 1, found 2; rows of class 'w': expected 5, found 0"
    )
    with pytest.raises(DataError, match=message):
        convert(wrong, tmp_path / "t.csv")
    odd = replace(right, options={"sep": ";"})
    with pytest.raises(ConfigError, match=r"options .*'csv', found"):
        convert(odd, tmp_path / "t.csv")


def test_a_day_without_quotes_is_an_option():
    # Snakemake reads 2008-01-31 as a date, and the registry as a text.
    row = {"title": "T", "file": "a.csv", "reader": "csv"}
    spec = make_spec("days", row | {"options": {"target": date(2008, 1, 31)}})
    assert isinstance(spec, FileSpec)
    assert spec.options == {"target": "2008-01-31"}


def test_options_of_the_registry_are_known_to_the_readers(tmp_path):
    # A file that does not exist is a DataError; an unknown option would be a ConfigError.
    for spec in load_registry().values():
        if isinstance(spec, FileSpec) and spec.reader:
            with pytest.raises(DataError, match="expected a file, found none"):
                convert(spec, tmp_path / "none")


def made(**change):
    entry = {"title": "Made", "generator": "sea", "rows": 100, "columns": 3, "classes": 2}
    return GeneratorSpec(**{"id": "made", **entry, **change})


def test_a_generated_stream_is_named_by_its_entry():
    stream = synthesise(made(parameters={"function": 2}))
    assert (stream.name, stream.source, len(stream)) == ("made", "Made", 100)
    assert stream.digest == generate_instances("sea", 100, function=2).digest
    assert (stream.time, stream.label_time) == (None, None)


def test_a_delay_gives_time_stamps():
    stream = synthesise(made(rows=4, label_delay=3))
    assert stream.time.tolist() == [0, 1, 2, 3]
    assert stream.label_time.tolist() == [3, 4, 5, 6]
    plain = synthesise(made(rows=4))
    assert replace(stream, time=None, label_time=None).digest == plain.digest
    assert synthesise(made(rows=2, label_delay=0)).label_time.tolist() == [0, 1]


def test_inputs_are_rounded():
    plain, rounded = synthesise(made(rows=50)), synthesise(made(rows=50, decimals=2))
    # Digits as a file has them.
    expected = [[float(f"{value:.2f}") for value in row] for row in plain.X]
    assert rounded.X.tolist() == expected
    assert rounded.y.tolist() == plain.y.tolist()
    assert rounded.digest != plain.digest


def test_a_generated_stream_is_checked():
    wrong = made(columns=4, classes=3)
    message = (
        "Stream 'made': columns: expected 4, found 3; classes: expected 3, found 2. Correct the "
        "parameters or these numbers."
    )
    with pytest.raises(ConfigError, match=message):
        synthesise(wrong)
    with pytest.raises(ConfigError, match=r"'made': rows: .*found 0"):
        synthesise(made(rows=None))


def test_parameters_are_known_before_anything_is_generated(tmp_path):
    parts = {"before": {"generator": "sea"}, "after": {"generator": "sea", "colour": 1}}
    drift = {"generator": "concept_drift", "parameters": parts | {"position": 5}}
    message = "^Stream 'one': In after: Generator sea: unknown parameter colour"
    with pytest.raises(ConfigError, match=message):
        load_registry(write(tmp_path, {"one": {"title": "Made", "rows": 100, **drift}}))


def test_a_stream_stands_for_one_that_there_is(tmp_path):
    generated_entry = {"title": "Made", "generator": "sea", "rows": 100}
    entries = {"one": generated_entry, "two": generated_entry | {"stands_for": "one"}}
    registry = load_registry(write(tmp_path, entries))
    assert [registry[name].stands_for for name in entries] == [None, "one"]
    entries["two"]["stands_for"] = "oen"
    with pytest.raises(ConfigError, match=r"'two': stands_for: .*stream, found 'oen'"):
        load_registry(write(tmp_path, entries))


def test_an_id_may_end_in_a_fraction(tmp_path):
    entry = {"title": "T", "generator": "sea", "rows": 10}
    assert list(load_registry(write(tmp_path, {"hyp_10_0.001": entry}))) == ["hyp_10_0.001"]
    assert file_stem("hyp_10_0.001:shuffled:1") == "hyp_10_0.001.shuffled.1"
    for wrong in ("1x", "a.b", "a.1.parquet", "a.", "a..1", "a/1"):
        with pytest.raises(ConfigError, match="expected an id"):
            load_registry(write(tmp_path, {wrong: entry}))


@pytest.mark.realdata
# The three others are not to be had everywhere; the workflow checks them when it has them.
@pytest.mark.parametrize(
    "key", sorted(set(REAL) - {"covtype", "airlines", "poker", "dataexpo_atl_evolving"})
)
def test_real_files_are_what_the_registry_says(key):
    spec = load_registry()[key]
    folder = mirror_folder()
    assert folder is not None, "realdata tests need STREAMEVAL_DATA"
    content = measure(folder / spec.file)
    assert (content.size, content.sha256) == (spec.size, spec.sha256)
    stream = convert(spec, folder / spec.file)
    assert (*stream.X.shape, stream.n_classes, stream.digest[:16]) == REAL[key]


def test_the_head_of_kdd99_has_the_published_numbers(real_stream):
    stream = real_stream("kdd99_head")
    counts = np.sort(np.bincount(stream.y))[::-1]
    # Table 2 of Bifet et al. (2013): 0.60, 0.18 and 0.17, rounded; the others 0.99, truncated.
    assert [round(count / len(stream), 2) for count in counts[:3].tolist()] == [0.6, 0.18, 0.17]
    for code in np.argsort(-np.bincount(stream.y))[:3]:
        follows = stream.y[1:][stream.y[:-1] == code] == code
        assert np.floor(100 * follows.mean()) == 99
    assert np.floor(100 * np.mean(stream.y[1:] == stream.y[:-1])) == 99
