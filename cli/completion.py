"""What a shell completes besides commands and options, which click knows: boards and backends."""

import click
from click.shell_completion import CompletionItem

from bsp_sat.backends.registry import BACKENDS
from bsp_sat.instances.shipped import ATLAS, shipped_names

Items = list[CompletionItem]


def complete_board(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    """Files, and the shipped boards whose names begin so."""
    files = CompletionItem(incomplete, type="file")  # first: bash's script forgets what comes before it
    return [files, *(CompletionItem(name) for name in (*shipped_names(), ATLAS) if name.startswith(incomplete))]


def complete_backend(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    """The backends whose names begin so."""
    return [CompletionItem(name) for name in BACKENDS if name.startswith(incomplete)]
