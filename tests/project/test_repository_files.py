"""Files that other programs read: workflows, forms for issues, the citation."""

import re
import tomllib
from pathlib import Path

import pytest

import bsp_sat
from tests.support.optional import run_tool

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"

SCHEMAS = {
    "vendor.github-workflows": sorted((GITHUB / "workflows").glob("*.yml")),
    "custom.github-workflows-require-timeout": sorted((GITHUB / "workflows").glob("*.yml")),
    "vendor.dependabot": [GITHUB / "dependabot.yml"],
    "vendor.github-issue-forms": sorted((GITHUB / "ISSUE_TEMPLATE").glob("[!c]*.yml")),
    "vendor.github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
    "vendor.citation-file-format": [ROOT / "CITATION.cff"],
}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_follow_their_schemas(schema):
    run_tool("check-jsonschema", "--builtin-schema", schema, *SCHEMAS[schema])


def test_workflows_have_no_known_weak_spots():
    """Such as actions that aren't pinned, secrets in the wrong place, or text of strangers in a script."""
    run_tool("zizmor", "--offline", "--quiet", GITHUB)


@pytest.mark.parametrize("path", [*sorted((GITHUB / "workflows").glob("*.yml")), ROOT / "docs" / "github-pages.yml"])
def test_actions_are_pinned_by_their_commits(path):
    used = re.findall(r"uses: (\S+)", path.read_text(encoding="utf-8"))
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action)] == []


def test_the_matrix_has_each_python_that_the_package_promises():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [line.rpartition(" ")[2] for line in project["classifiers"] if "Python :: 3." in line]
    assert f"python: {str(named).replace(chr(39), chr(34))}" in (GITHUB / "workflows" / "test.yml").read_text()
    assert project["requires-python"] == f">={named[0]}"


def test_the_package_and_the_citation_are_of_this_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert bsp_sat.__version__ == project["version"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {project['version']}" in citation
    assert f"license: {project['license']}" in citation


def test_the_tests_that_ci_names_are_there():
    named = re.findall(r"(tests/[\w/]+\.py)(?:::(\w+))?", (ROOT / ".ci/run").read_text())
    assert len(named) > 4
    assert [each for each in named if f"def {each[1]}" not in (ROOT / each[0]).read_text()] == []
