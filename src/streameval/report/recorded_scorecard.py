"""The scorecard of recorded runs: published numbers and claims compared with long runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path

import pandas as pd

from streameval.base.table_files import read_csv_table
from streameval.evaluation.decisions import DECISIONS
from streameval.evaluation.records import Record, record_dates
from streameval.report.claims import NOT_RUN
from streameval.report.names import item_title
from streameval.report.number_verdicts import agrees
from streameval.report.published import PublishedPaper
from streameval.report.results import Results
from streameval.report.scorecard import COLUMNS, scorecard
from streameval.view.numbers import number_text


def recorded_scorecard(
    papers: Iterable[PublishedPaper], published_dir: Path | str, records: Sequence[Record]
) -> pd.DataFrame:
    """Compare recorded runs with the numbers and claims of their papers.

    Numbers and claims without results in the record are left out, and so are claims that
    arithmetic alone decides.
    """
    papers_by_id = {paper.id: paper for paper in papers}
    cards = []
    for record in records:
        if record.study in papers_by_id:
            paper = [papers_by_id[record.study]]
            card = scorecard(paper, published_dir, record_results(record))
            verdicts_without_results = scorecard(paper, published_dir, Results({}))["verdict"]
            needs_results = verdicts_without_results.str.startswith(NOT_RUN)
            has_results = ~card["verdict"].str.startswith(NOT_RUN)
            cards.append(card[needs_results & has_results].assign(record=record.name))
    rows = pd.concat(cards or [pd.DataFrame(columns=COLUMNS)], ignore_index=True)
    return rows.reindex(columns=["record", *COLUMNS])


def average_intervals(
    papers: Iterable[PublishedPaper], published_dir: Path | str, record: Record
) -> pd.DataFrame:
    """Intervals of averages of a record, and whether they agree with the published averages.

    There is a row for each published average over more streams than the record has. The columns
    are item, key, width (of the interval) and agrees.
    """
    rows, results = [], record_results(record)
    for paper in papers:
        for table in paper.tables if paper.id == record.study else ():
            for key, published in table.read_numbers(Path(published_dir), paper.id):
                finding = table.find(results, f"{paper.id}/{table.item}", key)
                if finding.interval and finding.lower_scale:
                    low, high = finding.interval
                    rows.append((table.item, key, high - low, agrees(Decimal(published), finding)))
    return pd.DataFrame(rows, columns=["item", "key", "width", "agrees"])


def agreement_sentences(
    papers: Sequence[PublishedPaper], published_dir: Path | str, records: Iterable[Record]
) -> Iterator[str]:
    """Yield a sentence for each table with the averages of `average_intervals`, by record."""
    for record in records:
        averages = average_intervals(papers, published_dir, record)
        for item, rows in averages.groupby("item", sort=False):
            yield (
                f"{record.name}: averages of {item_title(str(item))} within sampling error: "
                f"{number_text(int(rows['agrees'].sum()))} of {number_text(len(rows))}, by "
                f"intervals about these streams that are {number_text(rows['width'].min(), 2)} to "
                f"{number_text(rows['width'].max(), 2)} wide."
            )


def recomputable_sentences(records: Iterable[Record]) -> Iterator[str]:
    """Yield a sentence on each record: which tests can be computed again from its counts."""
    for record in records:
        test_columns = [
            read_csv_table(record.folder / name)["test"]
            for entry in record.streams.values()
            for name in entry["files"]
            if name.endswith(".rates.csv")
        ]
        tests = [
            test
            for name, test in DECISIONS.items()
            if any(name in set(column) for column in test_columns)
        ]
        recomputable = ", ".join(test.title for test in tests if test.takes_pooled_counts)
        others = ", ".join(test.title for test in tests if not test.takes_pooled_counts)
        if recomputable and others:
            yield (
                f"{record.name}: its counts of each run are over all folds. They are enough to "
                f"compute {recomputable}, again, but not {others}, which need counts by fold or by "
                "time. `repeat` repeats the runs."
            )


def record_results(record: Record) -> Results:
    """The content of a record as the results of a run."""
    # Names with a folder are tables of other studies.
    sources = {
        name if "/" in name else f"{record.study}/{name}": record.folder / "tables" / f"{name}.csv"
        for name in (path.removesuffix(".csv") for path in record.description["tables"])
    }
    for entry in record.streams.values():
        if entry["simulated"]:  # not compared with published numbers
            continue
        for name in (file for file in entry["files"] if file.endswith(".csv")):
            sources[f"{record.description['item']}/{Path(name).stem}"] = record.folder / name
    return Results(sources, record.description["left_out"])


def record_descriptions(records: Iterable[Record]) -> Iterator[str]:
    """Yield a sentence on each record: tables, streams, date and computing time."""
    for record in records:
        description, streams = record.description, record.streams
        names = [path.removesuffix(".csv") for path in description["tables"]]
        # Names with a folder are tables of other studies.
        titles = [item_title(name) for name in names if "/" not in name]
        items = " and ".join(filter(None, (", ".join(titles[:-1]), *titles[-1:])))
        lengths = sorted({entry["instances"] for entry in streams.values()})
        longest = f"{'up to ' * (len(lengths) > 1)}{number_text(lengths[-1])} instances"
        runs = max(entry["runs"] for entry in streams.values())
        hours = sum(entry["core_hours"] for entry in streams.values())
        left_out = (
            f"; without {', '.join(description['left_out'])}" if description["left_out"] else ""
        )
        plural = "s" * (len(streams) != 1)
        yield (
            f"{record.name}: {items} from {number_text(len(streams))} stream{plural}{left_out}; "
            f"{longest}, {number_text(runs)} runs each; recorded {record_dates(description)}, in "
            f"{number_text(hours, 1)} core-hours."
        )
