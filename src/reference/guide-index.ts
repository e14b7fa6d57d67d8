import { readFile } from 'node:fs/promises';
import { makeOnce } from '../http/pages/serve-once.ts';

/** Where the list of all guides is. */
export const GUIDES_PAGE = '/docs/guides';

/** What the build makes of docs/, and the texts themselves; as far from here as from what is bundled. */
const FOLDER = new URL('../../dist/guides/', import.meta.url);
const SOURCES = new URL('../../docs/', import.meta.url);

/** A guide, as the build has read it. */
export interface Guide {
  /** As in `docs/lists.md`. */
  readonly name: string;
  /** Where it is served. */
  readonly address: string;
  readonly title: string;
  /** What its parts are called, and their anchors. */
  readonly parts: readonly { readonly text: string; readonly anchor: string }[];
  /** The pictures that it shows, as they lie beside it. */
  readonly images: readonly string[];
}

export interface GuideIndex {
  /** In the order in which they are shown: for whom they are, and their names. */
  readonly groups: readonly { readonly title: string; readonly guides: readonly string[] }[];
  readonly guides: readonly Guide[];
}

/** What there is to read, read once. */
export const findGuides: () => Promise<GuideIndex> = makeOnce(
  async () => JSON.parse(await readBuilt('index.json')) as GuideIndex,
);

/** A file that the build has made of the guides. */
export function readBuilt(file: string): Promise<string> {
  return readFile(new URL(file, FOLDER), 'utf8');
}

/** A guide as it is written. */
export function readSource({ name }: Guide): Promise<string> {
  return readFile(new URL(`${name}.md`, SOURCES), 'utf8');
}

/** A picture beside the guides. */
export function readImage(image: string): Promise<Buffer> {
  return readFile(new URL(image, SOURCES));
}

/** The address that examples have, where nothing else is known. */
const WRITTEN = /\b(http|ws):\/\/127\.0\.0\.1:3008\b/g;

/** A text with an origin (`http://host:port`) in its examples in place of the one that is written. */
export function withOrigin(text: string, origin: string | null): string {
  if (origin === null) return text;
  return text.replace(WRITTEN, (_, scheme) => (scheme === 'ws' ? origin.replace(/^http/, 'ws') : origin));
}
