import { type NounDigest, readStateDigest, type StateDigest } from '../data/digests/state-digests.ts';
import { GatewayError } from '../errors.ts';
import { builder, defineQueries } from './builder.ts';
import { defineObject } from './columns.ts';
import { costs } from './costs.ts';

/** A state of more rows is read at the database. */
const MOST_ROWS = 100_000;
/** What reading so many costs on the scale of `LIMITS.cost`. */
const COST = 400_000;

const NounDigestType = defineObject<NounDigest>('NounDigest', 'The rows of one kind, under one digest.', {
  String: {
    noun: 'The kind of rows: the name of their table.',
    digest: 'The digest of the rows, in hexadecimal.',
  },
  Int: { rows: 'How many rows there are.' },
});

const StateDigestType = builder.objectRef<StateDigest>('StateDigest').implement({
  description:
    'All that the network has, under one digest. Two gateways with the same digest as of a block have the same rows.',
  fields: (t) => ({
    digest: t.exposeString('digest', { description: 'The digest of all rows, in hexadecimal.' }),
    nouns: t.expose('nouns', {
      type: [NounDigestType],
      description: 'The digests of the kinds of rows, each.',
    }),
  }),
});

defineQueries((t) => ({
  digest: t.field({
    type: StateDigestType,
    description: `The digest of all rows: of a state of at most ${MOST_ROWS} rows. Of larger ones \`periscope digest\` takes it at the database.`,
    ...costs({ each: COST }),
    resolve: async (_, _args, context) => {
      // The rows are read page after page, and are all of one block.
      const [at = context] = context.past === null ? await context.asOf([{}]) : [context];
      let rows = 0;
      return readStateDigest(at.statements, (count) => {
        rows += count;
        if (rows > MOST_ROWS) {
          throw new GatewayError(
            'FAILED_PRECONDITION',
            `There are more than ${MOST_ROWS} rows: periscope digest takes the digest of so many at the database.`,
          );
        }
      });
    },
  }),
}));
