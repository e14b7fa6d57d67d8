import { type RequestHandler, Router } from 'express';
import { onlyMethods } from '../http/limits/methods.ts';
import { createServeByOrigin, type MakeFor } from '../http/pages/serve-by-origin.ts';
import { Answer } from '../http/write/answer.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { findGuides, GUIDES_PAGE, type Guide, readImage, readSource, withOrigin } from './guide-index.ts';
import { LLMS_PATH, type Served, writeLlms } from './llms.ts';

const GUIDE = '/docs/:name';
const IMAGE = '/docs/screenshots/:name';

/** What is served here, as the others name paths. */
export const GUIDE_PATHS = [
  LLMS_PATH,
  GUIDES_PAGE,
  ...[IMAGE, GUIDE].map((path) => path.replace(':name', '{name}')),
];

/** Serves the guides of docs/ as pages and as they are written, with the address in their examples by which they were asked for. */
export function createGuideRouter(writer: AnswerWriter, served: Served): Router {
  const serve = createServeByOrigin(writer);
  const router = Router({ caseSensitive: true, strict: true });
  const get = onlyMethods('GET');

  /** Serves a path that one of the guides makes an answer for; what none knows is left to others. */
  const serveFound =
    (find: (guides: readonly Guide[], path: string) => MakeFor | undefined): RequestHandler =>
    async (request, response, next) => {
      const make = find((await findGuides()).guides, request.path);
      if (make === undefined) return next();
      get(request, response, (error) => {
        if (error) next(error);
        // Nobody waits for what is called back: a file that cannot be read would end the process.
        else serve(request.path, make)(request, response).catch(next);
      });
    };

  router.all(
    LLMS_PATH,
    get,
    serve(LLMS_PATH, (origin) => makeLlms(served, origin)),
  );
  router.all(
    GUIDES_PAGE,
    get,
    serve(GUIDES_PAGE, async () => (await import('./documents.ts')).guideList()),
  );
  router.all(IMAGE, serveFound(findImage));
  router.all(GUIDE, serveFound(findPage));
  return router;
}

const findPage = (guides: readonly Guide[], path: string): MakeFor | undefined => {
  const written = guides.find(({ name }) => path === `/docs/${name}.md`);
  if (written !== undefined) return (origin) => makeSource(written, origin);
  const shown = guides.find(({ address }) => path === address);
  return shown && (async (origin) => (await import('./documents.ts')).guidePage(shown, origin));
};

const findImage = (guides: readonly Guide[], path: string): MakeFor | undefined => {
  const image = guides.flatMap(({ images }) => images).find((one) => path === `/docs/${one}`);
  return image === undefined ? undefined : async () => new Answer('image/png', await readImage(image));
};

async function makeSource(guide: Guide, origin: string | null): Promise<Answer> {
  return new Answer('text/markdown; charset=utf-8', withOrigin(await readSource(guide), origin));
}

async function makeLlms(served: Served, origin: string | null): Promise<Answer> {
  return new Answer('text/plain; charset=utf-8', writeLlms(await findGuides(), served, origin));
}
