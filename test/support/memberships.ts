import { Hub } from '../../src/feed/hub.ts';

/** Counts the places that readers hold in hubs of this process, from here to its disposal. */
export function countMemberships(): Disposable & { readonly open: number } {
  const held = new Set<object>();
  const join = Hub.prototype.join;
  Hub.prototype.join = function (this: Hub<never, unknown>, filter: unknown) {
    const { mailbox, leave } = join.call(this, filter);
    held.add(mailbox);
    return {
      mailbox,
      leave: () => {
        held.delete(mailbox);
        leave();
      },
    };
  } as typeof join;
  return {
    get open() {
      return held.size;
    },
    [Symbol.dispose]: () => {
      Hub.prototype.join = join;
    },
  };
}
