import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { followedNames } from '../../src/data/history/changed-rows.ts';
import { DEMO } from '../../src/demo.ts';
import { EXAMPLES } from '../../src/reference/examples.ts';
import { HEADERS } from '../../src/reference/headers.ts';
import { describeRest } from '../../src/reference/openapi.ts';
import { furtherRoutes, routes, streamRoutes } from '../../src/rest/index.ts';
import { writePath } from '../../src/rest/route.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openNdjson } from '../support/http-clients.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { createValidator } from './json-schemas.ts';
import { findRequests, recordAnswers, recordMessages } from './recorded-examples.ts';

const document = describeRest();
const validate = createValidator(document);

const database = await forAllTests(createSimulatedDatabase(DEMO));
const gateway = await forAllTests(startTestGateway(database.url, { RATE_LIMIT: '1000000000' }));

test("Redocly's recommended rules find nothing in it", async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const lint = async (source: object) => {
    const problems = await lintFromString({
      source: JSON.stringify(source),
      absoluteRef: 'openapi.json',
      config,
    });
    return problems.map(({ message, location: [at] }) => `${at?.pointer}: ${message}`);
  };
  expect(await lint(document)).toEqual([]);
  // And they do look.
  const { license, ...info } = document.info;
  expect(await lint({ ...document, info })).not.toEqual([]);
});

test('it has every route with every parameter', () => {
  const told = Object.entries(document.paths as Json).map(([path, { get }]: Json) => [
    path,
    get.parameters.flatMap((one: Json) => one.name ?? []),
  ]);
  const known = [...routes, ...streamRoutes].map(({ path, parameters }) => [
    writePath(path),
    Object.keys(parameters),
  ]);
  expect(told).toEqual(known);
});

test('it marks the paths that are beyond the documented ones, and those alone', () => {
  const marked = Object.entries(document.paths as Json).flatMap(([path, { get }]: Json) =>
    get.tags.includes('Further queries') ? [path] : [],
  );
  expect(marked).toEqual(furtherRoutes.map(({ path }) => writePath(path)));
  expect(marked).toContain('/api/v2/market/{marketId}');
});

test('its bare numbers are factors of markets alone, as it says', () => {
  const withNumbers = Object.entries(document.components.schemas as Json).flatMap(([name, one]: Json) =>
    Object.values<Json>(one.properties ?? {}).some(({ type }) => type === 'number') ? [name] : [],
  );
  expect(withNumbers.sort()).toEqual([
    'LogNormalModelParams',
    'LogNormalRiskModel',
    'ScalingFactors',
    'SimpleModelParams',
    'TargetStakeParameters',
  ]);
  expect(document.info.description).toContain('Factors of markets');
});

