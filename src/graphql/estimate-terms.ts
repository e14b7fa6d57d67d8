import DataLoader from 'dataloader';
import { type EstimateTerms, noteEstimateTerms, readEstimateTerms } from '../data/queries/estimate-terms.ts';
import type { Statements } from '../data/servers/statements.ts';
import type { Touch } from '../data/touches.ts';
import type { KeptValues, Waiting } from '../feed/kept-values.ts';
import { LightSignal } from '../signal.ts';
import { Reads } from './reads.ts';

/** What was read for estimates in a market, whose terms are null where there is none; and what a block touches to change it. */
export interface ReadTerms {
  readonly terms: EstimateTerms | null;
  readonly touches: readonly Touch[] | null;
}

/** Reads the terms of a market by its id. */
export type LoadTerms = (marketId: string) => Promise<ReadTerms>;

/** Of many markets that are asked for at the same moment the terms are read in one statement. */
export function createTermsLoader(statements: Statements): LoadTerms {
  const loader = new DataLoader<string, ReadTerms>(
    async (marketIds) => {
      const found = await readEstimateTerms(statements, marketIds);
      return marketIds.map((id) => {
        const terms = found.get(id) ?? null;
        const reads = new Reads();
        noteEstimateTerms(reads.add.bind(reads), id, terms);
        return { terms, touches: reads.touches() };
      });
    },
    { cache: false },
  );
  return (marketId) => loader.load(marketId);
}

/** Keeps the terms of markets: what is asked of them is seldom asked twice, and is answered from the same few rows. */
export function createKeptTermsLoader(statements: Statements, kept: KeptValues<ReadTerms>): LoadTerms {
  const load = createTermsLoader(statements);
  const make = (marketId: string) => async () => {
    const value = await load(marketId);
    // Of markets that are not there is no end.
    return { value, touches: value.terms && value.touches };
  };
  return (marketId) => kept.ask(marketId, make(marketId), ALL);
}

/** What is read for all is small, and is read to its end. */
const ALL: Waiting = { signal: new LightSignal(), join() {} };

/** The network's markets many times over. */
const MOST_MARKETS = 10_000;

/** How terms are kept. */
export const KEEPING_TERMS = {
  maxSize: MOST_MARKETS,
  maxValueSize: 1,
  sizeOf: () => 1,
  keptFrom: 'first ask',
} as const;
