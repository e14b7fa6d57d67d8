import { readFile } from 'node:fs/promises';
import { printSdl } from '../graphql/sdl.ts';
import { Answer } from '../http/write/answer.ts';
import { describeStreams } from './asyncapi.ts';
import { describeRest } from './openapi.ts';
import { PAGE_HEADERS, renderPage, STARTER } from './pages.ts';
import { renderScalars } from './scalars-page.ts';

/** The renderer, which the build takes from its package; as far from here as from what is bundled. */
const RENDERER = new URL('../../dist/assets/redoc.js', import.meta.url);

export function openapi(): Answer {
  return new Answer('application/json', JSON.stringify(describeRest()));
}

export function asyncapi(): Answer {
  return new Answer('application/json', JSON.stringify(describeStreams()));
}

export function sdl(): Answer {
  return new Answer('text/plain; charset=utf-8', printSdl());
}

export function restPage(): Answer {
  return page(renderPage('/docs'));
}

export function streamsPage(): Answer {
  return page(renderPage('/docs/streams'));
}

export function graphqlPage(): Answer {
  return page(renderPage('/docs/graphql'));
}

export function scalarsPage(): Answer {
  return page(renderScalars());
}

export async function renderer(): Promise<Answer> {
  return new Answer('text/javascript; charset=utf-8', await readFile(RENDERER, 'utf8'));
}

export function starter(): Answer {
  return new Answer('text/javascript; charset=utf-8', STARTER);
}

function page(html: string): Answer {
  return new Answer('text/html; charset=utf-8', html, PAGE_HEADERS);
}
