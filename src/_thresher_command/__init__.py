"""Where the command `thresher` starts: Ctrl-C is answered before the library is imported, which takes a while.

This stands outside the package, whose command takes a while to import. Only the command imports it.
"""

import os
import signal
import sys
from contextlib import suppress

__all__ = ["main"]

_INTERRUPTED = 130
_MESSAGE = "thresher: interrupted.\n"


def _say() -> None:
    with suppress(OSError):  # standard error may be closed
        os.write(2, _MESSAGE.encode())


def _leave(*_: object) -> None:
    """End the process; nothing has been begun yet."""
    _say()
    os._exit(_INTERRUPTED)


# A process that was started with SIGINT ignored, as by nohup, goes on ignoring it.
_answers = signal.getsignal(signal.SIGINT) is signal.default_int_handler
if _answers:
    signal.signal(signal.SIGINT, _leave)


def main() -> int:
    """Import the library and run the command; return its exit code. The version needs no library."""
    if sys.argv[1:] == ["--version"]:
        from thresher import __version__

        sys.stdout.write(f"{__version__}\n")
        return 0

    from thresher.cli import main as command

    try:
        if _answers:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return command()
    except KeyboardInterrupt:  # before `command` listens, or after it has ended
        _say()
        return _INTERRUPTED
