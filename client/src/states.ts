/*
 * How a client follows a stream: a table of states and events, which STATES.md shows. A test holds the two together, and types
 * hold that each state has each event.
 */

export type State = 'idle' | 'connecting' | 'snapshot' | 'live' | 'waiting' | 'full' | 'ended';

export type Event =
  /** Somebody asks for the first block. */
  | 'begin'
  /** A page of the snapshot that is not its last; the last. */
  | 'page'
  | 'lastPage'
  /** What a block changed; a block that changed nothing that is followed. */
  | 'changes'
  | 'reached'
  /** The connection ends, or says nothing for too long; the gateway has no room and says when to come again. */
  | 'lost'
  | 'exhausted'
  /** The cursor is from before the history; what comes does not go on from what came before. */
  | 'forgotten'
  | 'torn'
  /** The gateway refuses for a reason that stays. */
  | 'refused'
  /** It is time to try again. */
  | 'due'
  /** As many blocks wait as may; enough of them were taken. */
  | 'full'
  | 'taken'
  /** Nobody wants more. */
  | 'abort';

export type Effect =
  | 'connect'
  | 'disconnect'
  /** Keeps a page until the snapshot is whole; gives the snapshot. */
  | 'keep'
  | 'give snapshot'
  | 'give changes'
  | 'give reached'
  /** Begins anew without a cursor; drops the pages that are kept. */
  | 'forget'
  /** Sets a clock: for the next attempt, or for as long as the gateway says. */
  | 'wait'
  | 'wait as told'
  /** Ends for who reads: with the reason, or in silence. */
  | 'throw'
  | 'end';

export interface Step {
  readonly to: State;
  readonly do: readonly Effect[];
}

/** `stay` is for what changes nothing, `never` for what cannot come. */
export type Entry = Step | 'stay' | 'never';

const step = (to: State, ...effects: readonly Effect[]): Step => ({ to, do: effects });

const AGAIN = step('waiting', 'disconnect', 'wait');
const AS_TOLD = step('waiting', 'disconnect', 'wait as told');
const ANEW = step('waiting', 'disconnect', 'forget', 'wait');
const FAILED = step('ended', 'disconnect', 'throw');
const ABORTED = step('ended', 'disconnect', 'end');
const PAUSED = step('full', 'disconnect');

export const TABLE: Readonly<Record<State, Readonly<Record<Event, Entry>>>> = {
  idle: {
    ...{ begin: step('connecting', 'connect'), abort: step('ended', 'end') },
    ...{ page: 'never', lastPage: 'never', changes: 'never', reached: 'never' },
    ...{ lost: 'never', exhausted: 'never', forgotten: 'never', torn: 'never', refused: 'never' },
    ...{ due: 'never', full: 'never', taken: 'never' },
  },
  connecting: {
    ...{ page: step('snapshot', 'keep'), lastPage: step('live', 'keep', 'give snapshot') },
    ...{ changes: step('live', 'give changes'), reached: step('live', 'give reached') },
    ...{ lost: AGAIN, exhausted: AS_TOLD, forgotten: ANEW, torn: ANEW, refused: FAILED },
    ...{ begin: 'never', due: 'never', full: 'never', taken: 'stay', abort: ABORTED },
  },
  snapshot: {
    ...{ page: step('snapshot', 'keep'), lastPage: step('live', 'keep', 'give snapshot') },
    ...{ changes: 'never', reached: 'never' },
    ...{ lost: AGAIN, exhausted: AS_TOLD, forgotten: ANEW, torn: ANEW, refused: FAILED },
    ...{ begin: 'never', due: 'never', full: 'never', taken: 'stay', abort: ABORTED },
  },
  live: {
    ...{ page: 'never', lastPage: 'never' },
    ...{ changes: step('live', 'give changes'), reached: step('live', 'give reached') },
    ...{ lost: AGAIN, exhausted: AS_TOLD, forgotten: ANEW, torn: ANEW, refused: FAILED },
    ...{ begin: 'never', due: 'never', full: PAUSED, taken: 'stay', abort: ABORTED },
  },
  waiting: {
    ...{ due: step('connecting', 'connect'), taken: 'stay', abort: step('ended', 'end') },
    ...{ begin: 'never', page: 'never', lastPage: 'never', changes: 'never', reached: 'never' },
    ...{
      lost: 'never',
      exhausted: 'never',
      forgotten: 'never',
      torn: 'never',
      refused: 'never',
      full: 'never',
    },
  },
  full: {
    ...{ taken: step('connecting', 'connect'), abort: step('ended', 'end') },
    ...{ begin: 'never', page: 'never', lastPage: 'never', changes: 'never', reached: 'never' },
    ...{ lost: 'never', exhausted: 'never', forgotten: 'never', torn: 'never', refused: 'never' },
    ...{ due: 'never', full: 'never' },
  },
  ended: {
    ...{ taken: 'stay', abort: 'stay' },
    ...{ begin: 'never', page: 'never', lastPage: 'never', changes: 'never', reached: 'never' },
    ...{ lost: 'never', exhausted: 'never', forgotten: 'never', torn: 'never', refused: 'never' },
    ...{ due: 'never', full: 'never' },
  },
};
