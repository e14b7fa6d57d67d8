import type { DocumentNode, GraphQLError, OperationDefinitionNode } from 'graphql';
import type { Block } from '../data/generated/prisma/client.ts';
import type { AsOfArgs } from '../graphql/as-of.ts';
import type { RequestScope } from '../http/request-scope.ts';
import type { Answer } from '../http/write/answer.ts';
import type { OperationCost } from './price/cost.ts';
import type { OperationProtocol } from './protocol.ts';
import type { PreparedOperation } from './run/prepared.ts';
import type { Results } from './run/subscribe.ts';

/** An operation that was read: it is valid, its price is within the limits, and nothing of it has run. */
export interface Operation {
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly node: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly price: OperationCost;
  readonly protocol: OperationProtocol;
  /** The block as of which all of it is asked; the present where there is none. */
  readonly asOf: AsOfArgs | null;
}

/** How an operation is asked, besides by its variables. */
export interface Asked {
  /** The name of the operation, where its document has several. */
  readonly name?: string | null | undefined;
  /** As in the field `asOf` of the query, of all that is asked. */
  readonly asOf?: AsOfArgs | null;
  /** Who pays for finding out its price, where that is not known; nobody for an operation of the gateway's own. */
  readonly client?: string | undefined;
}

/** Reads operations: the engine. */
export interface OperationReader {
  /** Reads what a client sends. Throws, or rejects with, what is wrong with it. */
  read(given: unknown, protocol: OperationProtocol, client: string): Operation | Promise<Operation>;
  /** Reads an operation of a document that is known to be valid. */
  price(
    document: DocumentNode,
    variables: Readonly<Record<string, unknown>>,
    protocol: OperationProtocol,
    asked?: Asked,
  ): Operation;
}

/** What brings one answer over HTTP: what is asked, by whom, and how the answer is written. */
export interface Question {
  /** Under what its answer is kept: all bytes of the request that it depends on. */
  readonly key: string;
  readonly scope: RequestScope;
  /** How many bytes have to be read. */
  readonly bytes: number;
  /** Reads what is asked. Throws, or rejects with, what is wrong with it. */
  readonly read: (engine: OperationReader) => Operation | Promise<Operation>;
  /** Writes what the operation came to. Throws, or rejects with, what went wrong with it. */
  readonly write: (outcome: QueryOutcome) => Answer | Promise<Answer>;
}

/** What a query came to. */
export type QueryOutcome = Awaited<ReturnType<PreparedOperation['run']>> & {
  /** Which cache tags its answer depends on; null where these cannot be named. */
  readonly tags: readonly number[] | null;
  /** The block as of which all of it was asked. */
  readonly asOf: Block | null;
  /** Whether it is of the past alone, and so will never be another. */
  readonly isFinal: boolean;
};

/** What an operation came to on a transport that has messages. */
export type OperationOutcome =
  | QueryOutcome
  | { readonly kind: 'rejected'; readonly errors: readonly GraphQLError[] }
  | { readonly kind: 'stream'; readonly results: Results };
