import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { extendSchema, gql, jsonPgSmartTags } from 'postgraphile/utils';
import { accountTypes, depositStatuses } from '../../../dist/domain/enumerations.js';
import { listen } from './listen.mjs';

/*
 * PostGraphile 5 with its recommended preset, over Periscope's tables. These have no foreign keys, so that it is told of
 * the relations that the deposits' question walks, and of the names of enumerations, of which the tables have the numbers.
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

const names = extendSchema(({ dataplanPg: { TYPES } }) => {
  const nameOf = (column, { namesByNumber }) => {
    const array = `[0:${namesByNumber.length - 1}]={${namesByNumber.map((name) => name ?? 'NULL').join()}}`;
    return ($row) =>
      $row.select(
        (sql) => sql`(${sql.literal(array)}::text[])[${$row}.${sql.identifier(column)}]`,
        TYPES.text,
      );
  };
  return {
    typeDefs: gql`
      extend type Deposit {
        statusName: String
      }
      extend type Account {
        typeName: String
      }
    `,
    objects: {
      Deposit: { plans: { statusName: nameOf('status', depositStatuses) } },
      Account: { plans: { typeName: nameOf('type', accountTypes) } },
    },
  };
});

const pgl = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [relations, names],
  pgServices: [makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['public'], max: 10 })],
  grafserv: { graphiql: false, graphqlPath: '/graphql', watch: false },
  grafast: { explain: false },
});

const server = createServer();
const serv = pgl.createServ(grafserv);
await serv.addTo(server);
await serv.ready();
await listen(server);
