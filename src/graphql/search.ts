import type { Block as BlockRow } from '../data/generated/prisma/client.ts';
import { SEARCHED, type SearchedKind, search } from '../data/queries/search.ts';
import { complaintAboutId, MAX_ID_LENGTH } from '../domain/ids.ts';
import { invalidArgument } from '../errors.ts';
import { Block } from './blocks.ts';
import { builder, defineQueries } from './builder.ts';
import type { GatewayContext } from './context.ts';
import { type Argument, COST_OF, costs } from './costs.ts';
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
} as const;

const SearchMatch = builder.enumType('SearchMatch', {
  description: 'By which of its texts something is found.',
  values: Object.fromEntries(
    Object.entries(MATCHES).map(([match, description]) => [match, { description }]),
  ) as Readonly<Record<keyof typeof MATCHES, { description: string }>>,
});

const KINDS = ['BLOCK', ...(Object.keys(SEARCHED) as SearchedKind[])] as const;

const SearchKind = builder.enumType('SearchKind', {
  description: 'A kind of thing that can be searched for.',
  values: Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      { description: `The ${kind === 'BLOCK' ? 'blocks' : inProse(SEARCHED[kind].noun)}.` },
    ]),
  ) as Readonly<Record<(typeof KINDS)[number], { description: string }>>,
});

interface Result {
  readonly kind: (typeof KINDS)[number];
  readonly id: string;
  readonly matched: string;
  readonly value: string;
  readonly isExact: boolean;
  readonly block?: BlockRow;
}

const SearchResult = builder.objectRef<Result>('SearchResult').implement({
  description:
    'Something that was found. It is in the field that is called as its kind; the others are null.',
  fields: (t) => ({
    kind: t.field({ type: SearchKind, description: 'What it is.', resolve: ({ kind }) => kind }),
    objectId: t.exposeID('id', { description: 'Its identifier; the height of a block.' }),
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
      'Parties, assets, markets, proposals and deposits one of whose texts begins with a text, and the block of a height. Those whose text is all of it come first, then they stand in the order of their kinds, of the texts that are looked at, and of these texts.',
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
      const others = wanted.filter((kind): kind is SearchedKind => kind !== 'BLOCK');
      const [blocks, found] = await Promise.all([
        wanted.includes('BLOCK') ? findBlock(text, context) : [],
        search(context.statements, text, others, size),
      ]);
      return [...blocks, ...found].slice(0, size);
    },
  }),
}));

async function findBlock(text: string, { blockAt }: GatewayContext): Promise<readonly Result[]> {
  const block = /^(0|[1-9]\d{0,17})$/.test(text) ? await blockAt(BigInt(text)) : null;
  if (block === null) return [];
  const id = `${block.height}`;
  return [{ kind: 'BLOCK', id, matched: 'HEIGHT', value: id, isExact: true, block }];
}

/** A number that is refused counts as one. */
function resultsOf(argument: Argument): number {
  const first = Number(argument('first') ?? RESULTS.default);
  return first >= 1 && first <= RESULTS.most ? first : 1;
}
