"""`thresher from-errors`: what published figures say about the AUC."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter, validators

import thresher as th
from thresher.cli._errors import usage
from thresher.cli._options import Confidence, Format, Rate
from thresher.cli._output import print_rows

_WARNING = (
    "Cortes and Mohri's intervals assume that every ranking with that many errors is equally likely. They never use\n"
    "an observed AUC, and in large samples they miss scorers that rank usefully within the predicted classes. With a\n"
    "published AUC pass --auc and trust those intervals; with the scores at hand use `thresher auc`."
)


def from_errors(
    *,
    positives: Annotated[int, Parameter(validator=validators.Number(gte=1))],
    negatives: Annotated[int, Parameter(validator=validators.Number(gte=1))],
    errors: Annotated[int, Parameter(validator=validators.Number(gte=0))],
    auc: Rate = None,
    confidence_level: Confidence = 0.95,
    format: Format = "table",  # the option's name
) -> None:
    """Intervals for an AUC from class totals and an error count, as papers publish them.

    Example: thresher from-errors --positives 139 --negatives 164 --errors 39

    Parameters
    ----------
    positives, negatives
        How many examples of each class there are.
    errors
        How many of them were misclassified at the threshold used.
    auc
        The published AUC; with it come the intervals that are built around an observed AUC.
    """
    with usage():
        moments = th.auc_moments(positives, negatives, errors)
        plug_in = 0 < errors < positives + negatives
        rows = []
        for label, options in (
            ("Cortes-Mohri, Clopper-Pearson", {}),
            ("Cortes-Mohri, Theorem 2, normal", {"error_interval": "normal"}),
            ("Cortes-Mohri, Theorem 2, Chebyshev", {"error_interval": "chebyshev"}),
            # A plug-in distribution of no errors at all, or of nothing but errors, is one point.
            ("Cortes-Mohri, the paper's eps_k", {"eps": "gaussian", "law": "binomial" if plug_in else "predictive"}),
            ("Cortes-Mohri, water-filling", {"eps": "optimal"}),
        ):
            found = th.cortes_mohri(positives, negatives, errors, confidence_level=confidence_level, **options)  # type: ignore[arg-type]  # literal options
            rows.append(_row(label, float(moments.mean), found.low, found.high, "class totals and errors"))
        if auc is not None:
            for method in ("hanley-mcneil", "newcombe", "max-variance"):
                interval = th.roc_auc_interval(
                    auc, positives, negatives, method=method, confidence_level=confidence_level
                )
                rows.append(_row(method, auc, interval.low, interval.high, "class totals and the AUC"))
    title = f"AUC of {positives:,} positives and {negatives:,} negatives with {errors:,} errors"
    print_rows(rows, format, title=title, notes=[_WARNING])


def _row(method: str, auc: float, low: float, high: float, uses: str) -> dict[str, object]:
    return {"method": method, "auc": auc, "low": low, "high": high, "uses": uses}
