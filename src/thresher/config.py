"""What thresher runs on: the kernels in use, versions, the number of threads, and memory that is kept."""

from thresher._core.config import show_config, trim_memory
from thresher._core.threads import num_threads

__all__ = ["num_threads", "show_config", "trim_memory"]
