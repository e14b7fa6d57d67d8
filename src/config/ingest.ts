import { type Accepted, FOLDER, ON_OFF, option, whole } from './option.ts';

const BLOCKS = whole(100, 1e12);

/** The nouns whose past can be forgotten by themselves; that of rows which are only ever added cannot. */
export const PASTS = [
  ...['accounts', 'assets', 'deposits', 'epochs', 'marginLevels', 'marketData', 'markets', 'partyProfiles'],
  ...['proposals', 'riskFactors', 'votes'],
] as const;

/** How many blocks back the past of each noun is known, and that of all others. */
const PAST: Accepted<Readonly<Record<string, number | null>>> = {
  takes: `${BLOCKS.takes} or all, and after commas how many it is for a noun, as in 250000,accounts=all,marketData=50000; nouns are ${PASTS.join(', ')}`,
  read(text) {
    const [others = '', ...named] = text.split(',');
    const pairs = [['others', others], ...named.map((one) => one.split('='))];
    const read = pairs.flatMap(([name = '', given = '', ...rest]): [string, number | null][] => {
      const blocks = given === 'all' ? null : BLOCKS.read(given);
      const isTaken = rest.length === 0 && (name === 'others' || PASTS.some((one) => one === name));
      return isTaken && blocks !== undefined ? [[name, blocks]] : [];
    });
    const isWhole = read.length === pairs.length && new Set(read.map(([name]) => name)).size === pairs.length;
    return isWhole ? Object.fromEntries(read) : undefined;
  },
};

/** How far back rows are kept. */
type RowReach = { readonly unit: 'blocks' | 'days'; readonly count: number };

const MOST_DAYS = 36_500;

const ROWS: Accepted<RowReach> = {
  takes: `a number of days from 1 to ${MOST_DAYS}, as in 90d, or a number of blocks from 100 to 1000000000000, as in 1000000 blocks`,
  read(text) {
    const [, digits = '', unit] = /^(\d{1,15})(d| blocks)$/.exec(text) ?? [];
    const count = unit === 'd' ? whole(1, MOST_DAYS).read(digits) : BLOCKS.read(digits);
    return count === undefined ? undefined : { unit: unit === 'd' ? 'days' : 'blocks', count };
  },
};

export const ingest = {
  historyBlocks: option(
    'HISTORY_BLOCKS',
    'how many blocks a stream can resume from, counted back from the newest; what is older is packed for questions about the past',
    '250000',
    BLOCKS,
  ),
  pastBlocks: option(
    'PAST_BLOCKS',
    'how many blocks questions about the past reach back, counted from the newest, or all; for each kind of things, and for single ones; not set: all',
    null,
    PAST,
  ),
  retainRewards: option(
    'RETAIN_REWARDS',
    'how far back rewards are kept, in days by the time of blocks or in blocks, counted from the newest; older ones are dropped by whole partitions, and are gone; sums stay. Not set: all',
    null,
    ROWS,
  ),
  retainTrades: option('RETAIN_TRADES', 'the same of trades. Not set: all', null, ROWS),
  spoolDir: option(
    'SPOOL_DIR',
    "the folder where a core node's events wait for the database; not set: beside DATA_DIR, named like it with -spool",
    null,
    FOLDER,
  ),
  spoolLimit: option(
    'SPOOL_LIMIT',
    'how many bytes may wait there; beyond it the core node has to wait',
    '17179869184',
    whole(64 * 2 ** 20, 2 ** 49),
  ),
  natsCredentials: option(
    'NATS_CREDENTIALS',
    'the file of credentials by which the servers of a log (NATS) know relay and ingest; not set: the user in their address, or none',
    null,
    { takes: 'the path of a file', read: (text) => text },
  ),
  skipDamaged: option(
    'SKIP_DAMAGED',
    'how an event is met that cannot be taken: ingest is held up at it, or (on) passes over it, as with --skip-damaged',
    'off',
    ON_OFF,
  ),
  readyWhileHeldUp: option(
    'READY_WHILE_HELD_UP',
    'how a gateway stands while ingest is held up at what it cannot take: not ready (503 at /health/ready), or (on) ready to be read; its answer says so either way',
    'off',
    ON_OFF,
  ),
} as const;
