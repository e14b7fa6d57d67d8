import { describeHindrance } from '../data/writing/hold-ups.ts';
import type { WholeStatus } from './whole-status.ts';

const GREEN = 32;
const RED = 31;
const YELLOW = 33;
const MANY_TABLES = 6;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
const STEPS = [
  ['days', 172_800_000],
  ['h', 7_200_000],
  ['min', 120_000],
  ['s', 1_000],
] as const;
const UNIT_MS = { days: 86_400_000, h: 3_600_000, min: 60_000, s: 1_000 } as const;

/** Writes a status as a person reads it in a terminal. */
export function describeStatus(status: WholeStatus, hasColours: boolean): string {
  const paint = (text: string, colour: number) => (hasColours ? `\u001b[${colour}m${text}\u001b[39m` : text);
  const { versions, gateways, network, block, disk } = status;
  const lines: readonly (readonly [string, string | null])[] = [
    ...describeHeldUp(status, paint),
    ['gateway', describeGateway(status, paint)],
    ...(status.gateway.servers ?? []).map((server) => ['reads', describeServer(server, paint)] as const),
    ['gateways', gateways === null ? null : `${gateways} follow${gateways === 1 ? 's' : ''} the database`],
    ['ingest', describeIngest(status, paint)],
    ['skipped', describeSkipped(status, paint)],
    ['database', describeDatabase(status, paint)],
    ['network', network],
    [
      'block',
      block && `${block.height}, ${describeAge(block.ageMilliseconds)} old (${timeOf(block.timestamp)})`,
    ],
    ['digest', block?.digest ?? null],
    ['history', describeHistory(status)],
    ['kept', describeKept(status)],
    ['base', describeBase(status, paint)],
    ...status.unknownNumbers.map((one) => ['unknown', describeUnknown(one, paint)] as const),
    ['size', describeSizes(status)],
    ['spool', disk.spoolBytes === null ? null : describeBytes(disk.spoolBytes)],
    [
      'versions',
      `Periscope ${versions.periscope} for releases up to ${versions.newestKnownRelease}, Node.js ${versions.node}${describeTables(versions)}`,
    ],
  ];
  return lines.flatMap(([name, text]) => (text ? [`${name.padEnd(9)} ${text}`] : [])).join('\n');
}

type Paint = (text: string, colour: number) => string;

/** Before all else: what is served does not change any more. */
function describeHeldUp({ heldUp }: WholeStatus, paint: Paint): readonly (readonly [string, string])[] {
  if (heldUp === null) return [];
  const { height, reason, place, since, version, remedies } = heldUp;
  const said = describeHindrance({ height: height === null ? null : BigInt(height), reason });
  const where = place === '' ? '' : `in ${place}, `;
  return [
    ['INGEST', paint(said, RED)],
    ['', `${where}since ${timeOf(since)}, by Periscope ${version}`],
    ['', remedies],
  ];
}

function describeIngest({ ingesting, heldUp }: WholeStatus, paint: Paint): string | null {
  if (ingesting === null) return null;
  if (heldUp !== null) return paint(ingesting ? 'running, and held up' : 'not running, and held up', RED);
  return ingesting ? paint('running', GREEN) : 'not running';
}

function describeSkipped({ skippedEvents }: WholeStatus, paint: Paint): string | null {
  const [last] = skippedEvents?.newest ?? [];
  if (!skippedEvents || skippedEvents.count === '0') return null;
  const which = last === undefined ? '' : `; the last in block ${last.height}: ${last.kind}: ${last.reason}`;
  return `${paint(`${skippedEvents.count} damaged events`, YELLOW)}${which}`;
}

function describeGateway({ gateway }: WholeStatus, paint: Paint): string {
  const { url, state, reason, height, lagBlocks, workers } = gateway;
  const colour = { ready: GREEN, 'not ready': RED, 'not running': YELLOW, unknown: YELLOW }[state];
  const at = height === null ? '' : `, at block ${height}${lagBlocks ? ` (${lagBlocks} behind)` : ''}`;
  const by = workers === null ? '' : `, ${workers.running} of ${workers.wanted} workers`;
  return `${paint(state, colour)}${url === null ? '' : ` at ${url}`}${at}${by}${reason === null ? '' : `: ${reason}`}`;
}

