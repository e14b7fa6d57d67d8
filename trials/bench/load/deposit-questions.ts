import { cursorOfRow, idOf, positionOfRow } from '../database/rows.ts';
import type { BenchServer } from '../servers/start-server.ts';
import type { TableSizes } from '../size.ts';
import { type BenchRequest, get, graphql, send } from './request.ts';

/** Which deposits are asked for: one; or a page, of a party or of all, that begins after a deposit or with the newest. */
export type DepositQuestion =
  | { readonly deposit: number }
  | { readonly first: number; readonly after?: number; readonly party?: number };

/** Asks one kind of server for deposits: the same fields of the same rows, in this server's words. */
export type Phrase = (question: DepositQuestion) => BenchRequest;

const FIELDS = 'status partyId amount txHash creditedTimestamp createdTimestamp';
const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

/** The documented paths: Periscope's, and those of the limit. */
export function phraseRest(sizes: TableSizes): Phrase {
  return (question) => {
    if ('deposit' in question) return get(`/api/v2/deposit/${idOf('deposit', question.deposit)}`);
    const { first, after, party } = question;
    const parameters = [
      `pagination.first=${first}`,
      ...(after === undefined ? [] : [`pagination.after=${cursorOfRow('deposits', after, sizes)}`]),
      ...(party === undefined ? [] : [`partyId=${idOf('party', party)}`]),
    ];
    return get(`/api/v2/deposits?${parameters.join('&')}`);
  };
}

const ROW = `query Deposit($id: ID!) { deposit(id: $id) { id asset ${FIELDS} } }`;
const PAGE = `query Deposits($first: Int, $after: String, $partyId: ID) {
  deposits(first: $first, after: $after, partyId: $partyId) { edges { node { id asset ${FIELDS} } cursor } ${PAGE_INFO} }
}`;
/** What each deposit links to, one level further down too. */
const LINKED = `query Linked($first: Int, $after: String) {
  deposits(first: $first, after: $after) { edges { node {
    id amount party { id accounts(first: 10) { edges { node { balance asset type } } } } assetNode { id name symbol decimals }
  } } }
}`;

/** Periscope's GraphQL. */
export function phraseGraphql(sizes: TableSizes, linked = false): Phrase {
  return phrase((after) => cursorOfRow('deposits', after, sizes), linked);
}

/** GraphQL of the plain server, whose schema has the same names, and cursors of Pothos. */
export function phrasePlain(sizes: TableSizes, linked = false): Phrase {
  return phrase(
    (after) => Buffer.from(`GPC:I:${positionOfRow('deposits', after, sizes)}`).toString('base64'),
    linked,
  );
}

function phrase(cursorOf: (after: number) => string, linked: boolean): Phrase {
  return (question) => {
    if ('deposit' in question) return graphql(ROW, { id: idOf('deposit', question.deposit) });
    return graphql(linked ? LINKED : PAGE, variablesOf(question, cursorOf));
  };
}

/** The same fields in PostGraphile's words. */
const POSTGRAPHILE_FIELDS = FIELDS.replace('status', 'status: statusName');
const POSTGRAPHILE_ROW = `query Deposit($id: String!) { deposit: depositByRowId(rowId: $id) { id: rowId asset: assetId ${POSTGRAPHILE_FIELDS} } }`;
const postgraphilePage = (
  arguments_: string,
  condition: string,
) => `query Deposits($first: Int, $after: Cursor${arguments_}) {
  deposits: allDeposits(first: $first, after: $after, orderBy: CREATED_POSITION_DESC${condition}) {
    edges { node { id: rowId asset: assetId ${POSTGRAPHILE_FIELDS} } cursor } ${PAGE_INFO}
  }
}`;
const POSTGRAPHILE_PAGE = postgraphilePage('', '');
const POSTGRAPHILE_PARTY = postgraphilePage(', $partyId: String', ', condition: { partyId: $partyId }');
const POSTGRAPHILE_LINKED = `query Linked($first: Int, $after: Cursor) {
  deposits: allDeposits(first: $first, after: $after, orderBy: CREATED_POSITION_DESC) { edges { node {
    id: rowId amount
    party: partyByPartyId { id: rowId accounts: accountsByOwner(first: 10, orderBy: CREATED_POSITION_DESC) {
      edges { node { balance asset: assetId type: typeName } }
    } }
    assetNode: assetByAssetId { id: rowId name symbol decimals }
  } } }
}`;

/** PostGraphile, whose cursors begin with a digest of the order: it is taken from the first page. */
export async function phrasePostgraphile(
  sizes: TableSizes,
  server: BenchServer,
  linked = false,
): Promise<Phrase> {
  const { text } = await send(server.url, graphql(POSTGRAPHILE_PAGE, { first: 1 }));
  const cursor = JSON.parse(text).data.deposits.edges[0].cursor as string;
  const [digest] = JSON.parse(Buffer.from(cursor, 'base64').toString()) as [string];
  const cursorOf = (after: number) => {
    const parts = [digest, `${positionOfRow('deposits', after, sizes)}`, idOf('deposit', after)];
    return Buffer.from(JSON.stringify(parts)).toString('base64');
  };
  return (question) => {
    if ('deposit' in question) return graphql(POSTGRAPHILE_ROW, { id: idOf('deposit', question.deposit) });
    const page = question.party === undefined ? POSTGRAPHILE_PAGE : POSTGRAPHILE_PARTY;
    return graphql(linked ? POSTGRAPHILE_LINKED : page, variablesOf(question, cursorOf));
  };
}

function variablesOf(
  { first, after, party }: { readonly first: number; readonly after?: number; readonly party?: number },
  cursorOf: (after: number) => string,
) {
  return {
    first,
    ...(after === undefined ? {} : { after: cursorOf(after) }),
    ...(party === undefined ? {} : { partyId: idOf('party', party) }),
  };
}
