"""Asks a gateway for its deposits by the client that was generated: python ask.py [address]"""

import sys

from generated import Client
from generated.api.queries import list_deposits
from generated.api.streams import observe_accounts
from generated.models import Snapshot, Updates

assert all((observe_accounts, Snapshot, Updates))
if len(sys.argv) > 1:
    with Client(base_url=sys.argv[1]) as client:
        answer = list_deposits.sync(client=client, pagination_first=1)
        print(f"Python: {len(answer.deposits.edges)} deposit")
