import {
  type DocumentNode,
  getOperationAST,
  isValueNode,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  specifiedRules,
  type Token,
  TokenKind,
  validate,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { quoted } from '../../errors.ts';
import { OPERATION_LIMITS } from '../../graphql/costs.ts';
import { schema } from '../../graphql/index.ts';
import { noteStart } from '../../graphql/scalars.ts';
import { badRequest, InvalidDocument } from '../client-errors.ts';
import { MOST_ERRORS } from '../price/reading.ts';
import { holdsNul } from './operation-params.ts';
import { refuseRepeats } from './repeats.ts';

/** What may be kept, in bytes of heap. */
const KEPT_BYTES = {
  total: 32 * 2 ** 20,
  /** A document of 1000 tokens has half of it. */
  largest: 2 ** 20,
} as const;

/**
 * Reads documents, and keeps those that it found valid: what is asked again is neither parsed nor validated again. It
 * keeps them within a number of bytes, since a count says nothing of their size. Nothing that a client wrote wrongly is
 * kept. Comments are let go: a stream holds its document for as long as it is open, and no limit of tokens counts them.
 */
export class Documents {
  readonly #rules: Parameters<typeof validate>[2];
  readonly #kept = new LRUCache<string, DocumentNode>({
    maxSize: KEPT_BYTES.total,
    maxEntrySize: KEPT_BYTES.largest,
    sizeCalculation: bytesOf,
  });

  /** `introspection` says whether the schema may be asked for. */
  constructor(introspection: 'on' | 'off' = 'on') {
    this.#rules =
      introspection === 'on' ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  }

  /** How many are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /** Whether a text is known to be a valid document. */
  has(text: string): boolean {
    return this.#kept.has(text);
  }

  /**
   * The valid document of a text that has an operation of this name, or one alone. Throws INVALID_ARGUMENT for one that is
   * too long, repeats itself too often, has not or holds a NUL, a GraphQLError for one that cannot be parsed, and InvalidDocument for one that the schema does
   * not allow, with the first errors. `onParsed` is told how many tokens a new one has, before it is validated.
   */
  read(text: string, name: string | null = null, onParsed?: (tokens: number) => void): DocumentNode {
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    const document = this.#parse(text);
    onParsed?.(countTokens(document));
    nameOperation(document, name);
    refuseRepeats(document);
    const errors = validate(schema, document, this.#rules, { maxErrors: MOST_ERRORS });
    if (errors.length > 0) throw new InvalidDocument(errors);
    this.#kept.set(text, document);
    return document;
  }

  /** What kind of operation a text has, be it valid or not. Throws as `read` does. */
  typeOf(text: string, name: string | null): OperationTypeNode {
    return nameOperation(this.#kept.get(text) ?? this.#parse(text), name).operation;
  }

  #parse(text: string): DocumentNode {
    // Its length bounds its depth and its aliases too.
    if (text.length > OPERATION_LIMITS.length) throw tooLong(text.length);
    const document = parse(text, { maxTokens: OPERATION_LIMITS.tokens });
    // A NUL as it is was refused with the parameters; a literal can only escape one.
    if (text.includes('\\u')) refuseNul(document);
    if (text.split(LINE_BREAK, MOST_LINES + 1).length > MOST_LINES) dropPlaces(document);
    return dropComments(document);
  }
}

function tooLong(length: number): Error {
  return badRequest(
    'query',
    `The document has ${length} characters; the most is ${OPERATION_LIMITS.length}. Long values can be given in variables.`,
  );
}

/** Throws INVALID_ARGUMENT where a string literal stands for a text with a NUL. Comments and block strings escape nothing. */
function refuseNul({ loc }: DocumentNode): void {
  for (let token = loc?.startToken; token != null; token = token.next ?? undefined)
    if (token.kind === TokenKind.STRING && token.value.includes('\0')) throw holdsNul('query');
}

/** Takes the comments out of the list of a document's tokens; its nodes know nothing of them. */
function dropComments(document: DocumentNode): DocumentNode {
  let last = document.loc?.startToken as Linked | undefined;
  for (let token = last?.next; last && token; token = token.next) {
    if (token.kind === TokenKind.COMMENT) continue;
    last.next = token;
    token.prev = last;
    last = token;
  }
  return document;
}

const LINE_BREAK = /\r\n|[\n\r]/;
/** Laid out by a tool, a document of 1000 tokens has as many lines at most. */
const MOST_LINES = 2000;

/**
 * Has errors not say at which line of a document they are: graphql-js counts the lines up to there anew for each error, which takes
 * milliseconds where there are tens of thousands.
 */
function dropPlaces(document: DocumentNode): void {
  visit(document, {
    enter(node) {
      if (node === document) return;
      // An argument's name is found from there.
      if (isValueNode(node)) noteStart(node);
      Object.assign(node, { loc: undefined });
    },
  });
}

type Linked = Pick<Token, 'kind'> & { prev: Linked | null; next: Linked | null };

function countTokens({ loc }: DocumentNode): number {
  let count = 0;
  for (let token = loc?.startToken; token != null; token = token.next ?? undefined) count += 1;
  return count;
}

/**
 * What a document takes of the heap at most, as measured: 507 bytes for a token with the nodes and places that are made
 * of it (a field's name; most take 240 to 380), and 16 for each character of a string literal that is put together from
 * its escapes.
 */
export function bytesOf(document: DocumentNode): number {
  let bytes = BYTES.character * (document.loc?.source.body.length ?? 0);
  for (let token = document.loc?.startToken; token != null; token = token.next ?? undefined) {
    bytes += BYTES.token;
    if (token.kind === TokenKind.STRING || token.kind === TokenKind.BLOCK_STRING)
      bytes += BYTES.characterOfLiteral * (token.end - token.start);
  }
  return bytes;
}

const BYTES = { token: 512, character: 2, characterOfLiteral: 16 } as const;

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
