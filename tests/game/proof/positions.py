"""Twenty positions of both games, with the cards that are tried in them."""

from __future__ import annotations

from dataclasses import dataclass

from companion.game.options import Game

GOALS = {"GEW": ("gold", "stone-NE", "stone-NW"), "EGW": ("stone-NE", "gold", "stone-NW")} | {
    "EWG": ("stone-NE", "stone-NW", "gold"),
    "WEG": ("stone-NW", "stone-NE", "gold"),
    "GWE": ("gold", "stone-NW", "stone-NE"),
    "WGE": ("stone-NW", "gold", "stone-NE"),
}
HIDDEN = "8,-2=? 8,0=? 8,2=?"


@dataclass(frozen=True)
class Position:
    """A board, what the goals are from top to bottom, and a hand."""

    game: Game
    board: str
    goals: str
    hand: str
    counted: tuple[int, int, int]
    """Ways to lay one, two and three cards of the hand, one after the other: the golden numbers."""


POSITIONS: dict[str, Position] = {
    # ------------------------------------------------------------ base
    "opening": Position(Game.BASE, f"0,0=start {HIDDEN}", "EGW", "NS EW NW NE N.E", (16, 188, 1432)),
    "rock on two sides": Position(
        Game.BASE,
        f"0,0=start 1,0=EW 2,0=NESW 3,0=NW 2,1=NS {HIDDEN}",
        "EGW",
        "NES NEW NESW EW",
        (25, 472, 5862),
    ),
    "a rockfall cut the way": Position(
        Game.BASE,
        f"0,0=start 1,0=EW 3,0=NESW 4,0=EW 5,0=NES 3,1=NS {HIDDEN}",
        "GEW",
        "EW NESW NES NE",
        (14, 181, 1667),
    ),
    "a gap before a stone": Position(
        Game.BASE,
        f"0,0=start 1,0=NEW 2,0=EW 3,0=NEW 4,0=NEW 5,0=NESW 7,0=EW {HIDDEN}",
        "EWG",
        "NEW EW NS",
        (20, 219, 942),
    ),
    "between two goals": Position(
        Game.BASE,
        "0,0=start 1,0=NES 1,-1=NE~ 2,-1=EW 3,-1=EW 4,-1=NEW 5,-1=NEW 6,-1=NEW 7,-1=NEW 8,-2=? 8,0=? 8,2=?",
        "EWG",
        "NES NESW NW NS",
        (11, 120, 868),
    ),
    "through a turned-up stone": Position(
        Game.BASE,
        "0,0=start 1,0=EW 2,0=EW 3,0=NEW 4,0=NEW 5,0=NEW 6,0=NESW 7,0=NESW 8,-2=? 8,0=stone-NE~ 8,2=?",
        "GEW",
        "NS NE NES",
        (42, 1021, 11065),
    ),
    "a stone that misfits": Position(
        Game.BASE,
        "0,0=start 0,1=NS 0,2=NE 1,2=EW 2,2=EW 3,2=NEW 4,2=NEW 5,2=NEW 6,2=NES 7,2=NESW 7,3=NESW 8,3=NES "
        "8,-2=? 8,0=? 8,2=stone-NW",
        "GEW",
        "NS EW NW NES",
        (22, 307, 2518),
    ),
    "behind the start": Position(
        Game.BASE,
        f"-2,-1=NE -1,-1=EW -1,0=NES -2,0=NS~ -1,1=NW~ -1,-2=NES 0,-1=NW~ 0,0=start {HIDDEN}",
        "WGE",
        "NS EW NE NEW",
        (9, 42, 139),
    ),
    "dead ends all round": Position(
        Game.BASE,
        f"-1,0=E 0,0=start 0,1=N.E.S 1,0=N.E.W 1,1=N.W 2,0=N.E.S.W {HIDDEN}",
        "WGE",
        "NS EW NESW NE",
        (3, 8, 22),
    ),
    "late in a round": Position(
        Game.BASE,
        "-1,0=E 0,-1=N.S 0,0=start 0,1=N.E 1,-2=N~ 1,-1=NES 1,0=NESW 1,1=N.E.W 2,-1=EW 2,0=EW 3,-2=NESW "
        "3,-1=NEW 3,0=EW 3,1=NW~ 3,2=NS 3,3=NS 4,-2=NEW 4,0=NE~ 4,1=NW 5,-2=NESW 6,-2=NESW 6,-1=NEW 7,-3=NW~ "
        "7,-2=NEW 7,-1=NEW~ 7,0=NES~ 7,1=NESW 7,2=NS 7,3=NS 8,-2=stone-NW 8,-1=NE~ 8,0=stone-NE 8,2=?",
        "WEG",
        "NE NW NES",
        (35, 738, 7297),
    ),
    # ------------------------------------------------------------ expansion
    "a bridge at the start": Position(
        Game.EXPANSION, f"0,0=start 1,0=NS.EW 1,1=NEW {HIDDEN}", "EGW", "NS.EW NS EW NW", (10, 71, 310)
    ),
    "double curves": Position(
        Game.EXPANSION,
        f"0,0=start 1,0=NW.ES 1,1=NE.SW 2,0=EW 2,1=NES {HIDDEN}",
        "EGW",
        "NS.EW NE NEW EW.S+crystal",
        (18, 233, 1948),
    ),
    "a ladder far off": Position(
        Game.EXPANSION,
        f"0,0=start 1,0=NESW 2,0=NS.E.W 4,0=NE+ladder 4,-1=NS 5,0=NES 6,0=E.W {HIDDEN}",
        "GEW",
        "S+ladder NW+ladder NS EW",
        (35, 798, 9513),
    ),
    "no ladder by a goal": Position(
        Game.EXPANSION,
        "0,0=start 1,0=EW 2,0=EW 3,0=EW 4,0=NEW 5,0=NEW 6,0=NEW 7,0=NESW 8,-2=? 8,0=stone-NW 8,2=?",
        "GWE",
        "W+ladder NS.EW NS",
        (36, 708, 5940),
    ),
    "mixed cards": Position(
        Game.EXPANSION,
        f"0,0=start 1,0=EW.N.S 2,0=NS.E.W 1,-1=NS.E 0,1=ES.N~ 0,-1=NE.S 2,-1=NSW.E+crystal {HIDDEN}",
        "WEG",
        "EW.S+crystal ES.N NS NESW",
        (8, 35, 151),
    ),
    "doors let everybody dig": Position(
        Game.EXPANSION,
        f"0,0=start 1,0=EW+green 2,0=EW+blue 3,0=NS.E+green~ 0,1=NS+blue 0,2=SW+blue~ {HIDDEN}",
        "WEG",
        "ES+green EW NS NE",
        (9, 54, 186),
    ),
    "a bridge onto a goal": Position(
        Game.EXPANSION,
        "0,0=start 1,0=EW 2,0=EW 3,0=EW 4,0=NEW 5,0=NEW 6,0=NEW 7,0=NES~ 7,1=NES 8,1=NS.EW 9,1=NSW.E+crystal "
        "8,-2=? 8,0=? 8,2=?",
        "EWG",
        "NES NW NS.EW",
        (39, 841, 8672),
    ),
    "a ladder over the rockfall": Position(
        Game.EXPANSION,
        f"0,0=start 1,0=NEW 3,0=NEW 3,-1=NES 4,-1=EW 5,-1=NEW 4,0=NESW 6,-1=NS.EW {HIDDEN}",
        "WGE",
        "NE+ladder EW NES",
        (24, 364, 2272),
    ),
    "goals up and ladders below": Position(
        Game.EXPANSION,
        "0,-1=SW+blue 0,0=start 1,0=NESW+crystal 2,0=EW+green 3,0=NESW 4,0=EW.N.S 5,0=ESW.N+crystal "
        "5,1=NE+ladder 5,2=NW+ladder~ 6,-1=NSW.E+crystal 6,0=NESW 6,2=NESW 7,0=EW.S+crystal 8,-2=stone-NE~ "
        "8,-1=NS.EW 8,0=stone-NW 8,2=?",
        "EWG",
        "NS.EW NES NE",
        (45, 1226, 15537),
    ),
    "ways above the start": Position(
        Game.EXPANSION,
        "-2,-2=EW+green -1,-2=NEW -1,0=EW.N.S 0,-2=NE.SW 0,-1=NS+blue 0,0=start 1,-2=NW.ES 1,-1=NS.E+green "
        "1,1=SW+blue~ 2,-2=E.W 2,0=EW+blue 3,0=NESW 4,-2=NE+ladder 4,-1=ES+green 4,0=NESW 5,-2=NEW "
        f"6,-2=ESW+crystal {HIDDEN}",
        "GEW",
        "NS.EW NES S+ladder",
        (37, 863, 9787),
    ),
}

TWO_WAYS_AT_ONCE = {
    "one of them from the card just laid": Position(
        Game.EXPANSION,
        f"0,0=start 7,0=NW~ 7,1=NE 9,1=W+ladder {HIDDEN}",
        "GWE",
        "NEW NESW EW",
        (0, 0, 0),
    ),
    "both from afar": Position(
        Game.EXPANSION,
        "0,0=start 1,0=EW 3,0=EW 4,0=EW 5,0=NEW 6,0=NEW 7,0=NESW 7,-1=NW.ES 8,-1=NE.SW 8,-2=? 8,0=? 8,2=?",
        "WEG",
        "NEW EW+green NESW",
        (0, 0, 0),
    ),
}
"""Positions in which a card lets two ways arrive at the middle goal at the same time; not counted."""
