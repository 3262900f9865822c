"""Exact schedules: nobody meets anybody twice, by arithmetic in finite fields (tournaments.md section 4).

k tables of t seats; player (i, j), i < t and j < k, sits in round r at table j + x(i)*r, computed in the product of
finite fields of order k, where x(0..t-1) are elements whose differences have inverses: there are as many of those as
the smallest prime-power factor of k. So k rounds are free of repeats. Players with the same i never met: where k is
t*k' they go on within their groups of k, recursively; a group of t is one last round. For k = t a prime power these
are the affine planes: t + 1 rounds, each pair once.
For some numbers of tables there is a longer schedule that was found by search (`starters`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from core.formats.schedules.starters import Round, developed, rounds_known


@dataclass(frozen=True, slots=True)
class Field:
    """GF(p^e). Elements are 0..q-1, the base-p digits being the coefficients of a polynomial."""

    plus: tuple[tuple[int, ...], ...]
    times: tuple[tuple[int, ...], ...]

    @property
    def order(self) -> int:
        """Number of elements."""
        return len(self.plus)


def prime_powers(number: int) -> list[tuple[int, int]]:
    """Return (prime, exponent) of a number >= 1, smallest prime first."""
    found, prime = [], 2
    while number > 1:
        exponent = 0
        while number % prime == 0:
            number //= prime
            exponent += 1
        if exponent:
            found.append((prime, exponent))
        prime += 1
    return found


@lru_cache(maxsize=64)
def field(prime: int, exponent: int) -> Field:
    """The field of prime^exponent elements, with its addition and multiplication tables."""
    order = prime**exponent
    digits = [_digits(number, prime, exponent) for number in range(order)]
    modulus = next(low for low in product(range(prime), repeat=exponent) if _is_irreducible((*low, 1), prime))
    plus = tuple(
        tuple(_number([(x + y) % prime for x, y in zip(one, other, strict=True)], prime) for other in digits)
        for one in digits
    )
    times = tuple(
        tuple(_number(_remainder(_product(one, other, prime), (*modulus, 1), prime), prime) for other in digits)
        for one in digits
    )
    return Field(plus, times)


def rounds_without_repeat(tables: int, seats: int) -> int:
    """Return how many rounds `design` has for `tables` tables of `seats`; 0 if it has none."""
    return max(_rounds_by_arithmetic(tables, seats), rounds_known(tables, seats))


def _rounds_by_arithmetic(tables: int, seats: int) -> int:
    if tables == 1:
        return 1
    # Fewer elements with invertible differences than seats: two players of a table would meet again.
    if min((p**e for p, e in prime_powers(tables)), default=1) < seats:
        return 0
    inner, rest = divmod(tables, seats)
    return tables + (rounds_without_repeat(inner, seats) if not rest else 0)


def design(tables: int, seats: int, *, missing: int = 0) -> list[Round]:
    """Rounds of `tables` tables: players 0..tables*seats-1-missing, no pair together twice.

    missing: the last players are left out, so that many tables have a seat less (at most one each: missing <= tables);
    rounds that this does not fit are left out as well. Empty if there is no such design.
    """
    return max(_by_arithmetic(tables, seats, missing), developed(tables, seats, missing=missing), key=len)


def _by_arithmetic(tables: int, seats: int, missing: int) -> list[Round]:
    """Return the rounds of the module's text; with somebody missing without those within groups."""
    if not _rounds_by_arithmetic(tables, seats):
        return []
    players = range(tables * seats)
    if tables == 1:
        return [[list(players)[: seats - missing]]]
    fields = [field(prime, exponent) for prime, exponent in prime_powers(tables)]
    ring = list(product(*(range(part.order) for part in fields)))
    place = {element: index for index, element in enumerate(ring)}
    rounds = []
    for turn in ring:
        seated: Round = [[] for _ in range(tables)]
        for player in range(tables * seats - missing):
            group, offset = divmod(player, tables)
            at = tuple(
                part.plus[start][part.times[group][step]]
                for part, start, step in zip(fields, ring[offset], turn, strict=True)
            )
            seated[place[at]].append(player)
        rounds.append(seated)
    return rounds if missing else rounds + _within_groups(tables, seats)


def _within_groups(tables: int, seats: int) -> list[Round]:
    """Return the rounds in which each group of `tables` players (the same i) plays among its own."""
    inner, rest = divmod(tables, seats)
    if rest:
        return []
    return [
        [[group * tables + player for player in table] for group in range(seats) for table in turn]
        for turn in design(inner, seats)
    ]


def _digits(number: int, prime: int, exponent: int) -> tuple[int, ...]:
    return tuple(number // prime**place % prime for place in range(exponent))


def _number(digits: list[int], prime: int) -> int:
    return sum(digit * prime**place for place, digit in enumerate(digits))


def _product(one: tuple[int, ...], other: tuple[int, ...], prime: int) -> list[int]:
    """Multiply polynomials, lowest coefficient first."""
    out = [0] * (len(one) + len(other) - 1)
    for i, x in enumerate(one):
        for j, y in enumerate(other):
            out[i + j] = (out[i + j] + x * y) % prime
    return out


def _remainder(dividend: list[int], monic: tuple[int, ...], prime: int) -> list[int]:
    """Return the rest of a division by a monic polynomial, as many coefficients as its degree."""
    rest, degree = list(dividend), len(monic) - 1
    for top in range(len(rest) - 1, degree - 1, -1):
        factor = rest[top]
        for place in range(degree + 1):
            rest[top - degree + place] = (rest[top - degree + place] - factor * monic[place]) % prime
    return (rest + [0] * degree)[:degree]


def _is_irreducible(monic: tuple[int, ...], prime: int) -> bool:
    """Return whether no monic polynomial of at most half the degree divides this one."""
    degree = len(monic) - 1
    return all(
        any(_remainder(list(monic), (*low, 1), prime))
        for small in range(1, degree // 2 + 1)
        for low in product(range(prime), repeat=small)
    )
