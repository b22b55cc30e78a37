"""`pithead enrol`: photographs of a deck laid out, and what a person says of them, make a deck folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
from flask_babel import gettext

from companion.game.cards import Face, UnreadableCard, letters
from companion.own_decks import Draft, OwnCard, Part, draft_of, keep_draft, write_deck
from companion.sentences import card as in_words
from companion.sentences import sentence
from companion.trouble import Trouble
from vision.enrolment.deck import Enrolled, Photographed, enrol

JPEG_QUALITY = 92


def run(options: Any) -> int:
    """Adds the cards on the photographs to the draft in the folder, takes what is said of them, and writes
    deck.json once nothing is missing; 1 while something is. Raises Trouble."""
    cv2.setNumThreads(1)
    folder: Path = options.out
    draft = draft_of(folder)
    if options.pictures:
        draft.take_more()
        cards, photographs = enrol(options.pictures)
        draft = _added(folder, draft, cards)
        keep_draft(folder, draft)
        if options.json:
            print(json.dumps([_photograph(one) for one in photographs]), flush=True)
        else:
            _tell_photographs(photographs)
    draft = _said(draft, options)
    keep_draft(folder, draft)
    if options.json:
        return 0
    if not draft.cards:
        return 1
    _tell(draft)
    missing = draft.missing()
    for code in missing:
        print(sentence(code, {}))
    if missing:
        print(gettext("Say it with --start CARD, --goals CARD CARD CARD and --goal-back CARD."))
        return 1
    write_deck(folder, draft)
    print(gettext("The deck is written. Use it with --deck %(folder)s.", folder=str(folder)))
    return 0


def _added(folder: Path, draft: Draft, cards: list[Enrolled]) -> Draft:
    number = max((int(card.id[1:]) for card in draft.cards if card.id[1:].isdecimal()), default=0)
    new = []
    for card in cards:
        number += 1
        id = f"c{number:02}"
        best = card.best
        tunnels, sure = card.read if card.face_up else ((), 1.0)
        encoded = cv2.imencode(".jpg", best.picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{id}.jpg").write_bytes(encoded.tobytes())
        except OSError as error:
            raise Trouble(
                "folder_not_writable", folder=str(folder), system=error.strerror or str(error)
            ) from error
        part = Part.PATH if card.face_up else Part.NONE
        new.append(OwnCard(id, f"{id}.jpg", part, tunnels, sure, len(card.pictures), best.troubles))
    # What shows no tunnels may be a back or a piece of the cloth: a person says which is the goals' back.
    return Draft((*draft.cards, *new))


def _said(draft: Draft, options: Any) -> Draft:
    for id in options.remove or ():
        draft = draft.change(id, Part.NONE)
    for text in options.tunnels or ():
        id, _, shape = text.partition("=")
        try:
            draft = draft.change(id, tunnels=Face.parse(shape).tunnels)
        except UnreadableCard as error:
            raise Trouble("enrol_bad_tunnels", text=text) from error
    if options.start:
        draft = draft.change(options.start, Part.START, (15,))
    for id in options.goals or ():
        draft = draft.change(id, Part.GOAL)
    if options.goal_back:
        draft = draft.change(options.goal_back, Part.GOAL_BACK)
    if options.back:
        draft = draft.change(options.back, Part.BACK)
    return draft


def _photograph(one: Photographed) -> dict[str, Any]:
    return {
        "name": one.name,
        "cards": one.cards,
        "problems": [problem.to_json() for problem in one.problems],
    }


def _tell_photographs(photographs: list[Photographed]) -> None:
    for one in photographs:
        print(gettext("%(picture)s: %(count)s cards", picture=one.name, count=one.cards))
        for problem in one.problems:
            print(f"  {sentence(problem.code, problem.params)}")


def _tell(draft: Draft) -> None:
    for card in draft.cards:
        if card.part is Part.NONE and card.tunnels:
            continue
        shape = ".".join("".join(group) for group in card.to_json()["tunnels"])
        doubt = " ?" if card.unsure else ""
        words = in_words(shape) if shape else "-"
        notes = "".join(f"  {sentence(code, {})}" for code in card.troubles)
        print(f"  {card.id}  {card.part.value:9}  {words}{doubt}{notes}")
    for tunnels, there, box in draft.composition():
        if there != box:
            name = str(Face.parse(".".join(letters(group) for group in tunnels)))
            print(
                gettext(
                    "%(card)s: %(there)s here, %(box)s in the box", card=in_words(name), there=there, box=box
                )
            )
