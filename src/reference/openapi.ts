import { getOperationAST } from 'graphql';
import { capitalize, uncapitalize } from '../domain/text.ts';
import { schema } from '../graphql/index.ts';
import { MIN_BLOCK_HEADER } from '../http/write/common-head.ts';
import { furtherRoutes, routes, streamRoutes } from '../rest/index.ts';
import type { JsonSchema } from '../rest/json-schema.ts';
import type { Parameters } from '../rest/params.ts';
import { type Route, writePath } from '../rest/route.ts';
import type { StreamRoute } from '../rest/stream-route.ts';
import { id } from '../rest/value-types.ts';
import { INFO, MEMBERS, QUANTITIES } from './about.ts';
import { AnswerSchemas } from './answer-schemas.ts';
import { bodyOf } from './body-schemas.ts';
import { ERROR_SCHEMA, ERROR_STATUSES, nameOfStatus } from './error-schemas.ts';
import { EXAMPLES, examplesOfParameters } from './examples.ts';
import { BLOCK_HEADERS, COMMON_HEADERS, HEADERS, headerRefs, MIN_BLOCK } from './headers.ts';
import { messageSchemas } from './message-schemas.ts';

/** Describes the documented paths as OpenAPI: from their records, their operations and the schema. Needs no database. */
export function describeRest() {
  const answers = new AnswerSchemas(schema);
  const error = answers.add('Error', ERROR_SCHEMA);
  const paths = Object.fromEntries([
    ...routes.map((route) => [writePath(route.path), { get: describeRoute(route, answers) }] as const),
    ...streamRoutes.map((route) => [writePath(route.path), { get: describeStream(route, answers) }] as const),
  ]);
  return {
    openapi: '3.1.1',
    info: { ...INFO, description: DESCRIPTION },
    servers: [{ url: '/', description: 'The gateway that this document came from.' }],
    // Nobody has to say who they are.
    security: [],
    tags: [
      {
        name: QUERIES,
        description:
          'They are answered as of the newest block, or of the one that `asOf` or `asOfTime` names.',
      },
      {
        name: FURTHER,
        description:
          'Paths beyond the documented ones: others of the reference, as far as what is kept fills their answers (what is not kept is left out, and said so), and `/api/v2/changes`, an addition of Periscope.',
      },
      { name: STREAMS, description: 'A snapshot of one block, and then every change.' },
    ],
    externalDocs: { description: 'The reference, with the streams and GraphQL.', url: '/docs' },
    paths,
    components: {
      schemas: answers.components,
      headers: HEADERS,
      parameters: COMMON_PARAMETERS,
      responses: onlyNamedIn(paths, errorResponses(error)),
    },
  } as const;
}

const QUERIES = 'Queries';
const FURTHER = 'Further queries';
const STREAMS = 'Streams';

const DESCRIPTION = `Deposits, accounts, rewards, votes, market data, estimates, assets, markets, parties and changes of a trading network, read-only.

${QUANTITIES} ${MEMBERS}

Every path takes HEAD too; other methods are answered with 405 and \`Allow\`. Names of parameters may be written in camelCase or
snake_case, lists as repeated parameters or with commas; an optional parameter that is blank is not given. An answer that is not a
success has the error body, whatever its status.`;

