import { STATUS_CODES } from 'node:http';
import { ERROR_CODES, type ErrorCode, type ErrorDetail } from '../errors.ts';
import type { JsonSchema } from '../rest/json-schema.ts';

/** What each code says to whoever asked. */
const MEANING: Readonly<Record<ErrorCode, string>> = {
  INVALID_ARGUMENT: 'a parameter is missing, or cannot be taken; it is named with its value',
  NOT_FOUND: 'there is no such thing, or nothing at this path',
  RESOURCE_EXHAUSTED: 'this client has asked for more than it may',
  FAILED_PRECONDITION: 'the question is sound, but what it asks of has no answer',
  OUT_OF_RANGE:
    'a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more',
  UNIMPLEMENTED: 'the path takes other methods; Allow names them',
  INTERNAL: 'something went wrong here; the log has it under the request id',
  UNAVAILABLE: 'there is more to do than can be done, or the database is out of reach: try again',
};

const codes = Object.entries(ERROR_CODES) as [ErrorCode, (typeof ERROR_CODES)[ErrorCode]][];

/** The documented statuses that are errors, with what each means. */
export const ERROR_STATUSES: ReadonlyMap<number, string> = new Map(
  [...new Set(codes.map(([, { status }]) => status))].sort().map((status) => [
    status,
    codes
      .filter(([, code]) => code.status === status)
      .map(([name, { number }]) => `${name} (${number}): ${MEANING[name]}.`)
      .join(' '),
  ]),
);

/** The name of a status as a component has it: `NotFound`. */
export function nameOfStatus(status: number): string {
  return (STATUS_CODES[status] ?? `Status ${status}`).replace(/\W/g, '');
}

const text: JsonSchema = { type: 'string' };

/** The details that an error can have, by the last word of their type. */
const DETAILS: Readonly<Record<DetailName, Readonly<Record<string, JsonSchema>>>> = {
  BadRequest: {
    fieldViolations: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          field: { ...text, description: 'The documented name of the parameter.' },
          description: text,
        },
        required: ['field', 'description'],
      },
    },
  },
  ResourceInfo: {
    resourceType: { ...text, description: 'What was asked for, such as `deposit`.' },
    resourceName: { ...text, description: 'The id that it was asked for by.' },
  },
  ErrorInfo: {
    reason: {
      ...text,
      description: 'Why there is nothing as of a block.',
      enum: ['NO_SUCH_BLOCK', 'BLOCK_NOT_KEPT'],
    },
    domain: { const: 'periscope' },
    metadata: {
      type: 'object',
      description: 'Blocks that can be asked about, as far as they are known.',
      properties: {
        firstHeight: { ...text, description: 'The height of the first.' },
        newestHeight: { ...text, description: 'The height of the newest.' },
      },
    },
  },
  RetryInfo: { retryDelay: { ...text, description: 'After how long to try again, such as `1s`.' } },
  RequestInfo: { requestId: { ...text, description: 'The id of the request, as in X-Request-Id.' } },
};

type DetailName = ErrorDetail['@type'] extends `${string}google.rpc.${infer Name}` ? Name : never;

/** The error body, which every answer has that is no success. */
export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'The body of every answer that is no success, whatever produced it.',
  properties: {
    code: {
      type: 'integer',
      format: 'int32',
      description: 'The gRPC code of the error.',
      enum: codes.map(([, { number }]) => number),
      'x-enumDescriptions': Object.fromEntries(
        codes.map(([name, { number, status }]) => [number, `${name}, status ${status}: ${MEANING[name]}`]),
      ),
    },
    message: { type: 'string', description: 'What is the matter, for a person.' },
    details: {
      type: 'array',
      description: 'The same for programs.',
      items: { anyOf: Object.entries(DETAILS).map(([name, properties]) => detail(name, properties)) },
    },
  },
  required: ['code', 'message', 'details'],
};

function detail(name: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const all = { '@type': { const: `type.googleapis.com/google.rpc.${name}` }, ...properties };
  return { title: name, type: 'object', properties: all, required: Object.keys(all) };
}
