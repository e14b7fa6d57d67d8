import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { describe, expect, inject, test } from 'vitest';
import { readBackup } from '../../src/data/upkeep/backup.ts';
import { grantReader } from '../../src/data/upkeep/readers.ts';
import { restoreBackup } from '../../src/data/upkeep/restore.ts';
import { readStatus } from '../../src/data/upkeep/status.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { IngestCounts } from '../../src/ingest/ingest-counts.ts';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import { runIngest } from '../../src/ingest/run.ts';
import { createEmptyDatabase, createTestDatabase } from '../support/database.ts';
import { createFolder, recordedNetwork } from '../support/events.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openNdjson } from '../support/http-clients.ts';
import { newerRecordings } from '../support/newer-networks.ts';
import { MOVED_BY, writeAsNextRelease } from '../support/next-release.ts';
import { readState } from '../support/state.ts';

const { signal: NEVER } = new AbortController();
const recordings = [
  ...(recordedNetwork === null ? [] : [{ name: 'recording A', path: recordedNetwork }]),
  ...newerRecordings,
];

describe.skipIf(recordings.length === 0)('a release of the network that nobody knows yet', () => {
  test.each(recordings)(
    'loads as the known one that $name is of, with numbers for names',
    async ({ path }) => {
      await using folder = await createFolder();
      await using known = await createTestDatabase();
      await using next = await createTestDatabase();
      const { summary } = await ingest(known.url, path);
      const { counts, summary: nextSummary, said } = await ingest(next.url, await folder.write(nextOf(path)));
      expect(nextSummary.applied).toBe(summary.applied);
      // Each block has as many events of kinds that nobody knows as it has of others, but for its end.
      expect(nextSummary.events).toBe(2 * summary.events - summary.applied);
      await using before = await startTestGateway(known.url);
      await using after = await startTestGateway(next.url);
      expect(await accountsOf(after)).toEqual(
        (await accountsOf(before)).map((account) => ({ ...account, type: movedType(account.type) })),
      );
      const types = new Set((await accountsOf(before)).map(({ type }) => accountTypes.numberOf(type)));
      const numbers = [...counts.unknowns.numbers].flatMap(({ thing }) =>
        thing !== 'other' && thing.field === 'accounts.type' ? [thing.number - MOVED_BY] : [],
      );
      expect(new Set(numbers)).toEqual(types);
      for (const type of types)
        expect(said.split(`number ${(type ?? 0) + MOVED_BY} of accounts.type`)).toHaveLength(2);
      expect([...counts.unknowns.fields].map(({ thing }) => thing)).toContain('Account.901');
      const kinds = new Map([...counts.unknowns.passedOver].map(({ thing, count }) => [thing, count]));
      expect(kinds.get(250)).toBe(summary.events - summary.applied);
      const { unknownNumbers } = await readStatus(next.url);
      expect(
        new Set(
          unknownNumbers.flatMap(({ field, servedAs }) => (field === 'accounts.type' ? [servedAs] : [])),
        ),
      ).toEqual(new Set([...types].map((type) => `ACCOUNT_TYPE_${(type ?? 0) + MOVED_BY}`)));
    },
  );

  test.each(recordings.slice(0, 3))(
    'is filtered, streamed, backed up and restored: $name',
    async ({ path }) => {
      await using folder = await createFolder();
      await using database = await createTestDatabase();
      await ingest(database.url, await folder.write(nextOf(path)));
      await using gateway = await startTestGateway(database.url);
      const all = await accountsOf(gateway);
      const general = all.filter(({ type }) => type === 'ACCOUNT_TYPE_1004');
      expect(general.length).toBeGreaterThan(0);
      expect(await accountsOf(gateway, '&filter.accountTypes=ACCOUNT_TYPE_1004')).toEqual(general);
      const { data } = await gateway.graphql(
        '{ accounts(filter: { accountTypes: [ACCOUNT_TYPE_1004] }) { totalCount } }',
      );
      expect(data.accounts.totalCount).toBe(general.length);
      await using stream = await openNdjson(gateway.url, '/api/v2/stream/accounts?type=ACCOUNT_TYPE_1004');
      const { result } = JSON.parse((await stream.nextText()) as string);
      expect(new Set(result.snapshot.accounts.map(({ type }: Account) => type))).toEqual(
        new Set(['ACCOUNT_TYPE_1004']),
      );
      expect(result.snapshot.accounts).toHaveLength(general.length);

      await using restored = await createEmptyDatabase();
      await restoreBackup(restored.url, backupOf(database.url), NEVER);
      expect(await readState(restored.url)).toEqual(await readState(database.url));
      await grantReader(restored.url, inject('reader').role);
      await using again = await startTestGateway(restored.url);
      expect(await accountsOf(again)).toEqual(all);
    },
  );
});

interface Account {
  readonly owner: string;
  readonly balance: string;
  readonly type: string;
}

async function accountsOf(gateway: TestGateway, more = ''): Promise<readonly Account[]> {
  const { status, body } = await gateway.rest(`/api/v2/accounts?pagination.first=5000${more}`);
  expect(status).toBe(200);
  return body.accounts.edges.map(({ node }: { readonly node: Account }) => node);
}

function movedType(type: string): string {
  return `ACCOUNT_TYPE_${(accountTypes.numberOf(type) ?? Number.NaN) + MOVED_BY}`;
}

function nextOf(path: string): Buffer {
  return writeAsNextRelease(gunzipSync(readFileSync(path)));
}

async function ingest(databaseUrl: string, path: string) {
  const counts = new IngestCounts();
  const output = new PassThrough();
  const chunks: Buffer[] = [];
  output.on('data', (chunk) => chunks.push(chunk));
  const source = await openRecordedFile(path);
  const summary = await runIngest({ source, databaseUrl, pace: 'max', signal: NEVER, output, counts });
  return { counts, summary, said: Buffer.concat(chunks).toString() };
}

async function* backupOf(url: string): AsyncGenerator<Buffer> {
  for await (const chunk of readBackup(url, { version: '1.2.3', signal: NEVER })) yield Buffer.from(chunk);
}
