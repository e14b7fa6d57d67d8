import type { JsonText } from '../http/write/json-text.ts';

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
