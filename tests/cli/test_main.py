from __future__ import annotations

import os
import subprocess
import sys

import pytest

import thresher as th
from support.thorough import dear

COMMANDS = [
    "demo",
    "report",
    "auc",
    "curve",
    "compare",
    "gate",
    "groups",
    "threshold",
    "from-errors",
    "population",
    "auccalculator",
    "count",
    "merge",
]
RUN = [sys.executable, "-c", "import sys; from thresher.cli import main; sys.exit(main())"]


def process(*words, env=None, **options):
    return subprocess.run(
        [*RUN, *words], capture_output=True, text=True, timeout=300, env={**os.environ, **(env or {})}, **options
    )


def _joined(text):
    """Return help with each paragraph of its introduction in one line: where it is broken depends on the window."""
    introduction, panel, rest = "\n".join(line.rstrip() for line in text.splitlines()).partition("╭")
    return "\n\n".join(" ".join(part.split()) for part in introduction.split("\n\n")) + "\n\n" + panel + rest


@pytest.mark.parametrize("words", [["--help"], *([name, "--help"] for name in COMMANDS)])
def test_help(thresher, snapshot, words):
    ran = thresher(*words)
    assert (ran.code, ran.err) == (0, "")
    if len(words) > 1:
        assert f"Example: thresher {words[0]}" in ran.out
    assert _joined(ran.out) == snapshot


def test_no_command_shows_the_help(thresher):
    ran = thresher()
    assert ran.code == 0
    assert all(name in ran.out for name in COMMANDS)


def test_version(thresher):
    assert thresher("--version").out.strip() == th.__version__


@pytest.mark.parametrize(
    "words",
    [
        ["acu"],
        ["auc"],
        ["auc", "--zork"],
        ["auc", "digits.csv", "--zork", "1"],
        ["auc", "digits.csv", "more.csv"],
        ["auc", "digits.csv", "--confidence-level", "95"],
        ["auc", "digits.csv", "--confidence-level"],
        ["auc", "digits.csv", "--format", "xml"],
        ["curve", "digits.csv"],
        ["report", "digits.csv", "--seed", "x"],
    ],
)
def test_usage_errors(thresher, digits, snapshot, words):
    ran = thresher(*words)
    assert (ran.code, ran.out) == (2, "")
    assert str(ran) == snapshot


def test_a_defect_is_said_without_a_traceback(thresher, digits, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("a screw is loose")

    monkeypatch.setattr("thresher.cli._auc._Asked.rows", broken)
    ran = thresher("auc", digits)
    assert ran.code == 1
    assert ran.err == (
        "thresher: unexpected RuntimeError: a screw is loose\n"
        "Hint: this is a defect of thresher; please report it. THRESHER_DEBUG=1 shows where it happened.\n"
    )
    monkeypatch.setenv("THRESHER_DEBUG", "1")
    with pytest.raises(RuntimeError, match="a screw is loose"):
        thresher("auc", digits)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(28, "No space left on device", "out.csv"), "thresher: No space left on device: out.csv\n"),
        (MemoryError(), "thresher: the machine has too little memory for this. Hint: use fewer columns or rows.\n"),
    ],
)
def test_trouble_of_the_machine(thresher, digits, monkeypatch, error, said):
    def broken(*_, **__):
        raise error

    monkeypatch.setattr("thresher.cli._auc._Asked.rows", broken)
    ran = thresher("auc", digits)
    assert (ran.code, ran.err) == (1, said)


def test_a_library_that_is_not_installed(thresher, digits, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    ran = thresher("auc", digits)
    assert ran.code == 1
    assert ran.err == (
        "thresher: Reading a file needs the library 'duckdb', which is not installed. "
        "Hint: pip install 'thresher[cli]'.\n"
    )


# As processes of their own


def test_process(digits, folder):
    ran = process("auc", "digits.csv", "--fail-under", "roc_auc=0.99")
    assert ran.returncode == 3
    assert "ROC AUC" in ran.stdout
    assert "gate failed: roc_auc of logistic is at least 0.96" in ran.stderr
    assert "\x1b" not in ran.stdout + ran.stderr


def test_a_reader_that_goes_away(small_file):
    words = [*RUN, "auc", small_file, "--y-score", "a", "--format", "csv"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        running.stdout.close()
        said = running.stderr.read()
    assert running.returncode == 1
    assert "BrokenPipe" not in said
    assert "Traceback" not in said


def test_a_terminal_that_knows_ascii_only(folder):
    (folder / "f.csv").write_text("label,模型 🦀\n1,0.5\n0,0.25\n1,0.75\n0,0.5\n")
    ran = process("auc", "f.csv", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert ran.returncode == 0
    assert r"\u6a21\u578b \U0001f980" in ran.stdout


@pytest.mark.some(1)
@pytest.mark.parametrize("no_color", [False, True])
def test_color_on_a_terminal(digits, folder, no_color):
    pty = pytest.importorskip("pty")
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    env.pop("NO_COLOR", None)
    if no_color:
        env["NO_COLOR"] = "1"
    ours, theirs = pty.openpty()
    with subprocess.Popen([*RUN, "--help"], stdout=theirs, stderr=theirs, env=env) as running:
        os.close(theirs)
        said = b""
        try:
            while part := os.read(ours, 65536):
                said += part
        except OSError:  # the terminal is closed by the other side
            pass
    os.close(ours)
    assert running.returncode == 0
    assert b"from-errors" in said
    colored = any(code in said for code in (b"\x1b[3", b"\x1b[9", b"\x1b[1;3"))
    assert colored is not no_color


@pytest.mark.parametrize("shell", dear(["bash", "zsh", "fish"], 1))
def test_completion(folder, shell):
    env = {"HOME": str(folder), "ZDOTDIR": str(folder), "XDG_CONFIG_HOME": str(folder / ".config")}
    ran = process("--install-completion", "--shell", shell, env=env)
    assert ran.returncode == 0, ran.stderr
    written = "".join(path.read_text() for path in folder.rglob("*") if path.is_file())
    for name in (*COMMANDS, "--fail-under", "--confidence-level"):
        assert name.lstrip("-") in written
