"""Results that travel: as a frame, plain data, JSON, Markdown and LaTeX, from the rows that each result declares."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, ClassVar

import narwhals.stable.v2 as nw
import numpy as np

from thresher._core.checks import check_choice, check_count
from thresher._core.json_state import RESULTS, decoded, encoded, plain
from thresher._core.notebook_html import MOST_ROWS, Picture, figure_html, table_html, words_html
from thresher._core.openmetrics import openmetrics
from thresher._core.result_bases import Guessed
from thresher.exceptions import InvalidInputError, InvalidTypeError, MissingDependencyError

Row = dict[str, Any]
FRAMES = ("pandas", "polars", "pyarrow")
# A threshold that was rounded calls other rows, so these are written with all their digits.
_EXACT = frozenset({"threshold", "thresholds", "mix_high", "mix_low"})
_NUMBERS = (int, float, type(None))
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


class OfMeasure:
    """A result of one measure, whose name and options are read from it."""

    __slots__ = ()
    measure: Any

    @property
    def metric(self) -> str:
        """The name of the metric, the most specific that its options have."""
        return str(self.measure.title)

    @property
    def options(self) -> dict[str, Any]:
        """The options of the metric that were given."""
        return dict(self.measure.options)


class Noted:
    """A result that keeps what its call warned of."""

    __slots__ = ()
    _notes: tuple[str, ...]

    def remarks(self) -> list[str]:
        """Return notes for the reader: all warnings of the call, the most important first.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> th.compare(data.y_true, data.models).remarks()
        []
        """
        return list(self._notes)


class Presented(Guessed):
    """What every result does with its rows of named values.

    A result says what its rows are: `_facts` gives what is true of the whole (its single parts, unless it says
    otherwise), `_columns` what there is of many (its arrays, or the results in the part that `_records` names). Where
    there are no columns, the facts are the one row.
    """

    __slots__ = ()
    _records: ClassVar[str | None] = None
    """What `to_dict` calls the rows, where they are read one by one; columns are given apart otherwise."""

    def __init_subclass__(cls, **words: Any) -> None:
        super().__init_subclass__(**words)
        RESULTS[cls.__name__] = cls

    def _facts(self) -> Row:
        names = (name for name in self._parts if not name.startswith("_"))  # type: ignore[attr-defined]  # of a Value
        return {name: getattr(self, name) for name in names if _is_single(getattr(self, name))}

    def _columns(self) -> Mapping[str, Sequence[Any] | np.ndarray[Any, Any]] | None:
        if self._records is not None:
            return _side_by_side([one._facts() for one in getattr(self, self._records)])
        public = (name for name in self._parts if not name.startswith("_"))  # type: ignore[attr-defined]  # of a Value
        arrays = {name: getattr(self, name) for name in public if isinstance(getattr(self, name), np.ndarray)}
        return arrays or None

    def _table(self) -> dict[str, list[Any]]:
        columns = self._columns()
        if columns is None:
            return {name: [cell] for name, cell in self._facts().items() if _is_single(cell)}
        return {name: _listed(column) for name, column in columns.items()}

    def _ends(self, most: int) -> tuple[dict[str, list[Any]], int]:
        """Return the first and the last rows, `most` in all, and how many are left out between them."""
        columns = self._columns()
        size = 0 if columns is None else max(map(len, columns.values()), default=0)
        if columns is None or size <= most + 1:
            return self._table(), 0
        first, last = most // 2, size - most // 2
        return {name: [*_listed(one[:first]), *_listed(one[last:])] for name, one in columns.items()}, last - first

    def _arrays(self) -> dict[str, list[Any] | np.ndarray[Any, Any]]:
        """Return the rows by column: arrays of numbers whole, in the types that Python's numbers have."""
        columns = self._columns()
        if columns is None:
            return dict(self._table())
        return {name: _as_numbers(column) for name, column in columns.items()}

    def to_dict(self) -> Row:
        """Return plain data: numbers, text, lists and dicts, and nothing else.

        Returns
        -------
        dict
            Figures by name. Undefined ones are NaN, and the first threshold of a curve is infinite, as everywhere.

        Examples
        --------
        >>> import thresher as th
        >>> curve = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc()
        >>> curve.to_dict()["tpr"]
        [0.0, 0.5, 0.5, 1.0, 1.0]
        >>> point = curve.at(threshold=0.35).to_dict()
        >>> point["tp"], point["recall"]
        (2, 1.0)
        """
        out = {name: plain(fact) for name, fact in self._facts().items()}
        if self._columns() is None:
            return out
        table = self._table()
        if self._records is None:
            return out | table
        return {**out, self._records: [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]}

    def to_json(self, *, indent: int | None = None) -> str:
        """Return JSON, from which `thresher.results.from_json` makes an equal result.

        Beside the figures of `to_dict` it holds the type, the version of thresher and, under "state", what the figures
        do not show, such as the counts behind an estimate. Numbers keep all their digits; NaN is null, infinities are
        the texts "inf" and "-inf".

        Parameters
        ----------
        indent : int, optional
            Spaces for each level, for people to read; one line by default.

        Returns
        -------
        str

        Examples
        --------
        >>> import json
        >>> import thresher as th
        >>> area = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_auc()
        >>> json.loads(area.to_json())["value"]
        0.75
        >>> th.results.from_json(area.to_json()) == area
        True
        """
        figures = plain(self.to_dict(), finite=True)
        document = {"type": type(self).__name__, "thresher": installed_version(), **figures}
        state = encoded(self, figures)
        if state:
            document["state"] = state
        return json.dumps(document, indent=indent, allow_nan=False, ensure_ascii=False)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the rows as a dataframe.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library of the frame; by default the first of them that is installed.

        Returns
        -------
        dataframe
            One row for a single value, a row each for points, pairs, groups and models.

        Examples
        --------
        >>> import thresher as th
        >>> curve = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc()
        >>> curve.to_frame("pandas")[["fpr", "tpr"]].to_numpy().tolist()
        [[0.0, 0.0], [0.0, 0.5], [0.5, 0.5], [0.5, 1.0], [1.0, 1.0]]
        """
        chosen = _frame_library() if backend is None else check_choice(backend, "backend", FRAMES)
        try:
            return nw.from_dict(self._arrays(), backend=chosen).to_native()  # type: ignore[arg-type]  # checked above
        except ModuleNotFoundError:
            raise MissingDependencyError(
                f"A {chosen} frame needs the library {chosen!r}, which is not installed. Hint: pip install {chosen}."
            ) from None

    def to_markdown(self, *, digits: int = 4) -> str:
        """Return the rows as a Markdown table, for a pull request or a notebook.

        Parameters
        ----------
        digits : int, default=4
            Significant digits. Thresholds keep all of theirs, because a rounded one calls other rows.

        Returns
        -------
        str

        Examples
        --------
        >>> import thresher as th
        >>> point = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).pr().at(threshold=0.35)
        >>> print(point.to_markdown().splitlines()[2][:35])
        | 0.35 | 2 | 1 | 0 | 1 | 1 | 0.5 |
        """
        head, aligned, rows = self._written(digits, lambda text: re.sub(r"\s", " ", text).replace("|", "\\|"))
        marks = ["---:" if right else "---" for right in aligned]
        return "\n".join("| " + " | ".join(row) + " |" for row in [head, marks, *rows])

    def to_openmetrics(self, *, prefix: str = "thresher", labels: Mapping[str, str] | None = None) -> str:
        """Return the figures as OpenMetrics text, which Prometheus scrapes and OpenTelemetry's collector reads.

        Parameters
        ----------
        prefix : str, default="thresher"
            What the names of all metrics begin with.
        labels : mapping of str to str, optional
            Labels of every sample, such as the name of the model.

        Returns
        -------
        str
            A gauge for each number; texts, such as the name of the metric, are labels. Ends in ``# EOF``.

        Examples
        --------
        >>> import thresher as th
        >>> area = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_auc()
        >>> for line in area.to_openmetrics(labels={"model": "new"}).splitlines()[:2]:
        ...     print(line)
        # TYPE thresher_value gauge
        thresher_value{model="new",metric="roc_auc",method="bayes"} 0.75
        """
        facts = {name: plain(fact) for name, fact in self._facts().items()}
        table = {name: plain(column) for name, column in self._table().items()} if self._columns() is not None else {}
        rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
        return openmetrics(facts, rows, prefix, labels or {})

    def to_latex(self, *, digits: int = 4) -> str:
        r"""Return the rows as a LaTeX table, for the package booktabs.

        Parameters
        ----------
        digits : int, default=4
            Significant digits; thresholds keep all of theirs.

        Returns
        -------
        str

        Examples
        --------
        >>> import thresher as th
        >>> point = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).pr().at(threshold=0.35)
        >>> print(point.to_latex().splitlines()[1])
        \toprule
        """
        head, aligned, rows = self._written(digits, lambda text: "".join(_LATEX.get(sign, sign) for sign in text))
        lines = [r"\begin{tabular}{" + "".join("r" if right else "l" for right in aligned) + "}", r"\toprule"]
        lines += [" & ".join(head) + r" \\", r"\midrule", *(" & ".join(row) + r" \\" for row in rows)]
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])

    def _picture(self) -> Picture | None:
        """Return what a notebook draws of the result, where a line says more than a table."""
        return None

    def _repr_html_(self) -> str:
        """Return what a notebook shows, every number once: the line that is drawn, its own words, or the table."""
        words, picture = repr(self), self._picture()
        if picture is not None:
            short = words if len(words) < 200 and "=<" not in words else type(self).__name__
            return figure_html(picture, name=short, caption=short)
        own = not words.startswith(f"{type(self).__name__}(")
        if own and self._columns() is None:
            return words_html(words)
        table, left_out = self._ends(MOST_ROWS)
        title = words.splitlines()[0] if own else type(self).__name__
        return f"<div>{words_html(title)}{table_html(*_texts(table, 4, str), left_out)}</div>"

    def _written(self, digits: int, escape: Any) -> Texts:
        """Return the head, which columns are of numbers, and the rows, all as text."""
        shown = check_count(digits, "digits", minimum=1)
        return _texts(self._table(), shown, escape)


Texts = tuple[list[str], list[bool], list[list[str]]]


def _texts(table: dict[str, list[Any]], digits: int, escape: Any) -> Texts:
    """Return the head, which columns are of numbers, and the rows, all as text."""
    numbers = [_are_numbers(column) for column in table.values()]
    columns = []
    for (name, column), number in zip(table.items(), numbers, strict=True):
        shown = [_text(cell, 17 if name in _EXACT else digits) for cell in column]
        columns.append(shown if number else list(map(escape, shown)))
    head = [escape(name.replace("_", " ")) for name in table]
    return head, numbers, [list(row) for row in zip(*columns, strict=True)]


def from_json(text: str) -> Any:
    """Return the result that `to_json` wrote.

    Parameters
    ----------
    text : str
        What `to_json` returned. Nothing in it is executed.

    Returns
    -------
    object
        Of the type that was written, and equal to it. What was drawn from rows, such as the resamples of a comparison,
        is not in the text; a result says so when it is asked for it.

    Examples
    --------
    >>> import thresher as th
    >>> point = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc().at(threshold=0.35)
    >>> th.results.from_json(point.to_json()) == point
    True
    """
    if not isinstance(text, str | bytes):
        raise InvalidTypeError(
            f"`text` must be what `to_json` returned; got {type(text).__name__}. Hint: read the file first."
        )
    try:
        document = json.loads(text)
    except ValueError as error:
        raise InvalidInputError(f"`text` must be JSON; {error}. Hint: pass what `to_json` returned.") from None
    if not isinstance(document, dict) or "type" not in document or "thresher" not in document:
        raise InvalidInputError(
            "`text` must be a result written by `to_json`; it has no type or no version. "
            "Hint: `to_dict` is for reading only; `to_json` can be read back."
        )
    return decoded(document)


def installed_version() -> str:
    """Return the version of thresher, or a word for a source tree that was never installed."""
    try:
        return version("thresher")
    except PackageNotFoundError:
        return "0+unknown"


def _side_by_side(rows: Sequence[Row]) -> dict[str, list[Any]]:
    return {name: [row.get(name) for row in rows] for name in dict.fromkeys(key for row in rows for key in row)}


def _is_single(cell: object) -> bool:
    return cell is None or isinstance(cell, str | bool | int | float | np.generic)


def _are_numbers(column: list[Any]) -> bool:
    """Return whether a column has numbers, or nothing, in every row."""
    return not any(issubclass(kind, bool) or not issubclass(kind, _NUMBERS) for kind in set(map(type, column)))


def _listed(column: Sequence[Any] | np.ndarray[Any, Any]) -> list[Any]:
    if isinstance(column, np.ndarray) and column.ndim == 1 and column.dtype.kind in "biuf":
        return list(np.asarray(_as_numbers(column)).tolist())
    return [plain(cell) for cell in column]


def _as_numbers(column: Sequence[Any] | np.ndarray[Any, Any]) -> list[Any] | np.ndarray[Any, Any]:
    """Return an array of numbers as one of Python's types: float64, int64 or bool; anything else as a list."""
    if not isinstance(column, np.ndarray) or column.ndim != 1 or column.dtype.kind not in "biuf":
        return _listed(column)
    kinds: dict[str, type[np.generic]] = {"f": np.float64, "i": np.int64, "u": np.uint64, "b": np.bool_}
    small = column.dtype.kind == "u" and column.dtype.itemsize < 8
    return column.astype(np.int64 if small else kinds[column.dtype.kind], copy=False)


def _text(cell: Any, digits: int) -> str:
    if isinstance(cell, float):
        if cell != cell:
            return ""
        # 17 digits are enough for every double, and `repr` finds out how few of them are.
        return f"{cell!r}" if digits >= 17 else f"{cell:.{digits}g}"
    return "" if cell is None else str(cell)


def _frame_library() -> str:
    for name in FRAMES:
        if find_spec(name) is not None:
            return name
    raise MissingDependencyError(
        "A frame needs one of the libraries pandas, polars or pyarrow, and none is installed. "
        "Hint: pip install pandas, or use `to_dict`."
    )
