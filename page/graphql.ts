import type { initGraphQLTada, TadaDocumentNode } from 'gql.tada';
import type { introspection } from '../src/rest/schema.generated.d.ts';

type Graphql = ReturnType<
  typeof initGraphQLTada<{
    introspection: introspection;
    disableMasking: true;
    // Whatever can be larger than a float is text, and stays text.
    scalars: {
      ID: string;
      Timestamp: string;
      Int64: string;
      Uint64: string;
      Integer: string;
      Decimal: string;
      AccountType: string;
      AssetStatus: string;
      BatchProposalChange: string;
      ProposalChange: string;
      ProposalError: string;
      ProposalState: string;
      TradeSide: string;
      TradeType: string;
      DepositStatus: string;
      MarketState: string;
      MarketTradingMode: string;
      VoteValue: string;
    };
  }>
>;

/** An operation, with the types of its answer and its variables. */
export type Operation<Data, Variables> = TadaDocumentNode<Data, Variables>;

/**
 * Gives an operation its types, after `schema.graphql`, with the fragments that it uses. Only the types are wanted: the
 * text goes to the gateway as it is, so that the browser needs no parser of GraphQL.
 */
export const graphql = ((text: string, fragments: readonly object[] = []) =>
  new String([text, ...fragments].join(''))) as unknown as Graphql;

/** What a fragment selects, for what is followed. */
export function selectionOf(fragment: object): string {
  const text = String(fragment);
  return text.slice(text.indexOf('{') + 1, text.lastIndexOf('}'));
}
