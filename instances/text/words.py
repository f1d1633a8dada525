"""Parsing typed numbers, shortening text quoted in messages, and suggesting names."""

from collections.abc import Iterable

MAX_DIGITS = 9

SYNONYMS = {
    "--max-steps": "--horizon --steps --moves --max-moves --max-length --bound",
    "--time-limit": "--timeout --time -t",
    "--memory-limit": "--memory --ram --mem",
    "--jobs": "--threads --workers --processes --parallel -j",
    "--backend": "--solver --engine --method --algorithm",
    "--backend sat": "--sat --cnf --formula",
    "--optimum": "--moves --length --min-moves --max-moves",
    "--greedy-success": "--difficulty --hard --easy",
    "--backend sat:order": "--encoding --order",
    "--backend cpsat": "--cpsat --cp-sat --ortools",
    "--backend astar": "--astar --a-star --a*",
    "--backend bfs": "--bfs",
    "--backend dfs": "--dfs",
    "--certificate": "--prove --certify",
    "--explain": "--verbose --how --why -v",
    "--out": "--output --save",
    "--version": "-v version",
    "--help": "help -? /?",
    "instances": "list ls boards",
    "show": "view print convert",
    "check": "replay validate",
    "audit": "pack lint",
    "levels": "level pack",
    "compare": "benchmark bench",
    "hint": "next help-me move stuck tip",
    "solve": "run optimize optimise minimize plan play-out",
    "grade": "rate difficulty",
    "generate": "make new create random",
    "serve": "web server gui ui start",
    "sat": "cnf formula pysat cdcl",
    "sat:order": "order",
    "sat:cadical195": "cadical",
    "sat:glucose4": "glucose",
    "sat:minisat22": "minisat",
    "sat:kissat": "kissat",
    "cpsat": "cp-sat cp ortools or-tools",
    "astar": "a* a-star",
    "bfs": "breadth-first",
    "dfs": "depth-first",
    "ball-sort": "ball balls",
    "water-sort": "water",
    "dimacs": "cnf",
    "wcnf": "maxsat",
    "json": "jsonl",
    "typescript": "js javascript ts",
    "csharp": "c# cs",
}
"""Options, commands and backends, each with the words that people write for it."""


def parse_number(word: str) -> int | None:
    """The number that ``word`` spells in decimal digits; None if it is none, or absurdly large.

    >>> parse_number("12"), parse_number("-1"), parse_number("twelve")
    (12, None, None)
    """
    return int(word) if word.isdecimal() and len(word) <= MAX_DIGITS else None


def counts(words: Iterable[object]) -> bool:
    """Whether words or numbers are 0, 1, 2… or 1, 2, 3….

    >>> counts("012"), counts([1, 2]), counts("13")
    (True, True, False)
    """
    spelt = [*map(str, words)]
    return bool(spelt) and spelt in ([*map(str, range(len(spelt)))], [*map(str, range(1, len(spelt) + 1))])


def quantity(count: int | None, noun: str) -> str:
    """A number of something.

    >>> quantity(1, "move"), quantity(3100, "empty tube")
    ('1 move', '3,100 empty tubes')
    """
    return f"{count:,} {noun}{'s' * (count != 1)}"


def short(text: str, longest: int = 60) -> str:
    """``text``, shortened if it is long.

    >>> short("abcdefgh", longest=6)
    'abc...'
    """
    return text if len(text) <= longest else text[: longest - 3] + "..."


def did_you_mean(word: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """The end of a message that suggests what ``word`` means, if that is known, or else the name most like it.

    It is empty if none has this likeness, up to 1.

    >>> did_you_mean("levl-80", ["level-80", "tiles"]), did_you_mean("x", ["level-80"])
    ('; did you mean level-80?', '')
    >>> did_you_mean("CaDiCaL", ["sat", "cpsat"]), did_you_mean("SAT", ["sat", "cpsat"])
    ('; did you mean sat:cadical195?', '; did you mean sat?')
    """
    names, word = list(known), word.lower()
    for meant, words in SYNONYMS.items():
        if word in words.split() and meant.replace(":", " ").partition(" ")[0] in names:
            return f"; did you mean {meant}?"
    alike = [name for name in names if _most_alike(word, name) >= likeness]
    if not alike:  # which spares what follows, nearly always
        return ""
    from difflib import get_close_matches

    close = get_close_matches(word, alike, n=1, cutoff=likeness)
    return f"; did you mean {close[0]}?" if close else ""


def _most_alike(word: str, name: str) -> float:
    """At least their likeness, which counts characters that both have, in the same order."""
    return 2 * sum(min(word.count(letter), name.count(letter)) for letter in {*name}) / max(1, len(word) + len(name))
