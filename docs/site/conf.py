"""Builds the documentation site from the Markdown pages, the docstrings and the commands.

In the project's folder: ``sphinx-build -W --keep-going -c docs/site . build/site``
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import bsp_sat  # noqa: E402 - found in the sources

project = "bsp-sat"
author = "the bsp-sat authors"
copyright = "2026, the bsp-sat authors"
release = version = bsp_sat.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_click"]
root_doc = "docs/site/index"
include_patterns = [
    "*.md", ".github/*.md", "docs/*.md", "docs/site/*.rst", "benchmarks/*.md", "benchmarks/results/*.md",
    "instances/*.md", "encoder/*.md", "engine/*.md", "formal/**.md", "apps/*/*.md", "apps/page/package/*.md",
]  # fmt: skip

suppress_warnings = ["misc.highlighting_failure"]  # of samples with an ellipsis

myst_heading_anchors = 4

autodoc_member_order = "groupwise"
autodoc_typehints = "description"
napoleon_google_docstring = True
napoleon_use_ivar = True
default_role = "code"

html_theme = "furo"  # light and dark, and readable on a phone
html_extra_path = ["index.html"]  # an index.html that leads to the first page, which isn't at the site's root
html_title = f"bsp-sat {version}"
html_theme_options = {"top_of_page_buttons": []}
