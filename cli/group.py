"""The `bsp-sat` command: its subcommands, and the handling of errors that no subcommand expects."""

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, cast

import click

from bsp_sat.instances.errors import BackendError, BspSatError, Unread
from bsp_sat.instances.text.words import did_you_mean, short
from bsp_sat.on_demand import declared, imported

# The exit codes of all commands, beside 0.

EXIT_NO = 1
"""Proved unsolvable, invalid, or not verified."""
EXIT_BAD_INPUT = 2
EXIT_UNKNOWN = 3
"""Stopped by a limit, a signal, or because there is no memory left."""
EXIT_BUG = 4

COMMAND_LINE = "bsp_sat.command_line"
"""The key of the command line in a context's ``meta``."""

SECTIONS = {
    "Solve": {"solve": "Find a shortest plan and prove it.", "count": "Count the shortest plans of a board."},
    "Make": {
        "generate": "Generate boards.",
        "partition": "Translate between boards and 3-Partition.",
        "export": "Write a board for another solver.",
    },
    "Study": {},
    "Look": {"instances": "List the shipped boards.", "show": "Draw a board in the terminal, or convert it."},
    "Prove": {"check": "Replay a plan on a board.", "verify": "Check a certificate."},
}
"""The solver's commands with their summaries, by what they are for; `sections` adds those of apps. The summaries are
here so that ``--help`` needn't import every command."""

OPTION_LIKENESS = 0.7
"""Of a misspelt option: `--bakend` is one of `--backend`, and `--astar` is none of `--cluster`."""

START = """\
bsp-sat solves sort puzzles, and proves its answers. Try:

  bsp-sat solve level-80        solve a shipped board
  bsp-sat instances             list the shipped boards
  bsp-sat solve board.txt       solve a board of yours, such as abba|bcca|cabc|- : tubes from bottom
                                to top, a letter for each colour, - for an empty tube
  bsp-sat solve screenshot.png  solve the board in a picture
  bsp-sat serve                 play, enter and solve boards in your browser

`bsp-sat --help` lists all commands, `bsp-sat solve --help` explains one.
"""


def sections() -> dict[str, dict[str, str]]:
    """All commands with their summaries, by what they are for."""
    found = {heading: dict(section) for heading, section in SECTIONS.items()}
    for name, (_, (heading, summary)) in declared("COMMANDS").items():
        found[heading][name] = summary
    return {heading: section for heading, section in found.items() if section}


def columns() -> int:
    """How many characters a line of output has room for: as COLUMNS says, or as a terminal at any stream has."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    for number in range(3):
        try:
            return os.get_terminal_size(number).columns or 80
        except OSError:  # no terminal
            pass
    return 80


class ReaderHasGone(Exception):
    """The reader of standard output has closed it, as with `| head`."""


class _Formatter(click.HelpFormatter):
    """Lays out help, in lines of at most 80 characters. click would load `shutil` to ask for the terminal's width."""

    def __init__(self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None) -> None:
        super().__init__(indent_increment, width or max(50, min(columns(), max_width or 80) - 2), max_width)


class _Context(click.Context):
    formatter_class = _Formatter


_refused: list[bool] = []


def some_are_refused() -> None:
    """Makes `EXIT_BAD_INPUT` of the exit code 0: some boards of a pack were refused, and named."""
    _refused.append(True)


class Suggesting(click.Group):
    """Answers the name of no command with the nearest one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that a command line names."""
        known = args[0].startswith("-") or ctx.resilient_parsing or self.get_command(ctx, args[0]) is not None
        if not known:
            suggestion = self.suggestion(args[0]) or did_you_mean(args[0], (*self.list_commands(ctx), *_options(ctx)))
            ctx.fail(f"there is no command {short(repr(args[0]))}{suggestion}")
        return super().resolve_command(ctx, args)

    def suggestion(self, word: str) -> str:
        """The end of a message about a word that is no command, if it is something else; or nothing."""
        return ""


