/** How much is measured, and for how long. */
export interface Size {
  readonly name: 'full' | 'quick';
  readonly rows: TableSizes;
  /** The accounts whose past is asked about, and how often they changed. */
  readonly pastAccounts: number;
  readonly past: PastSizes;
  /** The rewards of the list whose far end is walked to. */
  readonly deepRewards: number;
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmUpMs: number;
  readonly connections: number;
  /** How many blocks a stream case sends, and to how many subscribers. */
  readonly streamBlocks: number;
  readonly oneParty: number;
  readonly manyParties: number;
  readonly idleStreams: number;
  /** How many frames each subscriber gets where their throughput is measured: fewer than may wait for a slow reader. */
  readonly frames: number;
  /** How often a start is timed. */
  readonly starts: number;
  /** How often a simulated network is ingested. */
  readonly ingests: number;
  /** The blocks and parties of the simulated network that is ingested. */
  readonly ingestBlocks: number;
  readonly ingestParties: number;
}

export interface TableSizes {
  readonly blocks: number;
  readonly parties: number;
  readonly accounts: number;
  readonly deposits: number;
  readonly rewards: number;
  readonly markets: number;
  readonly assets: number;
}

export interface PastSizes {
  readonly blocks: number;
  readonly changes: number;
}

export const FULL: Size = {
  name: 'full',
  rows: {
    blocks: 10_000,
    parties: 40_000,
    accounts: 100_000,
    deposits: 1_000_000,
    rewards: 1_000_000,
    markets: 20,
    assets: 10,
  },
  pastAccounts: 1_000_000,
  past: { blocks: 10_000, changes: 20_000_000 },
  deepRewards: 10_000_000,
  rounds: 5,
  roundMs: 3_000,
  warmUpMs: 3_000,
  connections: 16,
  streamBlocks: 100,
  oneParty: 1_000,
  manyParties: 10_000,
  idleStreams: 10_000,
  frames: 200,
  starts: 5,
  ingests: 5,
  ingestBlocks: 600,
  ingestParties: 800,
};

export const QUICK: Size = {
  name: 'quick',
  rows: {
    blocks: 1_000,
    parties: 4_000,
    accounts: 20_000,
    deposits: 100_000,
    rewards: 100_000,
    markets: 20,
    assets: 10,
  },
  pastAccounts: 20_000,
  past: { blocks: 1_000, changes: 400_000 },
  deepRewards: 100_000,
  rounds: 3,
  roundMs: 1_000,
  warmUpMs: 1_500,
  connections: 16,
  streamBlocks: 20,
  oneParty: 1_000,
  manyParties: 1_000,
  idleStreams: 10_000,
  frames: 50,
  starts: 1,
  ingests: 1,
  ingestBlocks: 100,
  ingestParties: 300,
};
