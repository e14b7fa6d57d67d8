import { getOperationAST } from 'graphql';
import { schema } from '../graphql/index.ts';
import { MIN_BLOCK_HEADER } from '../http/write/common-head.ts';
import { streamRoutes } from '../rest/index.ts';
import type { JsonSchema } from '../rest/json-schema.ts';
import type { Parameters } from '../rest/params.ts';
import type { StreamRoute } from '../rest/stream-route.ts';
import { INFO, QUANTITIES } from './about.ts';
import { AnswerSchemas } from './answer-schemas.ts';
import { ERROR_SCHEMA } from './error-schemas.ts';
import { EXAMPLES } from './examples.ts';
import { MIN_BLOCK } from './headers.ts';
import { messageSchemas } from './message-schemas.ts';

/** Describes the streams as AsyncAPI 3: the documented ones from their records, those of GraphQL from the schema. */
export function describeStreams() {
  const answers = new AnswerSchemas(schema);
  answers.add('Error', ERROR_SCHEMA);
  const documented = streamRoutes.map((route) => describeStream(route, answers));
  const all = [...documented, describeSubscriptions()];
  const { summary, ...info } = INFO;
  return {
    asyncapi: '3.0.0',
    info: {
      ...info,
      license: { name: info.license.name, url: 'https://spdx.org/licenses/MIT.html' },
      title: `${INFO.title} streams`,
      description: `${summary} These are its streams: a snapshot of one block, then every later change once, in order, by whole blocks; or what is newest, as it changes.\n\n${QUANTITIES}`,
    },
    defaultContentType: 'application/json',
    servers: {
      http: { ...SERVER, protocol: 'http', description: 'Lines of JSON, and server-sent events.' },
      webSocket: { ...SERVER, protocol: 'ws', description: 'WebSockets.' },
    },
    channels: Object.assign({}, ...all.map(({ channel }) => channel)),
    operations: Object.assign({}, ...all.map(({ operations }) => operations)),
    components: {
      schemas: answers.components,
      messages: Object.assign({}, ...all.map(({ messages }) => messages)),
    },
  };
}

const SERVER = {
  host: '{host}',
  variables: { host: { description: 'Where the gateway is.', default: '127.0.0.1:3008' } },
} as const;

/** Of the request that opens a WebSocket; a page in a browser cannot set any. */
const REQUEST_HEADERS: JsonSchema = {
  type: 'object',
  properties: { [MIN_BLOCK_HEADER]: { ...MIN_BLOCK.schema, description: MIN_BLOCK.description } },
};

function describeStream(route: StreamRoute, answers: AnswerSchemas) {
  const name = (getOperationAST(route.operation)?.name?.value ?? '').replace(/^./, (one) =>
    one.toLowerCase(),
  );
  const sorts = Object.entries(messageSchemas(route, answers));
  const query = objectOf(route.parameters);
  return {
    channel: {
      [name]: {
        address: route.path,
        title: route.summary,
        description: CHANNEL,
        messages: Object.fromEntries(sorts.map(([sort]) => [sort, messageRef(name, sort)])),
        bindings: { ws: { method: 'GET', query, headers: REQUEST_HEADERS } },
      },
    },
    operations: {
      [name]: {
        action: 'send',
        channel: { $ref: `#/channels/${name}` },
        title: route.summary,
        summary: `${route.summary}.`,
        bindings: { http: { method: 'GET', query } },
        messages: sorts.map(([sort]) => ({ $ref: `#/channels/${name}/messages/${sort}` })),
      },
    },
    messages: Object.fromEntries(
      sorts.map(([sort, payload]) => [
        `${name}.${sort}`,
        describeMessage(route, sort, payload as JsonSchema),
      ]),
    ),
  };
}

const CHANNEL = `As \`application/json\` a message is a line, and an empty line a heartbeat; as \`text/event-stream\` it is the \`data\` of an
event whose \`id\` is the cursor, if it has one; as a WebSocket it is a text frame, and the close code 1008 or 1001 says that the stream was refused or
that the gateway stops. \`after\`, or \`Last-Event-ID\`, goes on after a cursor on any transport and any gateway.`;

function describeMessage(route: StreamRoute, sort: string, payload: JsonSchema) {
  const examples = EXAMPLES.messages
    .filter(({ path, name }) => path === route.path && name === sort)
    .map(({ request, message }) => ({ summary: `GET ${request}`, payload: message }));
  const { title = sort, description } = payload;
  return {
    name: sort,
    title,
    ...(description === undefined ? {} : { description }),
    contentType: 'application/json',
    payload,
    ...(examples.length === 0 ? {} : { examples }),
  };
}

/** The subscriptions of GraphQL: what is in their messages is for who subscribes to select. */
function describeSubscriptions() {
  const fields = Object.values(schema.getSubscriptionType()?.getFields() ?? {});
  return {
    channel: {
      graphql: {
        address: '/graphql',
        title: 'Subscriptions of GraphQL',
        description: SUBSCRIPTIONS,
        messages: Object.fromEntries(fields.map(({ name }) => [name, messageRef('graphql', name)])),
        bindings: { ws: { method: 'GET', headers: REQUEST_HEADERS } },
      },
    },
    operations: Object.fromEntries(
      fields.map(({ name, description }) => [
        `subscription.${name}`,
        {
          action: 'send',
          channel: { $ref: '#/channels/graphql' },
          title: `subscription ${name}`,
          summary: description ?? '',
          messages: [{ $ref: `#/channels/graphql/messages/${name}` }],
        },
      ]),
    ),
    messages: Object.fromEntries(
      fields.map(({ name, description }) => [
        `graphql.${name}`,
        {
          name,
          title: `next of ${name}`,
          description: description ?? '',
          contentType: 'application/json',
          payload: nextOf(name),
        },
      ]),
    ),
  };
}

const SUBSCRIPTIONS = `Over the subprotocol \`graphql-transport-ws\`, which the client graphql-ws speaks, and as server-sent events. The
fields of a message are those that the subscription selects; \`/schema.graphql\` has them all. Over a WebSocket, \`minBlockHeight\` in the
payload of \`connection_init\` is to each operation what \`${MIN_BLOCK_HEADER}\` is to a request.`;

function nextOf(field: string): JsonSchema {
  const data: JsonSchema = {
    type: 'object',
    properties: { [field]: { type: 'object', description: 'What the subscription selects.' } },
  };
  return {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'The id that the client gave its subscription.' },
      type: { const: 'next' },
      payload: { type: 'object', properties: { data }, required: ['data'] },
    },
    required: ['id', 'type', 'payload'],
  };
}

function messageRef(channel: string, message: string) {
  return { $ref: `#/components/messages/${channel}.${message}` };
}

function objectOf(parameters: Parameters): JsonSchema {
  const properties = Object.entries(parameters).map(([name, { type, description }]) => [
    name,
    { ...type.schema, description },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}
