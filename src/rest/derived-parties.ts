import { optional } from './params.ts';
import { onlyFalse } from './value-types.ts';

/** A parameter of the network's release 0.77, of all paths that have it. */
export const includeDerivedParties = optional(
  onlyFalse('the parties that automated market makers trade as are not linked to their owners'),
  'Whether parties are included that automated market makers of the given ones trade as.',
);
