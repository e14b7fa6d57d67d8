import type { Logger } from 'pino';
import { errorsOf, toMessageError } from '../engine/client-errors.ts';
import type { Engine } from '../engine/engine.ts';
import { jsonOfData } from '../engine/run/json-result.ts';
import { notFound } from '../errors.ts';
import type { Caller } from '../http/request-scope.ts';
import { AS_OF, type Given, type Tool } from './tool.ts';

/** What a tool came to, for the model that reads it. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

export interface ToolRunner {
  readonly engine: Engine;
  readonly logger: Logger;
}

/** Asks what a tool asks, as every other question is asked: priced, charged, admitted, run. What is wrong is told in the result. */
export async function runTool(
  tool: Tool,
  given: Given,
  caller: Caller,
  { engine, logger }: ToolRunner,
): Promise<ToolResult> {
  try {
    const { [AS_OF]: height } = given;
    const asOf = typeof height === 'string' ? { height: BigInt(height) } : null;
    const operation = engine.price(tool.operation, tool.variables(given), 'mcp', { asOf });
    const outcome = await engine.run(operation, caller);
    const text = jsonOfData(outcome);
    refuseMissing(tool, given, text);
    return { text, isError: false };
  } catch (error) {
    return failedResult(error, logger);
  }
}

/** What is wrong, in the words and with the code that all transports have for it. */
export function failedResult(error: unknown, logger: Logger): ToolResult {
  const shown = errorsOf(error).map((one) => toMessageError(one, logger));
  return {
    text: shown.map(({ message, extensions }) => `${extensions['code']}: ${message}`).join('\n'),
    isError: true,
  };
}

function refuseMissing({ missing }: Tool, given: Given, text: string): void {
  if (missing === undefined) return;
  const data: Given = JSON.parse(text);
  if (data[missing.field] === null) throw notFound(missing.noun, String(given[missing.argument]));
}
