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
    """January: the crane, its red crown clear of the sun that rises in the corner."""
    return (
        shape("M45.500 2H58a4 4 0 0 1 4 4V21.500A14 14 0 0 1 45.500 2Z", RED)
        + stroke("M32 76L30 96M41 76L43 96", INK, line=2.8)
        + shape("M24 61C12 57 4 66 3 83C9 77 13 78 15 84C18 79 22 80 25 86C30 80 33 74 32 67Z", INK)
        + stroke("M9 74L20 67M18 78L26 70", PAPER, line=1.3)
        + shape("M12 66C18 54 30 47 42 49C53 51 58 60 54 68C48 79 30 81 20 72Z", PAPER)
        + stroke("M18 67C26 73 38 74 48 69M23 61C31 66 41 66 50 61", INK, line=1.4)
        + cord("M47 57C58 48 48 43 40 39C33 35 32 29 37 26", PAPER, 9.5)
        + stroke("M53 51C53 46 45 43 39 39.500", INK, line=3.6)
        + shape("M40 25L60 31L39 32Z", GOLD, line=1.5)
        + disc(37, 27.500, 6, PAPER)
        + shape("M31 25C29 18 40 14 44 24C40 22 35 22 31 25Z", RED, line=1.6)
        + dots([(39, 28)], 1.2)
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
    """March: the maku under the blossoms, from edge to edge, with swags and a cord."""
    folds = "".join(f"M{left} 62H{left + 8.5:g}V102H{left}Z" for left in (10.5, 27.5, 45))
    return (
        shape("M2 60H62V98a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4Z", RED)
        + shape(folds, PAPER, line=1.6)
        + shape("M2 59C4 80 19 80 22 60C25 80 39 80 42 60C45 80 60 80 62 59Z", PURPLE)
        + stroke("M5 62C8 75 17 75 20 62M25 62C28 75 36 75 39 62M44 62C47 75 56 75 59 62", GOLD, line=1.6)
        + cord("M1 59Q12 63 22 60T42 60T63 59", GOLD, 6)
        + stroke("M22 58V78M42 58V78", INK, line=5)
        + stroke("M22 60V77M42 60V77", GOLD, line=2)
    )


def cuckoo() -> str:
    """April: the cuckoo slanting down, a crescent behind it."""
    return (
        shape("M52 8A17 17 0 1 1 31 30A17 17 0 0 0 52 8Z", RED)
        + shape("M46 56L62 45L58 53L63 55L57 59L60 63L46 65Z", INDIGO)
        + shape("M22 68C15 56 13 42 17 28C26 36 36 48 38 62Z", INDIGO)
        + stroke("M18 38C20 47 23 54 28 61M24 44C27 50 30 55 33 60", PAPER, line=1.4)
        + shape("M9 81C7 74 11 68 18 67C27 60 38 55 51 55C51 64 40 75 26 82C20 85 12 85 9 81Z", PAPER)
        + shape("M9 78C9 71 13 68 18 67C27 60 38 55 51 55C46 60 38 64 28 69C23 73 15 74 9 78Z", ASH, line=1.6)
        + stroke("M20 82L22 75M25 80L28 73M31 77L34 69M37 73L40 65", INK, line=1.5)
        + shape("M24 72C34 66 45 69 52 77C58 83 61 91 62 99C48 97 31 91 24 81Z", INDIGO)
        + stroke("M34 75C43 78 50 84 55 92M30 80C37 84 43 88 49 93", PAPER, line=1.4)
        + shape("M11 76L3 83L13 82.500Z", GOLD, line=1.5)
        + dots([(15, 73.500)], 2.4, PAPER)
        + dots([(15, 73.500)], 1.3)
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
    """September: the sake cup with its gold rim and the 寿 of long life."""
    return (
        shape("M23 81L20 93H44L41 81Z", RED)
        + shape("M3 49C4 68 15 85 32 85S60 68 61 49Z", RED)
        + shape("M3 49C3 43 16 40 32 40S61 43 61 49C61 55 48 58 32 58S3 55 3 49Z", GOLD)
        + shape("M9 49C9 46 19 44.500 32 44.500S55 46 55 49C55 52 45 53.500 32 53.500S9 52 9 49Z", PAPER, line=1.5)
        + stroke("M26 63.500H38M27 67H37M22.500 70.500H41.500M32.500 60C32 69 28 76 22 81", PAPER, line=1.8)
        + stroke("M29 75.500H41M37.500 72V82L34.500 80.500M31.500 77.500L33 80", PAPER, line=1.8)
    )


def deer() -> str:
    """October: the stag that turns its head away (shikato), antlers clear of the tab and the glyph."""
    return (
        stroke(
            "M48 41C52 35 51 28 56 19M51.500 31L60.500 29M53.500 25L47 18"
            "M43 41C39 35 40 28 34 19M40 32L31 32M37.500 26L42 19",
            INK,
            line=3,
        )
        + shape("M13 80L11 101H16L21 84ZM39 80L42 101H47L50 76Z", ASH, line=1.8)
        + shape("M20 82L20 101H25L28 85ZM32 82L34 101H39L40 80Z", ASH, line=1.8)
        + shape("M9 66L3 70L6 79L13 75Z", PAPER, line=1.5)
        + shape(
            "M8 71C9 62 18 60 28 61C36 62 41 59 42 50L54 48C57 56 55 67 51 76C47 84 38 86 29 85C17 87 7 82 8 71Z", ASH
        )
        + stroke("M45 57C48 60 52 60 54 57M46 63C49 65 51 65 53 63", INK, line=1.3)
        + shape("M50 43L61 37L56 49Z", ASH, line=1.6)
        + shape("M55 48C55 41 47 37 42 40C38 43 31 49 28 53C28 58 32 59 38 57C45 59 54 57 55 48Z", ASH)
        + shape("M28 53C28 58 32 59 36 57.500C36 54 32 51 29.500 51Z", PAPER, line=1.3)
        + dots([(43, 47)], 1.8)
        + dots([(29.500, 53)], 1.9)
        + dots([(30, 67), (22, 68), (38, 68), (16, 72), (26, 75), (34, 75), (42, 74), (46, 69)], 1.9, PAPER)
    )


def rain_man() -> str:
    """November: the poet under his umbrella, the stream, and the frog that leaps for the willow."""
    return (
        shape("M20 94Q36 84 46 89T62 87V98a4 4 0 0 1-4 4H16Z", INDIGO)
        + stroke("M34 96q4-3 8 0t8 0t8 0", PAPER, line=1.6)
        + shape("M31 84L30 93H38V86ZM43 86V93H51L50 84Z", INK, line=1.4)
        + shape("M32 57C37 53 46 53 50 57L61 84C52 88 34 89 26 86Z", GOLD)
        + shape("M33 58L42 71L50 58L56 72L49 87H34L31 72Z", INDIGO)
        + stroke("M37 56L42.500 64L47 56", PAPER, line=2.2)
        + disc(42, 47, 7.5, PAPER)
        + shape("M34.500 45C34 38 37 31 43 30C48 31 50 38 49.500 45C46 41 39 41 34.500 45Z", INK, line=1.4)
        + stroke("M37.500 45.500h3M43.500 45.500h3", INK, line=1)
        + dots([(39, 48), (45, 48)], 1)
        + stroke("M40.500 51.500h3", RED, line=1.5)
        + shape("M37 59C32 56 27 59 24 64L19 80L33 75L39 68Z", GOLD, line=1.8)
        + stroke("M41.500 8L26 76", INK, line=2.8)
        + shape(
            "M25 60.500C28 57.500 33 58.500 34 61.500C35 65 33 68.500 29.500 68.500C26 68.500 24 64 25 60.500Z",
            PAPER,
            line=1.6,
        )
        + stroke("M26 61.500L33 62M26 64L33 64.500M27.500 66.500L32 66.500", INK, line=1)
        + shape(
            "M15 37C16 20 27 8 42 8C54 9 61 19 62 34C58 31 54 32 50.500 36C46 32 42 32 38 36"
            "C34 32 30 32 26.500 36C22 33 18 33 15 37Z",
            RED,
        )
        + stroke("M20 24C28 16 52 14 60 23", PAPER, line=2.4)
        + stroke("M42 8C32 14 27 24 26.500 36M42 8C38 16 37 26 38 36M42 8C47 15 50 25 50.500 36M42 8V4", INK, line=1.4)
        + frog()
    )


def frog() -> str:
    """The frog on its bank at the foot of the Rain Man."""
    return (
        shape("M2 96C10 92 22 94 30 102H6a4 4 0 0 1-4-4Z", ASH)
        + cord("M21 90C27 87 28 94 23 97L27 98", GREEN, 4.6)
        + shape("M4 94C2 87 7 82 13 82C20 82 25 89 23 96C17 98 8 98 4 94Z", GREEN, line=1.7)
        + cord("M8 94L5 99M15 95L14 100", GREEN, 4.4)
        + disc(8, 82, 3, PAPER, line=1.5)
        + disc(15.5, 82, 3, PAPER, line=1.5)
        + dots([(8, 82), (15.5, 82)], 1.2)
        + stroke("M5.500 89.500C9 92 14 92 18 89", PAPER, line=1.3)
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
    """December: the phoenix with long neck, both wings spread, and three tails that fill the card."""
    return (
        cord("M42 54C55 55 62 65 57 76C54 82 50 85 53 90", RED, 7.5)
        + cord("M37 56C45 66 44 75 37 82C32 87 30 90 33 95", PURPLE, 7.5)
        + cord("M32 55C31 66 24 69 15 71C6 73 4 80 9 86", GREEN, 7.5)
        + stroke("M44 55C53 57 58 66 55 75M39 60C42 68 41 74 36 80M31 60C29 66 23 69 15 71", GOLD, line=1.6)
        + disc(53, 92, 5.5, RED)
        + disc(32, 95, 5.5, PURPLE)
        + disc(11, 88, 5.5, GREEN)
        + dots([(53, 92), (32, 95), (11, 88)], 2.3, GOLD)
        + shape(
            "M43 46C46 36 52 27 62 21C62 25 60 28 61 32C58 34 60 38 59 42C56 43 57 47 55 50C51 53 46 55 41 54Z",
            RED,
        )
        + stroke("M46 48C49 40 54 33 59 28M48 50C51 44 54 40 57 37M49 52C52 49 53 47 55 45", GOLD, line=1.8)
        + shape(
            "M37 42C30 33 17 31 9 37C5 40 3 44 2.500 50C7 47 9 49 9 54C13 51 15 53 16 58C20 54 23 56 24 60"
            "C28 56 33 57 37 53Z",
            RED,
        )
        + stroke("M33 43C25 37 14 37 7 44M33 46C26 43 18 45 13 51M33 50C29 48 24 51 21 56", GOLD, line=1.8)
        + shape("M31 42C34 38 41 39 44 45C46 52 42 58 36 59C31 57 29 48 31 42Z", GOLD)
        + cord("M42 19C49 23 40 29 38 36C37 40 38 43 38 47", GOLD, 7.5)
        + stroke("M33.500 48l4 2l4-2M34 52l3.500 2l3.500-2M35 56l2.500 1.500l2.500-1.500", INK, line=1.3)
        + shape("M44 15C46 8 53 4 61 6C56 8 53 12 46 18ZM42 13C43 8 47 4 53 2C51 6 49 9 45 14Z", PURPLE, line=1.5)
        + shape("M39.500 14L33.500 19L40 20Z", RED, line=1.4)
        + disc(42.5, 17, 4.5, GOLD)
        + stroke("M40 22q-2 2-1 4", RED, line=2.4)
        + dots([(41.5, 16.5)], 1.2)
    )