function describeServer(
  { name, state, role, height, lagBlocks }: NonNullable<WholeStatus['gateway']['servers']>[number],
  paint: Paint,
): string {
  const colour = { used: GREEN, fit: GREEN, spare: GREEN, lagging: RED, behind: RED, away: RED }[state];
  const at =
    height === null ? '' : `, at block ${height}${lagBlocks === '0' ? '' : ` (${lagBlocks} behind)`}`;
  return `${name} ${paint(state, colour)}${role === null ? '' : `: ${role}`}${at}`;
}

function describeDatabase({ database, versions }: WholeStatus, paint: Paint): string {
  const { place, state, reason, pid } = database;
  const colour = { running: GREEN, stopped: YELLOW, absent: YELLOW, unreachable: RED }[state];
  const server = versions.postgresql === null ? '' : `, PostgreSQL ${versions.postgresql}`;
  const process = pid === null ? '' : `, process ${pid}`;
  return `${paint(state, colour)}: ${place}${server}${process}${reason === null ? '' : `: ${reason}`}`;
}

function describeUnknown(
  { field, servedAs, sinceHeight }: WholeStatus['unknownNumbers'][number],
  paint: Paint,
): string {
  return `${paint(servedAs, YELLOW)} in ${field} since block ${sinceHeight}: a newer Periscope may name it`;
}

function describeHistory({ historyFrom, pastFrom, pastFromOf }: WholeStatus): string | null {
  if (historyFrom === null) return null;
  const longer = Object.entries(pastFromOf).map(([noun, height]) => `, of ${noun} from block ${height} on`);
  const past = pastFrom === null ? '' : `; the past is known from block ${pastFrom} on${longer.join('')}`;
  return `streams resume from block ${historyFrom.height} on (${timeOf(historyFrom.timestamp)})${past}`;
}

function describeKept({ keptFromOf }: WholeStatus): string | null {
  const kept = Object.entries(keptFromOf).map(([table, height]) => `${table} from block ${height} on`);
  return kept.length === 0 ? null : `${kept.join(', ')}; all of all others`;
}

function describeBase({ base }: WholeStatus, paint: Paint): string | null {
  if (base === null) return null;
  const missing = {
    present: 'nothing of it is served',
    added: 'rewards, trades and the past are to come',
    past: 'the past is to come',
  }[base];
  return `${paint('being taken in', YELLOW)}: ${missing}`;
}

function describeSizes({ database, disk }: WholeStatus): string | null {
  const { bytes, tables } = database;
  const free = disk.freeBytes === null ? '' : `, ${describeBytes(disk.freeBytes)} free on its disk`;
  const folder = disk.folderBytes === null ? '' : `folder ${describeBytes(disk.folderBytes)}${free}`;
  if (bytes === null) return folder || null;
  const largest = tables.slice(0, MANY_TABLES).map((table) => `${table.name} ${describeBytes(table.bytes)}`);
  const whole = [`database ${describeBytes(bytes)}`, ...(folder ? [folder] : [])].join(', ');
  return largest.length === 0 ? whole : `${whole}; ${largest.join(', ')}`;
}

function describeTables({ migration, pendingMigrations }: WholeStatus['versions']): string {
  if (pendingMigrations === null) return '';
  if (pendingMigrations === 0) return `, tables ${migration}`;
  return `, tables ${migration ?? 'none'} (${pendingMigrations} migrations to come: periscope migrate)`;
}

function describeAge(milliseconds: number): string {
  const [unit] = STEPS.find(([, from]) => milliseconds >= from) ?? [null];
  return unit === null ? `${milliseconds} ms` : `${Math.round(milliseconds / UNIT_MS[unit])} ${unit}`;
}

function describeBytes(text: string): string {
  let size = Number(text);
  let unit = 0;
  for (; size >= 1000 && unit < UNITS.length - 1; unit += 1) size /= 1000;
  return `${unit === 0 ? size : size.toPrecision(3)} ${UNITS[unit]}`;
}

function timeOf(timestamp: string): string {
  return new Date(Number(BigInt(timestamp) / 1_000_000n)).toISOString();
}
