import type { Request } from 'express';
import { parseJson } from '../engine/documents/operation-params.ts';
import { isJson } from './media-types.ts';
import { readQueryParams } from './request-plugins.ts';

/** How many bytes an operation is sent as. */
export function lengthOf({ body, originalUrl }: Request): number {
  return Buffer.isBuffer(body) ? body.length : originalUrl.length;
}

/** The parameters of an operation that comes as JSON or in the address; null where another handler says what is wrong with them. */
export function readParams(request: Request): unknown {
  try {
    if (request.method === 'POST')
      return isJson(request.get('Content-Type')) ? parseJson(request.body) : null;
    return readQueryParams(new URL(request.originalUrl, 'http://localhost').searchParams);
  } catch {
    return null;
  }
}
