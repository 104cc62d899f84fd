"""Results that draw themselves: `plot` finds the display of a curve when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar

__all__ = ["Drawn"]


class Drawn:
    """A curve with a display of its name in `thresher.plotting`."""

    __slots__ = ()
    _display: ClassVar[str] = ""
    """The name of the display, where it is not that of the class."""

    def plot(self, ax: Any = None, *, name: str | None = None, **options: Any) -> Any:
        """Draw into matplotlib axes (new ones if none are given), and return the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw.
        name : str, optional
            What to call it in the legend.
        **options
            Options of the display's `plot`, such as `color`.

        Returns
        -------
        display
            One of `thresher.plotting`, with `ax_` and `figure_`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> display = th.Scores(data.y_true, data.tree).roc().plot(name="tree")
        >>> display.ax_.get_ylabel()
        'True positive rate (recall)'
        >>> plt.close(display.figure_)
        """
        plotting = import_module("thresher.plotting")
        bases = [cls.__name__ for cls in type(self).__mro__]
        names = [f"{base}Display" for name in bases for base in (name, name.removesuffix("Curve"))]
        display = next(getattr(plotting, one) for one in (self._display, *names) if hasattr(plotting, one))
        return display(self, name=name).plot(ax, **options)
