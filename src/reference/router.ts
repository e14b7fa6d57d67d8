import { Router } from 'express';
import { GatewayError } from '../errors.ts';
import { SCALARS_PAGE } from '../graphql/scalar-forms.ts';
import { onlyMethods } from '../http/limits/methods.ts';
import { serveOnce } from '../http/pages/serve-once.ts';
import type { Answer } from '../http/write/answer.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';

export interface ReferenceOptions {
  readonly writer: AnswerWriter;
  /** Whether the schema of GraphQL may be asked for. */
  readonly introspection: 'on' | 'off';
}

/** Makes an answer of one of the reference's documents; the module that makes it is loaded with the first. */
type Make = (documents: typeof import('./documents.ts')) => Answer | Promise<Answer>;

const PATHS: Readonly<Record<string, Make>> = {
  '/openapi.json': ({ openapi }) => openapi(),
  '/asyncapi.json': ({ asyncapi }) => asyncapi(),
  '/docs': ({ restPage }) => restPage(),
  '/docs/streams': ({ streamsPage }) => streamsPage(),
  '/docs/style.css': ({ style }) => style(),
  '/docs/search.js': ({ searchScript }) => searchScript(),
  '/docs/search.json': ({ searchIndex }) => searchIndex(),
};

/** What tells the schema of GraphQL. */
const SCHEMA_PATHS: Readonly<Record<string, Make>> = {
  '/schema.graphql': ({ sdl }) => sdl(),
  '/docs/graphql': ({ graphqlPage }) => graphqlPage(),
  [SCALARS_PAGE]: ({ scalarsPage }) => scalarsPage(),
};

/** What is served here. */
export const REFERENCE_PATHS = Object.keys({ ...PATHS, ...SCHEMA_PATHS });

/** Serves the reference: documents for programs, and pages that show them. Nothing of it is made before it is asked for. */
export function createReferenceRouter({ introspection, writer }: ReferenceOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, make] of Object.entries({ ...PATHS, ...(introspection === 'on' ? SCHEMA_PATHS : {}) }))
    router.all(
      path,
      onlyMethods('GET'),
      serveOnce(writer, async () => make(await import('./documents.ts'))),
    );
  if (introspection === 'on') return router;
  for (const path of Object.keys(SCHEMA_PATHS)) {
    router.all(path, onlyMethods('GET'), () => {
      throw new GatewayError('NOT_FOUND', 'This gateway does not tell its schema (INTROSPECTION is off).');
    });
  }
  return router;
}
