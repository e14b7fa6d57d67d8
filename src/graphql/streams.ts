import type { InputFieldMap, InputShapeFromFields, ObjectRef } from '@pothos/core';
import { type ChangedRow, countByNoun, followedNames } from '../data/history/changed-rows.ts';
import type { Noun, Positioned } from '../data/noun.ts';
import { isObject } from '../domain/objects.ts';
import { capitalize } from '../domain/text.ts';
import { cursorOf } from '../feed/cursors.ts';
import { type StreamEvent, toBlock } from '../feed/events.ts';
import type { Reading } from '../feed/followed.ts';
import { SNAPSHOT_PAGE } from '../feed/past.ts';
import { topicOf } from '../feed/topics.ts';
import { Block } from './blocks.ts';
import { builder } from './builder.ts';
import { COST_OF, costs, type Told } from './costs.ts';
import { inProse } from './prose.ts';

type Types = typeof builder.$inferSchemaTypes;

/** The arguments that every stream takes. */
export const streamArgs = builder.args((t) => ({
  after: t.string({
    description:
      'The cursor of the last message that was received, on any transport, or of a block. The stream continues after it. Without it the stream begins with a snapshot.',
  }),
  progress: t.boolean({
    defaultValue: false,
    description:
      'Whether the stream also says which block it has reached, when it had nothing else to say for as long as a heartbeat takes. Such a message has neither a snapshot nor updates.',
  }),
}));

/**
 * Defines the stream of a noun, under its name: `accounts`, of `AccountsMessage`, `AccountsSnapshot` and `AccountsUpdates`.
 */
export function defineStream<R extends Positioned, Filter, Args extends InputFieldMap>(
  noun: Noun<R, Filter>,
  type: ObjectRef<Types, R>,
  stream: {
    readonly description: string;
    readonly args: Args;
    readonly filterOf: (args: InputShapeFromFields<Args>) => Filter;
  },
): void {
  const { description, args, filterOf } = stream;
  const messages = defineMessages(noun, type);
  builder.subscriptionField(noun.name, (t) =>
    t.field({
      type: messages,
      description,
      args: { ...args, ...streamArgs },
      subscribe: (_, given, { feed }) => {
        const { after, progress, ...asked } = given as StreamArgs;
        const filter = filterOf(asked as InputShapeFromFields<Args>);
        return feed.open(topicOf(noun), filter, after ?? null, progress ?? false, listsIn(asked));
      },
      resolve: (event) => event as StreamEvent<R>,
    }),
  );
}

/** The names of the lists of several values among arguments: where these are too many for a stream, they are together. */
export function listsIn(asked: object, within = ''): readonly string[] {
  return Object.entries(asked).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.length > 1 ? [`${within}${name}`] : [];
    return isObject(value) ? listsIn(value, `${name}.`) : [];
  });
}

/** What `streamArgs` take. */
export interface StreamArgs {
  readonly after?: string | null | undefined;
  readonly progress?: boolean | null | undefined;
}

/**
 * Makes the type of a stream's messages: each has its block, a cursor, and either a page of the snapshot or the
 * changes of one block, with the rows under the noun's own name.
 */
function defineMessages<R extends Positioned>(
  noun: Pick<Noun, 'name'>,
  type: ObjectRef<Types, R>,
): ObjectRef<Types, StreamEvent<R>> {
  const field = noun.name;
  const name = capitalize(field);
  const nouns = inProse(noun);
  const Snapshot = builder.objectRef<StreamEvent<R>>(`${name}Snapshot`).implement({
    description: `A page of the ${nouns} at the end of the message's block.`,
    fields: (t) => ({
      [field]: t.field({
        type: [type],
        description: `A list of the ${nouns} in the page, oldest first.`,
        ...rowsCost,
        resolve: ({ rows }) => rows,
      }),
      lastPage: exposeLastPage(t),
    }),
  });
  const Updates = builder.objectRef<StreamEvent<R>>(`${name}Updates`).implement({
    description: `The ${nouns} that a block changed.`,
    fields: (t) => ({
      [field]: t.field({
        type: [type],
        description: `A list of the ${nouns} that changed, each once, as they are at the end of the block.`,
        ...rowsCost,
        resolve: ({ rows }) => rows,
      }),
    }),
  });
  return defineMessage(field, Snapshot, Updates);
}

