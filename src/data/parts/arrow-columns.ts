import {
  Bool,
  type Data,
  type DataType,
  type Decimal,
  Int32,
  Int64,
  makeData,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow';
import { readDecimal } from './decimals.ts';

/** Takes the values of a column, one after the other, as COPY sends them, and gives them as Arrow has them. */
export interface ArrowColumn {
  /** Takes what stands from one place to another, a null by its length of -1. */
  add(from: DataView, at: number, length: number): void;
  /** What came since it was cleared. It is overwritten by what comes after that. */
  finish(): Data;
  clear(): void;
}

export const TIME = new TimestampMicrosecond('UTC');

const FIRST_ROWS = 1_024;
const FIRST_BYTES = 16_384;

/** A bit for each row, as of those that have a value. */
class RowBits {
  bits = new Uint8Array(FIRST_ROWS / 8).fill(ALL);
  /** How many are not set. */
  unset = 0;

  add(row: number, isSet: boolean): void {
    if (row >> 3 === this.bits.length) {
      this.bits = grow(this.bits, row >> 2);
      this.bits.fill(ALL, row >> 3);
    }
    if (isSet) return;
    this.unset += 1;
    this.bits[row >> 3] = (this.bits[row >> 3] as number) & ~(1 << (row & 7));
  }

  clear(): void {
    if (this.unset === 0) return;
    this.bits.fill(ALL);
    this.unset = 0;
  }
}

const ALL = 0xff;

/** Values of one width each. */
abstract class FixedColumn<Values extends Growing> implements ArrowColumn {
  readonly #type: DataType;
  readonly #width: number;
  readonly #present = new RowBits();
  protected values: Values;
  #rows = 0;

  constructor(type: DataType, values: Values) {
    this.#type = type;
    this.values = values;
    this.#width = values.length / FIRST_ROWS;
  }

  add(from: DataView, at: number, length: number): void {
    const row = this.#rows;
    this.#rows += 1;
    if ((row + 1) * this.#width > this.values.length) this.values = grow(this.values, row * 2 * this.#width);
    this.#present.add(row, length >= 0 && this.take(row, from, at, length));
  }

  /** Puts a value in its row's place, and gives whether there is one. */
  protected abstract take(row: number, from: DataView, at: number, length: number): boolean;

  finish(): Data {
    const { bits, unset } = this.#present;
    return makeData({
      ...{ type: this.#type as Int64, length: this.#rows, nullCount: unset, nullBitmap: bits },
      data: this.view(this.values.subarray(0, this.#rows * this.#width) as Values) as BigInt64Array,
    });
  }

  clear(): void {
    this.#present.clear();
    this.#rows = 0;
  }

  protected view(values: Values): ArrayBufferView {
    return values;
  }
}

/** Numbers of two words, the lower one first: as big integers, they would be made to be copied once. */
export class BigintColumn extends FixedColumn<Int32Array> {
  constructor() {
    super(new Int64(), new Int32Array(2 * FIRST_ROWS));
  }

  protected take(row: number, from: DataView, at: number): boolean {
    this.values[2 * row] = from.getInt32(at + 4);
    this.values[2 * row + 1] = from.getInt32(at);
    return true;
  }

  protected override view(values: Int32Array): ArrayBufferView {
    return asBigints(values);
  }
}

function asBigints({ buffer, byteOffset, byteLength }: Int32Array): BigInt64Array {
  return new BigInt64Array(buffer, byteOffset, byteLength / 8);
}

export class IntegerColumn extends FixedColumn<Int32Array> {
  constructor() {
    super(new Int32(), new Int32Array(FIRST_ROWS));
  }

  protected take(row: number, from: DataView, at: number): boolean {
    this.values[row] = from.getInt32(at);
    return true;
  }
}

/**
 * Nanoseconds as microseconds, each of two words, divided one after the other: towards minus infinity, as a microsecond before 1970 holds
 * those of its nanoseconds. A time of 0 is none.
 */
export class TimeColumn extends FixedColumn<Int32Array> {
  constructor() {
    super(TIME, new Int32Array(2 * FIRST_ROWS));
  }

  protected take(row: number, from: DataView, at: number): boolean {
    const [upper, lower] = [from.getInt32(at), from.getUint32(at + 4)];
    const quotient = Math.floor(upper / 1000);
    this.values[2 * row] = Math.floor(((upper - quotient * 1000) * 2 ** 32 + lower) / 1000);
    this.values[2 * row + 1] = quotient;
    return upper !== 0 || lower !== 0;
  }

  protected override view(values: Int32Array): ArrayBufferView {
    return asBigints(values);
  }
}

/** Numbers of two words of 64 bits, the lower one first. */
export class DecimalColumn extends FixedColumn<BigUint64Array> {
  readonly #scale: number;

  constructor(type: Decimal) {
    super(type, new BigUint64Array(2 * FIRST_ROWS));
    this.#scale = type.scale;
  }

  protected take(row: number, from: DataView, at: number, length: number): boolean {
    const value = readDecimal(from, at, at + length, this.#scale);
    if (value === null) return false;
    // Each of the two takes the bits that it has room for.
    this.values[2 * row] = value;
    this.values[2 * row + 1] = value >> 64n;
    return true;
  }

  protected override view({ buffer, byteOffset, byteLength }: BigUint64Array): ArrayBufferView {
    return new Uint32Array(buffer, byteOffset, byteLength / 4);
  }
}

export class BooleanColumn implements ArrowColumn {
  readonly #present = new RowBits();
  readonly #truths = new RowBits();
  #rows = 0;

  add(from: DataView, at: number, length: number): void {
    this.#present.add(this.#rows, length >= 0);
    this.#truths.add(this.#rows, length >= 0 && from.getUint8(at) === 1);
    this.#rows += 1;
  }

  finish(): Data {
    const { bits, unset } = this.#present;
    const data = this.#truths.bits;
    return makeData({ type: new Bool(), length: this.#rows, nullCount: unset, nullBitmap: bits, data });
  }

  clear(): void {
    this.#present.clear();
    this.#truths.clear();
    this.#rows = 0;
  }
}

export class TextColumn implements ArrowColumn {
  readonly #present = new RowBits();
  /** Where each text begins, and the last one ends. */
  #offsets = new Int32Array(FIRST_ROWS);
  #bytes = new DataView(new ArrayBuffer(FIRST_BYTES));
  #rows = 0;
  #end = 0;

  add(from: DataView, at: number, length: number): void {
    this.#present.add(this.#rows, length >= 0);
    if (length > 0) this.#append(from, at, length);
    this.#rows += 1;
    if (this.#rows === this.#offsets.length) this.#offsets = grow(this.#offsets, this.#rows * 2);
    this.#offsets[this.#rows] = this.#end;
  }

  #append(from: DataView, at: number, length: number): void {
    const start = this.#end;
    this.#end += length;
    if (this.#end > this.#bytes.byteLength) {
      const larger = new DataView(new ArrayBuffer(Math.max(this.#end, this.#bytes.byteLength * 2)));
      copyBytes(this.#bytes, 0, larger, 0, start);
      this.#bytes = larger;
    }
    copyBytes(from, at, this.#bytes, start, length);
  }

  finish(): Data {
    const { bits, unset } = this.#present;
    return makeData({
      ...{ type: new Utf8(), length: this.#rows, nullCount: unset, nullBitmap: bits },
      ...{
        valueOffsets: this.#offsets.subarray(0, this.#rows + 1),
        data: new Uint8Array(this.#bytes.buffer, 0, this.#end),
      },
    });
  }

  clear(): void {
    this.#present.clear();
    [this.#rows, this.#end] = [0, 0];
  }
}

/** Four at a time: to call for the few bytes of a text would cost more than to copy them. */
function copyBytes(from: DataView, at: number, to: DataView, start: number, length: number): void {
  let index = 0;
  for (; index + 4 <= length; index += 4) to.setUint32(start + index, from.getUint32(at + index, true), true);
  for (; index < length; index += 1) to.setUint8(start + index, from.getUint8(at + index));
}

type Growing = Uint8Array | Int32Array | BigUint64Array;

function grow<Values extends Growing>(values: Values, length: number): Values {
  const larger = new (values.constructor as new (length: number) => Values)(length);
  larger.set(values as never);
  return larger;
}
