import { numberAs, textAs } from './json-objects.ts';
import {
  decimal,
  decimalPlaces,
  id,
  int64,
  integer,
  optionalDecimal,
  optionalInteger,
  partyId,
} from './values.ts';

/** The readers of single values that several lines of JSON have. */
export const ids = textAs(id);
export const parties = textAs(partyId);
export const integers = numberAs(integer);
export const decimals = numberAs(decimal);
export const optionalIntegers = numberAs(optionalInteger);
export const optionalDecimals = numberAs(optionalDecimal);
export const places = (least: 0 | -255) =>
  numberAs((field, value) => decimalPlaces(field, int64(field, value), least));
