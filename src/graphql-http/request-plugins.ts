import { type DocumentNode, GraphQLError, getOperationAST, Kind } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { badRequest } from '../engine/client-errors.ts';
import { refuseValues } from '../engine/documents/parameter-values.ts';
import { type GatewayError, quoted } from '../errors.ts';
import type { ServerContext } from './server-context.ts';

/** HEAD asks as GET does; Node itself leaves the body of the answer out. */
export function useHeadAsGet(): Plugin<object, ServerContext> {
  return {
    onRequest({ request, setRequest, fetchAPI }) {
      if (request.method !== 'HEAD') return;
      const { url, headers, signal } = request;
      setRequest(new fetchAPI.Request(url, { method: 'GET', headers, signal }));
    },
  };
}

/** Reads the parameters of an operation, and names what cannot be read. */
export function useReadParameters(): Plugin<object, ServerContext> {
  return {
    onRequestParse({ request, url, requestParser, setRequestParser }) {
      if (request.method === 'GET') setRequestParser(() => readQueryParams(url.searchParams));
      else if (FORM.test(request.headers.get('content-type') ?? ''))
        setRequestParser(async (sent) => readForm(new URLSearchParams(await sent.text())));
      else if (requestParser !== undefined) setRequestParser((sent) => readBody(sent, requestParser));
    },
  };
}

const FORM = /^application\/x-www-form-urlencoded *(?:[;,]|$)/;

/** Reads the parameters of an operation that stand in a query, or in a form. */
export function readQueryParams(given: URLSearchParams): GraphQLParams {
  return {
    query: given.get('query') || undefined,
    operationName: given.get('operationName') || undefined,
    variables: readObject(given, 'variables'),
    extensions: readObject(given, 'extensions'),
  } as GraphQLParams;
}

/** JSON that curl sends without a content type of its own comes as a form without a query. */
function readForm(given: URLSearchParams): GraphQLParams {
  if (given.get('query')) return readQueryParams(given);
  throw badRequest('query', 'The form has no query. JSON is sent with Content-Type: application/json.');
}

function readObject(given: URLSearchParams, name: string): object | null | undefined {
  const text = given.get(name) || undefined;
  if (text === undefined) return undefined;
  const value = readJson(text);
  if (typeof value === 'object' && !Array.isArray(value)) return value;
  throw badRequest(name, `${name} takes a JSON object, not ${quoted(text)}.`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type RequestParser = (request: Request) => PromiseOrValue<GraphQLParams | GraphQLParams[] | Response>;
type PromiseOrValue<Value> = Promise<Value> | Value;

/** Yoga says more of a body that it cannot read than a client needs. */
async function readBody(request: Request, parse: RequestParser) {
  try {
    return await parse(request);
  } catch (error) {
    throw error instanceof GraphQLError ? badRequest('body', error.message) : error;
  }
}

/** Refuses parameters with values that nothing here can take. */
export function useValueRefusal(): Plugin<object, ServerContext> {
  return {
    onParams({ params }) {
      const refusal = refuseValues(params);
      if (refusal !== null) throw refusal;
    },
  };
}

/** Refuses documents in which there is not the one operation that is asked for, on every transport. */
export function useNamedOperation(): Plugin {
  return {
    onParse: () => (parsed) => {
      if (!isDocument(parsed.result)) return;
      const refusal = refuseOtherOperations(parsed.result, parsed.context.params?.operationName);
      if (refusal !== null) throw refusal;
    },
  };
}

function isDocument(result: unknown): result is DocumentNode {
  return typeof result === 'object' && result !== null && 'definitions' in result;
}

function refuseOtherOperations(document: DocumentNode, name: unknown): GatewayError | null {
  const isText = typeof name === 'string';
  if (!isText && name !== null && name !== undefined)
    return badRequest('operationName', `operationName takes a string, not ${quoted(JSON.stringify(name))}.`);
  if (getOperationAST(document, name)) return null;
  if (isText) return badRequest('operationName', `The document has no operation named ${quoted(name)}.`);
  const count = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length;
  if (count === 0) return badRequest('query', 'The document has no operation, only fragments or types.');
  return badRequest(
    'operationName',
    `The document has ${count} operations; operationName must say which of them is asked for.`,
  );
}
