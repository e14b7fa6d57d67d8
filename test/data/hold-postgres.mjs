// Opens the embedded database of a folder, says so in a line of JSON, and closes it when standard input ends:
//   node hold-postgres.mjs MODULE FOLDER CYCLES
// MODULE is the compiled src/data/embedded/postgres.ts. Before it holds the database, it opens, asks and closes it CYCLES
// times.
import { once } from 'node:events';
import pg from 'pg';

const [modulePath, dataDir, cycles] = process.argv.slice(2);
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const { openPostgres } = await import(modulePath);
  for (let cycle = 0; cycle < Number(cycles); cycle++) {
    const postgres = await openPostgres({ dataDir });
    const client = new pg.Client(postgres.url);
    await client.connect();
    await client.query('SELECT 1');
    await client.end();
    await postgres.close();
  }
  const postgres = await openPostgres({ dataDir });
  say({ url: postgres.url });
  process.stdin.resume();
  await once(process.stdin, 'end');
  await postgres.close();
  say({ closed: true });
} catch (error) {
  say({ error: error.message });
}
