"""The names that games and programs use, in one table: what a key beside the tubes means, and which words are room.

Counted in public level files and programs; a name is compared without case, spaces and signs.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from bsp_sat.instances.text.words import short

Cell = Any
"""A colour as in the text, ``BLANK``, or None for null, which may be room or an unknown ball."""


class _Blank:
    """A cell without anything in it."""

    def __repr__(self) -> str:
        return "a blank"


BLANK = _Blank()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ROLES = {
    "capacity": """capacity cap bottlecapacity tubecapacity tubesize vialsize vialcapacity stackcapacity stacksize
        stackheight tubeheight height size maxsize maxballs maxcolor maxcolors maxheight depth volume tubevolume
        bottlesize bottleheight flasksize flaskcapacity ballspertube colorspertube coloursperbottle ballcapacity slots
        slotspertube layers maxlen rowsize gridheight maxlayers bottlelayers pertube unitspertube containersize
        containercapacity polesize boltsize boltcapacity capacidad stackdepth colorsperbottle watercount segments
        ballsperstack tubelength colorsperstack maxpertube perbottle maxstack slotcount""",
    "empty": """emptytubes empty empties numempty nempty emptybottles emptyvials emptystacks emptyflasks emptycount
        extratubes extrastacks extrabottles extravials numemptytubes numemptybottles freetubes nbempty emptycontainers
        numberofemptytubes emptyslots spares sparetubes sparebottles blanks emptyrods emptypoles emptycolumns
        emptytubecount emptybottlecount tubesempty""",
    "count": """numtubes ntubes tubecount tubenumber tubescount numbottles bottlecount numberoftubes bottlenumber
        totaltubes totalbottles nbottles gridwidth maxtubenumber maxtubes
        numstacks stackcount vialcount numvials count nstacks numcolumns""",
    "top first": "topfirst toptobottom firstistop reversed topdown istopfirst",
    "bottom first": "bottomfirst bottomtotop firstisbottom bottomup",
    "end": "order direction orientation tubeorder ballorder readingorder stackorder",
    "kind": "type puzzle game kind gametype puzzletype variant",
    "steps": "steps solution moves plan",
    "tubes": """tubes bottles vials flasks stacks containers board puzzle columns data map state initial initialstate
        initialboard start level levels grid layout field beakers poles bolts rods pipes glasses birds branches jars
        test testtubes cups hoops pegs towers piles cols setup position problem init nuts screws bottlelist tubelist
        tubedata reagents phials""",
    "balls": """balls colors colours values contents content layers ball color colour items stack list value water
        liquids segments nuts data cells rings birds hoops bim waters fill liquid""",
    "own": """goal reveal hidden capacities locked noin noout anyin accepts placement partial cork drain wanted
        tubecolours tubesin colours""",
}
_ROLE_OF = {name: role for role, names in reversed(_ROLES.items()) for name in names.split()}
_NAMES = {role: frozenset(names.split()) for role, names in _ROLES.items()}

NO_VALUES: tuple[Any, ...] = (None, "", [], {})
"""With these a key says nothing."""

MATTER = ("capacity", "empty", "count", "top first", "bottom first", "end", "kind", "own")
"""The roles of keys that change a board. What is nearly one of these keys may be meant as one."""

_ABOUT = _words(
    """id n no num number index name title source url author date note notes comment comments par difficulty diff star
    stars seed version versions coin coins hint hints theme themes puzzleid ncolors ncolours numcolors numcolours
    colorcount colourcount colorsnumber coloursnumber palette background music solved history issolved iscompleted
    isnew isactive isunlocked category tag tags width dtype grade rank elapsed seconds len length status method
    value content contents flag flags readas place x y weight gold world
    chapter language license copyright published rules"""
)
_ABOUT_BEGINS = (
    *_words("desc optimal schema score reward level stage param created update pack best solution comment note"),
)
PUBLISHED = _words("optimal optimalmoves minmoves minimummoves minimalmoves bestmoves fewestmoves optimum")
"""Keys under which packs say how many moves a level takes."""

_RULE_PARTS = _words(
    """frozen freez lock drain chain bomb myster hidden cover rainbow gravity special joker wild one_way oneway cork
    no_in noin no_out noout accept only forbid allow placement reveal partial bottom_tap pour buffer curtain closed
    blind rehid obstacle power_up powerup seal disabled ad_tube target_tube by_ad secret fog rotat flip top_is"""
)
_RULE_WORDS = _words("ice lid key keys mode")
_RULES_ELSEWHERE = {
    "freezing for some moves": "freez frozen ice",
    "pouring from the bottom, here drain": "bottom_tap",
    "a tube that takes anything, here any_in": "buffer",
    "a ball that stands for any colour": "joker wild rainbow",
    "balls that are covered again": "blind rehid covered_again",
    "keys and what they open": "key keys",
    "balls that end the game": "bomb",
    "balls that hang together": "chain",
}
"""Rules that aren't read by these names, and what games call them; names among `_RULE_WORDS` must stand alone."""

SURE_ROOM = _words(
    """- -- --- ➖ _ __ . · empty none null nil nan -1 -1.0 blank void leer vide vacio vacío vuoto undefined nothing
    free <na> na n/a emp empty_space □ ▫ ◻ kosong 空 пусто vazio puste leeg tom
    vuota pusta prázdná prázdný üres 비어있음 فارغ boş empty()"""
) | {""}
"""Words that are room wherever they stand at an end of tubes."""

