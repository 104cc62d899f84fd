"""Configuration of the documentation: `sphinx-build -W --keep-going -b html docs docs/_build/html`.

Nothing is fetched when it is built, and nothing when a page is read.
"""

from __future__ import annotations

import sys
from pathlib import Path

import thresher

sys.path[:0] = [str(Path(__file__).parent / "_ext"), str(Path(__file__).parents[1])]  # the latter for `papers`

project = "thresher"
author = "The thresher developers"
copyright = "The thresher developers, BSD 3-Clause"
release = thresher.__version__
version = release

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
    # Ours, in _ext: formulas without a script, the pages of `python -m papers`, links from backquotes, reports that
    # live, snippets for search, a last look.
    "mathml",
    "paper_pages",
    "docstrings",
    "live_report",
    "offline_search",
    "finished_pages",
]

exclude_patterns = ["_build", "gallery", "figures/*.py", "**/.ipynb_checkpoints"]
templates_path = ["_templates"]
nitpicky = True
# `ref.python`: a backquoted name such as `.sd` may belong to several classes; any of them will do.
suppress_warnings = ["ref.python", "config.cache"]

# -- Markdown
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence", "deflist"]

# -- Reference
default_role = "py:obj"
autosummary_generate = True
autodoc_typehints = "none"  # types are in the Parameters sections, in words
autodoc_default_options = {
    "members": True,
    # Ours are shown where they are inherited, those of Python and scikit-learn are not.
    "inherited-members": "ValueError, TypeError, ModuleNotFoundError, UserWarning, FutureWarning, Exception, "
    "BaseEstimator, ClassifierMixin, MetaEstimatorMixin, tuple, dict, Mapping",
}
numpydoc_show_class_members = False
add_module_names = False
python_display_short_literal_types = True
toc_object_entries_show_parents = "hide"

# -- Gallery
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_gallery",
    "within_subsection_order": "gallery_style.Order",
    "filename_pattern": r"plot_",
    "image_srcset": ["2x"],
    "thumbnail_size": (400, 280),
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_signature": False,
    "remove_config_comments": True,
    "min_reported_time": 60,
    "write_computation_times": False,
    "reset_modules": ("matplotlib", "gallery_style.reset"),
    "capture_repr": ("__repr__",),
    "ignore_repr_types": r"matplotlib|thresher\.plotting",
    "doc_module": ("thresher",),
    "backreferences_dir": "auto_gallery/backreferences",
    "inspect_global_variables": True,
    "prefer_full_module": {r"thresher.*"},
}

# -- Pages
html_theme = "pydata_sphinx_theme"
html_title = "thresher"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["copy-button.js"]
html_search_scorer = str(Path(__file__).parent / "_static" / "search-scorer.js")
html_favicon = "_static/thresher.svg"
html_logo = "_static/thresher.svg"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "thresher", "alt_text": "thresher, to the first page"},
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "navigation_depth": 2,
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
    "secondary_sidebar_items": ["page-toc"],
    "primary_sidebar_end": [],
    "show_prev_next": True,
    "search_as_you_type": True,
}
html_context = {"default_mode": "auto"}
html_sidebars = {"index": [], "tutorial": []}


def _not_ours(app: object, what: str, name: str, member: object, skip: bool, options: object) -> bool | None:
    """Leave out what a class has from scikit-learn: it is described there, in words that link to pages of theirs."""
    return True if str(getattr(member, "__module__", "")).startswith("sklearn.") else None


def setup(app: object) -> None:
    app.connect("autodoc-skip-member", _not_ours)
