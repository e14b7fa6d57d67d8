import cluster from 'node:cluster';
import { once } from 'node:events';

/** Has as many processes listen on one port as WORKERS says, by Node's cluster: each makes its own server. */
export function listenEach(makeServer) {
  const workers = Number(process.env.WORKERS ?? 1);
  if (workers === 1) return listen(makeServer());
  if (cluster.isWorker) return makeServer().listen(0, '127.0.0.1');
  let left = workers;
  cluster.on('listening', (_worker, { port }) => {
    left -= 1;
    if (left === 0) process.stdout.write(`http://127.0.0.1:${port}\n`);
  });
  for (let worker = 0; worker < workers; worker++) cluster.fork();
  process.once('disconnect', () => process.exit());
}

/** Has a server listen on a free port, says where on the first line of standard output, and ends with the bench. */
export async function listen(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
  process.once('disconnect', () => process.exit());
}
