"""Pages of a source: read, compared, downloaded and forked by everybody once it is published, by nobody else before."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from bots.models import Bot, BotVersion, Fork
from bots.selectors.changes import MAX_HTML, OF_ROW, changes_between, patch_of
from bots.selectors.source_files import PART_HTML, SHOWN_BYTES, part_of
from bots.services import fork_version, hide, publish_source, upload_version, withdraw_source
from tests.browser.guarded import zipped
from tests.builders import events as a
from tests.services.forging import forge

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
FILES = {
    "bot.py": "import hanami\n\n\ndef choose(obs):\n    '''Take\n    the first.'''\n    return 0\n",
    "data/book.json": '{"plum": [1, 2]}\n',
    "hanami.toml": 'plays = ["hawaii"]\n',
}


def a_version(owner: User, files: dict[str, str], name: str = "Plum") -> BotVersion:
    version = upload_version(owner=owner, filename="plum.zip", data=zipped(files), name=name)
    forge(BotVersion.objects.filter(pk=version.pk), state="ready")
    return BotVersion.objects.select_related("bot__owner").get(pk=version.pk)


@pytest.fixture
def ann(db: None) -> User:
    return a.a_user("ann")


@pytest.fixture
def public(ann: User) -> BotVersion:
    """A version whose source is public."""
    version = a_version(ann, FILES)
    publish_source(version=version, by=ann, licence="MIT")
    return version


PAGES = ("bot-source", "bot-source-zip", "bot-source-file", "bot-changes", "bot-patch", "bot-fork")


def paths_of(version: BotVersion) -> dict[str, str]:
    paths = {name: reverse(name, args=[version.bot.slug, version.n]) for name in PAGES}
    paths["bot-source-file"] += "?file=bot.py"
    return paths


def read(client: Client, path: str) -> str:
    """The page, asked for with few queries."""
    with CaptureQueriesContext(connection) as seen:
        answer = client.get(path)
    assert answer.status_code == 200, path
    assert len(seen) <= 10, [each["sql"][:200] for each in seen.captured_queries]
    assert len(answer.content) < 60_000
    return str(answer.content.decode())


@pytest.mark.thorough
@pytest.mark.parametrize("state", ["never published", "taken back", "hidden"])
def test_what_is_not_public_is_not_there_for_others(state: str, ann: User, as_user: Become) -> None:
    version = a_version(ann, FILES)
    later = a_version(ann, {**FILES, "bot.py": "def choose(obs):\n    return 1\n"})
    publish_source(version=later, by=ann, licence="MIT")
    if state != "never published":
        publish_source(version=version, by=ann, licence="MIT")
    if state == "taken back":
        withdraw_source(version=version, by=ann)
    if state == "hidden":
        hide(version=version, by=ann)
    for reader in (a.a_user("rival"), a.a_user("operator", is_staff=True)):
        for name, path in paths_of(version).items():
            assert as_user(reader).get(path).status_code == 404, name
        # Nor beside another version that is public.
        since = f"?since={version.bot.slug}/{version.n}"
        assert as_user(reader).get(paths_of(later)["bot-changes"] + since).status_code == 404
        assert as_user(reader).get(paths_of(later)["bot-patch"] + since).status_code == 404
    for path in paths_of(version).values():
        assert as_user(None).get(path).status_code == 302
    page = as_user(None).get(f"/b/{version.bot.slug}/versions/").content.decode()
    assert paths_of(version)["bot-source"] not in page
    assert paths_of(later)["bot-source"] in page


def test_everybody_reads_a_public_source_in_numbered_lines(public: BotVersion, as_user: Become) -> None:
    page = read(as_user(None), paths_of(public)["bot-source"])
    assert 'id="L7"' in page
    assert 'href="#L7"' in page
    assert '<span class="hk">def</span>' in page
    # A text over two lines has its colour in both.
    assert re.search(r'<span class="hs">\s*the first\.\'{3}</span>', page)
    assert "MIT License" in page
    assert "data/book.json" in page
    other = read(as_user(None), paths_of(public)["bot-source"] + "?file=data/book.json")
    assert "plum" in other
    assert as_user(None).get(paths_of(public)["bot-source"] + "?file=nosuch.py").status_code == 404


def test_a_stranger_downloads_it_with_the_licence_and_the_owner_byte_for_byte(
    public: BotVersion, ann: User, as_user: Become
) -> None:
    def names(client: Client) -> set[str]:
        answer = client.get(paths_of(public)["bot-source-zip"])
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            return set(archive.namelist())

    assert names(as_user(ann)) == set(FILES)
    assert names(as_user(None)) == {*FILES, "LICENSE.txt"}
    one = as_user(None).get(paths_of(public)["bot-source-file"])
    assert one.content.decode() == FILES["bot.py"]
    assert one.headers["X-Content-Type-Options"] == "nosniff"
    assert "attachment" in one.headers["Content-Disposition"]


def test_what_is_no_text_or_too_long_is_told_by_size_and_hash(ann: User, as_user: Become) -> None:
    long = "x = 1\n" * 2_000
    files = {**FILES, "weights.bin": "\x00\x01", "table.csv": "1,2\n" * (SHOWN_BYTES // 4 + 1), "long.py": long}
    version = a_version(ann, files)
    publish_source(version=version, by=ann, licence="CC0-1.0")
    client, path = as_user(None), paths_of(version)["bot-source"]
    for name in ("weights.bin", "table.csv"):
        page = read(client, f"{path}?file={name}")
        assert "sha256:" in page
        assert f"source/file/?file={name}" in page
        assert 'class="listing"' not in page
    first = read(client, f"{path}?file=long.py")
    assert "part=2" in first
    second = read(client, f"{path}?file=long.py&part=2")
    assert 'id="L1"' not in second
    assert re.search(r'id="L\d{3,}"', second)


def test_signs_that_turn_the_direction_of_writing_are_made_visible() -> None:
    part = part_of("bot.py", "a = 1\n# \u202e)\x1b[2J\nb = 2\n".encode(), 1)
    assert [line.n for line in part.lines] == [1, 2, 3]
    assert "\u202e" not in part.lines[1].html
    assert "\x1b" not in part.lines[1].html
    assert part.lines[1].html.count("\N{REPLACEMENT CHARACTER}") == 2


def test_a_long_file_is_cut_into_parts_that_fit_a_page() -> None:
    text = "".join(f"value_{n} = '{'<&>' * 20}'\n" for n in range(3_000))
    part = part_of("bot.py", text.encode(), 1)
    assert part.parts[0][0] == 1
    assert part.parts[-1][1] == 3_000
    assert all(last + 1 == first for (_, last), (first, _) in zip(part.parts, part.parts[1:], strict=False))
    assert sum(len(line.html) for line in part.lines) <= PART_HTML
    assert part_of("bot.py", text.encode(), 99).number == 1
    one = part_of("book.json", b"x" * 5_000, 1).lines[0]
    assert (len(one.html), one.more) == (600, 4_400)


def test_two_versions_are_compared(public: BotVersion, ann: User, as_user: Become) -> None:
    changed = {"bot.py": FILES["bot.py"].replace("return 0", "return 1"), "hanami.toml": FILES["hanami.toml"]}
    later = a_version(ann, {**changed, "new.txt": "plum\n"})
    publish_source(version=later, by=ann, licence="MIT")
    page = read(as_user(None), paths_of(later)["bot-changes"])
    assert "return 0" in page
    assert "return 1" in page
    assert "new file" in page
    assert "removed file" in page
    assert "1 is the same." in page
    patch = as_user(None).get(paths_of(later)["bot-patch"]).content.decode()
    assert "-    return 0\n+    return 1\n" in patch
    assert "There is no other version" in read(as_user(None), paths_of(public)["bot-changes"]) or "since" in page


def test_changes_are_what_a_patch_says_and_bounded() -> None:
    old = (("bot.py", "\n".join(str(n) for n in range(1_000)).encode()), ("w.bin", b"1"), ("x.txt", b"y\n" * 3_000))
    new = (("bot.py", "\n".join(f"{n}." for n in range(1_000)).encode()), ("w.bin", b"2"), ("x.txt", b"z\n" * 3_000))
    found = changes_between(old, new)
    kinds = {each.path: each.rows is None for each in found.files}
    assert kinds == {"bot.py": False, "w.bin": True, "x.txt": True}
    shown = sum(len(each.rows or ()) for each in found.files)
    assert MAX_HTML // (OF_ROW + 5) <= shown <= MAX_HTML // OF_ROW
    assert found.left_out == 2_000 - shown
    wide = changes_between((("a.py", b"x"),), (("a.py", b"<" * 500 + b"\n"), ("b.py", b"<&>" * 190 + b"\n" * 9)))
    assert [len(each.rows or ()) for each in wide.files] == [2, 9]
    patch = patch_of(old, new, ("a", "b"))
    assert patch.count("\n-") >= 1_000
    assert "Files a/w.bin and b/w.bin differ" in patch
    same = changes_between(old, old)
    assert (same.files, same.same) == ([], 3)


@pytest.mark.thorough
def test_an_owner_publishes_and_takes_it_back(ann: User, as_user: Become) -> None:
    version, client = a_version(ann, FILES), as_user(ann)
    path = reverse("bot-publish", args=[version.bot.slug, 1])
    page = read(client, path)
    for words in ("copies and forks that were made until then stay", "MIT License", "Apache License 2.0"):
        assert words in page
    assert " checked" not in page.split("</header>")[-1]
    assert client.post(path, {}).status_code == 422
    assert client.post(path, {"licence": "WTFPL"}).status_code == 422
    assert client.post(path, {"licence": "MIT"}).status_code == 302
    assert as_user(None).get(paths_of(version)["bot-source"]).status_code == 200
    assert "Make the source private again" in read(as_user(ann), path)
    assert as_user(ann).post(reverse("bot-withdraw", args=[version.bot.slug, 1])).status_code == 302
    assert as_user(None).get(paths_of(version)["bot-source"]).status_code == 302
    for rival in (a.a_user("rival"), a.a_user("operator", is_staff=True)):
        assert as_user(rival).get(path).status_code == 404
        assert as_user(rival).post(path, {"licence": "MIT"}).status_code == 404


@pytest.mark.thorough
def test_somebody_forks_it_and_both_pages_say_so(public: BotVersion, as_user: Become) -> None:
    kiri = a.a_user("kiri")
    path = paths_of(public)["bot-fork"]
    assert "MIT License" in read(as_user(kiri), path)
    assert as_user(kiri).post(path, {"name": "x"}).status_code == 422
    assert as_user(kiri).post(path, {"name": "Peony"}).status_code == 302
    fork = Fork.objects.get().bot
    assert (fork.owner, fork.name) == (kiri, "Peony")
    assert f"Forked from Plum v{public.n} by ann" in read(as_user(None), f"/b/{fork.slug}/")
    assert f"Forked from Plum v{public.n} by ann" in read(as_user(None), f"/b/{fork.slug}/v/1/")
    assert "Peony" in read(as_user(None), f"/b/{public.bot.slug}/v/{public.n}/")
    # What became of it stays theirs.
    assert as_user(None).get(f"/b/{fork.slug}/v/1/source/").status_code == 302
    changes = as_user(kiri).get(f"/b/{fork.slug}/v/1/changes/").content.decode()
    assert f"from Plum v{public.n} to Peony v1" in changes


def test_the_list_shows_those_with_a_public_source(public: BotVersion, as_user: Become) -> None:
    a.a_bot(name="Secretive")
    page = read(as_user(None), "/b/?source=public")
    assert "Plum" in page
    assert "Secretive" not in page
    withdraw_source(version=public, by=public.bot.owner)
    assert "No bot found" in read(as_user(None), "/b/?source=public")
    assert Bot.objects.count() == 2


@pytest.mark.thorough
def test_pages_of_a_bot_with_forks_ask_little(public: BotVersion, as_user: Become) -> None:
    for n in range(3):
        fork_version(version=public, by=a.a_user(f"kiri{n}"), name=f"Fork {n}")
    for path in (f"/b/{public.bot.slug}/", f"/b/{public.bot.slug}/v/1/", f"/b/{public.bot.slug}/versions/"):
        read(as_user(public.bot.owner), path)
