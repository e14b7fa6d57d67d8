import { Decimal } from '../../src/domain/decimals.ts';
import type { EventSource, NetworkEvent, SourceEvent } from '../../src/ingest/events.ts';

/** What a series is asked for, in words of the test's own. */
export interface Question {
  readonly from: bigint | null;
  readonly to: bigint | null;
  /** As `['hours', 4]`. */
  readonly width: readonly [Unit, number];
  readonly zone: string;
}

export type Unit = keyof typeof ISO;

const ISO = {
  seconds: ['PT', 'S'],
  minutes: ['PT', 'M'],
  hours: ['PT', 'H'],
  days: ['P', 'D'],
  weeks: ['P', 'W'],
  months: ['P', 'M'],
  years: ['P', 'Y'],
} as const;

export function writeWidth([unit, count]: Question['width']): string {
  const [before, after] = ISO[unit];
  return `${before}${count}${after}`;
}

/** What each thing was worth at the end of each block, by the events alone. */
export class Course {
  readonly blocks: { readonly height: number; readonly time: bigint }[] = [];
  /** By `market|field` or by account: what it became, and at the end of which block (its place in `blocks`). */
  readonly values = new Map<string, { readonly block: number; readonly value: string | null }[]>();

  /** The trades of each market, one by one. */
  readonly trades = new Map<
    string,
    { readonly block: number; readonly price: bigint; readonly size: bigint }[]
  >();

  static async of(source: EventSource): Promise<Course> {
    const course = new Course();
    let block = { height: 0, time: 0n };
    let changed = new Map<string, string | null>();
    let traded: { readonly market: string; readonly price: bigint; readonly size: bigint }[] = [];
    for await (const { event } of source.events(new AbortController().signal)) {
      if (event.type === 'beginBlock') block = { height: event.height, time: event.timestamp };
      else if (event.type === 'endBlock') {
        course.#append(block, changed);
        for (const { market, ...trade } of traded) {
          const all = course.trades.get(market) ?? [];
          all.push({ block: course.blocks.length - 1, ...trade });
          course.trades.set(market, all);
        }
        changed = new Map();
        traded = [];
      } else
        for (const one of event.type === 'several' ? event.events : [event]) {
          note(one, changed);
          if (one.type !== 'trade') continue;
          const { marketId: market, price, size } = one.row;
          traded.push({ market, price: BigInt(price), size: BigInt(size) });
        }
    }
    return course;
  }

