import type { Following } from '../src/follow.ts';
import type { FollowedBlock } from '../src/index.ts';

export interface PushedRow {
  readonly id: string;
  readonly balance: string;
}
type Rows = { readonly accounts: readonly PushedRow[] };

/** What is followed, as a test tells it. */
export function pushedBlocks() {
  const { readable, writable } = new TransformStream<FollowedBlock<Rows>>();
  const writer = writable.getWriter();
  const values = readable[Symbol.asyncIterator]();
  const following = Object.assign(values, { state: 'live', behindMs: 0 }) as unknown as Following<Rows>;
  let height = 0;
  return {
    following,
    push(kind: FollowedBlock<Rows>['kind'], accounts: readonly PushedRow[]): Promise<void> {
      height += 1;
      const block = { height: `${height}`, timestamp: '0' };
      return writer.write({ kind, block, cursor: `${height}`, rows: { accounts }, isReset: false });
    },
  };
}
