"""Reading an unmarked deck whose faces are known: a published one, from the pictures in its deck folder.

Stages, each importable by itself: `known` (what the deck's cards look like) -> `board` (where the table lies:
by corner tags, start card and goals, pointed corners or a card that stands alone) -> `growing` (where exactly a
card lies in a cell) -> `judging` (which card it is, or none that can be told) -> `reader`.
"""
