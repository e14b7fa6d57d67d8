import { noteKeptAnswer } from '../http/watch/server-timing.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import type { Exchange } from '../http/write/exchange.ts';
import type { ReadyHeaders } from '../http/write/ready-head.ts';
import type { Engine } from './engine.ts';
import type { Question } from './question.ts';

/** Answers a question on its exchange. `fail` writes what went wrong; nobody is told who has left. */
export function reply(
  engine: Engine,
  writer: AnswerWriter,
  question: Question,
  exchange: Exchange,
  head: ReadyHeaders,
  fail: (error: unknown) => void,
): void {
  const { response } = exchange;
  const failUnlessLeft = (error: unknown) => {
    if (!response.destroyed) fail(error);
  };
  try {
    const answer = engine.answer(question);
    if (answer instanceof Promise) {
      answer.then((made) => writer.send(exchange, made, head)).catch(failUnlessLeft);
      return;
    }
    noteKeptAnswer(response);
    writer.send(exchange, answer, head)?.catch(failUnlessLeft);
  } catch (error) {
    failUnlessLeft(error);
  }
}
