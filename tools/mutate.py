"""Change the numerical code a little, many times, and see which changes no test notices.

    python tools/mutate.py --sample 100 --seed 0
    python tools/mutate.py --package _decide --sample 30
    python tools/mutate.py --again log --wide --jobs 8      # what survived, against more tests
    python tools/mutate.py --at _decide/hull_mix.py:31      # every mutant of that line

Works on a temporary copy of `src/thresher`, `tests` and `benchmarks`; the working tree is only read. A mutant is one
changed node of a module's syntax tree: an operator, a comparison, a constant, a negation, the order of what is
returned. The same seed gives the same mutants as long as the code is the same. For each the module's own test file is
run and then a few of its package, until one fails; doctests do not count, for a printed number is no reason to believe
it. What passes has survived: either the mutant changes no answer (look before believing that) or a test is missing. A
mutant whose tests take ten times as long as they do without a change has been noticed too, and is ended: "timed out".
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import importlib.util
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("measures", "_curves", "_inference", "_compare", "_decide", "_table")
ALSO = {
    "measures": ("measures/test_oracle.py", "measures/test_measure.py", "measures/test_area_intervals.py"),
    "_curves": ("_curves/test_roc.py", "_curves/test_pr.py", "_curves/test_hull.py"),
    "_inference/bands": ("_inference/bands/test_band_ends.py", "_inference/bands/test_curve_band.py"),
    "_inference/bootstrap": ("_inference/bootstrap/test_distribution.py",),
    "_inference/cortes_mohri": ("_inference/cortes_mohri/test_error_count_interval.py",),
    "_inference": ("measures/test_area_intervals.py",),
    "_compare": ("_compare/test_comparison.py", "_compare/test_paired.py", "_compare/test_unpaired.py"),
    "_decide": ("_decide/test_choose.py", "_decide/test_tune.py"),
    "_table": ("_table/test_input.py", "_table/test_exact_figures.py", "_table/test_compress.py"),
}
"""What is run after a module's own tests, by folder; the first that fits."""
APART = ("test_same_bits.py", "test_cupy_kernels.py", "test_torch_kernels.py")
"""Files of the wider folders that start processes for every figure, or need a device."""

# Changed into each other, or, with one direction only, into the second.
BOTH_WAYS = [
    (ast.Add, ast.Sub),
    (ast.Mult, ast.Div),
    (ast.BitAnd, ast.BitOr),
    (ast.LShift, ast.RShift),
    (ast.And, ast.Or),
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.Is, ast.IsNot),
    (ast.In, ast.NotIn),
]
OPERATORS: dict[type[ast.AST], type[ast.AST]] = {ast.FloorDiv: ast.Div, ast.Pow: ast.Mult, ast.Mod: ast.Mult}
OPERATORS |= dict(BOTH_WAYS) | {other: one for one, other in BOTH_WAYS}
TWINS = {
    "min": "max",
    "minimum": "maximum",
    "argmin": "argmax",
    "floor": "ceil",
    "any": "all",
    "left": "right",
    "low": "high",
    "pos": "neg",
    "tp": "fp",
    "n_pos": "n_neg",
    "log1p": "log",
    "expm1": "exp",
}
TWINS |= {other: one for one, other in TWINS.items()}