/** Whether a page of a snapshot is its last: a field of every snapshot. */
export function exposeLastPage<Shape extends StreamEvent<Positioned>>(t: FieldsOf<Shape>) {
  return t.boolean({
    description: 'Whether this is the last page of the snapshot.',
    resolve: (event: Shape) => event.kind === 'snapshot' && event.lastPage,
  });
}

type FieldsOf<Shape> = PothosSchemaTypes.RootFieldBuilder<Types, Shape>;

/** Which block a message is of, and its cursor: fields of every message. */
export function exposePlace<Shape extends StreamEvent<Positioned> | Reading<unknown>>(
  t: FieldsOf<Shape>,
  stream: string,
) {
  return {
    block: t.field({
      type: Block,
      description: 'The block of the message.',
      resolve: ({ block }: Shape) => toBlock(block),
    }),
    cursor: t.string({
      description: 'The cursor of the message, for `after`.',
      resolve: (event: Shape) => cursorOf(stream, event),
    }),
  };
}

/** Of a page of the snapshot, or of what a block changed: a message has one of them. */
const messageCost = costs({ each: COST_OF.part, isTold: true });

/** Makes the type of a stream's messages of its snapshots and its updates, which may declare what they cost. */
export function defineMessage<R extends Positioned>(
  stream: string,
  snapshot: ObjectRef<Types, StreamEvent<R>>,
  updates: ObjectRef<Types, StreamEvent<R>>,
  cost = messageCost,
): ObjectRef<Types, StreamEvent<R>> {
  const name = capitalize(stream);
  return builder.objectRef<StreamEvent<R>>(`${name}Message`).implement({
    description: `A message of the \`${stream}\` stream: a page of the snapshot, or the changes of one block.`,
    fields: (t) => ({
      ...exposePlace(t, stream),
      snapshot: t.field({
        type: snapshot,
        nullable: true,
        description: 'A page of the snapshot; null in other messages.',
        ...cost,
        resolve: (event) => (event.kind === 'snapshot' ? event : null),
      }),
      updates: t.field({
        type: updates,
        nullable: true,
        description: 'The changes of the block; null in other messages.',
        ...cost,
        resolve: (event) => (event.kind === 'updates' ? event : null),
      }),
    }),
  });
}

/** Of how many rows the price of a message is. A block can change more than a page of the snapshot has, but seldom does. */
const PRICED_ROWS = SNAPSHOT_PAGE;

/** Rows of messages have been read, and are shared by all who follow them. */
export const rowsCost = costs({ each: COST_OF.row, values: PRICED_ROWS, isTold: true });

/** What an event tells in a message, where that is more than its price counts; else null. */
export function toldBeyondPrice(event: object): Told | null {
  const { rows = [] } = event as Partial<StreamEvent<object>>;
  return rows.length <= PRICED_ROWS ? null : toldBy(event);
}

/** What an event tells in a message. */
export function toldBy(event: object): Told {
  const told = event as StreamEvent<object> | Reading<unknown>;
  if (told.kind === 'reading') return toldByReading(told);
  const { kind, rows } = told;
  const [first] = rows;
  // Those of a stream of one noun are all of that.
  const ofNouns =
    first !== undefined && 'noun' in first
      ? countByNoun(rows as readonly ChangedRow[])
      : new Map(followedNames.map((name) => [name, rows.length]));
  const isOf = (part: string) => [part, part === kind ? 1 : 0] as const;
  return { rows: rows.length, lengths: new Map([isOf('snapshot'), isOf('updates'), ...ofNouns]) };
}

/** A message that says only how far its stream has come has none of what others have, whatever they declare. */
const NOTHING_READ: Told = { rows: 0, lengths: { get: () => 0 } };

function toldByReading({ value, lengths }: Reading<unknown>): Told {
  if (value === null) return NOTHING_READ;
  // The lists of its filter are looked into for it, as for a page of a snapshot.
  return { rows: 0, lengths: new Map(Object.entries({ ...lengths, snapshot: 1 })) };
}
