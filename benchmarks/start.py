"""Where the time of a short command goes, in milliseconds of the processor, and as multiples of an empty program.

    python benchmarks/start.py ~/installed/bin/python

Give the interpreter of an installation, whose modules are compiled. Each row is the median over fresh processes.
"""

import resource
import subprocess
from statistics import median

import click

STEPS = {
    "an empty program, up to its first statement": "0",
    "modules of Python": "import dataclasses, pathlib, json, signal, threading, ctypes",
    "click": "import click",
    "the group of commands": "import bsp_sat.cli.program, bsp_sat.cli.group",
    "the command `solve`": "import bsp_sat.cli.commands.solve",
    "its output": "import bsp_sat.cli.commands.solve_one",
    "level-80 is read, solved and printed": "bsp_sat.cli.group.commands.run(['solve', 'level-80'])",
}
WHOLE = {"`--help`": ["--help"], "level-80": ["solve", "level-80"]}


def spent(command: list[str]) -> tuple[float, str]:
    """Processor time of a command in milliseconds, and what it writes to standard error."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), said


def steps(python: str) -> list[float]:
    """Milliseconds of each step and of the end of one process. As in the command, garbage is hardly looked for."""
    clock = "_said.append(_time.process_time())"
    program = f"import gc, sys, time as _time; gc.set_threshold(50_000); _said = [0.0]; {clock}\n"
    program += "".join(f"{step}; {clock}\n" for step in STEPS.values())
    whole, said = spent([python, "-c", f"{program}gc.freeze(); print(*_said[1:], file=sys.stderr)"])
    began, first, *others = [1000 * float(word) for word in said.split()[-len(STEPS) - 1 :]]
    times = [began, *(after - before for before, after in zip([first, *others], others, strict=False))]
    return [*times, whole - sum(times)]


@click.command()
@click.argument("python")
@click.option("--runs", default=11, show_default=True)
def main(python: str, runs: int) -> None:
    """Print a table of the installation with the interpreter PYTHON."""
    print("| step | ms |\n| --- | --- |")
    rows = [steps(python) for _ in range(runs)]
    for name, times in zip([*STEPS, "its end"], zip(*rows, strict=True), strict=True):
        print(f"| {name} | {median(times):.1f} |")
    entry = "import sys; from bsp_sat.cli import main; sys.argv[0] = 'bsp-sat'; main()"
    for name, words in WHOLE.items():
        pairs = [(spent([python, "-c", entry, *words])[0], spent([python, "-c", "pass"])[0]) for _ in range(runs)]
        ratio = median(command / nothing for command, nothing in pairs)
        print(f"| {name}, the whole command | {median(command for command, _ in pairs):.1f}: × {ratio:.1f} |")


if __name__ == "__main__":
    main()
