import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeBlocks } from '../../../test/ingest/network-blocks.ts';
import { findProgram } from '../../../test/live/proxy.ts';
import { recordingOf } from '../../../test/support/events.ts';
import type { BenchCase, Result } from '../bench.ts';
import { cpuBetween, readCpu } from '../measure/cpu.ts';
import { count, describeUs } from '../report/describe.ts';
import { type LogServers, startLogServers } from '../servers/start-nats.ts';

const SERVERS = 3;
/** What a block of a recorded network has at most: 26 events, of some 360 bytes each. */
const EVENTS = { accounts: 18, others: 6 } as const;
const BLOCKS = { full: 5_000, quick: 1_500 } as const;
const POLL_MS = 10;
const LIMIT_MS = 180_000;

/** What a block costs on its way into the log: the relay, and the servers together. */
interface Relayed {
  readonly relayUs: number;
  readonly serversUs: number;
  readonly perSecond: number;
}

export const log: BenchCase = {
  name: 'log',
  title: `blocks of 26 events through a relay into a log of ${SERVERS} servers`,
  async run(bench) {
    const program = findProgram('nats-server');
    if (program === undefined) {
      bench.say(`${this.name}: skipped, there is no nats-server (Debian's package of that name).`);
      return [];
    }
    const { relayUs, serversUs, perSecond } = await relayBlocks(program, BLOCKS[bench.size.name]);
    const common = {
      what: this.title,
      figure: `${count(perSecond)} blocks/s, ${describeUs(relayUs)} CPU each of the relay, ${describeUs(serversUs)} of the servers`,
      ...{ beside: '', peerCpuUs: null, spread: 0, target: null },
      note: 'one message after the other, each when the one before it is stored by two of three',
    };
    const of = (name: string, value: number, unit: string, cpuUs: number | null): Result => ({
      ...common,
      ...{ id: `${this.name}/${name}`, value, unit, cpuUs },
    });
    return [
      of('relay', relayUs, 'us of CPU of the relay', relayUs),
      of('servers', serversUs, 'us of CPU of the servers', serversUs),
      of('blocks', perSecond, 'blocks/s', null),
    ];
  },
};

async function relayBlocks(program: string, blocks: number): Promise<Relayed> {
  const folder = await mkdtemp(join(tmpdir(), 'periscope-bench-log-'));
  try {
    await using servers = await startLogServers(program, SERVERS);
    const warm = join(folder, 'warm.evt');
    const file = join(folder, 'blocks.evt');
    const made = makeBlocks(1, 1 + blocks, EVENTS);
    const eventsOf = (some: typeof made) => recordingOf(some.flatMap(({ events }) => events));
    await Promise.all([writeFile(warm, eventsOf(made.slice(0, 1))), writeFile(file, eventsOf(made))]);
    // The first block makes the stream and finds its leader.
    await relayFile(servers, warm);
    // What the start of a relay takes, which passes over the block that is there.
    const start = await relayFile(servers, warm);
    const whole = await relayFile(servers, file);
    const each = (name: 'relayCpu' | 'serversCpu') => ((whole[name] - start[name]) * 1e6) / blocks;
    return {
      relayUs: each('relayCpu'),
      serversUs: each('serversCpu'),
      perSecond: blocks / (whole.seconds - start.seconds),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a relay until its file is in the log, and gives the seconds that it took, of the clock and of processors. */
async function relayFile({ url, pids }: LogServers, file: string) {
  const start = performance.now();
  const before = readCpu(pids);
  const read = (pid: number) => ({ relay: readCpu([pid]), servers: readCpu(pids) });
  const args = ['relay', '--from', file, '--to', url, '--replicas', String(SERVERS)];
  const program = spawn(
    process.env['BENCH_NODE'] ?? process.execPath,
    [join('dist', 'bundle', 'cli.js'), ...args],
    {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  program.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000);
  });
  const ended = once(program, 'exit');
  const end = Date.now() + LIMIT_MS;
  let latest = read(program.pid as number);
  while (program.exitCode === null && program.signalCode === null) {
    if (Date.now() > end) program.kill('SIGKILL');
    const now = read(program.pid as number);
    if (program.exitCode === null) latest = now;
    await Promise.race([sleep(POLL_MS), ended]);
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`The relay failed: ${said}`);
  return {
    seconds: (performance.now() - start) / 1000,
    relayCpu: cpuBetween(new Map(), latest.relay),
    serversCpu: cpuBetween(before, latest.servers),
  };
}
