/** What RxJS and others ask for: `Symbol.observable`, or the name that stands for it where nobody has defined that. */
export const OBSERVABLE: '@@observable' = ((Symbol as { readonly observable?: symbol }).observable ??
  '@@observable') as '@@observable';

export interface Observer<Value> {
  readonly next?: (value: Value) => void;
  readonly error?: (reason: unknown) => void;
  readonly complete?: () => void;
}

/** What is read as it comes; as it is read once, it has one subscriber. */
export interface Observable<Value> {
  subscribe(observer: Observer<Value>): { unsubscribe(): void };
}

export function observe<Value>(values: AsyncIterableIterator<Value>): Observable<Value> {
  return {
    subscribe(observer) {
      let isOpen = true;
      const read = async () => {
        for await (const value of values) if (isOpen) observer.next?.(value);
      };
      read().then(
        () => isOpen && observer.complete?.(),
        (error: unknown) => isOpen && observer.error?.(error),
      );
      return {
        unsubscribe() {
          isOpen = false;
          void values.return?.();
        },
      };
    },
  };
}
