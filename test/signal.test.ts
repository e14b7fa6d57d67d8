import { expect, test } from 'vitest';
import { LightSignal } from '../src/signal.ts';

test('a signal calls all that still listen, once', () => {
  const signal = new LightSignal();
  const called: string[] = [];
  const gone = () => called.push('gone');
  signal.addEventListener('abort', () => called.push('one'));
  signal.addEventListener('abort', gone);
  signal.addEventListener('abort', () => called.push('another'));
  signal.removeEventListener('abort', gone);
  signal.removeEventListener('abort', () => {});
  expect([signal.aborted, signal.reason]).toEqual([false, undefined]);
  signal.abort('why');
  signal.abort('again');
  expect([signal.aborted, signal.reason, called]).toEqual([true, 'why', ['one', 'another']]);
});
