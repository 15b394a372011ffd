"""Every promise of the contract, for every registered game."""
from __future__ import annotations

import pytest

import checks
import scene_checks
from cases import Case
from lists_checks import DealtFromThePrior, check_lists_along_games
from seatmate.engine.core.game import Game
from seatmate.engine.mythos.game import MythosGame
from statistics_checks import check_sampled_like_dealt

pytestmark = pytest.mark.usefixtures("case")


def seeds(case: Case) -> range:
    """More games for the defaults; one pair (a random and a greedy one) for each changed option. Many seats see much in each."""
    return range(20, 22) if case.changed else range(6 if case.seats <= 4 else 3)


def test_settings_survive_json_and_name_the_same_game(game: Game) -> None:
    checks.check_settings(game)


def test_random_games_end_within_the_bound_and_keep_every_rule(case: Case, game: Game) -> None:
    for seed in seeds(case):
        checks.check_random_game(game, seed)


def test_wrong_actions_are_refused_and_change_nothing(case: Case, game: Game) -> None:
    for seed in seeds(case)[:2]:
        checks.check_refusals(game, seed)


def test_clones_are_independent(case: Case, game: Game) -> None:
    for seed in seeds(case)[:2]:
        checks.check_clones(game, seed)


def test_records_replay_and_tampered_ones_are_refused(case: Case, game: Game) -> None:
    for seed in seeds(case)[:2]:
        checks.check_record(game, seed)


def test_a_seed_is_a_deal_whoever_listens(case: Case, game: Game) -> None:
    for seed in seeds(case):
        checks.check_determinism(game, seed)


def test_a_view_rebuilt_from_events_is_the_observation(case: Case, game: Game) -> None:
    for seed in seeds(case)[:2]:
        checks.check_view(game, seed)


def test_a_seat_cannot_tell_a_sampled_world(case: Case, game: Game) -> None:
    for seed in seeds(case)[:4]:
        checks.check_same_information(game, seed)


def test_sampling_is_a_function_of_the_view(case: Case, game: Game) -> None:
    for seed in seeds(case)[:4]:
        checks.check_resample_is_function_of_view(game, seed)


def test_sampled_worlds_vary(case: Case, game: Game) -> None:
    for seed in seeds(case)[:2]:
        checks.check_resample_varies(game, seed)


def test_private_keys_tell_private_information_apart(case: Case, game: Game) -> None:
    for seed in seeds(case)[:2]:
        checks.check_private_key(game, seed)


def test_sampled_worlds_play_on(case: Case, game: Game) -> None:
    for seed in seeds(case)[:2]:
        checks.check_resample_plays_on(game, seed)


def test_sampled_worlds_keep_every_rule(case: Case, game: Game) -> None:
    for seed in seeds(case)[:2]:
        checks.check_sampled_worlds_keep_every_rule(game, seed)


def test_sampled_worlds_are_distributed_like_deals(case: Case, game: Game) -> None:
    if getattr(game, "secret_settings", False):
        assert isinstance(game, MythosGame), "the prior over the settings of this game has no check"
        for seat in range(game.seats):
            check_sampled_like_dealt(DealtFromThePrior(game, seat), seat, seed=1000 * seat, deals=150)
            assert sum(sum(check_lists_along_games(game, seat, seed, 300)) for seed in range(3)) > 3
        return
    for seat in range(game.seats):
        check_sampled_like_dealt(game, seat, seed=1000 * seat, deals=100 if case.changed else 1600 // max(4, game.seats))


def test_scenes_show_what_is_seen_and_answers_point_at_it(case: Case, game: Game) -> None:
    scene_checks.check_scene(game, seeds(case)[0])


def test_scenes_of_worlds_that_nobody_can_tell_apart_are_equal(case: Case, game: Game) -> None:
    scene_checks.check_scenes_of_sampled_worlds(game, seeds(case)[0])


def test_commitments_are_secret(case: Case, game: Game) -> None:
    for seed in seeds(case)[:4]:
        checks.check_commitments_are_secret(game, seed)


def test_public_choices_are_public(case: Case, game: Game) -> None:
    for seed in seeds(case)[:4]:
        checks.check_public_choices(game, seed)


def test_reading_a_table_changes_nothing(case: Case, game: Game) -> None:
    for seed in seeds(case)[:2]:
        checks.check_reading_changes_nothing(game, seed)
