import type { FieldMap } from '@pothos/core';
import type { AnyNoun } from '../data/noun.ts';
import { assets } from '../data/nouns/assets.ts';
import { markets } from '../data/nouns/markets.ts';
import { parties } from '../data/nouns/parties.ts';
import { type EpochsOver, readEpochsOver } from '../data/queries/epochs.ts';
import type { SumGroup, SumsRequest } from '../data/queries/sums.ts';
import { nameListAt, readSumCursor, writeSumCursor } from '../domain/cursors.ts';
import { heightOf } from '../domain/positions.ts';
import { invalidArgument, quoted } from '../errors.ts';
import { builder } from './builder.ts';
import type { Listed } from './connections.ts';
import type { GatewayContext } from './context.ts';
import { type Argument, COST_OF, costs } from './costs.ts';
import { checkCursorBlock, isOfOne } from './list-args.ts';
import { inProse } from './prose.ts';
import { selectsAny } from './selected.ts';

/** How many groups are given where nothing is said, and at most. */
const GROUPS = { default: 100, most: 1000 } as const;

const SumOrder = builder.enumType('SumOrder', {
  description:
    'The order of groups. It is total: groups with the same amount stand in the order of their keys.',
  values: {
    AMOUNT_DESC: { description: 'The largest amount first.' },
    AMOUNT_ASC: { description: 'The smallest amount first.' },
    KEY: {
      description:
        'By their keys, the parts of these in the order of `by`: texts by their bytes, all else by number.',
    },
    KEY_DESC: { description: 'The same from the end.' },
  } as const,
});

/** The parts of keys that name an object: what holds its identifier, and the object itself. */
const LINKS: Readonly<Record<string, { readonly noun: AnyNoun; readonly is: string }>> = {
  ASSET: { noun: assets as AnyNoun, is: 'the asset' },
  MARKET: { noun: markets as AnyNoun, is: 'the market' },
  PARTY: { noun: parties as AnyNoun, is: 'the party' },
};

/** A group, and how the walk stands at it. */
export interface Group {
  readonly key: ReadonlyMap<string, string>;
  readonly amount: string;
  readonly count: number;
  readonly cursor: string;
  readonly hasNextPage: boolean;
  readonly countedFrom: bigint | null;
}

export interface SumsArgs {
  readonly by: readonly string[];
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly orderBy?: SumsRequest['order'] | null | undefined;
}

/** What stands for the sums of a noun wherever they are given. */
export type SumParts = ReturnType<typeof defineSums>;

/** Gives the connections of a noun their field `sums`. */
export function defineSums(
  { name, sums, enumerations, history }: AnyNoun,
  connection: { readonly name: string },
  model: string,
) {
  const parts = Object.entries(sums?.by ?? {});
  const rows = inProse({ name });
  const Part = builder.enumType(`${model}SumPart`, {
    description: `What ${rows} are put into groups by.`,
    values: Object.fromEntries(
      parts.map(([part]) => [part, { description: `Their ${part.toLowerCase()}.` }]),
    ),
  });
  const Key = defineKey(model, rows, parts, enumerations);
  const Sum = builder.objectRef<Group>(`${model}Sum`).implement({
    description: `The ${rows} that have the same key, and what they come to.`,
    fields: (t) => ({
      key: t.field({ type: Key, description: 'What they have in common.', resolve: ({ key }) => key }),
      amount: t.field({
        type: 'Integer',
        description: "What they come to, in the asset's smallest unit. Exact.",
        resolve: ({ amount }) => amount,
      }),
      count: t.exposeInt('count', { description: `The number of ${rows}.` }),
      cursor: t.exposeString('cursor', { description: 'The cursor of the group, for `after`.' }),
      hasNextPage: t.exposeBoolean('hasNextPage', {
        description:
          'Whether groups follow this one: of the last in a page, whether there is a next page. This is exact.',
      }),
      ...(sums?.by['EPOCH'] !== undefined && { isComplete: isCompleteOf(t) }),
      ...(history === 'added' && {
        countedFromHeight: t.field({
          type: 'Uint64',
          nullable: true,
          description: `The height of the first block whose ${rows} count; null where all do that there ever were. What the writer adds up stays when old ${rows} are dropped, and what is made of the ${rows} themselves counts from where on they are kept.`,
          resolve: ({ countedFrom }) => countedFrom,
        }),
      }),
    }),
  });
  const args = builder.args((t) => ({
    by: t.field({ type: [Part], required: true, description: 'The parts of the keys, each once.' }),
    orderBy: t.field({
      type: SumOrder,
      defaultValue: 'AMOUNT_DESC',
      description: 'The order of the groups.',
    }),
  }));
  builder.objectField(connection as never, 'sums', (t) =>
    t.field({
      type: [Sum],
      description: `The sums of the ${rows} that pass the filter, in groups. ${NEVER_ACROSS_ASSETS} What would read too many rows is refused.`,
      args: {
        ...args,
        first: t.arg.int({
          description: `The largest number of groups to return: 1 to ${GROUPS.most}. The default is ${GROUPS.default}.`,
        }),
        after: t.arg.string({ description: 'The cursor of the group that the page starts after.' }),
      },
      ...costs({ each: COST_OF.row, values: groupsOf, counts: 1 }),
      async resolve({ listed }, given, context, info) {
        const args = given as SumsArgs;
        if (args.by.includes('EPOCH') && selectsAny(info, ['isComplete'])) await loadEpochsOver(context);
        return readGroups(listed as Listed, args, context);
      },
    }),
  );
  return { Sum, Key, Part, args };
}

