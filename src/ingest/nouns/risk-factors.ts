import { numberAs, object, required } from '../json-objects.ts';
import { ids } from '../json-values.ts';
import { riskFactor as factor, id } from '../values.ts';
import type { IngestNoun } from './noun.ts';

export const riskFactor: IngestNoun<'riskFactor', 'riskFactor'> = {
  events: { riskFactor: 23 },
  fromMessage: ({ market, short, long }) => ({
    marketId: id('market', market),
    short: factor('short', short),
    long: factor('long', long),
  }),
  fromJson: object({
    marketId: required(ids),
    short: required(numberAs(factor)),
    long: required(numberAs(factor)),
  }),
};
