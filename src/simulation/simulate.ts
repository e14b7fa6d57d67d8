import { setImmediate } from 'node:timers/promises';
import type { EventSource, SourceEvent } from '../ingest/events.ts';
import { admitParties } from './admission.ts';
import { announceAssets } from './assets.ts';
import { advanceDeposits } from './deposits.ts';
import { advanceMarkets } from './markets.ts';
import { createNames } from './names.ts';
import { advanceProposals } from './proposals.ts';
import { createRandom } from './random.ts';
import { advanceRewards } from './rewards.ts';
import { BLOCK_INTERVAL, type Network, type Release, type SimulatedBlock } from './state/network.ts';

/** Which network to simulate, and how much of it. */
export interface SimulationOptions {
  /** A whole number. The same seed, parties, markets and start time are the same network, event for event. */
  readonly seed: number;
  /** How many blocks to produce; `Infinity` goes on for ever. A longer run begins with the shorter one. */
  readonly blocks: number;
  /** From 1 to 50000. */
  readonly parties: number;
  /** From 0 to 1000. */
  readonly markets: number;
  /** The time of block 1 in nanoseconds since the epoch; 2026-01-01T00:00:00Z when not given. */
  readonly startTime?: bigint;
  /** The release of the network that it behaves as, which is another network; 0.71 when not given. */
  readonly release?: Release;
}

const START_TIME = 1_767_225_600_000_000_000n;

/**
 * Opens a made-up network. Its parties deposit, trade, are rewarded and vote as in a real one, and the seed alone
 * decides how. Amounts are conserved: in every asset and at the end of every block, the balances of all accounts add up
 * to the deposits finalized so far (what was withdrawn is in ACCOUNT_TYPE_EXTERNAL). Blocks are a second apart.
 *
 * The number of rows grows with blocks times parties; more than half are rewards, most others balance changes:
 *
 *     blocks  parties  markets        rows
 *         10        3        1         200
 *        140       80        3      10,000
 *      2,000      800        5   1,000,000
 *     20,000      800        5  10,000,000
 *
 * What it remembers is bounded by parties and markets. Throws a RangeError naming an option out of its range.
 */
export function openSimulation(options: SimulationOptions): EventSource {
  checkOptions(options);
  const chainId = nameNetwork(options);
  let done = 0;
  return {
    chainId,
    name: 'simulated network',
    async *events(signal: AbortSignal): AsyncGenerator<SourceEvent> {
      done = 0;
      for (const block of produceBlocks(options, chainId)) {
        // Gives way to the event loop at each block, so that a reader that never waits does not block the process.
        await setImmediate();
        signal.throwIfAborted();
        const at = `block ${block.height}`;
        for (const event of block.events) yield { event, at };
        done = block.height;
      }
    },
    progress: () => ({
      done,
      total: Number.isFinite(options.blocks) ? options.blocks : null,
      unit: 'blocks',
    }),
  };
}

/** The blocks in their order, each with all its events. */
function* produceBlocks(options: SimulationOptions, chainId: string): Generator<SimulatedBlock> {
  const random = createRandom(chainId);
  const network: Network = {
    random,
    names: createNames(chainId),
    release: options.release ?? '0.71',
    expectedParties: options.parties,
    assets: [],
    parties: [],
    markets: new Array(options.markets).fill(null),
    deposits: [],
    proposals: [],
    rewards: [],
  };
  for (let height = 1; height <= options.blocks; height++) {
    const block = beginBlock(network, height, options.startTime ?? START_TIME);
    if (height === 1) network.assets = announceAssets(block, chainId);
    admitParties(network, block);
    advanceDeposits(network, block);
    advanceProposals(network, block);
    advanceMarkets(network, block);
    advanceRewards(network, block);
    block.events.push({ type: 'endBlock', height });
    yield block;
  }
}

/** Blocks begin within the first tenth of their second; the first begins on time. */
function beginBlock({ random, release }: Network, height: number, startTime: bigint): SimulatedBlock {
  const late = height === 1 ? 0 : random.below(100_000) * 1000 + random.below(1000);
  const timestamp = startTime + BigInt(height - 1) * BLOCK_INTERVAL + BigInt(late);
  const hash = random.id().toUpperCase();
  return { release, height, timestamp, events: [{ type: 'beginBlock', height, timestamp, hash }] };
}

/** Settings that make another network are in its name, so that one database never holds parts of two. */
function nameNetwork({ seed, parties, markets, startTime, release = '0.71' }: SimulationOptions): string {
  const kind = release === '0.71' ? 'simulated' : `simulated-${release}`;
  const name = `${kind}-${seed}-${parties}p-${markets}m`;
  return startTime === undefined || startTime === START_TIME ? name : `${name}-${startTime}`;
}

function checkOptions({ seed, blocks, parties, markets, startTime }: SimulationOptions): void {
  checkWhole('seed', seed, 0, Number.MAX_SAFE_INTEGER);
  if (blocks !== Infinity) checkWhole('blocks', blocks, 0, 2 ** 33 - 1);
  checkWhole('parties', parties, 1, 50_000);
  checkWhole('markets', markets, 0, 1000);
  if (startTime !== undefined && startTime < 0n)
    throw new RangeError(`startTime ${startTime} is before 1970`);
}

function checkWhole(option: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new RangeError(`${option} ${value} is not a whole number from ${least} to ${most}`);
}
