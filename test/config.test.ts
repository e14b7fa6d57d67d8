import { describe, expect, test } from 'vitest';
import { PASTS } from '../src/config/ingest.ts';
import { ConfigError, configOptions, readConfig, refuseSamePort } from '../src/config.ts';
import { FORGOTTEN_NOUNS } from '../src/data/history/archives.ts';

const options = Object.values(configOptions).flatMap((group) => Object.values(group));

describe('the configuration', () => {
  test('has defaults for everything', () => {
    expect(readConfig({})).toEqual({
      http: {
        port: 3008,
        host: '127.0.0.1',
        corsOrigin: '*',
        bodyLimit: 65536,
        maxConnections: 10000,
        maxConnectionsPerClient: 1000,
        rateLimit: null,
        admittedCost: 400_000,
        admissionWaitMs: 80,
        trustedProxies: null,
        headersTimeoutMs: 10000,
        requestTimeoutMs: 15000,
        keepAliveTimeoutMs: 65000,
        minBlockWaitMs: 2000,
        shutdownGraceMs: 2000,
        shutdownDeadlineMs: 10000,
      },
      workers: { count: 1, stallMs: 10_000 },
      answers: { keptMegabytes: 64 },
      database: {
        url: null,
        readerUrl: null,
        replicaUrls: null,
        maxReplicaLagBlocks: 10,
        primaryReads: 'on',
        preparedStatements: 'on',
        dataDir: null,
        postgresSettings: null,
        poolSize: 10,
        poolWaitMs: 1800,
        statementTimeoutMs: 5000,
      },
      ingest: {
        historyBlocks: 250_000,
        natsCredentials: null,
        pastBlocks: null,
        retainRewards: null,
        retainTrades: null,
        spoolDir: null,
        spoolLimit: 2 ** 34,
        skipDamaged: 'off',
        readyWhileHeldUp: 'off',
      },
      bucket: {
        accessKeyId: null,
        secretAccessKey: null,
        sessionToken: null,
        region: 'us-east-1',
        endpoint: null,
      },
      graphql: { introspection: 'on', operationList: null },
      mcp: { serve: 'on' },
      streams: {
        maxStreams: 10000,
        maxStreamsPerClient: 250,
        maxSockets: 10000,
        maxSocketsPerClient: 250,
        maxOperationsPerSocket: 100,
        bufferMessages: 1000,
        bufferRows: 100_000,
        heartbeatMs: 15000,
        stallMs: 30000,
        pollMs: 5000,
      },
      metrics: { port: null, host: '127.0.0.1', serverTiming: 'on' },
      scrub: { rowsPerSecond: 0 },
      tracing: { endpoint: null, tracesEndpoint: null, isDisabled: 'false' },
      log: { level: 'info' },
    });
  });

  test('takes what is set', () => {
    const config = readConfig({
      PORT: '0',
      HOST: '::',
      DATABASE_URL: 'postgresql://user:p%40ss@db.example:5432/periscope?sslmode=require',
      DATA_DIR: '/var/lib/periscope',
      LOG_LEVEL: 'debug',
      CORS_ORIGIN: 'https://a.example, http://localhost:3000',
    });
    expect(config.http).toMatchObject({ port: 0, host: '::' });
    expect(config.http.corsOrigin).toEqual(['https://a.example', 'http://localhost:3000']);
    expect(config.database).toMatchObject({
      url: 'postgresql://user:p%40ss@db.example:5432/periscope?sslmode=require',
      dataDir: '/var/lib/periscope',
    });
    expect(config.log.level).toBe('debug');
  });

  test.each([
    ['/srv/net/', '/srv/net'],
    ['/srv/old/../net/.', '/srv/net'],
    ['.', process.cwd()],
  ])('takes the folder %s as %s, so that one named after it is beside it', (text, folder) => {
    const { database, ingest } = readConfig({ DATA_DIR: text, SPOOL_DIR: text });
    expect([database.dataDir, ingest.spoolDir]).toEqual([folder, folder]);
  });

  test('takes settings of the embedded PostgreSQL, but none of where it is', () => {
    const read = (text: string) => readConfig({ POSTGRES_SETTINGS: text }).database.postgresSettings;
    expect(read('shared_buffers=4GB, max_wal_size = 8GB')).toEqual({
      shared_buffers: '4GB',
      max_wal_size: '8GB',
    });
    for (const text of ['work_mem', 'port=5432', 'unix_socket_directories=/tmp', 'a b=1'])
      expect(() => read(text), text).toThrow('POSTGRES_SETTINGS');
  });

  test.each([
    ['250000', { others: 250_000 }],
    ['all,marketData=50000', { others: null, marketData: 50_000 }],
    ['250000,accounts=all,votes=100', { others: 250_000, accounts: null, votes: 100 }],
  ])('takes the reach of the past %s', (text, reach) => {
    expect(readConfig({ PAST_BLOCKS: text }).ingest.pastBlocks).toEqual(reach);
    expect([...PASTS].sort()).toEqual(FORGOTTEN_NOUNS.map(({ name }) => name).sort());
  });

  test.each([
    ['90d', { unit: 'days', count: 90 }],
    ['1000000 blocks', { unit: 'blocks', count: 1_000_000 }],
  ])('takes how far back rows are kept: %s', (text, reach) => {
    const { retainRewards, retainTrades } = readConfig({ RETAIN_REWARDS: text, RETAIN_TRADES: text }).ingest;
    expect([retainRewards, retainTrades]).toEqual([reach, reach]);
  });

  test.each([
    ['1', 1],
    ['0', 0],
    ['10.0.0.1', ['10.0.0.1']],
    ['loopback, 10.0.0.0/8,2001:db8::/32', ['loopback', '10.0.0.0/8', '2001:db8::/32']],
  ])('takes the trusted proxies %s', (text, proxies) => {
    expect(readConfig({ TRUSTED_PROXIES: text }).http.trustedProxies).toEqual(proxies);
  });

  test.each(['all', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/9', '::/0', '10.0.0.1,', '-1', 'example.org'])(
    'takes no %s for a trusted proxy',
    (text) => {
      const message = messageOf(() => readConfig({ TRUSTED_PROXIES: text }));
      expect(message).toContain(`TRUSTED_PROXIES is ${JSON.stringify(text)}`);
    },
  );

  test('takes a variable set to nothing as not set', () => {
    const nothing = Object.fromEntries(options.map(({ name }) => [name, '']));
    expect(readConfig(nothing)).toEqual(readConfig({}));
  });

  test('cannot be changed', () => {
    const config = readConfig({ CORS_ORIGIN: 'https://a.example' });
    for (const part of [config, ...Object.values(config), config.http.corsOrigin]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  test.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80a'],
    ['PORT', '3008.5'],
    ['PORT', ' 3008'],
    ['PORT', '0x10'],
    ['HOST', '[::1]'],
    ['HOST', 'http://localhost'],
    ['CORS_ORIGIN', 'example.org'],
    ['CORS_ORIGIN', 'https://a.example/'],
    ['CORS_ORIGIN', '*,https://a.example'],
    ['BODY_LIMIT', '64kb'],
    ['POOL_SIZE', '0'],
    ['STATEMENT_TIMEOUT_MS', 'never'],
    ['HISTORY_BLOCKS', '99'],
    ['PAST_BLOCKS', 'accounts=all'],
    ['RETAIN_REWARDS', '90'],
    ['RETAIN_REWARDS', '0d'],
    ['RETAIN_REWARDS', '99 blocks'],
    ['RETAIN_TRADES', '1.5d'],
    ['RETAIN_TRADES', '90 days'],
    ['PAST_BLOCKS', '250000,trades=100'],
    ['PAST_BLOCKS', '250000,votes=99'],
    ['PAST_BLOCKS', '250000,votes=100,votes=200'],
    ['PAST_BLOCKS', '250000,'],
    ['SPOOL_LIMIT', '67108863'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'localhost'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'postgres://host:notaport/x'],
  ])('names a bad %s and its value %j', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(`${name} is ${JSON.stringify(value)}; it takes `);
  });

  test('says of a bad value what its option takes', () => {
    expect(configOptions.ingest.historyBlocks.takes).toBe('a whole number from 100 to 1000000000000');
    for (const { name, takes, parse } of options) {
      expect(takes).toMatch(/^(a|an|one|the|\*) /);
      if (throws(() => parse('?'))) expect(() => readConfig({ [name]: '?' })).toThrow(`it takes ${takes}`);
    }
  });

  test('names all bad variables at once', () => {
    expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(
      /^PORT is "x"; .*\nLOG_LEVEL is "y"; [^\n]*$/,
    );
  });

  test('refuses limits that contradict each other', () => {
    expect(() => readConfig({ HEADERS_TIMEOUT_MS: '20000' })).toThrow(
      'HEADERS_TIMEOUT_MS is 20000, more than REQUEST_TIMEOUT_MS, 15000',
    );
  });

  test.each([
    [{ PORT: '3131', METRICS_PORT: '3131' }, true],
    [{ METRICS_PORT: '3008' }, true],
    [{ METRICS_PORT: '3008', HOST: 'localhost' }, true],
    [{ METRICS_PORT: '3008', HOST: '0.0.0.0' }, true],
    [{ METRICS_PORT: '3008', HOST: '10.0.0.1', METRICS_HOST: '::' }, true],
    [{ METRICS_PORT: '3008', HOST: '10.0.0.1' }, false],
    [{ METRICS_PORT: '3009' }, false],
    [{ PORT: '0', METRICS_PORT: '0' }, false],
    [{}, false],
  ])('of what serves with %j, whether both ports are one: %j', (set, isRefused) => {
    const refusing = () => refuseSamePort(readConfig(set));
    if (!isRefused) return refusing();
    expect(refusing).toThrow(ConfigError);
    expect(refusing).toThrow(/^METRICS_PORT is \d+, as PORT is; set one of them to another/);
  });

  test("refuses a reader's address without the database's", () => {
    expect(() => readConfig({ DATABASE_READER_URL: 'postgres://reader@db/x' })).toThrow(
      'DATABASE_READER_URL is set, and DATABASE_URL is not',
    );
  });

  test('takes several replicas, beside a primary', () => {
    const urls = ['postgres://u:a@one/p', 'postgres://u:b@two:5433/p'];
    const set = { DATABASE_URL: 'postgres://u@zero/p', DATABASE_REPLICA_URLS: urls.join(', ') };
    expect(readConfig(set).database.replicaUrls).toEqual(urls);
    const alone = { DATABASE_REPLICA_URLS: urls.join() };
    expect(messageOf(() => readConfig(alone))).toContain('DATABASE_URL is not');
    const bad = messageOf(() =>
      readConfig({ ...set, DATABASE_REPLICA_URLS: `${urls.join()},postgres://u:c@three:port/p` }),
    );
    expect(bad).toContain(
      'DATABASE_REPLICA_URLS is "postgres://u:***@one/p,postgres://u:***@two:5433/p,postgres://u:***@three:port/p"',
    );
    expect(bad).not.toContain(':c@');
  });

  test.each([
    'mysql://bob:hunter2@db/x',
    'postgres://bob:hunter2@db:port/x',
    'postgres://bob:hun:ter2@x:hunter2@db:port/x',
    'bob:hunter2@db',
    'mysql://db/x?user=bob&password=hunter2&x=y',
    'postgres://db:hunter2',
  ])('never shows a password: %s', (url) => {
    const message = messageOf(() => readConfig({ DATABASE_URL: url }));
    expect(message).toContain('DATABASE_URL is');
    expect(message).toContain('db');
    expect(message).not.toContain('ter2');
  });
});

test('every option has a name of its own and says what it is', () => {
  expect(new Set(options.map(({ name }) => name)).size).toBe(options.length);
  for (const { name, what } of options) {
    expect(name).toMatch(/^[A-Z][A-Z_]*$/);
    expect(what).toMatch(/^(the|how|where|whether) .*[^.]$/);
  }
});

function throws(act: () => unknown): boolean {
  return messageOf(act) !== '';
}

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
