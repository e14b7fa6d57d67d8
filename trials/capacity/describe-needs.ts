import type { Case } from './limits.ts';
import type { Prices } from './prices.ts';
import type { Need } from './size.ts';
import { about, table } from './write-numbers.ts';

const ROWS: readonly (readonly [name: string, (need: Need) => bigint])[] = [
  ['processes that serve', ({ processes }) => processes],
  ['cores of gateways', ({ gatewayCores }) => gatewayCores],
  ['database servers', ({ databaseServers }) => databaseServers],
  ['cores that they use', ({ databaseCores }) => databaseCores],
  ['cores of writers, relay and log', ({ ingestCores }) => ingestCores],
  ['memory, GB', ({ memoryGb }) => memoryGb],
  ["clients' connections", ({ clientConnections }) => clientConnections],
  ['connections to one database server', ({ databaseConnections }) => databaseConnections],
  ['disk after a year, GB', ({ diskGb }) => diskGb],
  ['to clients, Mbit/s', ({ megabits }) => megabits],
];

/** One column for each case. */
export function describeNeeds(cases: readonly Case[], { currency }: Prices): string {
  const head = cases.map(
    ({ scale, volume }) => `${scale.name}${volume === 1n ? '' : `, ${volume} x the blocks`}`,
  );
  const rows = ROWS.map(([name, pick]) => [name, ...cases.map(({ need }) => about(pick(need)))]);
  const money = [`a month, ${currency}`, ...cases.map(({ need }) => about(need.money))];
  const out = ['of it, what leaves for clients', ...cases.map(({ need }) => about(need.moneyOut))];
  const regions = ['regions', ...cases.map(({ scale }) => `${scale.regions}`)];
  return table(['', ...head], [regions, ...rows, money, out]);
}
