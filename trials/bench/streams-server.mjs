// One server to be measured, as a process of its own: fork('streams-server.mjs', [KIND, DATABASE_URL, PARTIES]).
// KIND is periscope, or a peer: yoga (its pub/sub with a filter, served by graphql-ws), ws (a loop that sends one
// ready-made buffer). Sends its address first, then answers each message.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const [kind, databaseUrl] = process.argv.slice(2);
const held = monitorEventLoopDelay({ resolution: 1 });
held.enable();

const servers = { periscope: startPeriscope, yoga: startYoga, ws: startLoop };
const server = await servers[kind]();

process.on('message', async ({ ask, ...given }) => {
  if (ask === 'publish') server.publish(given);
  if (ask === 'reset') held.reset();
  if (ask === 'memory') for (let n = 0; n < 3; n += 1) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ cpuUs: user + system, rss, heapUsed, external, heldMs: held.max / 1e6, ...server.counters });
});
process.once('disconnect', () => process.exit());
process.send(server.url);

async function startPeriscope() {
  const [{ readConfig }, { startGateway }, { pino }] = await Promise.all([
    import('../../dist/config.js'),
    import('../../dist/server.js'),
    import('pino'),
  ]);
  const many = '100000';
  const counters = { executions: 0, serialisations: 0, encodings: 0 };
  const { url } = await startGateway({
    config: readConfig({
      PORT: '0',
      MAX_CONNECTIONS: many,
      MAX_CONNECTIONS_PER_CLIENT: many,
      MAX_STREAMS: many,
      MAX_STREAMS_PER_CLIENT: many,
      MAX_SOCKETS: many,
      MAX_SOCKETS_PER_CLIENT: many,
    }),
    databaseUrl,
    logger: pino({ level: 'warn' }),
    counters,
  });
  return { url, counters };
}

/** The documented way: one topic, a filter for each subscriber, each result executed and serialised for each. */
async function startYoga() {
  const [{ createPubSub, createSchema, createYoga, filter, pipe }, { useServer }, { WebSocketServer }] =
    await Promise.all([import('graphql-yoga'), import('graphql-ws/use/ws'), import('ws')]);
  const pubSub = createPubSub();
  const schema = createSchema({
    typeDefs: /* GraphQL */ `
      type Account { owner: ID! balance: String! asset: ID! marketId: ID! type: String! }
      type Block { height: String! timestamp: String! }
      type Updates { accounts: [Account!]! }
      type Message { block: Block! cursor: String! updates: Updates }
      input Filter { partyIds: [ID!] }
      type Query { ok: Boolean }
      type Subscription { accounts(filter: Filter): Message! }`,
    resolvers: {
      Subscription: {
        accounts: {
          subscribe: (_, { filter: wanted }) =>
            pipe(
              pubSub.subscribe('accounts'),
              filter(({ updates }) =>
                updates.accounts.some(({ owner }) => wanted?.partyIds?.includes(owner) ?? true),
              ),
            ),
          resolve: (message) => message,
        },
      },
    },
  });
  const yoga = createYoga({ schema, logging: false });
  const server = createServer(yoga);
  const sockets = new WebSocketServer({ server, path: '/graphql' });
  useServer(
    {
      execute: (args) => args.rootValue.execute(args),
      subscribe: (args) => args.rootValue.subscribe(args),
      onSubscribe: async (ctx, _id, params) => {
        const enveloped = yoga.getEnveloped({ ...ctx, req: ctx.extra.request, params });
        const { schema, execute, subscribe, contextFactory, parse, validate } = enveloped;
        const document = parse(params.query);
        const errors = validate(schema, document);
        if (errors.length > 0) return errors;
        return {
          schema,
          operationName: params.operationName,
          document,
          variableValues: params.variables,
          contextValue: await contextFactory(),
          rootValue: { execute, subscribe },
        };
      },
    },
    sockets,
  );
  return { url: await listen(server), publish: ({ message }) => pubSub.publish('accounts', message) };
}

async function startLoop() {
  const { WebSocketServer } = await import('ws');
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  const open = new Set();
  sockets.on('connection', (socket) => open.add(socket));
  return {
    url: await listen(server),
    publish({ text }) {
      const bytes = Buffer.from(text);
      for (const socket of open) socket.send(bytes, { binary: false });
    },
  };
}

function listen(server) {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`));
  });
}
