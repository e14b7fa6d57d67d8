import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { DisposableStack } from '../../src/disposable-stack.ts';
import type { Random } from '../../src/simulation/random.ts';
import { compareDatabases, countMessages } from '../../test/ingest/log-network.ts';
import { chooseFilter } from '../../test/live/live-network.ts';
import { findFreePorts } from '../../test/live/proxy.ts';
import type { GatewayProcess } from '../../test/live/restarted-processes.ts';
import { NatsServers } from '../../test/support/nats-servers.ts';
import { childrenOf, runProgram } from '../../test/support/program.ts';
import { countEach, describeGateway } from '../chaos/describe.ts';
import { followByChance } from '../chaos/follow-by-chance.ts';
import { HeldClient } from '../chaos/held-client.ts';
import { shuffled, signalIfThere } from '../chaos/processes.ts';
import { MixedAsker } from '../replicas/mixed-asker.ts';
import { compareStores } from './compare-stores.ts';
import { GatewayProxy } from './gateway-proxy.ts';
import { Killings } from './killings.ts';
import { ProducedNetwork } from './produced-network.ts';
import { Region } from './region.ts';
import { SimulatedCore } from './simulated-core.ts';

const FIRST_BLOCKS = 40;
const BLOCKS_A_SECOND = 3;
const SILENCE_MS = 4_000;
const ASK_EVERY_MS = 50;
const AWAY_MS = 500;
/** Gateways of the two regions that begin, and of the one that joins. */
const GATEWAYS = 5;
const OF_ONE_REGION = 2;

/**
 * Two core nodes, two relays, a log of three servers, two regions (a third joins) of a primary, a standby and gateways each, a proxy
 * in front of all gateways, clients and questions: all of it on this machine, each in processes that can be killed.
 */
export class RegionsTrial implements AsyncDisposable {
  readonly network: ProducedNetwork;
  readonly killings = new Killings();
  readonly #random: Random;
  readonly #opened = new DisposableStack();
  readonly #clients: HeldClient[] = [];
  #servers!: NatsServers;
  #cores: readonly SimulatedCore[] = [];
  #regions: readonly Region[] = [];
  #ports: readonly number[] = [];
  #proxy!: GatewayProxy;
  #asker!: MixedAsker;
  #held: Promise<unknown> = Promise.resolve();
  #producing: Promise<void> | null = null;
  #isProducing = false;
  /** A gateway is there that may lack the past which clients go on from. */
  #isJoining = false;

  private constructor(random: Random) {
    this.#random = random;
    this.network = new ProducedNetwork({ seed: random.below(1000), parties: 60, markets: 3 });
  }

