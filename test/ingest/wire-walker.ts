/**
 * Protocol Buffers read the plain way, so that what the gateway makes of a recording can be held against something
 * that shares no code with it.
 */
export class Walked {
  readonly #fields = new Map<number, (bigint | Uint8Array)[]>();

  constructor(bytes: Uint8Array) {
    let at = 0;
    const varint = (): bigint => {
      let value = 0n;
      for (let shift = 0n; ; shift += 7n) {
        const byte = bytes[at++];
        if (byte === undefined) throw new Error('a varint is cut off');
        value |= BigInt(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
      }
    };
    const take = (length: number): Uint8Array => {
      if (at + length > bytes.length) throw new Error('a field is cut off');
      at += length;
      return bytes.subarray(at - length, at);
    };
    while (at < bytes.length) {
      const tag = Number(varint());
      const kind = tag & 7;
      if (![0, 1, 2, 5].includes(kind)) throw new Error(`there is no wire type ${kind}`);
      const value = kind === 0 ? varint() : take(kind === 1 ? 8 : kind === 5 ? 4 : Number(varint()));
      const number = tag >>> 3;
      this.#fields.set(number, [...(this.#fields.get(number) ?? []), value]);
    }
  }

  has(number: number): boolean {
    return this.#fields.has(number);
  }

  messages(number: number): readonly Walked[] {
    return this.#bytes(number).map((bytes) => new Walked(bytes));
  }

  /** The embedded message; one without any field where there is none. */
  message(number: number): Walked {
    return this.messages(number).at(-1) ?? new Walked(new Uint8Array());
  }

  texts(number: number): readonly string[] {
    return this.#bytes(number).map((bytes) => Buffer.from(bytes).toString('utf8'));
  }

  text(number: number): string {
    return this.texts(number).at(-1) ?? '';
  }

  unsigned(number: number): bigint {
    const value = this.#fields.get(number)?.at(-1) ?? 0n;
    if (typeof value !== 'bigint') throw new Error(`field ${number} is no varint`);
    return value;
  }

  signed(number: number): bigint {
    return BigInt.asIntN(64, this.unsigned(number));
  }

  double(number: number): number {
    const bytes = this.#bytes(number).at(-1);
    return bytes === undefined ? 0 : new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
  }

  #bytes(number: number): readonly Uint8Array[] {
    return (this.#fields.get(number) ?? []).map((value) => {
      if (typeof value === 'bigint') throw new Error(`field ${number} is a varint`);
      return value;
    });
  }
}
