"""Bots: who fills a seat. A bot never sees more than its seat."""
from seatmate.ai.bots.bot import Bot, make_bot
from seatmate.ai.bots.own import bot, load_bots
from seatmate.ai.bots.question import Question
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

__all__ = ["Bot", "BotError", "BotInfo", "BotParameter", "BotSpec", "Question", "bot", "bot_kind", "list_bots", "load_bots",
           "make_bot", "make_policy", "parse_bot", "parse_bots", "register_bot"]
