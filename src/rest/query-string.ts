import { invalidArgument, quoted } from '../errors.ts';

/** One `name=value` of a query, both decoded. */
export interface QueryPair {
  readonly name: string;
  readonly value: string;
}

/**
 * The pairs of a raw query string (what follows the `?`, one character a byte, as Node's HTTP gives it), in their
 * order, form-encoded: `+` is a space. Unlike URLSearchParams it hides no error: a bad percent escape, bytes that are
 * not UTF-8, a NUL and a `;` (which some read as a separator) throw a 400 that names the parameter.
 */
export function parseQueryString(raw: string): readonly QueryPair[] {
  return partsOf(raw).map(parsePair);
}

/**
 * Gives the pairs whose names are not known as they are sent, and refuses nothing: what cannot be decoded stays as it was sent.
 */
export function peekUnknown(raw: string, isKnown: (name: string) => boolean): readonly QueryPair[] {
  const shown = (part: string) => {
    const { text, fault } = decode(part);
    return fault === undefined ? text : part;
  };
  const unknown: QueryPair[] = [];
  for (const [name, value] of partsOf(raw))
    if (!isKnown(name)) unknown.push({ name: shown(name), value: shown(value) });
  return unknown;
}

/** The raw query string of a request's address. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** The documented way to write a name: `filter.party_ids` is `filter.partyIds`. */
export function camelCased(name: string): string {
  // Tried at the first of many: at each, they would be looked through once for each of them.
  return name.replace(/(?<!_)_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The names and values of a query as they were sent. */
function partsOf(raw: string): readonly (readonly [name: string, value: string])[] {
  const parts: [name: string, value: string][] = [];
  for (const part of raw.split('&')) {
    const equals = part.indexOf('=');
    if (equals >= 0) parts.push([part.slice(0, equals), part.slice(equals + 1)]);
    else if (part !== '') parts.push([part, '']);
  }
  return parts;
}

function parsePair([rawName, rawValue]: readonly [name: string, value: string]): QueryPair {
  const name = decode(rawName);
  const value = decode(rawValue);
  const hasSemicolon = rawName.includes(';') || rawValue.includes(';');
  const fault = hasSemicolon ? SEMICOLON : (name.fault ?? value.fault);
  if (fault === undefined) return { name: name.text, value: value.text };
  const field = camelCased(name.fault === undefined ? name.text : rawName);
  const shown = name.fault === undefined ? rawValue : rawName;
  const subject = name.fault === undefined ? `Parameter ${quoted(field)}` : 'A parameter name';
  throw invalidArgument(field, `${subject} is written ${quoted(shown)}, which has ${fault}.`);
}

interface Decoded {
  readonly text: string;
  readonly fault?: string;
}

function decode(raw: string): Decoded {
  // Most names and values are plain.
  if (/^[\w.,:~-]*$/.test(raw)) return { text: raw };
  const badEscape = /%(?![0-9a-fA-F]{2}).{0,2}/su.exec(raw);
  if (badEscape !== null) return { text: '', fault: `the malformed percent escape ${quoted(badEscape[0])}` };
  if (/[\u0100-\uFFFF]/.test(raw)) return { text: '', fault: 'a character that is not percent-encoded' };
  const bytes = raw
    .replaceAll('+', ' ')
    .replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decodeUtf8(bytes);
}

function decodeUtf8(bytes: string): Decoded {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(bytes, 'latin1'),
    );
    return text.includes('\0') ? { text: '', fault: 'a NUL character' } : { text };
  } catch {
    return { text: '', fault: 'bytes that are not UTF-8' };
  }
}

const SEMICOLON = 'a semicolon; write & between parameters, and %3B for a semicolon in a value';