@dataclass(frozen=True)
class Mutant:
    """One changed node: the `way`-th change of the `node`-th node of a module."""

    module: str
    line: int
    node: int
    way: int
    told: str

    @property
    def package(self) -> str:
        """Where it is counted."""
        return self.module.split("/")[0]

    def __str__(self) -> str:
        return f"{self.module}:{self.line}  {self.told}"


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Give the changed versions of a node."""
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in OPERATORS:
        yield changed(node, op=OPERATORS[type(node.op)]())
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in OPERATORS:
        yield changed(node, ops=[OPERATORS[type(node.ops[0])](), *node.ops[1:]])
    elif isinstance(node, ast.UnaryOp):
        yield copy.deepcopy(node.operand)
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield changed(node, value=not node.value)
        elif isinstance(node.value, int):
            yield changed(node, value=node.value + 1)
        elif isinstance(node.value, float):
            yield changed(node, value=2.0 * node.value if node.value else 1.0)
        elif isinstance(node.value, str) and node.value in TWINS:
            yield changed(node, value=TWINS[node.value])
    elif isinstance(node, ast.If | ast.IfExp | ast.While) and not isinstance(node.test, ast.Compare | ast.UnaryOp):
        yield changed(node, test=ast.UnaryOp(ast.Not(), copy.deepcopy(node.test)))
    elif isinstance(node, ast.Attribute) and node.attr in TWINS and isinstance(node.ctx, ast.Load):
        yield changed(node, attr=TWINS[node.attr])
    elif isinstance(node, ast.Name) and node.id in ("min", "max", "any", "all") and isinstance(node.ctx, ast.Load):
        yield changed(node, id=TWINS[node.id])
    elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and len(node.value.elts) > 1:
        first, second, *rest = node.value.elts
        if ast.dump(first) != ast.dump(second):
            yield changed(node, value=ast.Tuple([second, first, *rest], ast.Load()))


def changed(node: ast.AST, **fields: object) -> ast.AST:
    out = copy.deepcopy(node)
    for name, field in fields.items():
        setattr(out, name, field)
    return out


def code(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Give (parent, field, place) of every node that computes: no annotations, decorators, messages or docstrings."""
    for name, field in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list", "type_comment"):
            continue
        for place, child in enumerate(field) if isinstance(field, list) else [(None, field)]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.Raise | ast.JoinedStr | ast.Import):
                continue
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                continue
            if isinstance(child, ast.Assign) and ast.unparse(child.targets[0]) in ("__all__", "__slots__"):
                continue
            if isinstance(child, ast.Expr) and ast.unparse(child).startswith(("warn(", "warnings.")):
                continue
            if isinstance(child, ast.keyword) and child.arg == "strict":  # of zip, where lengths agree
                continue
            yield tree, name, place
            yield from code(child)


def child_of(parent: ast.AST, name: str, place: int | None) -> ast.AST:
    field = getattr(parent, name)
    return field if place is None else field[place]


def mutants_of(module: Path, base: Path) -> list[Mutant]:
    """List every mutant of a module."""
    out = []
    for number, where in enumerate(code(ast.parse(module.read_text()))):
        node = child_of(*where)
        for way, new in enumerate(changes(node)):
            told = " -> ".join(ast.unparse(each).splitlines()[0][:70] for each in (node, new))
            out.append(Mutant(module.relative_to(base).as_posix(), getattr(node, "lineno", 0), number, way, told))
    return out


def mutated(source: str, mutant: Mutant) -> str:
    """Return the source with the change made."""
    tree = ast.parse(source)
    parent, name, place = list(code(tree))[mutant.node]
    new = list(changes(child_of(parent, name, place)))[mutant.way]
    if place is None:
        setattr(parent, name, new)
    else:
        getattr(parent, name)[place] = new
    return ast.unparse(ast.fix_missing_locations(tree))


def tests_of(module: str) -> list[str]:
    """Return the test files of a module: its own first."""
    path = Path(module)
    own = (path.parent / f"test_{path.stem.lstrip('_')}.py").as_posix()
    also = next(files for folder, files in ALSO.items() if module.startswith(f"{folder}/"))
    files = dict.fromkeys((own, *also))
    return [f"tests/{name}" for name in files if (ROOT / "tests" / name).exists()]


def steps_of(module: str, *, wide: bool) -> list[tuple[str, ...]]:
    """Return what is run in turn: the files of `tests_of`, and then, if wanted, whole folders without those."""
    near = tests_of(module)
    steps = [(file,) for file in near]
    for folder in dict.fromkeys((Path(module).parts[0], "common", "measures", "_facade")) if wide else ():
        files = sorted((ROOT / "tests" / folder).rglob("test_*.py"))
        names = (file.relative_to(ROOT).as_posix() for file in files if file.name not in APART)
        steps.append(tuple(name for name in names if name not in near))
    return steps


