import type { DependsOn } from '../../cache/cache-tags.ts';
import { getDatamodel } from '../generated/pothos-types.ts';
import type { AnyNoun } from '../noun.ts';
import { DEPENDS_ON_BLOCKS, dependsOnNoun } from '../noun-tags.ts';
import { nouns } from '../nouns/index.ts';

/** What a query selects, as far as it leads to other models. */
export interface Selection {
  readonly select?: Selected | null;
  readonly include?: Selected | null;
}

type Selected = Readonly<Record<string, Selection | boolean | null | undefined>>;

/** The model of a query and those that it leads to; null for what is none that is known. */
export function* modelsIn(model: string, { select, include }: Selection): Generator<string | null> {
  yield model;
  for (const [name, selected] of Object.entries({ ...select, ...include })) {
    if (!selected) continue;
    const field = fieldsOf(model).find((one) => one.name === name);
    if (field === undefined) yield null;
    else if (field.kind === 'object') yield* modelsIn(field.type, selected === true ? {} : selected);
  }
}

/**
 * What a query of Prisma's client depends on: all rows of its model, whichever it asks for. Blocks have no tags for the
 * rows of other models, so an answer that was made of these is not kept.
 */
export function dependsOnModel(model: string | null): DependsOn {
  return BY_MODEL.get(model ?? '') ?? 'not kept';
}

/** The model whose rows a field of another's rows names, and the relation that leads from there to all that name one. */
export function relationBy(model: string, field: string): { readonly model: string; readonly name: string } {
  const link = fieldsOf(model).find(({ relationFromFields }) => relationFromFields?.[0] === field);
  const back = fieldsOf(link?.type ?? '').find(
    ({ isList, relationName }) => isList && relationName === link?.relationName,
  );
  if (link === undefined || back === undefined) throw new TypeError(`${model}.${field} names no rows`);
  return { model: link.type, name: back.name };
}

const { models } = getDatamodel().datamodel;

function fieldsOf(model: string) {
  return models[model]?.fields ?? [];
}

const BY_MODEL: ReadonlyMap<string, DependsOn> = new Map([
  ...Object.values<AnyNoun>(nouns).map((noun) => [noun.model, dependsOnNoun(noun)] as const),
  ['Block', DEPENDS_ON_BLOCKS],
]);
