import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { createFolder, recordedNetwork } from '../support/events.ts';
import { startTestGateway } from '../support/gateway.ts';
import { writeAsNextRelease } from '../support/next-release.ts';
import { runProgram } from '../support/program.ts';

/** A later version of the gateway: it knows the names of the numbers that were new. */
vi.mock(import('../../src/domain/enumerations.ts'), async (importOriginal) => {
  const { Enumeration } = await import('../../src/domain/enumeration.ts');
  const { MOVED_BY } = await import('../support/next-release.ts');
  const original = await importOriginal();
  const upgraded = new Map<unknown, unknown>();
  for (const one of Object.values(original.enumerations)) {
    const more = Object.values<readonly [number, string, string]>(one.values).map(([number]) => [
      `${one.prefix}NEWER_${number}`,
      [number + MOVED_BY, '0.80', 'New.'],
    ]);
    const values = { ...one.values, ...Object.fromEntries(more) };
    upgraded.set(one, new Enumeration(one.name, one.prefix, one.description, values));
  }
  const entries = Object.entries(original).map(([name, value]) => [name, upgraded.get(value) ?? value]);
  const enumerations = Object.entries(original.enumerations).map(([name, one]) => [name, upgraded.get(one)]);
  return { ...Object.fromEntries(entries), enumerations: Object.fromEntries(enumerations) };
});

describe.skipIf(recordedNetwork === null)('a gateway that is upgraded', () => {
  test('serves by name what a version that had no name took in, without a new ingest', async () => {
    await using folder = await createFolder();
    await using database = await createTestDatabase();
    const path = await folder.write(writeAsNextRelease(gunzipSync(readFileSync(recordedNetwork ?? ''))));
    const { code, stderr } = await runProgram(['ingest', 'file', path], { DATABASE_URL: database.url });
    expect(stderr).toContain('served as ACCOUNT_TYPE_1004');
    expect(code).toBe(0);

    await using gateway = await startTestGateway(database.url);
    const types = await typesOf(gateway, '');
    expect(types).toContain('ACCOUNT_TYPE_NEWER_4');
    expect([...types].filter((type) => !type.startsWith('ACCOUNT_TYPE_NEWER_'))).toEqual([]);
    // Who asks by the number goes on to be answered.
    for (const name of ['ACCOUNT_TYPE_NEWER_4', 'ACCOUNT_TYPE_1004', '1004'])
      expect(await typesOf(gateway, `&filter.accountTypes=${name}`)).toEqual(
        new Set(['ACCOUNT_TYPE_NEWER_4']),
      );
    const { data } = await gateway.graphql('{ markets { edges { node { state tradingMode } } } }');
    for (const { node } of data.markets.edges) expect(node.state).toMatch(/^STATE_NEWER_\d+$/);
  });
});

async function typesOf(gateway: Awaited<ReturnType<typeof startTestGateway>>, more: string) {
  const { body } = await gateway.rest(`/api/v2/accounts?pagination.first=5000${more}`);
  return new Set<string>(body.accounts.edges.map(({ node }: { node: { type: string } }) => node.type));
}
