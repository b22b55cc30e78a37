"""The rules at hand: every card of the game on the table, and numbers that are the core's own."""

import re
from pathlib import Path

import pytest

from companion.game.decks import BASE_ACTIONS, BASE_PATHS, EXPANSION_ACTIONS, EXPANSION_PATHS
from companion.game.options import Game, choices
from companion.game.roles import BASE_ROLES
from companion.game.ruleset import RULES
from companion.language import LANGUAGES
from companion.server.cards import action_card, drawn, symbol
from companion.server.rulebook import action_cards, path_cards
from companion.wording.options import OPTIONS
from tests.server.house import House, opened

EXPANSION = {"game": "expansion"}


def rules(house: House, lang: str = "en", **options: object) -> str:
    if options:
        assert house.host().ask("t", do="set_options", options=options).status_code == 200
    return house.stranger().get(f"/t/{house.code}/rules?lang={lang}").text


@pytest.mark.parametrize("game", Game)
def test_every_card_of_the_game_is_explained_with_its_picture(house: House, game: Game) -> None:
    page = rules(house, game=game.value)
    expansion = game is Game.EXPANSION
    paths = {**BASE_PATHS, **(EXPANSION_PATHS if expansion else {})}
    actions = {**BASE_ACTIONS, **(EXPANSION_ACTIONS if expansion else {})}
    shown = set(re.findall(r'src="/cards/([^"]+)\.svg"', page))
    wanted = {face.replace("+", "%2B") for face in paths}
    wanted |= {"action/" + "-".join((action.value, *tools)) for action, tools in actions}
    assert wanted <= shown
    for picture in shown:
        house_answer = house.stranger().get(f"/cards/{picture}.svg")
        assert house_answer.status_code == 200, picture


@pytest.mark.parametrize("game", Game)
def test_the_counts_add_up_to_the_deck(game: Game) -> None:
    deck = RULES[game]
    paths, actions = path_cards(deck), action_cards(deck)
    total = sum(sum(cards.values()) for cards in (*paths.values(), *actions.values()))
    assert total == deck.total()
    for cards in paths.values():
        assert all(drawn(face) for face in cards)
    assert all(action_card(name) for cards in actions.values() for name in cards)


def test_the_roles_of_so_many_players_are_marked(house: House) -> None:
    house.phones(7)
    page = rules(house)
    row = re.search(r'<tr class="here">(.*?)</tr>', page)
    assert row is not None
    assert re.findall(r"<td>(\d+)</td>", row[1]) == ["3", "5", "5"]
    for players, (saboteurs, miners) in BASE_ROLES.items():
        assert re.search(rf'<th scope="row">{players}.*?<td>{saboteurs}</td><td>{miners}</td>', page)


def test_every_role_of_the_expansion_is_told_with_a_picture_of_its_own(house: House) -> None:
    page = rules(house, game="expansion")
    roles = set(RULES[Game.EXPANSION].role_deck(5))
    assert all(f"/cards/icon/{role.value}.svg" in page for role in roles)
    assert len({symbol(role.value) for role in roles}) == len(roles)


def test_the_options_in_force_are_told(house: House) -> None:
    assert "One gold card for each miner goes round" not in rules(house)
    page = rules(house, gold_drawn="miners")
    assert "One gold card for each miner goes round" in page
    assert "One for each miner (revised edition)" in page


def test_every_option_and_every_choice_has_words() -> None:
    said = {name: set(answers) for name, (_, answers) in OPTIONS.items()}
    assert said == {name: {str(value).lower() for value in values} for name, values in choices().items()}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_are_there_in_every_language(house: House, lang: str) -> None:
    page = rules(house, lang, **EXPANSION)
    assert f'<html lang="{lang}">' in page
    assert ("How much gold a player has" in page) == (lang == "en")


def test_the_rules_do_not_change_by_what_was_dealt(tmp_path: Path) -> None:
    pages = set()
    for seed in range(3):
        with opened(tmp_path / str(seed), seed) as house:
            _, phones = house.round(4)
            pages.add(phones[0].get(f"/t/{house.code}/rules").text.replace(house.code, "CODE"))
    assert len(pages) == 1
