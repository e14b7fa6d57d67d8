import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { prepareOperation } from '../engine/run/prepared.ts';
import type { GatewayContext } from '../graphql/context.ts';

/** Has Yoga run queries as prepared operations: an answer that comes as text is sent as it is. */
export function useTextAnswers(): Plugin<GatewayContext> {
  return {
    onExecute({ setExecuteFn }) {
      setExecuteFn(executeToText);
    },
  };
}

async function executeToText({
  document,
  operationName,
  variableValues,
  contextValue,
}: ExecutionArgs): Promise<ExecutionResult> {
  const answer = await prepareOperation(document, operationName).run(
    variableValues ?? {},
    contextValue as GatewayContext,
  );
  if (answer.kind === 'result') return answer.result;
  const stringify = () => `{"data":${answer.data.join('')}}`;
  return Object.defineProperty({} as ExecutionResult, 'stringify', { value: stringify });
}

/** The JSON of a result, which some have ready. */
export function jsonOf(result: ExecutionResult): string {
  const { stringify } = result as { readonly stringify?: () => string };
  return stringify === undefined ? JSON.stringify(result) : stringify();
}
