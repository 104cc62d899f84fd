"""Signals that end the command: Ctrl-C within a second, and no unfinished file behind after any of them."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from thresher._core.files import discard_unfinished

__all__ = ["INTERRUPTED", "Ended", "prompt_interrupts"]

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
