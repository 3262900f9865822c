"""Places of the plants on the cards: one drawing function per month, four cards each, rank 1 to 4."""

from collections.abc import Callable

from . import subjects
from .marks import makers_mark
from .pen import GOLD, INK, PINK, RED, dots, shape, stroke
from .plants import (
    blade,
    bough,
    broad_leaf,
    cherry,
    clover,
    hill,
    iris,
    kiri_leaf,
    kiri_spike,
    maple,
    mum,
    mum_leaf,
    peony,
    pine,
    plum,
    plum_bud,
    spray,
    susuki,
    willow,
    wisteria,
)
from .ribbons import hung


def january(rank: int) -> str:
    """Pine."""
    if rank == 1:
        return pine(14, 24, 12) + subjects.crane() + pine(16, 97, 13) + pine(50, 98, 12.5)
    if rank == 2:
        return (
            bough("M59 94C52 70 34 66 46 30")
            + pine(46, 34, 17)
            + pine(50, 66, 14)
            + hung("akayoroshi", 29, 59, 6)
            + pine(13, 99, 11)
        )
    if rank == 3:
        trunk = bough("M54 102C60 78 30 74 34 44", 7)
        return trunk + pine(35, 38, 20) + pine(20, 62, 16) + pine(47, 74, 14) + pine(20, 94, 17)
    trunk = bough("M10 102C8 80 40 84 30 50", 7)
    return trunk + pine(42, 32, 18) + pine(22, 58, 17) + pine(46, 64, 15) + pine(42, 96, 18)


def february(rank: int) -> str:
    """Plum."""
    if rank == 1:
        branch = bough("M2 92L26 85L44 90L62 80") + bough("M40 88L50 58L62 46", 5)
        return branch + plum(48, 20, 10) + plum(31, 30, 6.5) + subjects.warbler() + plum(15, 93, 8.5) + plum(52, 94, 7)
    if rank == 2:
        branch = bough("M54 101L48 70L58 46L44 18")
        return (
            branch
            + hung("akayoroshi", 28, 59, 6)
            + plum(47, 20, 11)
            + plum(51, 50, 9)
            + plum(13, 94, 8)
            + plum_bud(56, 74)
        )
    if rank == 3:
        branch = bough("M8 101L20 72L42 62L44 14") + bough("M21 72L9 50", 5) + bough("M42 62L58 78", 5)
        flowers = plum(43, 22, 12) + plum(19, 70, 11.5) + plum(47, 62, 9.5) + plum(45, 91, 8)
        return branch + flowers + plum_bud(10, 48) + plum_bud(57, 80, 3.4) + plum_bud(44, 42, 3.4)
    branch = bough("M58 101L46 80L20 70L26 44L56 22") + bough("M25 46L42 52", 5)
    flowers = plum(49, 26, 11) + plum(25, 50, 10.5) + plum(46, 80, 12) + plum(17, 88, 9)
    return branch + flowers + plum_bud(45, 53, 3.4) + plum_bud(34, 74) + plum_bud(25, 40)


def march(rank: int) -> str:
    """Cherry."""
    if rank == 1:
        canopy = cherry(32, 18, 11) + cherry(53, 16, 9.5, turn=20) + cherry(12, 46, 9.5) + cherry(51, 38, 11, turn=36)
        return bough("M62 50C44 46 34 34 22 40", 5) + subjects.curtain() + canopy + cherry(31, 42, 11, turn=10)
    if rank == 2:
        top = cherry(34, 18, 11) + cherry(53, 24, 9.5, turn=20) + cherry(49, 46, 9)
        return (
            bough("M62 60C50 44 48 20 30 16", 5)
            + top
            + hung("miyoshino", 28, 59, 6)
            + cherry(49, 84, 11)
            + cherry(13, 93, 9, turn=30)
        )
    buds = dots([(28, 40), (57, 50), (10, 77), (57, 92)], 3.4) + dots(
        [(28, 40), (57, 50), (10, 77), (57, 92)], 2.2, RED
    )
    if rank == 3:
        branch = bough("M60 100C44 86 22 84 30 56C34 40 44 34 50 6", 5.5)
        row = cherry(34, 22, 11) + cherry(53, 30, 9.5, turn=24) + cherry(20, 52, 11, turn=12) + cherry(43, 58, 12)
        return branch + buds + row + cherry(26, 80, 12, turn=30) + cherry(49, 84, 9) + cherry(12, 95, 7)
    branch = bough("M8 101C20 90 40 94 40 70C40 54 24 52 36 14", 5.5)
    row = cherry(46, 20, 13, turn=16) + cherry(30, 44, 9) + cherry(50, 50, 11, turn=30) + cherry(16, 60, 12)
    return (
        branch
        + dots([(25, 24), (10, 84)], 3.4)
        + dots([(25, 24), (10, 84)], 2.2, RED)
        + row
        + cherry(42, 78, 13, turn=8)
        + cherry(20, 88, 9)
    )


