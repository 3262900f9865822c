import json
import pytest
from tests.site.leagues import own_paths, public_paths
from tests.site.test_catalogue import english


@pytest.mark.parametrize("language", ["ja"])
def test_walk(client, league, language):
    client.force_login(league.organiser, backend="django.contrib.auth.backends.ModelBackend")
    left = {}
    for path in dict.fromkeys([*public_paths(league), *own_paths(league)]):
        answer = client.get(path, headers={"Accept-Language": language})
        if "html" not in answer.headers.get("Content-Type", ""):
            continue
        page = answer.content.decode().replace(league.draft.name, "")
        found = english(page)
        left[path] = (answer.status_code, found)
    json.dump(left, open("/tmp/ja/walk.json", "w"), ensure_ascii=False, indent=1)
