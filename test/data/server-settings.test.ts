import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { logSettingsFor, readResources, settingsFor } from '../../src/data/embedded/server-settings.ts';

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