def april(rank: int) -> str:
    """Wisteria."""
    if rank == 1:
        vine = stroke("M2 34C8 10 30 8 62 8", INK, line=3)
        return vine + wisteria(8, 40, 4, 8) + subjects.cuckoo() + wisteria(29, 13, 3, 8) + spray(40, 9, 8, 200)
    if rank == 2:
        vine = stroke("M22 6C34 12 48 6 62 10", INK, line=3) + spray(30, 9, 10, 170) + spray(58, 12, 10, 190)
        return vine + wisteria(52, 14, 13, 12) + hung("red-slip", 29, 64, 6) + wisteria(14, 46, 8, 9)
    vine = stroke("M20 7C34 12 46 5 62 9", INK, line=3)
    if rank == 3:
        leaves = spray(44, 8, 12, 176) + spray(24, 10, 9, 160)
        return vine + wisteria(14, 40, 9, 11) + wisteria(33, 14, 14, 14) + wisteria(52, 16, 10, 11) + leaves
    leaves = spray(33, 9, 12, 186) + spray(57, 9, 9, 200)
    return vine + wisteria(32, 16, 9, 12) + wisteria(51, 14, 13, 12) + wisteria(15, 38, 10, 11) + leaves


def may(rank: int) -> str:
    """Iris."""
    if rank == 1:
        stand = blade(30, 80, 12, 4) + blade(42, 80, 22, 10) + blade(20, 74, 40, -6)
        return stand + iris(39, 28, 0.95) + iris(18, 52, 0.72) + subjects.bridge()
    if rank == 2:
        stand = blade(44, 102, 10, 8) + blade(52, 102, 26, 7) + blade(14, 102, 46, -8)
        return stand + iris(44, 28, 1) + hung("red-slip", 26, 64, 6) + iris(50, 74, 0.8) + blade(30, 102, 76, -16)
    if rank == 3:
        stand = blade(24, 102, 26, -10) + blade(40, 102, 8, 3) + blade(50, 102, 36, 9) + blade(32, 102, 44, 4, 6)
        return (
            stand
            + iris(40, 30, 1.15)
            + iris(19, 64, 0.95)
            + iris(46, 76, 0.8)
            + blade(14, 102, 76, -8)
            + blade(36, 102, 72, 6)
        )
    stand = blade(18, 102, 38, -9) + blade(36, 102, 12, -4) + blade(52, 102, 20, 6) + blade(44, 102, 48, 2, 6)
    return (
        stand
        + iris(46, 27, 0.9)
        + iris(24, 56, 1.15)
        + iris(50, 64, 0.85)
        + blade(30, 102, 78, 8)
        + blade(54, 102, 80, 5)
        + blade(12, 102, 80, -6)
    )


