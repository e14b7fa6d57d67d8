import fc from 'fast-check';
import { describeTooEarly } from '../../src/domain/time.ts';
import { routes, streamRoutes } from '../../src/rest/index.ts';
import type { Parameter } from '../../src/rest/params.ts';
import { type Answer, namedIn } from './answers.ts';
import type { Kind } from './campaign.ts';
import { findShapeFault } from './documented-shapes.ts';
import type { HttpClient, HttpRequest } from './http-client.ts';
import { editsOf, editText, interestingTexts, type Known, textsOf } from './texts.ts';

/** A request to a documented path, and what is known of it. */
interface RestInput {
  readonly path: string;
  readonly request: HttpRequest;
  /** The parameters that cannot be taken; null where nobody knows. */
  readonly bad: readonly string[] | null;
  readonly names: readonly string[];
}

interface Given {
  readonly name: string;
  readonly text: string;
  readonly isBad: boolean;
}

const METHODS = [
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'DELETE',
  'OPTIONS',
  'PROPFIND',
];
const PIECES = [
  '%',
  '%0',
  '%zz',
  '%00',
  '%ff',
  '%c3',
  '&',
  '=',
  '?',
  ';',
  ',',
  '+',
  '#',
  '/',
  '//',
  '[]',
  '&&',
  '%26',
  'é',
];
const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  { 'Accept-Encoding': 'gzip, br' },
  { 'Accept-Encoding': 'zstd;q=1, *;q=0' },
  { Accept: 'text/event-stream' },
  { Accept: '*/*;q=x, ,' },
  { Origin: 'null' },
  { 'If-None-Match': '*', 'If-Modified-Since': 'never' },
  { Range: 'bytes=0-1,5-' },
  { 'X-Request-Id': 'a b\t"c"' },
  { 'Last-Event-ID': 'none' },
  { Expect: '100-continue' },
  { 'X-HTTP-Method-Override': 'DELETE', 'X-Forwarded-For': "1'; --" },
];

/**
 * Requests to the documented paths, by their records: each parameter is absent, as it should be or not, and written in any
 * way. Streams are a kind of their own: some are quiet, and then wait for a heartbeat.
 */
export function restKinds(client: HttpClient, known: Known): readonly Kind<RestInput>[] {
  return [
    { ...restKind(client, known, routes), name: 'rest', share: 39, lanes: 8 },
    { ...restKind(client, known, streamRoutes), name: 'rest streams', share: 1, lanes: 16 },
  ];
}

function restKind(client: HttpClient, known: Known, all: readonly AnyRoute[]) {
  return {
    inputs: fc.oneof(...all.map((route) => inputsOf(route, known))),
    show: ({ request }: RestInput) => `${request.method} ${request.path} ${JSON.stringify(request.headers)}`,
    send: (input: RestInput) => client.send(input.request, (answer) => findRestFault(input, answer)),
  };
}

function findRestFault({ path, request, bad, names }: RestInput, { status, body }: Answer): string | null {
  if (request.method !== 'GET') return null;
  if (bad !== null && bad.length > 0) {
    if (status !== 400) return `${bad.join(', ')} cannot be taken, and the status is ${status}`;
    const named = namedIn(body);
    // Which of two faults is told is open.
    const isOther = named.includes('asOfTime') && names.includes('asOf');
    return isOther || named.some((name) => bad.includes(name))
      ? null
      : `${bad.join(', ')} cannot be taken, and named is ${named}`;
  }
  if (status === 304) {
    const isKnown = request.headers['If-None-Match'] === '*' && body === '';
    return isKnown ? null : `the status is 304: ${body.slice(0, 300)}`;
  }
  if (status === 200) {
    const isDocumented = leadsTo(path, request.path) && !names.includes('format');
    return isDocumented ? findShapeFault(path, body) : null;
  }
  if (bad === null) return [400, 404].includes(status) ? null : `the status is ${status}`;
  const isOne = /:|\/estimate\/|\/candle\/intervals$/.test(path);
  if (status === 404 && isOne) return null;
  const { code } = JSON.parse(body);
  if (status === 400 && path.includes('/estimate/') && code === 9) return null;
  // A block that is not there, or whose past is not kept.
  if (status === 400 && code === 11 && /[?&](asOf|as_of)/i.test(request.path)) return null;
  const named = status === 400 ? namedIn(body) : [];
  // What goes with what is a rule of its own: pages, ranges, two names of one thing, cursors, what a margin mode needs.
  const isRule =
    named.length > 0 &&
    named.every(
      (name) => names.includes(name) && (RULED.test(name) || (isOne && NEEDED_IN_MODES.test(name))),
    );
  return isRule ? null : `the status is ${status}: ${body.slice(0, 300)}`;
}

