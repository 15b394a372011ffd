"""The kinds of bots, one file each: a policy, and the row (`register_bot`) that says what the kind is. A new file is a new kind."""
