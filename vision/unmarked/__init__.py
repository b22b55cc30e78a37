"""Reading an unmarked deck whose faces are known: a published one, from the pictures in its deck folder.

Stages, each importable by itself: `known` (what the deck's cards look like) -> `board` (the plane by corner
tags), or `apart`, `features` and `orient` (by any cards in sight) -> `maze` (cell by cell; `growing`: where
exactly a card lies) -> `judging` and `second` (which card it is, or none that can be told) -> `reader`;
`again` for the next picture of a standing camera.
"""