  /** Where a height begins again, its parts are one block. */
  #append(block: { height: number; time: bigint }, changed: ReadonlyMap<string, string | null>): void {
    const isSame = this.blocks.at(-1)?.height === block.height;
    if (isSame) this.blocks.pop();
    const place = this.blocks.push(block) - 1;
    for (const [key, value] of changed) {
      const values = this.values.get(key) ?? [];
      if (isSame && values.at(-1)?.block === place) values.pop();
      values.push({ block: place, value });
      this.values.set(key, values);
    }
  }

  /** The series of the sum of some things as of a block, by its place. */
  series(keys: readonly string[], question: Question, upTo = this.blocks.length - 1, begin = 0) {
    const now = this.blocks[upTo]?.time ?? 0n;
    const from = question.from ?? this.blocks[begin]?.time ?? 0n;
    const to = question.to === null || question.to > now + 1n ? now + 1n : question.to;
    if (from >= to) return [];
    const bounds = boundsOf({ ...question, from, to });
    const sums = this.#sums(keys, upTo);
    let place = 0;
    let held: string | null = null;
    const takeBefore = (time: bigint) => {
      const taken: (string | null)[] = [];
      for (; place <= upTo && (this.blocks[place]?.time ?? 0n) < time; place += 1)
        if (sums.has(place)) taken.push(sums.get(place) ?? null);
      if (taken.length > 0) held = taken.at(-1) ?? null;
      return taken;
    };
    takeBefore(bounds[0] as bigint);
    return bounds.slice(1).map((end, index) => {
      const open = held;
      const all = [open, ...takeBefore(end)].filter((one): one is string => one !== null);
      const sorted = all.sort((a, b) => Decimal.parse(a).compare(Decimal.parse(b)));
      return {
        ...{ start: `${bounds[index]}`, end: `${end}`, open, close: held },
        ...{ high: sorted.at(-1) ?? null, low: sorted[0] ?? null, isComplete: end <= now },
      };
    });
  }

  /** The candles of a market, in the buckets of a series of it. */
  candles(
    market: string,
    buckets: readonly { readonly start: string; readonly end: string }[],
    upTo: number,
  ) {
    const all = (this.trades.get(market) ?? []).filter(({ block }) => block <= upTo);
    const timeOf = ({ block }: { readonly block: number }) => this.blocks[block]?.time ?? 0n;
    return buckets.map(({ start, end }) => {
      const within = all.filter((one) => timeOf(one) >= BigInt(start) && timeOf(one) < BigInt(end));
      const last = all.findLast((one) => timeOf(one) < BigInt(end));
      const prices = within.map(({ price }) => price).sort((a, b) => (a < b ? -1 : 1));
      const show = (price: bigint | undefined) => (price === undefined ? null : `${price}`);
      return {
        open: show((within[0] ?? last)?.price),
        high: show(prices.at(-1) ?? last?.price),
        low: show(prices[0] ?? last?.price),
        close: show(last?.price),
        lastUpdate: last === undefined ? null : `${timeOf(last)}`,
        volume: `${within.reduce((sum, { size }) => sum + size, 0n)}`,
        notional: `${within.reduce((sum, { price, size }) => sum + price * size, 0n)}`,
        trades: within.length,
      };
    });
  }

  /** When a thing was told of last before the end of each bucket. */
  updates(
    key: string,
    buckets: readonly { readonly end: string }[],
    upTo = this.blocks.length - 1,
  ): readonly (string | null)[] {
    const told = (this.values.get(key) ?? []).flatMap(({ block }) =>
      block <= upTo ? (this.blocks[block]?.time ?? 0n) : [],
    );
    return buckets.map(({ end }) => told.findLast((time) => time < BigInt(end))?.toString() ?? null);
  }

  /** The blocks that change the sum of some things, by their places. Nothing is added to what is null. */
  #sums(keys: readonly string[], upTo: number): ReadonlyMap<number, string | null> {
    const [only = ''] = keys;
    const sums = new Map<number, string | null>();
    if (keys.length === 1) {
      for (const { block, value } of this.values.get(only) ?? []) if (block <= upTo) sums.set(block, value);
      return sums;
    }
    const now = new Map<string, string>();
    const all = keys.flatMap((key) => (this.values.get(key) ?? []).map((one) => ({ key, ...one })));
    for (const { key, block, value } of all.sort((a, b) => a.block - b.block)) {
      if (block > upTo) continue;
      now.set(key, value ?? '0');
      let sum = 0n;
      for (const one of now.values()) sum += BigInt(one);
      sums.set(block, `${sum}`);
    }
    return sums;
  }
}

function note(event: NetworkEvent, changed: Map<string, string | null>): void {
  if (event.type === 'account') {
    const { owner, assetId, marketId, type, balance } = event.row;
    changed.set([owner, assetId, marketId, type].join('|'), balance);
  }
  if (event.type !== 'marketData') return;
  const { row } = event;
  const perpetual = row.productData?.perpetualData ?? null;
  const values = {
    MARK_PRICE: row.markPrice,
    MID_PRICE: row.midPrice,
    LAST_TRADED_PRICE: row.lastTradedPrice,
    BEST_BID_PRICE: row.bestBidPrice,
    BEST_OFFER_PRICE: row.bestOfferPrice,
    INDICATIVE_PRICE: row.indicativePrice,
    OPEN_INTEREST: row.openInterest,
    FUNDING_RATE: perpetual?.fundingRate ?? null,
    FUNDING_PAYMENT: perpetual?.fundingPayment ?? null,
  };
  for (const [name, value] of Object.entries(values)) changed.set(`${row.marketId}|${name}`, value);
}

