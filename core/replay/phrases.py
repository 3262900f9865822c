"""Every sentence of the replay, as key -> English message id. Translations come from the gettext catalogue."""


def gettext_noop(message: str) -> str:
    """Mark a message for extraction; the pure core translates nothing itself."""
    return message


MESSAGES: dict[str, str] = {
    # Translators: moves of the replay. %(who)s is a player, %(card)s and %(taken)s are names of cards.
    "lay": gettext_noop("%(who)s lays %(card)s on the field"),
    "take": gettext_noop("%(who)s plays %(card)s and takes %(taken)s"),
    "name": gettext_noop("%(who)s plays %(card)s and names %(target)s"),
    "name_again": gettext_noop("%(who)s now names %(target)s"),
    "hiki": gettext_noop("%(who)s declares hiki and takes all four %(flower)s cards"),
    "draw_only": gettext_noop("%(who)s has no hand card left and draws"),
    "choose": gettext_noop("%(who)s takes %(taken)s with the turned-up %(card)s"),
    "leave": gettext_noop("%(who)s leaves %(card)s on the field"),
    "return": gettext_noop("%(who)s takes %(card)s back into the hand"),
    "other": gettext_noop("%(who)s: %(text)s"),
    "flip_lay": gettext_noop("turns up %(card)s, which stays on the field"),
    "flip_take": gettext_noop("turns up %(card)s and takes %(taken)s"),
    "flip_wait": gettext_noop("turns up %(card)s and has a choice"),
    "flip_pass": gettext_noop("turns up %(card)s"),
    "stays": gettext_noop("%(card)s stays on the field"),
    "blocked": gettext_noop("blocked: %(who)s takes all four %(flower)s cards (hiki)"),
    "forbidden": gettext_noop("forbidden: %(who)s holds the fourth %(flower)s card"),
    "transfer": gettext_noop("%(card)s passes to %(who)s, who used the Lightning"),
    "claim": gettext_noop("%(who)s, who used the Lightning, claims %(cards)s from the field"),
    "setup": gettext_noop("%(who)s takes the four %(flower)s cards dealt to the field"),
    "event": gettext_noop("event: %(text)s"),
    "yaku": gettext_noop("this completes %(yaku)s"),
    "forfeit": gettext_noop("%(who)s has forfeited (%(text)s): the engine plays the first legal move"),
    "dealt": gettext_noop("%(who)s deals the cards of deal %(number)s"),
    "deal_over": gettext_noop("Deal %(number)s is over: %(scores)s"),
    "deal_won": gettext_noop("%(who)s wins it: %(lines)s"),
    "deal_won_only": gettext_noop("%(who)s wins it"),
    "score": gettext_noop("%(who)s %(number)s"),
    "line_cards": gettext_noop("cards %(number)s"),
    "line_yaku": gettext_noop("%(who)s's %(yaku)s %(number)s"),
    "line_other": gettext_noop("%(text)s %(number)s"),
    # Translators: a part of a score: "hand yaku Red", "hand yaku Red 40 from Kiri", "stake -65 to Plum".
    "line_named": gettext_noop("%(text)s %(yaku)s"),
    "line_from": gettext_noop("%(text)s %(number)s from %(who)s"),
    "line_to": gettext_noop("%(text)s %(number)s to %(who)s"),
    "line_sum": gettext_noop("%(parts)s = %(number)s"),
    "and": gettext_noop("%(list)s and %(last)s"),
    # Translators: how things are put together: a list; parts of a sum; what one move did, one thing after the other; a
    # label and what it names; a sentence; two sentences.
    "comma": gettext_noop("%(one)s, %(other)s"),
    "part": gettext_noop("%(part)s; %(next)s"),
    "then": gettext_noop("%(one)s; %(other)s"),
    "label": gettext_noop("%(label)s: %(text)s"),
    "stop": gettext_noop("%(text)s."),
    "more": gettext_noop("%(one)s %(other)s"),
    "team": gettext_noop("Team %(text)s"),
}

CAUSES: dict[str, str] = {
    "left": gettext_noop("has left"),
    # Translators: beside the name of a player who did not look at the table for a minute and so lost the match.
    "gone": gettext_noop("away too long"),
    # Translators: beside the name of a player whose clock had no time left.
    "timeout.clock": gettext_noop("out of time"),
}
"""Why people forfeit, by code. Programs have codes that their authors know."""

