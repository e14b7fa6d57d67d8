import type { DependsOn } from '../../cache/cache-tags.ts';
import type { AnyNoun } from '../noun.ts';
import { DEPENDS_ON_BLOCKS, dependsOnNoun } from '../noun-tags.ts';
import { nouns } from '../nouns/index.ts';

const BY_MODEL: ReadonlyMap<string, DependsOn> = new Map([
  ...Object.values<AnyNoun>(nouns).map((noun) => [noun.model, dependsOnNoun(noun)] as const),
  ['Block', DEPENDS_ON_BLOCKS],
]);

/**
 * What a query of Prisma's client depends on: all rows of its model, whichever it asks for. Blocks have no tags for the
 * rows of other models, so an answer that was made of these is not kept.
 */
export function dependsOnModel(model: string | null): DependsOn {
  return BY_MODEL.get(model ?? '') ?? 'not kept';
}
