"""Corner tags in a picture, looked for more than once."""

from __future__ import annotations

import cv2
import numpy as np

from vision.squares import Grey
from vision.unmarked.board import TagFinder, Tags

ALL = 4
SOFT_PX, SMALLER = 2.0, 0.7
"""Blur and size of the second looks: noise and the grain of a table break a square's sides."""


def every_tag(finder: TagFinder, grey: Grey) -> Tags:
    """The tags in a picture, each id once, by as many looks as are needed."""
    tags = finder.find(grey)
    for look in (_soft, _smaller):
        if len(tags.ids) < ALL:
            other, shrink = look(grey)
            tags = _with(tags, finder.find(other), shrink)
    return tags


def _soft(grey: Grey) -> tuple[Grey, float]:
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), SOFT_PX), np.uint8), 1.0


def _smaller(grey: Grey) -> tuple[Grey, float]:
    small = cv2.resize(grey, None, fx=SMALLER, fy=SMALLER, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), SMALLER


def _with(tags: Tags, more: Tags, shrink: float) -> Tags:
    new = [row for row, one in enumerate(more.ids) if one not in tags.ids]
    corners = (more.corners[new] + 0.5) / shrink - 0.5
    return Tags((*tags.ids, *(more.ids[row] for row in new)), np.concatenate([tags.corners, corners]))
