// Asks for what is refused, from so many addresses on so many connections, for so long:
//   node attacker.mjs URL KIND CONNECTIONS ADDRESSES SECONDS
// Prints how often each status came, as JSON.
import { Agent, request } from 'node:http';
import WebSocket from 'ws';

const [url, kind, connections, addresses, seconds] = process.argv.slice(2);
const end = Date.now() + Number(seconds) * 1000;
let count = 0;

const fields = (number, name) => Array.from({ length: number }, (_, index) => `${name}${index}`).join(' ');
const unique = () => {
  count += 1;
  return `a${count}_${process.pid}`;
};
const invalid = (number = 300) => `{ ${unique()}: __typename ${fields(number, 'fieldThatIsNone')} }`;

/** What each kind of attack sends: the body of a POST, or a path. */
const KINDS = {
  nothing: () => ({ query: '{ __typename }' }),
  'invalid documents, in batches of ten': () => Array.from({ length: 10 }, () => ({ query: invalid() })),
  'documents over the limit of tokens': () => ({ query: `{ ${unique()}: __typename ${fields(3000, 'b')} }` }),
  'a new connection for each question': () => ({ query: '{ __typename }' }),
  '90 conflicting aliases': () => ({
    query: `{ ${unique()}: __typename ${Array.from({ length: 90 }, (_, n) => `a: asset(id: "${n}") { id }`).join(' ')} }`,
  }),
  '4,000 bad values in variables': () => ({
    query: 'query ($types: [AccountType!]) { accounts(filter: { accountTypes: $types }) { totalCount } }',
    variables: { types: Array.from({ length: 4000 }, (_, n) => `NONE_${n}`) },
  }),
  'new introspection documents': () => ({
    query: `{ ${unique()}: __schema { types { name description fields { name description args { name } type { name } } } } }`,
  }),
  '1,500 node ids as variables': () => ({
    query: 'query ($ids: [ID!]!) { nodes(nodeIds: $ids) { nodeId } }',
    variables: { ids: Array.from({ length: 1500 }, (_, n) => `${unique()}${n}`) },
  }),
  'brackets that never close': () => '['.repeat(60_000),
  'a refused argument below a page': () => ({
    query: `{ ${unique()}: rewards(first: 5000) { edges { node { party { deposits(first: -1) { totalCount } } } } } }`,
  }),
};

const statuses = {};
const note = (status) => {
  statuses[status] = (statuses[status] ?? 0) + 1;
};
const addressOf = (index) => `192.0.2.${1 + (index % Number(addresses))}`;

/** Posts again and again on one connection. */
async function post(index) {
  const agent = new Agent({ keepAlive: !kind.startsWith('a new connection'), maxSockets: 1 });
  while (Date.now() < end) {
    const body = KINDS[kind]();
    await new Promise((resolve) => {
      const sent = request(
        `${url}/graphql`,
        {
          agent,
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': addressOf(index) },
        },
        (response) => {
          note(response.statusCode);
          response.resume().on('close', resolve);
        },
      );
      sent.setTimeout(60_000, () => sent.destroy());
      sent.on('error', () => {
        note('cut');
        resolve();
      });
      sent.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  }
  agent.destroy();
}

/** Has forty invalid operations under way on one WebSocket. */
function flood(index) {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      headers: { 'X-Forwarded-For': addressOf(index) },
    });
    const send = () =>
      socket.send(JSON.stringify({ id: unique(), type: 'subscribe', payload: { query: invalid(250) } }));
    socket.on('open', () => socket.send('{"type":"connection_init"}'));
    socket.on('message', (data) => {
      const { type } = JSON.parse(data);
      if (type === 'connection_ack') for (let n = 0; n < 40; n += 1) send();
      else {
        note(type);
        if (Date.now() < end) send();
        else socket.terminate();
      }
    });
    socket.on('error', () => note('cut'));
    socket.on('close', resolve);
    setTimeout(() => socket.terminate(), end - Date.now() + 1000).unref();
  });
}

const isSocket = kind.endsWith('on a WebSocket');
await Promise.all(Array.from({ length: Number(connections) }, (_, n) => (isSocket ? flood(n) : post(n))));
process.stdout.write(JSON.stringify(statuses));
