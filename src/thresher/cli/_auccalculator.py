"""`thresher auccalculator`: a drop-in for the program that came with the 2006 paper.

Same arguments, printed lines, files and exit codes. Where that program is wrong this one is right, unless
`--bug-compatible` asks for its numbers, which then agree to the last digit: every sum is formed in its order.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Annotated, NoReturn

from cyclopts import Parameter

from thresher._core.files import written_whole

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[fFdD]?")
_WHOLE = re.compile(r"[+-]?\d+")
_LONGEST_INTEGER = 100
_PLAIN_FROM, _PLAIN_BELOW = 1e-3, 1e7


def java_double(value: float) -> str:
    """Return a double as Java prints it: always a decimal point, scientific outside [0.001, 10,000,000)."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0:
        return "-0.0" if math.copysign(1.0, value) < 0 else "0.0"
    shortest = repr(float(value))
    if _PLAIN_FROM <= abs(value) < _PLAIN_BELOW:
        return shortest
    exact = Decimal(shortest)
    digits = "".join(map(str, exact.as_tuple().digits)).rstrip("0")
    return f"{'-' if value < 0 else ''}{digits[0]}.{digits[1:] or '0'}E{exact.adjusted()}"


def read_double(text: str) -> float | None:
    """Return the number that Java reads in a text, or None: `NaN` and `Infinity` count, `nan` and `inf` do not."""
    if text in ("NaN", "+NaN", "-NaN"):
        return math.nan
    if text in ("Infinity", "+Infinity", "-Infinity"):
        return -math.inf if text.startswith("-") else math.inf
    return float(text.rstrip("fFdD")) if _DECIMAL.fullmatch(text) else None


def read_integer(text: str) -> int | None:
    """Return the integer of 32 bits in a text, or None."""
    number = int(text) if _WHOLE.fullmatch(text) and len(text) <= _LONGEST_INTEGER else None
    return number if number is not None and -(2**31) <= number < 2**31 else None


_ARGUMENT_ERROR = 255
_DATA_ERROR = 1
_NEAR = 0.001
_GAP = 1.001
_MOST_POINTS = 4_000_000  # each is kept in memory and written to three files

Point = tuple[float, float]
"""True positives, false positives."""


