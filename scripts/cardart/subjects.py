"""The fifteen subjects: brights and animals (the Lightning is the fifteenth). Each fills its own part of the box."""

from .pen import (
    ASH,
    GOLD,
    GREEN,
    INDIGO,
    INK,
    PAPER,
    PINK,
    PURPLE,
    RED,
    cord,
    disc,
    dots,
    moved,
    rays,
    shape,
    stroke,
)


def crane() -> str:
    """January: the crane before the rising sun."""
    return (
        disc(42, 27, 17, RED)
        + stroke("M32 76L30 96M41 76L43 96", INK, line=2.8)
        + shape("M24 61C12 57 4 66 3 83C9 77 13 78 15 84C18 79 22 80 25 86C30 80 33 74 32 67Z", INK)
        + stroke("M9 74L20 67M18 78L26 70", PAPER, line=1.3)
        + shape("M12 66C18 54 30 47 42 49C53 51 58 60 54 68C48 79 30 81 20 72Z", PAPER)
        + stroke("M18 67C26 73 38 74 48 69M23 61C31 66 41 66 50 61", INK, line=1.4)
        + cord("M47 56C58 47 49 41 42 37C36 33 36 26 42 24", PAPER, 9.5)
        + stroke("M53 50C53 44 47 41 41 37", INK, line=3.2)
        + shape("M45 22L61 27L44 28.500Z", GOLD, line=1.5)
        + disc(41.5, 24.5, 5, PAPER)
        + shape("M37 22C37 17 44 16 46.500 21C43 20 40 20 37 22Z", RED, line=1.6)
        + dots([(43, 24.5)], 1.1)
    )


def warbler() -> str:
    """February: the bush warbler on a plum branch."""
    return (
        shape("M42 62L60 82L51 83L36 70Z", GREEN)
        + shape("M13 54C12 44 22 38 31 41C42 45 50 56 50 66C46 76 30 80 21 72C15 67 16 60 13 54Z", GREEN)
        + shape("M15 60C20 60 27 65 30 76C24 77 16 72 15 60Z", PAPER, line=1.3)
        + shape("M28 50C38 50 47 58 54 72C42 74 30 66 28 50Z", GOLD, line=1.8)
        + stroke("M34 56C39 59 43 63 46 68", INK, line=1.3)
        + shape("M14 49L4 53L15 55Z", GOLD, line=1.6)
        + dots([(20, 49)], 1.7)
        + stroke("M16 45C20 43 24 44 26 46", PAPER, line=1.3)
        + stroke("M27 77V84M33 77V84", INK, line=2)
    )


def curtain() -> str:
    """March: the striped curtain under the blossoms."""
    stripes = ""
    for i, ink in enumerate((RED, PAPER, PURPLE, PAPER, RED)):
        left = 2 + 12 * i
        foot = (98, 93, 91, 93, 98)[i]
        stripes += shape(
            f"M{left} 62Q{left + 6} 67 {left + 12} 62V{foot}Q{left + 6} {foot + 5} {left} {foot}Z", ink, line=1.6
        )
    knots = stroke("M14 60V70M26 60V70M38 60V70M50 60V70", INK, line=3.4)
    return stripes + cord("M1 60Q32 66 63 60", GOLD, 6) + knots


def cuckoo() -> str:
    """April: the cuckoo crossing the moon."""
    return (
        disc(44, 28, 15, RED)
        + disc(37, 24, 12.5, PAPER)
        + shape("M32 62C44 58 52 46 60 38C61 52 56 66 44 71Z", INDIGO)
        + stroke("M44 62C50 58 54 52 57 46M46 66C51 63 55 58 58 52", PAPER, line=1.2)
        + shape("M36 68L56 90L47 89L45 94L30 74Z", INDIGO)
        + shape("M8 56C12 50 22 50 28 56C36 60 42 66 42 74C34 80 22 76 18 66C14 64 9 62 8 56Z", ASH)
        + stroke("M24 72L29 66M29 76L35 68M35 77L40 70", INK, line=1.5)
        + shape("M20 62C22 46 14 40 6 36C3 46 6 60 16 66Z", INDIGO)
        + stroke("M17 60C17 52 13 46 9 43", PAPER, line=1.2)
        + shape("M11 54L2 60L12 61Z", GOLD, line=1.5)
        + dots([(15.5, 56)], 1.4)
    )


