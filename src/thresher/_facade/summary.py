"""`th.summary`: one row a model, with the figures that belong beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thresher._core.checks import check_confidence_level, show
from thresher._core.digits import beside_interval, count_text
from thresher._core.presented import Presented, Row
from thresher._core.values import value
from thresher._facade.scores import Scores
from thresher.exceptions import InvalidInputError, InvalidTypeError, UndefinedMetricError
from thresher.measures import Estimate, Measure, as_measure


@value(repr=False)
class Summary(Presented):
    """A table of models: row counts, and metrics with their intervals.

    Attributes
    ----------
    estimates : mapping of str to tuple of Estimate
        The figures of each model, in the order in which they were asked for.
    confidence_level : float
        Of the intervals.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.summary({name: th.Scores(data.y_true, score) for name, score in data.models.items()})
    >>> found.best("pr_auc")
    'logistic'
    """

    _records = "models"

    estimates: Mapping[str, tuple[Estimate, ...]]
    confidence_level: float

    def best(self, metric: str | Measure, **options: Any) -> str:
        """Return the model with the best value of a metric, the lowest of a loss; the first if several are equal.

        Parameters
        ----------
        metric : str or Measure
            Any metric, shown in the summary or not.
        **options
            Its options.

        Examples
        --------
        >>> import thresher as th
        >>> models = {"a": th.Scores([0, 1, 1], [1, 2, 3]), "b": th.Scores([0, 1, 1], [3, 2, 1])}
        >>> th.summary(models).best("roc_auc")
        'a'
        >>> th.summary(models).best("f1", threshold=3)
        'a'
        """
        asked = [one.measure for one in next(iter(self.estimates.values()))]
        named = [one for one in asked if isinstance(metric, str) and not options and one.title == metric]
        chosen = named[0] if len(named) == 1 else as_measure(metric, **options)
        if chosen in asked:
            place = asked.index(chosen)
            values = {name: figures[place].value for name, figures in self.estimates.items()}
        else:
            values = {name: chosen.estimate(figures[0].counts).value for name, figures in self.estimates.items()}
        known = {name: chosen.sign * one for name, one in values.items() if one == one}
        if not known:
            raise UndefinedMetricError(
                f"{chosen.title!r} must be defined for some model; it is for none of {len(values)}. "
                "Hint: choose a threshold at which some rows are predicted positive."
            )
        return max(known, key=lambda name: known[name])

    def _names(self) -> dict[Measure, str]:
        """Return what the columns are called; figures of one name with other options are told apart by them."""
        asked = [one.measure for one in next(iter(self.estimates.values()))]
        titles = [one.title for one in asked]
        return {one: one.title if titles.count(one.title) == 1 else one.described() for one in asked}

    def remarks(self) -> list[str]:
        """Return the warnings of the intervals, each with its model and metric.

        Examples
        --------
        >>> import thresher as th
        >>> found = th.summary(th.Scores.from_pos_neg(range(20, 28), range(20)), metrics="roc_auc")
        >>> [line.partition(" that")[0] for line in found.remarks()]
        ['model: This sample has no misranked case']
        """
        level = self.confidence_level
        pairs = [(name, one) for name, row in self.estimates.items() for one in row]
        return [f"{name}: {note}" for name, one in pairs for note in one._quiet_interval(level)[1]]

    def _facts(self) -> Row:
        return {"confidence_level": self.confidence_level, "remarks": self.remarks()}

    def _columns(self) -> dict[str, list[Any]]:
        rows = [self._row(name, figures) for name, figures in self.estimates.items()]
        return {name: [row[name] for row in rows] for name in rows[0]}

    def _row(self, name: str, figures: tuple[Estimate, ...]) -> Row:
        counts = figures[0].counts
        names = self._names()
        row: Row = {"model": name, "n_pos": counts.n_pos, "n_neg": counts.n_neg, "prevalence": counts.prevalence}
        for estimate in figures:
            found = estimate.to_dict(self.confidence_level)
            title = names[estimate.measure]
            row |= {title: found["value"], f"{title}_low": found["low"], f"{title}_high": found["high"]}
        return row

    def __repr__(self) -> str:
        table = self._columns()
        titles = list(self._names().values())
        lines = [["model", "positives", "negatives", *titles]]
        for i, name in enumerate(self.estimates):
            totals = [table[side][i] for side in ("n_pos", "n_neg")]
            cells = [name, *map(count_text, totals)]
            for title in titles:
                low, high = table[f"{title}_low"][i], table[f"{title}_high"][i]
                if low is None:
                    cells.append(f"{table[title][i]:.4f}")
                    continue
                shown, low, high = beside_interval(low, high, table[title][i], most=4)
                cells.append(f"{shown} [{low}, {high}]")
            lines.append(cells)
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        size = len(self.estimates)
        out = [f"Summary of {size} model{'s' if size > 1 else ''}, {self.confidence_level * 100:g}% intervals"]
        for first, *rest in lines:
            aligned = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
            out.append("  " + "  ".join([first.ljust(widths[0]), *aligned]))
        return "\n".join([*out, *(f"  {line}" for line in self.remarks())])


def summary(
    models: Mapping[str, Scores] | Scores,
    *,
    metrics: Sequence[str | Measure] = ("roc_auc", "pr_auc"),
    confidence_level: float = 0.95,
) -> Summary:
    """Return a table with one row for each model: its row counts, both areas and their intervals.

    Parameters
    ----------
    models : mapping of str to Scores
        The models by name; one Scores alone is called "model".
    metrics : sequence of str or Measure, default=("roc_auc", "pr_auc")
        The figures: names of `thresher.measures.names()`, or objects of `thresher.measures`.
    confidence_level : float, default=0.95
        Strictly between 0 and 1.

    Returns
    -------
    Summary
        With `to_frame`, `to_markdown`, `to_latex`, `to_dict` and `to_json`.

    See Also
    --------
    compare : Whether models differ: intervals of single models that overlap do not say that they do not.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> models = {name: th.Scores(data.y_true, score) for name, score in data.models.items()}
    >>> th.summary(models)
    Summary of 2 models, 95% intervals
      model     positives  negatives               roc_auc                pr_auc
      logistic        174      1,623  0.975 [0.961, 0.983]  0.870 [0.809, 0.905]
      tree            174      1,623  0.879 [0.843, 0.910]  0.605 [0.520, 0.687]
    >>> th.summary(models).to_frame("pandas")[["model", "roc_auc"]].round(3).values.tolist()
    [['logistic', 0.975], ['tree', 0.879]]
    """
    level = check_confidence_level(confidence_level)
    named = {"model": models} if isinstance(models, Scores) else models
    if not isinstance(named, Mapping):
        raise InvalidTypeError(
            f"`models` must be a dict of names to Scores; got {show(models)}. "
            'Hint: {"model": th.Scores(y_true, y_score)}.'
        )
    if not named:
        raise InvalidInputError("`models` must hold at least one model; got none.")
    figures = [as_measure(metrics)] if isinstance(metrics, str | Measure) else [as_measure(one) for one in metrics]
    if not figures:
        raise InvalidInputError("`metrics` must name at least one metric; got none. Hint: leave it out for both areas.")
    for name, scores in named.items():
        if not isinstance(scores, Scores):
            raise InvalidTypeError(
                f"`models` must hold Scores; got {type(scores).__name__} for {show(name)}. "
                "Hint: th.Scores(y_true, y_score)."
            )
    return Summary({str(name): tuple(one.estimate(s) for one in figures) for name, s in named.items()}, level)
