import { Rejection } from '../errors.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import type { Exchange } from '../http/write/exchange.ts';
import type { ReadyHeaders } from '../http/write/ready-head.ts';
import type { Engine } from './engine.ts';
import type { Question } from './question.ts';

/** What answers the questions of one transport. */
export interface Replying {
  readonly engine: Engine;
  readonly writer: AnswerWriter;
}

/** Sends the answer that is kept under a key, with a head for one that has none; false where none is kept. */
export function replyKept(
  { engine, writer }: Replying,
  exchange: Exchange,
  key: string,
  head: ReadyHeaders,
): boolean {
  const kept = engine.findKept(key);
  if (kept === undefined) return false;
  exchange.steps?.noteKept?.();
  writer.send(exchange, kept, kept.head ?? head)?.catch((error) => writer.fail(exchange, error));
  return true;
}

/**
 * Answers a question that nothing kept answers, with a head for an answer that has none. `fail` writes what went wrong; nobody
 * is told who has left.
 */
export function reply(
  { engine, writer }: Replying,
  exchange: Exchange,
  question: Question,
  head: ReadyHeaders,
  fail: (error: unknown) => void,
): void {
  const failUnlessLeft = (error: unknown) => exchange.response.destroyed || fail(error);
  const answering = engine.answer(question);
  if (answering instanceof Rejection) failUnlessLeft(answering);
  else answering.then((answer) => writer.send(exchange, answer, answer.head ?? head)).catch(failUnlessLeft);
}
