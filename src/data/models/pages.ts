import { uncapitalize } from '../../domain/text.ts';
import { type Condition, isAnyOf, isNoneOf } from '../conditions.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { type AnyNoun, orderedBy, type Positioned } from '../noun.ts';
import type { Owners } from '../queries/owners.ts';
import type { PageRequest } from '../queries/page-statements.ts';
import type { Page } from '../queries/pages.ts';
import { relationBy } from './relations.ts';

/** What a query of Prisma's brings along of the rows: what they link to. */
export type Including = object;

/** A list: the rows of a noun that fulfil conditions. */
export interface List {
  readonly noun: AnyNoun;
  readonly conditions: readonly Condition[];
}

/** Reads the rows of a noun that have one of these keys in a field, by their keys. */
export async function readModelRows(
  models: PrismaClient,
  noun: AnyNoun,
  { field, keys }: Owners,
  including: Including,
): Promise<ReadonlyMap<string, Row>> {
  const values = field === 'createdPosition' ? keys.map(BigInt) : keys;
  const rows = await modelOf(models, noun).findMany({ ...including, where: { [field]: { in: values } } });
  return new Map(rows.map((row) => [String(row[field]), row]));
}

/** Reads a page of a list. */
export async function readModelPage(
  models: PrismaClient,
  { noun, conditions }: List,
  request: PageRequest,
  including: Including,
): Promise<Page<Row>> {
  const model = modelOf(models, noun);
  const walk = walkOf(noun, request);
  const [found, behind] = await Promise.all([
    model.findMany({
      ...including,
      where: whereOf(conditions, walk.beyond),
      orderBy: walk.order,
      take: request.limit + 1,
    }),
    walk.behind &&
      model.findFirst({ select: { createdPosition: true }, where: whereOf(conditions, walk.behind) }),
  ]);
  return toPage(found, behind !== null, request);
}

/** Reads a page of the list of each of several objects, in one query. What the rows link to is not brought along. */
export async function readModelPages(
  models: PrismaClient,
  list: List,
  owners: Owners,
  request: PageRequest,
): Promise<ReadonlyMap<string, Page<Row>>> {
  const { noun, conditions } = list;
  // No relation of the models is of several fields.
  if (isOfSeveral(list, owners))
    return ofEach(list, owners, (one) => readModelPage(models, one, request, {}));
  const relation = relationBy(noun.model, owners.field);
  const walk = walkOf(noun, request);
  const [found, behind] = await Promise.all([
    modelOf(models, relation).findMany({
      relationLoadStrategy: 'join',
      where: { id: { in: owners.keys } },
      select: {
        id: true,
        [relation.name]: {
          where: whereOf(conditions, walk.beyond),
          orderBy: walk.order,
          take: request.limit + 1,
        },
      },
    }),
    walk.behind && countRowsOf(modelOf(models, noun), conditions, owners, walk.behind),
  ]);
  const rowsOf = new Map(found.map((row) => [row['id'], row[relation.name] as readonly Row[]]));
  return new Map(
    owners.keys.map((key) => [key, toPage(rowsOf.get(key) ?? [], behind?.has(key) ?? false, request)]),
  );
}

/** Counts the rows of a list. How many a noun has in all at present, the writer keeps. */
export async function countModel(
  models: PrismaClient,
  { noun, conditions }: List,
  isPast: boolean,
): Promise<number> {
  if (conditions.length > 0 || isPast) return modelOf(models, noun).count({ where: whereOf(conditions) });
  const kept = await models.rowCount.findFirst({ where: { noun: noun.name, key: '' } });
  return Number(kept?.rows ?? 0n);
}

/** Counts the rows of the list of each of several objects. */
export async function countModelByKey(
  models: PrismaClient,
  list: List,
  owners: Owners,
): Promise<ReadonlyMap<string, number>> {
  const { noun, conditions } = list;
  if (isOfSeveral(list, owners)) return ofEach(list, owners, (one) => countModel(models, one, true));
  const counts = await countRowsOf(modelOf(models, noun), conditions, owners);
  return new Map(owners.keys.map((key) => [key, counts.get(key) ?? 0]));
}

function isOfSeveral({ noun }: List, { field }: Owners): boolean {
  return noun.either[field] !== undefined;
}

/** Reads something of the list of each object, one after the other. */
async function ofEach<Value>(
  { noun, conditions }: List,
  { field, keys }: Owners,
  read: (list: List) => Promise<Value>,
): Promise<ReadonlyMap<string, Value>> {
  const found = new Map<string, Value>();
  for (const key of keys)
    found.set(
      key,
      await read({ noun, conditions: [{ ...noun.fieldOf(field), values: [key] }, ...conditions] }),
    );
  return found;
}

/** Those alone that have any. */
async function countRowsOf(
  model: Model,
  conditions: readonly Condition[],
  { field, keys }: Owners,
  within: object = {},
): Promise<ReadonlyMap<string, number>> {
  const where = whereOf(conditions, { [field]: { in: keys } }, within);
  const counts = await model.groupBy({ by: [field], where, _count: { _all: true } });
  return new Map(counts.map((one) => [String(one[field]), one._count._all]));
}

/** Where a page is walked from the cursor on, and what lies behind that. */
function walkOf(noun: AnyNoun, request: PageRequest) {
  const { backward, newestFirst, cursor } = request;
  const field = orderedBy(noun, request);
  const isFalling = newestFirst !== backward;
  const order = { [field]: isFalling ? 'desc' : 'asc' };
  if (cursor === null) return { order, beyond: {}, behind: null };
  const [lower, higher] = [{ [field]: { lt: cursor } }, { [field]: { gt: cursor } }];
  const at = { [field]: cursor };
  return isFalling
    ? { order, beyond: lower, behind: { OR: [at, higher] } }
    : { order, beyond: higher, behind: { OR: [at, lower] } };
}

/** The page in the rows that were walked, one more than it has where the list goes on. */
function toPage(walked: readonly Row[], isBehind: boolean, { limit, backward }: PageRequest): Page<Row> {
  const rows = walked.slice(0, limit);
  const goesOn = walked.length > limit;
  return backward
    ? { rows: rows.reverse(), hasNextPage: isBehind, hasPreviousPage: goesOn }
    : { rows, hasNextPage: goesOn, hasPreviousPage: isBehind };
}

/** What Prisma takes for conditions, and for what else is asked. */
function whereOf(conditions: readonly Condition[], ...others: readonly object[]): object {
  const asked = conditions.map((condition) => {
    const { field } = condition;
    if (isAnyOf(condition)) {
      const values = typed(condition, condition.values);
      return { OR: (condition.either ?? [field]).map((one) => ({ [one]: { in: values } })) };
    }
    if (isNoneOf(condition)) return { [field]: { notIn: typed(condition, condition.except) } };
    return { [field]: { gte: condition.least, lte: condition.most } };
  });
  return { AND: [...asked, ...others] };
}

function typed({ type }: { readonly type: string }, values: readonly string[]) {
  return type === 'text' ? values : values.map(Number);
}

type Row = Positioned & Readonly<Record<string, unknown>>;

/** A model whatever its fields are: Prisma's types have one of its own for each. */
interface Model {
  findMany(query: object): Promise<readonly Row[]>;
  findFirst(query: object): Promise<Row | null>;
  count(query: object): Promise<number>;
  groupBy(
    query: object,
  ): Promise<readonly (Readonly<Record<string, unknown>> & { readonly _count: { readonly _all: number } })[]>;
}

function modelOf(models: PrismaClient, { model }: { readonly model: string }): Model {
  return models[uncapitalize(model) as 'party'] as unknown as Model;
}
