import type { JsonSchema } from '../rest/json-schema.ts';

/** A header of an answer, as OpenAPI has it. */
export interface HeaderObject {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: unknown;
}

const text: JsonSchema = { type: 'string' };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const digits: JsonSchema = { type: 'string', pattern: '^[0-9]+$' };

function header(description: string, schema: JsonSchema, example: unknown): HeaderObject {
  return { description, schema, example };
}

/** The header of a request that says how new its answer is to be. */
export const MIN_BLOCK = {
  description:
    'The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come.',
  schema: digits,
} as const;

/** The headers that answers carry besides those that every HTTP service has. */
export const HEADERS = {
  'X-Request-Id': header(
    "The id of the request: the caller's own X-Request-Id where it sent a sane one. The log has it.",
    text,
    '4f7c1c1e-6f0e-4c0b-9d0a-2b9a4f5f7a10',
  ),
  'X-Block-Height': header(
    'The height of a block that the answer is at least as new as; of the block as of which it is, where one was asked for.',
    digits,
    '150',
  ),
  'X-Block-Timestamp': header(
    'The time of that block, in nanoseconds since the Unix epoch.',
    digits,
    '1767225749014927632',
  ),
  'X-Block-Digest': header(
    'The digest of that block and of all before it, in hexadecimal: for requests with `Prefer: block-digest`, where it is known.',
    text,
    '9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a',
  ),
  ETag: header(
    'What the answer is known by. Sent back in If-None-Match, it is answered with 304 for as long as the answer is the same.',
    text,
    'W/"Ff1d0Q5sB2pQm0b6dN7y3A"',
  ),
  'X-Ignored-Parameters': header(
    'The parameters of the request that the path does not have, separated by commas; absent where there are none.',
    text,
    'partyID',
  ),
  'Preference-Applied': header(
    'Says `handling=strict` to a request that sent it in Prefer; absent for others.',
    text,
    'handling=strict',
  ),
  'RateLimit-Limit': header(
    'How much a client may ask for at once, in the cost of operations; these four are absent where there is no limit.',
    count,
    2000000,
  ),
  'RateLimit-Remaining': header('How much of it is left.', count, 1999930),
  'RateLimit-Reset': header('In how many seconds all of it is there again.', count, 1),
  'RateLimit-Policy': header('The limit, and the seconds that it is for.', text, '2000000;w=10'),
  'Retry-After': header('After how many seconds the request may be made again.', count, 1),
} as const satisfies Readonly<Record<string, HeaderObject>>;

export type HeaderName = keyof typeof HEADERS;

const RATE_LIMIT: readonly HeaderName[] = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
];

/** What every answer of a documented path has; a stream names its blocks in its messages. */
export const COMMON_HEADERS: readonly HeaderName[] = [
  'X-Request-Id',
  'X-Ignored-Parameters',
  'Preference-Applied',
  ...RATE_LIMIT,
];
export const BLOCK_HEADERS: readonly HeaderName[] = ['X-Block-Height', 'X-Block-Timestamp', 'X-Block-Digest'];

/** The headers of an answer, by reference. */
export function headerRefs(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
