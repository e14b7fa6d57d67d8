import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { jsonPgSmartTags } from 'postgraphile/utils';
import { listen } from './listen.mjs';

/*
 * PostGraphile 5 with its recommended preset, over Periscope's tables. These have no foreign keys, so that it is told of
 * the relations that the deposits' question walks.
 */

const relations = jsonPgSmartTags({
  version: 1,
  config: {
    class: {
      deposits: {
        tags: { foreignKey: ['(party_id) references parties (id)', '(asset_id) references assets (id)'] },
      },
      accounts: { tags: { foreignKey: ['(owner) references parties (id)'] } },
    },
  },
});

const pgl = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [relations],
  pgServices: [makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['public'], max: 10 })],
  grafserv: { graphiql: false, graphqlPath: '/graphql', watch: false },
  grafast: { explain: false },
});

const server = createServer();
const serv = pgl.createServ(grafserv);
await serv.addTo(server);
await serv.ready();
await listen(server);
