import type { Block as BlockRow, Epoch as EpochRow } from '../data/generated/prisma/client.ts';
import { findEpochBySeq } from '../data/queries/epochs.ts';
import { SEARCHED, type SearchedKind, search } from '../data/queries/search.ts';
import { complaintAboutId, MAX_ID_LENGTH } from '../domain/ids.ts';
import { invalidArgument } from '../errors.ts';
import { Block } from './blocks.ts';
import { builder, defineQueries } from './builder.ts';
import type { GatewayContext } from './context.ts';
import { type Argument, COST_OF, costs } from './costs.ts';
import { Epoch } from './epochs.ts';
import { inProse } from './prose.ts';

/** How many results are given where nothing is said, and at most. */
const RESULTS = { default: 10, most: 50 } as const;

const MATCHES = {
  ID: 'Its identifier: as it is, or hexadecimal digits in either case.',
  SYMBOL: 'Its symbol, in either case.',
  CODE: 'The code of its instrument, in either case.',
  NAME: 'Its name, or that of its instrument, in either case.',
  REFERENCE: 'Its reference, in either case.',
  HEIGHT: 'Its height, which is found whole.',
  NUMBER: 'Its number, which is found whole.',
} as const;

const SearchMatch = builder.enumType('SearchMatch', {
  description: 'By which of its texts something is found.',
  values: Object.fromEntries(
    Object.entries(MATCHES).map(([match, description]) => [match, { description }]),
  ) as Readonly<Record<keyof typeof MATCHES, { description: string }>>,
});

/** What is found by a whole number, before all that is found by its texts. */
const NUMBERED = { BLOCK: 'The blocks.', EPOCH: 'The epochs of the network.' } as const;
type NumberedKind = keyof typeof NUMBERED;

const KINDS = [
  ...(Object.keys(NUMBERED) as NumberedKind[]),
  ...(Object.keys(SEARCHED) as SearchedKind[]),
] as const;

const SearchKind = builder.enumType('SearchKind', {
  description: 'A kind of thing that can be searched for.',
  values: Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      { description: isNumbered(kind) ? NUMBERED[kind] : `The ${inProse(SEARCHED[kind].noun)}.` },
    ]),
  ) as Readonly<Record<(typeof KINDS)[number], { description: string }>>,
});

function isNumbered(kind: (typeof KINDS)[number]): kind is NumberedKind {
  return kind in NUMBERED;
}

interface Result {
  readonly kind: (typeof KINDS)[number];
  readonly id: string;
  readonly matched: string;
  readonly value: string;
  readonly isExact: boolean;
  readonly block?: BlockRow;
  readonly epoch?: EpochRow;
}

const SearchResult = builder.objectRef<Result>('SearchResult').implement({
  description:
    'Something that was found. It is in the field that is called as its kind; the others are null.',
  fields: (t) => ({
    kind: t.field({ type: SearchKind, description: 'What it is.', resolve: ({ kind }) => kind }),
    objectId: t.exposeID('id', {
      description: 'Its identifier; the height of a block, the number of an epoch.',
    }),
    matched: t.field({
      type: SearchMatch,
      description: 'By which of its texts it was found: the first that begins with what was searched for.',
      resolve: ({ matched }) => matched as keyof typeof MATCHES,
    }),
    value: t.exposeString('value', { description: 'That text, as it is.' }),
    isExact: t.exposeBoolean('isExact', {
      description: 'Whether the text is all that was searched for, and goes on no further.',
    }),
    block: t.field({
      type: Block,
      nullable: true,
      description: 'The block that was found.',
      resolve: ({ block }) => block ?? null,
    }),
    epoch: t.field({
      type: Epoch,
      nullable: true,
      description: 'The epoch that was found.',
      resolve: ({ epoch }) => epoch ?? null,
    }),
  }),
});

for (const [kind, { noun }] of Object.entries(SEARCHED)) {
  builder.objectField(SearchResult, kind.toLowerCase(), (t) =>
    (t as unknown as { prismaField(options: object): ReturnType<typeof t.field> }).prismaField({
      type: noun.model,
      nullable: true,
      description: `The ${kind.toLowerCase()} that was found.`,
      resolve: (including: object, result: Result, _: object, { models }: GatewayContext) =>
        result.kind === kind ? models().row(noun, result.id, including) : null,
    }),
  );
}

defineQueries((t) => ({
  search: t.field({
    type: [SearchResult],
    description:
      'Parties, assets, markets, proposals and deposits one of whose texts begins with a text, the block of a height, and the epoch of a number. Those whose text is all of it come first, then they stand in the order of their kinds, of the texts that are looked at, and of these texts.',
    args: {
      text: t.arg.string({
        required: true,
        description: `What is searched for: 1 to ${MAX_ID_LENGTH} characters.`,
      }),
      kinds: t.arg({
        type: [SearchKind],
        description: 'Only things of these kinds. An empty list is no condition.',
      }),
      first: t.arg.int({
        description: `The largest number of results: 1 to ${RESULTS.most}. The default is ${RESULTS.default}.`,
      }),
    },
    // An index is looked at for each text.
    ...costs({ each: COST_OF.list, values: resultsOf }),
    resolve: async (_, { text, kinds, first }, context): Promise<Result[]> => {
      const complaint = text === '' ? 'is empty' : complaintAboutId(text);
      if (complaint !== null)
        throw invalidArgument('text', `text ${complaint}; it takes 1 to ${MAX_ID_LENGTH} characters.`);
      const size = first ?? RESULTS.default;
      if (size < 1 || size > RESULTS.most)
        throw invalidArgument('first', `first takes a number from 1 to ${RESULTS.most}, not ${size}.`);
      const wanted: readonly (typeof KINDS)[number][] = kinds?.length ? kinds : KINDS;
      const others = wanted.filter((kind): kind is SearchedKind => !isNumbered(kind));
      const all = await Promise.all([
        wanted.includes('BLOCK') ? findBlock(text, context) : [],
        wanted.includes('EPOCH') ? findEpoch(text, context) : [],
        search(context.statements, text, others, size),
      ]);
      return all.flat().slice(0, size);
    },
  }),
}));

const WHOLE_NUMBER = /^(0|[1-9]\d{0,17})$/;

async function findBlock(text: string, { blockAt }: GatewayContext): Promise<readonly Result[]> {
  const block = WHOLE_NUMBER.test(text) ? await blockAt(BigInt(text)) : null;
  if (block === null) return [];
  return [{ kind: 'BLOCK', id: text, matched: 'HEIGHT', value: text, isExact: true, block }];
}

async function findEpoch(text: string, { statements }: GatewayContext): Promise<readonly Result[]> {
  const epoch = WHOLE_NUMBER.test(text) ? await findEpochBySeq(statements, BigInt(text)) : null;
  if (epoch === null) return [];
  return [{ kind: 'EPOCH', id: text, matched: 'NUMBER', value: text, isExact: true, epoch }];
}

/** A number that is refused counts as one. */
function resultsOf(argument: Argument): number {
  const first = Number(argument('first') ?? RESULTS.default);
  return first >= 1 && first <= RESULTS.most ? first : 1;
}
