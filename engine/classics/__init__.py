"""Small games with known answers; they check the engine and show how to add a game."""
