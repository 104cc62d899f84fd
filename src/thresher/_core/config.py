"""What this installation runs on, and the memory that it keeps for the next call."""

from __future__ import annotations

import platform
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

from thresher._core import native
from thresher._core.threads import thread_count

_PACKAGES = ("thresher", "numpy", "scipy", "array-api-compat", "array-api-extra", "narwhals")


def config() -> dict[str, str | int | bool]:
    """Return the facts that `show_config` prints."""
    compiled = native.available()
    found: dict[str, str | int | bool] = {
        "native": compiled,
        "kernels": f"compiled ({native.instruction_set()})" if compiled else "NumPy (no compiler when installed)",
        "threads": thread_count() if compiled else 1,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
    }
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def show_config() -> None:
    """Print which kernels are in use, how many threads they may use, and the versions of what thresher needs.

    Examples
    --------
    >>> from thresher.config import show_config
    >>> show_config()  # doctest: +ELLIPSIS
    native: ...
    kernels: ...
    """
    for name, value in config().items():
        print(f"{name}: {value}")  # noqa: T201  # printing is what it is for


def give_back() -> None:
    """Ask glibc, which keeps what threads have freed; other allocators give it back by themselves."""
    if sys.platform == "linux":
        import ctypes  # which takes a while to load

        with suppress(AttributeError, OSError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)


def trim_memory() -> None:
    """Return to the system the memory that is kept for the next call.

    The compiled kernels keep blocks that they have used, because new pages cost as much as sorting: up to 512 MiB, or
    as many as the environment variable `THRESHER_MOST_KEPT` says (0 keeps none of the large ones). Results are not
    touched, and the next call works as before.

    Examples
    --------
    >>> import thresher as th
    >>> th.config.trim_memory()
    """
    native.trim_memory()
    give_back()