def bridge() -> str:
    """May: the eight-plank bridge over the water."""
    posts = stroke("M10 74V96M24 84V100M40 70V92M55 80V99", INK, line=4)
    water = stroke("M3 88q5-4 10 0t10 0t10 0t10 0t10 0t8 0M3 96q5-4 10 0t10 0t10 0t10 0t10 0t8 0", INDIGO, line=1.8)
    return (
        water
        + posts
        + shape("M2 62L30 76L26 84L2 72Z", ASH)
        + shape("M20 80L46 62L51 69L27 87Z", ASH)
        + shape("M42 62L62 72V82L40 71Z", ASH)
        + stroke("M3 67L27 79.500M24 83.500L48 66M42 67L61 77", INK, line=1.3)
    )


def butterfly(flip: int, ink: str) -> str:
    """One butterfly around (0, 0), wings up."""
    f = flip
    return (
        shape(f"M0 1C{4 * f} -12 {14 * f} -17 {19 * f} -13C{21 * f} -6 {14 * f} 2 0 3Z", ink)
        + shape(f"M0 3C{12 * f} 1 {18 * f} 5 {15 * f} 11C{11 * f} 15 {4 * f} 10 0 4Z", RED if ink == GOLD else PINK)
        + shape(f"M0 2C{-2 * f} -10 {-8 * f} -16 {-13 * f} -13C{-14 * f} -6 {-8 * f} 2 0 3Z", ink)
        + dots([(13 * f, -9), (10 * f, 7), (-8 * f, -8)], 2)
        + stroke("M0 -3V9", INK, line=3.6)
        + stroke(f"M0 -3L{-4 * f} -10M0 -3L{3 * f} -10", INK, line=1.2)
    )


def butterflies() -> str:
    """June: two butterflies over the peony."""
    return moved(butterfly(1, GOLD), 42, 24, 0.95, 8) + moved(butterfly(-1, PURPLE), 20, 52, 0.86, -12)


def boar() -> str:
    """July: the wild boar."""
    return (
        shape("M20 84L21 99H28L30 84ZM32 86L34 99H40L41 86ZM48 82L49 99H55L57 80Z", INK, line=1.4)
        + shape(
            "M4 86C7 74 14 64 22 58C30 48 46 48 54 58C61 66 62 76 59 84"
            "C55 90 46 90 38 89C30 92 22 92 17 90C12 92 5 93 4 86Z",
            ASH,
        )
        + shape("M18 62C24 50 40 44 50 52C58 58 62 66 61 76L55 69L52 75L47 67L42 73L38 64L33 70L29 62L25 68Z", INK)
        + shape("M3 85C5 82 9 84 10 88C9 92 4 92 3 90Z", INK, line=1.4)
        + shape("M22 65L17 54L29 59Z", ASH)
        + dots([(18, 75)], 2)
        + shape("M13 90C14 85 13 82 11 79C17 81 19 85 18 90Z", PAPER, line=1.6)
        + stroke("M61 66C65 69 63 75 61 77", INK, line=2)
    )


def moon() -> str:
    """August: the full moon in a red sky."""
    return shape("M2 6a4 4 0 0 1 4-4H58a4 4 0 0 1 4 4V86H2Z", RED, line=0) + disc(35, 36, 20, PAPER)


