import DataLoader from 'dataloader';
import { SharedValue } from '../cache/cache-tags.ts';
import type { KeptValues, Waiting } from '../cache/kept-values.ts';
import { dependsOnTerms, type EstimateTerms, readEstimateTerms } from '../data/queries/estimate-terms.ts';
import type { Statements } from '../data/servers/statements.ts';
import { LightSignal } from '../signal.ts';

/** What was read for estimates in a market; the terms are null of a market that is not there. */
export type SharedTerms = SharedValue<EstimateTerms | null>;

/** Reads the terms of a market by its id. */
export type LoadTerms = (marketId: string) => Promise<SharedTerms>;

/** Of many markets that are asked for at the same moment the terms are read in one statement. */
export function createTermsLoader(statements: Statements): LoadTerms {
  const load = batchTerms(statements);
  return async (marketId) => new SharedValue(await load(marketId), dependsOnTerms([marketId]));
}

/** Keeps the terms of markets: what is asked of them is seldom asked twice, and is answered from the same few rows. */
export function createKeptTermsLoader(statements: Statements, kept: KeptValues<SharedTerms>): LoadTerms {
  const load = batchTerms(statements);
  const make = (marketId: string) => async () => {
    const terms = await load(marketId);
    const cacheTags = dependsOnTerms([marketId]);
    // Of markets that are not there is no end.
    return { value: new SharedValue(terms, cacheTags), cacheTags: terms && cacheTags };
  };
  return (marketId) => kept.ask(marketId, make(marketId), ALL);
}

function batchTerms(statements: Statements): (marketId: string) => Promise<EstimateTerms | null> {
  const loader = new DataLoader<string, EstimateTerms | null>(
    async (marketIds) => {
      const found = await readEstimateTerms(statements, marketIds);
      return marketIds.map((id) => found.get(id) ?? null);
    },
    { cache: false },
  );
  return (marketId) => loader.load(marketId);
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
