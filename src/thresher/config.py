"""What thresher runs on: the kernels in use, versions, and the number of threads."""

from thresher._core.config import show_config
from thresher._core.threads import num_threads

__all__ = ["num_threads", "show_config"]
