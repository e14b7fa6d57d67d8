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
  /** How its results are written where that is not as GraphQL gives them, and what documents call its messages by. */
  readonly written: Written | undefined;
  /** Reads a request; a browser that comes back names the cursor in a header. Throws INVALID_ARGUMENT. */
  readonly read: (rawQuery: string, lastEventId?: string) => StreamQuestion;
  /** The documented messages of what the operation gave. */
  readonly toMessage: (data: unknown) => StreamMessage;
}

/** What one request for a stream asks. */
export interface StreamQuestion {
  /** The variables that it gives to the operation. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether each message is to name its block and its cursor beside the documented `result`. */
  readonly withCursors: boolean;
  /** Whether it asks to be told how far a quiet stream has come. */
  readonly withProgress: boolean;
}

/** What is told at once in the documented shape, and where the stream stands after it. */
export interface StreamMessage {
  /** Of each message its result, as compact JSON; none where there is only to say how far the stream has come. */
  readonly results: readonly string[];
  readonly block: { readonly height: string; readonly timestamp: string };
  readonly cursor: string;
}

/** A message of a stream as GraphQL gives it: a page of the snapshot or the updates of one block. */
interface GraphqlMessage<Snapshot, Updates> extends Omit<StreamMessage, 'results'> {
  readonly snapshot: Snapshot | null;
  readonly updates: Updates | null;
}

interface Written {
  readonly name: string;
  /** What a result is, by the name of the one member that it has. */
  readonly sorts: Readonly<Record<string, Shape<never>>>;
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

type StreamVariables = { readonly after?: string | null; readonly progress?: boolean | null };

type StreamDeclaration<P extends Parameters, Data, Variables> = Declaration<P, Data, Variables> & {
  readonly variables: (given: ParameterValues<P>) => Loose<Omit<Variables, keyof StreamVariables>>;
};

/** Declares a stream: a GraphQL subscription, and its messages in the documented shape. The types are checked here, then erased. */
export function streamRoute<
  const P extends Parameters,
  Data,
  Variables extends StreamVariables,
  Snapshot,
  Updates,
>({
  message: messageOf,
  written,
  ...declaration
}: StreamDeclaration<P, Data, Variables> & {
  readonly message: (data: Data) => GraphqlMessage<Snapshot, Updates>;
  readonly written?: {
    readonly name: string;
    readonly snapshot: Shape<Snapshot>;
    readonly updates: Shape<Updates>;
  };
}): StreamRoute {
  const { operation, absentWhenNull = [] } = declaration;
  const absent = absentWhenNull.length === 0 ? null : new AbsentMembers(operation, absentWhenNull);
  const { write: writeSnapshot } = written?.snapshot ?? { write: JSON.stringify };
  const { write: writeUpdates } = written?.updates ?? { write: JSON.stringify };
  const sorts = written && { snapshot: written.snapshot, updates: written.updates };
  return defineStream(declaration, sorts && { name: written.name, sorts }, (data) => {
    const { snapshot, updates, block, cursor } = messageOf(data);
    if (snapshot === null && updates === null) return { results: [], block, cursor };
    const json =
      snapshot === null
        ? `{"updates":${writeUpdates(updates as Updates)}}`
        : `{"snapshot":${writeSnapshot(snapshot)}}`;
    return { results: [absent?.leaveOut([json]).join('') ?? json], block, cursor };
  });
}

/** Declares a stream without a snapshot, each of whose messages has one row, in the member of a name. */
export function rowStreamRoute<const P extends Parameters, Data, Variables extends StreamVariables, Row>({
  rows: rowsOf,
  written: { name, member, row },
  ...declaration
}: StreamDeclaration<P, Data, Variables> & {
  readonly rows: (data: Data) => Omit<StreamMessage, 'results'> & { readonly rows: readonly Row[] };
  readonly written: { readonly name: string; readonly member: string; readonly row: Shape<Row> };
}): StreamRoute {
  return defineStream(declaration, { name, sorts: { [member]: row } }, (data) => {
    const { rows, block, cursor } = rowsOf(data);
    return { results: rows.map((one) => `{"${member}":${row.write(one)}}`), block, cursor };
  });
}

function defineStream<const P extends Parameters, Data, Variables extends StreamVariables>(
  { variables: variablesOf, absentWhenNull = [], ...declaration }: StreamDeclaration<P, Data, Variables>,
  written: Written | undefined,
  toMessage: (data: Data) => StreamMessage,
): StreamRoute {
  const parameters = { ...declaration.parameters, ...streamParameters };
  const readParameters = parameterReader<Parameters>(parameters);
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
        withProgress: given.progress ?? false,
      };
    },
    toMessage: (data) => toMessage(data as Data),
  };
}
