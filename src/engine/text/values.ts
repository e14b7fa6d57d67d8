import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLInt,
  type GraphQLLeafType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
} from 'graphql';
import type { Member } from '../../data/queries/text-rows.ts';
import { enumerations, isEnumerationName } from '../../domain/enumerations.ts';
import type { WriteValue } from './plan.ts';

/** How a column is read and written that a field of a leaf type gives as it is; undefined for types that none has. */
export function columnOfType(
  type: GraphQLOutputType,
): { readonly form: Member['form']; readonly write: WriteValue } | undefined {
  const named = getNamedType(type);
  if (!isLeafType(named) || named === GraphQLFloat) return undefined;
  if (isEnumerationName(named.name)) return { form: enumerations[named.name], write: quote };
  const isJson = isListType(getNullableType(type)) || named === GraphQLInt || named === GraphQLBoolean;
  if (isJson) return { form: 'json', write: asItIs };
  return { form: 'text', write: isOfDigits(named) ? enclose : quote };
}

/** The scalars whose values are digits, signs and points: nothing of theirs is ever escaped. */
const OF_DIGITS: ReadonlySet<string> = new Set(['Integer', 'Decimal', 'Int64', 'Uint64', 'Timestamp']);

function isOfDigits({ name }: GraphQLLeafType): boolean {
  return OF_DIGITS.has(name);
}

function enclose(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

/** As `JSON.stringify` writes a text. Nearly none has a character that must be escaped. */
function quote(text: string | null): string {
  if (text === null) return 'null';
  return MUST_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be escaped.
const MUST_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

function asItIs(text: string | null): string {
  return text ?? 'null';
}

/** Gives what writes a value out of JSON that a field of a leaf type gives. */
export function leafWriter(type: GraphQLLeafType): (value: unknown) => string {
  const ofText = isOfDigits(type) ? enclose : quote;
  return (value) => {
    if (value === null || value === undefined) return 'null';
    const written = type.serialize(value);
    return typeof written === 'string' ? ofText(written) : JSON.stringify(written);
  };
}
