import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logSettingsFor, readResources, settingsFor } from '../../src/data/embedded/server-settings.ts';
import { openReadingPlace } from '../../src/data/open.ts';
import { EmbeddedFolders } from '../support/embedded-folders.ts';
import { ask, withClient } from '../support/state.ts';

const GIB = 2 ** 30;

describe('the settings of the embedded server go by what the machine has', () => {
  test.each([
    [24, 200, { shared_buffers: '6144MB', max_wal_size: '4096MB' }],
    [4, 20, { shared_buffers: '1024MB', max_wal_size: '2560MB' }],
    // A small machine, and a disk that is nearly full.
    [0.25, 1, { shared_buffers: '128MB', max_wal_size: '1024MB' }],
    [512, 4000, { shared_buffers: '8192MB', max_wal_size: '4096MB' }],
  ])('%s GiB of memory and %s GiB of disk', (memory, disk, settings) => {
    expect(settingsFor({ memory: memory * GIB, disk: disk * GIB })).toMatchObject(settings);
  });

  test('whatever there is here, they are whole megabytes', async () => {
    const { memory, disk } = await readResources(tmpdir());
    expect(memory).toBeGreaterThan(0);
    expect(disk).toBeGreaterThan(0);
    const { shared_buffers, max_wal_size } = settingsFor({ memory, disk });
    expect([shared_buffers, max_wal_size]).toEqual([
      expect.stringMatching(/^\d+MB$/),
      expect.stringMatching(/^\d+MB$/),
    ]);
  });
});

describe('the log of the embedded server', () => {
  test('is for its own recovery alone', () => {
    expect(logSettingsFor({ shared_buffers: '1GB' })).toEqual({ wal_level: 'minimal', max_wal_senders: '0' });
  });

  test.each(['wal_level', 'max_wal_senders', 'archive_mode', 'summarize_wal'])(
    'is left to whoever sets %s',
    (name) => expect(logSettingsFor({ [name]: 'any' })).toEqual({}),
  );
});

describe('the embedded server has room for the connections of a gateway', () => {
  const embedded = { url: null, readerUrl: null };
  let folders: EmbeddedFolders;

  beforeAll(async () => {
    folders = await EmbeddedFolders.create();
  });

  afterAll(() => folders.dispose());

  test('of all of its workers, and for what else there is', async () => {
    await using place = await openReadingPlace({ ...embedded, dataDir: folders.original, poolSize: 60 });
    // Each is held while the next one is made: the pool, and what listens for as many workers.
    const connect = (count: number): Promise<number> =>
      count === 0 ? Promise.resolve(0) : withClient(place.url, async () => 1 + (await connect(count - 1)));
    expect(await connect(120)).toBe(120);
  });

  test('unless its settings say how many', async () => {
    const given = { poolSize: 60, postgresSettings: { max_connections: '50' } };
    await using place = await openReadingPlace({ ...embedded, dataDir: folders.original, ...given });
    expect(await ask(place.url, 'SHOW max_connections')).toEqual([{ max_connections: '50' }]);
  });
});
