import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  buildSchema,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import type { Answer } from './answers.ts';
import type { Kind } from './campaign.ts';
import type { HttpClient, HttpRequest } from './http-client.ts';
import { editsOf, editText, type Known, textsOf } from './texts.ts';

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const DEPTH = 4;

const PIECES = [
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  ':',
  '$',
  '@',
  '!',
  '...',
  '"',
  '"""',
  '#',
  ',',
  '\\u{1}',
  '\\',
  '\0',
  '\ufeff',
  'null',
  ' @include(if: false)',
  ' @skip(if: "x")',
  ' @defer',
  ' ...F',
  ' fragment F on Query { ...F }',
  'query',
  'mutation { a }',
  ' __typename',
  ' __schema { types { name fields { name type { name } } } }',
  ' totalCount',
  'first: 5001',
  'first: -1',
  '99999999999999999999',
  '1e400',
  '__proto__',
  'a: nodes',
  '{'.repeat(60),
];

interface GraphqlInput {
  readonly request: HttpRequest;
  /** The operation, where nothing was done to it. */
  readonly query: string | null;
}

/** Operations of the schema, whole and bent, in every way that HTTP takes them and some that it does not. */
export function graphqlKind(client: HttpClient, known: Known): Kind<GraphqlInput> {
  return {
    name: 'graphql',
    share: 12,
    lanes: 8,
    inputs: requests(known),
    show: ({ request }) =>
      `${request.method} ${request.path} ${JSON.stringify(request.headers)}\n${request.body ?? ''}`,
    send: ({ request, query }) => client.send(request, (answer) => findGraphqlFault(answer, query)),
  };
}

interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

function findGraphqlFault({ status, headers, body }: Answer, query: string | null): string | null {
  if (!/^application\/(graphql-response\+)?json/.test(String(headers['content-type']))) return null;
  const result = JSON.parse(body) as Result;
  return findResultFault(result) ?? (status === 200 && query !== null ? findMissing(query, result) : null);
}

/** Of any result of an operation, on any transport: each error says what it is, and none that it is ours. */
export function findResultFault({ errors = [] }: Result): string | null {
  const unclear = errors.find(({ extensions }) => extensions?.code === undefined);
  if (unclear !== undefined) return `an error has no code: ${unclear.message}`;
  const ours = errors.find(({ extensions }) => extensions?.code === 'INTERNAL');
  return ours === undefined ? null : `an operation failed: ${ours.message}`;
}

/** The answer has what was selected, and nothing else. */
function findMissing(query: string, { data, errors }: Result): string | null {
  if (errors !== undefined || data === undefined || data === null) return null;
  const [operation] = parse(query, { noLocation: true }).definitions;
  return operation?.kind === 'OperationDefinition'
    ? compare(operation.selectionSet.selections as readonly FieldNode[], data)
    : null;
}

function compare(selections: readonly FieldNode[], value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value))
    return value.map((item) => compare(selections, item)).find((fault) => fault !== null) ?? null;
  const wanted = selections.map(({ name }) => name.value);
  const found = Object.keys(value);
  if (wanted.join() !== found.join()) return `selected were ${wanted}, and there are ${found}`;
  const below = selections.filter(({ selectionSet }) => selectionSet !== undefined);
  const faults = below.map(({ name, selectionSet }) =>
    compare(selectionSet?.selections as readonly FieldNode[], (value as Record<string, unknown>)[name.value]),
  );
  return faults.find((fault) => fault !== null) ?? null;
}

const TYPES = [
  'application/json',
  'application/json',
  'application/json',
  'application/json; charset=utf-16',
  'application/graphql',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=x',
  '',
  'x',
];
const ACCEPTS = [
  'application/json',
  'application/graphql-response+json',
  '*/*',
  'text/event-stream',
  'multipart/mixed',
  'multipart/mixed;subscriptionSpec=1.0',
  'application/x-ndjson',
  'x',
];