const SECOND = 1_000_000_000n;
const DAY = 86_400;

/** The bounds of the buckets that touch a range, by a calendar of the test's own. */
function boundsOf(question: Question & { readonly from: bigint; readonly to: bigint }): readonly bigint[] {
  const { width: [unit, count], zone } = question; // biome-ignore format: a pair
  const [first, last] = [floor(question.from), floor(question.to - 1n)];
  const bounds: number[] = [];
  const size = { seconds: 1, minutes: 60, hours: 3600 }[unit as string];
  if (size !== undefined) {
    for (let day = dayOf(first, zone) - 1; day <= dayOf(last, zone) + 1; day += 1) {
      const end = startOfDay(day + 1, zone);
      const from = startOfDay(day, zone);
      // Only what is near.
      const skipped = Math.max(0, Math.floor((first - from) / (size * count)) - 1) * size * count;
      for (let at = from + skipped; at < Math.min(end, last + 2 * DAY); at += size * count) bounds.push(at);
    }
  } else if (unit === 'days' || unit === 'weeks') {
    const [days, origin] = unit === 'weeks' ? [7 * count, 4] : [count, 0];
    let day = Math.floor((dayOf(first, zone) - origin) / days) * days + origin;
    for (; day <= dayOf(last, zone) + days; day += days) bounds.push(startOfDay(day, zone));
  } else {
    const months = unit === 'years' ? 12 * count : count;
    const monthOf = (second: number) => {
      const date = new Date(dayOf(second, zone) * DAY * 1000);
      return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
    };
    for (let month = Math.floor(monthOf(first) / months) * months; ; month += months) {
      bounds.push(startOfDay(Date.UTC(1970, month, 1) / DAY / 1000, zone));
      if (month > monthOf(last)) break;
    }
  }
  const sorted = [...new Set(bounds)].sort((a, b) => a - b);
  const begin = sorted.findLastIndex((one) => one <= first);
  const end = sorted.findIndex((one) => one > last);
  return sorted.slice(begin, end + 1).map((one) => BigInt(one) * SECOND);
}

function floor(time: bigint): number {
  return Number(time / SECOND);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The date that clocks of a zone show, in days since 1970. */
function dayOf(second: number, zone: string): number {
  const options = { year: 'numeric', month: 'numeric', day: 'numeric', timeZone: zone } as const;
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-US', options);
  formats.set(zone, format);
  const parts = Object.fromEntries(
    format.formatToParts(second * 1000).map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(parts['year'] ?? 0, (parts['month'] ?? 1) - 1, parts['day']) / DAY / 1000;
}

const starts = new Map<string, number>();

/** The first second with a date, or with a later one where clocks leave it out. */
function startOfDay(day: number, zone: string): number {
  const name = `${day} ${zone}`;
  const known = starts.get(name);
  if (known !== undefined) return known;
  let [before, at] = [day * DAY - 2 * DAY, day * DAY + 2 * DAY];
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (dayOf(middle, zone) >= day) at = middle;
    else before = middle;
  }
  starts.set(name, at);
  return at;
}

/** The same events in blocks of other times, one a block. */
export function retime(source: EventSource, timeOf: (height: number) => bigint): EventSource {
  async function* events(signal: AbortSignal): AsyncGenerator<SourceEvent> {
    for await (const one of source.events(signal)) {
      const { event } = one;
      yield event.type === 'beginBlock'
        ? { ...one, event: { ...event, timestamp: timeOf(event.height) } }
        : one;
    }
  }
  return Object.assign(Object.create(source), { events, chainId: source.chainId, name: source.name });
}
