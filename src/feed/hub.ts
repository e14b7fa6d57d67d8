import type { Change } from '../data/history/change-pages.ts';
import type { Positioned } from '../data/noun.ts';
import { invalidArguments } from '../errors.ts';
import type { FeedBlock, Updates } from './events.ts';
import { checkCombinations, FilterIndex, type Wanted } from './filter-index.ts';
import { latestRows } from './latest-rows.ts';
import { Mailbox, type MailboxLimits } from './mailbox.ts';
import type { Topic } from './topics.ts';

/**
 * Publishes the changes of a noun, block by block, to those whose filters they pass. Readers with equal filters share a
 * channel, and get the very same message: what is made of it can be made once for all of them.
 */
export class Hub<Row extends Positioned, Filter> {
  readonly topic: Topic<Row, Filter>;
  readonly #limits: MailboxLimits;
  readonly #index = new FilterIndex<Channel<Row>>();
  readonly #channels = new Map<string, Channel<Row>>();

  constructor(topic: Topic<Row, Filter>, limits: MailboxLimits) {
    this.topic = topic;
    this.#limits = limits;
  }

  get hasReaders(): boolean {
    return this.#channels.size > 0;
  }

  /** Throws INVALID_ARGUMENT for a filter of too many values, naming what it was given by: joining takes the longer the more there are. */
  check(filter: Filter, givenBy: readonly string[]): void {
    try {
      checkCombinations(this.topic.wanted(filter));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw invalidArguments(givenBy, `${givenBy.join(' and ')} cannot be followed: ${error.message}.`);
    }
  }

  /** Joins from the next block on. Throws a RangeError for a filter of too many values. */
  join(filter: Filter): Membership<Row> {
    const wanted = this.topic.wanted(filter).map((values) => values && [...new Set(values)].sort());
    const name = JSON.stringify(wanted);
    const mailbox = new Mailbox<Updates<Row>>(this.#limits);
    const known = this.#channels.get(name);
    known?.mailboxes.push(mailbox);
    return new Membership(mailbox, known ?? this.#open(name, wanted, mailbox), this.#close);
  }

  /** Delivers what a block changed. Synchronous: no reader joins within a block. */
  publish(block: FeedBlock, changes: readonly Change<Row>[]): void {
    const rowsByChannel = new Map<Channel<Row>, Row[]>();
    for (const { row } of changes) {
      for (const channel of this.#channelsOf(row)) {
        const rows = rowsByChannel.get(channel);
        if (rows === undefined) rowsByChannel.set(channel, [row]);
        else rows.push(row);
      }
    }
    for (const [channel, changed] of rowsByChannel) {
      const rows = latestRows(changed);
      const updates: Updates<Row> = { kind: 'updates', block, position: block.position, rows };
      for (const mailbox of [...channel.mailboxes]) mailbox.push(updates, rows.length);
    }
  }

  /** Each once. */
  #channelsOf(row: Row): Iterable<Channel<Row>> {
    const [values = [], ...others] = this.topic.valuesOf(row);
    const found = this.#index.match(values);
    if (others.length === 0) return found;
    return new Set([...found, ...others.flatMap((one) => [...this.#index.match(one)])]);
  }

  /** Makes all readers look for themselves, since blocks were missed. */
  interrupt(): void {
    for (const { mailboxes } of this.#channels.values())
      for (const mailbox of [...mailboxes]) mailbox.interrupt();
  }

  /** Nobody is left in it. */
  readonly #close = (channel: Channel<Row>) => {
    this.#channels.delete(channel.name);
    this.#index.remove(channel.wanted, channel);
  };

  #open(name: string, wanted: Wanted, first: Mailbox<Updates<Row>>): Channel<Row> {
    const channel = { name, wanted, mailboxes: [first] };
    this.#index.add(wanted, channel);
    this.#channels.set(name, channel);
    return channel;
  }
}

/** One reader's membership in a hub, with the mailbox that its messages wait in. */
export class Membership<Row> {
  readonly mailbox: Mailbox<Updates<Row>>;
  readonly #channel: Channel<Row>;
  readonly #close: (channel: Channel<Row>) => void;

  constructor(mailbox: Mailbox<Updates<Row>>, channel: Channel<Row>, close: (channel: Channel<Row>) => void) {
    this.mailbox = mailbox;
    this.#channel = channel;
    this.#close = close;
  }

  /** Leaving twice is leaving once. */
  leave(): void {
    const { mailboxes } = this.#channel;
    const place = mailboxes.indexOf(this.mailbox);
    if (place === -1) return;
    mailboxes.splice(place, 1);
    if (mailboxes.length === 0) this.#close(this.#channel);
  }
}

interface Channel<Row> {
  readonly name: string;
  readonly wanted: Wanted;
  /** A list, since most have one: a set of one takes ten times as much. */
  readonly mailboxes: Mailbox<Updates<Row>>[];
}

/** Where there are several hubs, only that each has types of its own counts. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type AnyHub = Hub<any, any>;