/** Defines what a group's rows have in common: the parts by which rows are put into groups, with the fields they are of. */
function defineKey(
  model: string,
  rows: string,
  parts: readonly (readonly [part: string, field: string])[],
  enumerations: AnyNoun['enumerations'],
) {
  return builder.objectRef<Group['key']>(`${model}SumKey`).implement({
    description: `What the ${rows} of a group have in common. What was not asked for in \`by\` is null.`,
    fields: (t) =>
      Object.assign(
        {},
        ...parts.map(([part, field]) =>
          partOf(t as never, part, enumerations[field]?.name ?? (part === 'EPOCH' ? 'Uint64' : 'String')),
        ),
      ),
  });
}

/** What `by` must have. */
export const NEVER_ACROSS_ASSETS =
  'Different assets are never summed: `by` has ASSET, unless the list is of one asset.';

/** Whether more may come to what belongs to an epoch. */
function isCompleteOf(t: PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, Group>) {
  return t.boolean({
    nullable: true,
    description:
      'Whether the epoch of the key is over, as of the block of the answer: until then more may come to the sum. Null where the key has no epoch, and where the network has told of none yet.',
    async resolve({ key }, _, context) {
      const epoch = key.get('EPOCH');
      const over = epoch === undefined ? undefined : await loadEpochsOver(context);
      return epoch === undefined || over === undefined ? null : BigInt(epoch) <= over.lastOver;
    },
  });
}

/**
 * Which epochs are over; once read it is the same for all of an operation. To be read before their sums: what is older can only
 * leave out that one is over, where a newer one would say so of sums that lack rewards.
 */
export function loadEpochsOver({ load }: GatewayContext): Promise<EpochsOver | undefined> {
  return load(readEpochsOver, '');
}

/** The fields of a key that have one part of it. */
function partOf(t: PothosSchemaTypes.ObjectFieldBuilder<never, never>, part: string, type: string): FieldMap {
  const of = (key: Group['key']) => key.get(part) ?? null;
  const link = LINKS[part];
  const name = part.toLowerCase();
  const field = t as unknown as {
    field(options: object): FieldMap[string];
    prismaField(options: object): FieldMap[string];
  };
  if (link === undefined) {
    const read = (text: string) => (type === 'Uint64' || type === 'String' ? text : Number(text));
    const resolve = (key: Group['key']) => {
      const text = of(key);
      return text === null ? null : read(text);
    };
    return { [name]: field.field({ type, nullable: true, description: `The ${name}.`, resolve }) };
  }
  const { noun, is } = link;
  return {
    [`${name}Id`]: field.field({
      type: 'ID',
      nullable: true,
      description: `The identifier of ${is}; empty where they are of none.`,
      resolve: of,
    }),
    [name]: field.prismaField({
      type: noun.model,
      nullable: true,
      description: `${is.replace('t', 'T')}; null where there is none with the identifier.`,
      resolve: (including: object, key: Group['key'], _: object, { models }: GatewayContext) => {
        const id = of(key);
        return id === null ? null : models().row(noun, id, including);
      },
    }),
  };
}

