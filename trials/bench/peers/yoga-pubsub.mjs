import { setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import { useServer } from 'graphql-ws/use/ws';
import { createPubSub, createSchema, createYoga, filter, pipe } from 'graphql-yoga';
import { WebSocketServer } from 'ws';
import { listen } from './listen.mjs';

/*
 * graphql-yoga's pub/sub with a filter, over graphql-ws, as its documentation shows: every subscriber's filter sees every
 * change, and what passes is executed for each. POST /publish takes changed accounts.
 */

// Every subscriber listens to the one target.
setMaxListeners(0);
const pubSub = createPubSub();
let subscribers = 0;

const yoga = createYoga({
  logging: false,
  schema: createSchema({
    typeDefs: `
      type Query { subscribers: Int! }
      type Account { owner: ID!, balance: String!, asset: ID!, type: String! }
      type Updates { accounts: [Account!]! }
      type AccountsMessage { updates: Updates! }
      type Subscription { accounts(party: ID!): AccountsMessage! }`,
    resolvers: {
      Query: { subscribers: () => subscribers },
      Subscription: {
        accounts: {
          subscribe: (_, { party }) => {
            subscribers += 1;
            return pipe(
              pubSub.subscribe('account'),
              filter(({ owner }) => owner === party),
            );
          },
          resolve: (account) => ({ updates: { accounts: [account] } }),
        },
      },
    },
  }),
});

const server = createServer((request, response) => {
  if (request.url !== '/publish') return yoga(request, response);
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    for (const account of JSON.parse(Buffer.concat(chunks))) pubSub.publish('account', account);
    response.end('{}');
  });
});
useServer(
  {
    execute: (args) => args.rootValue.execute(args),
    subscribe: (args) => args.rootValue.subscribe(args),
    onSubscribe: async (context, _id, params) => {
      const { schema, execute, subscribe, contextFactory, parse, validate } = yoga.getEnveloped({
        ...context,
        req: context.extra.request,
        socket: context.extra.socket,
        params,
      });
      const args = {
        schema,
        operationName: params.operationName,
        document: parse(params.query),
        variableValues: params.variables,
        contextValue: await contextFactory(),
        rootValue: { execute, subscribe },
      };
      const errors = validate(args.schema, args.document);
      return errors.length > 0 ? errors : args;
    },
  },
  new WebSocketServer({ server, path: yoga.graphqlEndpoint }),
);
await listen(server);
