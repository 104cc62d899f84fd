"""The way in: exit codes and messages, never a traceback.

Exit codes: 0 done, 1 something went wrong, 2 the command line is wrong, 3 a gate failed, 130 interrupted, 128 and the
signal's number after another signal.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from importlib import import_module
from types import FrameType
from typing import Any

from thresher._core.checks import require, show
from thresher._core.files import discard_unfinished, is_there
from thresher.cli._errors import UsageError, in_commands
from thresher.exceptions import ThresherError, ThresherWarning

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
        f"This command reads one file; got {show(words[0], 200)} as well. Hint: pass several files "
        "as a folder, or as a pattern in quotes such as 'day-*.parquet'; `thresher merge` adds files of counts."
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


@contextmanager
def open_streams() -> Iterator[None]:
    """Let what goes to a closed stream go nowhere; a closed standard input stays None, but its number is taken.

    Otherwise the next file opened would get the number of the closed stream, and what is meant for the one would end
    up in the other.
    """
    former = sys.stdout, sys.stderr
    with ExitStack() as stack:
        nowhere = [
            None if stream is not None else stack.enter_context(open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123  # a device
            for stream, mode in ((sys.stdin, "r"), (sys.stdout, "w"), (sys.stderr, "w"))
        ]
        sys.stdout, sys.stderr = former[0] or nowhere[1], former[1] or nowhere[2]
        try:
            yield
        finally:
            sys.stdout, sys.stderr = former


def to_nowhere() -> None:
    """Send what is left for standard output nowhere: there is nobody to read it, and Python must not try at exit."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def flush_or_drop() -> None:
    """Write what is left for standard output, or send it nowhere if that fails too: a buffer keeps it."""
    try:
        sys.stdout.flush()
    except OSError:
        to_nowhere()


_OPTION = "--y-score"


def one_by_one(words: Sequence[str]) -> list[str]:
    """Return the words with the option repeated before each of its values.

    A file may stand behind the values too, unless one stands before the options: the last word is the file then, if
    it exists.
    """
    file_first = len(words) > 1 and (words[1] == "-" or not words[1].startswith("-"))
    out: list[str] = []
    i = 0
    while i < len(words):
        out.append(words[i])
        i += 1
        if words[i - 1] == _OPTION and i < len(words):
            end = next((k for k in range(i + 1, len(words)) if words[k].startswith("-")), len(words))
            values = words[i:end]
            n_files = int(not file_first and _ends_in_file(values, last=end == len(words)))
            for value in values[: len(values) - n_files]:
                out += [value, _OPTION]
            out[-1:] = values[len(values) - n_files :]  # the option behind the last value gives way to the file
            i = end
    return out


def _ends_in_file(values: Sequence[str], *, last: bool) -> bool:
    """Return whether the last of several values is the file: nothing follows, or there is a file of that name."""
    return len(values) > 1 and (last or is_there(values[-1]))


INTERRUPTED = 130
_GRACE = 0.5
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Ended(BaseException):  # no error: someone wants the process to end
    """The process was asked to end, by a signal other than Ctrl-C's."""

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by {signal.Signals(number).name}")
        self.code = 128 + number


def _end(number: int, _: FrameType | None) -> None:
    raise Ended(number)


@contextmanager
def prompt_interrupts() -> Iterator[None]:
    """Leave the process half a second after a signal if Python has not ended by then, with no unfinished file behind.

    Python raises KeyboardInterrupt between two of its own steps only, and sorting many rows is one step. A thread
    hears of the signal through a socket, gives the ordinary way its chance, and then cleans up and ends the process.
    The signals that ask a process to end are answered like Ctrl-C, unless they are ignored, as after `nohup`.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    former = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
    changed = [number for number in _ENDING if signal.getsignal(number) is signal.SIG_DFL]
    for number in changed:
        signal.signal(number, _end)
    answered = {signal.SIGINT, *changed}
    done = threading.Event()

    def listen() -> None:
        while heard := ear.recv(64):
            number = next((number for number in heard if number in answered), None)
            if number is not None and not done.wait(_GRACE):
                discard_unfinished()
                with suppress(OSError):  # standard error may be closed
                    os.write(2, f"thresher: {said(number)}.\n".encode())
                os._exit(128 + number)

    threading.Thread(target=listen, name="interrupts", daemon=True).start()
    try:
        yield
    finally:
        done.set()
        for number in changed:
            signal.signal(number, signal.SIG_DFL)
        signal.set_wakeup_fd(former)
        mouth.close()


def said(number: int) -> str:
    """Return what happened, in a word or two."""
    return "interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}"
