"""Rules of the games: pure state machines that know no bot and no network."""
