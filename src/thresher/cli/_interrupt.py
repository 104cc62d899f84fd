"""Ctrl-C within a second, also while a long call into compiled code does not look at signals."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from thresher._core.files import discard_unfinished

__all__ = ["INTERRUPTED", "prompt_interrupts"]

INTERRUPTED = 130
_GRACE = 0.5


@contextmanager
def prompt_interrupts() -> Iterator[None]:
    """Leave the process half a second after Ctrl-C if Python has not ended by then, with no unfinished file behind.

    Python raises KeyboardInterrupt between two of its own steps only, and sorting many rows is one step. A thread
    hears of the signal through a socket, gives the ordinary way its chance, and then cleans up and ends the process.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    former = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
    done = threading.Event()

    def listen() -> None:
        while heard := ear.recv(64):
            if signal.SIGINT in heard and not done.wait(_GRACE):
                discard_unfinished()
                with suppress(OSError):  # standard error may be closed
                    os.write(2, b"thresher: interrupted.\n")
                os._exit(INTERRUPTED)

    threading.Thread(target=listen, name="interrupts", daemon=True).start()
    try:
        yield
    finally:
        done.set()
        signal.set_wakeup_fd(former)
        mouth.close()