YAKU_NAMES: dict[str, str] = {
    "I": gettext_noop("Moon viewing with sake"),
    "Ro": gettext_noop("Spring"),
    "Ha": gettext_noop("Poetry ribbons"),
    "Ni": gettext_noop("Blue ribbons"),
    "Ho": gettext_noop("Deer, butterflies, sake"),
    "He": gettext_noop("Plain red ribbons"),
    "To": gettext_noop("Cuckoo, bridge, boar"),
    "Chi": gettext_noop("Boar, deer, geese"),
}

INTERFACE: dict[str, str] = {
    # Translators: labels of the replay viewer.
    "hand": gettext_noop("Hand: %(number)s"),
    "hidden": gettext_noop("%(number)s hidden cards"),
    "field": gettext_noop("Field"),
    "pile": gettext_noop("Pile: %(number)s"),
    "turned_up": gettext_noop("Turned up"),
    "dealer": gettext_noop("dealer"),
    "turn": gettext_noop("to move"),
    "total": gettext_noop("Total %(number)s"),
    "victories": gettext_noop("Victories %(number)s"),
    "total_in": gettext_noop("Total %(number)s (%(units)s %(unit)s)"),
    "discard": gettext_noop("Discards: %(number)s"),
    "besides": gettext_noop("%(card)s (%(also)s)"),
    "points": gettext_noop("%(number)s in cards"),
    # Translators: beside the total, what a deal that goes on would count if it ended now.
    "so_far": gettext_noop("%(number)s so far"),
    "pts": gettext_noop("%(points)s pts"),
    "captures": gettext_noop("Captures: %(number)s"),
    "place": gettext_noop("Deal %(deal)s of %(deals)s, move %(move)s of %(moves)s"),
    "bright": gettext_noop("Brights"),
    "animal": gettext_noop("Animals"),
    "ribbon": gettext_noop("Ribbons"),
    "chaff": gettext_noop("Chaff"),
    "done": gettext_noop("made"),
    "dead": gettext_noop("no longer possible"),
    "hiki_tag": gettext_noop("Hiki"),
    # Translators: beside the name of who passed, in the list of moves.
    "pass_tag": gettext_noop("passes"),
    # Translators: the card that stands on the field when a deal or the match is over.
    "deal_by": gettext_noop("%(who)s wins deal %(number)s"),
    "deal_even": gettext_noop("Deal %(number)s is over"),
    "match_won": gettext_noop("%(who)s wins the match"),
    "match_shared": gettext_noop("%(who)s share first place"),
    "deal": gettext_noop("this deal"),
    "sum": gettext_noop("total"),
    # Translators: behind a number, how many deals a player has won so far.
    "won": gettext_noop("won"),
    "deals_won": gettext_noop("deals won"),
    "next_deal": gettext_noop("Next deal"),
    "missing": gettext_noop("%(card)s, not captured"),
    "holds": gettext_noop("%(card)s, %(who)s"),
    "empty": gettext_noop("none"),
    "pause": gettext_noop("Pause"),
    "play": gettext_noop("Play"),
    # Translators: the reader guesses the next card; %(right)s of %(all)s guesses were right.
    "guessing": gettext_noop(
        "What comes next? Click a card in the hand of the player to move, or step forward to see."
    ),
    "guess_right": gettext_noop("%(who)s chose the same card. Right: %(right)s of %(all)s."),
    "guess_wrong": gettext_noop("%(who)s played %(card)s instead. Right: %(right)s of %(all)s."),
    "best": gettext_noop("Best moment %(number)s of %(all)s"),
    "unknown": gettext_noop("No such command. Try h, f 3, c 2, s, l, k or g d3m17."),
    # Translators: what one player could know at a place of the replay.
    "knows_all": gettext_noop("All hands are open here. Choose a player to see what that seat could know."),
    "blind": gettext_noop("Nobody has looked at this hand yet."),
    "in_hand": gettext_noop("In the hand of %(who)s, seen by all: %(cards)s."),
    "in_pile": gettext_noop("In the draw pile: %(cards)s."),
    "unseen": gettext_noop("Not seen, in a hand or in the pile: %(number)s cards. %(cards)s."),
    "shown": gettext_noop("%(number)s hidden cards, and seen by all: %(cards)s"),
    "speed": gettext_noop("Speed %(number)s"),
    "printed": gettext_noop("%(who)s printed here"),
    "no_print": gettext_noop("Nothing was printed here."),
    "copy_by_hand": gettext_noop("This browser does not allow copying. The link is in the address line."),
    "copied": gettext_noop("Link copied."),
    "failed": gettext_noop("We could not load the record. You can still step through the match with the links."),
}
