"""What a tracker is given: figures with the ends of their intervals, and files that hold everything else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from thresher._core.json_state import plain
from thresher._core.presented import installed_version
from thresher._facade import Scores, Summary
from thresher._report import report as write_report
from thresher.measures import Measure


def figures_of(found: Summary, *, prefix: str, alone: bool) -> dict[str, float]:
    """Return every figure by its name with its options; those of several models stand below the model's name.

    A figure that has no interval is logged without ends: a tracker has no word for "unknown".
    """
    figures: dict[str, float] = {}
    words = _words(found.estimates)
    for model, estimates in found.estimates.items():
        below = prefix if alone else f"{prefix}{words[model]}/"
        counts = estimates[0].counts
        row = {"n_pos": counts.n_pos, "n_neg": counts.n_neg, "prevalence": counts.prevalence}
        for one in estimates:
            facts, key = one.to_dict(found.confidence_level), _key(one.measure)
            row |= {key: facts["value"], f"{key}_low": facts["low"], f"{key}_high": facts["high"]}
        figures |= {f"{below}{_word(key)}": float(cell) for key, cell in row.items() if cell is not None}
    return figures


def _key(measure: Measure) -> str:
    """Return the name of a measure with its options, such as "f1_threshold_0.4"."""
    given = {name: one for name, one in measure.shown.items() if name in measure.options}
    parts = [f"{name}_{'_'.join(map(str, one)) if isinstance(one, tuple) else one}" for name, one in given.items()]
    return "_".join([measure.title, *parts])


def tags_of(found: Summary) -> dict[str, str]:
    """Return what every figure was made with."""
    return {"thresher.version": installed_version(), "thresher.confidence_level": f"{found.confidence_level:g}"}


def files_of(found: Summary, folder: Path, *, counts: bool, report: bool) -> list[Path]:
    """Write the files of a run into a folder and return them."""
    words = _words(found.estimates)
    models = {name: estimates[0].counts for name, estimates in found.estimates.items()}
    files = [folder / "summary.json"]
    document = {"thresher": installed_version(), **plain(found.to_dict(), finite=True)}
    files[0].write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    if counts:
        for name, scores in models.items():
            files.append(folder / f"{words[name]}.scores")
            scores.save(files[-1])
    if report:
        files.append(folder / "report.html")
        write_report(models, files[-1], confidence_level=found.confidence_level)
    return files


def is_alone(models: object) -> bool:
    """Return whether one model was given without a name."""
    return isinstance(models, Scores)


def _words(names: Iterable[str]) -> dict[str, str]:
    """Return a word for each name; names that would become the same word are numbered."""
    words: dict[str, str] = {}
    for name in names:
        word, number = _word(name), 2
        while word in words.values():
            word, number = f"{_word(name)}-{number}", number + 1
        words[name] = word
    return words


def _word(name: str) -> str:
    """Return a name that every tracker and file system takes."""
    return re.sub(r"[^\w. -]", "_", name, flags=re.ASCII).strip(". ") or "model"
