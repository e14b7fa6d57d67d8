import type { BenchCase } from '../bench.ts';
import { coldNewest } from './cold-newest.ts';
import { coldParty } from './cold-party.ts';
import { coldRow } from './cold-row.ts';
import { coldThousand } from './cold-thousand.ts';

/** Every case, in the order of the table. */
export const cases: readonly BenchCase[] = [coldRow, coldNewest, coldParty, coldThousand];
