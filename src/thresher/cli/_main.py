"""The way in: exit codes and messages, never a traceback.

Exit codes: 0 done, 1 something went wrong, 2 the command line is wrong, 3 a gate failed, 130 interrupted, 128 and the
signal's number after another signal.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from importlib import import_module
from typing import Any

from thresher._core.checks import show
from thresher._core.optional import require
from thresher.cli._errors import UsageError, in_commands
from thresher.cli._interrupt import INTERRUPTED, Ended, prompt_interrupts
from thresher.cli._repeated import one_by_one
from thresher.cli._streams import flush_or_drop, open_streams, to_nowhere
from thresher.exceptions import ThresherError, ThresherWarning

__all__ = ["main"]

_USAGE_ERROR = 2
_HELP = {"--help", "-h"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; results go to stdout, notes and errors to stderr."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    # Callers from Python keep their own handling of signals.
    signals = prompt_interrupts() if arguments is None else nullcontext()
    with open_streams(), signals, warnings.catch_warnings():
        for stream in (sys.stdout, sys.stderr):
            # A name that the terminal cannot show is shown escaped; it is no reason to stop.
            with suppress(AttributeError, ValueError):
                stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # not every stream has it
        warnings.simplefilter("always", ThresherWarning)
        warnings.showwarning = _noted_once()
        try:
            code = _run(words)
            sys.stdout.flush()
            return code
        except BrokenPipeError:  # the reader went away, as `| head` does
            to_nowhere()
            return 1
        except OSError as error:
            code = _machine_trouble(error)
            flush_or_drop()
            return code
        except KeyboardInterrupt:
            sys.stderr.write("thresher: interrupted.\n")
            return INTERRUPTED
        except Ended as signal:
            with suppress(OSError):  # the terminal may be gone
                sys.stderr.write(f"thresher: {signal}.\n")
            return signal.code


def _called(words: list[str]) -> int:
    """Call the command that the words name."""
    for module in ("cyclopts", "rich"):
        require(module, extra="cli", purpose="The command `thresher`")
    from cyclopts import CycloptsError, UnusedCliTokensError

    from thresher.cli._app import app

    # Help is as wide as the window is now, not as it was when help was first asked for in this process.
    console = import_module("rich.console").Console() if not words or _HELP & {*words} else None
    try:
        code = app(
            one_by_one(words), console=console, print_error=False, exit_on_error=False, result_action="return_value"
        )
    except UnusedCliTokensError as error:
        return _refused(_too_many(error.unused_tokens or []), words, app)
    except (CycloptsError, UsageError) as error:
        return _refused(str(error), words, app)
    return code if isinstance(code, int) else 0


def _run(words: list[str]) -> int:
    """Call the command, and say in a line what went wrong."""
    try:
        return _called(words)
    except ThresherError as error:
        sys.stderr.write(f"thresher: {error}\n")
        return 1
    except OSError:  # a broken pipe, a full disk: reported once, by the code that flushes the rest
        raise
    except MemoryError:
        sys.stderr.write("thresher: the machine has too little memory for this. Hint: use fewer columns or rows.\n")
        return 1
    except Exception as error:
        if os.environ.get("THRESHER_DEBUG"):
            raise
        sys.stderr.write(
            f"thresher: unexpected {type(error).__name__}: {error}\n"
            "Hint: this is a defect of thresher; please report it. THRESHER_DEBUG=1 shows where it happened.\n"
        )
        return 1


def _too_many(words: list[str]) -> str:
    """Say that a command reads one file, which a shell that expands a pattern makes several of."""
    return (
        f"There must be no more files than the command reads; got {show(words[0], 200)} as well. Hint: several files "
        "are a folder, or a pattern in quotes such as 'day-*.parquet'; `thresher merge` adds files of counts up."
    )


def _machine_trouble(error: OSError) -> int:
    """Say what the machine refused; only the standard output has no name."""
    with suppress(OSError):  # the standard error output may be as full
        sys.stderr.write(f"thresher: {error.strerror or error}: {error.filename or 'standard output'}\n")
    return 1


def _refused(message: str, words: list[str], app: Any) -> int:
    known = words[0] if words and words[0] in app else ""
    place = f"thresher {known} --help" if known else "thresher --help"
    sys.stderr.write(f"thresher: {message.strip()}\nUsage: see `{place}`.\n")
    return _USAGE_ERROR


def _noted_once() -> Callable[..., None]:
    """Return how warnings are shown: as a note, and each text once."""
    said: set[str] = set()

    def note(message: Warning | str, *_: object, **__: object) -> None:
        if str(message) not in said:
            said.add(str(message))
            sys.stderr.write(f"note: {in_commands(str(message))}\n")

    return note
