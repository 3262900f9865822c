"""Looks at sources and medals: published, compared, forked, long and not text; a month of a ladder that has ended."""

from __future__ import annotations

from django.utils import timezone

from accounts.models import User
from bots.models import BotVersion
from bots.services import fork_version, house_account, publish_source, upload_version
from tests.browser.guarded import zipped
from tests.builders import events as a
from tests.services.forging import forge
from tournaments.models import LadderMedal, LadderSeason
from tournaments.ratings.ladders import house

ROUTES = frozenset(
    {
        "b/<slug:slug>/v/<int:n>/source/",
        "b/<slug:slug>/v/<int:n>/changes/",
        "b/<slug:slug>/v/<int:n>/publish/",
        "b/<slug:slug>/v/<int:n>/fork/",
        "ladder/<slug:preset>/seasons/",
    }
)


def sources() -> tuple[User, list[str]]:
    """Make a bot with two published versions and a fork of it. Returns its owner and the pages."""
    owner = a.a_user("author-" + "w" * 40)
    long = "".join(f"value_{n} = {{'{'w' * 80}': {n}}}  # {'w' * 100}\n" for n in range(400))
    files = {"bot.py": a.FIRST.decode(), "lib/table.py": long, "weights.bin": "\x00\x01"}
    versions = [_version(owner, files), _version(owner, {**files, "bot.py": long, "new.txt": "w" * 300})]
    for version in versions:
        publish_source(version=version, by=owner, licence="GPL-3.0-or-later")
    fork_version(version=versions[0], by=a.a_user("forker-" + "w" * 40), name="Fork " + "w" * 50)
    fork = a.a_bot(owner, name="Own fork")
    here = f"/b/{versions[0].bot.slug}/v/"
    pages = ["source/", "source/?file=lib/table.py&part=2", "source/?file=weights.bin", "publish/", "fork/", ""]
    paths = [f"{here}1/{page}" for page in pages] + [f"{here}2/changes/", f"/b/{fork.slug}/v/1/changes/"]
    return owner, [*paths, f"/b/{versions[0].bot.slug}/versions/", "/b/?source=public"]


def months() -> list[str]:
    """Make an ended month of a ladder with medals, and one that runs. Returns the pages."""
    stage = house.open_ladder(house_account(), preset="hawaii", seats=2)
    bots = [a.a_bot(name=f"Medal {number} " + "w" * 40) for number in range(3)]
    house.enter_ready()
    season = LadderSeason.objects.get(stage=stage)
    for place, bot in enumerate(bots, 1):
        entry = stage.tournament.entries.get(player__bot=bot)
        LadderMedal.objects.create(
            season=season, entry=entry, bot=bot, n=1, place=place, value=20 - place, deal_sets=48
        )
    values = {"outcome": LadderSeason.Outcome.MEDALS, "ended_at": timezone.now(), "contenders": 4}
    LadderSeason.objects.filter(pk=season.pk).update(**values)
    running = house.open_ladder(house_account(), preset="hawaii", seats=2)
    slugs = [each.tournament.slug for each in (stage, running)]
    paths = ["/ladder/hawaii/seasons/", "/ladder/french/seasons/", *(f"/t/{slug}/standings/" for slug in slugs)]
    return [*paths, f"/b/{bots[0].slug}/", f"/u/{bots[0].owner.username}/"]


def _version(owner: User, files: dict[str, str]) -> BotVersion:
    version = upload_version(owner=owner, filename="bot.zip", data=zipped(files), name="Public " + "w" * 50)
    forge(BotVersion.objects.filter(pk=version.pk), state="ready")
    return BotVersion.objects.select_related("bot").get(pk=version.pk)
