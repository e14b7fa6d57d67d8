import type { IncomingMessage } from 'node:http';
import type { ExecutionArgs } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Asker } from '../http/asker.ts';
import type { Admit } from './admit.ts';
import { costOf } from './cost.ts';
import type { OperationContext, ServerContext } from './server-context.ts';

/** Has queries wait until there is room for what they may cost. A socket's operations count for the socket's client. */
export function useAdmission(
  admit: Admit,
  askerOf: (context: OperationContext & Partial<ServerContext>) => Asker,
): Plugin<OperationContext & Partial<ServerContext>> {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn((args: ExecutionArgs) => {
        const asker = askerOf(args.contextValue as { readonly req: IncomingMessage });
        return admit(asker, costOf(args).cost, async () => executeFn(args));
      });
    },
  };
}
