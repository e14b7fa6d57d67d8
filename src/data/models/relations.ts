import type { DependsOn } from '../../cache/cache-tags.ts';
import { getDatamodel } from '../generated/pothos-types.ts';
import type { AnyNoun } from '../noun.ts';
import { DEPENDS_ON_BLOCKS, dependsOnNoun } from '../noun-tags.ts';
import { nouns } from '../nouns/index.ts';

/** What a query selects, as far as it leads to other models. */
export interface Selection {
  readonly select?: Selected | null;
  readonly include?: Selected | null;
  readonly where?: Readonly<Record<string, unknown>> | null;
}

type Selected = Readonly<Record<string, Selection | boolean | null | undefined>>;

/**
 * What a query of Prisma's client depends on: all rows of each model that it leads to, whichever it asks for. Blocks have
 * no tags for the rows of models that are no nouns, so an answer that was made of these is not kept; but for the counts
 * that the writer keeps of a noun.
 */
export function* dependenciesOf(model: string, query: Selection): Generator<DependsOn> {
  const counted = model === 'RowCount' ? BY_NAME.get(query.where?.['noun']) : undefined;
  if (counted !== undefined) yield counted;
  else for (const read of modelsIn(model, query)) yield BY_MODEL.get(read ?? '') ?? 'not kept';
}

/** The model of a query and those that it leads to; null for what is none that is known. */
function* modelsIn(model: string, { select, include }: Selection): Generator<string | null> {
  yield model;
  for (const [name, selected] of Object.entries({ ...select, ...include })) {
    if (!selected) continue;
    const field = fieldsOf(model).find((one) => one.name === name);
    if (field === undefined) yield null;
    else if (field.kind === 'object') yield* modelsIn(field.type, selected === true ? {} : selected);
  }
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

const all = Object.values<AnyNoun>(nouns);
const BY_MODEL: ReadonlyMap<string, DependsOn> = new Map([
  ...all.map((noun) => [noun.model, dependsOnNoun(noun)] as const),
  ['Block', DEPENDS_ON_BLOCKS],
]);
const BY_NAME: ReadonlyMap<unknown, DependsOn> = new Map(
  all.map((noun) => [noun.name, dependsOnNoun(noun)] as const),
);
