import { expect, test } from 'vitest';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openNdjson } from '../support/http-clients.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';

const simulated = await forAllTests(createSimulatedDatabase({ seed: 3, blocks: 30, parties: 6, markets: 1 }));
const gateway = await forAllTests(startTestGateway(simulated.url));

const LISTS = ['/api/v2/accounts', '/api/v2/rewards', '/api/v2/rewards/summaries'];

test.each([...LISTS, '/api/v2/stream/accounts'])('%s refuses derived parties by name', async (path) => {
  for (const name of ['includeDerivedParties', 'include_derived_parties']) {
    const { status, body, headers } = await gateway.rest(`${path}?${name}=true`);
    expect([status, body.code, body.message, headers.get('x-ignored-parameters')]).toEqual([
      400,
      3,
      'Parameter includeDerivedParties is "true"; it takes false alone: the parties that automated market makers trade as are not linked to their owners.',
      null,
    ]);
  }
});

test.each(LISTS)('%s is as ever where derived parties are not wanted', async (path) => {
  const { text } = await gateway.rest(path);
  for (const given of ['false', '0', '']) {
    const answer = await gateway.rest(`${path}?includeDerivedParties=${given}`);
    expect([answer.text, answer.headers.get('x-ignored-parameters')]).toEqual([text, null]);
  }
});

test('a stream goes on where derived parties are not wanted', async () => {
  await using stream = await openNdjson(gateway.url, '/api/v2/stream/accounts?includeDerivedParties=false');
  expect(JSON.parse((await stream.nextText()) as string)).toHaveProperty('result.snapshot.accounts');
});

test('a team is refused by name, and a blank one is not given', async () => {
  const { status, body } = await gateway.rest('/api/v2/rewards?teamId=a');
  expect([status, body.message]).toEqual([
    400,
    'Parameter teamId is "a"; it takes no value: the network\'s events do not say in which team a reward was won.',
  ]);
  expect((await gateway.rest('/api/v2/rewards?teamId=')).text).toBe(
    (await gateway.rest('/api/v2/rewards')).text,
  );
});
