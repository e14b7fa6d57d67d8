// Asks at a steady rate, half on kept-alive connections, half on fresh ones, from a thread of its own; it falls behind
// where so many are not answered yet, so that a slow machine is not asked for more. Says each new outcome of a request, a
// status or an error's code; told to stop, it gives how often there was which.
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { url, perSecond, connections, mostOpen } = workerData;
const kept = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
const outcomes = {};
let isStopped = false;
let open = 0;

function count(outcome) {
  if (!(outcome in outcomes)) parentPort.postMessage(outcome);
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  open -= 1;
  if (isStopped && open === 0) finish();
}

function ask(agent) {
  open += 1;
  const asking = request(url, { agent }, (response) => {
    const { statusCode, headers } = response.resume();
    response.once('end', () => count(`${statusCode} ${headers.connection}`));
    response.once('error', (error) => count(`${error.message} in an answer`));
  });
  asking.on('error', (error) => {
    const where = asking.reusedSocket ? 'a kept connection' : 'a fresh connection';
    count(error.code === 'ECONNREFUSED' ? error.code : `${error.message} on ${where}`);
  });
  asking.end();
}

function finish() {
  kept.destroy();
  parentPort.postMessage(outcomes);
}

for (let index = 0; index < connections; index += 1) ask(kept);
const start = performance.now();
let asked = 0;
const timer = setInterval(() => {
  for (; open < mostOpen && asked < ((performance.now() - start) * perSecond) / 1000; asked += 1)
    ask(asked % 2 === 0 ? kept : new Agent({ maxSockets: 1 }));
}, 1);
parentPort.once('message', () => {
  clearInterval(timer);
  isStopped = true;
  if (open === 0) finish();
});
