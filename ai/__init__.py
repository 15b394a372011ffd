"""Search, bots and arena; they know games only through the contract."""
