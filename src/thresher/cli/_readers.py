"""`thresher readers`: a study in which many readers rated many cases."""

from __future__ import annotations

import json
import sys
from typing import Any, Literal

import numpy as np

import thresher as th
from thresher._core.checks import show
from thresher._core.json_state import plain
from thresher._readers import read_columns
from thresher.cli._chosen_columns import label_value
from thresher.cli._errors import UsageError, within
from thresher.cli._metric import AnyMetric
from thresher.cli._options import Confidence, File, Format
from thresher.cli._output import GATE_FAILED, print_rows, working
from thresher.cli._read import open_file
from thresher.exceptions import InvalidInputError

_NAMES = {
    "reader": ("reader", "rater", "observer", "radiologist"),
    "case": ("case", "patient", "image", "subject"),
    "modality": ("modality", "treatment", "test", "technique"),
    "truth": ("truth", "label", "y_true", "status", "gold"),
    "rating": ("rating", "score", "y_score", "confidence"),
}


def readers(
    file: File,
    /,
    *,
    reader: str | None = None,
    case: str | None = None,
    modality: str | None = None,
    truth: str | None = None,
    rating: str | None = None,
    pos_label: str | None = None,
    metric: AnyMetric = AnyMetric(),
    random: Literal["both", "readers", "cases"] = "both",
    covariance: Literal["influence", "unbiased", "jackknife", "bootstrap"] | None = None,
    show_as: Literal["means", "readers", "components", "sizes", "text"] = "means",
    difference: float | None = None,
    new: str | None = None,
    margin: float | None = None,
    confidence_level: Confidence = 0.95,
    format: Format = "table",  # the option's name
) -> int:
    """Compare modalities by the ratings of many readers, allowing for readers and cases.

    Example: thresher readers ratings.csv --metric roc_auc
    Example: thresher readers ratings.csv --new assisted --margin 0.05
    Example: thresher readers ratings.csv --show-as sizes --difference 0.05

    Parameters
    ----------
    file
        One rating a row, with columns for the reader, the case, the modality, the truth and the rating.
    reader
        The column of readers. Each column is found by its name if that is reader, case, modality, truth or rating.
    case
        The column of cases: a case has the same name wherever it is read.
    modality
        The column of modalities; without one there is one modality.
    truth
        The column that says whether a case is positive.
    rating
        The column of ratings: larger means more positive.
    pos_label
        The truth of positive cases, unless truths are 0 and 1, false and true, or -1 and 1.
    random
        What conclusions are about: readers and cases in general, or readers in general and these cases, or cases in
        general and these readers.
    covariance
        How the covariance over cases is estimated; by default from influence values if the metric has them.
    show_as
        means: means and differences; readers: every reader; components: the analysis of variance; sizes: how many
        cases a study needs to find --difference; text: sentences for a paper.
    difference
        The difference to be found, for sizes.
    new
        The modality that must be no worse than each other one by --margin; the exit code is 3 if that is not shown.
    margin
        By how much the metric of --new may be worse, above 0.
    """
    if (show_as == "sizes") != (difference is not None):
        raise UsageError("--difference must come with --show-as sizes, and only there. Hint: for example 0.05.")
    if (new is None) != (margin is None):
        raise UsageError("--new and --margin must come together. Hint: --new names the modality in question.")
    measure = metric.measure()
    given = {"reader": reader, "case": case, "modality": modality, "truth": truth, "rating": rating}
    with working() as work:
        study = _study(file, given, pos_label)
        with within(show(file, 200)), work.stage("analysing"):
            found = study.measure(
                measure,
                readers="fixed" if random == "cases" else "random",
                cases="fixed" if random == "readers" else "random",
                covariance=covariance,
                confidence_level=confidence_level,
            )
            rows = None if show_as == "text" else _rows(found, show_as, difference)
            others = [one.modality for one in found.means if one.modality != new]
            checked = [found.noninferiority(new, one, margin=margin) for one in others] if new and margin else []
    if rows is None:
        sys.stdout.write(json.dumps({"text": found.text()}) + "\n" if format == "json" else found.text() + "\n")
    else:
        print_rows(plain(rows), format, title=repr(found).splitlines()[0])
    for one in checked:
        sys.stderr.write(f"{'passed' if one.noninferior else 'gate failed'}: {one!r}\n")
    return 0 if all(one.noninferior for one in checked) else GATE_FAILED


def _study(file: str, given: dict[str, str | None], pos_label: str | None) -> th.results.ReaderStudy:
    """Read the columns of a file."""
    with open_file(file) as source:
        where = show(source.shown, 200)
        names: dict[str, str | None] = {}
        for what, named in given.items():
            known = {name.lower(): name for name in source.names}
            name = named or next((known[one] for one in _NAMES[what] if one in known), None)
            if (name is None and what != "modality") or (name is not None and name not in source.names):
                raise InvalidInputError(
                    f"{where} has no column {show(name or what)}. Hint: name it with --{what}; the columns are "
                    f"{', '.join(show(one, 40) for one in source.names[:20])}."
                )
            names[what] = name
        wanted = [name for name in names.values() if name is not None]
        if len(set(wanted)) < len(wanted):
            raise InvalidInputError(f"{where}: each of {', '.join(_NAMES)} must be a column of its own.")
        kind = source.kinds([str(names["truth"])])[str(names["truth"])]
        data = source.fetch(wanted, numbers=[str(names["rating"])])
    for name in wanted:
        if np.ma.is_masked(data[name]):
            row = int(np.flatnonzero(np.ma.getmaskarray(data[name]))[0])
            raise InvalidInputError(
                f"{where}, column {show(name)}: must not be missing; row {row} has none. Hint: remove that row. "
                "Rows are counted from 0, without the header."
            )
    columns = {what: None if name is None else np.asarray(data[name]) for what, name in names.items()}
    for what in ("reader", "case", "modality"):
        column = columns[what]
        if column is not None and column.dtype.kind == "O":
            columns[what] = column.astype(str)
    with within(where):
        return th.results.ReaderStudy(read_columns(columns, label_value(kind, pos_label)))


def _rows(found: th.results.ReaderAnalysis, show_as: str, difference: float | None) -> list[dict[str, Any]]:
    """Return the rows of what is asked for."""
    if show_as == "readers":
        order = list(dict.fromkeys(one.reader for one in found.cells))
        cells = [(one.reader, one.modality, one.value, one.standard_error, one.n_pos, one.n_neg) for one in found.cells]
        pairs = [
            (str(one.reader), f"{one.a} - {one.b}", one.difference, one.standard_error, None, None)
            for one in found.by_reader
        ]
        names = ("reader", "modality", found.metric, "standard_error", "positives", "negatives")
        rows = sorted([*cells, *pairs], key=lambda row: order.index(row[0]))
        return [dict(zip(names, row, strict=True)) for row in rows]
    source: Any = found if show_as == "means" else found.components
    if show_as == "sizes":
        source = found.sample_size(difference or 0.0)
    table = source._table()
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
