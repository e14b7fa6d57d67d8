import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { configOptions } from '../../src/config.ts';
import { shutDatabase } from '../ingest/core-network.ts';
import { findProgram } from '../live/proxy.ts';
import { createDisposableDatabase, createTestDatabase } from '../support/database.ts';
import { startTestGateway } from '../support/gateway.ts';
import { HANG_MS } from '../support/limits.ts';

const SERVICE = readFileSync('deploy/periscope.service', 'utf8');
const DOCKERFILE = readFileSync('deploy/Dockerfile', 'utf8');
/** What Node is given by `npm start`. */
const START = JSON.parse(readFileSync('package.json', 'utf8')).scripts.start.split(' ').slice(2);
const SYSTEMD = findProgram('systemd-analyze');
const HADOLINT = findProgram('hadolint');
const KUBERNETES = findProgram('kubernetes-validate');
const CHECKERS = { 'systemd-analyze': SYSTEMD, hadolint: HADOLINT, 'kubernetes-validate': KUBERNETES };
for (const [name, program] of Object.entries(CHECKERS))
  if (program === undefined) console.warn(`What ${name} says of deploy/ is skipped: it is not here`);

/** The most that `systemd-analyze security` may call exposed, of 100. */
const EXPOSURE = 20;
const DEADLINE_MS = Number(configOptions.http.shutdownDeadlineMs.default);
/** What PostgreSQL may take after that: the ways to stop it in `src/data/embedded/server.ts`. */
const POSTGRES_MS = 45_000;

test.skipIf(SYSTEMD === undefined)('systemd takes the service, and finds it guarded', () => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-service-'));
  try {
    const file = join(folder, 'periscope.service');
    // The checkout and Node.js are elsewhere here.
    writeFileSync(file, SERVICE.replace('/usr/bin/node', process.execPath));
    expect(run(SYSTEMD, 'verify', '--man=no', file)).toEqual({ status: 0, said: '' });
    const security = run(
      SYSTEMD,
      'security',
      '--offline=true',
      `--threshold=${EXPOSURE}`,
      '--no-pager',
      file,
    );
    expect(security).toMatchObject({ status: 0 });
    expect(security.said).toContain('Overall exposure level');
    writeFileSync(file, SERVICE.replace('KillMode=mixed', 'KillMode=never'));
    expect(run(SYSTEMD, 'verify', '--man=no', file).said).toContain('kill mode');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the service starts the compiled program, may write to its data, and may take its time to stop', () => {
  const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(SERVICE)?.[1];
  const [, ...args] =
    setting('ExecStart')
      ?.replace(`${setting('WorkingDirectory')}/`, '')
      .split(' ') ?? [];
  expect(args).toEqual(START);
  expect(args.slice(-2)).toEqual(['dist/bundle/cli.js', 'serve']);
  expect(setting('Environment')).toContain(`DATA_DIR=/var/lib/${setting('StateDirectory')}/`);
  expect(Number(setting('TimeoutStopSec')) * 1000).toBeGreaterThan(DEADLINE_MS + POSTGRES_MS);
  expect([setting('Restart'), setting('StartLimitIntervalSec')]).toEqual(['on-failure', '0']);
  expect(Number(setting('LimitNOFILE'))).toBeGreaterThan(Number(configOptions.http.maxConnections.default));
});

test('the image starts the compiled program as npm start does', () => {
  const [, entry, command] = /^ENTRYPOINT (.*)\nCMD (.*)$/m.exec(DOCKERFILE) ?? [];
  expect([...JSON.parse(entry ?? ''), ...JSON.parse(command ?? '')]).toEqual(['node', ...START]);
});

test.skipIf(HADOLINT === undefined)('hadolint has nothing to say of the Dockerfile', () => {
  expect(run(HADOLINT, '--no-color', 'deploy/Dockerfile')).toEqual({ status: 0, said: '' });
});

