import { once } from 'node:events';

/** Has a server listen on a free port, says where on the first line of standard output, and ends with the bench. */
export async function listen(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
  process.once('disconnect', () => process.exit());
}
