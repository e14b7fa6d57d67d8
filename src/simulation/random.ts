import { createHash } from 'node:crypto';

/** Chance that is the same everywhere: whole-number arithmetic only, decided by the seed alone. */
export interface Random {
  /** A whole number from 0 up to, and not including, `limit`, which is at most 2^21. */
  below(limit: number): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** A whole number from 0 up to, and not including, a limit of any size. */
  belowLarge(limit: bigint): bigint;
  /** True once in `times` on average. */
  oneIn(times: number): boolean;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** 64 lower-case hexadecimal digits. */
  id(): string;
}

/** Draws by the "small fast counting" generator (sfc32), which passes the usual statistical batteries. */
export function createRandom(seed: string): Random {
  const digest = createHash('sha256').update(seed).digest();
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => digest.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];

  function word(): number {
    const drawn = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + drawn) | 0;
    return drawn >>> 0;
  }

  // Below 2^21 the product stays under 2^53, so it is exact; dividing by a power of two is exact as well.
  const below = (limit: number) => Math.floor((word() * limit) / 2 ** 32);

  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    belowLarge(limit) {
      // 64 bits more than the limit has, so that the remainder favours no value noticeably.
      let drawn = BigInt(word());
      for (let bound = limit; bound > 0n; bound >>= 32n) drawn = (drawn << 32n) | BigInt(word());
      return ((drawn << 32n) | BigInt(word())) % limit;
    },
    oneIn: (times) => below(times) === 0,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new RangeError('there is nothing to pick from');
      return list[below(list.length)] as T;
    },
    id() {
      let id = '';
      for (let part = 0; part < 8; part++) id += word().toString(16).padStart(8, '0');
      return id;
    },
  };
}
