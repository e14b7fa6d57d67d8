import { cursorOfRow, idOf, shuffled } from '../database/rows.ts';
import { phraseRest } from '../load/deposit-questions.ts';
import { type BenchRequest, get, graphql } from '../load/request.ts';
import type { TableSizes } from '../size.ts';

/** As a proxy passes it on for one of its clients. */
export function from(client: number, request: BenchRequest): BenchRequest {
  const address = `10.0.${Math.floor(client / 250)}.${1 + (client % 250)}`;
  return { ...request, headers: { ...request.headers, 'X-Forwarded-For': address } };
}

/** Pages of deposits by REST, each another one, asked by so many clients in turn. */
export function pages(
  sizes: TableSizes,
  {
    first,
    clients,
    most,
  }: { readonly first: number; readonly clients: readonly number[]; readonly most: number },
): readonly BenchRequest[] {
  const rest = phraseRest(sizes);
  const requests: BenchRequest[] = [];
  for (const number of shuffled(sizes.deposits - first)) {
    if (requests.length === most) break;
    requests.push(
      from(clients[requests.length % clients.length] as number, rest({ first, after: number + first })),
    );
  }
  return requests;
}

/** The largest page that is permitted, with the links of its rows; another one for each number. */
export function dear(client: number, number: number, sizes: TableSizes): BenchRequest {
  const after = cursorOfRow('accounts', sizes.accounts - 1 - number, sizes);
  return from(
    client,
    graphql(
      `query ($after: String) { accounts(first: 5000, after: $after) { edges { cursor node {
        owner balance asset marketId type party { id } assetNode { id name symbol decimals status } market { id }
      } } pageInfo { hasNextPage startCursor endCursor } } }`,
      { after },
    ),
  );
}

/** One operation with as many counts as are permitted, each of other rewards, so that nothing kept says them. */
export function counts(client: number, round: number): BenchRequest {
  const fields = Array.from(
    { length: 20 },
    (_, index) =>
      `c${index}: rewards(first: 1, assetId: "${idOf('asset', index % 10)}", fromEpoch: ${1 + index + 20 * round}) { totalCount }`,
  );
  return from(client, graphql(`{ ${fields.join(' ')} }`, {}));
}

export const LIVE = get('/health/live');
export const READY = get('/health/ready');
