import { createServer } from 'node:http';
import pg from 'pg';
import { depositStatuses } from '../../../dist/domain/enumerations.js';
import { listenEach } from './listen.mjs';

/*
 * The limit: what a gateway in Node costs that does nothing but read: the bare driver, named statements over two pipelined
 * connections, each answer's JSON written by PostgreSQL as one text, node:http. No checks, no errors, no limits of what may be
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

/** What names a row: ASCII, so that base64 is base64url. */
const cursorOf = (position) => `rtrim(encode(('1.deposits.' || ${position})::bytea, 'base64'), '=')`;

/** A row; then pages by what filters them and whether they begin after a cursor. */
const STATEMENTS = {
  row: `SELECT '{"deposit":' || ${DEPOSIT} || '}' FROM deposits AS t WHERE t.id = $1`,
  page: pageStatement([], '$1', null),
  pageAfter: pageStatement([], '$1', '$2'),
  party: pageStatement(['t.party_id = $1'], '$2', null),
  partyAfter: pageStatement(['t.party_id = $1'], '$2', '$3'),
};

/** One row more than the page is read, which says whether the list goes on. */
function pageStatement(filters, limit, cursor) {
  const conditions = cursor === null ? filters : [...filters, `t.created_position < ${cursor}`];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const ofPage = `FILTER (WHERE place < ${limit})`;
  return `SELECT '{"deposits":{"edges":[' || string_agg(edge, ',') ${ofPage} || '],"pageInfo":{"hasNextPage":' || (count(*) = ${limit})
    || ',"hasPreviousPage":${cursor !== null},"startCursor":"' || ${cursorOf('max(position)')}
    || '","endCursor":"' || ${cursorOf(`min(position) ${ofPage}`)} || '"}}}'
    FROM (
      SELECT t.created_position AS position, row_number() OVER (ORDER BY t.created_position DESC) AS place,
        '{"node":' || ${DEPOSIT} || ',"cursor":"' || ${cursorOf('t.created_position')} || '"}' AS edge
      FROM deposits AS t ${where} ORDER BY t.created_position DESC LIMIT ${limit}
    ) AS found`;
}

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
  return rows[0][0];
}

function answerPage(search) {
  const parameters = new URLSearchParams(search);
  const party = parameters.get('partyId');
  const first = Number(parameters.get('pagination.first'));
  const after = parameters.get('pagination.after');
  const values = [first + 1];
  if (party !== null) values.unshift(party);
  if (after !== null) values.push(Buffer.from(after, 'base64url').toString().split('.')[2]);
  return query(`${party === null ? 'page' : 'party'}${after === null ? '' : 'After'}`, values);
}

const ROW = '/api/v2/deposit/';

async function answer(request, response) {
  const url = request.url;
  try {
    const text = url.startsWith(ROW)
      ? await query('row', [url.slice(ROW.length)])
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
