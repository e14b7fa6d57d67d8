import { createYoga, type Plugin } from 'graphql-yoga';
import { beforeEach, expect, test } from 'vitest';
import { DocumentCache, useDocumentCache } from '../../src/engine/documents/document-cache.ts';
import { schema } from '../../src/graphql/index.ts';

const fields = (count: number) => Array.from({ length: count }, (_, n) => `f${n}: __typename`).join(' ');

let work: { parsed: number; validated: number };
let ask: (query: string) => Promise<unknown>;

beforeEach(() => {
  work = { parsed: 0, validated: 0 };
  const counting: Plugin = {
    onParse({ parseFn, setParseFn }) {
      setParseFn((...args) => {
        work.parsed += 1;
        return parseFn(...args);
      });
    },
    onValidate({ validateFn, setValidationFn }) {
      setValidationFn((...args: Parameters<typeof validateFn>) => {
        work.validated += 1;
        return validateFn(...args);
      });
    },
  };
  const yoga = createYoga({
    schema,
    plugins: [counting, useDocumentCache(new DocumentCache())],
    parserAndValidationCache: false,
    logging: false,
  });
  ask = async (query) => {
    const body = JSON.stringify({ query });
    const headers = { 'content-type': 'application/json' };
    return (await yoga.fetch('http://localhost/graphql', { method: 'POST', headers, body })).json();
  };
});

test('what is asked again is neither parsed nor validated again, and answered alike', async () => {
  for (let n = 0; n < 3; n++) expect(await ask('{ a: __typename } # why')).toEqual({ data: { a: 'Query' } });
  expect(work).toEqual({ parsed: 1, validated: 1 });
});

test.each([
  ['is no GraphQL', '{ a: __typename', 2, 0],
  ['is invalid', '{ nothing }', 2, 2],
  ['is large', `{ ${fields(1000)} }`, 2, 2],
])('what %s is not kept', async (_, query, parsed, validated) => {
  expect(await ask(query)).toEqual(await ask(query));
  expect(work).toEqual({ parsed, validated });
});

test('what was asked last is kept, within a number of bytes', async () => {
  const query = (n: number) => `{ a${n}: __typename ${fields(200)} }`;
  for (let n = 0; n < 300; n++) await ask(query(n));
  expect(work).toEqual({ parsed: 300, validated: 300 });
  await ask(query(299));
  expect(work).toEqual({ parsed: 300, validated: 300 });
  await ask(query(0));
  expect(work).toEqual({ parsed: 301, validated: 301 });
});
