import type { IncomingMessage } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { OperationContext } from './server-context.ts';

const ready = new WeakMap<IncomingMessage, ExecutionResult>();

/** Notes what the operation of a request came to, for who answers in the place of who has executed it. */
export function noteResult(request: IncomingMessage, result: ExecutionResult): void {
  ready.set(request, result);
}

/** Has Yoga answer with the results that are there, so that nothing is executed twice. */
export function useReadyResults(): Plugin<OperationContext> {
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const result = ready.get(args.contextValue.req);
      if (result !== undefined) setResultAndStopExecution(result);
    },
  };
}
