import { createServer } from 'node:http';
import pg from 'pg';
import { depositStatuses } from '../../../dist/domain/enumerations.js';
import { listenEach } from './listen.mjs';

/*
 * The limit: what a gateway in Node costs that does nothing but read: the bare driver, named statements, each row's JSON
 * written by PostgreSQL, node:http. No checks, no errors, no headers but those of any JSON answer.
 */

/** Several processes (WORKERS) have as many connections together as one. */
const MOST = Math.floor(10 / Number(process.env.WORKERS ?? 1));
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: MOST });

/** The name of a number, where there is one. */
const STATUS = `(ARRAY['${depositStatuses.names.join("','")}'])[t.status + 1]`;

/** Cheaper than row_to_json. Whatever may hold a quotation mark is escaped; no column is null. */
const DEPOSIT = `'{"id":' || to_json(t.id)::text || ',"status":"' || ${STATUS} || '","partyId":' || to_json(t.party_id)::text
  || ',"asset":' || to_json(t.asset_id)::text || ',"amount":"' || t.amount || '","txHash":' || to_json(t.tx_hash)::text
  || ',"creditedTimestamp":"' || t.credited_timestamp || '","createdTimestamp":"' || t.created_timestamp || '"}'`;

/** A row; then pages by what filters them and whether they begin after a cursor. */
const STATEMENTS = {
  row: `SELECT ${DEPOSIT} FROM deposits AS t WHERE t.id = $1`,
  page: pageStatement('', '$1', null),
  pageAfter: pageStatement('', '$1', '$2'),
  party: pageStatement('t.party_id = $1', '$2', null),
  partyAfter: pageStatement('t.party_id = $1', '$2', '$3'),
};

/** One row more than the page, and one on the cursor's other side: whether the list goes on there. */
function pageStatement(filter, limit, cursor) {
  const where = (bound) => {
    const conditions = [filter, bound].filter((condition) => condition !== '');
    return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  };
  const page = (bound) =>
    `SELECT t.created_position, ${DEPOSIT} FROM deposits AS t ${where(bound)} ORDER BY t.created_position DESC LIMIT ${limit}`;
  if (cursor === null) return page('');
  return `(${page(`t.created_position < ${cursor}`)}) UNION ALL
    (SELECT t.created_position, NULL FROM deposits AS t ${where(`t.created_position >= ${cursor}`)}
     ORDER BY t.created_position LIMIT 1)`;
}

async function query(name, values) {
  const { rows } = await pool.query({ name, text: STATEMENTS[name], values, rowMode: 'array' });
  return rows;
}

async function answerRow(id) {
  const [row] = await query('row', [id]);
  return `{"deposit":${row[0]}}`;
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
  return writePage(rows, first);
}

function writePage(rows, first) {
  const found = rows.filter(([, json]) => json !== null);
  const hasPreviousPage = found.length < rows.length;
  const hasNextPage = found.length > first;
  if (hasNextPage) found.pop();
  let edges = '';
  let start = '';
  let end = '';
  for (const [position, json] of found) {
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
      ? await answerRow(url.slice(ROW.length))
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
