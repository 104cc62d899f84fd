"""The way in: exit codes and messages, never a traceback.

Exit codes: 0 done, 1 something went wrong, 2 the command line is wrong, 3 a gate failed, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from thresher._core.optional import require
from thresher.exceptions import ThresherError

__all__ = ["main"]

_USAGE_ERROR = 2
_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; results go to stdout, notes and errors to stderr."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        for module in ("cyclopts", "rich"):
            require(module, extra="cli", purpose="The command `thresher`")
        from cyclopts import CycloptsError

        from thresher.cli._app import app

        try:
            code = app(words, print_error=False, exit_on_error=False, result_action="return_value")
        except CycloptsError as error:
            sys.stderr.write(f"thresher: {error}\nHint: `thresher --help` lists the commands.\n")
            return _USAGE_ERROR
    except ThresherError as error:
        sys.stderr.write(f"thresher: {error}\n")
        return 1
    except BrokenPipeError:
        # The reader went away, as `| head` does: there is nobody to tell, and Python must not try at exit.
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115  # lives until the process ends
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("thresher: interrupted.\n")
        return _INTERRUPTED
    except Exception as error:
        if os.environ.get("THRESHER_DEBUG"):
            raise
        sys.stderr.write(
            f"thresher: unexpected {type(error).__name__}: {error}\n"
            "Hint: this is a defect of thresher; please report it. THRESHER_DEBUG=1 shows where it happened.\n"
        )
        return 1
    return code if isinstance(code, int) else 0