def goose(x: float, y: float, size: float) -> str:
    """One goose in flight: long neck forward, both wings up."""
    return moved(
        shape("M3 -1C6 -10 13 -15 20 -16C18 -8 14 1 6 4Z", ASH, line=1.8)
        + shape(
            "M-24 5C-23 2 -20 2 -17 3L-6 1C0 -2 8 -1 12 2L20 3L14 7C6 11 -4 9 -8 6L-18 7L-24 8L-27 7Z", ASH, line=1.8
        )
        + shape("M-1 1C-6 -7 -8 -16 -4 -24C3 -18 9 -8 9 3C6 5 2 4 -1 1Z", INK, line=1.8)
        + stroke("M2 0C0 -5 -2 -10 -3 -15M6 0C5 -5 3 -9 1 -12", PAPER, line=1.3)
        + dots([(-20.5, 4.4)], 1),
        x,
        y,
        size,
    )


def geese() -> str:
    """August: three geese coming down."""
    return goose(45, 26, 0.72) + goose(27, 50, 0.84) + goose(46, 62, 0.62)


def cup() -> str:
    """September: the sake cup with a brushed wish."""
    return (
        shape("M22 78L18 90H46L42 78Z", RED)
        + shape("M4 52C4 70 14 81 32 81S60 70 60 52Z", RED)
        + shape("M4 52C4 45 17 41 32 41S60 45 60 52C60 59 47 62 32 62S4 59 4 52Z", GOLD)
        + shape("M10 52C10 48 20 46 32 46S54 48 54 52C54 56 44 58 32 58S10 56 10 52Z", PAPER, line=1.5)
        + stroke("M24 67H40M32 63.500V78M25 72H39M27 76.500L37 76", PAPER, line=2)
    )


def deer() -> str:
    """October: the stag, antlers clear of the tab and the glyph."""
    return (
        stroke(
            "M42 41C38 35 39 28 34 19M38.500 31L29 29M36.500 25L43 19M47 41C51 35 50 29 56 20M50 32L59 31M52 26L48 20",
            INK,
            line=3,
        )
        + shape("M13 80L11 101H16L21 84ZM39 80L42 101H47L48 76Z", ASH, line=1.8)
        + shape("M20 82L20 101H25L28 85ZM32 82L34 101H39L40 80Z", ASH, line=1.8)
        + shape("M9 66L3 70L6 79L13 75Z", PAPER, line=1.5)
        + shape(
            "M8 71C9 62 18 60 28 61C33 61 36 58 37 50L48 49C50 57 51 66 49 76C46 84 38 86 29 85C17 87 7 82 8 71Z", ASH
        )
        + shape("M39 43L29 39L36 49Z", ASH, line=1.6)
        + shape("M36 48C36 41 43 38 48 40C52 43 58 49 61 53C61 57 57 58 52 57C46 58 37 56 36 48Z", ASH)
        + dots([(47.500, 46.500)], 1.7)
        + dots([(59, 54)], 2)
        + dots([(30, 67), (22, 68), (38, 68), (16, 72), (26, 75), (34, 75), (42, 74)], 1.9, PAPER)
    )


def rain_man() -> str:
    """November: the poet under his umbrella, the stream and the frog."""
    return (
        shape("M2 86Q14 78 30 86T62 84V98a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4Z", INDIGO)
        + stroke("M26 95q5-4 10 0t10 0t10 0", PAPER, line=1.6)
        + shape("M27 62C34 55 46 55 51 62L60 84L50 82L48 88H25L28 76L19 78L17 72Z", INDIGO)
        + shape("M33 60L38 72L44 60L47 88H30Z", GOLD, line=1.6)
        + stroke("M18 78L34 22", INK, line=2.6)
        + dots([(19, 74)], 3.4)
        + dots([(19, 74)], 2, PAPER)
        + disc(38.5, 52, 7, PAPER)
        + shape("M30 50C30 40 37 36 39 36C41 36 48 40 48 50L44 47H34Z", INK, line=1.4)
        + dots([(36, 52.500), (41, 52.500)], 0.9)
        + shape(
            "M5 42C8 24 24 12 40 16C52 19 61 28 62 40C57 36 52 37 48 41"
            "C44 36 38 35 33 40C28 35 22 36 19 41C14 37 9 38 5 42Z",
            RED,
        )
        + stroke("M38 16C28 22 22 30 19 41M38 16C34 23 33 32 33 40M38 16C44 23 47 32 48 41M38 16V11", INK, line=1.5)
        + shape("M6 99C5 93 8 91 10 92C11 88 16 87 17 91C22 91 24 95 23 99Z", GREEN, line=1.7)
        + dots([(13.500, 91.500)], 1)
    )


