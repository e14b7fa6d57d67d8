"""Walks all rewards, page by page, oldest first, and sums them by asset. Needs nothing but Python 3.

    python3 test/clients/walk_rewards.py http://127.0.0.1:3008
"""

import json
import sys
import urllib.parse
import urllib.request
from collections import Counter


def pages(gateway, path, noun, **parameters):
    """Each page of a list. A cursor names a place that never moves, so no row is missed or comes twice."""
    after = {}
    while True:
        query = urllib.parse.urlencode({**parameters, **after})
        with urllib.request.urlopen(f"{gateway}{path}?{query}", timeout=60) as answer:
            page = json.load(answer)[noun]
        yield [edge["node"] for edge in page["edges"]]
        if not page["pageInfo"]["hasNextPage"]:
            return
        after = {"pagination.after": page["pageInfo"]["endCursor"]}


def main(gateway="http://127.0.0.1:3008", size="1000"):
    count, sums = 0, Counter()
    rewards = pages(
        gateway, "/api/v2/rewards", "rewards", **{"pagination.first": size, "pagination.newestFirst": "false"}
    )
    for page in rewards:
        count += len(page)
        for reward in page:
            # Quantities are decimal text, at any size; an int in Python is exact, a float would not be.
            sums[reward["assetId"]] += int(reward["amount"])
    print(f"{count} rewards")
    for asset, amount in sorted(sums.items()):
        print(f"{asset} {amount}")


main(*sys.argv[1:])