def june(rank: int) -> str:
    """Peony."""
    if rank == 1:
        return broad_leaf(30, 96, 0.9, -60) + broad_leaf(40, 94, 1, 62) + peony(40, 80, 18) + subjects.butterflies()
    if rank == 2:
        leaves = broad_leaf(44, 40, 0.9, 130) + broad_leaf(40, 18, 0.8, -80) + broad_leaf(44, 84, 0.9, 20)
        return leaves + peony(46, 28, 13.5) + hung("blue-slip", 27, 64, 6) + peony(47, 84, 12)
    if rank == 3:
        leaves = broad_leaf(40, 30, 1, 50) + broad_leaf(20, 66, 0.9, -100) + broad_leaf(38, 74, 1.1, 120)
        return (
            leaves
            + broad_leaf(22, 76, 1, 200)
            + peony(30, 56, 20)
            + broad_leaf(44, 92, 0.8, 60)
            + peony(51, 20, 8.5, PINK)
        )
    leaves = (
        broad_leaf(28, 48, 1, -50)
        + broad_leaf(46, 52, 1, 110)
        + broad_leaf(34, 96, 0.95, -80)
        + broad_leaf(36, 76, 0.9, 100)
    )
    return leaves + peony(43, 32, 16) + peony(22, 78, 14)


def july(rank: int) -> str:
    """Bush clover."""
    if rank == 1:
        sprays = clover(((62, 40), (50, 34), (36, 20), (24, 22)), 4, size=8) + clover(
            ((62, 12), (54, 22), (52, 34), (44, 46)), 4
        )
        return sprays + clover(((26, 3), (26, 24), (14, 30), (10, 46)), 4) + subjects.boar()
    if rank == 2:
        tall = clover(((50, 102), (60, 70), (58, 30), (34, 12)), 8, size=9)
        return tall + hung("red-slip", 28, 62, 6) + clover(((40, 102), (30, 96), (18, 94), (8, 84)), 4)
    if rank == 3:
        back = clover(((54, 102), (62, 76), (62, 40), (50, 12)), 7, size=8.5)
        middle = clover(((46, 102), (48, 64), (44, 26), (20, 14)), 8, size=9)
        return (
            back
            + middle
            + clover(((38, 102), (34, 76), (22, 54), (8, 48)), 6, size=9)
            + clover(((30, 102), (26, 92), (18, 84), (8, 82)), 3)
        )
    back = clover(((10, 102), (4, 76), (10, 48), (26, 32)), 6, size=8.5)
    middle = clover(((18, 102), (20, 60), (32, 24), (54, 16)), 8, size=9)
    return (
        back
        + middle
        + clover(((26, 102), (32, 72), (44, 52), (57, 50)), 6, size=9)
        + clover(((36, 102), (42, 90), (50, 82), (58, 80)), 3)
    )


def august(rank: int) -> str:
    """Susuki."""
    if rank == 1:
        return subjects.moon() + hill(64)
    if rank == 2:
        return subjects.geese() + hill(70, lean=-6)
    if rank == 3:
        back = susuki(((24, 64, 0.9), (41, 70, 0.75), (8, 78, 0.8), (28, 83, 0.85), (45, 88, 0.65)))
        front = susuki(((12, 96, 0.8), (31, 99, 0.75), (4, 101, 0.5), (47, 101, 0.55)))
        return hill(48, lean=6, has_grass=False) + back + front
    back = susuki(((37, 80, 0.95), (21, 84, 0.75), (55, 86, 0.85)), is_mirrored=True)
    front = susuki(((40, 97, 0.85), (22, 100, 0.7), (59, 101, 0.65)), is_mirrored=True)
    return hill(62, lean=-10, has_grass=False) + back + front


def september(rank: int) -> str:
    """Chrysanthemum."""
    if rank == 1:
        flowers = mum_leaf(30, 30, 0.9, -70) + mum_leaf(52, 36, 0.9, 150) + mum(42, 21, 15) + mum(12, 46, 9)
        return flowers + subjects.cup() + mum_leaf(44, 98, 0.7, -60) + mum(54, 93, 10, PINK) + mum(10, 92, 9)
    if rank == 2:
        leaves = mum_leaf(52, 40, 0.9, 170) + mum_leaf(48, 66, 0.9, 60) + mum_leaf(26, 92, 0.8, -60)
        return leaves + mum(45, 25, 14) + hung("blue-slip", 27, 64, 6) + mum(48, 80, 12.5, PINK)
    if rank == 3:
        leaves = (
            mum_leaf(24, 40, 0.9, -40) + mum_leaf(48, 52, 1, 100) + mum_leaf(20, 82, 1, -130) + mum_leaf(42, 86, 1, 130)
        )
        return leaves + mum(42, 30, 15) + mum(22, 62, 15, RED) + mum(46, 80, 11, PINK)
    leaves = (
        mum_leaf(46, 30, 0.9, 40) + mum_leaf(20, 52, 0.9, -80) + mum_leaf(50, 64, 0.9, 80) + mum_leaf(18, 86, 0.9, -110)
    )
    return leaves + mum(33, 34, 11, PINK) + mum(43, 54, 11, RED) + mum(29, 78, 17)