def swallow() -> str:
    """November: the swallow slanting through the willow."""
    return (
        shape("M36 62L62 84L50 82L56 97L40 84L28 70Z", INDIGO)
        + shape("M28 58C38 44 50 38 61 38C58 52 50 64 38 70Z", INDIGO)
        + shape("M22 62C16 74 15 84 20 96C30 88 36 78 34 66Z", INDIGO)
        + shape("M12 48C18 42 26 46 30 54C38 60 42 66 40 74C32 76 22 70 18 60C13 58 10 54 12 48Z", GOLD)
        + shape("M12 48C17 42 26 45 30 54C36 58 40 63 41 70C32 66 22 60 17 54Z", INDIGO, line=1.8)
        + shape("M13 54C16 52 20 55 22 61C18 62 13 59 13 54Z", RED, line=1.5)
        + shape("M13 47L4 50L13 54Z", INK, line=1.4)
        + dots([(18.5, 50)], 2.1, PAPER)
        + dots([(18.5, 50)], 1.1)
    )


def drum(x: float, y: float, radius: float) -> str:
    """One thunder drum with its three-comma mark."""
    ring = disc(x, y, radius, PAPER, line=1.5) + disc(x, y, radius - 1.6, RED, line=0)
    return ring + stroke(rays(x, y, 1, radius * 0.48, (30, 150, 270)), GOLD, line=3.2)


def lightning() -> str:
    """November: the storm, its drums and the lightning (the Gaji)."""
    return (
        shape("M2 6a4 4 0 0 1 4-4H58a4 4 0 0 1 4 4V98a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4Z", INK, line=0)
        + shape(
            "M2 74C8 66 16 68 20 74C24 64 38 66 42 76C48 68 58 72 62 80V98a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4Z",
            RED,
            stroke=PAPER,
        )
        + stroke("M7 84C12 79 18 83 16 89M38 88C43 82 50 86 48 92", PAPER, line=2)
        + stroke("M26 16C36 8 52 14 56 28C58 36 56 46 54 54", GOLD, line=2)
        + drum(30, 14, 7.5)
        + drum(49, 21, 8)
        + drum(54, 44, 7)
        + shape("M26 30L10 62H23L13 96L48 54H31L44 30Z", GOLD, line=2.4, stroke=PAPER)
    )


def phoenix() -> str:
    """December: the phoenix with its three tail plumes."""
    return (
        cord("M34 52C48 52 59 62 57 76C56 86 46 88 45 80C45 75 51 75 51 79", RED, 7.5)
        + cord("M31 54C40 60 43 72 36 82C31 89 23 86 24 79", PURPLE, 7.5)
        + cord("M26 52C27 62 22 72 13 73C7 73 6 66 11 65", GREEN, 7.5)
        + shape("M28 48C28 30 38 12 60 7C59 13 57 16 60 20C56 23 60 27 56 31C55 35 57 38 51 42C46 49 36 54 28 48Z", RED)
        + stroke("M34 44C40 34 48 24 56 18M38 47C45 39 50 34 55 29M42 48C47 44 49 42 51 38", GOLD, line=2)
        + shape("M12 40C15 33 24 33 28 40C36 43 42 50 38 57C31 63 20 60 18 51C14 49 9 46 12 40Z", GOLD)
        + stroke("M23 48C26 46 29 48 30 51M27 54C29 53 32 54 33 56M31 47C33 47 35 49 36 51", INK, line=1.4)
        + shape(
            "M24 39C25 32 29 28 35 27C32 31 32 34 29 40ZM19 37C17 30 20 25 25 22C24 27 26 30 24 37Z", PURPLE, line=1.5
        )
        + shape("M12 41L3 46L14 49Z", RED, line=1.5)
        + dots([(17.5, 42)], 1.6)
    )
