import type { RandomOperation } from '../engine/random-operations.ts';

/** A text with the cursors and the global IDs of the present in the place of those of a block. */
export function withoutBlock(text: string): string {
  return text.replaceAll('"AsOf"', '"Query"').replaceAll(ENCODED, (all, given: string) => {
    const plain = Buffer.from(given, 'base64').toString('utf8');
    const cursor = /^1\.(\w+)@\d+\.(\d+)$/.exec(plain);
    if (cursor !== null) return `"${Buffer.from(`1.${cursor[1]}.${cursor[2]}`).toString('base64url')}"`;
    const sums = /^\["sums1","([\w.]+)@\d+",/.exec(plain);
    if (sums !== null) return `"${Buffer.from(plain.replace(/@\d+/, '')).toString('base64url')}"`;
    const node = /^(\w+)@\d+:(.*)$/.exec(plain);
    return node === null ? all : `"${Buffer.from(`${node[1]}:${node[2]}`).toString('base64')}"`;
  });
}

/** The same operation of the present. */
export function toPresent({ text, variables }: RandomOperation): RandomOperation {
  return {
    text: withoutBlock(text),
    variables: JSON.parse(withoutBlock(JSON.stringify(variables))) as RandomOperation['variables'],
  };
}

const ENCODED = /"([\w+/-]{8,}=*)"/g;
