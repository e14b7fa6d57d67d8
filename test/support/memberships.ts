import { Hub } from '../../src/feed/hub.ts';

/** Counts the places that readers hold in hubs of this process, from here to its disposal. */
export function countMemberships(): Disposable & { readonly open: number } {
  const held = new Set<object>();
  const join = Hub.prototype.join;
  Hub.prototype.join = function (this: Hub<never, unknown>, filter: unknown) {
    const membership = join.call(this, filter);
    held.add(membership);
    const leave = membership.leave.bind(membership);
    membership.leave = () => {
      held.delete(membership);
      leave();
    };
    return membership;
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
