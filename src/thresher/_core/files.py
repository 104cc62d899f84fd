"""Files that are whole or absent."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from thresher._core.checks import show
from thresher.exceptions import InvalidInputError

__all__ = ["written_whole"]


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary name beside the file's own, and rename it at the end; after an error nothing is left.

    The temporary name keeps the ending, by which some writers choose a format.
    """
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=".thresher-", suffix=target.suffix, dir=target.parent)
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            # `mkstemp` makes files private; a result has the permissions that any new file would have.
            mask = os.umask(0)
            os.umask(mask)
            temporary.chmod(0o666 & ~mask)
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InvalidInputError(f"Cannot write {show(str(target), 200)}: {error.strerror}.") from error
