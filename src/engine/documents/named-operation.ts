import { type DocumentNode, getOperationAST, Kind, type OperationDefinitionNode } from 'graphql';
import { quoted } from '../../errors.ts';
import { badRequest } from '../client-errors.ts';

/** The operation of a document that is asked for. Throws INVALID_ARGUMENT where the document has none, or not the one. */
export function nameOperation(document: DocumentNode, name: unknown): OperationDefinitionNode {
  const isText = typeof name === 'string';
  if (!isText && name !== null && name !== undefined)
    throw badRequest('operationName', `operationName takes a string, not ${quoted(JSON.stringify(name))}.`);
  const operation = getOperationAST(document, name);
  if (operation) return operation;
  if (isText) throw badRequest('operationName', `The document has no operation named ${quoted(name)}.`);
  const count = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length;
  if (count === 0) throw badRequest('query', 'The document has no operation, only fragments or types.');
  throw badRequest(
    'operationName',
    `The document has ${count} operations; operationName must say which of them is asked for.`,
  );
}
