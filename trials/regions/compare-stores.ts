import type { StreamRow } from '../../test/live/live-transports.ts';
import { keyOf, type OracleFilter, passes } from '../../test/live/oracle.ts';

/** What a client holds, and of what. */
interface Store {
  readonly live: { values(): Iterable<StreamRow> };
  readonly filter: OracleFilter;
}

/** What clients hold that a table of accounts has not, or otherwise, and what they lack: a sentence for each client. */
export function compareStores(clients: readonly Store[], table: readonly StreamRow[]): readonly string[] {
  return clients.flatMap(({ live, filter }) => {
    const wanted = table.filter((row) => passes(row, filter));
    const held = new Map([...live.values()].map((row) => [keyOf(row), row.balance]));
    const wrong = wanted.find((row) => held.get(keyOf(row)) !== row.balance);
    if (wrong === undefined && held.size === wanted.length) return [];
    const said =
      wrong === undefined ? '' : `; ${keyOf(wrong)} is ${wrong.balance}, held as ${held.get(keyOf(wrong))}`;
    return [`${JSON.stringify(filter)}: ${held.size} rows for ${wanted.length}${said}`];
  });
}
