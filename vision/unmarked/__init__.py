"""Reading an unmarked deck whose faces are known: a published one, from the pictures in its deck folder.

Stages, each importable by itself: `known` (what the deck's cards look like) -> `board` (the plane by corner
tags), or `features` and `orient` (by any cards in sight) -> `maze` (cell by cell; `growing`: where exactly a
card lies) -> `judging` (which card it is, or none that can be told) -> `reader`.
"""
