"""Rates of rejection over streams."""

from __future__ import annotations

import pytest
from helpers.shown_tables import cells_of
from helpers.type_error_frames import STREAMS, frame_files

from streameval.base.errors import ConfigError
from streameval.base.table_files import read_csv_table, write_csv
from streameval.drawing.subject import Subject
from streameval.items import kinds
from streameval.items.error_rates import RejectionsSettings as Settings
from streameval.items.error_rates import show
from streameval.items.error_rates.show import layout_rejections as layout
from streameval.items.inputs import ItemInput


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return frame_files(tmp_path_factory.mktemp("frames"))


def table(files, **settings):
    chosen = {"of": "errors", "tests": ("mcnemar",), "alternatives": ("same",)} | settings
    item = ItemInput(
        settings=Settings(**chosen), frames=files, columns=kinds()["rejections"].columns
    )
    return show.study_rejections({}, item), item


def test_the_lengths_of_runs_are_said(files, tmp_path):
    rates, item = table(files, by_stream=True)
    assert set(rates["instances"]) == {5000}
    shorter = read_csv_table(files["sea_50.rates"]).replace({"instances": {5000: 4000}})
    gaps = read_csv_table(files["sea_50.gaps"]).replace({"instances": {5000: 4000}})
    changed = dict(files)
    for name, frame in (("rates", shorter), ("gaps", gaps)):
        changed[f"sea_50.{name}"] = str(tmp_path / f"{name}.csv")
        write_csv(frame, changed[f"sea_50.{name}"])
    rates, item = table(changed, by_stream=True)
    lengths = rates.groupby("stream")["instances"].unique().map(list).to_dict()
    assert lengths == {"rbf_0_0": [5000], "sea_50": [4000], "hyp_10_0.001": [5000], "all": [4000]}
    notes = layout(rates, Subject(settings=item.settings)).notes
    assert notes[0].startswith("Runs of 4,000 to 5,000 instances.")


def test_streams_keep_their_order_and_their_own_intervals(files):
    rates, item = table(files, by_stream=True, alternatives=("same", "noise 0.1"))
    assert list(dict.fromkeys(rates["stream"])) == [*STREAMS, "all"]
    row = rates[(rates["stream"] == "hyp_10_0.001") & (rates["alternative"] == "noise 0.1")].iloc[0]
    assert (row["low"], row["high"]) == pytest.approx((0.90, 1.0))
    table_layout = layout(rates, Subject(settings=item.settings, streams={"rbf_0_0": "RBF"}))
    assert cells_of(table_layout)["Stream"].tolist()[0] == "RBF, non-prequential"
    assert cells_of(table_layout)["Stream"].tolist()[-1] == "Average, prequential"
    assert "sea_50 (simulated), prequential" in cells_of(table_layout)["Stream"].tolist()
    assert cells_of(table_layout).columns[1:4].tolist() == [
        "same: bootstrap",
        "same: cv",
        "same: split",
    ]
    assert cells_of(table_layout).iloc[0, 1] == "0.15"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tests": ("wilcoxn",)}, "no test 'wilcoxn'.*Did you mean.*wilcoxon"),
        ({"alternatives": ("noise 0.2",)}, "no alternative 'noise 0.2'"),
    ],
)
def test_names_are_checked(files, settings, message):
    with pytest.raises(ConfigError, match=message):
        table(files, **settings)
