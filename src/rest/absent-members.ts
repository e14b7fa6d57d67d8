import { type DocumentNode, Kind, type SelectionNode, visit } from 'graphql';
import type { JsonText } from '../http/write/json.ts';

/**
 * Members that newer releases of the network added to a documented answer. They are absent where there is nothing that
 * they could say, so that what a client of release 0.71 reads stays as it is.
 */
export class AbsentMembers {
  readonly #names: readonly string[];
  readonly #pattern: RegExp;
  /** All of them one after another, as rows of a release have them that lacks them all. */
  readonly #all: string;

  /** Throws where an operation does not select one of the names, or selects it first in an object. */
  constructor(operation: DocumentNode, names: readonly string[]) {
    checkPlaces(operation, names);
    this.#names = names;
    this.#pattern = new RegExp(`(?:,"(?:${names.join('|')})":null)+`, 'g');
    this.#all = names.map((name) => `,"${name}":null`).join('');
  }

  /**
   * Leaves them out of JSON where they are null. Within a text of JSON every quote is escaped, so what looks like such a
   * member is one, and since none is the first of its object, a comma stands before it. No member spans two pieces.
   */
  leaveOut(json: JsonText): JsonText {
    return json.map((piece) => this.#leaveOutOfPiece(piece));
  }

  /** A page has a thousand pieces, and to look for a text takes less than a third of what a pattern takes. */
  #leaveOutOfPiece(piece: string): string {
    const first = piece.indexOf(NULL);
    if (first === -1) return piece;
    const start = piece.indexOf(this.#all);
    const end = start + this.#all.length;
    const areAll = start !== -1 && start < first && piece.indexOf(NULL, end) === -1;
    return areAll ? piece.slice(0, start) + piece.slice(end) : piece.replace(this.#pattern, '');
  }

  /** Leaves them out of an object that is no text yet, and of the objects within it. */
  leaveOutOf(row: object): object {
    if (Array.isArray(row)) return row.map((item) => this.#leaveOutOfValue(item));
    const members: readonly (readonly [string, unknown])[] = Object.entries(row);
    const isAbsent = ([name, value]: readonly [string, unknown]) =>
      value === null && this.#names.includes(name);
    const isPlain = ([, value]: readonly [string, unknown]) => typeof value !== 'object' || value === null;
    if (members.every((one) => isPlain(one) && !isAbsent(one))) return row;
    const kept = members.filter((one) => !isAbsent(one));
    return Object.fromEntries(kept.map(([name, value]) => [name, this.#leaveOutOfValue(value)]));
  }

  #leaveOutOfValue(value: unknown): unknown {
    return typeof value === 'object' && value !== null ? this.leaveOutOf(value) : value;
  }
}

const NULL = ':null';

function checkPlaces(operation: DocumentNode, names: readonly string[]): void {
  const selected = new Set<string>();
  visit(operation, {
    SelectionSet({ selections: [first, ...others] }) {
      if (first !== undefined && names.includes(nameOf(first)))
        throw new Error(`${nameOf(first)} stands first in an object, so it cannot be left out`);
      for (const one of others) selected.add(nameOf(one));
    },
  });
  const missing = names.filter((name) => !selected.has(name));
  if (missing.length > 0) throw new Error(`the operation does not select ${missing.join(', ')}`);
}

function nameOf(selection: SelectionNode): string {
  return selection.kind === Kind.FIELD ? (selection.alias ?? selection.name).value : '';
}

/** Members that the network's newer releases write as empty text where there is nothing: `""` where GraphQL has null. */
export interface EmptyMembers<Given> {
  readonly names: readonly string[];
  /** Whether a request is one of those releases. To all others they are absent then. */
  readonly isAskedBy: (given: Given) => boolean;
}

/** Writes them so. Within a text of JSON every quote is escaped, so what looks like such a member is one. */
export function writeEmpty(json: JsonText, names: readonly string[]): JsonText {
  const pattern = new RegExp(`"(${names.join('|')})":null`, 'g');
  return json.map((piece) => piece.replace(pattern, '"$1":""'));
}

/** Makes members that are null empty in a row that is no text yet, and in the objects within it. */
export function withEmpty(row: object, names: readonly string[]): object {
  const inner = (value: unknown) =>
    typeof value === 'object' && value !== null ? withEmpty(value, names) : value;
  if (Array.isArray(row)) return row.map(inner);
  const members = Object.entries(row).map(([name, value]) => [
    name,
    value === null && names.includes(name) ? '' : inner(value),
  ]);
  return Object.fromEntries(members);
}
