"""A hundred text files that the page and the command must read alike: regular ones, odd ones, and broken ones."""

from __future__ import annotations

import random

__all__ = ["FILES"]

_ROWS = [(0, 0.1), (1, 0.35), (0, 0.4), (1, 0.8), (0, 0.2), (1, 0.7), (0, 0.544), (1, 0.61)]
_BODY = "".join(f"{y},{s}\n" for y, s in _ROWS)
_BASE = f"y,s\n{_BODY}"


def _columns(header: str, *extra: list[object], rows: list[tuple[object, object]] = _ROWS) -> str:  # type: ignore[assignment]
    lines = [",".join(map(str, (*row, *(column[i] for column in extra)))) for i, row in enumerate(rows)]
    return "\n".join([header, *lines, ""])


def _replaced(old: str, new: str, times: int = 1) -> str:
    assert old in _BASE
    return _BASE.replace(old, new, times)


_N = len(_ROWS)
_WRITTEN: dict[str, str | bytes] = {
    # Regular files
    "plain": _BASE,
    "no header": _BODY,
    "no header of whole scores": "0,3\n1,5\n0,1\n1,4\n",
    "header of numbers above decimals": "0,1\n1,0.5\n0,0.25\n1,0.75\n",
    "semicolons": _BASE.replace(",", ";"),
    "tabs": _BASE.replace(",", "\t"),
    "pipes": _BASE.replace(",", "|"),
    "spaces": _BASE.replace(",", " "),
    "a rare delimiter": _BASE.replace(",", "~"),
    "decimal commas": _BASE.replace(",", ";").replace(".", ","),
    "windows": _BASE.replace("\n", "\r\n"),
    "old mac": _BASE.replace("\n", "\r"),
    "byte order mark": "\ufeff" + _BASE,
    "no last line end": _BASE[:-1],
    "blank lines at the end": _BASE + "\n\n",
    "blank lines above": "\n\n  \n" + _BASE,
    "blank line inside": _replaced("1,0.35\n", "1,0.35\n\n"),
    "quoted numbers": _replaced("0.35", '"0.35"'),
    "everything quoted": "".join(f'"{y}","{s}"\n' for y, s in [("y", "s"), *_ROWS]),
    "spaces around numbers": _replaced("1,0.35", " 1 , 0.35 "),
    "a trailing delimiter": _replaced("1,0.35\n", "1,0.35,\n"),
    "true and false": "".join(f"{y},{s}\n" for y, s in [("y", "s"), *((str(y == 1), s) for y, s in _ROWS)]),
    "minus one and one": "".join(f"{y},{s}\n" for y, s in [("y", "s"), *((2 * y - 1, s) for y, s in _ROWS)]),
    "labels as decimals": "".join(f"{y},{s}\n" for y, s in [("y", "s"), *((float(y), s) for y, s in _ROWS)]),
    "labels with leading zeros": "".join(f"{y},{s}\n" for y, s in [("y", "s"), *((f"0{y}", s) for y, s in _ROWS)]),
    "two models": _columns("y,a,b", [0.3, 0.1, 0.8, 0.9, 0.2, 0.5, 0.4, 0.6]),
    "label last": "".join(f"{s},{y}\n" for y, s in [("label", "s"), *_ROWS]),
    "label by its values": "".join(f"{y},{s}\n" for y, s in [("ill", "risk"), *_ROWS]),
    "infinite scores": _replaced("0.8", "inf").replace("0.1\n", "-Infinity\n"),
    "exponents": _replaced("0.35", "3.5E-1").replace("0.2\n", "2e-1\n"),
    "bare points": _replaced("0.35", ".35").replace("0.8", "1."),
    "ties": _replaced("0.35", "0.4").replace("0.7\n", "0.4\n"),
    "minus zero": _replaced("0.35", "-0.0").replace("0.1\n", "0.0\n"),
    "whole scores": "".join(f"{y},{round(10 * s)}\n" for y, s in [("y", 0.0), *_ROWS]).replace("y,0", "y,s"),
    "integers beyond 2 to 53": "y,s\n"
    + "".join(f"{y},{2**60 + k}\n" for k, (y, _) in enumerate(sorted(_ROWS, key=lambda row: row[1]))),
    "integers next to each other": "y,s\n0,9007199254740992\n1,9007199254740993\n0,5\n1,9007199254740994\n",
    "integers of nanoseconds": "y,s\n0,1700000000000000001\n1,1700000000000000002\n0,1700000000000000000\n1,7\n",
    "row numbers of pandas": _columns(",y,s", rows=[(i, y) for i, (y, _) in enumerate(_ROWS)]).replace("\n", "\n"),
    "row numbers and scores": "\n".join([",y,s", *(f"{i},{y},{s}" for i, (y, s) in enumerate(_ROWS)), ""]),
    "a column of names": _columns("y,s,who", ["ann", "bob", "cy", "dee", "eve", "fay", "gus", "hal"]),
    "names with commas and quotes": _columns("y,s,who", ['"a, b"', '"c ""d"""', "e", "f", "g", "h", "i", "j"]),
    "names with line ends": _columns("y,s,who", ['"a\nb"', "c", "d", "e", "f", "g", "h", "i"]),
    "a quote inside of a name": _columns("y,s,who", ['a"b', "c", "d", "e", "f", "g", "h", "i"]),
    "header in quotes over two lines": '"y","s\nof it"\n' + _BODY,
    "unicode names": _columns("y,s,größe of 雪", ["α", "β", "γ", "δ", "ε", "ζ", "η", "θ"]),
    "a long cell": _columns("y,s,text", ["x" * 50_000, *"bcdefgh"]),
    "one model and its squares": _columns("target,p,p2", [s * s for _, s in _ROWS]),
    # Doubtful columns
    "weights": _columns("y,s,weight", [1.5, 2.0, 0.5, 1.0, 1.0, 3.0, 0.25, 1.0]),
    "sample weights as whole numbers": _columns("y,s,w", [1, 2, 3, 1, 2, 3, 1, 2]),
    "identifiers": _columns("y,s,patient", [101, 102, 103, 104, 105, 106, 107, 108]),
    "a column called id": _columns("y,s,id", [1, 2, 3, 4, 5, 6, 7, 8]),
    "times": _columns("y,s,time", [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5]),
    "two label names": _columns("y,s,label", [0, 1, 0, 1, 0, 1, 0, 1]),
    "two columns of zeros and ones": _columns("a,s,b", [0, 1, 0, 1, 0, 1, 0, 1]),
    "words as labels": "".join(f"{y},{s}\n" for y, s in [("y", "s"), *((["no", "yes"][y], s) for y, s in _ROWS)]),
    "ones and twos as labels": "".join(f"{y},{s}\n" for y, s in [("y", "s"), *((y + 1, s) for y, s in _ROWS)]),
    "three labels": _replaced("1,0.35", "2,0.35"),
    "one label": "y,s\n1,0.5\n1,0.25\n1,0.75\n",
    "models below one another": "y,s,model\n"
    + "".join(f"{y},{s},{name}\n" for name in ("a", "b") for y, s in [*_ROWS, *_ROWS]),
    "folds below one another": "y,s,fold\n"
    + "".join(f"{y},{s},{name}\n" for name in ("one", "two") for y, s in [*_ROWS, *_ROWS]),
    "scores of words": "".join(f"{y},{s}\n" for y, s in [("y", "s"), *((y, ["low", "high"][y]) for y, _ in _ROWS)]),
    "scores of truth": "".join(f"{y},{s}\n" for y, s in [("y", "s"), *((y, str(s > 0.5)) for y, s in _ROWS)]),
    # Broken files
    "an open quote": _replaced("1,0.35", '1,"0.35'),
    "an open quote that ends later": _replaced("1,0.35", '1,"0.35').replace("1,0.61", '1,0.61"'),
    "an open quote at the end": _BASE[:-1].replace("1,0.61", '1,"0.61'),
    "text behind a quote": _replaced("0.544", '"0.544"7'),
    "a quote in a number": _replaced("0.544", '0"544"'),
    "a missing score in the first row": _replaced("0,0.1\n", "0,\n"),
    "a missing score inside": _replaced("0.544", ""),
    "a missing score in quotes": _replaced("0.544", '""'),
    "a missing score of spaces": _replaced("0.544", "  "),
    "a missing label": _replaced("1,0.8", ",0.8"),
    "a score that is NA": _replaced("0.544", "NA"),
    "a score that is nan": _replaced("0.544", "nan"),
    "most scores missing": "y,s\n0,\n1,\n0,\n1,0.5\n0,0.25\n",
    "all scores missing": "y,s\n0,\n1,\n0,\n1,\n",
    "a score with a decimal comma in quotes": _replaced("0.544", '"0,544"'),
    "thousands": _columns("y,s,p", ['"1,234"', *range(1000, 1007)]),
    "percent signs": "".join(f"{y},{s}%\n" for y, s in _ROWS),
    "a hexadecimal score": _replaced("0.544", "0x10"),
    "a score beyond the doubles": _replaced("0.544", "1e400"),
    "a large integer beside decimals": _replaced("0.544", "9007199254740993"),
    "an integer beyond 64 bits": "y,s\n0,1\n1,99999999999999999999\n0,3\n1,4\n",
    "a duplicate name": _columns("y,s,s", [0.3, 0.1, 0.8, 0.9, 0.2, 0.5, 0.4, 0.6]),
    "a duplicate name after spaces": _columns("y,s, s", [0.3, 0.1, 0.8, 0.9, 0.2, 0.5, 0.4, 0.6]),
    "a short row": _replaced("1,0.8\n", "1\n"),
    "a long row": _replaced("1,0.8\n", "1,0.8,7\n"),
    "a line of spaces": _replaced("1,0.8\n", "1,0.8\n   \n"),
    "mixed line ends": _replaced("1,0.8\n", "1,0.8\r\n"),
    "a carriage return alone": _replaced("1,0.8\n", "1,0.8\r"),
    "windows with one plain end": _BASE.replace("\n", "\r\n").replace("1,0.8\r\n", "1,0.8\n"),
    "a comment above": "# made by hand\n" + _BASE,
    "one column": "s\n0.1\n0.2\n",
    "a header alone": "y,s\n",
    "nothing but blanks": "\n \n",
    "zero bytes": _BASE.encode("utf-16-le"),
    "latin 1": _columns("y,s,who", list("abcdefgé")).encode("latin-1"),
    "negative zero labels": "".join(
        f"{y},{s}\n" for y, s in [("y", "s"), *(("-0" if y == 0 else "+1", s) for y, s in _ROWS)]
    ),
}


def _random(seed: int) -> str:
    """Return a plain file with one random character changed, put in or taken out."""
    pick = random.Random(seed)  # noqa: S311  # any will do
    text = _columns("y,s,who", ["ann", "bob", '"c, d"', "dee", "eve", "fay", "gus", "hal"])
    place = pick.randrange(len(text))
    mark = pick.choice("\",;\n\r\t .eE-+0157aNx'")
    taken = pick.choice((0, 1, 1))
    return text[:place] + pick.choice(("", mark, mark, mark)) + text[place + taken :]


FILES: dict[str, str | bytes] = {**_WRITTEN, **{f"random {seed}": _random(seed) for seed in range(40)}}
