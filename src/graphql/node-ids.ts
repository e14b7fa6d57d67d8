import type { AnyNoun, Noun } from '../data/noun.ts';
import { nouns } from '../data/nouns/index.ts';
import { type GatewayError, invalidArgument, quoted } from '../errors.ts';

/** The type of a node, and its id among the nodes of that type. */
export interface NodeId {
  readonly typename: string;
  readonly id: string;
  /** The height of the block as of which it is meant; of the newest where there is none. */
  readonly asOf?: bigint | undefined;
}

/**
 * What a global ID means: it is `base64("Deposit:<id>")`, the Relay plugin's own form, or `base64("Deposit@<height>:<id>")` of
 * the past, so that no cache takes one for the other. Null for a text that is none.
 */
export function readNodeId(nodeId: string): NodeId | null {
  const text = Buffer.from(nodeId, 'base64').toString('utf8');
  const separator = text.indexOf(':');
  const [, typename = '', height] = /^(\w+)(?:@(\d{1,19}))?$/.exec(text.slice(0, separator)) ?? [];
  const id = text.slice(separator + 1);
  const node = { typename, id, ...(height !== undefined && { asOf: BigInt(height) }) };
  const isKnown =
    (NAMED.has(typename) && !id.includes('\0')) || (POSITIONED.has(typename) && /^\d{1,16}$/.test(id));
  return isKnown && writeNodeId(node) === nodeId ? node : null;
}

/** The global ID of the object of a type with this id among them. */
export function writeNodeId({ typename, id, asOf }: NodeId): string {
  return Buffer.from(`${typename}${asOf === undefined ? '' : `@${asOf}`}:${id}`).toString('base64');
}

/** The name of the nodes that are read together: those of one type, as of one block. */
export function nameGroup({ typename, asOf }: NodeId): string {
  return `${typename}@${asOf}`;
}

export function invalidNodeId(argument: string, given: string): GatewayError {
  return invalidArgument(
    argument,
    `${argument} takes a global ID, as the field nodeId gives it, not ${quoted(given)}.`,
  );
}

/** The noun whose rows are the objects of a type; undefined for types that are none. */
export function nounOfType(typename: string): AnyNoun | undefined {
  return BY_MODEL.get(typename);
}

/** The field that has the id of a node among those of its type. */
export function nodeIdFieldOf(noun: Pick<Noun, 'key'>): string {
  return hasId(noun) ? (noun.key[0] ?? '') : 'createdPosition';
}

const BY_MODEL: ReadonlyMap<string, AnyNoun> = new Map(
  Object.values<AnyNoun>(nouns).map((noun) => [noun.model, noun]),
);
const nodes = Object.values<AnyNoun>(nouns).filter(({ isListed }) => isListed);
/** The nodes that the network has an id for, and those that we know by the position that created them. */
const NAMED: ReadonlySet<string> = new Set(nodes.filter(hasId).map(({ model }) => model));
const POSITIONED: ReadonlySet<string> = new Set(
  nodes.filter((noun) => !hasId(noun)).map(({ model }) => model),
);

function hasId({ key }: Pick<Noun, 'key'>): boolean {
  return key.length === 1 && key[0] !== 'createdPosition';
}
