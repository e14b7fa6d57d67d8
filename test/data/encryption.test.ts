import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/data/servers/client.ts';
import { watchServer } from '../../src/data/servers/server-watch.ts';
import { isUnavailable } from '../../src/data/servers/unavailable.ts';
import { sql } from '../../src/data/sql.ts';
import { unkept } from '../../src/data/templates.ts';
import { type Certificates, makeCertificates, OPENSSL } from '../support/certificates.ts';
import { createTestDatabase } from '../support/database.ts';
import { within } from '../support/message-queue.ts';
import { runProgram } from '../support/program.ts';
import { TlsFront } from '../support/tls-front.ts';

/** Connections to a server of one's own that are encrypted, and certificates that are not to be relied on. */

let folder: string;
let ours: Certificates;
let shown: TlsFront['shown'];
/** That of the authority itself, which is no server's. */
let another: TlsFront['shown'];

beforeAll(async () => {
  if (OPENSSL === undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'periscope-encryption-'));
  ours = await makeCertificates(folder);
  const read = async (key: string, cert: string) => ({
    key: await readFile(key),
    cert: await readFile(cert),
  });
  shown = await read(ours.key, ours.certificate);
  another = await read(join(folder, 'authority.key'), ours.authority);
});

afterAll(() => folder && rm(folder, { recursive: true }));

test.skipIf(OPENSSL === undefined)('a certificate that nobody vouches for is told in words', async () => {
  await using place = await createTestDatabase();
  await using front = await TlsFront.start(place.url, another);
  const run = (parameters: Readonly<Record<string, string>>) =>
    runProgram(['serve'], { DATABASE_URL: front.urlOf(place.url, parameters), PORT: '0' });
  const { code, stderr } = await run({ sslmode: 'verify-full' });
  expect([code, stderr]).toEqual([
    1,
    'periscope: The database server at DATABASE_URL cannot be relied on: self-signed certificate. docs/running.md says how connections are encrypted.\n',
  ]);
  const away = await run({ sslmode: 'verify-full', sslrootcert: join(folder, 'none.pem') });
  expect([away.code, away.stderr]).toEqual([
    1,
    expect.stringMatching(/^periscope: .*ENOENT.*none\.pem'.*\n$/),
  ]);
});

test.skipIf(OPENSSL === undefined)(
  'while a certificate or the file of its authority is wrong, the database is away, and then it is back',
  async () => {
    await using place = await createTestDatabase();
    await using front = await TlsFront.start(place.url, shown);
    const url = front.urlOf(place.url, { sslmode: 'verify-full', sslrootcert: ours.authority });
    await using database = openDatabase({ url, readOnly: true, maxConnections: 1 });
    const ask = () =>
      database.statements.rows(unkept(sql`SELECT 1 AS one`)).then(
        () => 'answered',
        (error) => (isUnavailable(error) ? 'away' : error),
      );
    let sights = 0;
    const lost: string[] = [];
    const events = {
      onSight: () => void sights++,
      onBlock() {},
      onLost: ({ message }: Error) => void lost.push(message),
    };
    const watch = watchServer(url, events, { retryMs: 100 });
    const recovers = async (how: string) => {
      const before = sights;
      await expect.poll(() => sights).toBeGreaterThan(before);
      expect(await ask(), how).toBe('answered');
    };
    try {
      await recovers('at first');

      front.shown = another;
      front.cut();
      await expect.poll(() => lost.at(-1)).toContain('does not match');
      expect(await ask()).toBe('away');
      front.shown = shown;
      await recovers('with its certificate');

      await rename(ours.authority, `${ours.authority}.away`);
      front.cut();
      await expect.poll(() => lost.at(-1)).toContain('ENOENT');
      // The second waits until the first has no connection: the pool makes it one then.
      expect(await Promise.all([ask(), ask()])).toEqual(['away', 'away']);
      await rename(`${ours.authority}.away`, ours.authority);
      await recovers('with the file of its authority');
    } finally {
      await within(watch.close(), 'closing');
    }
  },
);
