import { readFileSync } from 'node:fs';

const PRICES = 'trials/capacity/prices.json';

/** What a unit is assumed to cost, in whole cents. Nobody offered it: put in those that you pay. */
export interface Prices {
  readonly date: string;
  readonly currency: string;
  readonly cents: {
    readonly coreMonth: number;
    readonly memoryGbMonth: number;
    readonly diskGbMonth: number;
    /** A terabyte that leaves for clients: 1,000 GB. */
    readonly terabyteOut: number;
  };
}

/** Throws where a price is not a whole number of cents. */
export function readPrices(): Prices {
  const prices = JSON.parse(readFileSync(PRICES, 'utf8')) as Prices;
  for (const [name, cents] of Object.entries(prices.cents)) {
    if (!Number.isSafeInteger(cents) || cents < 0)
      throw new Error(`${PRICES}: cents.${name} is ${cents}; it takes a whole number of cents.`);
  }
  return prices;
}
