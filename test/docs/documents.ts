import { readdirSync, readFileSync } from 'node:fs';

export interface Document {
  /** As in `docs/lists.md`. */
  readonly path: string;
  readonly text: string;
}

/** What is written for people: the files at the top and those of docs/. */
export const documents: readonly Document[] = [
  ...readdirSync('.'),
  ...readdirSync('docs').map((name) => `docs/${name}`),
]
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** The blocks of a language in a document that stand right after a mark, `<!-- mark -->`; without one, all of them. */
export function blocksOf({ text }: Document, language: string, mark?: string): readonly string[] {
  const before = mark === undefined ? '' : `<!-- ${mark} -->\\n`;
  return [...text.matchAll(new RegExp(`${before}\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, block]) => block as string,
  );
}

/** A block of its own name in one document. */
export function blockOf(path: string, language: string, mark: string): string {
  const [block] = blocksOf({ path, text: readFileSync(path, 'utf8') }, language, mark);
  if (block === undefined) throw new Error(`${path} has no block ${mark}.`);
  return block;
}
