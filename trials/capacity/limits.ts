import type { Costs } from './costs.ts';
import { EVENT_BYTES, MACHINES, MAINNET, REQUESTS, type Scale } from './scenarios.ts';
import { type Need, perBlock } from './size.ts';

/** A case of the tables: who asks how much at which volume, and what that needs. */
export interface Case {
  readonly kind: 'followers' | 'requests';
  readonly scale: Scale;
  readonly volume: bigint;
  readonly need: Need;
}

/** What an engine publishes, or what was measured of ours, beside what a case asks of it. */
export interface Limit {
  readonly engine: string;
  readonly what: string;
  readonly most: bigint;
  /** The title of what says so. */
  readonly source: string;
  /** What a case asks of one such engine. */
  readonly asked: (one: Case) => bigint;
  /** What is done where it binds. */
  readonly remedy: string;
}

const POSTGRESQL = 'https://www.postgresql.org/docs/18';

export function limitsOf({ relayedPerSecond, memory }: Costs): readonly Limit[] {
  return [
    {
      engine: 'PostgreSQL',
      what: '`max_connections`, unless set: connections to one server',
      most: 100n,
      source: `[PostgreSQL 18, 19.3 Connections and Authentication](${POSTGRESQL}/runtime-config-connection.html)`,
      asked: ({ need }) => need.databaseConnections,
      remedy:
        'set it; gateways without `DATABASE_URL` of a primary poll and listen to nobody ([replicas](replicas.md)); a pooler before replicas',
    },
    {
      engine: 'PostgreSQL',
      what: '`max_wal_senders`, unless set: replicas of one server',
      most: 10n,
      source: `[PostgreSQL 18, 19.6 Replication](${POSTGRESQL}/runtime-config-replication.html)`,
      asked: ({ need, scale }) => need.databaseServers / scale.regions - 1n,
      remedy: 'set it, or have replicas of replicas; or more regions, each with a primary that the log feeds',
    },
    {
      engine: 'NATS JetStream',
      what: '`max_payload`, unless set: bytes of one message',
      most: 1_048_576n,
      source: '[NATS, Configuration](https://docs.nats.io/running-a-nats-service/configuration)',
      asked: () => MAINNET.eventsPerBlock * EVENT_BYTES,
      remedy: 'a larger block is several messages ([log](log.md#what-is-in-the-stream))',
    },
    {
      engine: 'NATS JetStream',
      what: 'requests of its API in flight, from 2.10.21 on; each region is one consumer that pulls',
      most: 10_000n,
      source: '[NATS, Configuring JetStream](https://docs.nats.io/jetstream/resource_management)',
      asked: ({ scale }) => scale.regions,
      remedy: 'leaf nodes or mirrors of the stream near the regions',
    },
    {
      engine: 'Relay',
      what: 'blocks a second, one after the other, as measured here; over a distance fewer',
      most: BigInt(relayedPerSecond),
      source: '`npm run bench`, `log`',
      asked: ({ volume }) => perBlock(1n, volume),
      remedy: 'put the relay beside the servers of the log',
    },
    {
      engine: 'HAProxy',
      what: 'address and port couples towards one server',
      most: 65_536n,
      source: '[HAProxy 2.6 Configuration Manual](https://docs.haproxy.org/2.6/configuration.html), `source`',
      asked: connectionsOfGateway,
      remedy: 'more addresses: one for each process of a gateway, or a `source` range for each server',
    },
    {
      engine: 'Linux',
      what: '`ip_local_port_range`, unless set: connections of one proxy to one address',
      most: 60_999n - 32_768n + 1n,
      source: '[Linux, IP Sysctl](https://docs.kernel.org/networking/ip-sysctl.html)',
      asked: connectionsOfGateway,
      remedy: '`net.ipv4.ip_local_port_range = 1024 65535`, and more addresses',
    },
    {
      engine: 'Linux',
      what: '`fs.nr_open`, unless set: files of one process; a proxy has two for each client',
      most: 1_048_576n,
      source: '[Linux, /proc/sys/fs](https://docs.kernel.org/admin-guide/sysctl/fs.html)',
      asked: ({ need, scale }) => (2n * need.clientConnections) / scale.regions,
      remedy: 'more proxies, by DNS or by anycast',
    },
    {
      engine: 'Node.js',
      what: 'bytes of one process: `--max-old-space-size` as its documentation sets it on 2 GiB (1,536 MiB)',
      most: 1_536n * 1_048_576n,
      source:
        '[Node.js, Command-line API](https://nodejs.org/docs/latest-v20.x/api/cli.html#--max-old-space-sizesize-in-megabytes)',
      asked: ({ need, kind }) =>
        BigInt(memory.asked) +
        (kind === 'followers' ? BigInt(memory.stream) * (need.clientConnections / need.processes) : 0n),
      remedy: 'more processes: what streams a process has here is far below',
    },
    {
      engine: 'A CDN (Amazon CloudFront)',
      what: 'requests a second of one distribution, unless more are asked for',
      most: 250_000n,
      source:
        '[Amazon CloudFront, Quotas](https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html)',
      asked: ({ kind, scale }) => (kind === 'requests' ? (scale.count * REQUESTS.sharedPercent) / 100n : 0n),
      remedy:
        'a higher quota, more distributions, or caches of your own ([replicas](replicas.md#a-cache-in-front))',
    },
    {
      engine: 'A CDN (Amazon CloudFront)',
      what: 'megabits a second of one distribution, unless more are asked for',
      most: 150_000n,
      source: 'the same',
      asked: ({ kind, need }) => (kind === 'requests' ? need.megabits : 0n),
      remedy: 'the same',
    },
  ];
}

/** The first of the cases that asks for more than a limit, or null. */
export function firstBeyond({ most, asked }: Limit, cases: readonly Case[]): Case | null {
  return cases.find((one) => asked(one) > most) ?? null;
}

function connectionsOfGateway({ need }: Case): bigint {
  const gateways = (need.processes + MACHINES.processesPerGateway - 1n) / MACHINES.processesPerGateway;
  return need.clientConnections / gateways;
}
