import type { IncomingMessage } from 'node:http';
import { type ExecutionArgs, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Admit } from '../engine/admit.ts';
import { costOf } from '../engine/price/cost.ts';
import { refuseExcess } from '../engine/price/limits.ts';
import type { Caller } from '../http/request-scope.ts';
import type { OperationContext, ServerContext } from './server-context.ts';

/**
 * Refuses an operation that is too dear before anything is read, and has queries wait until there is room for what they
 * may cost. A socket's operations count for the socket's client.
 */
export function useAdmission(
  admit: Admit,
  scopeOf: (context: OperationContext & Partial<ServerContext>) => Caller,
): Plugin<OperationContext & Partial<ServerContext>> {
  return {
    onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution }) {
      const priced = costOf(args);
      const refusal = refuseExcess(priced);
      if (refusal !== null) return setResultAndStopExecution({ errors: [refusal] });
      if (args.contextValue.isAdmitted) return;
      setExecuteFn((args: ExecutionArgs) => {
        const caller = scopeOf(args.contextValue as { readonly req: IncomingMessage });
        return admit(caller, priced.cost, async () => executeFn(args), nameOf(args));
      });
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const refusal = refuseExcess(costOf(args));
      if (refusal !== null) setResultAndStopExecution({ errors: [refusal] });
    },
  };
}

function nameOf({ document, operationName }: ExecutionArgs): string | undefined {
  return getOperationAST(document, operationName)?.name?.value;
}
