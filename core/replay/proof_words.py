"""Words of a proof, as key -> English message id. Translations come from the gettext catalogue."""

from core.replay.phrases import gettext_noop

PROOF: dict[str, str] = {
    # Translators: one line each of checking a record of a match; a tick or a cross stands before it.
    "hash": gettext_noop("The hash is that of the record"),
    "nonces": gettext_noop("Every seat helped to shuffle: the random texts have their hashes and give the seed"),
    # Translators: the browser kept what it saw at the table before it showed its player's random text.
    "promise": gettext_noop("Your own random text is in it (seat %(seat)s), beside the hashes that you saw before"),
    "commit": gettext_noop("The seed matches its commitment"),
    "match": gettext_noop("It is the record of this match"),
    "draws": gettext_noop("First dealer: every card drawn comes from the seed"),
    "deal": gettext_noop("Deal %(deal)s: every card of its order comes from the seed"),
    "orders": gettext_noop("Deal %(deal)s: every card of its %(orders)s orders comes from the seed"),
    # Translators: the lines of all deals together; %(n)s is 2 or more.
    "deal_one": gettext_noop("1 deal: every card comes from the seed"),
    "deals": gettext_noop("%(n)s deals: every card comes from the seed"),
    "deals_bad": gettext_noop("%(bad)s of %(n)s deals do not come from the seed"),
    "decks": gettext_noop("The orders of the cards"),
    "flow": gettext_noop("Every card dealt and turned up in the replay is the next of its order"),
    "lines": gettext_noop("The lines of every deal add up to its score"),
    "totals": gettext_noop("The deals add up to the result"),
    "places": gettext_noop("The places follow from the result"),
    "replay": gettext_noop("Replayed by the engine: every move is legal and leads to this result"),
    "view": gettext_noop("What the replay shows is what the engine shows"),
    # Translators: what is wrong with that line. %(expected)s and %(found)s are names of cards.
    "wrong_hash": gettext_noop(
        "The record has the hash %(should)s; %(has)s is written under it. Something was changed."
    ),
    "wrong_nonce": gettext_noop("Seat %(seat)s: the random text is not the one whose hash was sent before the deal."),
    "wrong_promise": gettext_noop(
        "At the table your browser saw another commitment or other hashes before it showed your random text."
    ),
    "wrong_secret": gettext_noop("The service’s secret is not the one that it committed to."),
    "wrong_seed": gettext_noop("Secret and random texts give another seed than the one committed to."),
    "wrong_commit": gettext_noop("The hash of the seed is %(should)s, but the commitment is %(has)s."),
    "wrong_match": gettext_noop("It names another match or another commitment than this page."),
    "wrong_draw": gettext_noop(
        "Drawing %(order)s, card %(place)s: the seed gives %(expected)s, the record has %(found)s."
    ),
    "wrong_card": gettext_noop(
        "Deal %(deal)s, order %(order)s, card %(place)s: the seed gives %(expected)s, the record has %(found)s."
    ),
    "wrong_length": gettext_noop("Deal %(deal)s, order %(order)s has %(has)s cards, not %(should)s."),
    "wrong_dealt": gettext_noop("Deal %(deal)s, dealing: the order has %(expected)s here, the replay shows %(found)s."),
    "wrong_turned": gettext_noop(
        "Deal %(deal)s, move %(move)s: the order has %(expected)s here, the replay shows %(found)s."
    ),
    "wrong_lines": gettext_noop(
        "Deal %(deal)s, side %(side)s: the lines add up to %(should)s, the score says %(has)s."
    ),
    "wrong_total": gettext_noop("Deal %(deal)s, side %(side)s: the sum so far is %(should)s, the replay says %(has)s."),
    "wrong_score": gettext_noop("Side %(side)s: the deals add up to %(should)s points, the result says %(has)s."),
    "wrong_victories": gettext_noop(
        "Side %(side)s: the deals add up to %(should)s victories, the result says %(has)s."
    ),
    "wrong_place": gettext_noop("Side %(side)s comes in place %(should)s, the result says %(has)s."),
    "wrong_shape": gettext_noop("A part is missing or does not belong to a record, so we cannot check this."),
    "wrong_engine": gettext_noop("%(where)s: %(message)s"),
    # Translators: why that line could not be checked.
    "no_seed": gettext_noop("The seed is not shown yet, so nobody can derive the cards."),
    "no_rank": gettext_noop("The sums alone do not decide here; the engine’s replay checks it."),
    "older": gettext_noop(
        "Engine %(engine)s had other rules: hash, cards and sums are checked, the moves are not played."
    ),
    # Translators: the verdict, a headline: of a match of this site, of any record, of one that was changed, of one
    # whose seed is not shown yet.
    "fair": gettext_noop("Nothing was rigged"),
    "fits": gettext_noop("All checks passed"),
    "unfair": gettext_noop("Something does not fit"),
    "unfinished": gettext_noop("No contradiction so far"),
    # Translators: under the headline.
    "all_ok": gettext_noop("%(n)s of %(n)s checks passed."),
    "some_open": gettext_noop("%(n)s of %(all)s checks passed. The list says why the rest is open."),
    "is_bad": gettext_noop("The record does not prove itself: %(fault)s"),
    "nothing": gettext_noop("There is no card: the order is too short."),
    # Translators: what a pasted record is refused for.
    "empty": gettext_noop("You have not pasted or chosen anything. Paste a record, or choose its file."),
    "not_json": gettext_noop("This is not JSON: %(message)s. Paste the whole file, from the first { to the last }."),
    "not_record": gettext_noop(
        "This is JSON, but not the record of a match: it has no “record” and “hash” at the top."
    ),
    "too_large": gettext_noop("This is larger than any record of a match. We read at most %(most)s KiB."),
    "not_text": gettext_noop("The file is not UTF-8 text. Choose the JSON file as it was downloaded."),
    "bad_seed": gettext_noop("The seed is not written as hexadecimal digits, as the page of the match shows it."),
    "compact": gettext_noop("This is a compact record: only the server can replay it. Press “Check on the server”."),
    "working": gettext_noop("Checking"),
    "failed": gettext_noop("We could not load the record. Try again, or check on the server."),
}
