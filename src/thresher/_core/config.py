"""What this installation runs on: compiled kernels or NumPy, how many threads, which versions."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from thresher._core import native
from thresher._core.threads import thread_count

__all__ = ["config", "show_config"]

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
