import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/index.ts';
import { describeStreams } from '../../src/reference/asyncapi.ts';
import { EXAMPLES } from '../../src/reference/examples.ts';
import { streamRoutes } from '../../src/rest/index.ts';
import { startOwnGateway } from '../support/gateway.ts';
import { createValidator } from './json-schemas.ts';

const document = describeStreams();

test('it is AsyncAPI 3, by its own structure and the recommended rules', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const lint = async (source: object) => {
    const problems = await lintFromString({
      source: JSON.stringify(source),
      absoluteRef: 'asyncapi.json',
      config,
    });
    return problems.map(({ message, location: [at] }) => `${at?.pointer}: ${message}`);
  };
  expect(await lint(document)).toEqual([]);
  // And they do look.
  expect(await lint({ ...document, channels: { accounts: { address: 7 } } })).not.toEqual([]);
  expect(await lint({ ...document, operations: { accounts: { action: 'give' } } })).not.toEqual([]);
});

test('it has every documented stream with its parameters, and every subscription', () => {
  const channels = Object.values(document.channels) as Channel[];
  const told = new Map(channels.map(({ address, bindings }) => [address, bindings.ws.query?.properties]));
  for (const { path, parameters } of streamRoutes)
    expect(Object.keys(told.get(path) ?? {})).toEqual(Object.keys(parameters));
  const subscriptions = Object.keys(schema.getSubscriptionType()?.getFields() ?? {});
  expect(subscriptions.length).toBeGreaterThan(3);
  expect(Object.keys(document.operations)).toEqual(
    expect.arrayContaining(subscriptions.map((name) => `subscription.${name}`)),
  );
});

test('each channel says how a WebSocket asks for what is at least of a block', () => {
  for (const { address, bindings } of Object.values(document.channels) as Channel[])
    expect(Object.keys(bindings.ws.headers.properties), address).toEqual(['X-Min-Block-Height']);
});

test('every message that it shows is one, and of one sort only', () => {
  const validate = createValidator(document);
  const messages = document.components.messages as Readonly<Record<string, Message>>;
  const channels = Object.entries(document.channels as Readonly<Record<string, Channel>>);
  expect(EXAMPLES.messages.length).toBeGreaterThan(0);
  for (const { path, name, message } of EXAMPLES.messages) {
    const [channel] = channels.find(([, { address }]) => address === path) ?? [];
    const sorts = Object.entries(messages).flatMap(([sort, one]) =>
      sort.startsWith(`${channel}.`) && one.name !== 'reached' ? [one] : [],
    );
    const fitting = sorts.filter(({ payload }) => validate(payload, message).length === 0);
    expect(fitting.map((one) => one.name)).toEqual([name]);
  }
});

test('the gateway serves it', async () => {
  await using gateway = await startOwnGateway();
  const { status, text, headers } = await gateway.rest('/asyncapi.json');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json');
  expect(text).toBe(JSON.stringify(document));
});

interface Channel {
  readonly address: string;
  readonly bindings: {
    readonly ws: {
      readonly query?: { readonly properties: object };
      readonly headers: { readonly properties: object };
    };
  };
}

interface Message {
  readonly name: string;
  readonly payload: unknown;
}
