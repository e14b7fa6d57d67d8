import type { Costs } from './costs.ts';
import type { Case } from './limits.ts';
import { type CellReport, type StationName, simulate } from './model/cell.ts';
import type { Times } from './model/times.ts';
import { cellOfFollowers, cellOfRequests } from './scenario-cells.ts';
import { MACHINES } from './scenarios.ts';
import { count, table, time } from './write-numbers.ts';

const BUSY_PERMILLE = [300, 500, 600, 700, 800, 900, 950] as const;

/** What waits when processes are more and more busy: why they may be as busy as is assumed, and no more. */
export function describeBusy(costs: Costs): string {
  const rows = BUSY_PERMILLE.map((busy) => {
    const cell = cellOfRequests(busy, costs);
    const report = simulate(cell);
    const all = cell.asked.reduce((sum, { perSecond }) => sum + perSecond, 0);
    const isAssumed = BigInt(busy) === MACHINES.busyPercent * 10n;
    return [
      `${percent(busy)}${isAssumed ? ', as assumed' : ''}`,
      count(Math.floor(all / cell.processes)),
      ...['kept', 'a row', 'a page'].map((name) => both(report.answered.get(name) as Times)),
      percent(report.busyPermille.database),
      count(report.mostWaiting.processes),
    ];
  });
  const head = [
    'Processes busy',
    'Requests a second of each',
    'Kept: p50, p99',
    'A row',
    'A page of 20',
    'Database busy',
    'Waiting at one process, at most',
  ];
  return table(head, rows);
}

const STATIONS: Readonly<Record<StationName, string>> = {
  processes: 'gateways',
  database: 'database',
  writer: 'writer',
  log: 'relay and log',
};

/** How long a block is on its way to followers. */
export function describeWay(cases: readonly Case[], costs: Costs): string {
  const rows = cases.map(({ scale, volume, need }) => {
    const cell = cellOfFollowers(scale, volume, costs, need);
    const report = simulate(cell);
    return [
      `${scale.name}${volume === 1n ? '' : `, ${volume} x the blocks`}`,
      count(cell.blocks.messagesPerProcess),
      both(report.followed),
      both(report.followedFromCommit),
      ...(['log', 'writer', 'database', 'processes'] as const).map((name) =>
        percent(report.busyPermille[name]),
      ),
      busiest(report),
    ];
  });
  const head = [
    'Followers',
    'Messages of a block at each process',
    'From the core: p50, p99',
    'From the commit: p50, p99',
  ];
  return table(
    [
      ...head,
      ...['Log', 'Writer', 'Database', 'Gateways'].map((name) => `${name} busy`),
      'The queue grows at the',
    ],
    rows,
  );
}

function busiest({ busyPermille }: CellReport): string {
  const [name] = Object.entries(busyPermille).reduce((most, one) => (one[1] > most[1] ? one : most));
  return STATIONS[name as StationName];
}

function both(times: Times): string {
  return `${time(times.permille(500) ?? 0)}, ${time(times.permille(990) ?? 0)}`;
}

function percent(permille: number): string {
  return `${Math.floor(permille / 10)}${permille % 10 === 0 ? '' : `.${permille % 10}`} %`;
}