def make_copy(where: Path) -> None:
    """Copy sources, tests and the compiled kernels, if there are any."""
    leave = shutil.ignore_patterns("__pycache__", "*.cpp", "*.hpp", ".*")
    shutil.copytree(ROOT / "src" / "thresher", where / "src" / "thresher", ignore=leave)
    shutil.copytree(ROOT / "tests", where / "tests", ignore=leave)
    shutil.copytree(ROOT / "benchmarks", where / "benchmarks", ignore=leave)  # some tests count with their functions
    shutil.copy(ROOT / "pyproject.toml", where)
    # Asked of another process: thresher must not be imported before the children are forked.
    name = "thresher._core.native._kernels"
    ask = f"from importlib.util import find_spec; found = find_spec({name!r}); print(found.origin if found else '')"
    found = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout.strip()
    if found:
        shutil.copy(found, where / "src" / "thresher" / "_core" / "native")


def run_tests(where: Path, files: list[str]) -> None:
    """Run in a child process: exit 0 if all pass; thresher is imported here and not before."""
    os.setsid()  # so that what the tests start can be ended with them
    os.chdir(where)
    log = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    # An editable install finds the working tree before any path; the copy is what is tested.
    sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in type(finder).__module__]
    sys.path[:0] = [str(where / "src"), str(where)]
    import pytest

    import thresher

    if not str(thresher.__file__).startswith(str(where)):
        os._exit(99)
    os._exit(int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-o", "addopts=", *FLAGS, *files])))


FLAGS = ["-m", "not slow", "--import-mode=importlib", "-W", "ignore::pytest.PytestAssertRewriteWarning"]


def outcome(where: Path, files: list[str], limit: float | None) -> str:
    """Run tests in a child process, for so many seconds at most."""
    child = multiprocessing.get_context("fork").Process(target=run_tests, args=(where, files))
    child.start()
    child.join(limit)
    if child.is_alive():
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid or 0, signal.SIGKILL)
        child.kill()
        child.join()
        return "timed out"
    if child.exitcode == 99:
        raise RuntimeError("the working tree was imported instead of the copy")
    return "survived" if child.exitcode in (0, 5) else "killed"  # 5: there was no test


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, default=100, help="how many mutants, spread over the packages")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--package", action="append", choices=PACKAGES, help="only these; may be given again")
    parser.add_argument("--at", action="append", metavar="FILE[:LINE]", help="all mutants there instead of a sample")
    parser.add_argument(
        "--timeout",
        type=float,
        help="seconds that a test file may take; ten times what it takes without a change, and a minute, by default",
    )
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no mutant after so long")
    parser.add_argument("--wide", action="store_true", help="then all tests of the package and of the folders above it")
    parser.add_argument("--again", type=Path, metavar="LOG", help="those that survived in what an earlier run printed")
    parser.add_argument("--jobs", type=int, default=1, help="how many at once, each in a copy of its own")
    parser.add_argument("--list", action="store_true", help="only say what would be done")
    given = parser.parse_args()
    base = ROOT / "src" / "thresher"
    every = [
        mutant
        for package in given.package or PACKAGES
        for module in sorted((base / package).rglob("*.py"))
        if module.name != "__init__.py"
        for mutant in mutants_of(module, base)
    ]
    if given.at:
        chosen = [one for one in every for at in given.at if at in (one.module, f"{one.module}:{one.line}")]
    elif given.again:
        survived = {line.strip() for line in given.again.read_text().rpartition(" survived\n")[2].splitlines()}
        chosen = [one for one in every if str(one) in survived]
    else:
        chosen = random.Random(given.seed).sample(every, min(given.sample, len(every)))
    print(f"{len(chosen)} of {len(every)} mutants, seed {given.seed}", flush=True)
    if given.list:
        print(*chosen, sep="\n")
        return 0
    os.environ["CI"] = "1"  # the same examples in every run
    for name in ("hypothesis", "numpy", "pytest", "scipy.special", "scipy.stats", "scipy.optimize"):
        __import__(name)  # once, before the children are forked
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copies = [Path(folder).resolve() / str(number) for number in range(max(1, given.jobs))]
        for where in copies:
            make_copy(where)
        return report(chosen, copies, given.timeout, given.minutes, wide=given.wide)


