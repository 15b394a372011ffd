"""What happens.

model       the book, the world state, frames, who decides
query       small questions: connections, free squares, selectors, values of cards, results
cards       movement cards, auras, assaults
harm        damage, shields, the Boss's hearts and state, missiles, explosions
driving     advances, rams, pushes, tile borders, prey, coming back
effects     effects of movement cards, ice slabs
programs    the verbs of powers, auras, assaults and nitros
tiles       the end of an action: falls, special tiles, prey
turns       turns of pilots, of the Boss and of bots
rounds      setup, phases and the end of a round
machine     from question to question; what the Boss and bots choose; the contract
"""