describe('of real answers', () => {
  test('the examples are what the network of the demo gives', async () => {
    const answers = await recordAnswers(gateway, await findRequests(gateway));
    const messages = await recordMessages(gateway, database);
    // `npx vitest run test/reference/openapi.test.ts --update` takes over what has changed.
    await expect(`${JSON.stringify({ answers, messages }, null, 2)}\n`).toMatchFileSnapshot(
      '../../src/reference/examples.json',
    );
  });

  test('every good and bad one is as it says', async () => {
    const asked = await findRequests(gateway);
    const statuses = new Map<string, Set<number>>();
    for (const { path, request } of asked) {
      const { status, body, headers } = await gateway.rest(request);
      const { responses } = operationOf(path);
      expect(validate(schemaOf(responses, status), body), `${request}: ${JSON.stringify(body)}`).toEqual([]);
      expect(unknownHeaders(headers, responses, status)).toEqual([]);
      statuses.set(path, (statuses.get(path) ?? new Set()).add(status));
    }
    for (const { path, parameters } of routes) {
      const { responses } = operationOf(path);
      // What has no parameters cannot be asked badly.
      const bad = Object.keys(parameters).length > 0 ? [400] : [];
      const expected = [200, ...bad, ...('404' in responses ? [404] : [])];
      expect([...(statuses.get(path) ?? [])].sort(), path).toEqual(expected);
    }
  });

  test('one with a field more, one less or one of another type is refused', () => {
    const { responses } = operationOf('/api/v2/deposit/:id');
    const schema = schemaOf(responses, 200);
    const { answer } = EXAMPLES.answers.find(
      ({ path, status }) => path.endsWith('/:id') && status === 200,
    ) as {
      answer: { deposit: Record<string, unknown> };
    };
    const { amount, ...less } = answer.deposit;
    expect(validate(schema, answer)).toEqual([]);
    expect(validate(schema, { deposit: less })).not.toEqual([]);
    expect(validate(schema, { deposit: { ...answer.deposit, more: '' } })).not.toEqual([]);
    expect(validate(schema, { deposit: { ...answer.deposit, amount: Number(amount) } })).not.toEqual([]);
    expect(validate(schema, { deposit: null })).not.toEqual([]);
  });

  test('304, and every header that it names', async () => {
    const { responses } = operationOf('/votes');
    // Each header is there for some requests alone.
    for (const [query, prefer, absent] of [
      ['?nothing=1', 'handling=lenient, block-digest', 'Preference-Applied'],
      ['', 'handling=strict, block-digest', 'X-Ignored-Parameters'],
    ] as const) {
      const ask = (etag: string) =>
        fetch(`${gateway.url}/votes${query}`, { headers: { Prefer: prefer, 'If-None-Match': etag } });
      const first = await ask('"none"');
      await first.text();
      const again = await ask(first.headers.get('etag') ?? '');
      expect(again.status).toBe(304);
      for (const { headers, status } of [first, again]) {
        const named = Object.keys(responseOf(responses, status).headers ?? {});
        expect(named.filter((name) => !headers.has(name))).toEqual([absent]);
        expect(unknownHeaders(headers, responses, status)).toEqual([]);
      }
    }
  });

  test.each(streamRoutes.map(({ path }) => path))('the messages of %s', async (path) => {
    const schema = operationOf(path).responses[200]?.content['application/json'].schema;
    const { request = '' } = EXAMPLES.messages.find((one) => one.path === path) ?? {};
    const candleId = new URLSearchParams(request.replace(/.*\?/, '')).get('candleId');
    const needed = { changes: `nouns=${followedNames.join()}&`, data: `candleId=${candleId}&` };
    const address = `${path}?${needed[path.replace(/.*\//, '') as keyof typeof needed] ?? ''}`;
    for (const query of ['cursors=true', '']) {
      await using stream = await openNdjson(gateway.url, `${address}${query}`);
      expect(validate(schema, await stream.next())).toEqual([]);
    }
    const examples = EXAMPLES.messages.filter((one) => one.path === path);
    // Which blocks a candle is told of together is open: its first message alone is always the same.
    expect(examples.length).toBe(candleId === null ? 2 : 1);
    for (const { message } of examples) expect(validate(schema, message)).toEqual([]);
    const refused = await gateway.rest(`${address}after=nothing`);
    expect(validate(schemaOf(operationOf(path).responses, refused.status), refused.body)).toEqual([]);
    expect(validate(schema, { error: refused.body })).toEqual([]);
    expect(validate(schema, { result: {} })).not.toEqual([]);
  });
});

test('the gateway serves it', async () => {
  const { status, text, headers } = await gateway.rest('/openapi.json');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json');
  expect(text).toBe(JSON.stringify(document));
  expect(JSON.parse(await readFile('package.json', 'utf8')).version).toBe(document.info.version);
});

// biome-ignore lint/suspicious/noExplicitAny: documents are read as any client reads them.
type Json = any;

function operationOf(path: string): Json {
  return (document.paths as Json)[writePath(path)].get;
}

function responseOf(responses: Json, status: number): Json {
  const found = responses[status];
  const ref = /responses\/(\w+)$/.exec(found?.$ref ?? '')?.[1];
  return ref === undefined ? found : (document.components.responses as Json)[ref];
}

function schemaOf(responses: Json, status: number): Json {
  return responseOf(responses, status).content['application/json'].schema;
}

/** The headers of our own that an answer has and the document does not tell. */
function unknownHeaders(headers: Headers, responses: Json, status: number): readonly string[] {
  const told = Object.keys(responseOf(responses, status).headers ?? {});
  const own = Object.keys(HEADERS).filter((name) => headers.has(name));
  return own.filter((name) => !told.includes(name));
}
