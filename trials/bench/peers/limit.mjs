import { createServer } from 'node:http';
import pg from 'pg';
import { depositStatuses } from '../../../dist/domain/enumerations.js';
import { listenEach } from './listen.mjs';

/*
 * The limit: what a gateway in Node costs that does nothing but read: the bare driver, named statements over two pipelined
 * connections, each row's JSON written by PostgreSQL, node:http. No checks, no errors, no limits of what may be
 * under way, no look at what is on the cursor's other side, no headers but those of any JSON answer.
 */

const PIPES = 2;
const pipes = await Promise.all(
  Array.from({ length: PIPES }, async () => {
    const client = new pg.Client({ connectionString: process.env.DATABASE_URL, pipeline: true });
    await client.connect();
    return { client, isCorked: false };
  }),
);
let turn = 0;

/** The name of a number, where there is one. */
const STATUS = `(ARRAY['${depositStatuses.names.join("','")}'])[t.status + 1]`;

/** Cheaper than row_to_json. Whatever may hold a quotation mark is escaped; no column is null. */
const DEPOSIT = `'{"id":' || to_json(t.id)::text || ',"status":"' || ${STATUS} || '","partyId":' || to_json(t.party_id)::text
  || ',"asset":' || to_json(t.asset_id)::text || ',"amount":"' || t.amount || '","txHash":' || to_json(t.tx_hash)::text
  || ',"creditedTimestamp":"' || t.credited_timestamp || '","createdTimestamp":"' || t.created_timestamp || '"}'`;

/** A row; then pages by what filters them and whether they begin after a cursor. */
const STATEMENTS = {
  row: `SELECT '{"deposit":' || ${DEPOSIT} || '}' FROM deposits AS t WHERE t.id = $1`,
  page: pageStatement([], '$1', null),
  pageAfter: pageStatement([], '$1', '$2'),
  party: pageStatement(['t.party_id = $1'], '$2', null),
  partyAfter: pageStatement(['t.party_id = $1'], '$2', '$3'),
};

/** One row more than the page is read, which says whether the list goes on. Of several rows row_to_json is the cheaper. */
function pageStatement(filters, limit, cursor) {
  const conditions = cursor === null ? filters : [...filters, `t.created_position < ${cursor}`];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return `SELECT t.created_position, row_to_json(node)
    FROM (SELECT * FROM deposits AS t ${where} ORDER BY t.created_position DESC LIMIT ${limit}) AS t
    CROSS JOIN LATERAL (
      SELECT t.id, ${STATUS} AS status, t.party_id AS "partyId", t.asset_id AS asset, t.amount, t.tx_hash AS "txHash",
        t.credited_timestamp::text AS "creditedTimestamp", t.created_timestamp::text AS "createdTimestamp"
    ) AS node`;
}

/** The driver would read the JSON. */
pg.types.setTypeParser(pg.types.builtins.JSON, (text) => text);

/** What is asked within one turn of the event loop goes out at once. */
async function query(name, values) {
  turn = (turn + 1) % PIPES;
  const pipe = pipes[turn];
  const { stream } = pipe.client.connection;
  if (!pipe.isCorked) {
    pipe.isCorked = true;
    stream.cork();
    setImmediate(() => {
      pipe.isCorked = false;
      stream.uncork();
    });
  }
  const { rows } = await pipe.client.query({ name, text: STATEMENTS[name], values, rowMode: 'array' });
  return rows;
}

async function answerPage(search) {
  const parameters = new URLSearchParams(search);
  const party = parameters.get('partyId');
  const first = Number(parameters.get('pagination.first'));
  const after = parameters.get('pagination.after');
  const values = [first + 1];
  if (party !== null) values.unshift(party);
  if (after !== null) values.push(Buffer.from(after, 'base64url').toString().split('.')[2]);
  const rows = await query(`${party === null ? 'page' : 'party'}${after === null ? '' : 'After'}`, values);
  return writePage(rows, first, after !== null);
}

function writePage(rows, first, hasPreviousPage) {
  const hasNextPage = rows.length > first;
  if (hasNextPage) rows.pop();
  let edges = '';
  let start = '';
  let end = '';
  for (const [position, json] of rows) {
    end = Buffer.from(`1.deposits.${position}`).toString('base64url');
    if (edges !== '') edges += ',';
    else start = end;
    edges += `{"node":${json},"cursor":"${end}"}`;
  }
  return `{"deposits":{"edges":[${edges}],"pageInfo":{"hasNextPage":${hasNextPage},"hasPreviousPage":${hasPreviousPage},"startCursor":"${start}","endCursor":"${end}"}}}`;
}

const ROW = '/api/v2/deposit/';

async function answer(request, response) {
  const url = request.url;
  try {
    const text = url.startsWith(ROW)
      ? (await query('row', [url.slice(ROW.length)]))[0][0]
      : await answerPage(url.slice(url.indexOf('?') + 1));
    const body = Buffer.from(text);
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
    });
    response.end(body);
  } catch (error) {
    process.stderr.write(`limit: ${error.stack}\n`);
    response.writeHead(500);
    response.end();
  }
}

await listenEach(() => createServer(answer));
