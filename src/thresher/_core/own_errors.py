"""File systems of fsspec, whose libraries have errors of their own, as one that raises none but OSError."""

from __future__ import annotations

from typing import Any

__all__ = ["WithOSErrors"]


class WithOSErrors:
    """A file system or a file; what it raises that is no OSError is one, so that pyarrow and we can tell it."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WithOSErrors) and bool(self._inner == other._inner)

    __hash__ = None  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if not callable(found):
            return found

        def call(*words: Any, **named: Any) -> Any:
            try:
                made = found(*words, **named)
            except (OSError, MemoryError):
                raise
            except Exception as error:  # whatever the library of this store has
                said = (str(error).strip() or type(error).__name__).splitlines()[0]
                raise OSError(f"{said} ({type(error).__name__})") from error
            return WithOSErrors(made) if hasattr(made, "read") else made

        return call