def tried(where: Path, mutant: Mutant, steps: list[tuple[str, ...]], limits: dict[tuple[str, ...], float]) -> str:
    """Say what became of a mutant: its tests are run in turn until one fails."""
    path = where / "src" / "thresher" / mutant.module
    source = path.read_text()
    path.write_text(mutated(source, mutant))
    # The copy's bytecode is that of the code as it is; within a second its time stamp would not tell.
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
    sys.dont_write_bytecode = True
    said = "survived"
    for step in steps:
        said = outcome(where, list(step), limits[step])
        if said != "survived":
            break
    sys.dont_write_bytecode = False
    path.write_text(source)
    return said


def in_copies(work: Callable[[Path, Task], Answer], tasks: list[Task], copies: list[Path]) -> Iterator[Answer]:
    """Do the tasks, one at a time in each copy of the tree; the answers come as they are found."""
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    turn = context.Value("i", 0)

    def worker(where: Path) -> None:
        while True:
            with turn.get_lock():
                mine, turn.value = turn.value, turn.value + 1
            if mine >= len(tasks):
                return
            try:
                answers.put(work(where, tasks[mine]))
            except Exception as error:  # raised again where the answers are read
                answers.put(error)

    workers = [context.Process(target=worker, args=(where,)) for where in copies]
    for one in workers:
        one.start()
    for _ in tasks:
        answer = answers.get()
        if isinstance(answer, Exception):
            for one in workers:
                one.kill()
            raise answer
        yield answer


def baseline(where: Path, step: tuple[str, ...]) -> tuple[tuple[str, ...], float, str]:
    """Return test files, the seconds they take without a change, and what they printed if they fail then."""
    start = time.monotonic()
    said = outcome(where, list(step), None)
    return step, time.monotonic() - start, "" if said == "survived" else (where / "log").read_text()[-600:]


def report(chosen: list[Mutant], copies: list[Path], limit: float | None, minutes: float, *, wide: bool) -> int:
    begin = time.monotonic()
    limits: dict[tuple[str, ...], float] = {}
    steps = list(dict.fromkeys(step for mutant in chosen for step in steps_of(mutant.module, wide=wide)))
    for step, seconds, failed in in_copies(baseline, sorted(steps, key=len, reverse=True), copies):
        if failed:  # it would kill everything
            print(f"left out, fails without a change: {' '.join(step)}\n{failed}", flush=True)
        else:
            limits[step] = 10.0 * seconds + 60.0 if limit is None else limit

    def one(where: Path, mutant: Mutant) -> tuple[Mutant, str]:
        if time.monotonic() - begin > 60 * minutes:
            return mutant, "not tried"
        steps = [step for step in steps_of(mutant.module, wide=wide) if step in limits]
        return mutant, tried(where, mutant, steps, limits)

    found: dict[str, list[tuple[Mutant, str]]] = defaultdict(list)
    for number, (mutant, said) in enumerate(in_copies(one, chosen, copies), 1):
        if said == "not tried":
            continue
        found[mutant.package].append((mutant, said))
        print(f"{number:4} {said:9} {mutant}", flush=True)
    print("\n| package | mutants | killed | share |\n|---|---:|---:|---:|")
    total = [each for ones in found.values() for each in ones]
    for name, ones in [*sorted(found.items()), ("all", total)]:
        killed = sum(said != "survived" for _, said in ones)
        print(f"| {name} | {len(ones)} | {killed} | {killed / max(len(ones), 1):.0%} |")
    survivors = sorted(str(mutant) for mutant, said in total if said == "survived")
    print(f"\n{len(chosen) - len(total)} not tried, {len(survivors)} survived", *survivors, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