class _StopError(Exception):
    """An error in the original's manner: its line for stderr and its exit code."""

    def __init__(self, message: str, code: int, *, usage: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.usage = usage


@dataclass(frozen=True)
class _FileRequest:
    file: Path
    kind: str
    n_pos: float
    n_neg: float
    min_recall: float
    bugs: bool


def auccalculator(
    *words: Annotated[str, Parameter(allow_leading_hyphen=True)],
    bug_compatible: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Compute PR and ROC areas like the program of the 2006 paper, and write its .pr, .spr and .roc files.

    Example: thresher auccalculator scores.txt list
    Example: thresher auccalculator points.txt PR 20 2000

    Parameters
    ----------
    words
        FILE TYPE [POSITIVES NEGATIVES] [MIN_RECALL]. TYPE is list (lines of score and label), ROC (FPR and TPR) or PR
        (recall and precision); the last two need the class totals.
    bug_compatible
        Give that program's own numbers, also where they are wrong.
    """
    try:
        _run(_request(list(words), bugs=bug_compatible))
    except _StopError as stop:
        sys.stderr.write(f"{stop}\n")
        if stop.usage:
            # After its first message the original forgets to name the type.
            kind = "" if bug_compatible and "Missing" not in str(stop) else "<fileType> "
            sys.stderr.write(
                "Usage:\n"
                f"thresher auccalculator <fileName> {kind}<posCount*> <negCount*> <minRecall**>\n"
                "*  only for the file types ROC and PR\n"
                "** optional, between 0 and 1\n"
            )
        return stop.code
    return 0


def _refuse(message: str) -> NoReturn:
    raise _StopError(f"ERROR: {message} - exiting...", _ARGUMENT_ERROR, usage=True)


def _request(words: list[str], *, bugs: bool) -> _FileRequest:
    if len(words) < 2:
        _refuse("Missing Arguments")
    kind, rest, totals = _kind(words[1], bugs=bugs), words[2:], [1.0, 1.0]
    if kind != "LIST":
        if len(rest) < 2:
            _refuse("Missing Arguments")
        totals, rest = [_count(text) for text in rest[:2]], rest[2:]
    low = _least_recall(rest[0]) if rest else 0.0
    file = Path(words[0])
    try:
        there = file.is_file()
    except OSError:  # a name too long to exist
        there = False
    if not there:
        raise _StopError(f"ERROR: File {words[0]} not found - exiting...", _ARGUMENT_ERROR)
    return _FileRequest(file, kind, totals[0], totals[1], low, bugs)


def _kind(word: str, *, bugs: bool) -> str:
    if word.upper() not in ("LIST", "ROC", "PR"):
        _refuse("Incorrect fileType, must be ROC, PR, LIST")
    if bugs and word not in ("list", "LIST", "ROC", "PR", "roc", "pr", "List"):
        raise _StopError("...incorrect fileType argument, either PR or ROC - exiting", _ARGUMENT_ERROR)
    # The original takes `pr` in lower case for ROC data.
    return "ROC" if bugs and word == "pr" else word.upper()


def _count(text: str) -> float:
    count = read_double(text)
    if count is None or not (1 <= count < math.inf):
        _refuse("Incorrect Count arguments, must be positive numbers")
    return count


def _least_recall(text: str) -> float:
    given = read_double(text)
    if given is None or not 0 <= given <= 1:
        _refuse("Incorrect minRecall argument, must be positive between 0 and 1")
    return given


def _run(request: _FileRequest) -> None:
    points, request = _read_list(request) if request.kind == "LIST" else (_read_points(request), request)
    points = _interpolated(_prepared(points, request))
    name = str(request.file)
    totals = request.n_pos, request.n_neg
    for label, suffix, lines in (
        ("PR", ".pr", _pr_lines(points, *totals)),
        ("standardized PR", ".spr", _standard_lines(points, request)),
        ("ROC", ".roc", _roc_lines(points, *totals)),
    ):
        sys.stdout.write(f"--- Writing {label} file {name}{suffix} ---\n")
        with written_whole(name + suffix) as path:
            path.write_text("".join(f"{line}\n" for line in lines))
    area = _pr_area(points, request)
    sys.stdout.write(f"Area Under the Curve for Precision - Recall is {java_double(area)}\n")
    sys.stdout.write(f"Area Under the Curve for ROC is {java_double(_roc_area(points, *totals))}\n")


# Reading


def _fields(request: _FileRequest) -> Iterator[list[str]]:
    text = request.file.read_text(encoding="utf-8", errors="replace")  # every line end becomes \n, as in Java
    for line in text.removesuffix("\n").split("\n") if text else ():
        fields = [field for field in re.split(r"[\t ,]+", line) if field]
        if len(fields) < 2:
            sys.stderr.write("...skipping bad input line (missing data)\n")
        else:
            yield fields


def _bad_numbers() -> None:
    sys.stderr.write("...skipping bad input line (bad numbers)\n")


def _read_rows(request: _FileRequest) -> list[tuple[float, int]]:
    rows: list[tuple[float, int]] = []
    for fields in _fields(request):
        score, label = read_double(fields[0]), read_integer(fields[1])
        if score is None or label is None:
            _bad_numbers()
        elif math.isnan(score) and not request.bugs:
            raise _StopError("ERROR: a score is NaN; give every line a number - exiting...", _DATA_ERROR)
        else:
            rows.append((score, label))
    return rows


def _read_list(request: _FileRequest) -> tuple[list[Point], _FileRequest]:
    rows = _read_rows(request)
    n_pos = sum(label == 1 for _, label in rows)
    n_neg = len(rows) - n_pos
    if not (n_pos and n_neg):
        raise _StopError(f"ERROR: {float(n_pos)},{float(n_neg)} - Defaulting Confusion to 1,1", _DATA_ERROR)
    # Highest first, NaN last, and within ties the negatives before the positives.
    rows.sort(key=lambda row: (math.isnan(row[0]), -row[0] if row[0] == row[0] else 0.0, row[1] == 1))
    for score, label in rows[1:]:
        sys.stdout.write(f"{java_double(score)} {label}\n")
    points: list[Point] = []
    tp = fp = 0
    for i, (score, label) in enumerate(rows):
        tp, fp = tp + (label == 1), fp + (label != 1)
        if i + 1 == len(rows) or rows[i + 1][0] != score:
            points.append((float(tp), float(fp)))
    return points, replace(request, n_pos=float(n_pos), n_neg=float(n_neg))


class _Seen:
    """Points found by place: the program keeps the first of those that nearly coincide."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[Point]] = {}

    def has(self, point: Point) -> bool:
        if not all(map(math.isfinite, point)):
            return False
        i, j = self._cell(point)
        near = (kept for di in (-1, 0, 1) for dj in (-1, 0, 1) for kept in self._cells.get((i + di, j + dj), ()))
        return any(abs(point[0] - tp) < _NEAR and abs(point[1] - fp) < _NEAR for tp, fp in near)

    def add(self, point: Point) -> None:
        if all(map(math.isfinite, point)):
            self._cells.setdefault(self._cell(point), []).append(point)

    @staticmethod
    def _cell(point: Point) -> tuple[int, int]:
        return math.floor(point[0] / _NEAR), math.floor(point[1] / _NEAR)


def _read_points(request: _FileRequest) -> list[Point]:
    points: list[Point] = []
    seen = _Seen()
    for fields in _fields(request):
        first, second = read_double(fields[0]), read_double(fields[1])
        if first is None or second is None or not (0 <= first <= 1 and 0 <= second <= 1):
            _bad_numbers()
            continue
        if request.kind == "ROC":
            point = (second * request.n_pos, first * request.n_neg)
        else:
            point = _point_of_pr(first, second, request)
        if not seen.has(point):
            seen.add(point)
            points.append(point)
    if not points:
        raise _StopError(f"ERROR: File {request.file} has no usable line - exiting...", _DATA_ERROR)
    return points


def _point_of_pr(recall: float, precision: float, request: _FileRequest) -> Point:
    tp = recall * request.n_pos
    if precision == 0:
        if not request.bugs and recall > 0:
            raise _StopError(
                f"ERROR: precision 0 at recall {java_double(recall)} is impossible: a found positive makes precision "
                "positive - exiting...",
                _DATA_ERROR,
            )
        return tp, (math.inf if recall > 0 else math.nan) if request.bugs else 0.0
    fp = tp * (1 - precision) / precision
    if not request.bugs and fp > request.n_neg * (1 + 1e-9):
        raise _StopError(
            f"ERROR: recall {java_double(recall)} with precision {java_double(precision)} needs more than "
            f"{java_double(request.n_neg)} false positives; check the counts - exiting...",
            _DATA_ERROR,
        )
    return tp, fp


# Curve


def _prepared(points: list[Point], request: _FileRequest) -> list[Point]:
    """Return the points in order, with their ends; the original loses those without true positives here."""
    last = (request.n_pos, request.n_neg)
    points = sorted(points)
    found = [point for point in points if not point[0] < _NEAR]
    silent: list[Point] = []
    if not request.bugs:
        _check_order(points, request)
        silent = [point for point in points if point[0] < _NEAR <= point[1]]
    elif not found:
        found = [last]
    if not silent and found and found[0][0] > 1:
        found.insert(0, (1.0, found[0][1] / found[0][0]))
    points = [*silent, *found]
    if not any(abs(tp - last[0]) < _NEAR and abs(fp - last[1]) < _NEAR for tp, fp in points):
        points.append(last)
    return points


def _check_order(points: list[Point], request: _FileRequest) -> None:
    for before, after in pairwise(points):
        if after[1] < before[1] - 1e-9 * request.n_neg:
            raise _StopError(
                f"ERROR: points must never lose false positives; after (tp, fp) = ({before[0]:g}, {before[1]:g}) "
                f"comes ({after[0]:g}, {after[1]:g}) - exiting...",
                _DATA_ERROR,
            )


def _interpolated(points: list[Point]) -> list[Point]:
    """Return the points with one at every whole true positive between distant neighbours."""
    out: list[Point] = []
    for before, after in pairwise(points):
        out.append(before)
        tp = before[0]
        if after[0] - tp > _GAP:
            if len(out) + (after[0] - tp) > _MOST_POINTS:
                raise _StopError(
                    f"ERROR: a point at every positive would be more than {_MOST_POINTS}; give the counts in thousands "
                    "- exiting...",
                    _DATA_ERROR,
                )
            slope = (after[1] - before[1]) / (after[0] - tp)
            while abs(tp - after[0]) > _GAP:
                out.append((tp + 1, before[1] + (tp - before[0] + 1) * slope))
                tp += 1
    return [*out, points[-1]]


def _precision(point: Point) -> float:
    called = point[0] + point[1]
    if called == 0:
        return math.nan
    if math.isinf(called):
        return math.nan if math.isinf(point[0]) else 0.0
    return point[0] / called


# Files


def _pr_lines(points: list[Point], n_pos: float, _: float) -> list[str]:
    return [f"{java_double(tp / n_pos)}\t{java_double(_precision((tp, fp)))}" for tp, fp in points]


def _roc_lines(points: list[Point], n_pos: float, n_neg: float) -> list[str]:
    return ["0\t0", *(f"{java_double(fp / n_neg)}\t{java_double(tp / n_pos)}" for tp, fp in points)]


def _standard_lines(points: list[Point], request: _FileRequest) -> list[str]:
    """Return precision at recall 0.01, 0.02, ... 1.0."""
    lines = []
    place = 0
    for percent in range(1, 101):
        recall = percent / 100.0
        wanted = recall * request.n_pos
        while place < len(points) - 1 and points[place][0] < wanted:
            place += 1
        before, after = points[max(place - 1, 0)], points[place]
        if place == 0 or after[0] == wanted or after[0] == before[0]:
            precision = _precision(after)
        else:
            fp = before[1] + (wanted - before[0]) * ((after[1] - before[1]) / (after[0] - before[0]))
            precision = wanted / (wanted + fp)
        lines.append(f"{java_double(recall)}\t{java_double(precision)}")
    return lines


# Areas, each sum in the original's order


def _pr_area(points: list[Point], request: _FileRequest) -> float:
    least = request.min_recall * request.n_pos
    first = next((i for i, point in enumerate(points) if point[0] >= least), None)
    if first is None:
        return 0.0
    recall, precision = points[first][0] / request.n_pos, _precision(points[first])
    width = (points[first][0] - least) / request.n_pos
    area = width * precision
    if first > 0:
        before = points[first - 1]
        slope = (precision - _precision(before)) / (recall - before[0] / request.n_pos)
        area += width * ((precision - slope * width) - precision) / 2
    for point in points[first + 1 :]:
        next_recall, next_precision = point[0] / request.n_pos, _precision(point)
        step = next_recall - recall
        area += step * next_precision + step * (precision - next_precision) / 2
        recall, precision = next_recall, next_precision
    return area


def _roc_area(points: list[Point], n_pos: float, n_neg: float) -> float:
    area = fpr = tpr = 0.0
    for tp, fp in points:
        next_fpr, step = fp / n_neg, tp / n_pos - tpr
        area += step * next_fpr + step * (fpr - next_fpr) / 2
        fpr, tpr = next_fpr, tp / n_pos
    return 1 - area
