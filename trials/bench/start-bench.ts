import type { Bench } from './bench.ts';
import { type BenchDatabase, openBenchPostgres } from './database/bench-database.ts';
import { startLoader } from './load/start-loader.ts';
import { type BenchServer, type PeerName, startPeer, startPeriscope } from './servers/start-server.ts';
import type { Size } from './size.ts';

/** Starts what every case works with; what only some want is started with the first of them, and ends with the bench. */
export async function startBench(
  size: Size,
  before: string | null,
  say: (text: string) => void,
): Promise<Bench & AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const postgres = opening.use(await openBenchPostgres(size, say));
  const loader = opening.use(startLoader());
  const stack = opening.move();

  let filled: Promise<BenchDatabase> | undefined;
  const database = () => {
    filled ??= postgres.createFilled().then((made) => stack.use(made));
    return filled;
  };
  const servers = new Map<string, Promise<BenchServer>>();
  const once = (name: string, start: () => Promise<BenchServer>) => {
    const running = servers.get(name) ?? start().then((server) => stack.use(server));
    servers.set(name, running);
    return running;
  };
  return {
    size,
    postgres,
    loader,
    before,
    say,
    database,
    periscope: () =>
      once('Periscope', async () => startPeriscope({ DATABASE_URL: (await database()).readerUrl })),
    peer: (name: PeerName) =>
      once(name, async () => startPeer(name, { DATABASE_URL: (await database()).readerUrl })),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
