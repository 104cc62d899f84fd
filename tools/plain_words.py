"""Check the words of every text that a user or a contributor reads.

    python -m tools.plain_words [FILE...]

Reads Markdown, reStructuredText, docstrings, comments and messages in Python, strings and comments in TypeScript, and
templates. Prints each place with a word that the project does not use and what to write; exits with 1 if there is one.
Code in backticks, in code blocks and in doctests is not looked at, and neither are quotations of other programs.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SUFFIXES = (".py", ".md", ".ts", ".html", ".rst")

# Pattern and what to write, whatever the case of the letters; a word is matched whole.
WORDS: dict[str, str] = {
    r"\bAUC-(ROC|PR)\b": "ROC AUC, PR AUC",
    r"\b\d+(\.\d+)? %(?! [\d(])": "95%, without a space",
    r"(?<![\w.,-])(?<!between )(?<!and )1 (scores|rows|cases|models|points|thresholds|groups)\b": "1 row",
    r"\bshall\b": "will, or the imperative",
    r"\bwho(ever|soever)\b": "the person meant: users, readers",
    r"(?:^|[.:;] |\()(?-i:Who) [a-z]+s\b(?!.*\?)": "a noun: 'Acting at 0.35 has ...'",
    r"\bshares? of\b": "proportion of, prevalence, rate",
    r"\bcoins?\b": "randomised mixture of two thresholds",
    r"\bhonest(ly)? (band|bands|interval|intervals)\b": "confidence band",
    r"\bcalled (positive|negative)\b": "predicted positive",
    r"\bcalls? (it |them |a row |a case |everything |nothing |all )?(positive|negative)\b": "predict(s) positive",
    r"\bpromis(e|es|ed|ing)\b": "guarantee, or constraint",
    r"\b(the|of the|its|our) house\b": "the project",
    r"\bat home\b": "in main memory, or the place meant",
    r"\bdear(er|est)?\b": "slow, expensive",
    r"\btold\b(?! (apart|from))": "said, given, listed",
    r"(?<!there )\b(is|are) (?-i:none)\b(?! of)": "is not, are not, do not exist",
    r"\bnumbers of rows\b": "row counts",
    r"\bbesides that\b": "also",
    r"\breckon(s|ed)? with\b": "expect",
    r"\bnobody reckons\b": "is not expected",
    r"\blaws?\b(?!=)": "distribution",
    r"\btimid\b": "underconfident",
    r"\bruler\b": "straight line",
    r"\b(rooms|(a|the|own|its|other|which|another|each) room)\b": "package",
    r"\bdoors?\b": "entry point",
    r"\b(intervals?|tests?|bands?|errors?) (do not |does not )?knows? it\b": "account(s) for it",
    r"\bone's\b": "your, the user's",
    r"\bhangs? on\b": "depends on",
    r"\bseldom\b": "rarely",
    r"\bsomebody\b": "someone, or the person meant",
    r"\bper cent\b": "%",
    r"\bkin\b": "a noun",
    r"\b(is|are|was|were|been) mended\b": "fixed",
    r"\b(rank|several|other|binary) figures\b": "metrics",
}

# A file, a word of it, and why it may stand there.
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("docs/figures/report_views.py", "promise"): "JavaScript's Promise",
}

_CODE = re.compile(
    r"^\s+\w+(, \w+)* : .*|\{[%{#].*?[%}#]\}|<[^<>]+>|\$\{[^}]*\}|``.+?``|`[^`\n]+`|\$[^$\n]+\$|\(https?://[^)]+\)|https?://\S+|\]\([^)]*\)"
)


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file that people read, with their numbers."""
    content = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from _python(content)
    elif path.suffix == ".ts":
        for number, line in enumerate(content.splitlines(), 1):
            found = re.findall(r"//(.*)$|\"([^\" ]* [^\"]*)\"|`([^`]*)`", line)
            yield from ((number, " ".join(part)) for part in found)
    elif path.suffix in (".md", ".rst", ".html", ".yml"):
        yield from _markdown(content)


def _markdown(content: str) -> Iterator[tuple[int, str]]:
    fence = None
    for number, line in enumerate(content.splitlines(), 1):
        mark = re.match(r"\s*(`{3,}|:{3,})", line)
        if mark and mark[1][0] == "`":
            fence = None if fence else mark[1]
        elif not fence and not re.match(r"\s*>>>|\s*\.\.\. ", line):
            yield number, line


def _python(content: str) -> Iterator[tuple[int, str]]:
    lines = content.splitlines()
    for token in tokenize.generate_tokens(iter([f"{line}\n" for line in lines]).__next__):
        if token.type == tokenize.COMMENT and not token.string.startswith("# noqa"):
            yield token.start[0], token.string
    skipped: set[int] = set()
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and (" " in node.value or "-" in node.value):
            example = False
            for offset, line in enumerate(node.value.splitlines() or [""]):
                if line.lstrip().startswith(">>>"):
                    example = True
                elif not line.strip():
                    example = False
                if not example and node.lineno + offset not in skipped:
                    yield node.lineno + offset, line


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    wanted = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "AGENTS.md", "src/", "docs/", "js/src/")
    return [
        ROOT / name
        for name in listed.split("\0")
        if name.startswith(wanted)
        and Path(name).suffix in (".py", ".md", ".ts", ".html", ".rst")
        and (ROOT / name).is_file()
    ]


def findings(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yield line, word and what to write of one file."""
    name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
    for number, text in texts(path):
        plain = _CODE.sub(" ", text)
        for pattern, instead in WORDS.items():
            for match in re.finditer(pattern, plain, re.IGNORECASE):
                if (name, match[0].lower()) not in EXCEPTIONS:
                    yield number, match[0], instead


def main() -> int:
    paths = [Path(name).resolve() for name in sys.argv[1:]] or tracked()
    count = 0
    for path in paths:
        for number, word, instead in findings(path):
            print(f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}:{number}: {word!r}: {instead}")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
