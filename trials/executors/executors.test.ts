import fc from 'fast-check';
import {
  type GraphQLField,
  getVariableValues,
  isObjectType,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunResult } from '../../src/engine/run/prepared.ts';
import { compile } from '../../src/engine/text/compile.ts';
import { schema } from '../../src/graphql/index.ts';
import { declaredSource } from '../../src/graphql/sources.ts';
import { type ExecutorData, oddNetwork, soundNetworks } from '../../test/engine/executor-data.ts';
import { bytesOf, nounsOf, runBy } from '../../test/engine/executors.ts';
import { type RandomOperation, randomOperations } from '../../test/engine/random-operations.ts';
import { seed } from '../../test/support/seed.ts';

// What both executors share is the schema and what filters ask: they are held to each other on random operations, on
// every network that there is. By itself this goes on for as many operations as are wanted: npm run executors.
const OPERATIONS = Number(process.env['EXECUTORS_OPERATIONS'] ?? 1200);
const TIME_MS = 300_000 + OPERATIONS * 100;
const isWhole = process.env['EXECUTORS_OPERATIONS'] !== undefined;
/** A few of the recorded ones, others with each seed, unless all are wanted. */
const chosen = isWhole
  ? soundNetworks
  : soundNetworks.filter((_, index) => index < 3 || (index + seed) % 12 === 0);
const networks = [oddNetwork, ...chosen];
/** Half of them on the odd network, where most can go wrong. */
const shareOf = (network: object) =>
  Math.ceil(network === oddNetwork ? OPERATIONS / 2 : OPERATIONS / 2 / chosen.length);

describe.each(networks)('the network is $name:', (network) => {
  const share = shareOf(network);
  const parts = { whole: Math.ceil(share / 2), inPart: Math.ceil(share / 2) };
  let data: ExecutorData;
  beforeAll(async () => {
    data = await network.open();
  });
  afterAll(() => data?.[Symbol.asyncDispose]());

  test(
    `${parts.whole} answers as text are what graphql-js says by Prisma, byte for byte`,
    async () => {
      let texts = 0;
      const property = fc.asyncProperty(randomOperations(data.tables), async (operation) => {
        // Fragments on several types of nodes can contradict each other.
        fc.pre(validate(schema, parse(operation.text)).length === 0);
        const written = await runBy(data.database, operation, true);
        const resolved = await runBy(data.database, operation, false);
        expectSame(written.answer, resolved.answer);
        // An answer with errors is not kept, and graphql-js gives it before all that is asked beside has been read.
        if (!bytesOf(resolved.answer).includes('"errors":['))
          expect(nounsOf(resolved.context)).toEqual(expect.arrayContaining(nounsOf(written.context)));
        if (written.answer.kind === 'text') texts += 1;
      });
      await fc.assert(property, { numRuns: parts.whole, endOnFailure: true });
      expect(texts).toBeGreaterThan(parts.whole / 2);
    },
    TIME_MS,
  );

  test(
    `${parts.inPart} answers are the same whatever of them cannot be written as text`,
    async () => {
      let left = 0;
      const operations = fc.tuple(randomOperations(data.tables), fc.integer());
      const property = fc.asyncProperty(operations, async ([operation, choice]) => {
        fc.pre(validate(schema, parse(operation.text)).length === 0);
        const resolved = await runBy(data.database, operation, false);
        // Every fourth field, as if its value came from nowhere that text knows.
        const fields = allFields().filter((_, index) => (index * 2_654_435_761 + choice) % 4 === 0);
        const known = fields.map((field) => field.extensions);
        for (const field of fields) field.extensions = withoutSource(field);
        try {
          expectSame((await runBy(data.database, operation, true)).answer, resolved.answer);
          left += countResolved(operation);
        } finally {
          for (const [index, field] of fields.entries()) field.extensions = known[index] as never;
        }
      });
      await fc.assert(property, { numRuns: parts.inPart, endOnFailure: true });
      expect(left).toBeGreaterThan(parts.inPart / 2);
    },
    TIME_MS,
  );
});

/** Byte for byte. Of what is given up as a whole, graphql-js tells the errors that came before it gave up; text tells all. */
function expectSame(written: RunResult, resolved: RunResult): void {
  const [text, expected] = [bytesOf(written), bytesOf(resolved)];
  const { data, errors } = JSON.parse(expected);
  if (errors === undefined) expect(text).toBe(expected);
  if (text === expected) return;
  const other = JSON.parse(text);
  expect(JSON.stringify(other.data)).toBe(JSON.stringify(data));
  expect(expected).toContain('null');
  expect(other.errors).toEqual(expect.arrayContaining(errors));
}

/** What a field is left with whose value comes from nowhere that text knows: what its arguments must fulfil. */
function withoutSource(field: GraphQLField<unknown, unknown>) {
  const source = declaredSource(field);
  return source !== undefined && 'check' in source
    ? { source: { kind: 'unknown', check: source.check } }
    : {};
}

function allFields(): readonly GraphQLField<unknown, unknown>[] {
  const types = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__'));
  const fields = types.flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()) : []));
  // What a source refuses of arguments, it would not any more.
  return fields.filter((field) => !['node', 'computed'].includes(declaredSource(field)?.kind ?? ''));
}

/** How many fields of an operation's plan graphql-js resolves. */
function countResolved({ text, variables }: RandomOperation): number {
  const document = parse(text);
  const operation = document.definitions[0] as OperationDefinitionNode;
  const { coerced = {} } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  const plan = JSON.stringify(compile({ schema, document, operation, variables: coerced }), (key, value) =>
    // What a field would be if graphql-js resolved it stands beside what it is.
    ['nodes', 'asked', 'resolved', 'schema', 'document', 'source', 'noun', 'definition'].includes(key)
      ? undefined
      : value,
  );
  return plan.split('"kind":"resolved"').length + plan.split('"rest":{').length - 2;
}
