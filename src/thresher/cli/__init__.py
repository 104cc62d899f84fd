"""The command `thresher`: files in, text and files out."""

from thresher.cli._main import main

__all__ = ["main"]
