import { Rejection } from '../errors.ts';
import type { Answers, Question, ToPrimary } from './messages.ts';

/** The primary does nothing but answer, so that this is long. What is not known to be allowed then is not. */
const LIMIT_MS = 2000;

/** What a worker has asked the primary and waits for. */
export class Calls {
  readonly #send: (message: ToPrimary) => void;
  readonly #open = new Map<number, { readonly answer: (value: unknown) => void }>();
  #last = 0;

  constructor(send: (message: ToPrimary) => void) {
    this.#send = send;
  }

  /** Resolves with the answer; rejects with UNAVAILABLE where none comes in time, and has a late one told then. */
  ask<About extends Question['about']>(
    question: Extract<Question, { readonly about: About }>,
    onLate: (value: Answers[About]) => void,
  ): Promise<Answers[About]> {
    const call = ++this.#last;
    return new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(noAnswer());
      }, LIMIT_MS).unref();
      const answer = (value: unknown) => {
        clearTimeout(timer);
        if (isLate) onLate(value as Answers[About]);
        else resolve(value as Answers[About]);
      };
      this.#open.set(call, { answer });
      this.#send({ kind: 'ask', call, ...(question as Question) });
    });
  }

  /** Takes what the primary answers. */
  take(call: number, value: unknown): void {
    const open = this.#open.get(call);
    this.#open.delete(call);
    open?.answer(value);
  }
}

function noAnswer(): Rejection {
  return new Rejection(
    'UNAVAILABLE',
    'The gateway cannot find out at the moment whether it may do more for this client. Try again in a second.',
  );
}