MAYBE_ROOM = _words(
    """0 00 0.0 e x air E X O N ⬜ ⬛ ⚪ ◽ ◾ ⚫ ○ ▢ transparent clear #000000 #000 #ffffff00 #00000000 * ~ o n ' room
    gap space hole ☐ 🔲 🔳 null_color no_color nocolor"""
)
"""Words that may be room or a colour."""

SAY_UNKNOWN = _words("hidden colours reveal")
"""Keys with which null is surely an unknown ball."""

UNKNOWN_WORDS = _words("? ?? unknown hidden ❓ ❔")

NEVER_COLOURS = SURE_ROOM | UNKNOWN_WORDS
"""Words that are no colours in the project's own form either."""

DOUBTFUL = SURE_ROOM | MAYBE_ROOM | UNKNOWN_WORDS
"""Words that may be no colours."""


def plain(name: Any) -> str:
    """A key without case, spaces and signs, and without the ``m_`` that fields of Unity begin with."""
    name = str(name).casefold().removeprefix("m_")
    return "".join(sign for sign in name if sign.isascii() and sign.isalnum())


@lru_cache(1024)
def role_of(key: str) -> str:
    """What a key beside the tubes is for.

    One of the roles of the table; ``rule`` if it sounds like a rule that isn't known, ``about`` if it is about the
    board, ``misspelt`` if it is nearly a key that changes the board (`key_meant`), else empty.
    """
    name = plain(key)
    if name in _ROLE_OF:
        return _ROLE_OF[name]
    if name in _ABOUT or name in PUBLISHED or name.startswith(_ABOUT_BEGINS):
        return "about"
    words = _in_snake_case(key).replace("unlock", "").replace("clock", "")  # which don't lock a tube
    sounds_like_it = any(part in words for part in _RULE_PARTS) or not _RULE_WORDS.isdisjoint(words.split("_"))
    if sounds_like_it or not key.startswith(("_", "$", "m_")):
        return "rule" if sounds_like_it else "misspelt" if key_meant(key) else ""
    return "about"


SHORT = 3  # letters of keys and names that are only taken as they stand


def key_meant(key: str) -> str:
    """The key that changes a board and becomes equal if each loses at most one letter; empty if there is none.

    So a letter may be missing, too many, wrong, or in another place. Short keys are like any word.

    >>> key_meant("capcity"), key_meant("topFrist"), key_meant("weight"), key_meant("non")
    ('capacity', 'topfirst', 'height', '')
    """
    said = plain(key)
    likely = _with_a_letter_less(said) if len(said) > SHORT else []
    return next((_shortened()[name] for name in likely if name in _shortened()), "")


@cache
def _shortened() -> Mapping[str, str]:
    """The keys that change a board by what they are with a letter less, but short ones."""
    names = [name for role in MATTER for name in _NAMES[role] if len(name) > SHORT]
    return {shorter: name for name in names for shorter in _with_a_letter_less(name)}


def _with_a_letter_less(name: str) -> list[str]:
    """A name itself, and without each of its letters."""
    return [name, *(name[:place] + name[place + 1 :] for place in range(len(name)))]


def rule_in_words(key: str) -> str:
    """A key that sounds like a rule, with what games mean by it if that is known, or the key that it is like.

    >>> rule_in_words("frozenTubes"), rule_in_words("mode"), rule_in_words("tpFirst")
    ('frozenTubes (freezing for some moves)', 'mode', 'tpFirst (much like topfirst)')
    """
    role = role_of(key)
    if role == "misspelt":
        return f"{short(key)} (much like {key_meant(key)})"
    if role in ("top first", "bottom first", "capacity"):
        return f"{short(key)} (with {'no number' if role == 'capacity' else 'neither true nor false'})"
    words = _in_snake_case(key)
    for means, names in _RULES_ELSEWHERE.items():
        if any(name in (words.split("_") if name in _RULE_WORDS else words) for name in names.split()):
            return f"{short(key)} ({means})"
    return short(key)


def _in_snake_case(key: str) -> str:
    return "".join(f"_{sign}" if sign.isupper() else sign for sign in key).casefold()  # camelCase, too


def is_named(key: Any, *roles: str) -> bool:
    """Whether a key has one of the roles; some names have several."""
    name = plain(key)
    return any(name in _NAMES[role] for role in roles)


def kind_named(word: str) -> str:
    """The kind of puzzle that a word names, such as ``Water Sort``; empty if it names none."""
    word = word.casefold()
    if re.search("water|liquid|pour", word):
        return "water-sort"
    return "ball-sort" if re.search("ball|nut|bird|hoop|ring", word) else ""


LONGEST_PHRASE = 200
"""Characters that are looked at: the expressions of `end_named` take quadratic time."""


_ENDS = {
    True: r"top\s*-?_?(to|->|→|-)?[\s_-]*bottom|top[\s_-]*(row )?(first|down)|from the top|von oben|de arriba|haut en",
    False: r"bottom\s*-?_?(to|->|→|-)?[\s_-]*top|bottom[\s_-]*(row )?(first|up)|from the bottom|von unten|bas en",
}


def end_named(word: str) -> bool | None:
    """Whether a phrase says that the top comes first; None if it says nothing of it."""
    word = word[:LONGEST_PHRASE].casefold()
    return next((end for end, phrases in _ENDS.items() if re.search(phrases, word)), None)


def unused_keys(about: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys of those beside a board that aren't known to be about it."""
    return tuple(str(key) for key in about if role_of(str(key)) in ("", "misspelt"))


@lru_cache(1024, typed=True)
def word_of(cell: Cell) -> Cell:
    """A cell as it is compared with words for room: single letters keep their case."""
    if cell is None or cell is BLANK:
        return cell
    text = str(cell).strip()
    return text if len(text) == 1 else text.casefold()
