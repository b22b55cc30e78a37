"""A table's night from its first step: replay, and undo as replay without the last steps."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.game import events as e
from companion.game.commands import Command, Undo
from companion.game.decide import decide
from companion.game.evolve import evolve, evolve_all
from companion.game.news import News, news_of
from companion.game.refusal import Code, Refusal, refuse
from companion.game.state import HOST, Actor, Match

NEWS_KEPT = 12
SEATING = (e.Joined, e.Left, e.Renamed, e.Seated, e.OptionsSet)
"""Steps about who sits where and by which rules: undo does not reach past them."""


@dataclass(frozen=True)
class Batch:
    """One step: who asked for what, and what it brought about. An undo names the steps it takes back."""

    by: Actor
    do: str
    events: tuple[e.Event, ...] = ()
    undone: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The step as the log keeps it."""
        undone = {"undone": list(self.undone)} if self.undone else {}
        return {"by": self.by, "do": self.do, "events": [event.to_json() for event in self.events], **undone}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Batch:
        """The step that was stored. Raises UnreadableEvent."""
        try:
            events = tuple(e.from_json(event) for event in data["events"])
            return Batch(int(data["by"]), str(data["do"]), events, tuple(map(int, data.get("undone", ()))))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise e.UnreadableEvent(str(data)[:80]) from error

    @property
    def of_seating(self) -> bool:
        """Whether the step changed who sits where or by which rules."""
        return any(isinstance(event, SEATING) for event in self.events)

    @property
    def reveals(self) -> bool:
        """Whether somebody was shown a secret by the step."""
        return any(event.REVEALS for event in self.events)


@dataclass(frozen=True)
class History:
    """All steps of one table and the match they lead to. Steps count from 1; the version is the last step."""

    batches: tuple[Batch, ...] = ()
    live: tuple[int, ...] = ()
    """The steps that have not been taken back."""
    match: Match = field(default_factory=Match)
    news: tuple[News, ...] = ()
    """The latest, newest last."""
    told: tuple[News | None, ...] = ()
    """The last news of each step."""

    @property
    def version(self) -> int:
        """How many steps there have been, undone ones and undos included."""
        return len(self.batches)

    @staticmethod
    def replay(batches: Iterable[Batch]) -> History:
        """The history made of stored steps."""
        history = History()
        for batch in batches:
            history = history.append(batch)
        return history

    def append(self, batch: Batch) -> History:
        """This history and one step more."""
        batches, version = (*self.batches, batch), self.version + 1
        if batch.undone:
            live = tuple(step for step in self.live if step not in batch.undone)
            match = Match()
            for step in live:
                match = evolve_all(match, self.batches[step - 1].events)
            seen = any(self.batches[step - 1].reveals for step in batch.undone)
            told = News("undone_seen" if seen else "undone", {"count": len(batch.undone)})
            return History(batches, live, match, (*self.news, told)[-NEWS_KEPT:], (*self.told, told))
        match, news = self.match, []
        for event in batch.events:
            before, match = match, evolve(match, event)
            item = news_of(before, match, event)
            if item is not None:
                news.append(item)
        latest = (*self.news, *news)[-NEWS_KEPT:]
        return History(
            batches, (*self.live, version), match, latest, (*self.told, news[-1] if news else None)
        )

    def decide(self, command: Command, chance: random.Random) -> Batch | Refusal:
        """The step that the command makes, or why it makes none."""
        if isinstance(command, Undo):
            return self._undo(command)
        events = decide(self.match, command, chance)
        return events if isinstance(events, Refusal) else Batch(command.actor, command.NAME, events)

    def _undo(self, command: Undo) -> Batch | Refusal:
        if command.actor != HOST:
            return refuse(Code.NOT_HOST)
        steps = self.undoable()
        if not 1 <= command.steps <= len(steps):
            return refuse(Code.NOTHING_TO_UNDO, count=len(steps))
        return Batch(command.actor, command.NAME, undone=steps[-command.steps :])

    @property
    def undo_next(self) -> News | None:
        """What is told of the step that an undo would take back (None: no such step, or nothing is told)."""
        steps = self.undoable()
        return self.told[steps[-1] - 1] if steps else None

    def undoable(self) -> tuple[int, ...]:
        """The steps that can be taken back, oldest first: those since seats or options last changed."""
        steps: list[int] = []
        for step in reversed(self.live):
            if self.batches[step - 1].of_seating:
                break
            steps.append(step)
        return tuple(reversed(steps))
