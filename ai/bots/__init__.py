"""Bots: who fills a seat. A bot never sees more than its seat."""
from seatmate.ai.bots.bot import Bot, make_bot
from seatmate.ai.bots.registry import (
    BotError,
    BotInfo,
    BotParameter,
    BotSpec,
    bot_kind,
    list_bots,
    make_policy,
    parse_bot,
    parse_bots,
    register_bot,
)

__all__ = ["Bot", "BotError", "BotInfo", "BotParameter", "BotSpec", "bot_kind", "list_bots", "make_bot", "make_policy", "parse_bot",
           "parse_bots", "register_bot"]