function requests(known: Known): fc.Arbitrary<GraphqlInput> {
  return fc
    .record({
      query: fc.oneof(
        { weight: 5, arbitrary: operations('query', known) },
        { weight: 1, arbitrary: operations('subscription', known) },
      ),
      edits: editsOf(PIECES, 3, 1),
      variables: fc.oneof(
        { weight: 3, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
      ),
      extensions: fc.oneof(
        { weight: 9, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
      ),
      name: fc.constantFrom(undefined, undefined, undefined, 'A', '', null, 7),
      method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'HEAD', 'PUT'),
      // GraphiQL's page is dear, and always the same.
      accept: fc.oneof(
        { weight: 30, arbitrary: fc.constantFrom(...ACCEPTS) },
        { weight: 1, arbitrary: fc.constant('text/html') },
      ),
      type: fc.constantFrom(...TYPES),
      bodyEdits: editsOf(['{', '[', '"', ',', '\\', '\0', '\xff', '[[[[[[[['], 2, 6),
    })
    .map(({ query, edits, variables, extensions, name, method, accept, type, bodyEdits }) => {
      const asked = { query: editText(query, edits), variables, extensions, operationName: name };
      const headers: Record<string, string> = { Accept: accept };
      const isPlain = edits.length === 0 && variables === undefined && extensions === undefined && !name;
      if (method === 'POST' || method === 'PUT') {
        if (type !== '') headers['Content-Type'] = type;
        const body = editText(JSON.stringify(asked), bodyEdits);
        const isWhole = isPlain && bodyEdits.length === 0 && type === 'application/json';
        return { request: { method, path: '/graphql', headers, body }, query: isWhole ? query : null };
      }
      const given = Object.entries(asked).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, typeof value === 'string' ? value : JSON.stringify(value)]],
      );
      // The longest addresses have no room; those are for the sockets.
      const path = `/graphql?${new URLSearchParams(given)}`.slice(0, 12_000);
      return { request: { method, path, headers }, query: null };
    });
}

/** Operations that the schema takes, but for the values of their arguments. */
export function operations(kind: 'query' | 'subscription', known: Known): fc.Arbitrary<string> {
  const root = kind === 'query' ? schema.getQueryType() : schema.getSubscriptionType();
  const selection = new Selections(known);
  return selection
    .of(root as GraphQLObjectType, DEPTH, kind === 'query' ? 3 : 1)
    .map((text) => `${kind} ${text}`);
}

class Selections {
  readonly #values: fc.Arbitrary<string>;
  readonly #made = new Map<string, fc.Arbitrary<string>>();

  constructor(known: Known) {
    this.#values = textsOf(known);
  }

  of(type: GraphQLObjectType, depth: number, most = 4): fc.Arbitrary<string> {
    const key = `${type.name} ${depth}`;
    const made = this.#made.get(key);
    if (made !== undefined) return made;
    const fields = Object.values(type.getFields()).filter(
      (field) =>
        isLeafType(getNamedType(field.type)) || (depth > 0 && isObjectType(getNamedType(field.type))),
    );
    const chosen =
      fields.length === 0
        ? fc.constant('{ __typename }')
        : fc
            .subarray(fields, { minLength: 1, maxLength: Math.min(most, fields.length) })
            .chain((some) => fc.tuple(...some.map((field) => this.#field(field, depth))))
            .map((texts) => `{ ${texts.join(' ')} }`);
    this.#made.set(key, chosen);
    return chosen;
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): fc.Arbitrary<string> {
    const type = getNamedType(field.type);
    const below = isObjectType(type) ? this.of(type, depth - 1) : fc.constant('');
    const given = fc.tuple(...field.args.map((argument) => this.#argument(argument)));
    return fc.tuple(given, below).map(([all, below]) => {
      const texts = all.filter((text) => text !== '');
      return `${field.name}${texts.length === 0 ? '' : `(${texts.join(', ')})`} ${below}`;
    });
  }

  #argument({ name, type }: GraphQLArgument): fc.Arbitrary<string> {
    const given = this.#value(type, 2).map((text) => `${name}: ${text}`);
    if (isNonNullType(type)) return given;
    // Pages are small, so that many fit into what an operation may cost.
    if (name === 'first')
      return fc.constantFrom('first: 2', 'first: 2', 'first: 5', '', 'first: 0', 'first: 5001', 'last: 2');
    return fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: given });
  }

  #value(type: GraphQLInputType, depth: number): fc.Arbitrary<string> {
    if (isNonNullType(type)) return this.#value(type.ofType, depth);
    if (isListType(type))
      return fc.array(this.#value(type.ofType, depth), { maxLength: 3 }).map((all) => `[${all.join(', ')}]`);
    if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name), 'NONE', '"x"');
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields());
      const some = fc.subarray(fields, { minLength: fields.length > 0 ? 1 : 0 });
      return some
        .chain((chosen) =>
          fc.tuple(
            ...chosen.map((field) =>
              this.#value(field.type, depth - 1).map((text) => `${field.name}: ${text}`),
            ),
          ),
        )
        .map((texts) => `{ ${texts.join(', ')} }`);
    }
    const texts = this.#values.map((text) => JSON.stringify(text));
    switch (type.name) {
      case 'Boolean':
        return fc.constantFrom('true', 'false', '"true"', '1');
      case 'Int':
        return fc.constantFrom('0', '1', '7', '-1', '2147483647', '2147483648', '"1"', '1.5');
      default:
        return fc.oneof(
          { weight: 5, arbitrary: texts },
          { weight: 1, arbitrary: fc.constantFrom('7', 'true', '1.5', 'X', 'null', '$a') },
        );
    }
  }
}
