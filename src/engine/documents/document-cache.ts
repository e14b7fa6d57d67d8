import { type DocumentNode, type Token, TokenKind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';

/** What may be kept, in bytes of heap. */
const DOCUMENT_CACHE = {
  total: 32 * 2 ** 20,
  /** A document of 1000 tokens has half of it. */
  largest: 2 ** 20,
} as const;

/**
 * Keeps documents, so that those that are asked again are neither parsed nor validated again. Only what was found
 * valid is kept, within a number of bytes: Yoga's own cache counts documents, however large, keeps those that are
 * refused too, and with them the errors, which can be larger still. There is one schema, and no request changes the
 * rules that documents are validated by. Comments are let go: a stream holds its document for as long as it is open,
 * and each of theirs takes 88 bytes, which no limit of tokens counts.
 */
export class DocumentCache {
  readonly #kept = new LRUCache<string, DocumentNode>({
    maxSize: DOCUMENT_CACHE.total,
    maxEntrySize: DOCUMENT_CACHE.largest,
    sizeCalculation: bytesOf,
  });
  readonly #valid = new WeakSet<DocumentNode>();

  /** The document of a text that has passed every check on documents. */
  get(text: string): DocumentNode | undefined {
    return this.#kept.get(text);
  }

  isValid(document: DocumentNode): boolean {
    return this.#valid.has(document);
  }

  /** Takes a document that was found valid. */
  add(document: DocumentNode): void {
    const text = document.loc?.source.body;
    if (text === undefined) return;
    this.#valid.add(document);
    this.#kept.set(text, document);
  }
}

/** Has Yoga take documents from the cache, and put them there. */
export function useDocumentCache(cache: DocumentCache): Plugin {
  return {
    onParse({ params, parseFn, setParseFn, setParsedDocument }) {
      const document = cache.get(textOf(params.source));
      if (document !== undefined) setParsedDocument(document);
      else setParseFn((source, options) => dropComments(parseFn(source, options)));
    },
    onValidate({ params: { documentAST }, setResult }) {
      if (cache.isValid(documentAST)) return setResult([]);
      return ({ valid }) => {
        if (valid) cache.add(documentAST);
      };
    },
  };
}

/** The text of what is parsed: itself, or as graphql wraps it. */
export function textOf(source: string | { readonly body: string }): string {
  return typeof source === 'string' ? source : source.body;
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

type Linked = Pick<Token, 'kind'> & { prev: Linked | null; next: Linked | null };

/**
 * What a document takes of the heap at most, as measured: 507 bytes for a token with the nodes and places that are made
 * of it (a field's name; most take 240 to 380), and 16 for each character of a string literal that is put together from
 * its escapes.
 */
function bytesOf(document: DocumentNode, text: string): number {
  let bytes = BYTES.character * text.length;
  for (let token = document.loc?.startToken; token != null; token = token.next ?? undefined) {
    bytes += BYTES.token;
    if (token.kind === TokenKind.STRING || token.kind === TokenKind.BLOCK_STRING)
      bytes += BYTES.characterOfLiteral * (token.end - token.start);
  }
  return bytes;
}

const BYTES = { token: 512, character: 2, characterOfLiteral: 16 } as const;