  static async start(random: Random, clients: number): Promise<RegionsTrial> {
    const trial = new RegionsTrial(random);
    try {
      await trial.#startServers();
      await trial.#startClients(clients);
      return trial;
    } catch (error) {
      await trial[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** What clients were told, and the answers that were held to the chain. */
  get told() {
    const sum = (of: (client: HeldClient) => number) =>
      this.#clients.reduce((total, client) => total + of(client), 0);
    return {
      blocks: sum(({ blocks }) => blocks),
      begunAgain: sum(({ begunAgain }) => begunAgain),
      answers: this.#asker.answers,
      failures: this.#asker.failures.length,
    };
  }

  /** Kills one of each kind, in an order of chance, while blocks come. Says of each how long it took. */
  async killEach(): Promise<readonly string[]> {
    const lines: string[] = [];
    this.#produceOn();
    for (const [kind, kill] of shuffled(Object.entries(this.#kinds()), this.#random.below)) {
      const start = performance.now();
      await this.#unlessLost(kill());
      lines.push(`${kind}: back after ${Math.round(performance.now() - start)} ms`);
      await sleep(this.#random.between(800, 2_000));
    }
    return lines;
  }

  /**
   * A third region starts from what the first one exports, while blocks come. Until its past is in, it refuses what is asked of that
   * with OUT_OF_RANGE, and clients that come to it begin again with a snapshot.
   */
  async joinThird(): Promise<void> {
    this.#produceOn();
    this.#isJoining = true;
    const whole = this.killings.begin(`gateway${GATEWAYS - 1}`, /OUT_OF_RANGE/);
    const folder = await mkdtemp(join(tmpdir(), 'periscope-base-'));
    this.#opened.defer(() => rm(folder, { recursive: true, force: true }));
    const [standby] = this.#regions[0]?.postgres.standbys ?? [];
    const environment = { DATABASE_URL: standby?.readerUrl ?? '' };
    const { code, stderr } = await this.#unlessLost(runProgram(['export', folder], environment));
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    const port = this.#ports[GATEWAYS - 1] as number;
    const joining = Region.join(this.#servers.url, folder, port);
    // A trial that fails meanwhile leaves no region behind.
    this.#opened.defer(async () => (await joining.catch(() => null))?.[Symbol.asyncDispose]());
    const third = await this.#unlessLost(joining);
    this.#regions = [...this.#regions, third];
    await this.#unlessLost(third.whole());
    whole();
  }

  /** Lets no more blocks come, and holds all servers of all regions, and all clients, to each other at the last one. */
  async compareAll(): Promise<void> {
    await this.#pause();
    const { height } = this.network;
    await this.#unlessLost(Promise.all(this.#regions.map((region) => region.reach(height))));
    const digests = (await Promise.all(this.#regions.map((region) => region.readDigests()))).flat();
    expect(digests[0]).toHaveLength(height);
    for (const others of digests) expect(others).toEqual(digests[0]);
    await this.#unlessLost(this.#reachClients(height));
    const tables = (await Promise.all(this.#regions.map((region) => region.readAccounts()))).flat();
    for (const rows of tables) expect(compareStores(this.#clients, rows)).toEqual([]);
    this.#isJoining = false;
  }

  /** Ends what asks and follows, and compares the states of the regions as `verify` does. */
  async finish(): Promise<void> {
    await this.#asker.stop();
    for (const { live } of this.#clients) live.close();
    await this.#held;
    const { height } = this.network;
    const [first, ...others] = this.#regions.map(({ postgres }) => postgres.primary);
    for (const other of others) {
      const { chain, differing } = await compareDatabases(
        first as Region['postgres']['primary'],
        other,
        height,
      );
      expect([chain, differing]).toEqual([{ isEqual: true }, []]);
    }
    expect(await countMessages(this.#servers)).toBe(height);
    expect(this.#clients.every(({ blocks }) => blocks > 1)).toBe(true);
    expect(this.#asker.faults).toEqual([]);
    expect(this.killings.explainNot(this.#asker.failures)).toEqual([]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.close();
  }

  get #gateways(): readonly GatewayProcess[] {
    return this.#regions.flatMap(({ gateways }) => gateways);
  }

  async #startServers(): Promise<void> {
    const opened = this.#opened;
    await this.network.produce(FIRST_BLOCKS);
    this.#servers = opened.use(await NatsServers.start(3));
    const startCore = async () => opened.use(await SimulatedCore.start(this.network, this.#servers));
    this.#cores = [await startCore(), await startCore()];
    this.#ports = await findFreePorts(GATEWAYS);
    for (const first of [0, OF_ONE_REGION]) {
      const region = await Region.start(this.#servers.url, this.#ports.slice(first, first + OF_ONE_REGION));
      this.#regions = [...this.#regions, opened.use(region)];
      await region.reach(FIRST_BLOCKS);
    }
    this.#proxy = opened.use(await GatewayProxy.start(this.#ports.map((port) => `http://127.0.0.1:${port}`)));
    const isReady = async () => (await fetch(`${this.#proxy.url}/health/ready`)).status;
    await expect.poll(isReady).toBe(200);
  }

  async #startClients(count: number): Promise<void> {
    const { chain } = this.network;
    this.#opened.defer(async () => {
      for (const { live } of this.#clients) live.close();
    });
    for (let n = 0; n < count; n++) {
      const filter = chooseFilter(this.#random, chain);
      const options = { urls: [this.#proxy.url], filter, after: null, silenceMs: SILENCE_MS };
      const following = followByChance(this.#random, options);
      this.#clients.push(new HeldClient(chain, filter, following, () => this.#isJoining));
    }
    /** Rejects with the first difference, and never resolves before all are closed. */
    this.#held = Promise.all(this.#clients.map(({ live }) => live.done));
    this.#held.catch(() => {});
    await this.#unlessLost(Promise.all(this.#clients.map(({ live }) => live.ready)));
    this.#asker = new MixedAsker(this.#proxy.url, chain, {
      ...{ everyMs: ASK_EVERY_MS, holdsOrder: false, asksPast: true },
    });
    this.#opened.defer(() => this.#asker.stop());
    this.#opened.defer(() => this.#pause());
  }

  /** What can be killed, and comes back. */
  #kinds(): Readonly<Record<string, () => Promise<unknown>>> {
    const random = this.#random;
    const whole = this.#regions.filter(({ writer }) => writer !== null);
    return {
      'a core connection': () => random.pick(this.#cores).cut(),
      'a relay': () => random.pick(this.#cores).killRelay(),
      'a nats-server': async () => {
        const index = random.below(this.#servers.count);
        await this.#servers.kill(index);
        await sleep(AWAY_MS);
        await this.#servers.restart(index);
      },
      'a writer': async () => random.pick(whole).writer?.kill('SIGKILL'),
      'a standby': () => random.pick(whole).killStandby(),
      'a primary, with a promotion': () => random.pick(whole).postgres.failOver(),
      'a gateway': () => this.#killOne((gateway) => gateway.restart('SIGKILL')),
      'a worker': () =>
        this.#killOne(async ({ pid }) => signalIfThere(random.pick(childrenOf(pid)), 'SIGKILL')),
      'the proxy': async () => {
        const done = this.killings.begin(null);
        await this.#proxy.kill();
        await sleep(AWAY_MS);
        await this.#proxy.restart();
        done();
      },
    };
  }

  /** Kills a gateway, or of one, and notes which one that is, as the proxy calls it. */
  async #killOne(kill: (gateway: GatewayProcess) => Promise<unknown>): Promise<void> {
    const gateway = this.#random.pick(this.#gateways);
    this.killings.begin(`gateway${this.#gateways.indexOf(gateway)}`)();
    await kill(gateway);
  }

  #produceOn(): void {
    this.#isProducing = true;
    this.#producing ??= (async () => {
      while (this.#isProducing) {
        await this.network.produce(1);
        await sleep(1_000 / BLOCKS_A_SECOND);
      }
      this.#producing = null;
    })();
  }

  async #pause(): Promise<void> {
    this.#isProducing = false;
    await this.#producing;
  }

  async #reachClients(height: number): Promise<void> {
    const behind = () => this.#clients.filter((one) => one.height !== height || !one.live.isLive).length;
    await expect
      .poll(behind)
      .toBe(0)
      .catch(async (cause) => {
        const standings = countEach(this.#clients.map(({ standing }) => standing));
        const gateways = await Promise.all(this.#gateways.map(({ url }) => describeGateway(url)));
        throw new Error([`wanted: block ${height}`, ...gateways, ...standings].join('\n'), { cause });
      });
  }

  /** Fails as soon as a client was told what is not so. */
  #unlessLost<Result>(doing: Promise<Result>): Promise<Result> {
    const lost = this.#held.then(() => doing);
    return Promise.race([doing, lost]);
  }
}