/** Whether an address is one of a route's path; a bent one may be another's, as of `/`. */
function leadsTo(path: string, address: string): boolean {
  const [sent = ''] = address.split(/[?#]/, 1);
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(sent);
}

const RULED =
  /^(pagination\.\w+|filter\.(party|market|asset)Ids|after|asOfTime|startTimestamp|endTimestamp|toTimestamp|assetId|size|price|openVolume|collateralAvailable|units)$/;

/** What an estimate needs where it is asked for in the way of newer releases. */
const NEEDED_IN_MODES =
  /^(averageEntryPrice|marginAccountBalance|orderMarginAccountBalance|generalAccountBalance|marginFactor)$/;

type AnyRoute = (typeof routes)[number] | (typeof streamRoutes)[number];

function inputsOf(route: AnyRoute, known: Known): fc.Arbitrary<RestInput> {
  const names = Object.keys(route.parameters);
  const given = Object.entries(route.parameters).map(([name, one]) => givenOf(name, one, known));
  const parameters = fc.tuple(...given).map((all) => all.flat());
  const junk = fc.array(fc.tuple(textsOf(known), textsOf(known)), { maxLength: 2 });
  return fc
    .record({
      parameters,
      junk: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: junk }),
      method: fc.constantFrom(...METHODS),
      headers: fc.constantFrom(...HEADERS),
      isSnake: fc.boolean(),
      edits: editsOf(PIECES, 3, 4),
    })
    .map(({ parameters, junk, method, headers, isSnake, edits }) => {
      const written = (name: string) =>
        isSnake ? name.replace(/[A-Z]/g, (l) => `_${l.toLowerCase()}`) : name;
      const path = parameters.reduce(
        (so, { name, text }) => so.replace(`:${name}`, encode(text)),
        route.path,
      );
      const query = [
        ...parameters
          .filter(({ name }) => !route.path.includes(`:${name}`))
          .map(({ name, text }) => [written(name), text]),
        ...junk,
      ].map(([name = '', text = '']) => `${encode(name)}=${encode(text)}`);
      const target = query.length === 0 ? path : `${path}?${query.join('&')}`;
      const missing = names.filter(
        (name) =>
          route.parameters[name]?.required && !parameters.some((one) => one.name === name && one.text !== ''),
      );
      const isKnown = edits.length === 0 && junk.length === 0;
      return {
        path: route.path,
        names,
        request: {
          // A refusal of what is no HTTP has a body, which no client expects after HEAD: its method was not read.
          method: method === 'HEAD' && edits.length > 0 ? 'GET' : method,
          path: edits.length === 0 ? target : `/${escapeRaw(editText(target.slice(1), edits))}`,
          headers,
        },
        bad: isKnown
          ? [...missing, ...parameters.filter(({ isBad }) => isBad).map(({ name }) => name)]
          : null,
      };
    });
}

/** A parameter as it should be, as it should not, or absent; of a path, always there. */
function givenOf(
  name: string,
  { type, list, in: place }: Parameter<unknown>,
  known: Known,
): fc.Arbitrary<readonly Given[]> {
  const texts = interestingTexts(known).filter((text) => !(list && text.includes(',')) && text !== '');
  // A path that is not there is another path.
  const usable = place === 'path' ? texts.filter((text) => !/^\.{0,2}$/.test(text)) : texts;
  const isGood = (text: string) => {
    const value = type.read(text);
    // A time that is hardly after 1970 is read, and refused by the operation.
    return (
      value !== undefined && !(name.endsWith('Timestamp') && describeTooEarly(BigInt(String(value))) !== null)
    );
  };
  const goodTexts = usable.filter(isGood);
  // One that takes nothing may stand there blank.
  const good = fc
    .constantFrom(...(goodTexts.length === 0 ? [''] : goodTexts))
    .map((text) => ({ name, text, isBad: false }));
  const bad = fc
    .constantFrom(...usable.filter((text) => !isGood(text)), '\0')
    .map((text) => ({ name, text, isBad: !isGood(text) }));
  const one = fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: bad });
  if (place === 'path') return one.map((given) => [given]);
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(one, { minLength: 1, maxLength: list ? 3 : 1 }) },
  );
}

function encode(text: string): string {
  // Half a pair cannot be sent in UTF-8.
  return encodeURIComponent(text.toWellFormed());
}

/** What Node's client would not send. */
function escapeRaw(target: string): string {
  return target.replace(/[^\x21-\xff]/g, (char) => encodeURIComponent(char));
}
