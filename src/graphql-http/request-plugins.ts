import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { badRequest } from '../engine/client-errors.ts';
import { parseJson } from '../engine/documents/operation-params.ts';
import type { Engine } from '../engine/engine.ts';
import { quoted } from '../errors.ts';
import { exchangeOf } from '../http/write/exchange.ts';
import { isJson } from './media-types.ts';

/** What Yoga's hooks are told of the request that they work for. */
export interface ServerContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

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
export function useReadParameters(engine: Engine): Plugin<object, ServerContext> {
  return {
    onRequestParse({ request, url, requestParser, setRequestParser, serverContext: { req, res } }) {
      const { client } = exchangeOf(res).scope;
      const { body = Buffer.alloc(0) } = req as { body?: Buffer };
      if (request.method === 'GET')
        setRequestParser(() =>
          engine.readBytes(client, url.search.length, () => readQueryParams(url.searchParams)),
        );
      else if (isJson(req.headers['content-type']))
        setRequestParser(() => engine.readBytes(client, body.length, () => parseJson(body) as GraphQLParams));
      else if (FORM.test(request.headers.get('content-type') ?? ''))
        setRequestParser(() =>
          engine.readBytes(client, body.length, () => readForm(new URLSearchParams(body.toString()))),
        );
      else if (requestParser !== undefined)
        setRequestParser((sent) =>
          engine.readBytes(client, body.length, () => readBody(sent, requestParser)),
        );
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