/** Throws INVALID_ARGUMENT, naming it, for an argument that cannot be taken; of a cursor that is found out when it is read. */
export function readSumsArgs(
  { noun, of, filter }: Listed,
  { by, orderBy, first }: SumsArgs,
): Omit<SumsRequest, 'after'> {
  const twice = by.find((part, index) => by.indexOf(part) !== index);
  if (twice !== undefined) throw invalidArgument('by', `by has ${twice} more than once.`);
  const assetField = noun.sums?.by['ASSET'] ?? '';
  const isOfOneAsset = of?.field === assetField || isOfOne(noun.conditions(filter), assetField);
  if (!by.includes('ASSET') && !isOfOneAsset)
    throw invalidArgument(
      'by',
      `by is [${by.join(', ')}]: amounts of different assets are never summed. Add ASSET, or choose one asset by the filter.`,
    );
  const fields = by.map((part) => noun.sums?.by[part] ?? '');
  return { fields, order: orderBy ?? 'AMOUNT_DESC', limit: readFirst(first) };
}

/** Reads the groups that are asked for, as of the block of a context. Throws FAILED_PRECONDITION where too many rows would be read. */
export async function readGroups(
  listed: Listed,
  args: SumsArgs,
  context: GatewayContext,
  asked: Omit<SumsRequest, 'after'> = readSumsArgs(listed, args),
): Promise<readonly Group[]> {
  const { noun, of, filter } = listed;
  const { by } = args;
  const list = `${noun.name}.sums`;
  const request = { ...asked, after: readAfter(list, args, noun, context) };
  const { groups, hasNextPage, from } = await context.pages.sums(noun, of as never, filter, request);
  const named = nameListAt(list, context.past?.height ?? null);
  return groups.map((group: SumGroup, index) => ({
    ...group,
    key: new Map(by.map((part, place) => [part, group.key[place] ?? ''])),
    cursor: writeSumCursor({ list: named, by, amount: group.amount, key: group.key }),
    hasNextPage: hasNextPage || index < groups.length - 1,
    countedFrom: from === null ? null : heightOf(from),
  }));
}

function readFirst(first: number | null | undefined): number {
  const size = first ?? GROUPS.default;
  if (size >= 1 && size <= GROUPS.most) return size;
  throw invalidArgument('first', `first takes a number from 1 to ${GROUPS.most}, not ${size}.`);
}

/** The group that a page starts after. Throws INVALID_ARGUMENT for a cursor of other groups, or of another block. */
function readAfter(
  list: string,
  { by, after }: SumsArgs,
  { fieldOf, sums }: AnyNoun,
  context: GatewayContext,
): SumsRequest['after'] {
  if (after === null || after === undefined) return null;
  const cursor = readSumCursor(list, after);
  const fits = (value: string, part: string) => {
    const limit = LIMITS[fieldOf(sums?.by[part] ?? '').type];
    // What PostgreSQL holds of texts: no other is in a key that was given.
    if (limit === undefined) return !value.includes('\0') && value.isWellFormed();
    return /^-?\d{1,19}$/.test(value) && BigInt.asIntN(limit, BigInt(value)) === BigInt(value);
  };
  const isOfThese =
    cursor?.by.join() === by.join() && cursor.key.every((value, index) => fits(value, by[index] ?? ''));
  if (cursor === null || !isOfThese)
    throw invalidArgument(
      'after',
      `after takes a cursor that ${list} by [${by.join(', ')}] gave, not ${quoted(after)}.`,
    );
  checkCursorBlock({ cursor: 0n, asOf: cursor.asOf, backward: false }, context);
  return cursor;
}

/** How many bits the numbers of these types of columns have. */
const LIMITS: Readonly<Record<string, number>> = { integer: 32, bigint: 64 };

/** A number that is refused counts as one. */
function groupsOf(argument: Argument): number {
  const first = Number(argument('first') ?? GROUPS.default);
  return first >= 1 && first <= GROUPS.most ? first : 1;
}
