import type { DocumentNode } from 'graphql';
import { AbsentMembers } from './absent-members.ts';
import { optional, type Parameters, type ParameterValues, parameterReader } from './params.ts';
import { type Declaration, type Loose, withoutUndefined } from './route.ts';
import type { Shape } from './shape.ts';
import { bool, text } from './value-types.ts';

/** One documented stream, as the transports, the table of docs/asking.md and the tests see it. */
export interface StreamRoute {
  readonly method: 'GET';
  readonly path: string;
  readonly summary: string;
  readonly parameters: Parameters;
  /** The one GraphQL subscription that the stream stands for. */
  readonly operation: DocumentNode;
  /** The members of its messages that are absent where they would be null. */
  readonly absentWhenNull: readonly string[];
  /** How its rows are written where that is not as GraphQL gives them, and what documents call its messages by. */
  readonly written: Written<never, never> | undefined;
  /** Reads a request; a browser that comes back names the cursor in a header. Throws INVALID_ARGUMENT. */
  readonly read: (rawQuery: string, lastEventId?: string) => StreamQuestion;
  /** The documented message of what the operation gave. */
  readonly toMessage: (data: unknown) => StreamMessage;
}

/** What one request for a stream asks. */
export interface StreamQuestion {
  /** The variables that it gives to the operation. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether each message is to name its block and its cursor beside the documented `result`. */
  readonly withCursors: boolean;
}

/** A message in the documented shape, and where the stream stands after it. */
export interface StreamMessage {
  /** Compact JSON; null where it only says how far the stream has come. */
  readonly result: string | null;
  readonly block: { readonly height: string; readonly timestamp: string };
  readonly cursor: string;
}

/** A message of a stream as GraphQL gives it: a page of the snapshot or the updates of one block. */
interface GraphqlMessage<Snapshot, Updates> extends Omit<StreamMessage, 'result'> {
  readonly snapshot: Snapshot | null;
  readonly updates: Updates | null;
}

interface Written<Snapshot, Updates> {
  readonly name: string;
  readonly snapshot: Shape<Snapshot>;
  readonly updates: Shape<Updates>;
}

/** The parameters that every stream takes. */
const streamParameters = {
  after: optional(text, 'The cursor of the last message received: the stream goes on after it.'),
  cursors: optional(bool, 'Whether each message names its block and its cursor, beside result.'),
  progress: optional(
    bool,
    'Whether a quiet stream says, once a heartbeat, which block it has reached: a message that has reached in the place of result.',
  ),
};

/** Declares a stream: a GraphQL subscription, and its messages in the documented shape. The types are checked here, then erased. */
export function streamRoute<
  const P extends Parameters,
  Data,
  Variables extends { readonly after?: string | null; readonly progress?: boolean | null },
  Snapshot,
  Updates,
>({
  variables: variablesOf,
  message: messageOf,
  absentWhenNull = [],
  written,
  ...declaration
}: Declaration<P, Data, Variables> & {
  readonly variables: (given: ParameterValues<P>) => Loose<Omit<Variables, 'after' | 'progress'>>;
  readonly message: (data: Data) => GraphqlMessage<Snapshot, Updates>;
  readonly written?: Written<Snapshot, Updates>;
}): StreamRoute {
  const parameters = { ...declaration.parameters, ...streamParameters };
  const readParameters = parameterReader<Parameters>(parameters);
  const absent =
    absentWhenNull.length === 0 ? null : new AbsentMembers(declaration.operation, absentWhenNull);
  const { write: writeSnapshot } = written?.snapshot ?? { write: JSON.stringify };
  const { write: writeUpdates } = written?.updates ?? { write: JSON.stringify };
  return {
    method: 'GET',
    ...declaration,
    ...{ parameters, absentWhenNull, written },
    read(rawQuery, lastEventId) {
      const given = readParameters({}, rawQuery) as ParameterValues<P> &
        ParameterValues<typeof streamParameters>;
      const after = lastEventId || given.after;
      return {
        variables: withoutUndefined({ ...variablesOf(given), after, progress: given.progress }),
        withCursors: given.cursors ?? false,
      };
    },
    toMessage(data) {
      const { snapshot, updates, block, cursor } = messageOf(data as Data);
      if (snapshot === null && updates === null) return { result: null, block, cursor };
      const json =
        snapshot === null
          ? `{"updates":${writeUpdates(updates as Updates)}}`
          : `{"snapshot":${writeSnapshot(snapshot)}}`;
      return { result: absent?.leaveOut([json]).join('') ?? json, block, cursor };
    },
  };
}
