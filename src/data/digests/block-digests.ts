import { createHash, type Hash } from 'node:crypto';
import type { Block } from '../generated/prisma/client.ts';
import {
  DIGEST_VERSION,
  type DigestedNoun,
  type DigestedRow,
  digestedNouns,
  inOrder,
  writeLine,
} from './digested.ts';

/** The rows that a block changed, by noun, in any order: none of a noun that is not there. */
export type DigestedChanges = Readonly<Partial<Record<DigestedNoun['name'], readonly DigestedRow[]>>>;

/** The digest is taken of so much text at once: of more it takes longer, as of less. */
const PIECE = 2 ** 16;

const parties = digestedNouns.find(({ name }) => name === 'party') as DigestedNoun;
const others = digestedNouns.filter(({ name }) => name !== 'party');

/**
 * The digest of what stands in a block and of all rows that it changed but new parties: which of those are new only the
 * database knows. It needs nothing of the blocks before.
 */
export function contentOf(block: Omit<Block, 'digest'>, changes: DigestedChanges): Buffer {
  const lines = new Lines();
  lines.add(writeLine('blocks', ['height', 'hash', 'timestamp', 'lastPosition'], block));
  for (const noun of others) {
    const rows = changes[noun.name] ?? [];
    for (const row of inOrder(rows, noun)) lines.add(writeLine(noun.kind, noun.fields, row));
  }
  return lines.digest();
}

/** The digest of a block: over the one before it, its content, and the parties that it names before any other. */
export function nextDigest(
  previous: string,
  content: Uint8Array,
  newParties: readonly DigestedRow[],
): string {
  const { kind, fields } = parties;
  const lines = inOrder(newParties, parties).map((row) => writeLine(kind, fields, row));
  return createHash('sha256').update(previous, 'hex').update(content).update(lines.join('')).digest('hex');
}

/** What stands in the place of a digest before the first that there is of a network, by the height of the block before that. */
export function firstDigest(chainId: string, heightBefore: bigint | null): string {
  const height = heightBefore === null ? null : `${heightBefore}`;
  const line = JSON.stringify(['periscope', DIGEST_VERSION, chainId, height]);
  return createHash('sha256').update(`${line}\n`).digest('hex');
}

/** Lines of text of any length, as SHA-256 takes them in. */
class Lines {
  readonly #hash: Hash = createHash('sha256');
  #text = '';

  add(line: string): void {
    this.#text += line;
    if (this.#text.length > PIECE) this.#flush();
  }

  digest(): Buffer {
    this.#flush();
    return this.#hash.digest();
  }

  #flush(): void {
    this.#hash.update(this.#text);
    this.#text = '';
  }
}
