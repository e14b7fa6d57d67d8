import { type DocumentNode, TokenKind } from 'graphql';
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
 * rules that documents are validated by.
 */
export function useDocumentCache(): Plugin {
  const kept = new LRUCache<string, DocumentNode>({
    maxSize: DOCUMENT_CACHE.total,
    maxEntrySize: DOCUMENT_CACHE.largest,
    sizeCalculation: bytesOf,
  });
  const valid = new WeakSet<DocumentNode>();
  return {
    onParse({ params, setParsedDocument }) {
      const document = kept.get(textOf(params.source));
      if (document !== undefined) setParsedDocument(document);
    },
    onValidate({ params: { documentAST }, setResult }) {
      if (valid.has(documentAST)) return setResult([]);
      return ({ valid: isValid }) => {
        const text = documentAST.loc?.source.body;
        if (!isValid || text === undefined) return;
        valid.add(documentAST);
        kept.set(text, documentAST);
      };
    },
  };
}

/** The text of what is parsed: itself, or as graphql wraps it. */
export function textOf(source: string | { readonly body: string }): string {
  return typeof source === 'string' ? source : source.body;
}

/**
 * What a document takes of the heap at most, as measured: 507 bytes for a token with the nodes and places that are made
 * of it (a field's name; most take 240 to 380), 88 for a comment, which no limit of tokens counts, and 16 for each
 * character of a string literal that is put together from its escapes.
 */
function bytesOf(document: DocumentNode, text: string): number {
  let bytes = BYTES.character * text.length;
  for (let token = document.loc?.startToken; token != null; token = token.next ?? undefined) {
    bytes += token.kind === TokenKind.COMMENT ? BYTES.comment : BYTES.token;
    if (token.kind === TokenKind.STRING || token.kind === TokenKind.BLOCK_STRING)
      bytes += BYTES.characterOfLiteral * (token.end - token.start);
  }
  return bytes;
}

const BYTES = { token: 512, comment: 96, character: 2, characterOfLiteral: 16 } as const;
