"""What a shell completes besides commands and options, which click knows: boards and backends."""

from typing import TYPE_CHECKING

import click

from bsp_sat.backends.registry import BACKENDS
from bsp_sat.instances.files import ATLAS, shipped_names

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Items = list[CompletionItem]


def complete_board(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> "Items":
    """Files, and the shipped boards whose names begin so."""
    from click.shell_completion import CompletionItem  # here and below: only a shell that completes needs it

    files = CompletionItem(incomplete, type="file")  # first: bash's script forgets what comes before it
    return [files, *(CompletionItem(name) for name in (*shipped_names(), ATLAS) if name.startswith(incomplete))]


def complete_backend(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> "Items":
    """The backends whose names begin so."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in BACKENDS if name.startswith(incomplete)]
