import { tmpdir } from 'node:os';
import { ERROR_CODES } from '../../src/errors.ts';

/** An answer as it came, whatever it came on. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** Whether an answer goes on for as long as its reader stays. */
export function isStream({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean {
  const type = String(headers['content-type']);
  return status === 200 && (headers['x-accel-buffering'] === 'no' || type.startsWith('text/event-stream'));
}

/** Whether an answer is a page for people, which may name files and lines. */
export function isPage(headers: Answer['headers']): boolean {
  return String(headers['content-type']).startsWith('text/html');
}

const NUMBERS = new Set<unknown>(Object.values(ERROR_CODES).map(({ number }) => number));
/** The statuses that HTTP itself has besides those of the codes. */
const HTTP_STATUSES = [304, 406, 408, 413, 415, 431];

/** What nobody outside may read: stacks, SQL and the driver, paths of this machine, versions of what runs. */
const SECRETS: readonly RegExp[] = [
  /\n? +at .{0,200}:\d+:\d+/,
  /\bnode_modules\b|\bdist\/|\.ts:\d+|\.js:\d+|\bfile:\/\//,
  /\bprisma\b|\bP[12]0\d\d\b|\bpg_\w|\bpsql|\bECONN|\bENOENT|syntax error at or near|\bSQLSTATE|\brelation "/i,
  new RegExp(literally(process.cwd())),
  new RegExp(`${literally(tmpdir())}/`),
  new RegExp(`\\b${literally(process.versions.node)}\\b|PostgreSQL \\d`),
];

/** What is wrong with any answer of the gateway, whatever was asked; null where nothing is. */
export function findFault({ status, headers, body }: Answer): string | null {
  if (status >= 500) return `status ${status}: ${body.slice(0, 500)}`;
  for (const name of ['server', 'x-powered-by'])
    if (headers[name]) return `the header ${name} tells what runs`;
  const leak = isPage(headers) ? null : findLeak(body);
  if (leak !== null) return leak;
  if (status < 300 || status === 304) return null;
  return findErrorFault(status, headers, body);
}

export function findLeak(text: string): string | null {
  const secret = SECRETS.find((pattern) => pattern.test(text));
  return secret === undefined ? null : `the answer tells ${secret.exec(text)?.[0]}: ${text.slice(0, 500)}`;
}

/** An answer that is no success is the documented error body. */
function findErrorFault(status: number, headers: Answer['headers'], body: string): string | null {
  const type = headers['content-type'];
  const isEvents = type === 'text/event-stream';
  if (type !== 'application/json' && !isGraphqlType(type) && !isEvents)
    return `status ${status} has the content type ${type}`;
  let error: ErrorBody;
  try {
    error = JSON.parse(body);
  } catch {
    return `status ${status} has no JSON: ${body.slice(0, 300)}`;
  }
  if (!NUMBERS.has(error.code)) return `status ${status} has the code ${error.code}`;
  if (typeof error.message !== 'string' || error.message === '') return `status ${status} has no message`;
  const details = error.details;
  if (!Array.isArray(details) || details.some((detail) => typeof detail?.['@type'] !== 'string'))
    return `status ${status} has the details ${JSON.stringify(details)}`;
  const statuses = Object.values(ERROR_CODES).flatMap((one) =>
    one.number === error.code ? [one.status] : [],
  );
  if (!statuses.includes(status as never) && !HTTP_STATUSES.includes(status))
    return `status ${status} does not go with the code ${error.code}`;
  const unknown = Object.keys(error).filter((key) => !KEYS.includes(key));
  return unknown.length === 0 ? null : `status ${status} has a body with ${unknown.join(', ')}`;
}

function isGraphqlType(type: unknown): boolean {
  return typeof type === 'string' && /^application\/(graphql-response\+)?json(; charset=utf-8)?$/.test(type);
}

export interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly details: readonly (Readonly<Record<string, unknown>> & {
    readonly fieldViolations?: readonly { readonly field: string }[];
  })[];
  readonly errors?: readonly unknown[];
}

/** GraphQL's own are beside the documented ones. */
const KEYS = ['code', 'message', 'details', 'errors', 'data'];

/** The parameters that an error names. */
export function namedIn(body: string): readonly string[] {
  const { details } = JSON.parse(body) as ErrorBody;
  return details.flatMap(({ fieldViolations }) => fieldViolations?.map(({ field }) => field) ?? []);
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