/** Parameters that every path takes, besides its own. */
const COMMON_PARAMETERS = {
  pretty: {
    name: 'pretty',
    in: 'query',
    description: 'Indents the answer, with any value or none.',
    allowEmptyValue: true,
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of an answer that the client has: 304 says that it is still valid.',
    schema: { type: 'string' },
  },
  MinBlockHeight: {
    name: MIN_BLOCK_HEADER,
    in: 'header',
    ...MIN_BLOCK,
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`.',
    schema: { type: 'string', examples: ['handling=strict'] },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'An id for the request, of at most 128 letters, digits and `._:+/=-`.',
    schema: { type: 'string', maxLength: 128 },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'With server-sent events the same as `after`; browsers send it when they come back.',
    schema: { type: 'string' },
  },
} as const;

type CommonParameter = keyof typeof COMMON_PARAMETERS;

function describeRoute(route: Route, answers: AnswerSchemas) {
  const examples = exampleAnswers(route.path, 200);
  return {
    ...describeOperation(route, furtherRoutes.includes(route) ? FURTHER : QUERIES, [
      'pretty',
      'IfNoneMatch',
      'MinBlockHeight',
      'Prefer',
      'RequestId',
    ]),
    responses: {
      200: {
        description: `${route.summary}.`,
        headers: headerRefs([...BLOCK_HEADERS, 'ETag', ...COMMON_HEADERS]),
        content: {
          'application/json': { schema: bodyOf(route, answers), ...examples },
          ...('format' in route.parameters ? EXPORTS : {}),
        },
      },
      304: {
        description: 'The answer that has the given ETag is still valid.',
        headers: headerRefs([...BLOCK_HEADERS, 'ETag', ...COMMON_HEADERS]),
      },
      ...errorsOf(route),
    },
  };
}

/** All rows of a list, which a client asks for by `format` or by `Accept`. */
const EXPORTS = {
  'text/csv': {
    schema: {
      type: 'string',
      description:
        'All rows as CSV (RFC 4180) with a header: members of objects by their paths, lists as JSON.',
    },
  },
  'application/x-ndjson': {
    schema: { type: 'string', description: 'All rows, each as a line of JSON in the documented shape.' },
  },
} as const;

function describeStream(route: StreamRoute, answers: AnswerSchemas) {
  const messages = messageSchemas(route, answers);
  const name = route.written?.name ?? '';
  const schema = answers.add(`${name}StreamMessage`, {
    description: 'What a stream tells, or why it ends.',
    // Generators name types by components alone: one within another has no name of its own.
    anyOf: Object.entries(messages).map(([sort, message]) =>
      answers.add(`${name}${capitalize(sort)}Message`, message),
    ),
  });
  const examples = Object.fromEntries(
    EXAMPLES.messages
      .filter(({ path }) => path === route.path)
      .map(({ name, message, request }) => [name, { summary: `GET ${request}`, value: message }]),
  );
  return {
    ...describeOperation(route, STREAMS, ['LastEventId', 'MinBlockHeight', 'Prefer', 'RequestId']),
    description: `${'snapshot' in messages ? SNAPSHOT_FIRST : `${route.summary}.`}\n${STREAM_DESCRIPTION}`,
    responses: {
      101: {
        description:
          'The same over a WebSocket, when the client asks to upgrade: each message is a text frame.',
      },
      200: {
        description:
          'Messages for as long as the client stays connected, as lines of JSON, or server-sent events.',
        headers: headerRefs(COMMON_HEADERS),
        content: {
          'application/json': { schema, examples },
          'text/event-stream': { schema },
        },
      },
      ...errorsOf(route),
    },
  };
}

const SNAPSHOT_FIRST =
  'A snapshot of one block in one or more messages, then the changes of each later block, once, in order.';

const STREAM_DESCRIPTION = `As \`application/json\` each line is a message, and an empty line shows that a quiet stream is alive; as \`text/event-stream\` the
\`data\` of each event is one, its \`id\` the cursor, and an event \`error\` the last; as a WebSocket at the same address each text frame
is one. Nothing is left out in silence: a stream that cannot go on ends with a message that says why. \`/asyncapi.json\` has more.`;

function describeOperation(
  { path, summary, parameters, operation }: Pick<Route, 'path' | 'summary' | 'parameters' | 'operation'>,
  tag: string,
  common: readonly CommonParameter[],
) {
  const name = getOperationAST(operation)?.name?.value ?? '';
  return {
    operationId: uncapitalize(name),
    summary,
    tags: [tag],
    parameters: [
      ...describeParameters(path, parameters),
      ...common.map((one) => ({ $ref: `#/components/parameters/${one}` })),
    ],
  };
}

function describeParameters(path: string, parameters: Parameters) {
  const examples = examplesOfParameters(path);
  return Object.entries(parameters).map(([name, parameter]) => {
    const { schema, accepts } = parameter.type;
    // The values of an enumeration stand in its schema.
    const takes = schema.anyOf === undefined ? ` It takes ${accepts}.` : ' The number of one is taken, too.';
    const example = examples.get(name);
    return {
      name,
      in: parameter.in,
      description: `${parameter.description}${takes}`,
      required: parameter.required,
      schema: parameter.list ? ({ type: 'array', items: schema } as const) : schema,
      ...(example === undefined ? {} : { example: exampleOf(schema, parameter.list, example) }),
    };
  });
}

/** A value as its schema has it, of the text that a request gave. */
function exampleOf({ type }: JsonSchema, isList: boolean, given: string): unknown {
  if (isList) return given.split(',');
  return type === 'integer' || type === 'boolean' ? JSON.parse(given) : given;
}

function errorsOf({ path, parameters }: Pick<Route, 'path' | 'parameters'>) {
  // Who asks for a thing by its id is told when there is none.
  const asksForOne =
    !('pagination.first' in parameters) &&
    Object.values(parameters).some(({ type, required }) => required && type === id);
  const statuses = [400, ...(asksForOne ? [404] : []), 429, 500, 503];
  const refs = statuses.map((status) => {
    const examples = exampleAnswers(path, status);
    const ref = { $ref: `#/components/responses/${nameOfStatus(status)}` };
    return [status, examples === undefined ? ref : errorResponse(status, examples)] as const;
  });
  return { ...Object.fromEntries(refs), default: { $ref: '#/components/responses/Other' } };
}

function errorResponse(status: number, examples: object) {
  const retry = status === 429 || status === 503 ? (['Retry-After'] as const) : [];
  return {
    description: ERROR_STATUSES.get(status) ?? '',
    headers: headerRefs([...retry, ...BLOCK_HEADERS, ...COMMON_HEADERS]),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, ...examples } },
  };
}

function errorResponses(error: JsonSchema) {
  // What is described here is asked with GET.
  const statuses = [...ERROR_STATUSES.keys()].filter((status) => status !== 405);
  const known = statuses.map((status) => [nameOfStatus(status), errorResponse(status, {})] as const);
  return {
    ...Object.fromEntries(known),
    Other: {
      description:
        'Any other status that is not a success: a head too large, a request too slow, another method.',
      headers: headerRefs(['X-Request-Id']),
      content: { 'application/json': { schema: error } },
    },
  };
}

/** A path whose errors have examples of its own names no common one. */
function onlyNamedIn<T>(paths: object, responses: Readonly<Record<string, T>>) {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(responses).filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
  );
}

/** The recorded answers of a path, as OpenAPI has examples; undefined where there are none. */
function exampleAnswers(path: string, status: number) {
  const found = EXAMPLES.answers.filter((one) => one.path === path && one.status === status);
  if (found.length === 0) return undefined;
  const named = found.map(({ request, answer }, index) => [
    index === 0 ? 'example' : `example${index + 1}`,
    { summary: `GET ${request}`, value: answer },
  ]);
  return { examples: Object.fromEntries(named) };
}
