"""Results where work is tracked and gated: MLflow, Weights & Biases, pytest.

Nothing here is imported with `thresher`, and each tracker only when something is logged to it.
"""

from thresher._report import notebook_html
from thresher.integrations._trackers import log_to_mlflow, log_to_wandb

__all__ = ["log_to_mlflow", "log_to_wandb", "notebook_html"]