test.skipIf(KUBERNETES === undefined)(
  'the manifest is what Kubernetes takes, of the version that it needs',
  () => {
    const check = (file: string) => run(KUBERNETES, '-k', '1.30', '--strict', '--quiet', file);
    expect(check('deploy/kubernetes.yaml')).toEqual({ status: 0, said: '' });
    const folder = mkdtempSync(join(tmpdir(), 'periscope-kubernetes-'));
    try {
      const file = join(folder, 'kubernetes.yaml');
      writeFileSync(file, readFileSync('deploy/kubernetes.yaml', 'utf8').replace('replicas:', 'replica:'));
      expect(check(file)).toMatchObject({ status: 1, said: expect.stringContaining('replica') });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test('the image is made by the command of the README, of a named Node.js, for a user without rights', () => {
  const images = [...DOCKERFILE.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image as string);
  const stages = [...DOCKERFILE.matchAll(/ AS (\w+)$/gm)].map(([, stage]) => stage as string);
  const foreign = images.filter((image) => !stages.includes(image));
  expect(foreign.filter((image) => !/^node:\d+\.\d+\.\d+-\w+-slim$/.test(image))).toEqual([]);
  expect(DOCKERFILE).toMatch(/^COPY \. \.\n(?:#.*\n)*RUN npm ci$/m);
  expect(DOCKERFILE).toMatch(/^RUN npm test$/m);
  expect(DOCKERFILE).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  expect(DOCKERFILE).toMatch(/^STOPSIGNAL SIGTERM$/m);
  const copied = [...DOCKERFILE.matchAll(/^COPY --from=\w+ \/opt\/periscope\/(\S+)/gm)].map(
    ([, path]) => path,
  );
  expect(copied.length).toBeGreaterThan(0);
  expect(copied.filter((path) => !existsSync(path as string))).toEqual([]);
  // What is made anew in the image, or is nobody's business there, stays outside; all else is needed for npm test.
  const ignored = readFileSync('.dockerignore', 'utf8').trim().split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['.git', '.periscope', 'dist', 'node_modules']));
  const needed = [
    'package.json',
    'src',
    'guides',
    'page',
    'test',
    'trials',
    'docs',
    'deploy',
    'prisma',
    'scripts',
    'schema.graphql',
    '.ci',
  ];
  expect(needed.filter((path) => ignored.includes(path))).toEqual([]);
});

test("the image's health check tells a gateway that lives, though its database is away, from one that is not there", async () => {
  const [, list = ''] = /^HEALTHCHECK [^[]*CMD (\[.*\])$/m.exec(DOCKERFILE) ?? [];
  const [program, ...args] = JSON.parse(list) as string[];
  expect(program).toBe('node');
  await using database = await createDisposableDatabase();
  const gateway = await startTestGateway(database.url);
  await using _shut = await shutDatabase(database.url);
  await expect.poll(async () => (await gateway.rest('/health/ready')).status).toBe(503);
  const { port } = new URL(gateway.url);
  const check = () =>
    spawnSync(process.execPath, args, { env: { PORT: port }, timeout: HANG_MS, stdio: 'ignore' }).status;
  // The gateway answers in this process, which a synchronous child would hold.
  const whileItServes = new Promise((resolve) => {
    spawn(process.execPath, args, { env: { PORT: port }, timeout: HANG_MS, stdio: 'ignore' }).once(
      'close',
      resolve,
    );
  });
  expect(await whileItServes).toBe(0);
  await gateway.close();
  expect(check()).toBe(1);
});

test('the manifest asks the gateway for what it has, and gives it the time to stop', async () => {
  const documents = parseAllDocuments(readFileSync('deploy/kubernetes.yaml', 'utf8'), { uniqueKeys: true });
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  const [deployment, service] = documents.map((document) => document.toJS());
  expect([deployment.kind, service.kind]).toEqual(['Deployment', 'Service']);
  const { template, selector } = deployment.spec;
  expect(template.metadata.labels).toMatchObject(selector.matchLabels);
  expect(template.metadata.labels).toMatchObject(service.spec.selector);
  const [container] = template.spec.containers;
  const ports = container.ports.map(({ name }: { name: string }) => name);
  expect(container.ports[0].containerPort).toBe(Number(configOptions.http.port.default));
  expect(ports).toContain(service.spec.ports[0].targetPort);

  const names = Object.values(configOptions).flatMap((group) => Object.values(group).map(({ name }) => name));
  const set: { name: string }[] = container.env;
  expect(set.filter(({ name }) => !names.includes(name as never))).toEqual([]);
  const stopsWithin =
    (template.spec.terminationGracePeriodSeconds - container.lifecycle.preStop.sleep.seconds) * 1000;
  expect(stopsWithin).toBeGreaterThan(DEADLINE_MS);

  await using database = await createTestDatabase();
  await using gateway = await startTestGateway(database.url);
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
    const { path, port } = container[probe].httpGet;
    expect(ports).toContain(port);
    expect(await gateway.rest(path)).toMatchObject({ status: 200 });
  }
});

function run(program: string | undefined, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program as string, args, {
    encoding: 'utf8',
    timeout: HANG_MS,
  });
  return { status, said: stdout + stderr };
}