class CommandGroup(Suggesting):
    """Imports commands on demand, and is the one place for exit codes.

    It returns only the exit codes of commands and of `bsp_sat.cli.options`, so that 1 always means "proved unsolvable",
    "invalid" or "not verified". click and the interpreter would use 1 for unexpected errors.
    """

    context_class = _Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names."""
        return [name for section in sections().values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name, or None."""
        if any(cmd_name in section for section in SECTIONS.values()):
            package = "bsp_sat.cli"
        elif cmd_name in (of_apps := declared("COMMANDS")):
            package, _ = of_apps[cmd_name]
        else:
            return None
        return cast(click.Command, imported(f"{package}.commands.{cmd_name}:{cmd_name}"))

    def suggestion(self, word: str) -> str:
        """Solves what stands in place of a command, if it may be a board."""
        from bsp_sat.instances.files import shipped_names  # every start would pay for it

        is_board = {*"./|"} & {*word} or os.path.exists(word) or word in shipped_names()  # noqa: PTH110 - of any text
        return f"; did you mean solve {short(word)}?" if is_board else ""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the commands with their summaries."""
        width = max(map(len, self.list_commands(ctx)))
        for heading, section in sections().items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<{width}}", summary) for name, summary in section.items()])

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        """Parses the command line, and prints help."""
        words = list(args[1]) if len(args) > 1 else []
        with _bypassing_click_errors():
            context = super().make_context(*args, **options)
        context.meta[COMMAND_LINE] = shlex.join([str(self.name), *words])
        return context

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the subcommand."""
        with _bypassing_click_errors():
            return super().invoke(ctx)

    def main(self, *args: Any, **options: Any) -> Any:
        """Runs a command line and exits with its exit code. Takes click's arguments."""
        sys.exit(self.run(*args, **options))

    def run(self, *args: Any, **options: Any) -> int:
        """Runs a command line, by default that of this process."""
        _refused.clear()
        try:
            code = super().main(*args, **{"prog_name": self.name, **options, "standalone_mode": False})
            with _bypassing_click_errors():
                sys.stdout.flush()
        except click.ClickException as error:
            with suppress(OSError):
                (_with_suggestion(error) if isinstance(error, click.NoSuchOption) else error).show()
            return EXIT_BAD_INPUT
        except (KeyboardInterrupt, click.Abort):
            return _end(EXIT_UNKNOWN, "Interrupted.")
        except BackendError as error:
            return _end(EXIT_BUG, f"Error: this is a bug in bsp-sat, please report it: {error}")
        except Unread as error:
            return _end(EXIT_UNKNOWN, f"Unknown: {error}")
        except BspSatError as error:
            return _end(EXIT_BAD_INPUT, f"Error: {error}")
        except ReaderHasGone:
            _discard_output()
            return 0
        except OSError as error:
            _discard_output()
            if (lacking := _lack_of_room(error)) is not None:
                return _end(EXIT_UNKNOWN, f"Error: {lacking}")
            return _end(EXIT_BAD_INPUT, f"Error: {error.strerror or error}")  # a full disk behind standard output
        except Exception as error:
            if _was_interrupted(error):
                return _end(EXIT_UNKNOWN, "Interrupted.")
            if (lacking := _lack_of_room(error)) is not None:
                return _end(EXIT_UNKNOWN, f"Error: {lacking}")
            return _end(EXIT_BUG, f"Error: this is a bug in bsp-sat, please report it: {_with_its_place(error)}")
        code = code if isinstance(code, int) else 0
        return EXIT_BAD_INPUT if code == 0 and _refused else code


def _options(ctx: click.Context) -> list[str]:
    return [name for each in ctx.command.get_params(ctx) for name in (*each.opts, *each.secondary_opts)]


def _with_suggestion(error: click.NoSuchOption) -> click.UsageError:
    """The error for an unknown option, with one suggestion from our table in place of click's."""
    known = [] if error.ctx is None else _options(error.ctx)
    suggestion = did_you_mean(error.option_name, known, OPTION_LIKENESS)
    return click.UsageError(error.message.removesuffix(".") + (suggestion or "."), error.ctx)


@contextmanager
def _bypassing_click_errors() -> Iterator[None]:
    """Handles errors for which click would exit with 1 or print a line of its own."""
    try:
        yield
    except BrokenPipeError:
        raise ReaderHasGone from None
    except KeyboardInterrupt:
        raise click.Abort from None


def _was_interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C caused an error: libraries that are interrupted while they load turn it into an ImportError."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _lack_of_room(error: Exception) -> str | None:
    from bsp_sat.backends.limits import lack_of_room  # every start would pay for it

    return lack_of_room(error)


def _with_its_place(error: Exception) -> str:
    """What an error is, and where it was raised."""
    # Imported here: every start would pay for bugs.
    from pathlib import Path
    from traceback import extract_tb

    place = extract_tb(error.__traceback__)[-1]
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message} ({Path(place.filename).name}, line {place.lineno})"


def _end(code: int, message: str) -> int:
    with suppress(OSError):
        click.echo(message, err=True)
    return code


def _discard_output() -> None:
    """Discards unwritten output, which the interpreter would otherwise try to write again when it exits."""
    with suppress(OSError, ValueError):  # the stream has no file descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_versions(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from bsp_sat.backends.versions import in_words, versions

        click.echo(in_words(versions()))
        ctx.exit()


@click.group(
    "bsp-sat", cls=CommandGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_versions,
    help="Show the versions of bsp-sat and of its solver libraries, and exit.",
)
@click.pass_context
def commands(ctx: click.Context) -> None:
    """Solve sort puzzles, and prove the answers.

    A BOARD is a file (JSON or text), a picture (PNG, JPEG or WebP, see `read`), "-" for either on standard input, the
    name of a shipped board (`instances` lists them), or a board itself, such as 'abba|bcca|cabc|-'. Exit codes of
    `solve`: 0 a plan, 1 proved unsolvable, 2 bad input, 3 unknown. Every command: 2 bad input, 3 interrupted, out of
    memory, or the board in a picture is doubtful, 4 a bug.
    """
    if ctx.invoked_subcommand is None:
        click.echo(START, nl=False, err=True)
        ctx.exit(EXIT_BAD_INPUT)
