import type { IncomingMessage } from 'node:http';
import type { Plugin } from 'graphql-yoga';
import { MIN_BLOCK_HEADER } from '../http/limits/min-block.ts';
import { etagOf } from '../http/write/answer.ts';
import { CACHE_CONTROL, hasAlready } from '../http/write/send-answer.ts';
import type { ServerContext } from './server-context.ts';

/**
 * Lets caches keep the answers of queries that are asked with GET, as those of the documented paths: each is known by its
 * ETag, and one with an error is nobody's to keep.
 */
export function useCacheableGets(): Plugin<object, ServerContext> {
  const withoutError = new WeakSet<IncomingMessage>();
  return {
    onResultProcess({ result, serverContext }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result || result.errors !== undefined) return;
      withoutError.add(serverContext.req);
    },
    async onResponse({ response, setResponse, fetchAPI, serverContext: { req } }) {
      if ((req.method !== 'GET' && req.method !== 'HEAD') || !isJson(response)) return;
      if (response.status !== 200 || !withoutError.has(req)) {
        response.headers.set('Cache-Control', 'no-store');
        return;
      }
      const body = await response.text();
      const etag = etagOf(body);
      const headers = new fetchAPI.Headers();
      response.headers.forEach((value, name) => {
        headers.set(name, value);
      });
      headers.set('Cache-Control', CACHE_CONTROL);
      headers.set('ETag', etag);
      headers.append('Vary', `Accept, ${MIN_BLOCK_HEADER}`);
      if (!hasAlready(req, etag)) return setResponse(new fetchAPI.Response(body, { status: 200, headers }));
      for (const name of ['Content-Type', 'Content-Length']) headers.delete(name);
      setResponse(new fetchAPI.Response(null, { status: 304, headers }));
    },
  };
}

function isJson({ headers }: { readonly headers: Headers }): boolean {
  return /^application\/(?:graphql-response\+)?json\b/.test(headers.get('Content-Type') ?? '');
}