def october(rank: int) -> str:
    """Maple."""
    if rank == 1:
        return maple(33, 13, 11, 20) + maple(14, 50, 11, -20) + maple(56, 86, 6, 30, GOLD) + subjects.deer()
    if rank == 2:
        return (
            maple(46, 25, 14.5, 14)
            + hung("blue-slip", 27, 64, 6)
            + maple(51, 62, 10, -20, GOLD)
            + maple(46, 88, 13, 24)
        )
    if rank == 3:
        branch = bough("M62 14C44 20 34 44 4 60", 4.5)
        return (
            branch + maple(42, 24, 15, 20, GOLD) + maple(20, 54, 14, -14) + maple(47, 60, 14, 30) + maple(26, 86, 15, 4)
        )
    branch = bough("M20 6C30 40 50 60 44 101", 4.5)
    return (
        branch + maple(46, 26, 13, -20) + maple(24, 52, 16, 10) + maple(50, 62, 11, 40, GOLD) + maple(34, 86, 14, -30)
    )


def november(rank: int) -> str:
    """Willow."""
    if rank == 1:
        return willow(26, 3, 26, -3) + subjects.rain_man() + willow(57, 38, 74, 1) + willow(10, 40, 74, -2)
    if rank == 2:
        return (
            willow(28, 3, 44, -4)
            + willow(42, 3, 38, -2)
            + willow(54, 3, 34, 2)
            + subjects.swallow()
            + willow(10, 60, 94, -3)
        )
    if rank == 3:
        return (
            willow(28, 3, 44, -4)
            + willow(52, 3, 94, 3)
            + willow(42, 3, 84, 2)
            + hung("red-slip", 28, 64, 6)
            + willow(12, 46, 94, -3)
        )
    return subjects.lightning()


def december(rank: int) -> str:
    """Paulownia."""
    if rank == 1:
        return kiri_leaf(22, 78, 0.62, 12) + kiri_spike(25, 34, 3) + kiri_leaf(46, 84, 0.5, -8) + subjects.phoenix()
    if rank == 2:
        ground = shape("M2 70H62V98a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4Z", GOLD, line=0) + stroke("M2 70H62", INK)
        spikes = kiri_spike(25, 54, 4, -6) + kiri_spike(44, 52, 5, 7)
        leaves = kiri_leaf(15, 50, 0.9, 30) + kiri_leaf(50, 50, 0.9, -28) + kiri_leaf(33, 54, 0.8, 4)
        return ground + spikes + leaves + makers_mark(32, 89)
    if rank == 4:
        spikes = kiri_spike(44, 46, 4, 8) + kiri_spike(27, 56, 2, -14) + kiri_spike(56, 54, 2, 16)
        return (
            spikes
            + kiri_leaf(20, 58, 0.9, 40)
            + kiri_leaf(50, 56, 0.9, -36)
            + kiri_leaf(36, 52, 1.35, 4)
            + kiri_leaf(12, 80, 0.6, 10)
        )
    spikes = kiri_spike(34, 54, 5) + kiri_spike(20, 58, 2, -16) + kiri_spike(48, 56, 3, 16)
    leaves = kiri_leaf(18, 62, 1.05, 34) + kiri_leaf(48, 62, 1.05, -34) + kiri_leaf(33, 60, 1.35, 0)
    return spikes + leaves


# By month, as the codes of the cards are.
MONTHS: tuple[Callable[[int], str], ...] = (
    january,
    february,
    march,
    april,
    may,
    june,
    july,
    august,
    september,
    october,
    november,
    december,
)
