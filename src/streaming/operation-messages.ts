import type { GraphQLError } from 'graphql';
import { MessageType } from 'graphql-ws';

/** How a protocol writes what it sends of an operation, among the messages of others. */
export interface MessageForm {
  /** What stands before and after the JSON of a result. */
  before(id: string): string;
  readonly after: string;
  complete(id: string): string;
  /** The only message of an operation that cannot begin. */
  refusal(id: string, errors: readonly GraphQLError[]): string;
}

/** graphql-transport-ws. */
export const SOCKET_MESSAGES: MessageForm = {
  before: (id) => `{"id":${JSON.stringify(id)},"type":"${MessageType.Next}","payload":`,
  after: '}',
  complete: (id) => JSON.stringify({ type: MessageType.Complete, id }),
  refusal: (id, payload) => JSON.stringify({ type: MessageType.Error, id, payload }),
};

/** GraphQL over server-sent events, where many operations share a connection. */
export const EVENT_MESSAGES: MessageForm = {
  before: (id) => `event: next\ndata: {"id":${JSON.stringify(id)},"payload":`,
  after: '}\n\n',
  complete: (id) => `event: complete\ndata: {"id":${JSON.stringify(id)}}\n\n`,
  refusal: (id, errors) =>
    `${EVENT_MESSAGES.before(id)}${JSON.stringify({ errors })}${EVENT_MESSAGES.after}${EVENT_MESSAGES.complete(id)}`,
};
